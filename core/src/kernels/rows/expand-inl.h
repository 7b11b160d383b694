// The functions of Expander that expand a tile, after its leaf has been chosen.

#if defined(BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_
#undef BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <utility>

#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/expander-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/segments-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Reads and copies one element. Complex numbers are aligned to their parts
// only.
template <class T>
HWY_INLINE T ReadElement(const T* from) {
  return ReadAs<T>(reinterpret_cast<const uint8_t*>(from));
}
template <class T>
HWY_INLINE void CopyElement(const T* from, T* to) {
  std::memcpy(static_cast<void*>(to), static_cast<const void*>(from),
              sizeof(T));
}

template <class T, bool kPrefetches>
void Expander::ExpandAs(const Expander& self, const uint8_t* from, size_t count,
                        uint8_t* to, const uint8_t* limit) {
  self.ExpandLevel<T, kPrefetches>(
      self.loops_.count() - 1, reinterpret_cast<const T*>(from), count,
      reinterpret_cast<T*>(to), reinterpret_cast<const T*>(limit));
}

template <class T, bool kPrefetches>
void Expander::ExpandLevel(size_t level, const T* from, size_t count, T* to,
                           const T* limit) const {
  if (level <= leaf_top_) {
    switch (leaf_) {
      case Leaf::kSegments:
        return ExpandSegments<T, kPrefetches>(from, count, to, limit);
      case Leaf::kShuffles:
        return ExpandShuffles<T, kPrefetches>(from, count, to, limit);
      case Leaf::kElements:
        return ExpandElements(from, count, to);
    }
  }
  const int64_t stride = loops_[level].stride;
  const size_t unit = static_cast<size_t>(loops_[level].unit);
  if (stride != 0) {
    for (; count > unit; count -= unit, from += stride, to += unit) {
      ExpandLevel<T, kPrefetches>(level - 1, from, unit, to, limit);
    }
    ExpandLevel<T, kPrefetches>(level - 1, from, count, to, limit);
    return;
  }
  ExpandLevel<T, kPrefetches>(level - 1, from, std::min(unit, count), to,
                              limit);
  // The rest is a copy of what has been written.
  for (size_t done = unit; done < count;) {
    const size_t more = std::min(done, count - done);
    Copy(reinterpret_cast<const uint8_t*>(to), more * sizeof(T),
         reinterpret_cast<uint8_t*>(to + done));
    done += more;
  }
}

template <class T>
void Expander::ExpandSegmentsInBytes(const T* from, size_t count, T* to,
                                     const T* limit) const {
  const size_t segment = static_cast<size_t>(loops_[0].extent);
  const int64_t stride = leaf_top_ == 0 ? 0 : loops_[1].stride;
  const bool repeats = loops_[0].stride == 0;
  // Segments of up to four vectors are written by whole vectors, except the
  // last ones: after those there may be no room, or nothing to read.
  constexpr int64_t kRoom = kVectorBytes / sizeof(T);
  int64_t segments = static_cast<int64_t>(count / segment);
  const auto fit = [&](int64_t room, int64_t step) {
    segments = room < kRoom ? 0
               : step == 0  ? segments
                            : std::min(segments, (room - kRoom) / step + 1);
  };
  const bool short_ones = segment * sizeof(T) <= kVectorBytes && stride >= 0;
  fit(short_ones ? limit - to : 0, loops_[0].extent);
  if (!repeats) fit(Readable(from), stride);
  if (segments > 0) {
    (repeats ? &WriteSegments<T>
             : &WriteSegments<void>)(reinterpret_cast<const uint8_t*>(from),
                                     static_cast<ptrdiff_t>(stride) *
                                         static_cast<ptrdiff_t>(sizeof(T)),
                                     static_cast<size_t>(segments),
                                     segment * sizeof(T),
                                     reinterpret_cast<uint8_t*>(to));
    from += segments * stride;
    to += static_cast<size_t>(segments) * segment;
    count -= static_cast<size_t>(segments) * segment;
  }
  alignas(kVectorBytes) uint8_t splat[kVectorBytes];
  for (; count != 0; from += stride) {
    const size_t n = std::min(segment, count);
    const auto* const element = reinterpret_cast<const uint8_t*>(from);
    auto* const out = reinterpret_cast<uint8_t*>(to);
    const size_t bytes = n * sizeof(T);
    if (!repeats) {
      Copy(element, bytes, out);
    } else if (bytes >= kVectorBytes) {
      WriteSegments<T>(element, 0, bytes / kVectorBytes, kVectorBytes, out);
      WriteSegments<T>(element, 0, 1, kVectorBytes, out + bytes - kVectorBytes);
    } else {
      Splat(element, sizeof(T), splat);
      Fill(splat, sizeof(T), out, bytes);
    }
    to += n;
    count -= n;
  }
}

