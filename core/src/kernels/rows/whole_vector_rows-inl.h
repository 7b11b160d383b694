// Runs a loop of whole vectors on rows, also on those that end within a vector.

#if defined(BROADLOOM_KERNELS_ROWS_WHOLE_VECTOR_ROWS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_WHOLE_VECTOR_ROWS_INL_H_
#undef BROADLOOM_KERNELS_ROWS_WHOLE_VECTOR_ROWS_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_WHOLE_VECTOR_ROWS_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"
#include "kernels/rows/copy-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_row-inl.h"
#include "kernels/rows/segments-inl.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// The most rows of one call that has splats or a buffer, and the bytes of their
// results, unless it is one row: so that these stay in the first-level cache.
constexpr size_t kMostRowsOfCall = 32;
constexpr size_t kMostBytesOfCall = 8192;
// Bytes of a buffer for the results of rows in place.
constexpr size_t kInPlaceBytes = 4096;

// Makes splats of `rows` elements of `bytes` bytes that are `step` bytes apart.
inline void SplatRows(const uint8_t* element, ptrdiff_t step, size_t rows,
                      size_t bytes, uint8_t* to) {
  switch (bytes) {
    case 1:
      return WriteSegments<uint8_t>(element, step, rows, kVectorBytes, to,
                                    kVectorBytes);
    case 2:
      return WriteSegments<uint16_t>(element, step, rows, kVectorBytes, to,
                                     kVectorBytes);
    case 4:
      return WriteSegments<uint32_t>(element, step, rows, kVectorBytes, to,
                                     kVectorBytes);
    default:
      return WriteSegments<uint64_t>(element, step, rows, kVectorBytes, to,
                                     kVectorBytes);
  }
}

// The bytes that `count` elements of a row take in memory.
inline ptrdiff_t RowBytes(size_t step, size_t count, size_t element_bytes) {
  return static_cast<ptrdiff_t>(step * count * element_bytes);
}

// Whether what follows each operand in memory can be read: WebAssembly traps
// beyond the end of all memory only.
HWY_INLINE bool CanReadBeyond(const Task& task) {
#if defined(__wasm__)
  const uint64_t end = uint64_t{__builtin_wasm_memory_size(0)} << 16;
  for (size_t k = 0; k < task.operand_count(); ++k) {
    const OperandMemory& memory = task.operands[k];
    if (reinterpret_cast<uintptr_t>(memory.data) + memory.bytes + kVectorBytes >
        end) {
      return false;
    }
  }
  return true;
#else
  (void)task;
  return false;
#endif
}

// Runs `loop` on the whole groups of `all`, of which `left` rows are left, but
// on none of the `last` ones; `rows` has their form. Advances `all` to the
// first row that is left then, and returns how many are. A group may be two
// short rows, so little is computed between two calls.
HWY_INLINE size_t RunWholeGroups(const RowLoop& loop, Row& rows, size_t left,
                                 size_t last, Row& all) {
  const size_t group = all.group_rows;
  // 64 bits: the rows of one call may lie further apart than 2^31 bytes.
  const auto bytes = static_cast<int64_t>(group) * all.out_step;
  int64_t change[kMostLoopOperands];
  for (size_t k = 0; k < kMostLoopOperands; ++k) {
    rows.in[k] = all.in[k];
    change[k] =
        static_cast<int64_t>(group - 1) * all.row_step[k] + all.group_step[k];
  }
  rows.rows = group;
  rows.out = all.out;
  for (; left > last && left - last >= group; left -= group) {
    loop.run(rows);
    for (size_t k = 0; k < kMostLoopOperands; ++k) {
      rows.in[k] = AddBytes(static_cast<const uint8_t*>(rows.in[k]), change[k]);
    }
    rows.out = AddBytes(static_cast<uint8_t*>(rows.out), bytes);
  }
  std::copy_n(rows.in, kMostLoopOperands, all.in);
  all.out = rows.out;
  return left;
}

