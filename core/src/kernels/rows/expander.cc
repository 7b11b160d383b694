// Chooses how an operand is expanded into tiles: the form of the leaf, and the
// tables of its shuffles.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <span>

#include "broadloom/internal/arithmetic.h"
#include "kernels/rows/prefetch.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/expander.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/expand-inl.h"
#include "kernels/rows/expander-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

bool Expander::OffsetsOfPeriod(size_t top, int16_t* offsets) const {
  int64_t made = 1;
  int64_t furthest = 0;
  offsets[0] = 0;
  for (size_t level = 0; level < std::max<size_t>(top, 1); ++level) {
    const int64_t stride = loops_[level].stride;
    const int64_t extent = loops_[level].extent;
    // Does not overflow: the operand has that many elements in memory.
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

template <class T>
void Expander::SetSource(int64_t lane, int64_t source) {
  if constexpr (kTableOfBytes) {
    SetBytes<T>(lane, source);
  } else {
    reinterpret_cast<T*>(table_)[lane] = static_cast<T>(source);
  }
}

template <class T>
void Expander::SetBytes(int64_t lane, int64_t source) {
  constexpr int64_t kBytes = sizeof(T);
  for (int64_t i = 0; i < kBytes; ++i) {
    table_[lane * kBytes + i] = static_cast<uint8_t>(source * kBytes + i);
  }
}

bool Expander::MakesSegments() const {
  return loops_[0].stride == 0 || loops_[0].stride == 1;
}

bool Expander::MakesLongSegments(int64_t lanes) const {
  return 2 * loops_[0].extent >= lanes && MakesSegments();
}

bool Expander::PaysForTables(size_t top, int64_t lanes) const {
  // Of a leaf of the levels up to `level`, in vectors: each step of the levels
  // around it is a call.
  const auto calls = [&](size_t level) {
    return level + 1 == loops_.count()
               ? 0
               : all_elements_ / (loops_[level].unit * loops_[level].extent);
  };
  const auto shuffles = [&](size_t level) {
    return ShufflesOf(level, lanes) * kVectorsAShuffle +
           std::max(all_elements_ / lanes, calls(level)) +
           calls(level) * kVectorsACall;
  };
  const int64_t cost = shuffles(top);
  // RepeatSegment writes whole vectors.
  const bool is_one = loops_[0].stride != 0 && loops_[1].stride == 0;
  const int64_t segments = is_one ? all_elements_ / lanes
                                  : all_elements_ / loops_[0].extent *
                                        CeilDiv(loops_[0].extent, lanes);
  if (segments + calls(1) * kVectorsACall < cost) return false;
  for (size_t level = 1; level < top; ++level) {
    if (shuffles(level) < cost) return false;
  }
  return true;
}

int64_t Expander::ShufflesOf(size_t top, int64_t lanes) const {
  const Level& level = loops_[top];
  const int64_t elements = level.unit * level.extent;
  const int64_t period = top == 0 ? elements : level.unit;
  return std::min(period / std::gcd(period, lanes), CeilDiv(elements, lanes));
}

namespace {

// The most shuffles that expand a tile, and of tables that are made several
// times over. More of them pay only if they take the place of a tile.
constexpr int64_t kMostTileShuffles = 64;

struct Range {
  int32_t least;
  int32_t greatest;
};

// Of the first `count` values, 1 to 64. Overwrites those after them, up to a
// whole vector. In vectors, since compilers do not vectorize a loop that finds
// both.
HWY_NOINLINE Range RangeOf(int32_t (&values)[kVectorBytes], int64_t count) {
  const FullTag<int32_t> d;
  const auto lanes = static_cast<int64_t>(hn::Lanes(d));
  std::fill(values + count, values + RoundUp(count, lanes), values[0]);
  auto low = hn::Set(d, values[0]);
  auto high = low;
  for (int64_t i = 0; i < count; i += lanes) {
    low = hn::Min(low, hn::LoadU(d, values + i));
    high = hn::Max(high, hn::LoadU(d, values + i));
  }
  return {hn::ReduceMin(d, low), hn::ReduceMax(d, high)};
}

}  // namespace

template <class T>
bool Expander::MakeShuffles(size_t top, int64_t lanes, int64_t most,
                            int64_t most_copies) {
  // The shuffles repeat when the levels inside `top` and a vector end at the
  // same element. A single level ends before that.
  const int64_t elements = loops_[top].unit * loops_[top].extent;
  const int64_t period = top == 0 ? elements : loops_[top].unit;
  const int64_t common = std::gcd(period, lanes);
  const int64_t all = (elements + lanes - 1) / lanes;
  most = std::clamp<int64_t>(most, 1,
                             for_loop_ ? kMostShuffles : kMostTileShuffles);
  int64_t vectors = period / common;
  const int64_t held = kHeldVectors * lanes / period * period;
  const bool holds = kTablesInRegisters && top > 0 && loops_[top].stride == 0 &&
                     held > period && vectors > kHeldVectors;
  if (holds) vectors = kHeldVectors;
  // Copying segments is faster than shuffles that do not repeat.
  if (vectors > most && MakesLongSegments(lanes) && !for_loop_) return false;
  vectors = std::min(vectors, all);
  if (vectors > most) return false;
  // If there are few, their tables are made several times over, so that there
  // is an even number of them and a loop over them pays: up to `most_copies`.
  int64_t copies = kTablesInRegisters || vectors % 2 == 0 ? 1 : 2;
  while (copies * vectors <
         (kTablesInRegisters ? kLeastInRegisters : kLeastShuffles)) {
    copies *= 2;
  }
  if (copies * vectors <=
      std::min({all, most, most_copies, kMostTileShuffles})) {
    vectors *= copies;
  } else {
    copies = 1;
  }
  // If the elements end within the last vector of a cycle, nothing can follow.
  repeats_ = top > 0 && vectors % (period / common) == 0 &&
             vectors * lanes <= elements;
  shuffles_ = static_cast<size_t>(vectors);
  cycle_elements_ = static_cast<size_t>(holds ? held : vectors * lanes);
  // ShuffleFromRegisters reads one table more where there are five or seven.
  if constexpr (kTablesInRegisters) {
    std::fill_n(table_, kMostInRegisters * kMostVectorBytes, uint8_t{0});
  }
  advance_ = top == 0 ? 0 : loops_[top].stride * (lanes / common) * copies;
  leaf_top_ = top;

  // The offsets of one period, and from them the lanes of each vector. The
  // loops are plain enough for compilers to vectorize: they run once for each
  // task.
  int16_t offsets[kMostPeriod];
  if (period > kMostPeriod || !OffsetsOfPeriod(top, offsets)) return false;
  const int64_t step = top == 0 ? 0 : loops_[top].stride;
  if (step * (vectors * lanes / period + 1) / INT16_MAX != 0) return false;
  int64_t within = 0;
  int64_t base = 0;
  int64_t left = elements;
  furthest_ = 0;
  two_vectors_ = false;
  blocks_ = false;
  shares_load_ = true;
  int32_t widest = 0;  // the distance of two lanes of a vector
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
        // The remaining lanes are not used.
        std::fill(sources + lane, sources + lanes, sources[lane - 1]);
        break;
      }
      if (within < period) continue;
      within = 0;
      base += step;
    }
    auto [least, greatest] = RangeOf(sources, lanes);
    // Shuffles that read only the first vector of a cycle share one load.
    if (kTablesInRegisters && least >= 0 && greatest < lanes) least = 0;
    if (greatest - least >= 2 * lanes) return false;
    two_vectors_ = two_vectors_ || greatest - least >= lanes;
    widest = std::max(widest, greatest - least);
    begins_[v] = least * static_cast<int32_t>(sizeof(T));
    shares_load_ = shares_load_ && least == 0;
    furthest_ = std::max<int64_t>(furthest_, least);
    for (int64_t lane = 0; lane < lanes; ++lane) {
      SetSource<T>(static_cast<int64_t>(v) * lanes + lane,
                   sources[lane] - least);
    }
  }
  if (kBlocksAreFast<T> && widest * int32_t{sizeof(T)} < 16) {
    // The indices of single bytes are those of the lanes.
    const int64_t all_lanes = sizeof(T) == 1 ? 0 : vectors * lanes;
    for (int64_t lane = 0; lane < all_lanes; ++lane) {
      SetBytes<T>(lane, SourceOf<T>(static_cast<size_t>(lane)));
    }
    blocks_ = true;
  }
  return true;
}