template <bool kPrefetches, class D, class T>
void Expander::RepeatSegment(D d, const T* from, size_t count, T* to,
                             const T* limit) const {
  constexpr size_t kLanes = hn::MaxLanes(D());
  const size_t lanes = hn::Lanes(d);
  const size_t segment = static_cast<size_t>(loops_[0].extent);
  // As many segments as fill a vector, and of the next ones as much as another
  // vector has. Each vector of the tile is loaded from there.
  T pattern[4 * kLanes];
  std::memcpy(static_cast<void*>(pattern), static_cast<const void*>(from),
              segment * sizeof(T));
  const auto v = LoadFrom(d, pattern);
  const size_t period = (lanes + segment - 1) / segment * segment;
  for (size_t i = segment; i < period + lanes; i += segment) {
    StoreTo(v, d, pattern + i);
  }
  size_t i = 0;
  for (; count >= lanes; count -= lanes, to += lanes) {
    if constexpr (kPrefetches) PrefetchToWrite(Ahead(to));
    StoreTo(LoadFrom(d, pattern + i), d, to);
    i += lanes;
    if (i >= period) i -= period;
  }
  if (static_cast<int64_t>(lanes) <= limit - to) {
    StoreTo(LoadFrom(d, pattern + i), d, to);
  } else {
    std::memcpy(static_cast<void*>(to), pattern + i, count * sizeof(T));
  }
}

template <class T, bool kPrefetches>
void Expander::ExpandSegments(const T* from, size_t count, T* to,
                              const T* limit) const {
  if constexpr (kTablesInRegisters) {
    return ExpandSegmentsInBytes(from, count, to, limit);
  }
  const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
  const size_t lanes = hn::Lanes(d);
  const size_t segment = static_cast<size_t>(loops_[0].extent);
  const int64_t stride = leaf_top_ == 0 ? 0 : loops_[1].stride;
  const bool repeats = loops_[0].stride == 0;
  if (segment < lanes && stride == 0 && !repeats &&
      count >= kLeastRepeats * segment) {
    return RepeatSegment<kPrefetches>(d, from, count, to, limit);
  }
  // Segments of a vector or more: whole vectors, the last of which ends with
  // the segment.
  for (; segment >= lanes && count >= segment; count -= segment) {
    const size_t last = segment - lanes;
    if (repeats) {
      const auto v = hn::Set(d, ReadElement(from));
      for (size_t i = 0; i < last; i += lanes) {
        if constexpr (kPrefetches) PrefetchToWrite(Ahead(to + i));
        StoreTo(v, d, to + i);
      }
      if constexpr (kPrefetches) PrefetchToWrite(Ahead(to + last));
      StoreTo(v, d, to + last);
    } else {
      for (size_t i = 0; i < last; i += lanes) {
        if constexpr (kPrefetches) PrefetchToWrite(Ahead(to + i));
        StoreTo(LoadFrom(d, from + i), d, to + i);
      }
      if constexpr (kPrefetches) PrefetchToWrite(Ahead(to + last));
      StoreTo(LoadFrom(d, from + last), d, to + last);
    }
    from += stride;
    to += segment;
  }
  // Segments of less than a vector: one vector each, whose surplus the next
  // segment overwrites, while there is room for it, and enough to read. Short
  // ones are written by short vectors, few of which cross a cache line.
  const auto write = [&](auto of) HWY_ATTR {
    const auto room = static_cast<ptrdiff_t>(hn::Lanes(of));
    while (count >= segment && limit - to >= room &&
           (repeats || Readable(from) >= room)) {
      if constexpr (kPrefetches) PrefetchToWrite(Ahead(to));
      StoreTo(repeats ? hn::Set(of, ReadElement(from)) : LoadFrom(of, from), of,
              to);
      from += stride;
      to += segment;
      count -= segment;
    }
  };
  if (segment < lanes && (repeats || !has_gaps())) {
    if (segment <= 16 / sizeof(T)) {
      write(hn::CappedTag<T, 16 / sizeof(T)>());
    } else {
      write(d);
    }
  }
  // The last ones, and those of operands with gaps. And a last, shorter
  // segment.
  for (; count != 0; from += stride) {
    const size_t n = std::min(segment, count);
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
        if constexpr (kPrefetches) PrefetchToWrite(Ahead(to + at));
        StoreTo(
            repeats ? hn::Set(d, ReadElement(from)) : LoadFrom(d, from + at), d,
            to + at);
      }
    }
    to += n;
    count -= n;
  }
}

