// Runs kernels that fold any number of operands into one result, from left to
// right: block by block, and in each block operand by operand.

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
#include "broadloom/memory.h"
#include "broadloom/shape.h"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/rows/cursor.h"
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

// No number type is accumulated in a wider one than twice its own.
constexpr size_t kAccumulatedBytes = 2 * Schedule::kBlockBytes;

// Memory for the loops of a block is never asked for: there are few loops
// (Schedule::kMostBlockLoops) and operands.
constexpr Allocator kNoMemory = {
    [](void*, size_t, size_t) -> void* { return nullptr; },
    [](void*, void*, size_t, size_t) {}, nullptr};

// Folds the blocks of a task.
class BlockFold {
 public:
  BlockFold(const FoldKernel& kernel, const Task& task)
      : kernel_(kernel),
        task_(task),
        operands_(task.work->nest.operand_count()),
        runs_(task),
        in_result_(AccumulatesInResult()) {
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
    Cursor place;
    BeginResult(runs_, task_, 0, place);
    for (;;) {
      RunBox(0, static_cast<int64_t>(runs_.count()) / task_.work->schedule.step_elements(), AddBytes(static_cast<uint8_t*>(task_.out),
                        place.at() * kernel_.element_bytes));
      if (!runs_.Next()) return;
      place.Follow(runs_);
    }
  }

 private:
  // What a pass reads besides the operands of the fold.
  static constexpr size_t kAccumulated = SIZE_MAX;
  static constexpr size_t kDivisor = SIZE_MAX - 1;
  // The passes whose loops are kept from one block to the next.
  static constexpr size_t kKept = kInlineOperands + 1;

  // Whether what is accumulated lies in the result: it has the same type, and
  // no operand but the first two is in the result's memory.
  bool AccumulatesInResult() const {
    if (kernel_.convert != nullptr || task_.streams()) return false;
    const auto out = reinterpret_cast<uintptr_t>(task_.out);
    const uint64_t bytes =
        static_cast<uint64_t>(task_.work->nest.element_count()) *
        kernel_.element_bytes;
    for (size_t k = 2; k < operands_; ++k) {
      const OperandMemory& memory = task_.operands[k];
      const auto in = reinterpret_cast<uintptr_t>(memory.data);
      if (in < out + bytes && out < in + memory.bytes) return false;
    }
    return true;
  }

  // Folds `extent` steps of loop `loop` of the nest, of which the loops around
  // are at index_, cut so that the accumulator is large enough.
  void RunBox(size_t depth, int64_t extent, uint8_t* out) {
    const LoopNest& nest = task_.work->nest;
    const size_t first = task_.work->schedule.split() + depth;
    int64_t inner = 1;
    for (size_t loop = nest.loop_count(); loop-- > first + 1;) {
      inner *= nest.extent(loop);
    }
    const int64_t most = in_result_ ? INT64_MAX
                                    : static_cast<int64_t>(kAccumulatedBytes / kernel_.combine->out_bytes);
    if (extent <= most / inner) {
      begin_[depth] = 0;
      TakeBox(depth, extent);
      RunBlock(out);
      return;
    }
    const int64_t steps = std::max<int64_t>(most / inner, 1);
    for (int64_t at = 0; at < extent; at += steps) {
      begin_[depth] = at;
      uint8_t* const to = out + at * inner * kernel_.element_bytes;
      if (inner > most) {
        RunBox(depth + 1, nest.extent(first + 1), to);
      } else {
        TakeBox(depth, std::min(steps, extent - at));
        RunBlock(to);
      }
    }
  }

  // The loops of a block, and the strides of what has been accumulated.
  void TakeBox(size_t depth, int64_t extent) {
    const LoopNest& nest = task_.work->nest;
    depth_ = depth;
    first_loop_ = task_.work->schedule.split() + depth;
    loops_ = nest.loop_count() - first_loop_;
    int64_t inner = 1;
    for (size_t loop = loops_; loop-- > 0;) {
      dense_[loop] = inner;
      extents_[loop] = loop == 0 ? extent : nest.extent(first_loop_ + loop);
      inner *= extents_[loop];
    }
    count_ = inner;
  }

  void RunBlock(uint8_t* out) {
    accumulator_ = in_result_ ? out : accumulated_;
    const bool finishes = kernel_.finish != nullptr;
    size_t pass = 0;
    size_t so_far = 0;
    if (kernel_.convert != nullptr) {
      const RowStep convert = {kernel_.convert, 0};
      const size_t operand[] = {so_far};
      RunPass(pass++, *kernel_.convert, operand, accumulator_,
              [&](const Task& part) { RunSteps({&convert, 1}, part); });
      so_far = kAccumulated;
    }
    for (size_t k = 1; k < operands_; ++k) {
      const bool ends = k + 1 == operands_ && !finishes;
      RunLoopPass(pass++, *kernel_.combine, so_far, k,
                  ends ? out : accumulator_);
      so_far = kAccumulated;
    }
    if (finishes) {
      RunLoopPass(pass, *kernel_.finish, so_far, kDivisor, out);
    }
  }

