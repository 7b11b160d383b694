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
    if (leaf_ == Leaf::kShuffles && level == leaf_top_ + 1) {
      const size_t steps = ShuffleSteps<kPrefetches, LaneOf<T>>(
          reinterpret_cast<const uint8_t*>(from), count / unit, loops_[level],
          reinterpret_cast<uint8_t*>(to),
          reinterpret_cast<const uint8_t*>(limit));
      from += static_cast<int64_t>(steps) * stride;
      to += steps * unit;
      count -= steps * unit;
      if (count == 0) return;
    }
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

// The longest segments of consecutive elements that are written by whole
// vectors wherever they begin. Longer ones are copied by aligned vectors.
constexpr size_t kShortSegmentBytes = 1024;

template <class T>
void Expander::ExpandSegmentsInBytes(const T* from, size_t count, T* to,
                                     const T* limit) const {
  const size_t segment = static_cast<size_t>(loops_[0].extent);
  const int64_t stride = leaf_top_ == 0 ? 0 : loops_[1].stride;
  const bool repeats = loops_[0].stride == 0;
  const ptrdiff_t step =
      static_cast<ptrdiff_t>(stride) * static_cast<ptrdiff_t>(sizeof(T));
  size_t segments = count / segment;
  const size_t bytes = segment * sizeof(T);
  const bool fills = repeats && bytes > kVectorBytes;
  if (!fills) {
    // Short segments are written by whole vectors, except the last ones: after
    // those there may be no room, or nothing to read.
    const auto needed =
        static_cast<int64_t>(hwy::RoundUpTo(bytes, kVectorBytes) / sizeof(T));
    const auto fit = [&](int64_t room, int64_t advance) {
      segments =
          room < needed ? 0
          : advance == 0
              ? segments
              : std::min(segments,
                         static_cast<size_t>((room - needed) / advance) + 1);
    };
    const bool is_short = bytes <= kShortSegmentBytes && stride >= 0;
    fit(is_short ? limit - to : 0, loops_[0].extent);
    if (!repeats) fit(Readable(from), stride);
  }
  if (segments != 0) {
    const auto* const first = reinterpret_cast<const uint8_t*>(from);
    auto* const out = reinterpret_cast<uint8_t*>(to);
    if (fills) {
      FillSegments<sizeof(T)>(first, step, segments, bytes, out);
    } else {
      using Write = void (*)(const uint8_t*, ptrdiff_t, size_t, size_t,
                             uint8_t*, ptrdiff_t);
      const Write write = repeats ? &WriteSegments<T> : &WriteSegments<void>;
      write(first, step, segments, bytes, out, static_cast<ptrdiff_t>(bytes));
    }
    from += static_cast<int64_t>(segments) * stride;
    to += segments * segment;
    count -= segments * segment;
  }
  alignas(kVectorBytes) uint8_t splat[kVectorBytes];
  for (; count != 0; from += stride) {
    const size_t n = std::min(segment, count);
    const auto* const element = reinterpret_cast<const uint8_t*>(from);
    auto* const out = reinterpret_cast<uint8_t*>(to);
    if (!repeats) {
      Copy(element, n * sizeof(T), out);
    } else {
      Splat(element, sizeof(T), splat);
      Fill(splat, sizeof(T), out, n * sizeof(T));
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
  const size_t cycle = cycle_elements_;
  if (loops_.goes_back()) {
    // The last vector may read elements that lie before the operand's memory.
    const size_t vectors = count - count % hn::Lanes(d);
    CopyOneByOne(from, vectors, count, to);
    count = vectors;
  }
  if constexpr (kMindsGaps) {
    if (gaps_) return ShuffleWithGaps(d, from, count, to);
  }
  while (count != 0) {
    if (const uint8_t* const begin =
            Begin(reinterpret_cast<const uint8_t*>(from), count)) {
      ShuffleAll<kPrefetches>(reinterpret_cast<const T*>(begin), count, to,
                              limit);
      return;
    }
    // As many cycles as can be read, or one cycle with checks.
    const int64_t readable = Readable(from);
    int64_t n = 1;
    if (readable >= cycle_reach_) {
      n = (readable - cycle_reach_) / advance_ + 1;
      ShuffleAll<kPrefetches>(from, static_cast<size_t>(n) * cycle, to, limit);
    } else {
      ShuffleChecked(d, from, end_, std::min(cycle, count), to);
    }
    const size_t done = std::min(static_cast<size_t>(n) * cycle, count);
    from += advance_ * n;
    to += done;
    count -= done;
  }
}

template <bool kPrefetches, class Lane>
size_t Expander::ShuffleSteps(const uint8_t* from, size_t steps,
                              const Level& level, uint8_t* to,
                              const uint8_t* limit) const {
  if (has_gaps() || loops_.goes_back()) return 0;
  const auto bytes = static_cast<size_t>(element_bytes_);
  const size_t unit = static_cast<size_t>(level.unit) * bytes;
  const int64_t stride = level.stride * element_bytes_;
  Cycle cycle = WholeCycle();
  const size_t cycles = (unit + cycle.bytes - 1) / cycle.bytes;
  const size_t vector = lanes_ * bytes;
  if (cycles == 1) {
    cycle = {(unit + vector - 1) / vector, stride, unit};
  } else if (shuffles_ > kMostStepShuffles) {
    return 0;
  }
  const int64_t room =
      limit - to -
      static_cast<int64_t>((cycles - 1) * cycle.bytes + cycle.vectors * vector);
  const int64_t more = end_ - from - CycleBytes(static_cast<int64_t>(cycles));
  if (room < 0 || more < 0) return 0;
  steps = std::min({steps, static_cast<size_t>(room) / unit + 1,
                    static_cast<size_t>(more / stride) + 1});
  const hn::CappedTag<Lane, kVectorBytes / sizeof(Lane)> d;
  WithReads<Lane>([&](auto reads) HWY_ATTR {
    const auto run = [&](size_t n) HWY_ATTR {
      ShuffleCycles<kPrefetches, reads>(d, reinterpret_cast<const Lane*>(from),
                                        n, cycle, reinterpret_cast<Lane*>(to));
    };
    if (cycles == 1) return run(steps);
    for (size_t i = 0; i < steps; ++i, from += stride, to += unit) run(cycles);
  });
  return steps;
}

template <bool kPrefetches, class T>
void Expander::ShuffleAll(const T* from, size_t count, T* to,
                          const T* limit) const {
  using Lane = LaneOf<T>;
  const hn::CappedTag<Lane, kVectorBytes / sizeof(Lane)> d;
  WithReads<Lane>([&](auto reads) HWY_ATTR {
    Shuffle<kPrefetches, reads>(d, reinterpret_cast<const Lane*>(from),
                                count * (sizeof(T) / sizeof(Lane)),
                                reinterpret_cast<Lane*>(to),
                                reinterpret_cast<const Lane*>(limit));
  });
}

template <class Lane, class Run>
HWY_INLINE void Expander::WithReads(const Run& run) const {
  if (two_vectors_) {
    run(std::integral_constant<Reads, Reads::kTwoVectors>());
  } else if (kBlocksAreFast<Lane> && blocks_) {
    run(std::integral_constant<Reads, Reads::kBlock>());
  } else {
    run(std::integral_constant<Reads, Reads::kOneVector>());
  }
}

template <bool kPrefetches, Expander::Reads kReads, class D, class T>
HWY_NOINLINE void Expander::Shuffle(D d, const T* from, size_t count, T* to,
                                    const T* limit) const {
  const size_t lanes = hn::Lanes(d);
  const Cycle cycle = WholeCycle();
  const size_t elements = cycle.bytes / sizeof(T);
  // The last cycle must not write beyond `count`.
  const size_t beyond = cycle.vectors * lanes - elements;
  const size_t cycles = count < beyond ? 0 : (count - beyond) / elements;
  if (cycles != 0) {
    ShuffleCycles<kPrefetches, kReads>(d, from, cycles, cycle, to);
    from = AddBytes(from, cycle.advance * static_cast<int64_t>(cycles));
    to += cycles * elements;
    count -= cycles * elements;
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

template <bool kPrefetches, Expander::Reads kReads, class D, class T>
HWY_INLINE void Expander::ShuffleCycle(D d, const T* from, size_t vectors,
                                       T* to) const {
  const size_t lanes = hn::Lanes(d);
  if constexpr (kTableOfBytes && kReads == Reads::kOneVector) {
    if (shares_load_) {
      const auto source = LoadFrom(d, from);
      const auto store = [&](size_t at) HWY_ATTR {
        StoreTo(hn::TableLookupBytes(source, hn::Load(d, table_ + at)), d,
                to + at);
      };
      const size_t end = vectors * lanes;
      size_t at = 0;
      for (; at + 2 * lanes <= end; at += 2 * lanes) {
        store(at);
        store(at + lanes);
      }
      if (at != end) store(at);
      return;
    }
  }
  for (size_t v = 0; v < vectors; ++v) {
    if constexpr (kPrefetches) PrefetchToWrite(Ahead(to + v * lanes));
    StoreTo(Shuffled<kReads>(d, from, v), d, to + v * lanes);
  }
}

template <bool kPrefetches, Expander::Reads kReads, class D, class T>
HWY_NOINLINE void Expander::ShuffleCycles(D d, const T* from, size_t cycles,
                                          Cycle cycle, T* to) const {
  const bool in_registers =
      kTablesInRegisters && cycles > 1 && TablesFitRegisters(cycle);
  const auto run = [&](const auto& with) {
    if (cycle.vectors == 3) {
      with(std::make_index_sequence<3>());
    } else if (cycle.vectors == 4) {
      with(std::make_index_sequence<4>());
    } else if (cycle.vectors <= 6) {
      with(std::make_index_sequence<6>());
    } else {
      with(std::make_index_sequence<8>());
    }
  };
  if constexpr (kTablesInRegisters && kReads == Reads::kOneVector) {
    if (in_registers && cycle.advance != 0) {
      // Five and seven shuffles write one vector beyond their last cycle.
      const size_t last =
          cycle.vectors > kMostLoadsInRegisters && cycle.vectors % 2 != 0;
      cycles -= last;
      run([&](auto shuffles) {
        ShuffleFromRegisters(shuffles, from, cycles, cycle, to);
      });
      from += cycle.advance * static_cast<ptrdiff_t>(cycles);
      to += cycle.bytes * cycles;
      cycles = last;
    }
  }
  while (cycles != 0) {
    ShuffleCycle<kPrefetches, kReads>(d, from, cycle.vectors, to);
    from = AddBytes(from, cycle.advance);
    to = AddBytes(to, cycle.bytes);
    --cycles;
    if constexpr (kTablesInRegisters) {
      if (in_registers && cycle.advance == 0) {
        return run([&](auto vectors) {
          RepeatFromRegisters(vectors, cycles, cycle.bytes, to);
        });
      }
    }
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

// Stores vector v of a cycle that begins at `to`: in the order of the memory.
// The compiler would store the last vector first, which takes 1.4 times as
// long.
HWY_INLINE void StoreInOrder(hn::Vec<ByteTag> vector, size_t v, uint8_t* to) {
  const ByteTag d;
  StoreTo(vector, d, to + v * hn::Lanes(d));
  asm volatile("" ::: "memory");
}

template <size_t... kVector>
HWY_NOINLINE void Expander::RepeatFromRegisters(std::index_sequence<kVector...>,
                                                size_t cycles, size_t bytes,
                                                uint8_t* to) {
  const ByteTag d;
  const uint8_t* const end = to + cycles * bytes;
  const hn::Vec<ByteTag> vectors[] = {
      LoadFrom(d, to - bytes + kVector * hn::Lanes(d))...};
  for (; to != end; to += bytes) {
    (StoreInOrder(vectors[kVector], kVector, to), ...);
  }
}

template <size_t... kShuffle>
HWY_NOINLINE void Expander::ShuffleFromRegisters(
    std::index_sequence<kShuffle...>, const uint8_t* from, size_t cycles,
    Cycle cycle, uint8_t* to) const {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  const auto advance = static_cast<ptrdiff_t>(cycle.advance);
  const uint8_t* const end = to + cycles * cycle.bytes;
  const hn::Vec<ByteTag> tables[] = {hn::Load(d, table_ + kShuffle * lanes)...};
  const ptrdiff_t begins[] = {(shares_load_ ? 0 : begins_[kShuffle])...};
  const auto shuffled = [&](size_t v) HWY_ATTR {
    return hn::TableLookupBytes(LoadFrom(d, from + begins[v]), tables[v]);
  };
  const auto store = [&](size_t v, hn::Vec<ByteTag> vector)
                         HWY_ATTR { StoreInOrder(vector, v, to); };
  if (shares_load_) {
    for (; to != end; to += cycle.bytes) {
      const auto vector = LoadFrom(d, from);
      (store(kShuffle, hn::TableLookupBytes(vector, tables[kShuffle])), ...);
      from += advance;
    }
  } else if constexpr (sizeof...(kShuffle) <= kMostLoadsInRegisters) {
    for (; to != end; to += cycle.bytes) {
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
      CopyOneByOne(from, i, std::min(i + lanes, count), to);
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
                            T* to) const {
  const size_t cycle = cycle_elements_;
  for (size_t i = begin; i < end; ++i) {
    const int64_t cycles = static_cast<int64_t>(i / cycle);
    CopyElement(AddBytes(from, begins_[i % cycle / lanes_]) +
                    advance_ * cycles + SourceOf<T>(i % cycle),
                to + i);
  }
}

template <class D, class T>
void Expander::ShuffleWithGaps(D d, const T* from, size_t count, T* to) const {
  const size_t cycle = cycle_elements_;
  // The last step that is asked for may be cut short.
  const Level& top = loops_[leaf_top_];
  const int64_t steps = (static_cast<int64_t>(count) + top.unit - 1) / top.unit;
  if (!kMasksLanes<T> && !steps_adjoin_ && steps != top.extent) {
    CopyOneByOne(from, 0, count, to);
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
  CopyOneByOne(from, vectors * lanes, count, to);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_EXPAND_INL_H_
