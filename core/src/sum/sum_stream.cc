#include "broadloom/sum_stream.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/sum_to.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "kernels/sum/reduce.h"
#include "sum/sum_loops.h"
#include "sum/sum_walk.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::Accumulators;
using kernels::SumKernel;

constexpr int64_t kPlace = 64;
// What is added at once to as many sums of a piece: less often, and bringing
// the sums from memory would take longer than adding.
constexpr int64_t kManyTerms = 8;

// At most `most` of `extent` steps, in pieces alike rather than with a small
// one at the end; in whole multiples of `unit`, if there are such.
int64_t Even(int64_t extent, int64_t most, int64_t unit) {
  if (most >= extent) return extent;
  if (most < unit) return most;
  most -= most % unit;
  return std::min(most, RoundUp(CeilDiv(extent, CeilDiv(extent, most)), unit));
}

}  // namespace

// What takes how many bytes, and how many there are.
struct SumStream::Shares {
  int64_t element;
  int64_t sum;
  bool has_low;
  int64_t sums;  // for all that is open
  int64_t pieces;

  [[nodiscard]] int64_t Plane(int64_t count) const {
    return RoundUp(SaturatingAdd(SaturatingMultiply(count, sum),
                                 static_cast<int64_t>(kernels::kSlackBytes)),
                   kPlace);
  }
  [[nodiscard]] int64_t Planes(int64_t count) const {
    return SaturatingMultiply(Plane(count), int64_t{has_low ? 2 : 1});
  }
  // How many sums have room.
  [[nodiscard]] int64_t MostSums() const {
    const int64_t plane = sums / (has_low ? 2 : 1) / kPlace * kPlace;
    return (plane - static_cast<int64_t>(kernels::kSlackBytes)) / sum;
  }
};

// --- Loops ------------------------------------------------------------------

// One loop of one step is around all others.
int64_t SumStream::Extent(size_t loop) const noexcept {
  return loop < order_.loops().size() ? order_.loops()[loop].extent : 1;
}

int64_t SumStream::StepOf(size_t loop) const noexcept {
  return loop < order_.loops().size() ? order_.loops()[loop].step
                                      : order_.elements();
}

bool SumStream::IsKept(size_t loop) const noexcept {
  return loop >= order_.loops().size() || !order_.loops()[loop].summed;
}

// Accumulators that a step of a kept loop has.
int64_t SumStream::SumsInside(size_t loop) const noexcept {
  if (!order_.folds() && order_.IsColumns(loop)) return 1;
  int64_t sums = order_.columns();
  for (size_t i = order_.folded(); i < loop && i < order_.loops().size(); ++i) {
    if (IsKept(i) && !order_.IsColumns(i)) {
      sums = SaturatingMultiply(sums, Extent(i));
    }
  }
  return loop < order_.loops().size()
             ? sums
             : SaturatingMultiply(sums, order_.parts());
}

int64_t SumStream::OutputsInside(size_t loop) const noexcept {
  int64_t outputs = 1;
  for (size_t i = 0; i < loop && i < order_.loops().size(); ++i) {
    if (IsKept(i)) outputs *= Extent(i);
  }
  return outputs;
}

int64_t SumStream::OpenEnd() const noexcept {
  return std::min(SaturatingAdd(open_at_, open_steps_), Extent(open_loop_));
}

// Steps of a loop that the next piece has, of the one that is cut and those
// outside.
int64_t SumStream::StepsOf(size_t loop) const noexcept {
  if (loop == cut_loop_) {
    const int64_t end = loop == open_loop_ ? OpenEnd() : Extent(loop);
    return std::min(cut_steps_, end - at_[loop]);
  }
  if (cut_loop_ == open_loop_ && loop == open_loop_ + 1) {
    return std::min(rows_, Extent(loop) - at_[loop]);
  }
  return 1;
}

// --- Cutting ----------------------------------------------------------------