  void RunLoopPass(size_t pass, const RowLoop& loop, size_t lhs, size_t rhs,
                   uint8_t* to) {
    const size_t operands[] = {lhs, rhs};
    RunPass(pass, loop, operands, to,
            [&](const Task& part) { RunLoop(loop, false, part); });
  }

  // to = loop(operands...) for the elements of the block.
  template <size_t kOperands, class RunPart>
  void RunPass(size_t pass, const RowLoop& loop,
               const size_t (&operands)[kOperands], uint8_t* to,
               const RunPart& run) {
    Work& work = WorkOf(pass, loop, operands);
    OperandMemory memory[kOperands];
    for (size_t k = 0; k < kOperands; ++k) {
      memory[k] = MemoryOfBlock(operands[k], loop.in_bytes[k]);
    }
    run({.work = &work,
         .operands = memory,
         .out = to,
         .out_first = 0,
         .begin = 0,
         .end = work.schedule.run_count(),
         .past_caches = !in_result_ && to != accumulated_ && task_.past_caches});
  }

  template <size_t kOperands>
  Work& WorkOf(size_t pass, const RowLoop& loop,
               const size_t (&operands)[kOperands]) {
    // All further passes share the last place.
    const size_t place = pass < kKept ? pass : kKept - 1;
    Work& work = works_[place];
    if (made_for_[place].count == count_ && made_for_[place].pass == pass) {
      return work;
    }
    made_for_[place] = {count_, pass};
    uint8_t bits[kOperands];
    for (size_t k = 0; k < kOperands; ++k) {
      bits[k] = static_cast<uint8_t>(loop.in_bytes[k] * 8);
    }
    const LoopNest& nest = task_.work->nest;
    const bool is_made = work.Reset(
        ShapeView(extents_, loops_),
        [&](size_t k, size_t axis) {
          switch (operands[k]) {
            case kAccumulated:
              return dense_[axis];
            case kDivisor:
              return int64_t{0};
            default:
              return nest.stride(operands[k], first_loop_ + axis);
          }
        },
        bits, static_cast<uint8_t>(loop.out_bytes * 8),
        kLoopsTakeRows && kOperands > 1 ? RunUse::kRows : RunUse::kOneByOne,
        kNoMemory);
    (void)is_made;
    return work;
  }

  OperandMemory MemoryOfBlock(size_t operand, size_t element_bytes) const {
    switch (operand) {
      case kAccumulated:
        return {accumulator_, 0, static_cast<uint64_t>(count_) * element_bytes};
      case kDivisor:
        return {divisor_, 0, sizeof(divisor_)};
      default: {
        OperandMemory memory = task_.operands[operand];
        Cursor first;
        BeginOperand(runs_, task_, operand, first);
        memory.first = first.at();
        for (size_t depth = 0; depth <= depth_; ++depth) memory.first += begin_[depth] * task_.work->nest.stride(operand, task_.work->schedule.split() + depth);
        return memory;
      }
    }
  }

  const FoldKernel& kernel_;
  const Task& task_;
  const size_t operands_;
  RunOdometer runs_;
  const bool in_result_;
  uint8_t* accumulator_ = nullptr;
  size_t depth_ = 0;
  size_t first_loop_ = 0;
  int64_t begin_[Schedule::kMostBlockLoops];
  int64_t count_ = 0;  // elements of the block
  size_t loops_ = 0;   // of the block
  int64_t extents_[Schedule::kMostBlockLoops];
  int64_t dense_[Schedule::kMostBlockLoops];
  struct {
    int64_t count = 0;
    size_t pass = 0;
  } made_for_[kKept];
  Work works_[kKept];
  uint8_t divisor_[16] = {};  // Splat may read as much
  alignas(kVectorBytes) uint8_t accumulated_[kAccumulatedBytes];
};

}  // namespace

void RunFold(const Kernel& self, const Task& task) {
  const auto& kernel = static_cast<const FoldKernel&>(self);
  if (kernel.convert == nullptr && kernel.finish == nullptr) {
    switch (task.work->nest.operand_count()) {
      case 1:
        MoveElements(task, kernel.element_bytes * size_t{8});
        return;
      case 2:
        RunLoop(*kernel.combine, false, task);
        return;
      default:
        break;
    }
  }
  BlockFold(kernel, task).Run();
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();
