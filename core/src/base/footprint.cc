#include "base/footprint.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <numeric>
#include <span>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

void DenseStrides(ShapeView shape, std::span<int64_t> strides) {
  ElementCount behind;
  for (size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = behind.count;
    behind.Times(shape[axis]);
  }
}

Status CheckStrides(const TensorView& view) {
  const size_t rank = view.shape.size();
  if (view.strides.empty() || view.strides.size() == rank) return {};
  return std::unexpected(
      Error{.error_class = ErrorClass::kIncompatible,
            .detail = Detail::kStrides,
            .extent = static_cast<int64_t>(view.strides.size()),
            .other_extent = static_cast<int64_t>(rank)});
}

Status FindElements(const TensorView& view, uint64_t dense_bytes,
                    Elements& out) {
  const size_t held = view.data == nullptr ? 0 : view.bytes;
  const bool dense = view.strides.empty() && view.offset == 0;
  const auto too_short = [&](int64_t needed) -> Status {
    return std::unexpected(
        Error{.error_class = ErrorClass::kLength,
              .detail = dense ? Detail::kNoDetail : Detail::kOffset,
              .extent = ToInt64(held),
              .other_extent = needed,
              .dtype = view.dtype});
  };
  if (dense) {
    if (dense_bytes > held) return too_short(static_cast<int64_t>(dense_bytes));
    out = {0, 0, 0};
    return {};
  }
  out = {0, 0, 0};
  const int64_t count = CountElements(view.shape).value_or(0);
  if (count == 0) return {};  // no element is read
  int64_t begin = view.offset, end = view.offset;
  bool overflow = false;
  if (view.strides.empty()) {
    overflow = OverflowsAdd(begin, count - 1, end);
  }
  for (size_t axis = 0; axis < view.strides.size(); ++axis) {
    int64_t last;
    overflow = overflow || OverflowsMultiply(view.shape[axis] - 1,
                                             view.strides[axis], last);
    if (overflow) break;
    int64_t& edge = last < 0 ? begin : end;
    overflow = OverflowsAdd(edge, last, edge);
  }
  if (!overflow && begin < 0) {
    return std::unexpected(Error{.error_class = ErrorClass::kLength,
                                 .detail = Detail::kNegative,
                                 .extent = begin,
                                 .dtype = view.dtype});
  }
  if (overflow || OverflowsAdd(end, int64_t{1}, end)) {
    return too_short(INT64_MAX);
  }
  const uint64_t bytes = end < 0 ? 0 : BytesOfElements(end, BitsOf(view.dtype));
  if (bytes > held) return too_short(ToInt64(bytes));
  out = {view.offset, begin, end};
  return {};
}

MemoryRange RangeOf(const TensorView& view, uint64_t dense_bytes,
                    size_t tensor) {
  const uintptr_t data = reinterpret_cast<uintptr_t>(view.data);
  if (view.strides.empty() && view.offset == 0) {
    return {data, data + static_cast<uintptr_t>(dense_bytes), tensor};
  }
  Elements elements = {};
  // Cannot fail: the elements have been found before.
  (void)FindElements(view, 0, elements).has_value();
  const int bits = BitsOf(view.dtype);
  const uint64_t begin = bits < 8 ? static_cast<uint64_t>(elements.begin) /
                                        (8 / static_cast<uint64_t>(bits))
                                  : BytesOfElements(elements.begin, bits);
  return {data + static_cast<uintptr_t>(begin),
          data + static_cast<uintptr_t>(BytesOfElements(elements.end, bits)),
          tensor};
}

bool InPlace(const TensorView& view, const MutableTensorView& result) {
  const int bits = BitsOf(view.dtype);
  const auto first = [bits](const void* data, int64_t offset) {
    return reinterpret_cast<uintptr_t>(data) +
           static_cast<uintptr_t>(offset) * static_cast<uintptr_t>(bits / 8);
  };
  const bool same_place =
      bits < 8
          ? view.data == result.data && view.offset == result.offset
          : first(view.data, view.offset) == first(result.data, result.offset);
  if (!same_place || bits != BitsOf(result.dtype) ||
      !std::ranges::equal(view.shape, result.shape)) {
    return false;
  }
  ElementCount dense;
  for (size_t axis = view.shape.size(); axis-- > 0;) {
    const int64_t stride =
        view.strides.empty() ? dense.count : view.strides[axis];
    const int64_t other =
        result.strides.empty() ? dense.count : result.strides[axis];
    if (stride != other && view.shape[axis] != 1) return false;
    dense.Times(view.shape[axis]);
  }
  return true;
}

