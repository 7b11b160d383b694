// Moves elements of 4 bits and of 1 bit.

#if defined(BROADLOOM_KERNELS_ROWS_PACKED_MOVER_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_ROWS_PACKED_MOVER_INL_H_
#undef BROADLOOM_KERNELS_ROWS_PACKED_MOVER_INL_H_
#else
#define BROADLOOM_KERNELS_ROWS_PACKED_MOVER_INL_H_
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "hwy/highway.h"
#include "kernels/rows/copy_bits-inl.h"
#include "kernels/rows/destination-inl.h"
#include "kernels/rows/expander-inl.h"
#include "kernels/rows/pack-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_odometer.h"
#include "kernels/rows/task.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {

// Moves the elements of an operand to the result. Consecutive elements and
// single ones are copied and filled as they are; repeats are copied from their
// first copy in the result. Small loops of both, and elements that lie apart,
// are unpacked, expanded and packed.
class PackedMover {
 public:
  HWY_NOINLINE PackedMover(const Task& task, size_t bits)
      : bits_(bits),
        nest_(task.work->nest),
        data_(static_cast<const uint8_t*>(task.operands[0].data)),
        readable_(task.operands[0].Readable(bits)),
        has_gaps_(task.operands[0].has_gaps()),
        out_(static_cast<uint8_t*>(task.out)) {
    const size_t loops = nest_.loop_count();
    forms_[loops] = Form::kDirect;
    bool one = true;
    bool dense = true;
    size_t tile = loops;
    int64_t elements = 1;
    for (size_t loop = loops; loop-- > 0;) {
      const int64_t stride = nest_.stride(0, loop);
      units_[loop] = elements;
      dense = dense && stride == elements;
      one = one && stride == 0;
      forms_[loop] = dense         ? Form::kDirect
                     : one         ? Form::kConstant
                     : stride == 0 ? Form::kRepeated
                     : elements <= MostTileUnit(forms_[loop + 1])
                         ? Form::kTile
                         : Form::kSteps;
      if (forms_[loop] == Form::kTile) tile = loop;
      elements *= nest_.extent(loop);
    }
    if (tile != loops) PrepareTiles(tile);
  }

  // Moves elements [begin, end) of the nest, the first of them to element `to`
  // of the result. `first` is the element with which the operand begins.
  void Move(int64_t first, int64_t begin, int64_t end, int64_t to) {
    MoveLoops(0, first, begin, end, to);
  }

 private:
  // How the loops from one loop inwards are moved.
  enum class Form : uint8_t {
    kDirect,    // consecutive elements, copied
    kConstant,  // one element, filled
    kRepeated,  // moved once and then repeated
    kTile,      // unpacked, expanded tile by tile, and packed
    kSteps,     // step by step
  };
  // A loop has at least two steps, and the product of all steps fits an
  // int64_t.
  static constexpr size_t kMostLoops = 63;
  // Steps of more elements than this are moved one by one rather than by tiles.
  // It is more for repeats, each of which takes several copies.
  static constexpr int64_t MostTileUnit(Form inside) {
    return inside == Form::kRepeated ? 2048 : 256;
  }
  static constexpr int64_t kTileElements = Schedule::kTileBytes;
  static constexpr int64_t kWholeSteps = 64;

  // Moves the loops from `loop` inwards.
  void MoveLoops(size_t loop, int64_t first, int64_t begin, int64_t end,
                 int64_t to) {
    const int64_t count = end - begin;
    switch (forms_[loop]) {
      case Form::kDirect:
        CopyBits(bits_, data_, Bit(first + begin), Bit(count), out_, Bit(to));
        return;
      case Form::kConstant:
        FillBits(bits_, data_, Bit(first), Bit(count), out_, Bit(to));
        return;
      case Form::kRepeated: {
        // One whole step, which may begin in the middle.
        const int64_t unit = units_[loop];
        const int64_t skipped = begin % unit;
        const int64_t once = std::min(count, unit);
        const int64_t head = std::min(once, unit - skipped);
        MoveLoops(loop + 1, first, skipped, skipped + head, to);
        if (once != head) {
          MoveLoops(loop + 1, first, 0, once - head, to + head);
        }
        RepeatBits(bits_, Bit(once), Bit(count - once), out_, Bit(to));
        return;
      }
      case Form::kTile:
        MoveTiles(loop, first, begin, end, to);
        return;
      case Form::kSteps:
        break;
    }
    const int64_t unit = units_[loop];
    const int64_t stride = nest_.stride(0, loop);
    while (begin < end) {
      const int64_t skipped = begin % unit;
      const int64_t n = std::min(end - begin, unit - skipped);
      MoveLoops(loop + 1, first + begin / unit * stride, skipped, skipped + n,
                to);
      begin += n;
      to += n;
    }
  }

