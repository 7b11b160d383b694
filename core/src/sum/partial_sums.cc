#include "broadloom/partial_sums.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <span>
#include <utility>

#include "base/built.h"
#include "base/footprint.h"
#include "broadloom/execute.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/sum_plan.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "kernels/sum/add.h"
#include "run/check_tensor.h"
#include "sum/in_memory.h"

namespace broadloom {
inline namespace v1 {
namespace {

using kernels::Accumulators;
using kernels::SumKernel;

// The header, as partial_sums.h specifies it.
struct Header {
  char name[6] = {'B', 'L', 's', 'u', 'm', 's'};
  uint16_t version = kPartialSumVersion;
  DType dtype;
  uint8_t summed = 0;
  uint8_t zeros[6] = {};
  uint64_t outputs;
  uint64_t more_zeros = 0;
};
static_assert(sizeof(Header) == 32 && sizeof(DType) == 1);

// How partial sums are laid out.
struct Layout {
  const SumKernel* kernel;
  size_t count;  // of accumulators
  Header header;

  [[nodiscard]] size_t PartBytes() const { return count * kernel->sum_bytes; }
  [[nodiscard]] size_t Bytes() const {
    return sizeof(Header) + PartBytes() * (kernel->has_low ? 2 : 1);
  }
  [[nodiscard]] Accumulators AccumulatorsOf(std::span<std::byte> sums) const {
    auto* const high =
        reinterpret_cast<unsigned char*>(sums.data()) + sizeof(Header);
    return {high, high + (kernel->has_low ? PartBytes() : 0)};
  }
};

Result<Layout> LayoutOf(DType dtype, ShapeView shape) {
  const SumKernel* const kernel = kernels::FindSumKernel(dtype);
  const auto fault = [&](Error error) {
    error.operand = kOutputOperand;
    return std::unexpected(error);
  };
  if (kernel == nullptr) {
    return fault(
        {.error_class = ErrorClass::kDType,
         .detail = IsBuilt(dtype) ? Detail::kUnsupported : Detail::kNotBuilt,
         .dtype = dtype});
  }
  const Result<int64_t> bytes = CountBytes(shape, dtype);
  if (!bytes) return fault(bytes.error());
  // Of complex types the parts are counted.
  const uint64_t count = static_cast<uint64_t>(*bytes) / kernel->element_bytes;
  const uint64_t needed =
      SaturatingAdd(SaturatingMultiply<uint64_t>(
                        count, kernel->sum_bytes * (kernel->has_low ? 2 : 1)),
                    uint64_t{sizeof(Header)});
  if (needed > PTRDIFF_MAX) {
    return fault({.error_class = ErrorClass::kLimit,
                  .extent = ToInt64(needed),
                  .other_extent = PTRDIFF_MAX});
  }
  const uint64_t outputs = static_cast<uint64_t>(*bytes) /
                           (static_cast<uint64_t>(BitsOf(dtype)) / 8);
  return Layout{.kernel = kernel,
                .count = static_cast<size_t>(count),
                .header = {.dtype = dtype, .outputs = outputs}};
}

Status CheckSize(const Layout& layout, size_t bytes, int32_t operand) {
  if (bytes == layout.Bytes()) return {};
  return std::unexpected(Error{.error_class = ErrorClass::kLength,
                               .detail = Detail::kMemory,
                               .operand = operand,
                               .extent = ToInt64(bytes),
                               .other_extent = ToInt64(layout.Bytes())});
}

// Reads the header of `sums`: errors as in AddPartialSums.
Result<Header> ReadHeader(const Layout& layout, std::span<const std::byte> sums,
                          int32_t operand) {
  if (Status checked = CheckSize(layout, sums.size(), operand); !checked) {
    return std::unexpected(checked.error());
  }
  Header header = layout.header;
  std::memcpy(&header, sums.data(), sizeof header);
  Header wanted = layout.header;
  wanted.summed = header.summed;
  if (header.summed <= 1 && std::memcmp(&header, &wanted, sizeof header) == 0) {
    return header;
  }
  return std::unexpected(Error{.error_class = ErrorClass::kIncompatible,
                               .detail = Detail::kOtherPlan,
                               .operand = operand});
}

// Some accumulators, in memory that kernels may use: aligned, with the bytes
// behind them that kernels may read.
class SomeSums {
 public:
  static constexpr size_t kMost = 512;

  Accumulators view() { return {high_, low_}; }

  void Copy(const SumKernel& kernel, Accumulators from, size_t first,
            size_t count) {
    Move(kernel, view(), from, 0, first, count);
  }
  void CopyBack(const SumKernel& kernel, Accumulators to, size_t first,
                size_t count) {
    Move(kernel, to, view(), first, 0, count);
  }

 private:
  static constexpr size_t kBytes = kMost * 8;

  static void Move(const SumKernel& kernel, Accumulators to, Accumulators from,
                   size_t to_first, size_t from_first, size_t count) {
    const size_t bytes = count * kernel.sum_bytes;
    const size_t to_begin = to_first * kernel.sum_bytes;
    const size_t from_begin = from_first * kernel.sum_bytes;
    std::memcpy(to.high + to_begin, from.high + from_begin, bytes);
    if (kernel.has_low) {
      std::memcpy(to.low + to_begin, from.low + from_begin, bytes);
    }
  }

  alignas(64) unsigned char high_[kBytes + kernels::kSlackBytes] = {};
  alignas(64) unsigned char low_[kBytes + kernels::kSlackBytes] = {};
};

// Calls run(first, count) for all accumulators, some at a time.
template <class Run>
void ForSome(size_t count, Run run) {
  for (size_t first = 0; first < count; first += SomeSums::kMost) {
    run(first, std::min(SomeSums::kMost, count - first));
  }
}

// The accumulators of single elements, which lie side by side at `in`.
[[gnu::noinline]] void AccumulateEach(const Layout& layout, const void* in,
                                      Accumulators out) {
  const SumKernel& kernel = *layout.kernel;
  const auto* const elements = static_cast<const unsigned char*>(in);
  SomeSums some;
  ForSome(layout.count, [&](size_t first, size_t count) {
    kernel.add_rows(some.view(), {.in = elements + first * kernel.element_bytes,
                                  .end = nullptr,
                                  .rows = 1,
                                  .row_stride = 0,
                                  .width = count,
                                  .begins = true});
    some.CopyBack(kernel, out, first, count);
  });
}

}  // namespace

Result<size_t> PartialSumBytes(DType dtype, ShapeView shape) noexcept {
  const Result<Layout> layout = LayoutOf(dtype, shape);
  if (!layout) return std::unexpected(layout.error());
  return layout->Bytes();
}

Status SumPlan::RunPartially(const TensorView& input, std::span<std::byte> sums,
                             const SumRunOptions& options,
                             const Allocator& allocator) const noexcept {
  Elements elements;
  Status checked = CheckInput(input);
  if (checked) {
    checked = CheckMemory(input, input_bytes_,
                          {.rule = rule_, .op = {}, .operand = 0}, elements);
  }
  if (!checked) return checked;
  const Result<Layout> layout = LayoutOf(dtype_, output_shape());
  if (!layout) return std::unexpected(layout.error());
  checked = CheckSize(*layout, sums.size(), kOutputOperand);
  if (!checked) return checked;
  const uintptr_t begin = reinterpret_cast<uintptr_t>(sums.data());
  if (Overlap(RangeOf(input, input_bytes_, 0),
              {begin, begin + sums.size(), 1})) {
    return std::unexpected(Error{.error_class = ErrorClass::kOverlap,
                                 .rule = rule_,
                                 .operand = kOutputOperand,
                                 .other_operand = 0});
  }
  const auto refused = [this] {
    return std::unexpected(
        Error{.error_class = ErrorClass::kAllocation, .rule = rule_});
  };
  const Accumulators out = layout->AccumulatorsOf(sums);
  Header header = layout->header;
  if (output_bytes_ != 0 && kind_ == Kind::kCopied) {
    Tensor dense;
    const void* data = static_cast<const std::byte*>(input.data) +
                       input.offset * (BitsOf(dtype_) / 8);
    if (!input.strides.empty()) {
      Result<Tensor> copy =
          Apply(Op::kBroadcast, {&input, 1},
                {.rule = Rule::kBroadcastNumpy, .target_shape = input.shape},
                allocator);
      if (!copy) return refused();
      dense = std::move(*copy);
      data = dense.data();
    }
    AccumulateEach(*layout, data, out);
    header.summed = 1;
  } else if (output_bytes_ != 0 && kind_ == Kind::kSummed) {
    const auto sum = [&](const Loops& loops) {
      const SumInputMemory memory = MemoryOfInput(loops.nest, input);
      SumInMemoryUnrounded(loops.order, *kernel_, memory.first, memory.end, out,
                           options.parallel);
    };
    if (HasPlannedStrides(input)) {
      sum(loops_);
    } else {
      Loops loops;
      if (!MakeLoopsOf(input, loops, allocator)) return refused();
      sum(loops);
    }
    header.summed = 1;
  } else {
    std::memset(sums.data(), 0, sums.size());
  }
  std::memcpy(sums.data(), &header, sizeof header);
  return {};
}

Status AddPartialSums(DType dtype, ShapeView shape, std::span<std::byte> sums,
                      std::span<const std::byte> more) noexcept {
  const Result<Layout> layout = LayoutOf(dtype, shape);
  if (!layout) return std::unexpected(layout.error());
  const Result<Header> to = ReadHeader(*layout, sums, 0);
  if (!to) return std::unexpected(to.error());
  const Result<Header> from = ReadHeader(*layout, more, 1);
  if (!from) return std::unexpected(from.error());
  if (from->summed == 0) return {};
  if (to->summed == 0) {
    std::memcpy(sums.data(), more.data(), sums.size());
    return {};
  }
  const SumKernel& kernel = *layout->kernel;
  const Accumulators target = layout->AccumulatorsOf(sums);
  // Only read.
  const Accumulators source = layout->AccumulatorsOf(
      {const_cast<std::byte*>(more.data()), more.size()});
  SomeSums a;
  SomeSums b;
  ForSome(layout->count, [&](size_t first, size_t count) {
    a.Copy(kernel, target, first, count);
    b.Copy(kernel, source, first, count);
    kernel.merge(a.view(), b.view(), count);
    a.CopyBack(kernel, target, first, count);
  });
  return {};
}

Status RoundPartialSums(std::span<const std::byte> sums,
                        const MutableTensorView& output,
                        const Allocator& allocator) noexcept {
  const Result<Layout> layout = LayoutOf(output.dtype, output.shape);
  if (!layout) return std::unexpected(layout.error());
  const Result<Header> header = ReadHeader(*layout, sums, 0);
  if (!header) return std::unexpected(header.error());
  const uint64_t bytes =
      static_cast<uint64_t>(CountBytes(output.shape, output.dtype).value_or(0));
  if (Status checked = CheckResultMemory(
          output, bytes, {.rule = {}, .op = {}, .operand = kOutputOperand},
          allocator);
      !checked) {
    return checked;
  }
  if (!output.strides.empty() || output.offset != 0) {
    Result<Tensor> dense =
        Tensor::Allocate(output.dtype, output.shape, allocator);
    if (!dense) return std::unexpected(dense.error());
    Status rounded = RoundPartialSums(sums, dense->view(), allocator);
    if (!rounded) return rounded;
    const TensorView view = dense->view();
    return Apply(Op::kBroadcast, {&view, 1}, output,
                 {.rule = Rule::kBroadcastNumpy, .target_shape = output.shape},
                 allocator);
  }
  if (header->summed == 0) {
    if (bytes != 0) std::memset(output.data, 0, static_cast<size_t>(bytes));
    return {};
  }
  const SumKernel& kernel = *layout->kernel;
  // Only read.
  const Accumulators source = layout->AccumulatorsOf(
      {const_cast<std::byte*>(sums.data()), sums.size()});
  auto* const out = static_cast<unsigned char*>(output.data);
  SomeSums some;
  ForSome(layout->count, [&](size_t first, size_t count) {
    some.Copy(kernel, source, first, count);
    kernel.store(some.view(), out + first * kernel.element_bytes, count);
  });
  return {};
}

}  // namespace v1
}  // namespace broadloom
