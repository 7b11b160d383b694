// Expands an operand into a dense tile: what repeats, comes back or lies apart
// in its memory lies side by side in the tile, in the order of the result. An
// operator's loop then needs to know nothing of broadcasting.
//
// The loops of a tile are coalesced once more, for this operand alone: a matrix
// that is one row for all of a tile and a vector that is repeated are the same
// here. Three forms of the innermost loops are told apart:
//
//   shuffles  each vector of the tile is a shuffle of one or two vectors of
//             the operand. The shuffles come back after as many elements as
//             the inner loops and a vector have in common; they are worked out
//             once and kept. [a b c ...] repeated three times by vectors of 4
//             is (aaab bbcc cddd), and again 4 elements further on.
//   pieces    runs of about a vector and more, copied or filled
//   elements  strided views whose neighbours lie further apart
//
// and loops around them either go on or copy what has been expanded.

#if defined(BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_
#undef BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <span>
#include <utility>

#include "broadloom/internal/nest.h"
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/row.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class Expander {
 public:
  // For the loops of operand `operand` inside `split`, and `steps` of that one;
  // elements of `bytes` bytes. At most 2^15 elements a tile, and about
  // `elements` in all tiles that will be asked for. `memory` is where
  // the tiles read; `gaps`: but not what lies between their elements; `stays`:
  // and what is there does not change. `for_loop`: they are asked for as
  // shuffles.
  void Prepare(const LoopNest& nest, size_t operand, size_t split,
               int64_t steps, size_t bytes, int64_t elements,
               std::span<const uint8_t> memory, bool gaps, bool stays,
               bool for_loop) {
    elements_ = elements;
    gaps_ = kMindsGaps && gaps;
    for_loop_ = for_loop;
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
    splits_ = steps > 1;
    lanes_per_element_ = static_cast<size_t>(scale);
    switch (bytes) {
      case 1:
        return PrepareAs<uint8_t>(memory, stays);
      case 2:
        return PrepareAs<uint16_t>(memory, stays);
      case 4:
        return PrepareAs<uint32_t>(memory, stays);
      default:
        return PrepareAs<uint64_t>(memory, stays);
    }
  }

  // The first `count` elements of the tile to `to`, from an operand that begins
  // at `from`. Up to `limit` the memory of the tile may be written.
  void Expand(const uint8_t* from, size_t count, uint8_t* to,
              const uint8_t* limit) const {
    expand_(*this, from, count * lanes_per_element_, to, limit);
  }
  // The same, where `to` is the result, of which there is more to come.
  void ExpandToResult(const uint8_t* from, size_t count, uint8_t* to,
                      const uint8_t* limit) const {
    expand_to_result_(*this, from, count * lanes_per_element_, to, limit);
  }

  // The first `count` elements as shuffles, for an operand that begins at
  // `from`. False where they are more than shuffles of one vector each.
  bool AsShuffles(const uint8_t* from, size_t count, Shuffles& out) const {
    if (!is_shuffles()) return false;
    const uint8_t* const begin = Begin(from, count);
    if (begin == nullptr) return false;
    out = {0, begin, table_, begins_, shuffles_, advance_ * element_bytes_};
    return true;
  }
  // Whether AsShuffles may say yes.
  bool is_shuffles() const {
    return leaf_ == Leaf::kShuffles && leaf_top_ + 1 == count_ && !wide_ &&
           !walks_back() && !has_gaps() && lanes_per_element_ == 1;
  }

  // Whether the tiles of further runs of the split loop are more of the same
  // shuffles.
  bool goes_on() const { return is_shuffles() && comes_back_ && splits_; }

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
    int64_t index[kMostLevels] = {};
    int64_t source = 0;
    for (size_t i = 0; i < count; ++i) {
      visit(i, source);
      for (size_t level = 0; level < count_; ++level) {
        source += levels_[level].stride;
        if (++index[level] < levels_[level].extent) break;
        source -= levels_[level].stride * levels_[level].extent;
        index[level] = 0;
      }
    }
  }

 private:
  struct Level {
    int64_t extent;
    int64_t stride;  // elements of the operand
    int64_t unit;    // elements of the tile that one step makes
  };
  enum class Leaf : uint8_t { kPieces, kShuffles, kElements };

  // Two steps at least to a level.
  static constexpr size_t kMostLevels = 16;
  static constexpr int64_t kMostShuffles = 64;
  static constexpr int64_t kLeastShuffles = 8;
  static constexpr int64_t kLeastHeld = 3;
  static constexpr int64_t kMostHeld = 8;
  static constexpr int64_t kVectorsAShuffle = 16;
  static constexpr int64_t kVectorsAHeld = 64;
  static constexpr int64_t kMostPeriod = 1024;
  static constexpr int64_t kLongPiece = 8;  // vectors
  static constexpr size_t kTailBytes = 8 * kVectorBytes;

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

  template <class T>
  void PrepareAs(std::span<const uint8_t> memory, bool stays) {
    lanes_ = hn::Lanes(hn::CappedTag<T, kVectorBytes / sizeof(T)>());
    element_bytes_ = sizeof(T);
    end_ = memory.data() + memory.size();
    tail_begin_ = end_;
    expand_ = &ExpandAs<T, false>;
    expand_to_result_ = &ExpandAs<T, !HWY_ARCH_WASM>;
    const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
    const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
    const Level& inner = levels_[0];
    // The more loops the shuffles take, the fewer are left around them; the
    // innermost one alone is worth it where it makes no pieces.
    const size_t least_top = MakesPieces(lanes) && count_ > 1 ? 1 : 0;
    leaf_ = Leaf::kShuffles;
    // Long pieces are best moved as they are, and what has been expanded is
    // copied, but where it comes back again and again from registers.
    const int64_t held = kMostHeld * lanes;
    const bool holds = kHoldsTables && elements_ >= held * kVectorsAHeld;
    const bool repeats_held =
        holds && inner.extent == held && count_ > 1 && levels_[1].stride == 0;
    if (inner.extent < kLongPiece * lanes || repeats_held) {
      for (size_t top = count_; top-- > least_top;) {
        const bool copies = kHoldsTables && RepeatsLong(top, held);
        if (copies && !(holds && levels_[top].unit == held)) continue;
        // To work one out takes as long as many vectors that are shuffled by
        // it; but without any there is little left.
        const int64_t most = elements_ / (lanes * kVectorsAShuffle);
        const int64_t limit = top == least_top ? kMostShuffles : most;
        if (!MakeShuffles<T>(top, lanes, limit) || (copies && wide_)) continue;
        // The others read whole vectors.
        if (has_gaps() && !kMasksLanes<T> && !IsDense(top)) continue;
        whole_ = furthest_ + (wide_ ? 2 * lanes : lanes);
        const int64_t turn = static_cast<int64_t>(shuffles_) * lanes;
        const int64_t elements = levels_[top].unit * levels_[top].extent;
        leaf_elements_ = static_cast<size_t>(elements);
        leaf_bytes_ = TurnBytes((elements + turn - 1) / turn);
        if (has_gaps()) {
          MaskShuffles<T>(lanes);
        } else if (stays) {
          KeepTail(memory, static_cast<size_t>(whole_) * sizeof(T));
        }
        return;
      }
    }
    leaf_ = MakesPieces(lanes) ? Leaf::kPieces : Leaf::kElements;
    leaf_top_ = count_ > 1 ? 1 : 0;
  }

  [[nodiscard]] bool has_gaps() const { return kMindsGaps && gaps_; }

  // Whether what the loops up to `top` read lies side by side.
  bool IsDense(size_t top) const {
    int64_t together = 1;
    uint32_t left = (uint32_t{2} << top) - 1;
    for (bool longer = true; longer;) {
      longer = false;
      for (size_t level = 0; level <= top; ++level) {
        const int64_t step = std::abs(levels_[level].stride);
        if ((left >> level & 1) == 0 || step > together) continue;
        together += (levels_[level].extent - 1) * step;
        left &= ~(uint32_t{1} << level);
        longer = true;
      }
    }
    return left == 0;
  }

  // The lanes that the shuffles take; for targets that load no lanes alone, how
  // far a step of the leaf's outermost loop reads beyond where it begins, and
  // whether fewer steps lie side by side as all of them do.
  template <class T>
  void MaskShuffles(int64_t lanes) {
    step_reach_ = 1;
    int64_t length = 1;
    for (size_t level = 0; level < leaf_top_; ++level) {
      const int64_t extent = levels_[level].extent;
      const int64_t stride = levels_[level].stride;
      step_reach_ += (extent - 1) * std::max<int64_t>(stride, 0);
      length += (extent - 1) * std::abs(stride);
    }
    steps_adjoin_ = std::abs(levels_[leaf_top_].stride) >= length;
    if constexpr (kMasksLanes<T>) {
      for (size_t v = 0; v < shuffles_; ++v) {
        uint64_t* const used = LanesUsed(v);
        used[0] = used[1] = 0;
        for (int64_t lane = 0; lane < lanes; ++lane) {
          const int64_t source = SourceOf<T>(v * static_cast<size_t>(lanes) +
                                             static_cast<size_t>(lane));
          used[source / lanes] |= uint64_t{1} << source % lanes;
        }
      }
    }
  }

  // The lanes that shuffle `v` takes of its two vectors, bit by bit. No tail is
  // kept where there are gaps: that memory has room for them.
  uint64_t* LanesUsed(size_t v) {
    static_assert(sizeof(tail_) >= kMostShuffles * 2 * sizeof(uint64_t));
    return reinterpret_cast<uint64_t*>(tail_) + 2 * v;
  }
  const uint64_t* LanesUsed(size_t v) const {
    return reinterpret_cast<const uint64_t*>(tail_) + 2 * v;
  }

  // Whether one of the loops up to `top` repeats so many elements or more: a
  // copy of what has been expanded takes fewer instructions than shuffles do
  // that no registers hold.
  bool RepeatsLong(size_t top, int64_t elements) const {
    for (size_t level = 1; level <= top; ++level) {
      const Level& loop = levels_[level];
      if (loop.stride == 0 && loop.unit >= elements) return true;
    }
    return false;
  }

  // Whether the innermost loop moves elements side by side, or one element,
  // about a vector and more at a time.
  bool MakesPieces(int64_t lanes) const {
    const Level& inner = levels_[0];
    return 2 * inner.extent >= lanes &&
           (inner.stride == 0 || inner.stride == 1);
  }

  // Shuffles read whole vectors, `whole` bytes a turn, and the operand may end
  // before them. What it has there is kept with something behind it.
  void KeepTail(std::span<const uint8_t> memory, size_t whole) {
    if (walks_back() || whole > kTailBytes) return;
    const size_t kept = std::min(kTailBytes, memory.size());
    tail_begin_ = end_ - kept;
    std::memcpy(tail_, tail_begin_, kept);
  }

  // The shuffles of the loops up to `top`. False when there would be more than
  // `most` of them, or when elements of one vector of the tile lie further
  // apart than two vectors.
  template <class T>
  bool MakeShuffles(size_t top, int64_t lanes, int64_t most) {
    // The shuffles come back when the loops inside `top` and a vector end at
    // once. Alone, a loop comes to its end before that.
    const int64_t elements = levels_[top].unit * levels_[top].extent;
    const int64_t period = top == 0 ? elements : levels_[top].unit;
    const int64_t common = std::gcd(period, lanes);
    const int64_t all = (elements + lanes - 1) / lanes;
    most = std::clamp<int64_t>(most, kLeastShuffles, kMostShuffles);
    int64_t vectors = period / common;
    // To move pieces is faster than shuffles that do not come back.
    if (vectors > most && MakesPieces(lanes) && !for_loop_) return false;
    vectors = std::min(vectors, all);
    if (vectors > most) return false;
    // Few are made several times, an even number of them, so that a loop over
    // them is worth it.
    int64_t turns = kHoldsTables || vectors % 2 == 0 ? 1 : 2;
    while (turns * vectors < (kHoldsTables ? kLeastHeld : kLeastShuffles)) {
      turns *= 2;
    }
    if (turns * vectors <= std::min(all, most)) {
      vectors *= turns;
    } else {
      turns = 1;
    }
    // What ends within the last vector has no rest to go on with.
    comes_back_ = top > 0 && vectors % (period / common) == 0 &&
                  vectors * lanes <= elements;
    shuffles_ = static_cast<size_t>(vectors);
    advance_ = top == 0 ? 0 : levels_[top].stride * (lanes / common) * turns;
    words_thrice_ = kHoldsTables && sizeof(T) == 4 && period == 3 && top == 1 &&
                    levels_[0].stride == 0 && levels_[1].stride == 1;
    leaf_top_ = top;

    // Offsets of one period, and of its elements in the vectors. Plain loops,
    // which compilers make vectors of: what is made here is made for each task.
    int16_t offsets[kMostPeriod];
    if (period > kMostPeriod || !OffsetsOfPeriod(top, offsets)) return false;
    const int64_t step = top == 0 ? 0 : levels_[top].stride;
    if (step * (vectors * lanes / period + 1) / INT16_MAX != 0) return false;
    int64_t within = 0;
    int64_t base = 0;
    int64_t left = elements;
    furthest_ = 0;
    wide_ = false;
    shares_load_ = true;
    for (size_t v = 0; v < shuffles_; ++v) {
      int32_t sources[kVectorBytes];
      for (int64_t lane = 0; lane < lanes;) {
        const int64_t n = std::min({lanes - lane, period - within, left});
        for (int64_t i = 0; i < n; ++i) {
          sources[lane + i] = static_cast<int32_t>(base) + offsets[within + i];
        }
        lane += n;
        within += n;
        left -= n;
        if (left == 0) {
          // Nobody looks at the rest.
          std::fill(sources + lane, sources + lanes, sources[lane - 1]);
          break;
        }
        if (within < period) continue;
        within = 0;
        base += step;
      }
      int32_t least = sources[0];
      int32_t greatest = sources[0];
      for (int64_t lane = 1; lane < lanes; ++lane) {
        least = std::min(least, sources[lane]);
        greatest = std::max(greatest, sources[lane]);
      }
      // Shuffles of the turn's first vector alone share what they load.
      if (kHoldsTables && least >= 0 && greatest < lanes) least = 0;
      if (greatest - least >= 2 * lanes) return false;
      wide_ = wide_ || greatest - least >= lanes;
      begins_[v] = least * static_cast<int32_t>(sizeof(T));
      shares_load_ = shares_load_ && least == 0;
      furthest_ = std::max<int64_t>(furthest_, least);
      for (int64_t lane = 0; lane < lanes; ++lane) {
        SetSource<T>(static_cast<int64_t>(v) * lanes + lane,
                     sources[lane] - least);
      }
    }
    return true;
  }

  // The table has the lane that each lane comes from; where lanes are looked up
  // by their bytes, it has these, since to make them of lanes each time takes
  // as long as all else.
  static constexpr bool kTableOfBytes = HWY_ARCH_WASM;
  // There, too, an instruction that reads a table or works out an address is
  // one that the loop waits for: the tables of few shuffles stay in registers.
  static constexpr bool kHoldsTables = kTableOfBytes;

  template <class T>
  void SetSource(int64_t lane, int64_t source) {
    if constexpr (kTableOfBytes) {
      constexpr int64_t kBytes = sizeof(T);
      for (int64_t i = 0; i < kBytes; ++i) {
        table_[lane * kBytes + i] = static_cast<uint8_t>(source * kBytes + i);
      }
    } else {
      reinterpret_cast<T*>(table_)[lane] = static_cast<T>(source);
    }
  }

  template <class T>
  int64_t SourceOf(size_t lane) const {
    if constexpr (kTableOfBytes) {
      return table_[lane * sizeof(T)] / static_cast<int64_t>(sizeof(T));
    } else {
      return static_cast<int64_t>(reinterpret_cast<const T*>(table_)[lane]);
    }
  }

  // Where the elements of the loops inside `top` lie, or of the innermost one
  // if that is it. False where they lie too far apart.
  bool OffsetsOfPeriod(size_t top, int16_t* offsets) const {
    int64_t made = 1;
    int64_t furthest = 0;
    offsets[0] = 0;
    for (size_t level = 0; level < std::max<size_t>(top, 1); ++level) {
      const int64_t stride = levels_[level].stride;
      const int64_t extent = levels_[level].extent;
      // Strides are those of memory; their product with an extent is countable.
      furthest += std::abs(stride) * (extent - 1);
      if (furthest > INT16_MAX) return false;
      for (int64_t step = 1; step < extent; ++step) {
        for (int64_t i = 0; i < made; ++i) {
          offsets[step * made + i] =
              static_cast<int16_t>(offsets[i] + step * stride);
        }
      }
      made *= extent;
    }
    return true;
  }

  // kAhead: lines of the result are prefetched before they are written.
  template <class T, bool kAhead>
  static void ExpandAs(const Expander& self, const uint8_t* from, size_t count,
                       uint8_t* to, const uint8_t* limit) {
    self.ExpandLevel<T, kAhead>(
        self.count_ - 1, reinterpret_cast<const T*>(from), count,
        reinterpret_cast<T*>(to), reinterpret_cast<const T*>(limit));
  }

  // The first `count` elements of the loops up to `level`.
  template <class T, bool kAhead>
  void ExpandLevel(size_t level, const T* from, size_t count, T* to,
                   const T* limit) const {
    if (level <= leaf_top_) {
      switch (leaf_) {
        case Leaf::kPieces:
          return ExpandPieces<T, kAhead>(from, count, to, limit);
        case Leaf::kShuffles:
          return ExpandShuffles<T, kAhead>(from, count, to, limit);
        case Leaf::kElements:
          return ExpandElements(from, count, to);
      }
    }
    const int64_t stride = levels_[level].stride;
    const size_t unit = static_cast<size_t>(levels_[level].unit);
    if (stride != 0) {
      for (; count > unit; count -= unit, from += stride, to += unit) {
        ExpandLevel<T, kAhead>(level - 1, from, unit, to, limit);
      }
      ExpandLevel<T, kAhead>(level - 1, from, count, to, limit);
      return;
    }
    ExpandLevel<T, kAhead>(level - 1, from, std::min(unit, count), to, limit);
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
  static HWY_INLINE T At(const T* from) {
    return ReadAs<T>(reinterpret_cast<const uint8_t*>(from));
  }
  template <class T>
  static HWY_INLINE void CopyElement(const T* from, T* to) {
    std::memcpy(static_cast<void*>(to), static_cast<const void*>(from),
                sizeof(T));
  }

  template <class T, bool kAhead>
  void ExpandPieces(const T* from, size_t count, T* to, const T* limit) const {
    const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
    const size_t lanes = hn::Lanes(d);
    const size_t piece = static_cast<size_t>(levels_[0].extent);
    const int64_t stride = leaf_top_ == 0 ? 0 : levels_[1].stride;
    const bool repeats = levels_[0].stride == 0;
    // Whole vectors, of which the last one ends with the piece.
    for (; piece >= lanes && count >= piece; count -= piece) {
      const size_t last = piece - lanes;
      if (repeats) {
        const auto v = hn::Set(d, At(from));
        for (size_t i = 0; i < last; i += lanes) {
          if constexpr (kAhead) Ahead(to + i);
          StoreTo(v, d, to + i);
        }
        if constexpr (kAhead) Ahead(to + last);
        StoreTo(v, d, to + last);
      } else {
        for (size_t i = 0; i < last; i += lanes) {
          if constexpr (kAhead) Ahead(to + i);
          StoreTo(LoadFrom(d, from + i), d, to + i);
        }
        if constexpr (kAhead) Ahead(to + last);
        StoreTo(LoadFrom(d, from + last), d, to + last);
      }
      from += stride;
      to += piece;
    }
    // Less than a vector: one that the next piece goes over. And what is left.
    for (; count != 0; from += stride) {
      const size_t n = std::min(piece, count);
      const int64_t needed = static_cast<int64_t>(std::max(lanes, n));
      const int64_t readable =
          has_gaps() ? static_cast<int64_t>(n) : Readable(from);
      if (has_gaps() && kMasksLanes<T> && !repeats && n < lanes &&
          needed <= limit - to) {
        StoreTo(LoadLanes(d, from, n), d, to);
      } else if (needed > limit - to || (!repeats && needed > readable)) {
        for (size_t i = 0; i < n; ++i) {
          CopyElement(from + (repeats ? 0 : i), to + i);
        }
      } else {
        for (size_t i = 0; i < n; i += lanes) {
          const size_t at = std::min(i, n - std::min(lanes, n));
          if constexpr (kAhead) Ahead(to + at);
          StoreTo(repeats ? hn::Set(d, At(from)) : LoadFrom(d, from + at), d,
                  to + at);
        }
      }
      to += n;
      count -= n;
    }
  }

  template <class T, bool kAhead>
  void ExpandShuffles(const T* from, size_t count, T* to,
                      const T* limit) const {
    const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
    const size_t turn = shuffles_ * hn::Lanes(d);
    if (walks_back()) {
      // What a vector has beyond the last element may lie before the operand's
      // memory.
      const size_t vectors = count - count % hn::Lanes(d);
      OneByOne(from, vectors, count, turn, to);
      count = vectors;
    }
    if constexpr (kMindsGaps) {
      if (gaps_) return ShuffleExactly(d, from, count, to);
    }
    while (count != 0) {
      if (const uint8_t* const begin =
              Begin(reinterpret_cast<const uint8_t*>(from), count)) {
        ShuffleAll<kAhead>(d, reinterpret_cast<const T*>(begin), count, to,
                           limit);
        return;
      }
      // The turns that can be read, or one.
      const int64_t readable = Readable(from);
      int64_t n = 1;
      if (readable >= whole_) {
        n = (readable - whole_) / advance_ + 1;
        ShuffleAll<kAhead>(d, from, static_cast<size_t>(n) * turn, to, limit);
      } else {
        Carefully(d, from, end_, std::min(turn, count), to);
      }
      const size_t done = std::min(static_cast<size_t>(n) * turn, count);
      from += advance_ * n;
      to += done;
      count -= done;
    }
  }

  // Where the shuffles of `count` elements can read, for an operand that begins
  // at `from`: there, or in what is kept of its end. Null: not all can.
  const uint8_t* Begin(const uint8_t* from, size_t count) const {
    const int64_t readable = end_ - from;
    // What all steps of the leaf read is known; less of them may be asked for.
    if (readable >= leaf_bytes_ && count <= leaf_elements_) return from;
    const size_t turn = shuffles_ * lanes_;
    const int64_t turns = static_cast<int64_t>((count + turn - 1) / turn);
    if (readable >= TurnBytes(turns)) return from;
    return from < tail_begin_ ? nullptr : tail_ + (from - tail_begin_);
  }

  // What so many turns of the shuffles read.
  int64_t TurnBytes(int64_t turns) const {
    const int64_t advance = std::max<int64_t>(advance_, 0);
    return (whole_ + advance * (turns - 1)) * element_bytes_;
  }

  template <class T>
  int64_t Readable(const T* from) const {
    return reinterpret_cast<const T*>(end_) - from;
  }

  // What lies `bytes` bytes after `from`.
  template <class T>
  static HWY_INLINE const T* Behind(const T* from, int64_t bytes) {
    return reinterpret_cast<const T*>(reinterpret_cast<const uint8_t*>(from) +
                                      bytes);
  }

  // Vector `v` of a turn that begins at `from`.
  template <bool kWide, class D, class T = hn::TFromD<D>>
  HWY_INLINE hn::Vec<D> Shuffled(D d, const T* from, size_t v) const {
    const size_t lanes = hn::Lanes(d);
    const T* const source = Behind(from, begins_[v]);
    if constexpr (kTableOfBytes) {
      const hn::Repartition<uint8_t, D> d8;
      const auto bytes = hn::Load(d8, table_ + v * lanes * sizeof(T));
      const auto low = hn::BitCast(d8, LoadFrom(d, source));
      const auto first = hn::TableLookupBytes(low, bytes);
      if constexpr (!kWide) return hn::BitCast(d, first);
      const auto high = hn::BitCast(d8, LoadFrom(d, source + lanes));
      const auto beyond =
          hn::Sub(bytes, hn::Set(d8, static_cast<uint8_t>(hn::Lanes(d8))));
      return hn::BitCast(d, hn::Or(first, hn::TableLookupBytes(high, beyond)));
    } else if constexpr (kWide) {
      const auto indices = hn::SetTableIndices(
          d, reinterpret_cast<const T*>(table_) + v * lanes);
      return hn::TwoTablesLookupLanes(d, LoadFrom(d, source),
                                      LoadFrom(d, source + lanes), indices);
    } else {
      const auto indices = hn::SetTableIndices(
          d, reinterpret_cast<const T*>(table_) + v * lanes);
      return hn::TableLookupLanes(LoadFrom(d, source), indices);
    }
  }

  // Where there are gaps: whole vectors within the leaf, or their lanes that
  // are taken.
  template <class D, class T = hn::TFromD<D>>
  void ShuffleExactly(D d, const T* from, size_t count, T* to) const {
    const size_t turn = shuffles_ * hn::Lanes(d);
    // The loop may end before all of its steps are taken.
    const Level& top = levels_[leaf_top_];
    const int64_t steps =
        (static_cast<int64_t>(count) + top.unit - 1) / top.unit;
    if (!kMasksLanes<T> && !steps_adjoin_ && steps != top.extent) {
      OneByOne(from, 0, count, turn, to);
      return;
    }
    const auto* const end = reinterpret_cast<const uint8_t*>(
        from + step_reach_ + (steps - 1) * std::max<int64_t>(top.stride, 0));
    for (; count != 0; from += advance_) {
      const size_t n = std::min(turn, count);
      if constexpr (!kMasksLanes<T>) {
        Carefully(d, from, end, n, to);
      } else if (wide_) {
        ShuffleTaken<true>(d, from, n, to);
      } else {
        ShuffleTaken<false>(d, from, n, to);
      }
      to += n;
      count -= n;
    }
  }

  // Up to a turn, of each vector the lanes alone that are taken.
  template <bool kWide, class D, class T = hn::TFromD<D>>
  void ShuffleTaken(D d, const T* from, size_t count, T* to) const {
    const size_t lanes = hn::Lanes(d);
    const size_t vectors = count / lanes;
    const auto load = [&](const T* source,
                          const uint64_t& lanes_used) HWY_ATTR {
      const auto mask =
          hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&lanes_used));
      return hn::MaskedLoad(mask, d, source);
    };
    for (size_t v = 0; v < vectors; ++v) {
      const T* const source = Behind(from, begins_[v]);
      const auto indices = hn::SetTableIndices(
          d, reinterpret_cast<const hwy::MakeUnsigned<T>*>(table_) + v * lanes);
      const auto low = load(source, LanesUsed(v)[0]);
      if constexpr (kWide) {
        const auto high = load(source + lanes, LanesUsed(v)[1]);
        StoreTo(hn::TwoTablesLookupLanes(d, low, high, indices), d,
                to + v * lanes);
      } else {
        StoreTo(hn::TableLookupLanes(low, indices), d, to + v * lanes);
      }
    }
    OneByOne(from, vectors * lanes, count, shuffles_ * lanes, to);
  }

  // Up to a turn, of which not all vectors can be read.
  template <class D, class T = hn::TFromD<D>>
  void Carefully(D d, const T* from, const uint8_t* end, size_t count,
                 T* to) const {
    const size_t lanes = hn::Lanes(d);
    const int64_t read = static_cast<int64_t>(wide_ ? 2 * lanes : lanes);
    const int64_t last = (reinterpret_cast<const T*>(end) - from - read) *
                         static_cast<int64_t>(sizeof(T));
    for (size_t i = 0; i < count; i += lanes) {
      if (i + lanes > count || begins_[i / lanes] > last) {
        OneByOne(from, i, std::min(i + lanes, count), shuffles_ * lanes, to);
      } else if (wide_) {
        StoreTo(Shuffled<true>(d, from, i / lanes), d, to + i);
      } else {
        StoreTo(Shuffled<false>(d, from, i / lanes), d, to + i);
      }
    }
  }

  // Elements [begin, end), where vectors cannot be read. `turn` elements until
  // the shuffles come back.
  template <class T>
  void OneByOne(const T* from, size_t begin, size_t end, size_t turn,
                T* to) const {
    const size_t lanes = turn / shuffles_;
    for (size_t i = begin; i < end; ++i) {
      const int64_t turns = static_cast<int64_t>(i / turn);
      CopyElement(Behind(from, begins_[i % turn / lanes]) + advance_ * turns +
                      SourceOf<T>(i % turn),
                  to + i);
    }
  }

  // `count` elements, all of whose vectors can be read.
  template <bool kAhead, class D, class T = hn::TFromD<D>>
  void ShuffleAll(D d, const T* from, size_t count, T* to,
                  const T* limit) const {
    if constexpr (kTableOfBytes && sizeof(T) != 1) {
      // One loop for elements of all widths.
      ShuffleAll<kAhead>(ByteTag(), reinterpret_cast<const uint8_t*>(from),
                         count * sizeof(T), reinterpret_cast<uint8_t*>(to),
                         reinterpret_cast<const uint8_t*>(limit));
    } else if (wide_) {
      Shuffle<kAhead, true>(d, from, count, to, limit);
    } else {
      Shuffle<kAhead, false>(d, from, count, to, limit);
    }
  }

  template <bool kAhead, bool kWide, class D, class T = hn::TFromD<D>>
  HWY_NOINLINE void Shuffle(D d, const T* from, size_t count, T* to,
                            const T* limit) const {
    const size_t lanes = hn::Lanes(d);
    const size_t shuffles = shuffles_;
    const int64_t advance = advance_ * element_bytes_;
    if constexpr (kHoldsTables && !kWide) {
      const size_t turn = shuffles * lanes;
      const size_t turns = count / turn;
      const bool held = turns != 0 && IsHeld();
      if (held) {
        if (shuffles == 3) {
          ShuffleHeld(std::make_index_sequence<3>(), from, turns, to);
        } else if (shuffles == 4) {
          ShuffleHeld(std::make_index_sequence<4>(), from, turns, to);
        } else {
          ShuffleHeld(std::make_index_sequence<8>(), from, turns, to);
        }
        from += advance * static_cast<int64_t>(turns);
        to += turn * turns;
        count -= turn * turns;
      }
    }
    for (; count >= shuffles * lanes; from = Behind(from, advance)) {
      for (size_t v = 0; v < shuffles; ++v, to += lanes) {
        if constexpr (kAhead) Ahead(to);
        StoreTo(Shuffled<kWide>(d, from, v), d, to);
      }
      count -= shuffles * lanes;
    }
    size_t v = 0;
    for (; count >= lanes; ++v, count -= lanes, to += lanes) {
      StoreTo(Shuffled<kWide>(d, from, v), d, to);
    }
    if (count == 0) return;
    if (static_cast<int64_t>(lanes) <= limit - to) {
      StoreTo(Shuffled<kWide>(d, from, v), d, to);
    } else {
      T last[kVectorBytes / sizeof(T)];
      StoreTo(Shuffled<kWide>(d, from, v), d, last);
      std::memcpy(static_cast<void*>(to), last, count * sizeof(T));
    }
  }

  // Whether the shuffles, of one vector each, are so many that registers hold
  // their tables.
  bool IsHeld() const {
    return shuffles_ == 3 || shuffles_ == 4 ||
           (shuffles_ == kMostHeld && (advance_ == 0 || shares_load_));
  }

  // So many turns of shuffles that are held: their tables, or vectors where
  // these come back, stay in registers.
  template <size_t... kShuffle>
  HWY_NOINLINE void ShuffleHeld(std::index_sequence<kShuffle...>,
                                const uint8_t* from, size_t turns,
                                uint8_t* to) const {
    const ByteTag d;
    const size_t lanes = hn::Lanes(d);
    const auto advance = static_cast<ptrdiff_t>(advance_ * element_bytes_);
    const uint8_t* const end = to + turns * sizeof...(kShuffle) * lanes;
    const hn::Vec<ByteTag> tables[] = {
        hn::Load(d, table_ + kShuffle * lanes)...};
    const ptrdiff_t begins[] = {begins_[kShuffle]...};
    const auto shuffled = [&](size_t v) HWY_ATTR {
      return hn::TableLookupBytes(LoadFrom(d, from + begins[v]), tables[v]);
    };
    // Line by line: a compiler would store from the last vector to the first,
    // which takes 1.4 times as long.
    const auto store = [&](size_t v, hn::Vec<ByteTag> vector) HWY_ATTR {
      StoreTo(vector, d, to + v * lanes);
      asm volatile("" ::: "memory");
    };
    if (advance == 0) {
      // Read back: what is computed an engine would compute again in the loop.
      (store(kShuffle, shuffled(kShuffle)), ...);
      const hn::Vec<ByteTag> vectors[] = {
          LoadFrom(d, to + kShuffle * lanes)...};
      for (to += sizeof...(kShuffle) * lanes; to != end;
           to += sizeof...(kShuffle) * lanes) {
        (store(kShuffle, vectors[kShuffle]), ...);
      }
    } else if (sizeof...(kShuffle) == 3 && words_thrice_) {
      // Shuffles that an engine knows take one instruction each, not two.
      const hn::Repartition<uint32_t, ByteTag> words;
      for (; to != end; to += 3 * lanes) {
        const auto v = hn::BitCast(words, LoadFrom(d, from));
        store(0, hn::BitCast(d, hn::Per4LaneBlockShuffle<1, 0, 0, 0>(v)));
        store(1, hn::BitCast(d, hn::Per4LaneBlockShuffle<2, 2, 1, 1>(v)));
        store(2, hn::BitCast(d, hn::Per4LaneBlockShuffle<3, 3, 3, 2>(v)));
        from += advance;
      }
    } else if (shares_load_) {
      for (; to != end; to += sizeof...(kShuffle) * lanes) {
        const auto vector = LoadFrom(d, from);
        (store(kShuffle, hn::TableLookupBytes(vector, tables[kShuffle])), ...);
        from += advance;
      }
    } else if constexpr (sizeof...(kShuffle) < kMostHeld) {
      for (; to != end; to += sizeof...(kShuffle) * lanes) {
        (store(kShuffle, shuffled(kShuffle)), ...);
        from += advance;
      }
    }
  }

  template <class T>
  static HWY_INLINE void Ahead(const T* to) {
    PrefetchToWrite(to + kPrefetchBytes / sizeof(T));
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

  int64_t elements_ = 0;       // of all tiles
  bool gaps_ = false;          // between their elements nothing may be read
  bool for_loop_ = false;      // AsShuffles will be asked for
  Level levels_[kMostLevels];  // innermost first
  size_t count_ = 0;
  int64_t total_ = 1;
  size_t lanes_per_element_ = 1;
  size_t lanes_ = 1;           // of a vector
  int64_t element_bytes_ = 1;  // of a lane
  size_t leaf_top_ = 0;        // the outermost level that the leaf takes
  Leaf leaf_ = Leaf::kPieces;
  using ExpandFunction = void (*)(const Expander& self, const uint8_t* from,
                                  size_t count, uint8_t* to,
                                  const uint8_t* limit);
  ExpandFunction expand_ = nullptr;
  ExpandFunction expand_to_result_ = nullptr;
  // Shuffles: how many, the bytes of the operand before each one's vector, the
  // elements before the last one, and how far the operand moves on after it.
  size_t shuffles_ = 0;
  bool wide_ = false;          // some are of two vectors
  bool shares_load_ = true;    // all are of the turn's first vector
  bool words_thrice_ = false;  // (aaab bbcc cddd) of 4 bytes each
  bool comes_back_ = false;    // they are the same after the last one
  bool splits_ = false;        // the outermost loop is the split one
  int32_t begins_[kMostShuffles];
  int64_t furthest_ = 0;
  int64_t advance_ = 0;
  int64_t whole_ = 0;         // elements that a turn reads
  size_t leaf_elements_ = 0;  // that all turns make
  int64_t leaf_bytes_ = 0;    // that they read
  alignas(kVectorBytes) uint8_t table_[kMostShuffles * kVectorBytes];
  int64_t step_reach_ = 0;  // see MaskShuffles
  bool steps_adjoin_ = false;
  // Up to here the operand may be read; and its last bytes, from `tail_begin_`
  // on, with room for a turn behind them.
  const uint8_t* end_ = nullptr;
  const uint8_t* tail_begin_ = nullptr;
  alignas(kVectorBytes) uint8_t tail_[2 * kTailBytes];
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_
