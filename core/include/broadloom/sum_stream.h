// SumTo for who has input and output elsewhere, in a file, on a device or in
// another language's arrays: brings the input piece by piece into a small
// memory, in which what has been added up so far is kept, and takes the output
// from it piece by piece. The memory is as large for an input of a terabyte as
// for one of a kilobyte, and each element is brought once.
//
// (1000,1000) of f32 to (1000) in 256 KiB is 32 pieces of 32 rows, the last one
// of 8: the 1000 sums are kept until all rows are there. Of (1000,1000000) to
// (1000000) not all sums have room: the first pieces are 8 rows of 4096 columns
// each, until 4096 sums are done.

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
#include "broadloom/sum_to.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

namespace kernels {
struct Accumulators;
}

// Stretches of a dense tensor, in bytes: `count` alike, each of which begins
// `step` behind the one before. In the memory they lie side by side.
struct Segments {
  uint64_t begin = 0;
  uint64_t bytes = 0;
  uint64_t count = 0;
  uint64_t step = 0;
  friend bool operator==(const Segments&, const Segments&) = default;
};

// Whether the input comes to the stream's memory, or lies in memory already,
// dense and whole.
enum class SumInput : uint8_t { kBrought, kInMemory };

class SumStream {
 public:
  // Not defaulted, as Plan's is not.
  SumStream() noexcept {}

  // Begins the sum of a dense tensor of type `dtype` and shape `input` to
  // `shape`. Errors: those of CheckSumTo; kLimit when the memory is too small
  // (`extent` bytes are needed, `other_extent` were given), which 128 KiB never
  // are; kAllocation. Threads are not made use of. Allocates nothing up to
  // rank 8. Example:
  //   Result<SumStream> sum = SumStream::Make(dtype, input, shape, 256 << 10);
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
      DType dtype, ShapeView input, ShapeView shape, size_t memory_bytes,
      const SumToOptions& options = {}, SumInput from = SumInput::kBrought,
      const Allocator& allocator = DefaultAllocator()) noexcept;

  // The bytes that are used of the memory.
  [[nodiscard]] size_t memory_bytes() const noexcept {
    return room_ + sums_bytes_;
  }
  // Whether all of the output has been given.
  [[nodiscard]] bool done() const noexcept {
    return result_end_ == output_bytes_;
  }
  // What is to be brought to the beginning of the memory, if anything is, and
  // is added next; of no bytes where there is no input, of which the sums are
  // 0, or where it is done.
  [[nodiscard]] Segments input() const noexcept;
  // The bytes of the output and of the input, and how many of these have been
  // added.
  [[nodiscard]] uint64_t output_bytes() const noexcept { return output_bytes_; }
  [[nodiscard]] uint64_t input_bytes() const noexcept { return input_bytes_; }
  [[nodiscard]] uint64_t added_bytes() const noexcept { return added_bytes_; }

  // Adds what input() asked for; an input that lies in memory does so at
  // `input`, of any alignment, and pieces of it are as large as can be. From
  // the first call to the last the memory, which is aligned to 64 bytes, is the
  // stream's, but for what is brought; or it moves with all that is in it.
  // Errors: kExtent (kOutOfRange) when it is done, kLength for memory that is
  // too short or not aligned (kMisaligned), and where there is no `input` that
  // is to lie in memory. Nothing has been added then. The output is that of
  // SumTo, bit for bit.
  [[nodiscard]] Status Add(std::span<std::byte> memory,
                           const void* input = nullptr) noexcept;

  // What the last call of Add has finished of the output: it lies at the
  // beginning of the memory until more is brought. Of no bytes where nothing
  // was. The pieces come in the output's order, and together they are all of
  // it.
  [[nodiscard]] Segment result() const noexcept {
    return {result_begin_, result_end_ - result_begin_};
  }

 private:
  struct Shares;  // of the memory

  // How the elements of the output come about.
  enum class Kind : uint8_t { kSummed, kCopied, kZero };

  [[nodiscard]] Status Cut(size_t memory_bytes) noexcept;
  [[nodiscard]] bool OpenAt(size_t loop, const Shares& shares) noexcept;
  void CutPieces(const Shares& shares) noexcept;
  void AddPieces(std::byte* memory, const std::byte* in,
                 const std::byte* end) const noexcept;
  [[nodiscard]] bool Advance(size_t loop) noexcept;
  [[nodiscard]] bool AdvanceInput() noexcept;
  void Finish(std::byte* memory) noexcept;

  [[nodiscard]] int64_t Extent(size_t loop) const noexcept;
  [[nodiscard]] int64_t StepOf(size_t loop) const noexcept;
  [[nodiscard]] bool IsKept(size_t loop) const noexcept;
  [[nodiscard]] int64_t SumsInside(size_t loop) const noexcept;
  [[nodiscard]] int64_t OutputsInside(size_t loop) const noexcept;
  [[nodiscard]] int64_t StepsOf(size_t loop) const noexcept;
  [[nodiscard]] int64_t OpenEnd() const noexcept;
  [[nodiscard]] kernels::Accumulators Sums(std::byte* memory) const noexcept;

  Kind kind_ = Kind::kZero;
  SumInput from_ = SumInput::kBrought;
  DType dtype_ = DType::kF32;
  Rule rule_ = Rule::kBroadcastNumpy;
  uint64_t input_bytes_ = 0;
  Taken<uint64_t> output_bytes_;
  uint64_t added_bytes_ = 0;
  Taken<uint64_t> result_begin_;
  Taken<uint64_t> result_end_;
  size_t room_ = 0;  // for pieces of the input, then of the output
  size_t sums_bytes_ = 0;
  size_t low_place_ = 0;  // of the sums' low parts, behind their high ones

  // Sums that are added up at the same time, or open, are those of some steps
  // of a kept loop, or of all there is: then the loop is one of one step around
  // all. Their input comes some steps of a loop at a time: of that one or of
  // one inside it; where of that one, some rows, steps of the loop around it,
  // come together. All other loops outside stand still meanwhile.
  SumOrder order_;
  size_t open_loop_ = 0;
  int64_t open_steps_ = 1;
  size_t cut_loop_ = 0;
  int64_t cut_steps_ = 1;
  int64_t rows_ = 1;
  // The step of each loop at which the next piece begins.
  InlineArray<int64_t, kInlineRank * kInlineOperands> at_;
  int64_t open_at_ = 0;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_SUM_STREAM_H_
