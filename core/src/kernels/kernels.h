// What execution and the kernels agree on. Kernels know loops and runs, not
// shapes and rules; they are compiled once for each SIMD target and chosen at
// run time.

#ifndef BROADLOOM_KERNELS_KERNELS_H_
#define BROADLOOM_KERNELS_KERNELS_H_

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/nest.h"
#include "broadloom/plan.h"
#include "broadloom/schedule.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// Whether the platform has stores that go past the caches.
#if defined(__wasm__)
inline constexpr bool kHasStreamingStores = false;
#else
inline constexpr bool kHasStreamingStores = true;
#endif

// Whether kernels mind what lies between an operand's elements. WebAssembly has
// no pages that must not be read inside a memory, and what is read and not used
// does no harm there.
#if defined(__wasm__)
inline constexpr bool kMindsGaps = false;
#else
inline constexpr bool kMindsGaps = true;
#endif

// An operand's memory: from the first to the last of the elements that the
// loops walk. Elements of less than 8 bits are counted from the first bit of
// `data`.
struct TaskOperand {
  const void* data;
  int64_t first;      // the element with which the loops begin
  uint64_t bytes;     // that may be read
  bool gaps = false;  // but what lies between the elements

  [[nodiscard]] bool has_gaps() const { return kMindsGaps && gaps; }

  // Elements of so many bits, a power of two, that may be read. Counted by
  // those who ask alone: small results never do.
  [[nodiscard]] int64_t Readable(size_t bits) const {
    const uint64_t held = std::min<uint64_t>(bytes, INT64_MAX / 8);
    return static_cast<int64_t>(held * 8 >> std::countr_zero(bits));
  }
};

// Some runs of a result.
struct Task {
  const LoopNest* nest;
  const Schedule* schedule;
  // One for each operand of the nest.
  const TaskOperand* operands;
  // The result's first element, whichever runs are asked for: run 0 begins
  // there. Packed results begin `out_first` elements after the first bit of it.
  void* out;
  int64_t out_first;
  int64_t begin;  // runs [begin, end)
  int64_t end;
  // Past the caches, where there are stores for it. Other threads see the
  // result when the task is done.
  bool past_caches;
  [[nodiscard]] bool streams() const {
    return kHasStreamingStores && past_caches;
  }
};

// A kernel computes tasks. It may read an operand that is exactly `out` (in
// place), never one that overlaps it otherwise. Neighbouring elements of packed
// types that share a byte with the runs keep their value; tasks that share a
// byte must not run at once. What a kernel knows beside its function follows it
// in memory, as in a class derived from this one.
struct Kernel {
  void (*run_task)(const Kernel& self, const Task& task);

  void run(const Task& task) const { run_task(*this, task); }
};

// The kernel for an operator on operands of these types (checked by the
// caller: Accepts says yes and types agree), or null when there is none. The
// pointer is valid for ever. For Pow dtypes[1] is the exponent's type; for
// Where the first is bool and the others agree; for the rest only dtypes[0]
// matters.
[[nodiscard]] const Kernel* FindKernel(Op op, std::span<const DType> dtypes,
                                       const OpAttributes& attributes) noexcept;

// The target that FindKernel chooses from now.
[[nodiscard]] const char* TargetName() noexcept;

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_KERNELS_H_
