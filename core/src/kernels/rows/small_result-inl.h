// Results that are computed as one row, without cursors and tiles: those that
// fit the widest vector of any target, and those of one run.

#if defined(BROADLOOM_KERNELS_ROWS_SMALL_RESULT_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_SMALL_RESULT_INL_H_
#undef BROADLOOM_KERNELS_ROWS_SMALL_RESULT_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_SMALL_RESULT_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "hwy/highway.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_row-inl.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Whether the task is a whole result that fits a vector of kVectorBytes, and so
// do as many elements of each operand.
HWY_INLINE bool FitsVector(const Task& task) {
  return task.end == 1 && task.work->schedule.FitsVector(kVectorBytes);
}
// Elements of such a result.
HWY_INLINE size_t CountOf(const Task& task) {
  return static_cast<size_t>(task.work->schedule.split_extent() *
                             task.work->schedule.step_elements());
}

// Whether the target's vectors are (or may be) shorter than kVectorBytes, so
// that a small result takes several of them.
constexpr bool kVectorsShort =
    HWY_MAX_BYTES < Schedule::kVectorBytes || HWY_HAVE_SCALABLE;

// Loads `bytes` bytes to `to`, which has kVectorBytes. `readable` bytes of
// `from` may be read.
HWY_INLINE void LoadFirst(const uint8_t* from, size_t bytes, size_t readable,
                          uint8_t* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  size_t i = 0;
  do {
    // Where vectors are short, LoadLanes is a call.
    const auto v = kVectorsShort && i + lanes <= readable
                       ? LoadFrom(d, from + i)
                       : LoadLanes(d, from + i, bytes - i);
    hn::Store(v, d, to + i);
    i += lanes;
  } while (kVectorsShort && i < bytes);
}

// Stores `bytes` bytes of `from`, which has kVectorBytes, to the result.
HWY_INLINE void StoreFirst(const uint8_t* from, size_t bytes, void* to) {
  const ByteTag d;
  const size_t lanes = hn::Lanes(d);
  uint8_t* const out = static_cast<uint8_t*>(to);
  size_t i = 0;
  if constexpr (kVectorsShort) {
    for (; i + lanes <= bytes; i += lanes) {
      StoreTo(hn::Load(d, from + i), d, out + i);
    }
    if (i == bytes) return;
  }
  StoreLanes(d, hn::Load(d, from + i), out + i, bytes - i);
}

// Collects an operand as a shuffle of its elements (Schedule::shuffle).
template <class T>
HWY_INLINE void CollectShuffledAs(const uint8_t* from, size_t readable,
                                  const uint8_t* shuffle, size_t count,
                                  uint8_t* to) {
  const FullTag<T> d;
  const hn::Rebind<uint8_t, decltype(d)> d8;
  const size_t lanes = hn::Lanes(d);
  const T* const source = reinterpret_cast<const T*>(from);
  T* const tile = reinterpret_cast<T*>(to);
  const size_t read = size_t{shuffle[count - 1]} + 1;
  if (read > lanes) {
    const auto* const elements = reinterpret_cast<const Unaligned<T>*>(from);
    for (size_t i = 0; i < count; ++i) tile[i] = elements[shuffle[i]].value;
    return;
  }
  const auto v = kVectorsShort && lanes * sizeof(T) <= readable
                     ? LoadFrom(d, source)
                     : LoadLanes(d, source, read);
  size_t i = 0;
  do {
    const auto loaded = LoadFrom(d8, shuffle + i);
    auto indices = hn::Undefined(d);
    if constexpr (sizeof(T) == 1) {
      indices = loaded;
    } else {
      indices = hn::PromoteTo(d, loaded);
    }
    hn::Store(hn::TableLookupLanes(v, hn::IndicesFromVec(d, indices)), d,
              tile + i);
    i += lanes;
  } while (kVectorsShort && i < count);
}

HWY_INLINE void CollectShuffled(const uint8_t* from, size_t readable,
                                const uint8_t* shuffle, size_t bytes,
                                size_t count, uint8_t* to) {
  switch (bytes) {
    case 1:
      return CollectShuffledAs<uint8_t>(from, readable, shuffle, count, to);
    case 2:
      return CollectShuffledAs<uint16_t>(from, readable, shuffle, count, to);
    case 4:
      return CollectShuffledAs<uint32_t>(from, readable, shuffle, count, to);
    default:
      return CollectShuffledAs<uint64_t>(from, readable, shuffle, count, to);
  }
}

// Collects an operand element by element.
template <class T>
HWY_INLINE void CollectEachAs(const Task& task, size_t operand, uint8_t* to) {
  const LoopNest& nest = task.work->nest;
  const size_t loops = nest.loop_count();
  const OperandMemory& memory = task.operands[operand];
  const auto* data = static_cast<const uint8_t*>(memory.data) +
                     memory.first * static_cast<int64_t>(sizeof(T));
  constexpr int64_t kSize = static_cast<int64_t>(sizeof(T));
  const int64_t columns = loops > 0 ? nest.extent(loops - 1) : 1;
  const int64_t step = loops > 0 ? nest.stride(operand, loops - 1) * kSize : 0;
  const int64_t rows = loops > 1 ? nest.extent(loops - 2) : 1;
  const int64_t row_step =
      loops > 1 ? nest.stride(operand, loops - 2) * kSize : 0;
  // kSmallBytes elements at most, and at least two steps to a loop.
  int64_t index[10] = {};
  for (;;) {
    const uint8_t* row = data;
    for (int64_t r = 0; r < rows; ++r, row += row_step) {
      for (int64_t c = 0; c < columns; ++c, to += sizeof(T)) {
        std::memcpy(to, row + c * step, sizeof(T));
      }
    }
    size_t loop = loops < 2 ? 0 : loops - 2;
    for (; loop-- > 0;) {
      data += nest.stride(operand, loop) * kSize;
      if (++index[loop] < nest.extent(loop)) break;
      data -= nest.stride(operand, loop) * nest.extent(loop) * kSize;
      index[loop] = 0;
    }
    if (loop == SIZE_MAX) return;
  }
}

