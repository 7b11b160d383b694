// Runs kernels that fold any number of operands into one result, from left to
// right: a few operands in registers, row by row; others block by block, in
// registers where no operand has a tile, else operand by operand.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rows/fold.cc"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "broadloom/internal/work.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/shape.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/cursor.h"
#include "kernels/rows/each_row-inl.h"
#include "kernels/rows/fold_rows-inl.h"
#include "kernels/rows/group_steps.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/run_loop-inl.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/run_task-inl.h"
#include "kernels/rows/task.h"
#include "loops/operand_memory.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// Bytes of each of the two buffers for what is accumulated. In WebAssembly they
// hold a block of rows, or half a block of f16 or bf16, which are accumulated
// in f32. Natively few folds need them, and the stack of a thread may be small.
constexpr size_t kAccumulatedBytes =
    kFoldsInRegisters ? 3072 : Schedule::kNearBlockBytes;

// The loops of a block need no memory: there are few
// (Schedule::kMostBlockLoops) and few operands.
constexpr Allocator kNoMemory = {
    [](void*, size_t, size_t) -> void* { return nullptr; },
    [](void*, void*, size_t, size_t) {}, nullptr};

// `run`, which is the kernel's combine_two or of_three, as a loop.
constexpr RowLoop LoopOf(const FoldKernel& kernel,
                         void (*run)(const Row& row)) {
  const uint8_t bytes = kernel.element_bytes;
  return {run,
          3,
          {bytes, bytes, bytes},
          bytes,
          static_cast<uint8_t>(kVectorBytes / bytes),
          true};
}

// The fold of one task. Each block is cut into boxes, as large as the buffers
// hold. For each box, one pass over its elements combines what has been
// accumulated in one buffer with the next operands, to the other buffer, and
// the last pass to the result. A larger block is one box, as its tiles take
// long to prepare: it is accumulated in the result, if that is possible. Where
// all operands so far repeat along some loops, a pass computes each element
// once.
class BlockFold {
 public:
  BlockFold(const FoldKernel& kernel, const Task& task)
      : kernel_(kernel),
        task_(task),
        nest_(task.work->nest),
        split_(task.work->schedule.split()),
        operands_(task.operand_count()),
        room_(static_cast<int64_t>(kAccumulatedBytes /
                                   kernel.combine->out_bytes)),
        in_result_(AccumulatesInResult()),
        combine_two_(LoopOf(kernel, kernel.combine_two)),
        runs_(task) {
    if (kernel.finish == nullptr) return;
    const double wide = kernel.divides ? static_cast<double>(operands_) : 1.0;
    const float narrow = static_cast<float>(wide);
    if (kernel.finish->in_bytes[1] == sizeof(wide)) {
      std::memcpy(divisor_, &wide, sizeof(wide));
    } else {
      std::memcpy(divisor_, &narrow, sizeof(narrow));
    }
  }

  void Run() {
    const int64_t step = task_.work->schedule.step_elements();
    BeginResult(runs_, task_, place_);
    for (;;) {
      FoldSteps(0, static_cast<int64_t>(runs_.count()) / step);
      if (!runs_.Next()) return;
      place_.Follow(runs_);
    }
  }

 private:
  // What a pass reads besides the operands of the fold.
  static constexpr size_t kAccumulated = SIZE_MAX;
  static constexpr size_t kDivisor = SIZE_MAX - 1;
  // The passes whose loops are kept from one box to the next.
  static constexpr size_t kKept = 3;

  // Whether what is accumulated lies in the result: blocks are larger than the
  // buffers, it has the result's type, and no operand but the first two lies
  // there. Streamed results are written once.
  bool AccumulatesInResult() const {
    const Schedule& schedule = task_.work->schedule;
    if (schedule.run_steps() * schedule.step_elements() <= room_ ||
        kernel_.convert != nullptr || task_.streams() || task_.has_result()) {
      return false;
    }
    const auto out = reinterpret_cast<uintptr_t>(task_.out);
    const uint64_t bytes =
        static_cast<uint64_t>(nest_.element_count()) * kernel_.element_bytes;
    for (size_t k = 2; k < operands_; ++k) {
      const OperandMemory& memory = task_.operands[k];
      const auto in = reinterpret_cast<uintptr_t>(memory.data);
      if (in < out + bytes && out < in + memory.bytes) return false;
    }
    return true;
  }