template <class T>
void Expander::ExpandElements(const T* from, size_t count, T* to) const {
  const size_t segment = static_cast<size_t>(loops_[0].extent);
  const int64_t step = loops_[0].stride;
  const int64_t stride = leaf_top_ == 0 ? 0 : loops_[1].stride;
  while (count != 0) {
    const size_t n = std::min(segment, count);
    for (size_t i = 0; i < n; ++i) {
      CopyElement(from + static_cast<int64_t>(i) * step, to + i);
    }
    from += stride;
    to += n;
    count -= n;
  }
}

template <class T, bool kPrefetches>
void Expander::ExpandShuffles(const T* from, size_t count, T* to,
                              const T* limit) const {
  const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
  const size_t cycle = shuffles_ * hn::Lanes(d);
  if (loops_.goes_back()) {
    // The last vector may read elements that lie before the operand's memory.
    const size_t vectors = count - count % hn::Lanes(d);
    CopyOneByOne(from, vectors, count, cycle, to);
    count = vectors;
  }
  if constexpr (kMindsGaps) {
    if (gaps_) return ShuffleWithGaps(d, from, count, to);
  }
  while (count != 0) {
    if (const uint8_t* const begin =
            Begin(reinterpret_cast<const uint8_t*>(from), count)) {
      ShuffleAll<kPrefetches>(d, reinterpret_cast<const T*>(begin), count, to,
                              limit);
      return;
    }
    // As many cycles as can be read, or one cycle with checks.
    const int64_t readable = Readable(from);
    int64_t n = 1;
    if (readable >= cycle_reach_) {
      n = (readable - cycle_reach_) / advance_ + 1;
      ShuffleAll<kPrefetches>(d, from, static_cast<size_t>(n) * cycle, to,
                              limit);
    } else {
      ShuffleChecked(d, from, end_, std::min(cycle, count), to);
    }
    const size_t done = std::min(static_cast<size_t>(n) * cycle, count);
    from += advance_ * n;
    to += done;
    count -= done;
  }
}

template <bool kPrefetches, class D, class T>
void Expander::ShuffleAll(D d, const T* from, size_t count, T* to,
                          const T* limit) const {
  if constexpr (kTableOfBytes && sizeof(T) != 1) {
    // One loop serves elements of every width.
    ShuffleAll<kPrefetches>(ByteTag(), reinterpret_cast<const uint8_t*>(from),
                            count * sizeof(T), reinterpret_cast<uint8_t*>(to),
                            reinterpret_cast<const uint8_t*>(limit));
  } else if (two_vectors_) {
    Shuffle<kPrefetches, Reads::kTwoVectors>(d, from, count, to, limit);
  } else if (kBlocksAreFast<T> && blocks_) {
    Shuffle<kPrefetches, Reads::kBlock>(d, from, count, to, limit);
  } else {
    Shuffle<kPrefetches, Reads::kOneVector>(d, from, count, to, limit);
  }
}

template <bool kPrefetches, Expander::Reads kReads, class D, class T>
HWY_NOINLINE void Expander::Shuffle(D d, const T* from, size_t count, T* to,
                                    const T* limit) const {
  const size_t lanes = hn::Lanes(d);
  const size_t shuffles = shuffles_;
  const int64_t advance = advance_ * element_bytes_;
  if constexpr (kTablesInRegisters && kReads == Reads::kOneVector) {
    const size_t cycle = shuffles * lanes;
    // Seven shuffles write one vector beyond their last cycle.
    const size_t beyond = shuffles == kMostInRegisters - 1 ? lanes : 0;
    const size_t cycles = count < beyond ? 0 : (count - beyond) / cycle;
    if (cycles != 0 && TablesFitRegisters()) {
      if (shuffles == 3) {
        ShuffleFromRegisters(std::make_index_sequence<3>(), from, cycles, to);
      } else if (shuffles == 4) {
        ShuffleFromRegisters(std::make_index_sequence<4>(), from, cycles, to);
      } else {
        ShuffleFromRegisters(std::make_index_sequence<8>(), from, cycles, to);
      }
      from += advance * static_cast<int64_t>(cycles);
      to += cycle * cycles;
      count -= cycle * cycles;
    }
  }
  for (; count >= shuffles * lanes; from = AddBytes(from, advance)) {
    for (size_t v = 0; v < shuffles; ++v, to += lanes) {
      if constexpr (kPrefetches) PrefetchToWrite(Ahead(to));
      StoreTo(Shuffled<kReads>(d, from, v), d, to);
    }
    count -= shuffles * lanes;
  }
  size_t v = 0;
  for (; count >= lanes; ++v, count -= lanes, to += lanes) {
    StoreTo(Shuffled<kReads>(d, from, v), d, to);
  }
  if (count == 0) return;
  if (static_cast<int64_t>(lanes) <= limit - to) {
    StoreTo(Shuffled<kReads>(d, from, v), d, to);
  } else {
    T last[kVectorBytes / sizeof(T)];
    StoreTo(Shuffled<kReads>(d, from, v), d, last);
    std::memcpy(static_cast<void*>(to), last, count * sizeof(T));
  }
}

