// Runs kernels that fold any number of operands into one result, from left to
// right.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/fold.cc"
#include "hwy/cache_control.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/convert_operand-inl.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/cursor.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/run_loop-inl.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/run_row-inl.h"
#include "kernels/rows/run_task-inl.h"
#include "kernels/rows/source-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

void RunFold(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const FoldKernel&>(self);
  const size_t bytes = kernel.element_bytes;
  const size_t operands = task.work->nest.operand_count();
  const RowLoop& combine = *kernel.combine;
  if (kernel.convert == nullptr && kernel.finish == nullptr) {
    if (operands == 1) {
      MoveElements(task, bytes * 8);
      return;
    }
    if (operands == 2) {
      RunLoop(combine, false, task);
      return;
    }
  }

  constexpr size_t kFoldBytes = Schedule::kTileBytes / 2;
  alignas(kVectorBytes) uint8_t accumulated[kFoldBytes];
  alignas(kVectorBytes) uint8_t result[kFoldBytes];
  alignas(kVectorBytes) uint8_t converted[kVectorBytes];  // a splat
  alignas(kVectorBytes) uint8_t divisor[kVectorBytes];
  if (kernel.finish != nullptr) {
    const double wide = kernel.divides ? static_cast<double>(operands) : 1.0;
    const float narrow = static_cast<float>(wide);
    const bool is_wide = kernel.finish->in_bytes[1] == sizeof(wide);
    uint8_t element[16] = {};  // Splat may read as much
    std::memcpy(element, &wide, sizeof(wide));
    if (!is_wide) std::memcpy(element, &narrow, sizeof(narrow));
    Splat(element, kernel.finish->in_bytes[1], divisor);
  }

  RunOdometer runs(task);
  TileMemory tiles;
  Source sources[kMostKept];
  // Of more than kMostKept operands, all but the first ones take turns with the
  // last source.
  const size_t kept = operands <= kMostKept ? operands : kMostKept - 1;
  for (size_t k = 0; k < kept; ++k) {
    sources[k].Prepare(runs, task, k, bytes * 8, TileUse::kKept,
                       tiles.Take(Source::TileBytes(task, k, bytes * 8)));
  }
  Source& shared = sources[kMostKept - 1];
  uint8_t* const shared_tile =
      kept == operands ? nullptr : tiles.Take(Schedule::kTileBytes);
  Cursor place;
  BeginResult(runs, task, 0, place);
  // What is accumulated may be wider than the operands: f16 as f32.
  const size_t widest =
      std::max<size_t>(combine.in_bytes[0], combine.out_bytes);
  const size_t most = kFoldBytes / widest;
  auto* const out = static_cast<uint8_t*>(task.out);
  for (;;) {
    const size_t count = runs.count();
    for (size_t done = 0; done < count; done += most) {
      const size_t n = std::min(most, count - done);
      uint8_t* const there =
          out + (static_cast<size_t>(place.at()) + done) * bytes;
      uint8_t* const to = task.streams() ? result : there;
      const auto fetch = [&](size_t k) -> RowOperand {
        if (k >= kept) {
          shared.Prepare(runs, task, k, bytes * 8, TileUse::kOneRun,
                         shared_tile);
        }
        const RowOperand run = (k < kept ? sources[k] : shared).Fetch(count);
        return {static_cast<const uint8_t*>(run.data) + run.step * done * bytes,
                run.step};
      };
      RowOperand so_far = fetch(0);
      if (kernel.convert != nullptr) {
        so_far = ConvertOperand(*kernel.convert,
                                {{so_far.data}, {so_far.step}, nullptr, n}, 0,
                                so_far.step == 0 ? converted : accumulated);
      }
      for (size_t k = 1; k < operands; ++k) {
        const RowOperand next = fetch(k);
        const bool last = k + 1 == operands && kernel.finish == nullptr;
        void* const combined = last ? to : accumulated;
        RunRow(
            combine,
            {{so_far.data, next.data}, {so_far.step, next.step}, combined, n});
        so_far = {combined, 1};
      }
      if (kernel.finish != nullptr) {
        RunRow(*kernel.finish,
               {{so_far.data, divisor}, {so_far.step, 0}, to, n});
      }
      if (task.streams()) StreamCopy(result, n * bytes, there);
    }
    if (!runs.Next()) break;
    for (size_t k = 0; k < kept; ++k) sources[k].Follow(runs);
    place.Follow(runs);
  }
  if (task.streams()) hwy::FlushStream();
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
