#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/sum_plan.h"
#include "broadloom/sum_stream.h"
#include "broadloom/vocabulary.h"
#include "kernels/sum/add.h"
#include "sum/panels.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::Accumulators;
using kernels::SumKernel;

// The memory is divided at multiples of so many bytes.
constexpr int64_t kAlignment = 64;
// Segments should have so many terms for each active sum: with fewer, loading
// the sums from memory takes longer than adding to them.
constexpr int64_t kManyTerms = 8;

// How many of `extent` steps to take at a time, at most `most`: so many that
// the last time has not much fewer, and a multiple of `unit` if possible.
int64_t EvenSteps(int64_t extent, int64_t most, int64_t unit) {
  if (most >= extent) return extent;
  if (most < unit) return most;
  most -= most % unit;
  return std::min(most, RoundUp(CeilDiv(extent, CeilDiv(extent, most)), unit));
}

}  // namespace

// How many bytes elements and accumulators have, and for how many bytes of them
// the memory has room.
struct SumStream::Room {
  int64_t element;
  int64_t sum;
  bool has_low;
  int64_t sums;      // room for all active sums
  int64_t segments;  // room for segments

  // Bytes of so many accumulators: of high or low parts alone, and of both.
  [[nodiscard]] int64_t PartBytes(int64_t count) const {
    return RoundUp(SaturatingAdd(SaturatingMultiply(count, sum),
                                 static_cast<int64_t>(kernels::kSlackBytes)),
                   kAlignment);
  }
  [[nodiscard]] int64_t SumsBytes(int64_t count) const {
    return SaturatingMultiply(PartBytes(count), int64_t{has_low ? 2 : 1});
  }
  // How many accumulators have room.
  [[nodiscard]] int64_t MostSums() const {
    const int64_t part = sums / (has_low ? 2 : 1) / kAlignment * kAlignment;
    return (part - static_cast<int64_t>(kernels::kSlackBytes)) / sum;
  }
};

// --- Loops ------------------------------------------------------------------

// The index behind the last loop stands for a loop of one step around all
// others.
int64_t SumStream::Extent(size_t loop) const noexcept {
  return loop < order_.loops().size() ? order_.loops()[loop].extent : 1;
}

int64_t SumStream::StrideOf(size_t loop) const noexcept {
  return loop < order_.loops().size() ? order_.loops()[loop].stride
                                      : order_.elements();
}

bool SumStream::IsKept(size_t loop) const noexcept {
  return loop >= order_.loops().size() || !order_.loops()[loop].summed;
}

// Accumulators of one step of a kept loop.
int64_t SumStream::SumsPerStep(size_t loop) const noexcept {
  if (!order_.folds() && order_.IsColumns(loop)) return 1;
  int64_t sums = order_.columns();
  for (size_t i = order_.folded_loops(); i < loop && i < order_.loops().size();
       ++i) {
    if (IsKept(i) && !order_.IsColumns(i)) {
      sums = SaturatingMultiply(sums, Extent(i));
    }
  }
  return loop < order_.loops().size()
             ? sums
             : SaturatingMultiply(sums, order_.partials());
}

int64_t SumStream::OutputsPerStep(size_t loop) const noexcept {
  int64_t outputs = 1;
  for (size_t i = 0; i < loop && i < order_.loops().size(); ++i) {
    if (IsKept(i)) outputs *= Extent(i);
  }
  return outputs;
}

int64_t SumStream::ActiveEnd() const noexcept {
  return std::min(SaturatingAdd(active_begin_, active_steps_),
                  Extent(active_loop_));
}

// Steps of segment_loop_, or of a loop outside it, that are added next.
int64_t SumStream::StepsAdded(size_t loop) const noexcept {
  if (loop == segment_loop_) {
    const int64_t end = loop == active_loop_ ? ActiveEnd() : Extent(loop);
    return std::min(segment_steps_, end - at_[loop]);
  }
  if (segment_loop_ == active_loop_ && loop == active_loop_ + 1) {
    return std::min(segment_rows_, Extent(loop) - at_[loop]);
  }
  return 1;
}

// --- Dividing the memory ----------------------------------------------------