template <Expander::Reads kReads, class D, class T>
HWY_INLINE hn::Vec<D> Expander::Shuffled(D d, const T* from, size_t v) const {
  const size_t lanes = hn::Lanes(d);
  const T* const source = AddBytes(from, begins_[v]);
  if constexpr (kTableOfBytes) {
    const hn::Repartition<uint8_t, D> d8;
    const auto bytes = hn::Load(d8, table_ + v * lanes * sizeof(T));
    const auto low = hn::BitCast(d8, LoadFrom(d, source));
    const auto first = hn::TableLookupBytes(low, bytes);
    if constexpr (kReads != Reads::kTwoVectors) return hn::BitCast(d, first);
    const auto high = hn::BitCast(d8, LoadFrom(d, source + lanes));
    const auto beyond =
        hn::Sub(bytes, hn::Set(d8, static_cast<uint8_t>(hn::Lanes(d8))));
    return hn::BitCast(d, hn::Or(first, hn::TableLookupBytes(high, beyond)));
  } else if constexpr (kReads == Reads::kTwoVectors) {
    const auto indices =
        hn::SetTableIndices(d, reinterpret_cast<const T*>(table_) + v * lanes);
    return hn::TwoTablesLookupLanes(d, LoadFrom(d, source),
                                    LoadFrom(d, source + lanes), indices);
  } else {
    const T* const indices = reinterpret_cast<const T*>(table_) + v * lanes;
    if constexpr (kReads == Reads::kBlock) {
      return ShuffledBlock(d, source, indices);
    } else {
      return hn::TableLookupLanes(LoadFrom(d, source),
                                  hn::SetTableIndices(d, indices));
    }
  }
}

template <size_t... kShuffle>
HWY_NOINLINE void Expander::ShuffleFromRegisters(
    std::index_sequence<kShuffle...>, const uint8_t* from, size_t cycles,
    uint8_t* to) const {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  const auto advance = static_cast<ptrdiff_t>(advance_ * element_bytes_);
  constexpr size_t kVectors = sizeof...(kShuffle);
  const size_t cycle =
      (kVectors < kMostInRegisters ? kVectors : shuffles_) * lanes;
  const uint8_t* const end = to + cycles * cycle;
  const hn::Vec<ByteTag> tables[] = {hn::Load(d, table_ + kShuffle * lanes)...};
  const ptrdiff_t begins[] = {(shares_load_ ? 0 : begins_[kShuffle])...};
  const auto shuffled = [&](size_t v) HWY_ATTR {
    return hn::TableLookupBytes(LoadFrom(d, from + begins[v]), tables[v]);
  };
  // In the order of the memory: the compiler would store the last vector first,
  // which takes 1.4 times as long.
  const auto store = [&](size_t v, hn::Vec<ByteTag> vector) HWY_ATTR {
    StoreTo(vector, d, to + v * lanes);
    asm volatile("" ::: "memory");
  };
  if (advance == 0) {
    // The vectors are read back: an engine would otherwise compute them again
    // in each iteration.
    (store(kShuffle, shuffled(kShuffle)), ...);
    const hn::Vec<ByteTag> vectors[] = {LoadFrom(d, to + kShuffle * lanes)...};
    for (to += cycle; to != end; to += cycle) {
      (store(kShuffle, vectors[kShuffle]), ...);
    }
  } else if (sizeof...(kShuffle) == 3 && triples_words_) {
    // Shuffles by constants that the engine recognizes take one instruction
    // instead of two.
    const hn::Repartition<uint32_t, ByteTag> words;
    for (; to != end; to += 3 * lanes) {
      const auto v = hn::BitCast(words, LoadFrom(d, from));
      store(0, hn::BitCast(d, hn::Per4LaneBlockShuffle<1, 0, 0, 0>(v)));
      store(1, hn::BitCast(d, hn::Per4LaneBlockShuffle<2, 2, 1, 1>(v)));
      store(2, hn::BitCast(d, hn::Per4LaneBlockShuffle<3, 3, 3, 2>(v)));
      from += advance;
    }
  } else if (shares_load_) {
    for (; to != end; to += cycle) {
      const auto vector = LoadFrom(d, from);
      (store(kShuffle, hn::TableLookupBytes(vector, tables[kShuffle])), ...);
      from += advance;
    }
  } else if constexpr (sizeof...(kShuffle) < kMostInRegisters) {
    for (; to != end; to += sizeof...(kShuffle) * lanes) {
      (store(kShuffle, shuffled(kShuffle)), ...);
      from += advance;
    }
  }
}