// Not inlined: few operands need it, and its frame would slow down all others.
HWY_NOINLINE inline void CollectEach(const Task& task, size_t operand,
                                     size_t bytes, uint8_t* to) {
  switch (bytes) {
    case 1:
      return CollectEachAs<uint8_t>(task, operand, to);
    case 2:
      return CollectEachAs<uint16_t>(task, operand, to);
    case 4:
      return CollectEachAs<uint32_t>(task, operand, to);
    default:
      return CollectEachAs<uint64_t>(task, operand, to);
  }
}

// Where vectors are short, the code is too long to be inlined.
#undef BROADLOOM_INLINE_COLLECT
#if HWY_MAX_BYTES < 64
#define BROADLOOM_INLINE_COLLECT HWY_NOINLINE inline
#else
#define BROADLOOM_INLINE_COLLECT HWY_INLINE
#endif

// Writes the `count` elements of an operand of a small result to `to`, which
// has kVectorBytes. The bytes after them are initialized, too.
BROADLOOM_INLINE_COLLECT void Collect(const Task& task, size_t operand,
                                      size_t bytes, size_t count, uint8_t* to) {
  const Schedule& schedule = task.work->schedule;
  const OperandMemory& memory = task.operands[operand];
  const int64_t first = memory.first * static_cast<int64_t>(bytes);
  const auto* from = static_cast<const uint8_t*>(memory.data) + first;
  const size_t readable =
      static_cast<size_t>(memory.bytes - static_cast<uint64_t>(first));
  switch (schedule.operand(operand).form) {
    case RunForm::kDirect:
      return LoadFirst(from, count * bytes, readable, to);
    case RunForm::kConstant:
      return Splat(from, bytes, to);
    case RunForm::kTile:
      break;
  }
  const uint8_t* const shuffle = schedule.shuffle(operand);
  if (shuffle != nullptr && !memory.has_gaps()) {
    return CollectShuffled(from, readable, shuffle, bytes, count, to);
  }
  std::memset(to, 0, kVectorBytes);
  CollectEach(task, operand, bytes, to);
}

// Computes a small result by one call of `loop`, which takes rows of any count.
HWY_NOINLINE inline void RunSmall(const RowLoop& loop, bool swapped,
                                  const Task& task) {
  alignas(kVectorBytes) uint8_t in[kMostLoopOperands][kVectorBytes];
  alignas(kVectorBytes) uint8_t result[kVectorBytes];
  const size_t count = CountOf(task);
  for (size_t k = 0; k < loop.operands; ++k) {
    const size_t operand = swapped ? loop.operands - 1 - k : k;
    Collect(task, operand, loop.in_bytes[k], count, in[k]);
  }
  const size_t padded = std::max<size_t>(count, loop.least_count);
  loop.run({{in[0], in[1], in[2]}, {1, 1, 1}, result, padded});
  StoreFirst(result, count * loop.out_bytes, task.out);
}

// Whether RunOneRow takes the task: a whole dense result of one run. Where
// loops take several rows, those are faster than to collect operands.
HWY_INLINE bool IsOneRow(const RowLoop& loop, const Task& task) {
  const Schedule& schedule = task.work->schedule;
  if (task.end != 1 || schedule.run_count() != 1 || task.streams() ||
      task.has_result()) {
    return false;
  }
  if (!kLoopsTakeRows && schedule.is_small()) return true;
  for (size_t k = 0; k < loop.operands; ++k) {
    if (schedule.operand(k).form == RunForm::kTile) return false;
  }
  return true;
}

// Computes such a result by one call of `loop`, from the operands' own memory
// where their elements are consecutive.
HWY_NOINLINE inline void RunOneRow(const RowLoop& loop, bool swapped,
                                   const Task& task) {
  constexpr size_t kBytes =
      kLoopsTakeRows ? kVectorBytes : size_t{Schedule::kSmallBytes};
  alignas(kVectorBytes) uint8_t collected[kMostLoopOperands][kBytes];
  const Schedule& schedule = task.work->schedule;
  Row row = {};
  row.out = task.out;
  row.count = CountOf(task);
  for (size_t k = 0; k < loop.operands; ++k) {
    const size_t operand = swapped ? loop.operands - 1 - k : k;
    const OperandMemory& memory = task.operands[operand];
    const size_t bytes = loop.in_bytes[k];
    const auto* const from = static_cast<const uint8_t*>(memory.data) +
                             memory.first * static_cast<int64_t>(bytes);
    const RunForm form = schedule.operand(operand).form;
    row.in[k] = collected[k];
    row.step[k] = 1;
    if (!kLoopsTakeRows && form == RunForm::kTile) {
      CollectEach(task, operand, bytes, collected[k]);
    } else if (form == RunForm::kDirect) {
      row.in[k] = from;
    } else {
      Splat(from, bytes, collected[k]);
      row.step[k] = 0;
    }
  }
  RunRow(loop, row);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_SMALL_RESULT_INL_H_