bool MemoryOrder::Sort(const MutableTensorView& result,
                       const Allocator& allocator) {
  const size_t rank = result.shape.size();
  if (!axes_.ResetForOverwrite(rank, allocator) ||
      !sorted_.ResetForOverwrite(rank, allocator)) {
    return false;
  }
  // Insertion, since there are few axes, which are mostly in order.
  for (size_t i = 0; i < rank; ++i) {
    const int64_t extent = result.shape[i];
    const int64_t stride = extent <= 1 ? 0 : result.strides[i];
    const Axis axis = {.extent = extent,
                       .stride = stride < 0 ? -stride : stride,
                       .axis = i,
                       .reversed = stride < 0};
    size_t to = i;
    for (; to > 0 && axes_[to - 1].stride < axis.stride; --to) {
      axes_[to] = axes_[to - 1];
    }
    axes_[to] = axis;
  }
  int64_t span = 1;
  for (size_t i = rank; i-- > 0;) {
    Axis& axis = axes_[i];
    sorted_[i] = axis.extent;
    axis.least = span;
    if (axis.extent > 1) span += (axis.extent - 1) * axis.stride;
  }
  extents_ = sorted_.view();
  return true;
}

const MemoryOrder::Axis* MemoryOrder::Overlapping() const {
  for (const Axis& axis : axes_.view()) {
    if (axis.extent > 1 && axis.stride < axis.least) return &axis;
  }
  return nullptr;
}

bool MemoryOrder::HasNoGaps() const {
  for (const Axis& axis : axes_.view()) {
    if (axis.extent > 1 && axis.stride != axis.least) return false;
  }
  return true;
}

Status CheckWrittenOnce(const MutableTensorView& result,
                        const Allocator& allocator) {
  if constexpr (!kStridedResultsBuilt) {
    if (result.strides.empty() && result.offset == 0) return {};
    return std::unexpected(Error{.error_class = ErrorClass::kIncompatible,
                                 .detail = Detail::kNotBuilt});
  }
  if (result.strides.empty() || CountElements(result.shape).value_or(0) == 0) {
    return {};
  }
  MemoryOrder order;
  if (!order.Reset(result, allocator)) {
    return std::unexpected(Error{.error_class = ErrorClass::kAllocation});
  }
  const MemoryOrder::Axis* const axis = order.Overlapping();
  if (axis == nullptr) return {};
  return std::unexpected(Error{.error_class = ErrorClass::kOverlap,
                               .detail = Detail::kStrides,
                               .operand_axis = static_cast<int32_t>(axis->axis),
                               .extent = result.strides[axis->axis],
                               .other_extent = axis->least});
}

namespace {

// The addresses of a view modulo a period: all its strides from `least` bytes
// on are multiples of the period, and the others span `span` bytes.
struct Periodic {
  uint64_t period;
  uint64_t span;
};

// The magnitude of the view's stride along an axis, in bytes; 0 for axes of one
// index.
uint64_t StrideInBytes(const TensorView& view, size_t axis) {
  if (view.shape[axis] <= 1) return 0;
  const int64_t stride = view.strides[axis];
  return BytesOfElements(stride < 0 ? -stride : stride, BitsOf(view.dtype));
}

void AddAddresses(const TensorView& view, uint64_t dense_bytes, uint64_t least,
                  Periodic& out) {
  out.span = view.strides.empty() ? dense_bytes
                                  : BytesOfElements(1, BitsOf(view.dtype));
  for (size_t axis = 0; axis < view.strides.size(); ++axis) {
    const uint64_t stride = StrideInBytes(view, axis);
    if (stride >= least) {
      out.period = std::gcd(out.period, stride);
    } else if (stride != 0) {
      out.span += static_cast<uint64_t>(view.shape[axis] - 1) * stride;
    }
  }
}

}  // namespace

bool LieBetween(const TensorView& view, uint64_t view_bytes,
                const MutableTensorView& result, uint64_t result_bytes) {
  const TensorView both[] = {view, result};
  const uint64_t bytes[] = {view_bytes, result_bytes};
  if (!kStridedResultsBuilt || result.strides.empty() ||
      BitsOf(view.dtype) < 8 || BitsOf(result.dtype) < 8) {
    return false;
  }
  const uint64_t apart = RangeOf(result, result_bytes, 0).begin -
                         RangeOf(view, view_bytes, 0).begin;
  for (const TensorView& one : both) {
    for (size_t axis = 0; axis < one.strides.size(); ++axis) {
      const uint64_t least = StrideInBytes(one, axis);
      if (least == 0) continue;
      Periodic of[2] = {};
      AddAddresses(both[0], bytes[0], least, of[0]);
      of[1].period = of[0].period;
      AddAddresses(both[1], bytes[1], least, of[1]);
      const uint64_t period = of[1].period;
      // Negative differences wrap at 2^64, which need not be a multiple of the
      // period.
      const uint64_t place =
          static_cast<int64_t>(apart) < 0
              ? (period - (uint64_t{0} - apart) % period) % period
              : apart % period;
      if (place >= of[0].span && of[1].span <= period - place) return true;
    }
  }
  return false;
}

}  // namespace v1
}  // namespace broadloom