template <class D, class T>
void Expander::ShuffleChecked(D d, const T* from, const uint8_t* end,
                              size_t count, T* to) const {
  const size_t lanes = hn::Lanes(d);
  const int64_t read = static_cast<int64_t>(two_vectors_ ? 2 * lanes : lanes);
  const int64_t last = (reinterpret_cast<const T*>(end) - from - read) *
                       static_cast<int64_t>(sizeof(T));
  for (size_t i = 0; i < count; i += lanes) {
    if (i + lanes > count || begins_[i / lanes] > last) {
      CopyOneByOne(from, i, std::min(i + lanes, count), shuffles_ * lanes, to);
    } else if (two_vectors_) {
      StoreTo(Shuffled<Reads::kTwoVectors>(d, from, i / lanes), d, to + i);
    } else if (kBlocksAreFast<T> && blocks_) {
      StoreTo(Shuffled<Reads::kBlock>(d, from, i / lanes), d, to + i);
    } else {
      StoreTo(Shuffled<Reads::kOneVector>(d, from, i / lanes), d, to + i);
    }
  }
}

template <class T>
void Expander::CopyOneByOne(const T* from, size_t begin, size_t end,
                            size_t cycle, T* to) const {
  const size_t lanes = cycle / shuffles_;
  for (size_t i = begin; i < end; ++i) {
    const int64_t cycles = static_cast<int64_t>(i / cycle);
    CopyElement(AddBytes(from, begins_[i % cycle / lanes]) + advance_ * cycles +
                    SourceOf<T>(i % cycle),
                to + i);
  }
}

template <class D, class T>
void Expander::ShuffleWithGaps(D d, const T* from, size_t count, T* to) const {
  const size_t cycle = shuffles_ * hn::Lanes(d);
  // The last step that is asked for may be cut short.
  const Level& top = loops_[leaf_top_];
  const int64_t steps = (static_cast<int64_t>(count) + top.unit - 1) / top.unit;
  if (!kMasksLanes<T> && !steps_adjoin_ && steps != top.extent) {
    CopyOneByOne(from, 0, count, cycle, to);
    return;
  }
  const auto* const end = reinterpret_cast<const uint8_t*>(
      from + step_reach_ + (steps - 1) * std::max<int64_t>(top.stride, 0));
  for (; count != 0; from += advance_) {
    const size_t n = std::min(cycle, count);
    if constexpr (!kMasksLanes<T>) {
      ShuffleChecked(d, from, end, n, to);
    } else if (two_vectors_) {
      ShuffleMasked<true>(d, from, n, to);
    } else {
      ShuffleMasked<false>(d, from, n, to);
    }
    to += n;
    count -= n;
  }
}

template <bool kTwoVectors, class D, class T>
void Expander::ShuffleMasked(D d, const T* from, size_t count, T* to) const {
  const size_t lanes = hn::Lanes(d);
  const size_t vectors = count / lanes;
  // LoadMaskBits may read 8 bytes.
  const auto load = [&](const T* source, uint64_t lanes_used) HWY_ATTR {
    const auto mask =
        hn::LoadMaskBits(d, reinterpret_cast<const uint8_t*>(&lanes_used));
    return hn::MaskedLoad(mask, d, source);
  };
  for (size_t v = 0; v < vectors; ++v) {
    const T* const source = AddBytes(from, begins_[v]);
    const auto indices = hn::SetTableIndices(
        d, reinterpret_cast<const hwy::MakeUnsigned<T>*>(table_) + v * lanes);
    const auto low = load(source, LanesUsed(v)[0]);
    if constexpr (kTwoVectors) {
      const auto high = load(source + lanes, LanesUsed(v)[1]);
      StoreTo(hn::TwoTablesLookupLanes(d, low, high, indices), d,
              to + v * lanes);
    } else {
      StoreTo(hn::TableLookupLanes(low, indices), d, to + v * lanes);
    }
  }
  CopyOneByOne(from, vectors * lanes, count, shuffles_ * lanes, to);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_
