// Writes results to where they belong.

#include <cstddef>
#include <cstdint>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/destination.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/destination-inl.h"
#include "kernels/rows/pack-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

namespace {

// Copies `count` elements to places `step` elements apart.
template <class T>
HWY_NOINLINE void Spread(const uint8_t* from, size_t count, int64_t step,
                         uint8_t* to) {
  const auto* const elements = reinterpret_cast<const Unaligned<T>*>(from);
  auto* place = reinterpret_cast<Unaligned<T>*>(to);
  for (size_t i = 0; i < count; ++i, place += step) {
    place->value = elements[i].value;
  }
}

using SpreadFunction = void (*)(const uint8_t*, size_t, int64_t, uint8_t*);

SpreadFunction SpreadOf(size_t bytes) {
  switch (bytes) {
    case 1:
      return &Spread<uint8_t>;
    case 2:
      return &Spread<uint16_t>;
    case 4:
      return &Spread<uint32_t>;
    case 8:
      return &Spread<uint64_t>;
    default:
      return &Spread<Pair>;
  }
}

}  // namespace

void Destination::PrepareScatter(const Task& task) {
  const Schedule& schedule = task.work->schedule;
  const LoopNest& nest = task.work->nest;
  loops_.Reset(nest, nest.operand_count() - 1, schedule.split(),
               schedule.run_steps(), 1);
}

HWY_NOINLINE void Destination::Write(const uint8_t* from, size_t begin,
                                     size_t count) {
  const size_t bytes = bits_ / 8;
  if (scatters()) {
    Scatter(from, begin, count);
  } else if (bytes == 0) {
    const auto first = static_cast<uint64_t>(place_.at()) + begin;
    Pack(from, bits_, count, out_, first * bits_);
  } else if constexpr (kHasStreamingStores) {
    lines_.Write(from, count * bytes, at() + begin * bytes);
  }
}

void Destination::Scatter(const uint8_t* from, size_t begin,
                          size_t count) const {
  const size_t bytes = bits_ / 8;
  const SpreadFunction spread = SpreadOf(bytes);
  ForEachPiece(begin, count,
               [&](size_t i, int64_t place, int64_t step, size_t n) {
                 if (bytes == 0) {
                   const size_t together = step == 1 ? n : 1;
                   for (size_t k = 0; k < n; k += together) {
                     const auto to = place + static_cast<int64_t>(k) * step;
                     Pack(from + i + k, bits_, together, out_,
                          static_cast<uint64_t>(to) * bits_);
                   }
                   return;
                 }
                 uint8_t* const to = out_ + place * static_cast<int64_t>(bytes);
                 if (step == 1) {
                   Copy(from + i * bytes, n * bytes, to);
                 } else {
                   spread(from + i * bytes, n, step, to);
                 }
               });
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