Result<SumStream> SumStream::Make(DType dtype, ShapeView input, ShapeView shape,
                                  size_t memory_bytes,
                                  const SumToOptions& options, SumInput from,
                                  const Allocator& allocator) noexcept {
  Result<SumStream> stream;
  const auto fail = [&stream](const Error& error) {
    stream = std::unexpected(error);
  };
  const auto refuse = [&] {
    fail({.error_class = ErrorClass::kAllocation, .rule = options.rule});
  };
  const Result<Alignment> alignment =
      AlignSum(dtype, input, shape, options.rule, options.axis,
               options.axes_mapping, allocator);
  if (!alignment) {
    fail(alignment.error());
    return stream;
  }
  if (Status fits = CheckSumFits(*alignment, dtype); !fits) {
    fail(fits.error());
    return stream;
  }
  // What cannot be counted was found above.
  stream->dtype_ = dtype;
  stream->rule_ = options.rule;
  stream->from_ = from;
  stream->input_bytes_ =
      static_cast<uint64_t>(CountBytes(input, dtype).value_or(0));
  stream->output_bytes_ =
      static_cast<uint64_t>(CountBytes(shape, dtype).value_or(0));
  if (stream->output_bytes_ == 0) return stream;
  stream->kind_ = stream->input_bytes_ == 0 ? Kind::kZero : Kind::kCopied;
  if (stream->input_bytes_ != 0 && !SumIsCopy(*alignment)) {
    stream->kind_ = Kind::kSummed;
    LoopNest nest;
    if (!MakeSumLoops(*alignment, {dtype, input, nullptr, 0}, nest,
                      allocator) ||
        !stream->order_.Reset(nest, dtype, allocator) ||
        !stream->at_.Reset(stream->order_.loops().size() + 1, allocator)) {
      refuse();
      return stream;
    }
  }
  if (Status cut = stream->Cut(memory_bytes); !cut) fail(cut.error());
  return stream;
}

Status SumStream::Cut(size_t memory_bytes) noexcept {
  const int64_t memory = static_cast<int64_t>(
      std::min<uint64_t>(memory_bytes, INT64_MAX / kPlace * kPlace));
  const auto too_small = [&](int64_t needed) {
    return std::unexpected(Error{.error_class = ErrorClass::kLimit,
                                 .detail = Detail::kMemory,
                                 .rule = rule_,
                                 .extent = needed,
                                 .other_extent = memory});
  };
  if (kind_ != Kind::kSummed) {
    if (memory < kPlace) return too_small(kPlace);
    room_ = static_cast<size_t>(
        std::min(static_cast<uint64_t>(memory / kPlace * kPlace),
                 RoundUp<uint64_t>(output_bytes_, kPlace)));
    return {};
  }
  const SumKernel& kernel = *kernels::FindSumKernel(dtype_);
  Shares shares = {.element = static_cast<int64_t>(kernel.element_bytes),
                   .sum = static_cast<int64_t>(kernel.sum_bytes),
                   .has_low = kernel.has_low,
                   .sums = memory / 2,
                   .pieces = memory / 2 / kPlace * kPlace};
  // The fewest sums that can be open, and what has to have room beside them.
  size_t least = order_.loops().size();
  for (size_t i = least; order_.parts() == 1 && i-- > order_.folded();) {
    if (IsKept(i)) least = i;
  }
  const int64_t least_sums = shares.Planes(SumsInside(least));
  const bool brought = from_ == SumInput::kBrought;
  const int64_t least_piece =
      RoundUp(SaturatingMultiply(
                  std::max(brought && order_.folds() ? order_.columns() : 1,
                           OutputsInside(least)),
                  shares.element),
              kPlace);
  if (least_sums > shares.sums || least_piece > shares.pieces) {
    shares.sums = std::max(shares.sums, least_sums);
    shares.pieces = (memory - shares.sums) / kPlace * kPlace;
    if (shares.pieces < least_piece) {
      shares.sums = least_sums;
      shares.pieces = (memory - least_sums) / kPlace * kPlace;
    }
    if (shares.pieces < least_piece) {
      return too_small(SaturatingAdd(least_sums, least_piece));
    }
  }
  if (!brought) shares.pieces = INT64_MAX;
  // As many loops outside as can be: there the input comes in its order.
  size_t loop = order_.loops().size();
  while (!OpenAt(loop, shares) && loop != least) {
    do --loop;
    while (!IsKept(loop));
  }
  const int64_t sums = SumsInside(open_loop_) * open_steps_;
  low_place_ = static_cast<size_t>(shares.Plane(sums));
  sums_bytes_ = static_cast<size_t>(shares.Planes(sums));
  const int64_t piece = brought ? rows_ * cut_steps_ * StepOf(cut_loop_) : 0;
  const int64_t outputs = OutputsInside(open_loop_) * open_steps_;
  room_ = static_cast<size_t>(RoundUp(
      SaturatingMultiply(std::max(piece, outputs), shares.element), kPlace));
  return {};
}