Result<SumStream> SumStream::Make(const SumPlan& plan, size_t memory_bytes,
                                  SumInput from,
                                  const Allocator& allocator) noexcept {
  Result<SumStream> stream;
  if (Status begun = stream->Begin(plan, memory_bytes, from, allocator);
      !begun) {
    stream = std::unexpected(begun.error());
  }
  return stream;
}

Result<SumStream> SumStream::Make(DType dtype, ShapeView input, ShapeView shape,
                                  size_t memory_bytes,
                                  const SumToOptions& options, SumInput from,
                                  const Allocator& allocator) noexcept {
  const Result<SumPlan> plan =
      SumPlan::Make(dtype, input, shape, options, {}, allocator);
  if (!plan) return std::unexpected(plan.error());
  return Make(*plan, memory_bytes, from, allocator);
}

Status SumStream::Begin(const SumPlan& plan, size_t memory_bytes, SumInput from,
                        const Allocator& allocator) noexcept {
  if (Status made = plan.CheckMade(); !made) return made;
  kind_ = plan.kind_;
  from_ = from;
  dtype_ = plan.dtype();
  rule_ = plan.rule();
  kernel_ = plan.kernel_;
  input_bytes_ = plan.input_bytes();
  output_bytes_ = plan.output_bytes();
  if (output_bytes_ == 0) return {};
  if (kind_ == SumPlan::Kind::kSummed &&
      (!plan.CopyOrderOfDense(order_, allocator) ||
       !at_.Reset(order_.loops().size() + 1, allocator))) {
    return std::unexpected(
        Error{.error_class = ErrorClass::kAllocation, .rule = rule_});
  }
  return DivideMemory(memory_bytes);
}

Status SumStream::DivideMemory(size_t memory_bytes) noexcept {
  const int64_t memory = static_cast<int64_t>(
      std::min<uint64_t>(memory_bytes, INT64_MAX / kAlignment * kAlignment));
  const auto too_small = [&](int64_t needed) {
    return std::unexpected(Error{.error_class = ErrorClass::kLimit,
                                 .detail = Detail::kMemory,
                                 .rule = rule_,
                                 .extent = needed,
                                 .other_extent = memory});
  };
  if (kind_ != SumPlan::Kind::kSummed) {
    if (memory < kAlignment) return too_small(kAlignment);
    segment_bytes_ = static_cast<size_t>(
        std::min(static_cast<uint64_t>(memory / kAlignment * kAlignment),
                 RoundUp<uint64_t>(output_bytes_, kAlignment)));
    return {};
  }
  Room room = {.element = static_cast<int64_t>(kernel_->element_bytes),
               .sum = static_cast<int64_t>(kernel_->sum_bytes),
               .has_low = kernel_->has_low,
               .sums = memory / 2,
               .segments = memory / 2 / kAlignment * kAlignment};
  // The fewest sums that can be active, and the smallest segment beside them.
  size_t least = order_.loops().size();
  for (size_t i = least;
       order_.partials() == 1 && i-- > order_.folded_loops();) {
    if (IsKept(i)) least = i;
  }
  const int64_t least_sums = room.SumsBytes(SumsPerStep(least));
  const bool brought = from_ == SumInput::kBrought;
  const int64_t least_segment =
      RoundUp(SaturatingMultiply(
                  std::max(brought && order_.folds() ? order_.columns() : 1,
                           OutputsPerStep(least)),
                  room.element),
              kAlignment);
  if (least_sums > room.sums || least_segment > room.segments) {
    room.sums = std::max(room.sums, least_sums);
    room.segments = (memory - room.sums) / kAlignment * kAlignment;
    if (room.segments < least_segment) {
      room.sums = least_sums;
      room.segments = (memory - least_sums) / kAlignment * kAlignment;
    }
    if (room.segments < least_segment) {
      return too_small(SaturatingAdd(least_sums, least_segment));
    }
  }
  if (!brought) room.segments = INT64_MAX;
  // From the outermost loop inwards: the further outside, the longer is the
  // input read in its own order.
  size_t loop = order_.loops().size();
  while (!ActivateAt(loop, room) && loop != least) {
    do --loop;
    while (!IsKept(loop));
  }
  const int64_t sums = SumsPerStep(active_loop_) * active_steps_;
  low_begin_ = static_cast<size_t>(room.PartBytes(sums));
  sums_bytes_ = static_cast<size_t>(room.SumsBytes(sums));
  const int64_t segments =
      brought ? segment_rows_ * segment_steps_ * StrideOf(segment_loop_) : 0;
  const int64_t outputs = OutputsPerStep(active_loop_) * active_steps_;
  segment_bytes_ = static_cast<size_t>(
      RoundUp(SaturatingMultiply(std::max(segments, outputs), room.element),
              kAlignment));
  return {};
}

