#include "broadloom/promote.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {

// Types by the way they promote.
enum class Family {
  kBool,
  kSigned,
  kUnsigned,
  kFloat,  // of NumPy
  kComplex,
  kExtension,  // floats of ml_dtypes; no two of them promote together
  kPacked,     // promotes with no other type
};

Family FamilyOf(DType dtype) {
  switch (dtype) {
    case DType::kBF16:
    case DType::kF8E4M3:
    case DType::kF8E5M2:
      return Family::kExtension;
    case DType::kC64:
    case DType::kC128:
      return Family::kComplex;
    default:
      break;
  }
  switch (Info(dtype).kind) {
    case DTypeKind::kBoolean:
      return Family::kBool;
    case DTypeKind::kSigned:
      return Family::kSigned;
    case DTypeKind::kUnsigned:
      return Family::kUnsigned;
    case DTypeKind::kFloat:
      return Family::kFloat;
    case DTypeKind::kOpaque:
      return Family::kPacked;
  }
  return Family::kPacked;
}

DType Signed(int bits) {
  switch (bits) {
    case 8:
      return DType::kI8;
    case 16:
      return DType::kI16;
    case 32:
      return DType::kI32;
    default:
      return DType::kI64;
  }
}

DType Unsigned(int bits) {
  switch (bits) {
    case 8:
      return DType::kU8;
    case 16:
      return DType::kU16;
    case 32:
      return DType::kU32;
    default:
      return DType::kU64;
  }
}

// The widths, in bits, of the widest types of each kind in a list; 0 where
// there is none.
struct Widths {
  int signed_bits = 0;
  int unsigned_bits = 0;
  int float_bits = 0;  // of each part, where the type is complex
  bool is_complex = false;

  [[nodiscard]] int integer_bits() const {
    return std::max(signed_bits, unsigned_bits);
  }

  [[nodiscard]] DType Common() const {
    if (float_bits == 0) return CommonInteger();
    const int bits = std::max(float_bits, 2 * integer_bits());
    if (is_complex) return bits <= 32 ? DType::kC64 : DType::kC128;
    if (bits <= 16) return DType::kF16;
    return bits <= 32 ? DType::kF32 : DType::kF64;
  }

 private:
  [[nodiscard]] DType CommonInteger() const {
    if (integer_bits() == 0) return DType::kBool;
    if (signed_bits == 0) return Unsigned(unsigned_bits);
    const int bits = std::max(signed_bits, 2 * unsigned_bits);
    return bits <= 64 ? Signed(bits) : DType::kF64;
  }
};

std::optional<DType> CommonType(std::span<const DType> dtypes) {
  if (dtypes.empty()) return std::nullopt;
  Widths widths;
  bool has_f16 = false;
  std::optional<DType> extension;
  for (const DType dtype : dtypes) {
    if (!IsKnown(dtype)) return std::nullopt;
    const int bits = BitsOf(dtype);
    switch (FamilyOf(dtype)) {
      case Family::kBool:
        break;
      case Family::kSigned:
        widths.signed_bits = std::max(widths.signed_bits, bits);
        break;
      case Family::kUnsigned:
        widths.unsigned_bits = std::max(widths.unsigned_bits, bits);
        break;
      case Family::kFloat:
        widths.float_bits = std::max(widths.float_bits, bits);
        has_f16 = has_f16 || dtype == DType::kF16;
        break;
      case Family::kComplex:
        widths.float_bits = std::max(widths.float_bits, bits / 2);
        widths.is_complex = true;
        break;
      case Family::kExtension:
        if (extension && *extension != dtype) return std::nullopt;
        extension = dtype;
        break;
      case Family::kPacked:
        if (std::ranges::any_of(dtypes, [&](DType d) { return d != dtype; })) {
          return std::nullopt;
        }
        return dtype;
    }
  }
  if (!extension) return widths.Common();
  const bool takes_all = widths.integer_bits() <= 8 && !has_f16;
  if (takes_all && widths.float_bits == 0) return extension;
  if (!takes_all && extension != DType::kF8E5M2) return std::nullopt;
  widths.float_bits = std::max(widths.float_bits, BitsOf(DType::kF32));
  return widths.Common();
}

// The type of scalars without other operands.
std::optional<DType> DefaultType(WeakKind weak) {
  switch (weak) {
    case WeakKind::kNone:
      return std::nullopt;
    case WeakKind::kBool:
      return DType::kBool;
    case WeakKind::kInt:
      return DType::kI64;
    case WeakKind::kFloat:
      return DType::kF64;
  }
  return std::nullopt;
}

std::optional<DType> WithScalar(DType dtype, WeakKind weak) {
  const Family family = FamilyOf(dtype);
  if (weak == WeakKind::kNone) return dtype;
  if (family == Family::kPacked) return std::nullopt;
  switch (weak) {
    case WeakKind::kInt:
      return family == Family::kBool ? DType::kI64 : dtype;
    case WeakKind::kFloat:
      if (family == Family::kFloat || family == Family::kComplex) return dtype;
      // The smallest of f16, f32 and f64 to which NumPy promotes the list.
      return dtype == DType::kF8E5M2 ? DType::kF32 : DType::kF64;
    default:
      return dtype;
  }
}

}  // namespace

std::optional<DType> PromoteTypes(DType a, DType b) noexcept {
  const DType both[] = {a, b};
  return CommonType(both);
}

std::optional<DType> ResultDType(std::span<const DType> dtypes,
                                 WeakKind weak) noexcept {
  if (dtypes.empty()) return DefaultType(weak);
  const std::optional<DType> common = CommonType(dtypes);
  if (!common) return std::nullopt;
  return WithScalar(*common, weak);
}

bool IsPromoted(Op op, size_t operand) noexcept {
  return std::ranges::any_of(AllDTypes(), [&](const DTypeInfo& info) {
    return info.dtype != DType::kBool && Accepts(op, operand, info.dtype, true);
  });
}

std::optional<DType> PromotedIntegers(Op op) noexcept {
  if (op == Op::kDiv) return DType::kF64;
  return std::nullopt;
}

std::optional<DType> ResultDType(Op op, std::span<const DType> dtypes,
                                 WeakKind weak) noexcept {
  const std::optional<DType> common = ResultDType(dtypes, weak);
  if (!common) return std::nullopt;
  switch (FamilyOf(*common)) {
    case Family::kBool:
    case Family::kSigned:
    case Family::kUnsigned:
      return PromotedIntegers(op).value_or(*common);
    default:
      return common;
  }
}

}  // namespace v1
}  // namespace broadloom