// Has sums open inside a loop, as many as have room. Whether the pieces add so
// much to each that it pays.
bool SumStream::OpenAt(size_t loop, const Shares& shares) noexcept {
  const int64_t most_sums = shares.MostSums() / SumsInside(loop);
  open_loop_ = loop;
  open_steps_ = std::min(Extent(loop), std::max<int64_t>(most_sums, 1));
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
    const int64_t most = shares.pieces / shares.element / wanted / StepOf(loop);
    open_steps_ = std::min(open_steps_, std::max<int64_t>(most, 1));
  }
  open_steps_ = Even(Extent(loop), open_steps_, loop == 0 ? kPlace : 1);
  CutPieces(shares);
  if (most_sums <= 0) return false;
  // How often a piece adds to each of its sums.
  int64_t terms = rows_;
  for (size_t i = 0; i < cut_loop_; ++i) {
    if (!IsKept(i)) terms *= Extent(i);
  }
  if (!IsKept(cut_loop_)) terms *= cut_steps_;
  return terms >= kManyTerms || cut_loop_ >= order_.loops().size();
}

void SumStream::CutPieces(const Shares& shares) noexcept {
  const int64_t most = shares.pieces / shares.element;
  rows_ = 1;
  if (open_steps_ <= most / StepOf(open_loop_)) {
    cut_loop_ = open_loop_;
    cut_steps_ = open_steps_;
    if (open_loop_ + 1 < order_.loops().size()) {
      const int64_t extent = Extent(open_loop_ + 1);
      rows_ = Even(extent, most / (open_steps_ * StepOf(open_loop_)), 1);
    }
    return;
  }
  cut_loop_ = open_loop_;
  while (most / StepOf(cut_loop_) < order_.StepsAtOnce(cut_loop_)) --cut_loop_;
  // Rows stay whole; or else vectors.
  const int64_t together = order_.StepsAtOnce(cut_loop_);
  const int64_t unit = together == 1 && cut_loop_ == 0 ? kPlace : together;
  const int64_t extent =
      cut_loop_ == open_loop_ ? open_steps_ : Extent(cut_loop_);
  cut_steps_ = Even(extent, most / StepOf(cut_loop_), unit);
}

// --- Pieces -----------------------------------------------------------------