// Makes sums of steps of `loop` active, as many as have room. Returns whether
// segments have so many terms for each of them that it pays.
bool SumStream::ActivateAt(size_t loop, const Room& room) noexcept {
  const int64_t most_sums = room.MostSums() / SumsPerStep(loop);
  active_loop_ = loop;
  active_steps_ = std::min(Extent(loop), std::max<int64_t>(most_sums, 1));
  if (loop < order_.loops().size()) {
    // The loop around it is summed.
    const int64_t rows =
        loop + 1 < order_.loops().size() ? Extent(loop + 1) : 1;
    int64_t inside = 1;
    for (size_t i = 0; i < loop; ++i) {
      if (!IsKept(i)) inside *= Extent(i);
    }
    const int64_t wanted =
        inside >= kManyTerms ? 1 : std::min(rows, kManyTerms);
    const int64_t most = room.segments / room.element / wanted / StrideOf(loop);
    active_steps_ = std::min(active_steps_, std::max<int64_t>(most, 1));
  }
  active_steps_ =
      EvenSteps(Extent(loop), active_steps_, loop == 0 ? kAlignment : 1);
  CutSegments(room);
  if (most_sums <= 0) return false;
  int64_t terms = segment_rows_;  // of segments that are added together
  for (size_t i = 0; i < segment_loop_; ++i) {
    if (!IsKept(i)) terms *= Extent(i);
  }
  if (!IsKept(segment_loop_)) terms *= segment_steps_;
  return terms >= kManyTerms || segment_loop_ >= order_.loops().size();
}

void SumStream::CutSegments(const Room& room) noexcept {
  const int64_t most = room.segments / room.element;
  segment_rows_ = 1;
  segment_loop_ = active_loop_;
  if (active_steps_ <= most / StrideOf(active_loop_)) {
    segment_steps_ = active_steps_;
    if (active_loop_ + 1 < order_.loops().size()) {
      const int64_t extent = Extent(active_loop_ + 1);
      segment_rows_ =
          EvenSteps(extent, most / (active_steps_ * StrideOf(active_loop_)), 1);
    }
    return;
  }
  while (most / StrideOf(segment_loop_) < order_.StepsTogether(segment_loop_)) {
    --segment_loop_;
  }
  // Rows are not cut; where single elements are steps, vectors are not.
  const int64_t together = order_.StepsTogether(segment_loop_);
  const int64_t unit =
      together == 1 && segment_loop_ == 0 ? kAlignment : together;
  const int64_t extent =
      segment_loop_ == active_loop_ ? active_steps_ : Extent(segment_loop_);
  segment_steps_ = EvenSteps(extent, most / StrideOf(segment_loop_), unit);
}

// --- Segments ---------------------------------------------------------------

Segments SumStream::input() const noexcept {
  if (done() || kind_ == SumPlan::Kind::kZero) return {};
  if (kind_ == SumPlan::Kind::kCopied) {
    const uint64_t bytes =
        std::min<uint64_t>(segment_bytes_, output_bytes_ - result_end_);
    return {result_end_, bytes, 1, bytes};
  }
  const uint64_t element = kernel_->element_bytes;
  int64_t first = 0;
  for (size_t i = segment_loop_; i < order_.loops().size(); ++i) {
    first += at_[i] * StrideOf(i);
  }
  const uint64_t bytes = static_cast<uint64_t>(StepsAdded(segment_loop_) *
                                               StrideOf(segment_loop_)) *
                         element;
  const uint64_t begin = static_cast<uint64_t>(first) * element;
  const bool has_rows = segment_loop_ == active_loop_ &&
                        segment_loop_ + 1 < order_.loops().size();
  if (!has_rows) return {begin, bytes, 1, bytes};
  const uint64_t rows = static_cast<uint64_t>(StepsAdded(segment_loop_ + 1));
  const uint64_t step =
      static_cast<uint64_t>(StrideOf(segment_loop_ + 1)) * element;
  if (step == bytes) return {begin, bytes * rows, 1, bytes * rows};
  return {begin, bytes, rows, step};
}