  // Folds `count` steps of the block's loop `depth`, at one step of each loop
  // around it: as one box, or in parts.
  void FoldSteps(size_t depth, int64_t count) {
    int64_t inner = 1;
    for (size_t loop = nest_.loop_count(); loop-- > split_ + depth + 1;) {
      inner *= nest_.extent(loop);
    }
    inner_[depth] = inner;
    const int64_t steps =
        in_result_ ? count : std::max<int64_t>(room_ / inner, 1);
    for (int64_t at = 0; at < count; at += steps) {
      begin_[depth] = at;
      if (!in_result_ && inner > room_) {
        FoldSteps(depth + 1, nest_.extent(split_ + depth + 1));
      } else {
        TakeBox(depth, std::min(steps, count - at));
        RunBox();
      }
    }
  }

  // Sets the loops of a box: so many steps of loop `depth`, and all loops
  // inside.
  void TakeBox(size_t depth, int64_t steps) {
    depth_ = depth;
    loops_ = nest_.loop_count() - std::min(nest_.loop_count(), split_ + depth);
    elements_ = 1;
    for (size_t loop = loops_; loop-- > 0;) {
      extents_[loop] = loop == 0 ? steps : nest_.extent(split_ + depth + loop);
      elements_ *= extents_[loop];
    }
  }

  void RunBox() {
    int64_t first = place_.at();
    for (size_t depth = 0; depth <= depth_; ++depth) {
      first += begin_[depth] * (task_.has_result() ? StrideOf(operands_, depth)
                                                   : inner_[depth]);
    }
    Task result = task_;
    if (task_.has_result()) {
      result.out_first = first;
    } else {
      result.out = AddBytes(static_cast<uint8_t*>(task_.out),
                            first * kernel_.element_bytes);
      result.out_first = 0;
    }
    accumulated_ = nullptr;
    accumulated_elements_ = 0;
    size_t pass = 0;
    size_t so_far = 0;
    if (kernel_.convert != nullptr) {
      RunPass(pass++, *kernel_.convert, so_far, 1, false, result);
      so_far = kAccumulated;
    }
    for (size_t k = 1; k < operands_;) {
      const RowLoop& loop = TakesTwo(k) ? combine_two_ : *kernel_.combine;
      const size_t next = k + loop.operands - 1;
      const bool ends = next == operands_ && kernel_.finish == nullptr;
      RunPass(pass++, loop, so_far, k, ends, result);
      so_far = kAccumulated;
      k = next;
    }
    if (kernel_.finish != nullptr) {
      RunPass(pass, *kernel_.finish, so_far, kDivisor, true, result);
    }
  }

  // Sets `extents` to those of what the operands 0 to `last` are combined to: 1
  // for the loops along which none of them has a stride, if a buffer holds all
  // elements then, and otherwise those of the box. Returns their elements.
  int64_t CombinedElements(size_t last, int64_t* extents) const {
    int64_t elements = 1;
    for (size_t loop = 0; loop < loops_; ++loop) {
      extents[loop] = 1;
      for (size_t k = 0; k <= last; ++k) {
        if (StrideOf(k, depth_ + loop) != 0) extents[loop] = extents_[loop];
      }
      elements *= extents[loop];
    }
    if (elements <= room_) return elements;
    std::copy_n(extents_, loops_, extents);
    return elements_;
  }

  // Whether one pass combines both operands `k` and `k` + 1: not if there are
  // fewer elements without the second one, so that a pass of its own is short.
  bool TakesTwo(size_t k) const {
    if (kernel_.combine_two == nullptr || k + 1 == operands_) return false;
    int64_t extents[Schedule::kMostBlockLoops];
    return CombinedElements(k, extents) == CombinedElements(k + 1, extents);
  }

  // The operand of a pass at place `k`: `first`, or one of those from `next`
  // on.
  static size_t OperandAt(size_t k, size_t first, size_t next) {
    return k == 0 ? first : next + k - 1;
  }

