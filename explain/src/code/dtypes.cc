#include "code/dtypes.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {

// A name: "=" stands for NumPy's without its module, empty for none.
struct TypeRow {
  DType dtype;
  std::string_view numpy;
  std::string_view pytorch;
  std::string_view tensorflow;
  std::string_view onnx;
  std::string_view openvino;
  std::string_view precision;
};

constexpr TypeRow kTypes[] = {
    {DType::kBool, "bool_", "bool", "bool", "BOOL", "boolean", "BOOL"},
    {DType::kI8, "int8", "=", "=", "INT8", "i8", "I8"},
    {DType::kI16, "int16", "=", "=", "INT16", "i16", "I16"},
    {DType::kI32, "int32", "=", "=", "INT32", "i32", "I32"},
    {DType::kI64, "int64", "=", "=", "INT64", "i64", "I64"},
    {DType::kU8, "uint8", "=", "=", "UINT8", "u8", "U8"},
    {DType::kU16, "uint16", "=", "=", "UINT16", "u16", "U16"},
    {DType::kU32, "uint32", "=", "=", "UINT32", "u32", "U32"},
    {DType::kU64, "uint64", "=", "=", "UINT64", "u64", "U64"},
    {DType::kF16, "float16", "=", "=", "FLOAT16", "f16", "FP16"},
    {DType::kBF16, "ml_dtypes.bfloat16", "=", "=", "BFLOAT16", "bf16", "BF16"},
    {DType::kF32, "float32", "=", "=", "FLOAT", "f32", "FP32"},
    {DType::kF64, "float64", "=", "=", "DOUBLE", "f64", "FP64"},
    {DType::kF8E4M3, "ml_dtypes.float8_e4m3fn", "=", "", "", "f8e4m3",
     "F8E4M3"},
    {DType::kF8E5M2, "ml_dtypes.float8_e5m2", "=", "", "", "f8e5m2", "F8E5M2"},
    {DType::kC64, "complex64", "=", "=", "COMPLEX64", "", ""},
    {DType::kC128, "complex128", "=", "=", "COMPLEX128", "", ""},
    {DType::kI4, "ml_dtypes.int4", "", "", "", "i4", "I4"},
    {DType::kU4, "ml_dtypes.uint4", "", "", "", "u4", "U4"},
    {DType::kU1, "", "", "", "", "u1", "BIN"},
};

constexpr TypeRow kNoType{};
constexpr std::string_view kBorrowed = "ml_dtypes.";

const TypeRow& RowOf(DType dtype) {
  for (const TypeRow& row : kTypes) {
    if (row.dtype == dtype) return row;
  }
  return kNoType;
}

}  // namespace

std::string_view NameOf(DType dtype, TypeColumn column) {
  const TypeRow& row = RowOf(dtype);
  const std::string_view names[] = {row.numpy, row.pytorch,  row.tensorflow,
                                    row.onnx,  row.openvino, row.precision};
  const std::string_view name = names[static_cast<size_t>(column)];
  if (name != "=") return name;
  return row.numpy.starts_with(kBorrowed) ? row.numpy.substr(kBorrowed.size())
                                          : row.numpy;
}

std::optional<DType> FindElementType(std::string_view name) {
  // Names that no column has: MLIR's signed integers, XLA's bool, C's floats.
  struct Alias {
    std::string_view name;
    DType dtype;
  };
  constexpr Alias kAliases[] = {
      {"pred", DType::kBool}, {"half", DType::kF16},
      {"long", DType::kI64},  {"si4", DType::kI4},
      {"si8", DType::kI8},    {"si16", DType::kI16},
      {"si32", DType::kI32},  {"si64", DType::kI64},
      {"ui4", DType::kU4},    {"ui8", DType::kU8},
      {"ui16", DType::kU16},  {"ui32", DType::kU32},
      {"ui64", DType::kU64},  {"i1", DType::kBool},
      {"s8", DType::kI8},     {"s16", DType::kI16},
      {"s32", DType::kI32},   {"s64", DType::kI64},
      {"byte", DType::kU8},   {"short", DType::kI16},
      {"s4", DType::kI4},     {"f8e4m3fn", DType::kF8E4M3}};
  if (const size_t dot = name.rfind('.'); dot != std::string_view::npos) {
    name.remove_prefix(dot + 1);
  }
  const auto lower = [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  };
  const auto is_called = [&](std::string_view known) {
    return !known.empty() && std::ranges::equal(name, known, {}, lower, lower);
  };
  // ONNX's FLOAT is no NumPy float.
  if (name.empty() || name == "float") return std::nullopt;
  for (const TypeRow& row : kTypes) {
    if (is_called(Info(row.dtype).name)) return row.dtype;
    for (const TypeColumn column :
         {TypeColumn::kNumPy, TypeColumn::kPyTorch, TypeColumn::kOnnx,
          TypeColumn::kPrecision}) {
      std::string_view known = NameOf(row.dtype, column);
      if (known.starts_with(kBorrowed)) known.remove_prefix(kBorrowed.size());
      if (is_called(known)) return row.dtype;
    }
  }
  for (const Alias& alias : kAliases) {
    if (is_called(alias.name)) return alias.dtype;
  }
  return std::nullopt;
}

bool IsBorrowed(DType dtype) {
  return RowOf(dtype).numpy.starts_with(kBorrowed);
}

int IntegerBits(DType dtype) {
  const DTypeInfo& info = Info(dtype);
  const bool is_integer =
      info.kind == DTypeKind::kSigned || info.kind == DTypeKind::kUnsigned;
  return is_integer ? info.bits : 0;
}

bool IsSigned(DType dtype) { return Info(dtype).kind == DTypeKind::kSigned; }

uint32_t EncodeFloat(double value, DType dtype) {
  struct Format {
    int fraction;
    int bias;
    uint32_t infinity;
    uint32_t nan;
    uint32_t sign;
  };
  constexpr Format kF16{10, 15, 0x7c00, 0x7e00, 0x8000};
  constexpr Format kBF16{7, 127, 0x7f80, 0x7fc0, 0x8000};
  constexpr Format kF8E4M3{3, 7, 0x7f, 0x7f, 0x80};  // it has no infinities
  constexpr Format kF8E5M2{2, 15, 0x7c, 0x7e, 0x80};
  const Format& format = dtype == DType::kF16      ? kF16
                         : dtype == DType::kBF16   ? kBF16
                         : dtype == DType::kF8E4M3 ? kF8E4M3
                                                   : kF8E5M2;
  if (std::isnan(value)) return format.nan;
  const uint32_t sign = std::signbit(value) ? format.sign : 0;
  const double magnitude = std::abs(value);
  if (std::isinf(magnitude)) return sign | format.infinity;
  const int least = 1 - format.bias;
  const int exponent =
      magnitude < std::ldexp(1.0, least) ? least : std::ilogb(magnitude);
  // The fraction as a whole number; that of a normal number includes its
  // leading 1. A carry out of it increases the exponent, up to infinity.
  const double scaled = std::ldexp(magnitude, format.fraction - exponent);
  const double low = std::floor(scaled);
  const double rest = scaled - low;
  const bool is_odd = std::fmod(low, 2) == 1;
  const double units = rest > 0.5 || (rest == 0.5 && is_odd) ? low + 1 : low;
  const double code = std::ldexp(exponent - least, format.fraction) + units;
  return sign | (code < format.infinity ? static_cast<uint32_t>(code)
                                        : format.infinity);
}

}  // namespace v1
}  // namespace broadloom