  // A tile has as many steps as fit into it and, unpacked, into unpacked_.
  HWY_NOINLINE void PrepareTiles(size_t loop) {
    int64_t inside = 0;
    for (size_t inner = loop + 1; inner < nest_.loop_count(); ++inner) {
      const int64_t reach = (nest_.extent(inner) - 1) * nest_.stride(0, inner);
      before_ -= std::min<int64_t>(reach, 0);
      inside += reach < 0 ? -reach : reach;
    }
    const int64_t stride = nest_.stride(0, loop);
    const int64_t length = stride < 0 ? -stride : stride;
    const int64_t fitting = (kTileElements - 1 - inside) / length + 1;
    steps_ = std::min(nest_.extent(loop), kTileElements / units_[loop]);
    one_by_one_ = has_gaps_ || inside >= kTileElements ||
                  std::min(fitting, steps_) * units_[loop] < kWholeSteps;
    if (!one_by_one_) steps_ = std::min(steps_, fitting);
    // Tiles then begin at whole vectors.
    if (steps_ < nest_.extent(loop) && steps_ > kWholeSteps) {
      steps_ -= steps_ % kWholeSteps;
    }
    reach_ = inside + (steps_ - 1) * length + 1;
    if (stride < 0) before_ += (steps_ - 1) * length;
    expander_.Prepare(nest_, 0, loop, steps_, 1, nest_.element_count(),
                      unpacked_, false, false, false);
  }

  HWY_NOINLINE void MoveTiles(size_t loop, int64_t first, int64_t begin,
                              int64_t end, int64_t to) {
    // Expanding may write whole vectors.
    alignas(kVectorBytes) uint8_t tile[kTileElements + kVectorBytes];
    const int64_t tile_elements = steps_ * units_[loop];
    first += begin / tile_elements * steps_ * nest_.stride(0, loop);
    int64_t skipped = begin % tile_elements;
    end -= begin - skipped;
    while (end > 0) {
      const int64_t count = std::min(end, tile_elements);
      const size_t made = static_cast<size_t>(count);
      if (one_by_one_) {
        expander_.loops().ForEachSource(made, [&](size_t i, int64_t source) {
          tile[i] = UnpackOne(data_, Bit(first + source), bits_);
        });
      } else {
        // The operand may begin after, or end before, what a whole tile reads.
        const int64_t lowest = std::max<int64_t>(first - before_, 0);
        const int64_t beyond = std::min(first - before_ + reach_, readable_);
        Unpack(data_, Bit(lowest), bits_, static_cast<size_t>(beyond - lowest),
               unpacked_);
        expander_.Expand(unpacked_ + (first - lowest), made, tile,
                         tile + sizeof(tile));
      }
      Pack(tile + skipped, bits_, static_cast<size_t>(count - skipped), out_,
           Bit(to));
      to += count - skipped;
      skipped = 0;
      end -= count;
      first += steps_ * nest_.stride(0, loop);
    }
  }

  uint64_t Bit(int64_t element) const {
    return static_cast<uint64_t>(element) * bits_;
  }

  const size_t bits_;
  const LoopNest& nest_;
  const uint8_t* const data_;
  const int64_t readable_;
  const bool has_gaps_;
  uint8_t* const out_;
  Form forms_[kMostLoops + 1];
  int64_t units_[kMostLoops];  // elements of one step of each loop
  // Tiles: the steps of one; how many elements it reads, gaps included, and how
  // many of them lie before the one it begins with; whether those are too many,
  // so that they are unpacked one by one.
  int64_t steps_ = 0;
  int64_t reach_ = 0;
  int64_t before_ = 0;
  bool one_by_one_ = false;
  Expander expander_;
  // The elements that a tile reads, unpacked. Whole vectors may be read.
  alignas(kVectorBytes) uint8_t unpacked_[kTileElements + 2 * kVectorBytes];
};

// How many elements of the result come before run `run`.
inline int64_t ElementsBefore(const Schedule& schedule, int64_t run) {
  const int64_t turns = run / schedule.runs_a_turn();
  const int64_t steps = run % schedule.runs_a_turn() * schedule.run_steps();
  return (turns * schedule.split_extent() + steps) * schedule.step_elements();
}

// Runs a task that moves elements of 4 bits or 1 bit: all runs at once if their
// results are consecutive.
HWY_NOINLINE inline void MovePacked(const Task& task, size_t bits) {
  int64_t begin = ElementsBefore(task.work->schedule, task.begin);
  const int64_t end = ElementsBefore(task.work->schedule, task.end);
  if (begin == end) return;
  PackedMover mover(task, bits);
  const int64_t first = task.operands[0].first;
  if (!task.has_result()) {
    mover.Move(first, begin, end, task.out_first + begin);
    return;
  }
  RunOdometer runs(task);
  Destination place(runs, task, bits);
  for (;;) {
    const size_t count = runs.count();
    place.ForEachPiece(
        0, count, [&](size_t i, int64_t to, int64_t step, size_t n) {
          const int64_t from = begin + static_cast<int64_t>(i);
          const int64_t pieces = step == 1 ? 1 : static_cast<int64_t>(n);
          const int64_t each = static_cast<int64_t>(n) / pieces;
          for (int64_t k = 0; k < pieces; ++k) {
            mover.Move(first, from + k, from + k + each, to + k * step);
          }
        });
    begin += static_cast<int64_t>(count);
    if (!runs.Next()) return;
    place.Follow(runs);
  }
}

// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_ROWS_PACKED_MOVER_INL_H_
