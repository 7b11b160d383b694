// The element types' names in each system, and
// their kinds.

#ifndef BROADLOOM_EXPLAIN_CODE_DTYPES_H_
#define BROADLOOM_EXPLAIN_CODE_DTYPES_H_

#include <cstdint>
#include <optional>
#include <string_view>

#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

enum class TypeColumn : uint8_t {
  kNumPy,  // its own, or one that ml_dtypes adds; JAX has both
  kPyTorch,
  kTensorFlow,
  kOnnx,       // of TensorProto
  kOpenVino,   // in Python
  kPrecision,  // of a port in OpenVINO's IR
};

// The name of an element type, without the library's; empty where the system
// has no such type. NumPy's begins with `ml_dtypes.` where that is its module.
std::string_view NameOf(DType dtype, TypeColumn column);

// The element type that any of the systems calls so, in letters of any case,
// perhaps behind its library: `float32`, `torch.float64`, `si32`, `DOUBLE`.
// None where systems mean different types, as by `float` and `int`.
std::optional<DType> FindElementType(std::string_view name);

// Whether the type is one that ml_dtypes adds to NumPy.
bool IsBorrowed(DType dtype);

// Integers that operators compute with: bits, or 0 for other types.
int IntegerBits(DType dtype);
inline bool IsInteger(DType dtype) { return IntegerBits(dtype) != 0; }
bool IsSigned(DType dtype);

// Floats that are computed with in f32 and rounded once.
inline bool IsHalf(DType dtype) {
  return dtype == DType::kF16 || dtype == DType::kBF16;
}
inline bool IsFloat(DType dtype) {
  return IsHalf(dtype) || dtype == DType::kF32 || dtype == DType::kF64;
}
inline bool IsComplex(DType dtype) {
  return dtype == DType::kC64 || dtype == DType::kC128;
}
// Floats whose arrays hold the bits of each element.
inline bool IsSmallFloat(DType dtype) {
  return IsHalf(dtype) || dtype == DType::kF8E4M3 || dtype == DType::kF8E5M2;
}

// The bits of a number as a small float, rounded once to nearest even. Beyond
// the type's range it is infinity, or NaN in f8e4m3.
uint32_t EncodeFloat(double value, DType dtype);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_CODE_DTYPES_H_