template <class T>
void Expander::PrepareForGaps(int64_t lanes) {
  step_reach_ = 1;
  int64_t length = 1;
  for (size_t level = 0; level < leaf_top_; ++level) {
    const int64_t extent = loops_[level].extent;
    const int64_t stride = loops_[level].stride;
    step_reach_ += (extent - 1) * std::max<int64_t>(stride, 0);
    length += (extent - 1) * std::abs(stride);
  }
  steps_adjoin_ = std::abs(loops_[leaf_top_].stride) >= length;
  if constexpr (kMasksLanes<T>) {
    for (size_t v = 0; v < shuffles_; ++v) {
      LaneBits* const used = LanesUsed(v);
      used[0] = used[1] = 0;
      for (int64_t lane = 0; lane < lanes; ++lane) {
        const int64_t source = SourceOf<T>(v * static_cast<size_t>(lanes) +
                                           static_cast<size_t>(lane));
        used[source / lanes] |= LaneBits{1} << source % lanes;
      }
    }
  }
}

void Expander::KeepTail(std::span<const uint8_t> memory, size_t cycle_bytes) {
  if (loops_.goes_back() || cycle_bytes > kTailBytes) return;
  const size_t kept = std::min(kTailBytes, memory.size());
  tail_begin_ = end_ - kept;
  std::memcpy(tail_, tail_begin_, kept);
}

