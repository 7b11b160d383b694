// SumTo for an input and an output that do not lie in memory, but in a file, on
// a device or in another language's arrays: the caller copies segments of the
// input into a small memory, in which the sums are kept until they are
// complete, and copies segments of the output out of it. The memory is as large
// for an input of a terabyte as for one of a kilobyte, and each element of the
// input is copied once.
//
// (1000,1000) of f32 to (1000) in 256 KiB takes 32 steps: the 1000 sums are
// kept while 32 rows are added at a time, 8 in the last step. For
// (1000,1000000) to (1000000) the sums do not all fit: the first steps are 8
// rows of 4096 columns each, until 4096 sums are complete.

#ifndef BROADLOOM_SUM_STREAM_H_
#define BROADLOOM_SUM_STREAM_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/blocks.h"
#include "broadloom/internal/config.h"
#include "broadloom/internal/sum_order.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/sum_plan.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

namespace kernels {
struct Accumulators;
}

// Segments of a dense tensor, in bytes: `count` of `bytes` each, which begin
// `step` bytes apart. In the memory they lie side by side.
struct Segments {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  uint64_t count = 0;
  uint64_t step = 0;
  friend bool operator==(const Segments&, const Segments&) = default;
};

// Where the input is.
enum class SumInput : uint8_t {
  kBrought,   // elsewhere: segments of it are copied into the stream's memory
  kInMemory,  // in memory, dense and whole
};

class SumStream {
 public:
  // Not defaulted, for the reason given at Plan().
  SumStream() noexcept {}

  // Begins a sum of dense tensors by `plan`, which need not outlive the stream.
  // A plan can begin any number of streams. Errors: kArity for a plan that was
  // never made; kLimit when the memory is too small (`extent` bytes are needed,
  // `other_extent` were given; 128 KiB are always enough); kAllocation. No
  // threads are used. Allocates nothing up to rank 8. Example:
  //   const Result<SumPlan> sum_plan = SumPlan::Make(dtype, input, shape);
  //   Result<SumStream> sum = SumStream::Make(*sum_plan, 256 << 10);
  //   while (!sum->done()) {
  //     const Segments segments = sum->input();
  //     for (uint64_t i = 0; i < segments.count; ++i) {
  //       read(in, segments.begin + i * segments.step, segments.bytes,
  //            memory + i * segments.bytes);
  //     }
  //     const Status added = sum->Add({memory, 256 << 10});
  //     assert(added);
  //     const Segment segment = sum->result();
  //     write(out, segment.begin, segment.bytes, memory);
  //   }
  [[nodiscard]] static Result<SumStream> Make(
      const SumPlan& plan, size_t memory_bytes,
      SumInput from = SumInput::kBrought,
      const Allocator& allocator = DefaultAllocator()) noexcept;

  // SumPlan::Make and the above in one call. Errors: those of both, in that
  // order.
  [[nodiscard]] static Result<SumStream> Make(
      DType dtype, ShapeView input, ShapeView shape, size_t memory_bytes,
      const SumToOptions& options = {}, SumInput from = SumInput::kBrought,
      const Allocator& allocator = DefaultAllocator()) noexcept;