Status SumStream::Add(std::span<std::byte> memory, const void* input) noexcept {
  if (done()) {
    return std::unexpected(Error{.error_class = ErrorClass::kExtent,
                                 .detail = Detail::kOutOfRange,
                                 .rule = rule_,
                                 .operand = 0,
                                 .extent = ToInt64(input_bytes_),
                                 .other_extent = ToInt64(input_bytes_)});
  }
  if (memory.size() < memory_bytes()) {
    return std::unexpected(Error{.error_class = ErrorClass::kLength,
                                 .detail = Detail::kMemory,
                                 .rule = rule_,
                                 .extent = ToInt64(memory.size()),
                                 .other_extent = ToInt64(memory_bytes())});
  }
  if (reinterpret_cast<uintptr_t>(memory.data()) % kAlignment != 0) {
    return std::unexpected(Error{.error_class = ErrorClass::kLength,
                                 .detail = Detail::kMisaligned,
                                 .rule = rule_});
  }
  if (input == nullptr && from_ != SumInput::kBrought &&
      kind_ != SumPlan::Kind::kZero) {
    return std::unexpected(Error{.error_class = ErrorClass::kLength,
                                 .rule = rule_,
                                 .operand = 0,
                                 .other_extent = ToInt64(input_bytes_),
                                 .dtype = dtype_});
  }
  result_begin_ = uint64_t{result_end_};
  const Segments segments = this->input();
  added_bytes_ += segments.bytes * segments.count;
  const bool brought = from_ == SumInput::kBrought;
  const auto* const whole = static_cast<const std::byte*>(input);
  if (kind_ == SumPlan::Kind::kSummed) {
    if (brought) {
      AddSegments(memory.data(), memory.data(), memory.data() + segment_bytes_);
    } else {
      AddSegments(memory.data(), whole + segments.begin, whole + input_bytes_);
    }
    if (!AdvanceInput()) Finish(memory.data());
    return {};
  }
  const uint64_t bytes =
      std::min<uint64_t>(segment_bytes_, output_bytes_ - result_end_);
  if (kind_ == SumPlan::Kind::kZero) {
    std::memset(memory.data(), 0, static_cast<size_t>(bytes));
  } else if (!brought) {
    std::memcpy(memory.data(), whole + segments.begin,
                static_cast<size_t>(bytes));
  }
  result_end_ = result_end_ + bytes;
  return {};
}

// --- Sums -------------------------------------------------------------------

Accumulators SumStream::Sums(std::byte* memory) const noexcept {
  auto* const sums = reinterpret_cast<unsigned char*>(memory + segment_bytes_);
  return {sums, sums + (sums_bytes_ == low_begin_ ? 0 : low_begin_)};
}