template <class T>
void Expander::PrepareAs(std::span<const uint8_t> memory, bool stays) {
  lanes_ = hn::Lanes(hn::CappedTag<T, kVectorBytes / sizeof(T)>());
  element_bytes_ = sizeof(T);
  end_ = memory.data() + memory.size();
  tail_begin_ = end_;
  expand_ = &ExpandAs<T, false>;
  expand_to_result_ = expand_;
#if !HWY_ARCH_WASM
  if (internal::prefetch_distance > 0) expand_to_result_ = &ExpandAs<T, true>;
#endif
  const hn::CappedTag<T, kVectorBytes / sizeof(T)> d;
  const int64_t lanes = static_cast<int64_t>(hn::Lanes(d));
  const Level& inner = loops_[0];
  // Tried from the outermost level inwards: the more levels the shuffles cover,
  // the fewer are left around them. Shuffles of the innermost level alone pay
  // only if that level makes no segments.
  const size_t least_top = MakesSegments() && loops_.count() > 1 ? 1 : 0;
  leaf_ = Leaf::kShuffles;
  // Long segments are best copied as they are, and a repeat is best copied from
  // what has been expanded; except for a repeat that registers can hold and
  // that comes often enough.
  const int64_t most_held = kMostInRegisters * lanes;
  const bool holds = kTablesInRegisters &&
                     all_elements_ >= most_held * kVectorsATableInRegisters;
  const bool repeats_held = holds && inner.extent == most_held &&
                            loops_.count() > 1 && loops_[1].stride == 0;
  if (inner.extent < kLongSegment * lanes || repeats_held) {
    for (size_t top = loops_.count(); top-- > least_top;) {
      const bool copies =
          kTablesInRegisters && loops_.RepeatsAtLeast(top, most_held);
      // Copying a long repeat takes fewer instructions than shuffles whose
      // tables are not in registers.
      if (copies && !(holds && loops_[top].unit == most_held)) continue;
      // To compute the table of one shuffle takes as long as to shuffle
      // kVectorsAShuffle vectors, or to copy the elements of
      // kVectorsACopiedShuffle vectors one by one.
      const bool copies_elements = top == least_top && top == 0;
      int64_t limit =
          all_elements_ / (lanes * (copies_elements ? kVectorsACopiedShuffle
                                                    : kVectorsAShuffle));
      const int64_t most_copies = limit;
      // Short segments take long. And where there are levels around a leaf, it
      // is a call for each of their steps.
      if (!kTablesInRegisters && least_top == 1 && top + 1 == loops_.count() &&
          ShufflesOf(top, lanes) > limit && PaysForTables(top, lanes)) {
        limit = kMostTileShuffles;
      }
      if (!MakeShuffles<T>(top, lanes, limit, most_copies)) continue;
      if (copies && two_vectors_) continue;
      // Long segments are copied; see kShufflesAreSlow.
      if (kShufflesAreSlow && least_top == 1 && inner.extent >= lanes &&
          (!for_loop_ || (two_vectors_ && sizeof(T) < 4))) {
        continue;
      }
      // Writing segments of a vector or more takes fewer instructions, too;
      // but if they do not begin at multiples of four bytes, their stores take
      // longer (Zen 3) than shuffles of one vector.
      const bool stores_take_long = inner.extent * int64_t{sizeof(T)} % 4 != 0;
      if (kTablesInRegisters && least_top == 1 && inner.extent >= lanes &&
          !TablesFitRegisters(WholeCycle()) &&
          !(shares_load_ && stores_take_long)) {
        continue;
      }
      // Targets without masked loads read whole vectors.
      if (has_gaps() && !kMasksLanes<T> && !loops_.IsDense(top)) continue;
      cycle_reach_ = furthest_ + (two_vectors_ ? 2 * lanes : lanes);
      const auto cycle = static_cast<int64_t>(cycle_elements_);
      const int64_t elements = loops_[top].unit * loops_[top].extent;
      leaf_elements_ = static_cast<size_t>(elements);
      leaf_bytes_ = CycleBytes((elements + cycle - 1) / cycle);
      if (has_gaps()) {
        PrepareForGaps<T>(lanes);
      } else if (stays) {
        KeepTail(memory, static_cast<size_t>(cycle_reach_) * sizeof(T));
      }
      return;
    }
  }
  leaf_ = MakesSegments() ? Leaf::kSegments : Leaf::kElements;
  leaf_top_ = loops_.count() > 1 ? 1 : 0;
}

void Expander::Prepare(const LoopNest& nest, size_t operand, size_t split,
                       int64_t steps, size_t bytes, int64_t elements,
                       std::span<const uint8_t> memory, bool gaps, bool stays,
                       bool for_loop) {
  all_elements_ = elements;
  gaps_ = kMindsGaps && gaps;
  for_loop_ = for_loop;
  // Elements of 16 bytes are two lanes.
  const int64_t lanes = bytes == 16 ? 2 : 1;
  loops_.Reset(nest, operand, split, steps, lanes);
  splits_ = steps > 1;
  lanes_per_element_ = static_cast<size_t>(lanes);
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

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
