// Lists, tensors and options that a caller passes, as the C++ library has them.
// Everything points into the caller's memory. Names of arguments are those of
// bl_error.

#ifndef BROADLOOM_C_ARGUMENTS_H_
#define BROADLOOM_C_ARGUMENTS_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "error.h"

namespace broadloom_c {

// `count` values. Errors: BL_DETAIL_COUNT for a count above BL_MOST_COUNT (the
// argument `count_name`), BL_DETAIL_NULL for values that are null.
template <class T>
[[nodiscard]] CResult<std::span<T>> ReadArray(
    T* values, size_t count, const char* name, const char* count_name,
    int32_t operand = BL_ABSENT) noexcept {
  if (count > BL_MOST_COUNT) {
    return Failed(Fault{.detail = BL_DETAIL_COUNT,
                        .argument = count_name,
                        .operand = operand,
                        .value = BitsOfUnsigned(count),
                        .needed = BitsOfUnsigned(BL_MOST_COUNT)});
  }
  if (count == 0) return std::span<T>();
  if (values == nullptr) return FailedNull(name, operand);
  return std::span<T>(values, count);
}

// A list. Errors: those of ReadArray.
[[nodiscard]] inline CResult<ShapeView> ReadList(
    const bl_integers& list, const char* name, const char* count_name,
    int32_t operand = BL_ABSENT) noexcept {
  return ReadArray(list.values, list.count, name, count_name, operand);
}

// A list as the C interface has it.
[[nodiscard]] inline bl_integers ListOf(ShapeView values) noexcept {
  return {values.data(), values.size()};
}

// Tensors of a call. The names are those of one tensor's parts.
struct TensorNames {
  const char* dtype;
  const char* flags;
  const char* data;
  const char* extents;
  const char* rank;
  const char* tensor;
};
inline constexpr TensorNames kInputs = {
    "inputs[].dtype",        "inputs[].flags",       "inputs[].data",
    "inputs[].shape.values", "inputs[].shape.count", "inputs[]"};
inline constexpr TensorNames kOutputs = {
    "outputs[].dtype",        "outputs[].flags",       "outputs[].data",
    "outputs[].shape.values", "outputs[].shape.count", "outputs[]"};
inline constexpr TensorNames kInput = {
    "input->dtype",        "input->flags",       "input->data",
    "input->shape.values", "input->shape.count", "input"};
inline constexpr TensorNames kOutput = {
    "output->dtype",        "output->flags",       "output->data",
    "output->shape.values", "output->shape.count", "output"};

// A tensor that is written. Errors: BL_ERROR_UNKNOWN (dtype), BL_DETAIL_FLAGS,
// those of ReadList, BL_DETAIL_NULL for data that is null and has bytes;
// BL_DETAIL_READ_ONLY.
[[nodiscard]] CResult<MutableTensorView> ReadOutput(
    const bl_tensor_view& view, const TensorNames& names,
    int32_t operand = BL_ABSENT) noexcept;
// One that is read. Errors: the same without the last.
[[nodiscard]] CResult<TensorView> ReadInput(
    const bl_tensor_view& view, const TensorNames& names,
    int32_t operand = BL_ABSENT) noexcept;

// A view of a tensor of the library.
[[nodiscard]] bl_tensor_view ViewOf(const TensorView& view, void* data,
                                    uint32_t flags) noexcept;

// The options of a run. Not movable: `run` points to `parallel`.
class RunSettings {
 public:
  RunSettings() noexcept = default;
  RunSettings(const RunSettings&) = delete;
  RunSettings& operator=(const RunSettings&) = delete;

  // Errors: those of ReadSized and AllocatorOf; BL_ERROR_UNKNOWN (stores);
  // BL_DETAIL_NULL for a loop without a function.
  [[nodiscard]] CStatus Read(const bl_run_options* options) noexcept;

  [[nodiscard]] const ParallelFor* parallel() const noexcept {
    return has_parallel_ ? &parallel_ : nullptr;
  }
  [[nodiscard]] RunOptions run() const noexcept {
    return {.stores = stores_, .parallel = parallel()};
  }
  [[nodiscard]] const Allocator& allocator() const noexcept {
    return allocator_;
  }

 private:
  Allocator allocator_ = DefaultAllocator();
  ParallelFor parallel_ = {};
  bool has_parallel_ = false;
  StorePolicy stores_ = StorePolicy::kAutomatic;
};

// The views of a list of tensors.
template <class View>
using Views = InlineArray<View, kInlineOperands>;
[[nodiscard]] CStatus ReadInputs(const bl_tensor_view* inputs, size_t count,
                                 const Allocator& allocator,
                                 Views<TensorView>& out) noexcept;
[[nodiscard]] CStatus ReadOutputs(const bl_tensor_view* outputs, size_t count,
                                  const Allocator& allocator,
                                  Views<MutableTensorView>& out) noexcept;

}  // namespace broadloom_c

#endif  // BROADLOOM_C_ARGUMENTS_H_
