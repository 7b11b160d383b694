#include "footprint.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>

#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

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
  const auto too_short = [&](int64_t needed) -> Status {
    return std::unexpected(Error{
        .error_class = ErrorClass::kLength,
        .extent = static_cast<int64_t>(std::min<uint64_t>(held, INT64_MAX)),
        .other_extent = needed,
        .dtype = view.dtype});
  };
  if (view.strides.empty() && view.offset == 0) {
    if (dense_bytes > held) return too_short(static_cast<int64_t>(dense_bytes));
    out = {0, 0, 0};
    return {};
  }
  out = {0, 0, 0};
  const int64_t count = CountElements(view.shape).value_or(0);
  if (count == 0) return {};  // nobody walks them
  int64_t begin = view.offset, end = view.offset;
  bool overflow = false;
  if (view.strides.empty()) {
    overflow = __builtin_add_overflow(begin, count - 1, &end);
  }
  for (size_t axis = 0; axis < view.strides.size(); ++axis) {
    int64_t last;
    overflow = overflow || __builtin_mul_overflow(view.shape[axis] - 1,
                                                  view.strides[axis], &last);
    if (overflow) break;
    int64_t& edge = last < 0 ? begin : end;
    overflow = __builtin_add_overflow(edge, last, &edge);
  }
  if (!overflow && begin < 0) {
    return std::unexpected(Error{.error_class = ErrorClass::kLength,
                                 .detail = Detail::kNegative,
                                 .extent = begin,
                                 .dtype = view.dtype});
  }
  int64_t bits = 0;
  overflow = overflow || __builtin_add_overflow(end, 1, &end) ||
             __builtin_mul_overflow(end, BitsOf(view.dtype), &bits) ||
             __builtin_add_overflow(bits, 7, &bits);
  if (overflow) return too_short(INT64_MAX);
  if (static_cast<uint64_t>(bits / 8) > held) return too_short(bits / 8);
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
  (void)FindElements(view, 0, elements).has_value();  // it was found before
  const int64_t bits = BitsOf(view.dtype);
  return {data + static_cast<uintptr_t>(elements.begin * bits / 8),
          data + static_cast<uintptr_t>((elements.end * bits + 7) / 8), tensor};
}

bool InPlace(const TensorView& view, const MutableTensorView& result) {
  if (view.data != result.data || view.offset != 0 ||
      BitsOf(view.dtype) != BitsOf(result.dtype) ||
      !std::ranges::equal(view.shape, result.shape)) {
    return false;
  }
  int64_t dense = 1;
  for (size_t axis = view.strides.size(); axis-- > 0;) {
    if (view.strides[axis] != dense && view.shape[axis] != 1) return false;
    dense *= view.shape[axis];
  }
  return true;
}

}  // namespace v1
}  // namespace broadloom
