// Runs kernels that convert: operands before a loop and its result after it, or
// one operand by several loops in turn. Both go tile by tile and share the
// code.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/converting.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/convert_operand-inl.h"
#include "kernels/rows/each_row-inl.h"
#include "kernels/rows/run_loop-inl.h"
#include "kernels/rows/run_row-inl.h"
#include "kernels/rows/run_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

namespace {

// Steps have one operand, which needs less of the stack. WebAssembly, which has
// enough, saves the code.
constexpr size_t kStepOperands = HWY_ARCH_WASM ? 2 : 1;

// Runs `kernel` or, if it is null, `steps`. `widest` is the bytes of the widest
// element between the conversions, or 0 if nothing is between them.
template <size_t kMostOperands>
HWY_NOINLINE void RunThroughTiles(const Task& task, RowFormat format,
                                  size_t widest, const ConvertingKernel* kernel,
                                  std::span<const RowStep> steps) {
  // Together with the buffers of ForEachRow the stack stays below 64 KiB.
  constexpr size_t kTileBytes = kBufferBytes - 8 * kVectorBytes;
  alignas(kVectorBytes) uint8_t tiles[2][kTileBytes];
  alignas(kVectorBytes) uint8_t result[kTileBytes];
  if (widest != 0) format.most_count = kTileBytes / widest;

  alignas(kVectorBytes) uint8_t constants[kMostSteps][kVectorBytes];
  for (size_t i = 0; i < steps.size(); ++i) {
    const RowLoop& loop = *steps[i].loop;
    if (loop.operands == 1) continue;
    uint8_t element[16];  // Splat may read as much
    std::memcpy(element, &steps[i].constant, sizeof(steps[i].constant));
    Splat(element, loop.in_bytes[1], constants[i]);
  }

  const auto run_kernel = [&](const Row& row) {
    const RowLoop& loop = *kernel->loop;
    Row inner = row;
    for (size_t k = 0; k < loop.operands; ++k) {
      if (kernel->convert_in[k] == nullptr) continue;
      const RowOperand converted =
          ConvertOperand(*kernel->convert_in[k], row, k, tiles[k]);
      inner.in[k] = converted.data;
      inner.step[k] = converted.step;
    }
    if (kernel->convert_out == nullptr) {
      RunRow(loop, inner);
    } else {
      inner.out = result;
      RunRow(loop, inner);
      RunRow(*kernel->convert_out, {{result}, {1}, row.out, row.count});
    }
  };
  const auto run_steps = [&](const Row& row) {
    const void* from = row.in[0];
    size_t step = row.step[0];
    for (size_t i = 0; i < steps.size(); ++i) {
      void* const to = i + 1 == steps.size() ? row.out : tiles[i % 2];
      RunRow(*steps[i].loop, {{from, constants[i]}, {step, 0}, to, row.count});
      from = to;
      step = 1;
    }
  };
  ForEachRow<kMostOperands>(task, format, [&](const Row& row, const Shuffles*) {
    if (kernel != nullptr) {
      run_kernel(row);
    } else {
      run_steps(row);
    }
  });
}

}  // namespace

void RunConverting(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const ConvertingKernel&>(self);
  const RowLoop& loop = *kernel.loop;
  RowFormat format = RowFormatOf(loop, false);
  for (size_t k = 0; k < loop.operands; ++k) {
    if (kernel.convert_in[k] != nullptr) {
      format.in_bytes[k] = kernel.convert_in[k]->in_bytes[0];
    }
  }
  if (kernel.convert_out != nullptr) {
    format.out_bytes = kernel.convert_out->out_bytes;
  }
  const size_t widest =
      std::max({loop.in_bytes[0], loop.in_bytes[1], loop.out_bytes});
  RunThroughTiles<2>(task, format, widest, &kernel, {});
}

void RunSteps(std::span<const RowStep> steps, const Task& task) {
  const RowLoop& first = *steps.front().loop;
  if (steps.size() == 1 && first.operands == 1) {
    return RunLoop(first, false, task);
  }
  const RowFormat format = {
      1, {first.in_bytes[0]}, steps.back().loop->out_bytes, false, SIZE_MAX};
  // A single step has no tile.
  size_t widest = 0;
  for (const RowStep& step : steps.subspan(1)) {
    widest = std::max<size_t>(widest, step.loop->in_bytes[0]);
  }
  RunThroughTiles<kStepOperands>(task, format, widest, nullptr, steps);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