// Runs `loop` on rows as sources give them (Source::FetchRows): operands of
// step 0 have one element, and there may be groups.
//
// A row that ends within a vector is computed up to the end of that vector, if
// the operands can be read there (`can_read_beyond`). What is written beyond
// the row is overwritten by the rows after it. The last rows, after which too
// few follow (Row::rows_after), are computed one by one. Rows in place, whose
// surplus would overwrite operands of later rows, are computed to a buffer and
// copied.
HWY_NOINLINE inline void RunWholeVectorRows(const RowLoop& loop, Row all,
                                            bool can_read_beyond) {
  alignas(kVectorBytes)
      uint8_t splats[kMostLoopOperands][kMostRowsOfCall * kVectorBytes];
  const size_t row_bytes = all.count * loop.out_bytes;
  const size_t least = loop.least_count;
  const bool takes_any_count =
      loop.moves && (row_bytes >= kLongRowBytes ||
                     (all.step[0] == 0 && row_bytes >= kVectorBytes));
  const size_t whole =
      takes_any_count ? all.count : (all.count + least - 1) & ~(least - 1);
  bool in_place = false;
  bool has_elements = false;
  for (size_t k = 0; k < loop.operands; ++k) {
    in_place = in_place || all.in[k] == all.out;
    has_elements = has_elements || all.step[k] == 0;
  }
  alignas(kVectorBytes) uint8_t buffer[kInPlaceBytes];
  const size_t whole_bytes = whole * loop.out_bytes;
  const bool has_surplus = whole != all.count;
  const bool takes_rows =
      loop.takes_whole_vectors &&
      (!has_surplus ||
       (can_read_beyond && all.out_step == static_cast<ptrdiff_t>(row_bytes) &&
        (!in_place || whole_bytes <= kInPlaceBytes)));
  const bool takes_buffer = takes_rows && in_place && has_surplus;
  // Whether the loop reads operands of step 0 as they are, without splats.
  const bool takes_elements =
      loop.moves || (loop.takes_constants && all.step[0] + all.step[1] == 1);
  const bool makes_splats = has_elements && !takes_elements;
  size_t left = all.rows;
  // How many of the next rows the surplus of a row reaches.
  const size_t reached = (whole - 1) / all.count;
  // The rows that are computed one by one.
  const size_t last = !takes_rows ? left
                      : takes_buffer
                          ? 0
                          : reached - std::min(reached, all.rows_after);
  const size_t fitting = takes_buffer
                             ? (kInPlaceBytes - whole_bytes) / row_bytes + 1
                             : kMostBytesOfCall / row_bytes;
  const size_t most = makes_splats || takes_buffer
                          ? std::clamp<size_t>(fitting, 1, kMostRowsOfCall)
                          : left;
  Row rows;
  rows.count = whole;
  rows.out_step = all.out_step - RowBytes(1, whole, loop.out_bytes);
  rows.has_splats = !takes_elements;
  for (size_t k = 0; k < loop.operands; ++k) {
    rows.step[k] = all.step[k];
    const bool is_splat = makes_splats && all.step[k] == 0;
    rows.row_step[k] =
        is_splat
            ? (all.row_step[k] == 0 ? 0 : ptrdiff_t{kVectorBytes})
            : all.row_step[k] - RowBytes(all.step[k], whole, loop.in_bytes[k]);
  }
  if (!makes_splats && !takes_buffer) {
    left = RunWholeGroups(loop, rows, left, last, all);
    if (left == 0) return;
  }
  size_t group_left = all.group_rows;
  for (;;) {
    const bool is_single = left <= last;
    const size_t n = is_single ? 1 : std::min({left - last, most, group_left});
    rows.rows = n;
    rows.out = takes_buffer ? buffer : all.out;
    for (size_t k = 0; k < kMostLoopOperands; ++k) rows.in[k] = all.in[k];
    for (size_t k = 0; makes_splats && k < loop.operands; ++k) {
      if (all.step[k] != 0) continue;
      rows.in[k] = splats[k];
      SplatRows(static_cast<const uint8_t*>(all.in[k]), all.row_step[k],
                all.row_step[k] == 0 ? 1 : n, loop.in_bytes[k], splats[k]);
    }
    if (is_single) {
      rows.count = all.count;
      RunRow(loop, rows);
    } else {
      loop.run(rows);
    }
    if (takes_buffer) {
      Copy(buffer, n * row_bytes, static_cast<uint8_t*>(all.out));
    }
    left -= n;
    if (left == 0) return;
    group_left -= n;
    const bool ends_group = group_left == 0;
    if (ends_group) group_left = all.group_rows;
    const auto within = static_cast<int64_t>(n - ends_group);
    for (size_t k = 0; k < kMostLoopOperands; ++k) {
      all.in[k] = AddBytes(
          static_cast<const uint8_t*>(all.in[k]),
          within * all.row_step[k] + (ends_group ? all.group_step[k] : 0));
    }
    all.out = AddBytes(static_cast<uint8_t*>(all.out),
                       static_cast<int64_t>(n) * all.out_step);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_WHOLE_VECTOR_ROWS_INL_H_
