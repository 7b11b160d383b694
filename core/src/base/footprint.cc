#include "base/footprint.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>

#include "broadloom/internal/arithmetic.h"
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
  if (view.data != result.data || view.offset != 0 ||
      BitsOf(view.dtype) != BitsOf(result.dtype) ||
      !std::ranges::equal(view.shape, result.shape)) {
    return false;
  }
  ElementCount dense;
  for (size_t axis = view.strides.size(); axis-- > 0;) {
    if (view.strides[axis] != dense.count && view.shape[axis] != 1) {
      return false;
    }
    dense.Times(view.shape[axis]);
  }
  return true;
}

}  // namespace v1
}  // namespace broadloom