  // The bytes that are used of the memory.
  [[nodiscard]] size_t memory_bytes() const noexcept {
    return segment_bytes_ + sums_bytes_;
  }
  // Whether the output is complete.
  [[nodiscard]] bool done() const noexcept {
    return result_end_ == output_bytes_;
  }
  // What Add adds next. The caller copies it to the beginning of the memory,
  // unless the input lies in memory. It has no bytes where the input has no
  // elements (the sums are 0) or the stream is done.
  [[nodiscard]] Segments input() const noexcept;
  // The bytes of the output and of the input, and how many of the input's have
  // been added.
  [[nodiscard]] uint64_t output_bytes() const noexcept { return output_bytes_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept { return input_bytes_; }
  [[nodiscard]] uint64_t added_bytes() const noexcept { return added_bytes_; }

  // Adds what input() returns. An input that lies in memory begins at `input`,
  // of any alignment; then input() returns as much as possible at a time.
  //
  // The memory is aligned to 64 bytes. From the first call to the last one it
  // belongs to the stream, except for what input() asks to be copied. It may be
  // moved between calls with everything in it.
  //
  // Errors: kExtent (kOutOfRange) when the stream is done; kLength for memory
  // that is too short or not aligned (kMisaligned), and when there is no
  // `input` though it is to lie in memory. Nothing has been added then. The
  // output is that of SumTo, bit for bit.
  [[nodiscard]] Status Add(std::span<std::byte> memory,
                           const void* input = nullptr) noexcept;

  // The segment of the output that the last call of Add completed. It lies at
  // the beginning of the memory until the next segments are copied there. It
  // has no bytes if nothing was completed. The segments come in the output's
  // order, and together they are the whole output.
  [[nodiscard]] Segment result() const noexcept {
    return {result_begin_, result_end_ - result_begin_};
  }

 private:
  struct Room;  // how the memory is divided

  [[nodiscard]] Status Begin(const SumPlan& plan, size_t memory_bytes,
                             SumInput from,
                             const Allocator& allocator) noexcept;
  [[nodiscard]] Status DivideMemory(size_t memory_bytes) noexcept;
  [[nodiscard]] bool ActivateAt(size_t loop, const Room& room) noexcept;
  void CutSegments(const Room& room) noexcept;
  void AddSegments(std::byte* memory, const std::byte* in,
                   const std::byte* end) const noexcept;
  [[nodiscard]] bool Advance(size_t loop) noexcept;
  [[nodiscard]] bool AdvanceInput() noexcept;
  void Finish(std::byte* memory) noexcept;

  [[nodiscard]] int64_t Extent(size_t loop) const noexcept;
  [[nodiscard]] int64_t StrideOf(size_t loop) const noexcept;
  [[nodiscard]] bool IsKept(size_t loop) const noexcept;
  [[nodiscard]] int64_t SumsPerStep(size_t loop) const noexcept;
  [[nodiscard]] int64_t OutputsPerStep(size_t loop) const noexcept;
  [[nodiscard]] int64_t StepsAdded(size_t loop) const noexcept;
  [[nodiscard]] int64_t ActiveEnd() const noexcept;
  [[nodiscard]] kernels::Accumulators Sums(std::byte* memory) const noexcept;

  SumPlan::Kind kind_ = SumPlan::Kind::kZero;
  SumInput from_ = SumInput::kBrought;
  DType dtype_ = DType::kF32;
  Rule rule_ = Rule::kBroadcastNumpy;
  const kernels::SumKernel* kernel_ = nullptr;
  uint64_t input_bytes_ = 0;
  Taken<uint64_t> output_bytes_;
  uint64_t added_bytes_ = 0;
  Taken<uint64_t> result_begin_;
  Taken<uint64_t> result_end_;
  // The memory begins with segments of the input, and then of the output. The
  // accumulators follow, and after low_begin_ bytes of these their low parts.
  size_t segment_bytes_ = 0;
  size_t sums_bytes_ = 0;
  size_t low_begin_ = 0;

  // Active sums are those whose accumulators are in the memory: of
  // active_steps_ steps of the kept loop active_loop_, or of all outputs. In
  // that case active_loop_ is the number of loops, which stands for a loop of
  // one step around all others.
  //
  // The input of active sums is added by segments: segment_steps_ steps of
  // segment_loop_, which is active_loop_ or a loop inside it. If it is
  // active_loop_, segment_rows_ steps of the loop around it are added together,
  // one segment each. All other loops outside stay at one step meanwhile.
  SumOrder order_;
  size_t active_loop_ = 0;
  int64_t active_steps_ = 1;
  size_t segment_loop_ = 0;
  int64_t segment_steps_ = 1;
  int64_t segment_rows_ = 1;
  // The step of each loop at which the next segment begins, and the step of
  // active_loop_ at which the active sums begin.
  InlineArray<int64_t, kInlineRank * kInlineOperands> at_;
  int64_t active_begin_ = 0;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_STREAM_H_
