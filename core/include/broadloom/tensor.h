// Tensors: an element type, a shape and row-major data. Views of the caller's
// memory, dense or strided, and Tensor, which owns its memory.

#ifndef BROADLOOM_TENSOR_H_
#define BROADLOOM_TENSOR_H_

#include <cstddef>
#include <span>

#include "broadloom/internal/config.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// A view of elements that are read. Data, extents and strides belong to the
// caller and must outlive the view. `bytes` is the length of the memory at
// `data`. More bytes than the view needs are allowed; fewer are an error
// (kLength) of each function that reads the view. `data` may have any
// alignment, and may be null when there are no elements.
//
// Only elements of the view are read. Memory before, behind and between them
// need not be readable, and other threads may write it at the same time. Two
// exceptions: packed elements are read with the other elements of their byte,
// and in WebAssembly gaps between elements are read.
//
// Without `strides` the elements are dense, in row-major order. `strides` has
// one entry for each axis: how many elements (not bytes) there are from one
// index to the next. Entries may be 0 or negative. Index (0,...,0) is element
// `offset`.
// Example: the transpose of (2,3), and the last column:
//   const float data[] = {0, 1, 2, 3, 4, 5};
//   const Extents shape{3, 2};
//   const int64_t strides[] = {1, 3};
//   const TensorView transpose{DType::kF32, shape, data, 24, strides};
//   const Extents rows{2};
//   const int64_t row[] = {3};
//   const TensorView column{.shape = rows,
//                           .data = data,
//                           .bytes = 24,
//                           .strides = row,
//                           .offset = 2};
//   assert(SumTo(column, {})->as<float>()[0] == 7);
//   assert(SumTo(transpose, {})->as<float>()[0] == 15);
struct TensorView {
  DType dtype = DType::kF32;
  ShapeView shape;
  const void* data = nullptr;
  size_t bytes = 0;
  std::span<const int64_t> strides = {};
  int64_t offset = 0;
};

// A view of elements that are written, dense or with strides as those of
// TensorView. `data` may have any alignment. Nothing but its elements is
// written: memory before, behind and between them need not be writable, and
// other threads may use it at the same time. Packed elements are an exception:
// a byte that also has other elements is read and written with the same bits.
//
// No element may be written twice: axes of two or more indices, ordered by the
// magnitude of their strides, must each have a stride that is longer than what
// those of shorter strides span. Views made of an array by slicing,
// transposing and reversing do. Others are refused (kOverlap, kStrides), as is
// a stride of 0.
// Example: the last column of an array of 3 rows and 4 columns:
//   float array[12] = {};
//   const float ones[] = {1, 1, 1};
//   const Extents three{3};
//   const TensorView inputs[] = {{DType::kF32, three, ones, 12},
//                                {DType::kF32, three, ones, 12}};
//   const int64_t row[] = {4};
//   const MutableTensorView column{.shape = three,
//                                  .data = array,
//                                  .bytes = sizeof array,
//                                  .strides = row,
//                                  .offset = 3};
//   const Status added = Apply(Op::kAdd, inputs, column);
//   assert(added && array[3] == 2 && array[7] == 2 && array[8] == 0);
struct MutableTensorView {
  DType dtype = DType::kF32;
  ShapeView shape;
  void* data = nullptr;
  size_t bytes = 0;
  std::span<const int64_t> strides = {};
  int64_t offset = 0;

  operator TensorView() const noexcept {
    return {.dtype = dtype,
            .shape = shape,
            .data = data,
            .bytes = bytes,
            .strides = strides,
            .offset = offset};
  }
};

// A tensor that owns its elements, aligned to 64 bytes. Movable, not copyable.
class Tensor {
 public:
  Tensor() noexcept = default;
  ~Tensor();
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;

  // A tensor with uninitialised elements. Errors: kUnknown (dtype), kExtent,
  // kOverflow, kLimit (more bytes than the platform can address), kAllocation.
  // Example:
  //   const Result<Tensor> made =
  //       Tensor::Allocate(DType::kF32, Extents{2, 3});
  //   assert(made->bytes() == 24);
  [[nodiscard]] static Result<Tensor> Allocate(
      DType dtype, ShapeView shape,
      const Allocator& allocator = DefaultAllocator()) noexcept;

  [[nodiscard]] DType dtype() const noexcept { return dtype_; }
  [[nodiscard]] ShapeView shape() const noexcept { return shape_.view(); }
  [[nodiscard]] size_t bytes() const noexcept { return bytes_; }
  [[nodiscard]] const void* data() const noexcept { return data_; }
  [[nodiscard]] void* data() noexcept { return data_; }
  // The elements as T, which must have the size of the element type.
  template <class T>
  [[nodiscard]] std::span<const T> as() const noexcept {
    return {static_cast<const T*>(data_), bytes_ / sizeof(T)};
  }
  template <class T>
  [[nodiscard]] std::span<T> as() noexcept {
    return {static_cast<T*>(data_), bytes_ / sizeof(T)};
  }

  // Valid until the tensor is moved or destroyed.
  [[nodiscard]] TensorView view() const noexcept {
    return {.dtype = dtype_,
            .shape = shape_.view(),
            .data = data_,
            .bytes = bytes_};
  }
  [[nodiscard]] MutableTensorView view() noexcept {
    return {.dtype = dtype_,
            .shape = shape_.view(),
            .data = data_,
            .bytes = bytes_};
  }

 private:
  DType dtype_ = DType::kF32;
  Shape shape_;
  void* data_ = nullptr;
  size_t bytes_ = 0;
  Allocator allocator_{};
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_TENSOR_H_