void SumStream::AddSegments(std::byte* memory, const std::byte* in,
                            const std::byte* end) const noexcept {
  const SumKernel& kernel = *kernel_;
  const std::span<const SumOrder::Loop> loops = order_.loops();
  SumPanels::Loop box[SumOrder::kMostLoops];
  int64_t first_sum = 0;
  bool begins = true;
  for (size_t i = 0; i < loops.size(); ++i) {
    // Rows that were copied lie side by side.
    const bool adjoins = from_ == SumInput::kBrought &&
                         segment_loop_ == active_loop_ && i == active_loop_ + 1;
    const int64_t stride =
        adjoins ? StepsAdded(segment_loop_) * StrideOf(segment_loop_)
                : loops[i].stride;
    box[i] = {static_cast<size_t>(i < segment_loop_ ? loops[i].extent
                                                    : StepsAdded(i)),
              static_cast<ptrdiff_t>(stride) *
                  static_cast<ptrdiff_t>(kernel.element_bytes)};
    if (i < segment_loop_) continue;
    if (!loops[i].summed) {
      if (i <= active_loop_) {
        first_sum +=
            (at_[i] - (i == active_loop_ ? active_begin_ : 0)) * SumsPerStep(i);
      }
    } else if (at_[i] != 0 && i != order_.partials_loop()) {
      begins = false;
    }
  }
  const size_t most = SumOrder::kGroupBytes / kernel.sum_bytes;
  const SumPanels panels(order_, kernel, box, in, end, most);
  const size_t columns = static_cast<size_t>(order_.columns());
  const int64_t partial_sums = order_.groups() * order_.columns();
  // The steps of the split loop may belong to several partial sums.
  const size_t split = order_.partials_loop();
  const int64_t begin = at_[split];
  const int64_t steps = static_cast<int64_t>(box[split].extent);
  for (int64_t partial = 0; partial < order_.partials(); ++partial) {
    const int64_t partial_begin = order_.PartialBegin(partial);
    const int64_t from = std::max(begin, partial_begin);
    const int64_t to =
        std::min(begin + steps, order_.PartialBegin(partial + 1));
    if (from >= to) continue;
    const Accumulators sums = kernel.At(
        Sums(memory), static_cast<size_t>(partial * partial_sums + first_sum));
    for (size_t i = 0; i < panels.count(); ++i) {
      const SumPanels::Panel panel = panels.At(i);
      panels.Add(
          panel,
          {static_cast<size_t>(from - begin), static_cast<size_t>(to - begin)},
          begins && from == partial_begin,
          kernel.At(sums, panel.first_group * columns + panel.first_column));
    }
  }
}

// Goes on along a loop. At its end, goes back to its beginning and returns
// false.
bool SumStream::Advance(size_t loop) noexcept {
  at_[loop] += StepsAdded(loop);
  if (at_[loop] < (loop == active_loop_ ? ActiveEnd() : Extent(loop)))
    return true;
  at_[loop] = loop == active_loop_ ? active_begin_ : 0;
  return false;
}

// Goes on to the next segments. Returns false when the active sums are
// complete.
bool SumStream::AdvanceInput() noexcept {
  for (size_t i = segment_loop_; i < order_.loops().size(); ++i) {
    if ((i <= active_loop_ || !IsKept(i)) && Advance(i)) return true;
  }
  return false;
}

// Writes the active sums to the memory's beginning, and makes the next ones
// active.
void SumStream::Finish(std::byte* memory) noexcept {
  const SumKernel& kernel = *kernel_;
  const Accumulators sums = Sums(memory);
  const int64_t steps = ActiveEnd() - active_begin_;
  const size_t outputs =
      static_cast<size_t>(OutputsPerStep(active_loop_) * steps);
  const size_t partials = static_cast<size_t>(order_.partials());
  const size_t partial_sums =
      static_cast<size_t>(SumsPerStep(active_loop_) * steps) / partials;
  for (size_t partial = 0; partial < partials; ++partial) {
    const Accumulators own = kernel.At(sums, partial * partial_sums);
    if (order_.folds()) {
      FoldColumns(order_, kernel, own,
                  partial_sums / static_cast<size_t>(order_.columns()));
    }
    if (partial > 0) kernel.merge(sums, own, outputs);
  }
  kernel.store(sums, memory, outputs);
  result_end_ = result_end_ + outputs * kernel.element_bytes;
  active_begin_ = ActiveEnd();
  if (active_begin_ == Extent(active_loop_)) active_begin_ = 0;
  at_[active_loop_] = active_begin_;
  if (active_begin_ != 0) return;
  for (size_t i = active_loop_ + 1; i < order_.loops().size(); ++i) {
    if (!IsKept(i)) continue;
    if (++at_[i] < Extent(i)) return;
    at_[i] = 0;
  }
}

}  // namespace v1
}  // namespace broadloom
