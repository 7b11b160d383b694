#include "broadloom/tensor.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "catch2/catch_test_macros.hpp"
#include "unit/allocation_watch.h"
#include "unit/request.h"

namespace {

using namespace broadloom;
using testing::Extents;
using testing::Hook;

constexpr int64_t kMost = std::numeric_limits<int64_t>::max();

static_assert(!std::is_copy_constructible_v<Tensor>);
static_assert(std::is_nothrow_move_constructible_v<Tensor>);
static_assert(std::is_nothrow_move_assignable_v<Tensor>);

Tensor Made(DType dtype, const Extents& shape, const Allocator& allocator) {
  auto tensor = Tensor::Allocate(dtype, shape, allocator);
  REQUIRE(tensor);
  return std::move(*tensor);
}

TEST_CASE("tensor: it owns its elements, aligned") {
  Hook hook;
  Tensor tensor = Made(DType::kF32, {2, 3}, hook.get());
  REQUIRE(tensor.dtype() == DType::kF32);
  REQUIRE(testing::ToVector(tensor.shape()) == Extents{2, 3});
  REQUIRE(tensor.bytes() == 24);
  REQUIRE(tensor.data() != nullptr);
  REQUIRE(reinterpret_cast<uintptr_t>(tensor.data()) % 64 == 0);
  REQUIRE(tensor.as<float>().size() == 6);
  for (float& value : tensor.as<float>()) value = 2.5f;
  const Tensor& constant = tensor;
  REQUIRE(constant.as<float>()[5] == 2.5f);
  REQUIRE(constant.as<uint8_t>().size() == 24);

  const TensorView view = constant.view();
  REQUIRE(view.dtype == DType::kF32);
  REQUIRE(view.data == tensor.data());
  REQUIRE(view.bytes == 24);
  REQUIRE(testing::ToVector(view.shape) == Extents{2, 3});
  const MutableTensorView writable = tensor.view();
  const TensorView converted = writable;
  REQUIRE(converted.data == tensor.data());
  REQUIRE(converted.bytes == 24);
  REQUIRE(converted.shape.data() == writable.shape.data());
}

TEST_CASE("tensor: every type has its number of bytes") {
  Hook hook;
  for (const auto& row : AllDTypes()) {
    const Tensor tensor = Made(row.dtype, {3, 3}, hook.get());
    REQUIRE(tensor.bytes() == static_cast<size_t>(9 * row.bits + 7) / 8);
  }
}

TEST_CASE("tensor: no elements, and one element") {
  Hook hook;
  const Tensor empty = Made(DType::kF64, {3, 0}, hook.get());
  REQUIRE(empty.bytes() == 0);
  REQUIRE(empty.as<double>().empty());
  const Tensor scalar = Made(DType::kF64, {}, hook.get());
  REQUIRE(scalar.bytes() == 8);
  REQUIRE(scalar.shape().empty());
  const Tensor nothing;
  REQUIRE(nothing.bytes() == 0);
  REQUIRE(nothing.data() == nullptr);
}

TEST_CASE("tensor: moving takes everything along and leaks nothing") {
  Hook hook;
  Tensor first = Made(DType::kI32, {2, 3}, hook.get());
  first.as<int32_t>()[5] = 42;
  const void* data = first.data();

  Tensor second(std::move(first));
  REQUIRE(second.data() == data);
  REQUIRE(second.dtype() == DType::kI32);
  REQUIRE(testing::ToVector(second.shape()) == Extents{2, 3});
  REQUIRE(second.bytes() == 24);

  Tensor third = Made(DType::kU8, {7, 1, 1, 1, 1, 1, 1, 1, 1}, hook.get());
  third = std::move(second);
  REQUIRE(third.data() == data);
  REQUIRE(third.dtype() == DType::kI32);
  REQUIRE(testing::ToVector(third.shape()) == Extents{2, 3});
  REQUIRE(third.as<int32_t>()[5] == 42);

  Tensor& same = third;
  third = std::move(same);
  REQUIRE(third.data() == data);
  REQUIRE(third.bytes() == 24);
}

TEST_CASE("tensor: a moved-from tensor is consistent") {
  Hook hook;
  Tensor from = Made(DType::kI32, {2, 3}, hook.get());
  const Tensor to(std::move(from));
  REQUIRE(from.data() == nullptr);
  REQUIRE(from.bytes() == 0);
  REQUIRE(from.as<int32_t>().empty());
  REQUIRE(from.view().bytes == 0);
}

TEST_CASE(
    "tensor: an impossible size is an error, before anything is allocated") {
  Hook hook;
  const auto negative =
      Tensor::Allocate(DType::kF32, Extents{2, -1}, hook.get());
  REQUIRE(!negative);
  REQUIRE(negative.error().error_class == ErrorClass::kExtent);
  REQUIRE(negative.error().operand_axis == 1);
  const auto elements =
      Tensor::Allocate(DType::kU8, Extents{kMost, 2}, hook.get());
  REQUIRE(!elements);
  REQUIRE(elements.error().error_class == ErrorClass::kOverflow);
  const auto bytes = Tensor::Allocate(DType::kF64, Extents{kMost}, hook.get());
  REQUIRE(!bytes);
  REQUIRE(bytes.error().error_class == ErrorClass::kOverflow);
  // Countable, but not addressable.
  const auto limit = Tensor::Allocate(DType::kU8, Extents{kMost}, hook.get());
  REQUIRE(!limit);
  REQUIRE(limit.error().error_class == ErrorClass::kLimit);
  REQUIRE(limit.error().extent == kMost);
  REQUIRE(hook.calls() == 0);
}

TEST_CASE("tensor: missing memory is an error, not an abort") {
  const auto refused = Tensor::Allocate(DType::kU8, Extents{int64_t{1} << 62});
  REQUIRE(!refused);
  REQUIRE(refused.error().error_class == ErrorClass::kAllocation);
}

TEST_CASE("tensor: each failed allocation is an error") {
  for (const Extents& shape : {Extents{2, 3}, Extents(9, 2)}) {
    const size_t requests =
        testing::RefuseEach([&](const Allocator& allocator) {
          return Tensor::Allocate(DType::kI16, shape, allocator);
        });
    REQUIRE(requests >= 1);
  }
}

}  // namespace