Segments SumStream::input() const noexcept {
  if (done() || kind_ == Kind::kZero) return {};
  if (kind_ == Kind::kCopied) {
    const uint64_t bytes =
        std::min<uint64_t>(room_, output_bytes_ - result_end_);
    return {result_end_, bytes, 1, bytes};
  }
  const uint64_t element = kernels::FindSumKernel(dtype_)->element_bytes;
  int64_t first = 0;
  for (size_t i = cut_loop_; i < order_.loops().size(); ++i) {
    first += at_[i] * StepOf(i);
  }
  const uint64_t bytes =
      static_cast<uint64_t>(StepsOf(cut_loop_) * StepOf(cut_loop_)) * element;
  const uint64_t begin = static_cast<uint64_t>(first) * element;
  const bool has_rows =
      cut_loop_ == open_loop_ && cut_loop_ + 1 < order_.loops().size();
  if (!has_rows) return {begin, bytes, 1, bytes};
  const uint64_t rows = static_cast<uint64_t>(StepsOf(cut_loop_ + 1));
  const uint64_t step = static_cast<uint64_t>(StepOf(cut_loop_ + 1)) * element;
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
  if (reinterpret_cast<uintptr_t>(memory.data()) % kPlace != 0) {
    return std::unexpected(Error{.error_class = ErrorClass::kLength,
                                 .detail = Detail::kMisaligned,
                                 .rule = rule_});
  }
  if (input == nullptr && from_ != SumInput::kBrought && kind_ != Kind::kZero) {
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
  if (kind_ == Kind::kSummed) {
    if (brought) {
      AddPieces(memory.data(), memory.data(), memory.data() + room_);
    } else {
      AddPieces(memory.data(), whole + segments.begin, whole + input_bytes_);
    }
    if (!AdvanceInput()) Finish(memory.data());
    return {};
  }
  const uint64_t bytes = std::min<uint64_t>(room_, output_bytes_ - result_end_);
  if (kind_ == Kind::kZero) {
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
  auto* const sums = reinterpret_cast<unsigned char*>(memory + room_);
  return {sums, sums + (sums_bytes_ == low_place_ ? 0 : low_place_)};
}

void SumStream::AddPieces(std::byte* memory, const std::byte* in,
                          const std::byte* end) const noexcept {
  const SumKernel& kernel = *kernels::FindSumKernel(dtype_);
  const std::span<const SumOrder::Loop> loops = order_.loops();
  SumWalk::Loop box[kMostSumLoops];
  int64_t first_sum = 0;
  bool begins = true;
  for (size_t i = 0; i < loops.size(); ++i) {
    // Rows that were brought lie side by side.
    const bool adjoins = from_ == SumInput::kBrought &&
                         cut_loop_ == open_loop_ && i == open_loop_ + 1;
    const int64_t step =
        adjoins ? StepsOf(cut_loop_) * StepOf(cut_loop_) : loops[i].step;
    box[i] = {static_cast<size_t>(i < cut_loop_ ? loops[i].extent : StepsOf(i)),
              static_cast<ptrdiff_t>(step) *
                  static_cast<ptrdiff_t>(kernel.element_bytes)};
    if (i < cut_loop_) continue;
    if (!loops[i].summed) {
      if (i <= open_loop_) {
        first_sum +=
            (at_[i] - (i == open_loop_ ? open_at_ : 0)) * SumsInside(i);
      }
    } else if (at_[i] != 0 && i != order_.parts_loop()) {
      begins = false;
    }
  }
  const size_t most = SumOrder::kBlockBytes / kernel.sum_bytes;
  const SumWalk walk(order_, kernel, box, in, end, most);
  const size_t columns = static_cast<size_t>(order_.columns());
  const int64_t part_sums = order_.blocks() * order_.columns();
  // Which of them its steps belong to.
  const size_t split = order_.parts_loop();
  const int64_t begin = at_[split];
  const int64_t steps = static_cast<int64_t>(box[split].extent);
  for (int64_t part = 0; part < order_.parts(); ++part) {
    const int64_t part_begin = order_.PartBegin(part);
    const int64_t from = std::max(begin, part_begin);
    const int64_t to = std::min(begin + steps, order_.PartBegin(part + 1));
    if (from >= to) continue;
    const Accumulators sums = kernel.At(
        Sums(memory), static_cast<size_t>(part * part_sums + first_sum));
    for (size_t i = 0; i < walk.panels(); ++i) {
      const SumWalk::Panel panel = walk.PanelAt(i);
      walk.Add(
          panel,
          {static_cast<size_t>(from - begin), static_cast<size_t>(to - begin)},
          begins && from == part_begin,
          kernel.At(sums, panel.first_block * columns + panel.first_column));
    }
  }
}

// Goes on along a loop. False, and back at its beginning, where it ends.
bool SumStream::Advance(size_t loop) noexcept {
  at_[loop] += StepsOf(loop);
  if (at_[loop] < (loop == open_loop_ ? OpenEnd() : Extent(loop))) return true;
  at_[loop] = loop == open_loop_ ? open_at_ : 0;
  return false;
}

// False where nothing is to be added any more to the sums that are open.
bool SumStream::AdvanceInput() noexcept {
  for (size_t i = cut_loop_; i < order_.loops().size(); ++i) {
    if ((i <= open_loop_ || !IsKept(i)) && Advance(i)) return true;
  }
  return false;
}

// Gives the sums that are open, and opens the next.
void SumStream::Finish(std::byte* memory) noexcept {
  const SumKernel& kernel = *kernels::FindSumKernel(dtype_);
  const Accumulators sums = Sums(memory);
  const int64_t steps = OpenEnd() - open_at_;
  const size_t outputs = static_cast<size_t>(OutputsInside(open_loop_) * steps);
  const size_t part_sums =
      static_cast<size_t>(SumsInside(open_loop_) * steps / order_.parts());
  for (size_t part = 0; part < static_cast<size_t>(order_.parts()); ++part) {
    const Accumulators own = kernel.At(sums, part * part_sums);
    if (order_.folds()) {
      FoldColumns(order_, kernel, own,
                  part_sums / static_cast<size_t>(order_.columns()));
    }
    if (part > 0) kernel.merge(sums, own, outputs);
  }
  kernel.store(sums, memory, outputs);
  result_end_ = result_end_ + outputs * kernel.element_bytes;
  open_at_ = OpenEnd();
  if (open_at_ == Extent(open_loop_)) open_at_ = 0;
  at_[open_loop_] = open_at_;
  if (open_at_ != 0) return;
  for (size_t i = open_loop_ + 1; i < order_.loops().size(); ++i) {
    if (!IsKept(i)) continue;
    if (++at_[i] < Extent(i)) return;
    at_[i] = 0;
  }
}

}  // namespace v1
}  // namespace broadloom
