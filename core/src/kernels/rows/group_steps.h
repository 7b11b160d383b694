// The distances between the groups of rows that are computed by one call.

#ifndef BROADLOOM_KERNELS_ROWS_GROUP_STEPS_H_
#define BROADLOOM_KERNELS_ROWS_GROUP_STEPS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "hwy/base.h"
#include "kernels/rows/row.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

// Goes through the groups of a row, like an odometer.
class GroupSteps {
 public:
  template <size_t kMostOperands>
  explicit GroupSteps(const RowOf<kMostOperands>& row)
      : within_(row.group_step), outer_(row.outer) {
    if (outer_ != nullptr) left_ = outer_->extents[0] - outer_->index[0];
  }

  // The distance of each operand, in bytes, from the last row of this group to
  // the first one of the next, of which there must be one.
  const ptrdiff_t* Next() { return --left_ != 0 ? within_ : Turn(); }

 private:
  // Starts the innermost loop again, and advances those around it.
  HWY_NOINLINE const ptrdiff_t* Turn() {
    size_t loop = 0;
    do {
      outer_->index[loop++] = 0;
    } while (++outer_->index[loop] == outer_->extents[loop]);
    left_ = outer_->extents[0];
    return outer_->steps[loop - 1];
  }

  const ptrdiff_t* const within_;
  OuterLoops* const outer_;
  size_t left_ = SIZE_MAX;  // groups of the innermost loop, with this one
};

// Calls run(rows) for each group of `row`.
template <class AnyRow, class Run>
void ForEachGroup(AnyRow row, size_t operands, const Run& run) {
  GroupSteps groups(row);
  row.outer = nullptr;
  for (size_t left = row.rows;;) {
    row.rows = std::min(left, row.group_rows);
    run(row);
    left -= row.rows;
    if (left == 0) return;
    const ptrdiff_t* const steps = groups.Next();
    const auto within = static_cast<ptrdiff_t>(row.rows) - 1;
    for (size_t k = 0; k < operands; ++k) {
      row.in[k] = static_cast<const uint8_t*>(row.in[k]) +
                  (within * row.row_step[k] + steps[k]);
    }
    row.out = static_cast<uint8_t*>(row.out) +
              ((within + 1) * row.out_step + row.group_out_skip);
  }
}

// Calls run(rows) for `row`, if it has no outer loops and its results follow
// each other, or for each group: for loops that take no other groups.
template <class Run>
void InPlainGroups(const Row& row, size_t operands, const Run& run) {
  if (row.outer == nullptr && row.group_out_skip == 0) return run(row);
  ForEachGroup(row, operands, run);
}

// Calls run(one_row) for each row of `rows`.
template <class AnyRow, class Run>
void ForEachSingleRow(const AnyRow& rows, size_t operands, const Run& run) {
  ForEachGroup(rows, operands, [&](AnyRow row) {
    for (size_t left = std::exchange(row.rows, 1);;) {
      run(row);
      if (--left == 0) return;
      for (size_t k = 0; k < operands; ++k) {
        row.in[k] = static_cast<const uint8_t*>(row.in[k]) + row.row_step[k];
      }
      row.out = static_cast<uint8_t*>(row.out) + row.out_step;
    }
  });
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_KERNELS_ROWS_GROUP_STEPS_H_
