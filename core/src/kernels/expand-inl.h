// Expands an operand into a dense tile: what repeats, comes back or lies apart
// in its memory lies side by side in the tile, in the order of the result. An
// operator's loop then needs to know nothing of broadcasting.
//
// The loops of a tile are coalesced once more, for this operand alone: a matrix
// that is one row for all of a tile and a vector that is repeated are the same
// here. Three forms of the innermost loops are told apart:
//
//   shuffles  each vector of the tile is a shuffle of one vector of the
//   operand.
//             The shuffles come back after as many elements as the inner loops
//             and a vector have in common; they are worked out once and kept.
//             [a b c ...] repeated three times by vectors of 4 is (aaab bbcc
//             cddd), and again 4 elements further on.
//   pieces    runs of about a vector and more, copied or filled
//   elements  strided views whose neighbours lie further apart
//
// and loops around them either go on or copy what has been expanded.

#if defined(BROADLOOM_KERNELS_EXPAND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_EXPAND_INL_H_
#undef BROADLOOM_KERNELS_EXPAND_INL_H_
#else
#define BROADLOOM_KERNELS_EXPAND_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <numeric>

#include "broadloom/nest.h"
#include "hwy/highway.h"
#include "kernels/copy-inl.h"
#include "kernels/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class Expander {
 public:
  // For the loops of operand `operand` inside `split`, and `steps` of that one;
  // elements of `bytes` bytes. At most 2^15 elements in all.
  void Prepare(const LoopNest& nest, size_t operand, size_t split,
               int64_t steps, size_t bytes) {
    count_ = 0;
    total_ = 1;
    int64_t scale = 1;
    if (bytes == 16) {  // two halves side by side
      Push(2, 1);
      scale = 2;
    }
    for (size_t loop = nest.loop_count(); loop-- > split + 1;) {
      Push(nest.extent(loop), nest.stride(operand, loop) * scale);
    }
    Push(steps, nest.stride(operand, split) * scale);
    lanes_per_element_ = static_cast<size_t>(scale);
    switch (bytes) {
      case 1:
        return PrepareAs<uint8_t>();
      case 2:
        return PrepareAs<uint16_t>();
      case 4:
        return PrepareAs<uint32_t>();
      default:
        return PrepareAs<uint64_t>();
    }
  }

  // The first `count` elements of the tile to `to`, from an operand that begins
  // at `from`. Up to `end` its memory may be read, up to `limit` that of the
  // tile be written.
  void Expand(const uint8_t* from, const uint8_t* end, size_t count,
              uint8_t* to, const uint8_t* limit) const {
    expand_(*this, from, end, count * lanes_per_element_, to, limit);
  }
  // The same, where `to` is the result, of which there is more to come.
  void ExpandToResult(const uint8_t* from, const uint8_t* end, size_t count,
                      uint8_t* to, const uint8_t* limit) const {
    expand_to_result_(*this, from, end, count * lanes_per_element_, to, limit);
  }

  // An upper bound on the elements from `from` on that a tile reads. Only for
  // loops that do not walk back.
  int64_t Reach() const {
    int64_t reach = 1;
    for (size_t level = 0; level < count_; ++level) {
      reach += (levels_[level].extent - 1) * levels_[level].stride;
    }
    return reach;
  }
  bool walks_back() const {
    for (size_t level = 0; level < count_; ++level) {
      if (levels_[level].stride < 0) return true;
    }
    return false;
  }

  // For what has to be taken element by element: visit(element of the tile,
  // element of the operand) for the first `count`.
  template <class Visit>
  void ForEachSource(size_t count, const Visit& visit) const {
    VisitLevel(count_ - 1, 0, 0, count, visit);
  }

 private:
  struct Level {
    int64_t extent;
    int64_t stride;  // elements of the operand
    int64_t unit;    // elements of the tile that one step makes
  };
  enum class Leaf : uint8_t { kPieces, kShuffles, kElements };

  // Two steps at least to a level, and one more level for a split one.
  static constexpr size_t kMostLevels = 18;
  static constexpr size_t kMostShuffles = 32;
  static constexpr size_t kCopyBytes = 4 * kVectorBytes;

  void Push(int64_t extent, int64_t stride) {
    if (extent == 1) return;
    if (count_ > 0) {
      Level& inner = levels_[count_ - 1];
      if (inner.stride * inner.extent == stride) {
        inner.extent *= extent;
        total_ *= extent;
        return;
      }
    }
    levels_[count_++] = {extent, stride, total_};
    total_ *= extent;
  }

  // Those of the loops up to `level`. Counts and not extents say where a loop
  // ends: one that was split need not end with a whole step.
  template <class Visit>
  void VisitLevel(size_t level, size_t first, int64_t source, size_t count,
                  const Visit& visit) const {
    const size_t unit = static_cast<size_t>(levels_[level].unit);
    for (size_t done = 0; done < count; done += unit) {
      if (level == 0) {
        visit(first + done, source);
      } else {
        VisitLevel(level - 1, first + done, source,
                   std::min(unit, count - done), visit);
      }
      source += levels_[level].stride;
    }
  }

  template <class T>
  void PrepareAs() {
    expand_ = &ExpandAs<T, false>;
    expand_to_result_ = &ExpandAs<T, !HWY_ARCH_WASM>;
    const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    // Long pieces are best moved as they are.
    if (levels_[0].extent < 8 * lanes) {
      leaf_ = Leaf::kShuffles;
      // The more loops the shuffles take, the fewer are left around them.
      for (size_t top = count_; top-- > 0;) {
        if (MakeShuffles<T>(top, lanes)) return;
      }
    }
    leaf_ = 2 * levels_[0].extent >= lanes &&
                    (levels_[0].stride == 0 || levels_[0].stride == 1)
                ? Leaf::kPieces
                : Leaf::kElements;
    leaf_top_ = count_ > 1 ? 1 : 0;
  }

  // The shuffles of the loops up to `top`. False when there would be too many
  // of them, or when elements of one vector of the tile lie further apart than
  // a vector.
  template <class T>
  bool MakeShuffles(size_t top, int64_t lanes) {
    // The shuffles come back when the loops inside `top` and a vector end at
    // once. Alone, a loop comes to its end before that.
    const int64_t elements = levels_[top].unit * levels_[top].extent;
    const int64_t period = top == 0 ? elements : levels_[top].unit;
    const int64_t common = std::gcd(period, lanes);
    const int64_t vectors =
        std::min(period / common, (elements + lanes - 1) / lanes);
    if (vectors > static_cast<int64_t>(kMostShuffles)) return false;
    shuffles_ = static_cast<size_t>(vectors);
    advance_ = top == 0 ? 0 : levels_[top].stride * (lanes / common);
    leaf_top_ = top;

    int64_t index[kMostLevels] = {};
    int64_t source = 0;
    int64_t made = 0;
    furthest_ = 0;
    for (size_t v = 0; v < shuffles_; ++v) {
      int64_t sources[kVectorBytes];
      int64_t least = source;
      int64_t most = source;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        sources[lane] = source;
        least = std::min(least, source);
        most = std::max(most, source);
        if (++made >= elements) continue;  // nobody looks at the rest
        for (size_t level = 0;; ++level) {
          source += levels_[level].stride;
          if (++index[level] < levels_[level].extent || level == top) break;
          source -= levels_[level].stride * levels_[level].extent;
          index[level] = 0;
        }
      }
      if (most - least >= lanes) return false;
      begins_[v] = static_cast<int32_t>(least);
      furthest_ = std::max(furthest_, least);
      T* const shuffle = reinterpret_cast<T*>(table_) + v * lanes;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        shuffle[lane] = static_cast<T>(sources[lane] - least);
      }
    }
    return true;
  }

  // kAhead: lines of the result are prefetched before they are written.
  template <class T, bool kAhead>
  static void ExpandAs(const Expander& self, const uint8_t* from,
                       const uint8_t* end, size_t count, uint8_t* to,
                       const uint8_t* limit) {
    self.ExpandLevel<T, kAhead>(
        self.count_ - 1, reinterpret_cast<const T*>(from),
        reinterpret_cast<const T*>(end), count, reinterpret_cast<T*>(to),
        reinterpret_cast<const T*>(limit));
  }

  // The first `count` elements of the loops up to `level`.
  template <class T, bool kAhead>
  void ExpandLevel(size_t level, const T* from, const T* end, size_t count,
                   T* to, const T* limit) const {
    if (level <= leaf_top_) {
      switch (leaf_) {
        case Leaf::kPieces:
          return ExpandPieces<T, kAhead>(from, end, count, to, limit);
        case Leaf::kShuffles:
          return ExpandShuffles<T, kAhead>(from, end, count, to, limit);
        case Leaf::kElements:
          return ExpandElements(from, count, to);
      }
    }
    const int64_t stride = levels_[level].stride;
    const size_t unit = static_cast<size_t>(levels_[level].unit);
    if (stride != 0) {
      for (; count > unit; count -= unit, from += stride, to += unit) {
        ExpandLevel<T, kAhead>(level - 1, from, end, unit, to, limit);
      }
      ExpandLevel<T, kAhead>(level - 1, from, end, count, to, limit);
      return;
    }
    ExpandLevel<T, kAhead>(level - 1, from, end, std::min(unit, count), to,
                           limit);
    // What has been written is the source of the rest.
    for (size_t done = unit; done < count;) {
      const size_t more = std::min(done, count - done);
      Copy(reinterpret_cast<const uint8_t*>(to), more * sizeof(T),
           reinterpret_cast<uint8_t*>(to + done));
      done += more;
    }
  }

  // Complex numbers are aligned to their parts alone.
  template <class T>
  static HWY_INLINE void CopyElement(const T* from, T* to) {
    std::memcpy(static_cast<void*>(to), static_cast<const void*>(from),
                sizeof(T));
  }

  template <class T, bool kAhead>
  void ExpandPieces(const T* from, const T* end, size_t count, T* to,
                    const T* limit) const {
    const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
    const size_t lanes = hn::Lanes(d);
    const size_t piece = static_cast<size_t>(levels_[0].extent);
    const int64_t stride = leaf_top_ == 0 ? 0 : levels_[1].stride;
    const bool repeats = levels_[0].stride == 0;
    for (; count != 0; from += stride) {
      const size_t n = std::min(piece, count);
      if (n < lanes) {
        // A whole vector, over which the next piece goes.
        const bool fits = static_cast<int64_t>(lanes) <= limit - to;
        if (fits && repeats) {
          hn::StoreU(
              hn::Set(d, ReadAs<T>(reinterpret_cast<const uint8_t*>(from))), d,
              to);
        } else if (fits && static_cast<int64_t>(lanes) <= end - from) {
          hn::StoreU(hn::LoadU(d, from), d, to);
        } else {
          for (size_t i = 0; i < n; ++i)
            CopyElement(from + (repeats ? 0 : i), to + i);
        }
      } else if (repeats) {
        const auto v =
            hn::Set(d, ReadAs<T>(reinterpret_cast<const uint8_t*>(from)));
        for (size_t i = 0; i < n - lanes; i += lanes) {
          if constexpr (kAhead)
            PrefetchToWrite(to + i + kPrefetchBytes / sizeof(T));
          hn::StoreU(v, d, to + i);
        }
        hn::StoreU(v, d, to + n - lanes);
      } else {
        for (size_t i = 0; i < n - lanes; i += lanes) {
          if constexpr (kAhead)
            PrefetchToWrite(to + i + kPrefetchBytes / sizeof(T));
          hn::StoreU(hn::LoadU(d, from + i), d, to + i);
        }
        hn::StoreU(hn::LoadU(d, from + n - lanes), d, to + n - lanes);
      }
      if constexpr (kAhead) {
        PrefetchToWrite(to + n + kPrefetchBytes / sizeof(T));
      }
      to += n;
      count -= n;
    }
  }

  template <class T, bool kAhead>
  void ExpandShuffles(const T* from, const T* end, size_t count, T* to,
                      const T* limit) const {
    const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
    const size_t lanes = hn::Lanes(d);
    const size_t turn = shuffles_ * lanes;
    // A turn reads whole vectors. Where the operand ends before them, a copy of
    // what it has is read, as long as that is little.
    const int64_t whole = furthest_ + static_cast<int64_t>(lanes);
    T copy[kCopyBytes / sizeof(T)];
    const bool copies =
        !walks_back() && static_cast<size_t>(whole) * sizeof(T) <= kCopyBytes;
    while (count != 0) {
      const T* source = from;
      size_t turns = count / turn;
      if (end - from < whole) {
        if (!copies || from > end) break;
        std::memcpy(copy, from, static_cast<size_t>(end - from) * sizeof(T));
        source = copy;
        if (advance_ != 0) turns = std::min<size_t>(turns, 1);
      } else if (advance_ > 0) {
        turns = std::min(
            turns, static_cast<size_t>((end - from - whole) / advance_) + 1);
      } else if (advance_ < 0) {
        turns = std::min<size_t>(turns, 1);
      }
      if (turns == 0) break;
      Turns<kAhead>(d, source, turns, to);
      from += advance_ * static_cast<int64_t>(turns);
      to += turn * turns;
      count -= turn * turns;
    }
    const T* const table = reinterpret_cast<const T*>(table_);
    // Of loops that walk back, what is beyond the last element may lie before
    // the operand's memory.
    const bool backwards = walks_back();
    for (size_t v = 0; count != 0;) {
      const T* const shuffle = table + v * lanes;
      const T* const source = from + begins_[v];
      const size_t n = std::min(lanes, count);
      if ((n == lanes || !backwards) &&
          static_cast<int64_t>(lanes) <= end - source &&
          static_cast<int64_t>(lanes) <= limit - to) {
        const auto indices = hn::SetTableIndices(d, shuffle);
        hn::StoreU(hn::TableLookupLanes(hn::LoadU(d, source), indices), d, to);
      } else {
        for (size_t i = 0; i < n; ++i) CopyElement(source + shuffle[i], to + i);
      }
      to += n;
      count -= n;
      if (++v == shuffles_) {
        v = 0;
        from += advance_;
      }
    }
  }

  template <bool kAhead, class D, class T = hn::TFromD<D>>
  void Turns(D d, const T* from, size_t turns, T* to) const {
    const size_t lanes = hn::Lanes(d);
    const T* const table = reinterpret_cast<const T*>(table_);
    for (; turns != 0; --turns, from += advance_) {
      for (size_t v = 0; v < shuffles_; ++v, to += lanes) {
        if constexpr (kAhead) {
          PrefetchToWrite(to + kPrefetchBytes / sizeof(T));
        }
        const auto indices = hn::SetTableIndices(d, table + v * lanes);
        hn::StoreU(
            hn::TableLookupLanes(hn::LoadU(d, from + begins_[v]), indices), d,
            to);
      }
    }
  }

  template <class T>
  void ExpandElements(const T* from, size_t count, T* to) const {
    const size_t piece = static_cast<size_t>(levels_[0].extent);
    const int64_t step = levels_[0].stride;
    const int64_t stride = leaf_top_ == 0 ? 0 : levels_[1].stride;
    while (count != 0) {
      const size_t n = std::min(piece, count);
      for (size_t i = 0; i < n; ++i) {
        CopyElement(from + static_cast<int64_t>(i) * step, to + i);
      }
      from += stride;
      to += n;
      count -= n;
    }
  }

  Level levels_[kMostLevels];  // innermost first
  size_t count_ = 0;
  int64_t total_ = 1;
  size_t lanes_per_element_ = 1;
  size_t leaf_top_ = 0;  // the outermost level that the leaf takes
  Leaf leaf_ = Leaf::kPieces;
  using ExpandFunction = void (*)(const Expander& self, const uint8_t* from,
                                  const uint8_t* end, size_t count, uint8_t* to,
                                  const uint8_t* limit);
  ExpandFunction expand_ = nullptr;
  ExpandFunction expand_to_result_ = nullptr;
  // Shuffles: how many, where in the operand each one's vector begins, the
  // greatest of these, and how far the operand moves on after the last.
  size_t shuffles_ = 0;
  int32_t begins_[kMostShuffles];
  int64_t furthest_ = 0;
  int64_t advance_ = 0;
  alignas(kVectorBytes) uint8_t table_[kMostShuffles * kVectorBytes];
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_EXPAND_INL_H_
