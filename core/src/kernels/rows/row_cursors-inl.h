// Where the operands of a row are, in tasks whose schedule has no tiles.

#if defined(BROADLOOM_KERNELS_ROWS_ROW_CURSORS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_ROW_CURSORS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_ROW_CURSORS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_ROW_CURSORS_INL_H_
#endif

#include <cstddef>
#include <cstdint>

#include "broadloom/internal/schedule.h"
#include "hwy/highway.h"
#include "kernels/rows/cursor.h"
#include "kernels/rows/destination-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// The cursors of a loop's operands, in the loop's order.
class RowCursors {
 public:
  // Also sets row.step and row.has_splats.
  HWY_INLINE RowCursors(const RowLoop& loop, bool swapped,
                        const RunOdometer& runs, const Task& task, Row& row)
      : loop_(loop) {
    row.has_splats = false;
    for (size_t k = 0; k < loop.operands; ++k) {
      const size_t operand = swapped ? loop.operands - 1 - k : k;
      BeginOperand(runs, task, operand, cursors_[k]);
      data_[k] = static_cast<const uint8_t*>(task.operands[operand].data);
      const RunForm form = task.work->schedule.operand(operand).form;
      row.step[k] = form == RunForm::kDirect ? 1 : 0;
    }
  }

  // Cursor::change and Cursor::stride of operand k, in bytes.
  HWY_INLINE ptrdiff_t change(size_t k, size_t level) const {
    return static_cast<ptrdiff_t>(cursors_[k].change(level) *
                                  loop_.in_bytes[k]);
  }
  HWY_INLINE ptrdiff_t stride(const RunOdometer& runs, size_t k,
                              size_t level) const {
    return static_cast<ptrdiff_t>(cursors_[k].stride(runs, level) *
                                  loop_.in_bytes[k]);
  }

  // Sets row.in for the odometer's current run.
  HWY_INLINE void Fetch(Row& row) const {
    for (size_t k = 0; k < loop_.operands; ++k) {
      row.in[k] = AddBytes(data_[k], cursors_[k].at() * loop_.in_bytes[k]);
    }
  }

  // Advances `runs`, `place` and the cursors past `together` runs
  // (RunOdometer::SkipTogether). Returns false if no run follows.
  HWY_INLINE bool Next(int64_t together, RunOdometer& runs,
                       Destination& place) {
    const int64_t steps = runs.SkipTogether(together);
    place.SkipTogether(together, steps);
    for (size_t k = 0; k < loop_.operands; ++k) {
      cursors_[k].SkipTogether(together, steps);
    }
    if (!runs.Next()) return false;
    place.Follow(runs);
    for (size_t k = 0; k < loop_.operands; ++k) cursors_[k].Follow(runs);
    return true;
  }

 private:
  const RowLoop& loop_;
  Cursor cursors_[kMostRowOperands];
  const uint8_t* data_[kMostRowOperands];
};

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_ROW_CURSORS_INL_H_