  // Runs `loop`, of one to three operands, on `first` and the operands from
  // `next` on, which are the first ones that are not combined yet, for the
  // elements of the box: to the result if the pass `ends` the fold, and
  // otherwise to what is accumulated.
  void RunPass(size_t pass, const RowLoop& loop, size_t first, size_t next,
               bool ends, const Task& result) {
    int64_t combined[Schedule::kMostBlockLoops];
    const int64_t elements =
        ends ? elements_ : CombinedElements(next + loop.operands - 2, combined);
    const int64_t* const extents = ends ? extents_ : combined;
    const Work& work =
        WorkOf(pass, loop, first, next, extents, ends && task_.has_result());
    OperandMemory memory[kMostLoopOperands];
    for (size_t k = 0; k < loop.operands; ++k) {
      memory[k] = MemoryOfBox(OperandAt(k, first, next), loop.in_bytes[k]);
    }
    Task part = result;
    if (!ends) {
      accumulated_ = in_result_ && elements == elements_
                         ? static_cast<uint8_t*>(result.out)
                         : buffers_[accumulated_ == buffers_[0]];
      part.out = accumulated_;
      part.out_first = 0;
      accumulated_elements_ = elements;
      int64_t dense = 1;
      for (size_t k = loops_; k-- > 0; dense *= extents[k]) {
        strides_[k] = extents[k] == 1 ? 0 : dense;
      }
    }
    part.work = &work;
    part.operands = memory;
    part.begin = 0;
    part.end = work.schedule.run_count();
    part.past_caches = ends && result.past_caches && !work.ScattersResult();
    if (loop.operands == 1) {
      const RowStep step = {&loop, 0};
      RunSteps({&step, 1}, part);
    } else {
      RunLoop(loop, false, part);
    }
  }

  // The loops of a pass. Those of the last box are kept if this one has as many
  // elements: then it has the same loops, since all boxes of a task are steps
  // of the same loop.
  const Work& WorkOf(size_t pass, const RowLoop& loop, size_t first,
                     size_t next, const int64_t* extents, bool has_result) {
    // All further passes share the last place.
    const size_t place = std::min(pass, kKept - 1);
    Work& work = works_[place];
    Made& made = made_[place];
    if (made.elements == elements_ && made.pass == pass) return work;
    made = {elements_, pass};
    const auto bits_of = [](size_t bytes) {
      return static_cast<uint8_t>(bytes * 8);
    };
    // The result follows the operands.
    size_t operands[kMostLoopOperands + 1];
    uint8_t bits[kMostLoopOperands + 1];
    for (size_t k = 0; k < loop.operands; ++k) {
      operands[k] = OperandAt(k, first, next);
      bits[k] = bits_of(loop.in_bytes[k]);
    }
    operands[loop.operands] = operands_;
    bits[loop.operands] = bits_of(loop.out_bytes);
    const auto stride_of = [&](size_t k, size_t loop_of_box) {
      if (operands[k] == kAccumulated) return strides_[loop_of_box];
      if (operands[k] == kDivisor) return int64_t{0};
      return StrideOf(operands[k], depth_ + loop_of_box);
    };
    const bool takes_rows = loop.operands > 1;
    const bool is_made =
        work.Reset(ShapeView(extents, loops_), stride_of,
                   {bits, size_t{loop.operands} + (has_result ? 1 : 0)},
                   bits_of(loop.out_bytes),
                   takes_rows ? KernelRuns(RunUse::kRows, LoopBytesOf(loop))
                              : RunUse::kOneByOne,
                   kNoMemory, has_result);
    (void)is_made;
    return work;
  }

  OperandMemory MemoryOfBox(size_t operand, size_t element_bytes) const {
    if (operand == kAccumulated) {
      return {accumulated_, 0,
              static_cast<uint64_t>(accumulated_elements_) * element_bytes};
    }
    if (operand == kDivisor) return {divisor_, 0, sizeof(divisor_)};
    OperandMemory memory = task_.operands[operand];
    Cursor first;
    BeginOperand(runs_, task_, operand, first);
    memory.first = first.at();
    for (size_t depth = 0; depth <= depth_; ++depth) {
      memory.first += begin_[depth] * StrideOf(operand, depth);
    }
    return memory;
  }

