#include "broadloom/tensor.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <utility>

#include "broadloom/internal/arithmetic.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {

constexpr size_t kAlignment = 64;

// The bytes to allocate for `bytes` of elements. Never 0.
size_t HeapBytes(size_t bytes) {
  return bytes == 0 ? kAlignment : RoundUp(bytes, kAlignment);
}

}  // namespace

Tensor::~Tensor() {
  if (data_ == nullptr) return;
  allocator_.deallocate(allocator_.context, data_, HeapBytes(bytes_),
                        kAlignment);
}

Tensor::Tensor(Tensor&& other) noexcept
    : dtype_(other.dtype_),
      shape_(std::move(other.shape_)),
      data_(std::exchange(other.data_, nullptr)),
      bytes_(std::exchange(other.bytes_, 0)),
      allocator_(other.allocator_) {}

Tensor& Tensor::operator=(Tensor&& other) noexcept {
  if (this == &other) return *this;
  std::swap(dtype_, other.dtype_);
  std::swap(shape_, other.shape_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  std::swap(allocator_, other.allocator_);
  return *this;
}

Result<Tensor> Tensor::Allocate(DType dtype, ShapeView shape,
                                const Allocator& allocator) noexcept {
  const Result<int64_t> bytes = CountBytes(shape, dtype);
  if (!bytes) return std::unexpected(bytes.error());
  constexpr int64_t kMostBytes = PTRDIFF_MAX - kAlignment;
  if (*bytes > kMostBytes) {
    return std::unexpected(Error{.error_class = ErrorClass::kLimit,
                                 .operand = kOutputOperand,
                                 .extent = *bytes,
                                 .other_extent = kMostBytes,
                                 .dtype = dtype});
  }
  const Error refused{.error_class = ErrorClass::kAllocation,
                      .operand = kOutputOperand,
                      .extent = *bytes,
                      .dtype = dtype};
  Tensor tensor;
  if (!tensor.shape_.CopyFrom(shape, allocator)) {
    return std::unexpected(refused);
  }
  tensor.dtype_ = dtype;
  tensor.allocator_ = allocator;
  tensor.bytes_ = static_cast<size_t>(*bytes);
  tensor.data_ = allocator.allocate(allocator.context, HeapBytes(tensor.bytes_),
                                    kAlignment);
  if (tensor.data_ == nullptr) return std::unexpected(refused);
  return tensor;
}

}  // namespace v1
}  // namespace broadloom