  // The stride of an operand along a loop of the block. A result of one element
  // has no loops.
  int64_t StrideOf(size_t operand, size_t depth) const {
    const size_t loop = split_ + depth;
    return loop < nest_.loop_count() ? nest_.stride(operand, loop) : 0;
  }

  const FoldKernel& kernel_;
  const Task& task_;
  const LoopNest& nest_;
  const size_t split_;     // the outermost loop of a block
  const size_t operands_;  // without the result
  const int64_t room_;     // elements that a buffer holds
  const bool in_result_;
  const RowLoop combine_two_;
  RunOdometer runs_;
  Cursor place_;
  // By loop of the block: where the box begins, and the elements of a step.
  int64_t begin_[Schedule::kMostBlockLoops];
  int64_t inner_[Schedule::kMostBlockLoops];
  // Of the box: its outermost loop in the block, and its loops.
  size_t depth_ = 0;
  size_t loops_ = 0;
  int64_t elements_ = 0;
  int64_t extents_[Schedule::kMostBlockLoops];
  // What has been accumulated, with its strides along the loops of the box.
  uint8_t* accumulated_ = nullptr;
  int64_t accumulated_elements_ = 0;
  int64_t strides_[Schedule::kMostBlockLoops];
  struct Made {
    int64_t elements = 0;
    size_t pass = 0;
  };
  Made made_[kKept];
  Work works_[kKept];
  uint8_t divisor_[16] = {};  // Splat may read as much
  alignas(kVectorBytes) uint8_t buffers_[2][kAccumulatedBytes];
};

// Not inline: its stack frame is large.
HWY_NOINLINE void RunBlockFold(const FoldKernel& kernel, const Task& task) {
  BlockFold(kernel, task).Run();
}

// Folds at most kMostOperands operands, of which some may have tiles. Results
// are written with ordinary stores, also where streaming ones are asked for: to
// stream them from a buffer takes 1.4 times as long with AVX-512 and 1.1 times
// with AVX2 (Zen 4, the mean of 8 folds of 100 MB).
template <size_t kMostOperands>
HWY_NOINLINE void RunFoldOnRows(const FoldKernel& kernel, Task task) {
  task.past_caches = false;
  RowFormat format = {};
  format.operands = task.operand_count();
  std::fill_n(format.in_bytes, format.operands, kernel.element_bytes);
  format.out_bytes = kernel.element_bytes;
  format.most_count = SIZE_MAX;
  format.takes_rows = true;
  ForEachRow<kMostOperands>(task, format, [&](const Row& row, const Shuffles*) {
    const FoldRow rows = {WithPlaces<kMostFused>(row), format.operands};
    const auto run = [&](const FoldRow& each)
                         HWY_ATTR { RunFused(kernel, each); };
    const auto bytes = static_cast<ptrdiff_t>(row.count * kernel.element_bytes);
    if (row.rows == 1 ||
        (row.out_step == bytes && IsLongEnough(kernel, rows))) {
      return run(rows);
    }
    ForEachSingleRow(rows, rows.operands, run);
  });
}

}  // namespace

void RunFold(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const FoldKernel&>(self);
  const size_t operands = task.operand_count();
  if (kernel.convert == nullptr && kernel.finish == nullptr) {
    if (operands == 1) {
      return MoveElements(task, kernel.element_bytes * size_t{8});
    }
    if (operands == 2) return RunLoop(*kernel.combine, false, task);
  }
  if (operands == 3 && kernel.of_three != nullptr) {
    return RunLoop(LoopOf(kernel, kernel.of_three), false, task);
  }
  if constexpr (kFoldsInRegisters) {
    // The fewer operands, the more tiles of each are kept.
    if (operands <= kMostLoopOperands) {
      return RunFoldOnRows<kMostLoopOperands>(kernel, task);
    }
    if (operands <= kMostRowOperands) {
      return RunFoldOnRows<kMostRowOperands>(kernel, task);
    }
    if (FoldsRows(kernel, task)) return RunFoldRows(kernel, task);
  }
  RunBlockFold(kernel, task);
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
