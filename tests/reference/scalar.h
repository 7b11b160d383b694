// The result of each operator for single elements, in plain C++ from the
// definitions: an oracle that shares no code with the kernels. Slow. For tests
// only.

#ifndef BROADLOOM_TESTS_REFERENCE_SCALAR_H_
#define BROADLOOM_TESTS_REFERENCE_SCALAR_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <type_traits>

#include "broadloom/plan.h"
#include "broadloom/vocabulary.h"

namespace reference {

using broadloom::DType;
using broadloom::Op;
using broadloom::OpAttributes;

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

// --- Binary floating point, from IEEE 754's definition ----------------------

struct FloatFormat {
  int exponent_bits;
  int fraction_bits;

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int largest_exponent() const { return (1 << exponent_bits) - 1; }
};
inline constexpr FloatFormat kBinary16 = {5, 10};
inline constexpr FloatFormat kBFloat16 = {8, 7};
inline constexpr FloatFormat kBinary32 = {8, 23};
inline constexpr FloatFormat kBinary64 = {11, 52};

inline double Decode(FloatFormat format, uint64_t bits) {
  const uint64_t fraction = bits & ((uint64_t{1} << format.fraction_bits) - 1);
  const int exponent = static_cast<int>(bits >> format.fraction_bits) &
                       format.largest_exponent();
  const bool negative =
      (bits >> (format.fraction_bits + format.exponent_bits) & 1) != 0;
  double magnitude;
  if (exponent == format.largest_exponent()) {
    magnitude = fraction == 0 ? std::numeric_limits<double>::infinity()
                              : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<double>(fraction),
                           1 - format.bias() - format.fraction_bits);
  } else {
    magnitude = std::ldexp(
        static_cast<double>(fraction + (uint64_t{1} << format.fraction_bits)),
        exponent - format.bias() - format.fraction_bits);
  }
  return negative ? -magnitude : magnitude;
}

// Rounds to nearest, ties to even.
inline uint64_t Encode(FloatFormat format, double x) {
  const uint64_t sign =
      std::signbit(x)
          ? uint64_t{1} << (format.fraction_bits + format.exponent_bits)
          : 0;
  const uint64_t infinity = static_cast<uint64_t>(format.largest_exponent())
                            << format.fraction_bits;
  if (std::isnan(x)) {
    return sign | infinity | uint64_t{1} << (format.fraction_bits - 1);
  }
  const double magnitude = std::fabs(x);
  if (magnitude == 0) return sign;
  if (std::isinf(magnitude)) return sign | infinity;
  const int smallest = 1 - format.bias();
  const int exponent = std::max(std::ilogb(magnitude), smallest);
  const double ulps =
      std::nearbyint(std::ldexp(magnitude, format.fraction_bits - exponent));
  // The fraction's leading 1, and a carry out of the fraction, add to the
  // exponent.
  const uint64_t bits =
      (static_cast<uint64_t>(exponent - smallest) << format.fraction_bits) +
      static_cast<uint64_t>(ulps);
  if (exponent > format.bias() || bits >= infinity) return sign | infinity;
  return sign | bits;
}

// The same for an integer of any length.
inline uint64_t EncodeInteger(FloatFormat format, Wide x) {
  const UnsignedWide magnitude =
      x < 0 ? -static_cast<UnsignedWide>(x) : static_cast<UnsignedWide>(x);
  int length = 0;
  while (length < 128 && magnitude >> length != 0) ++length;
  const int dropped = std::max(length - (format.fraction_bits + 1), 0);
  UnsignedWide kept = magnitude >> dropped;
  if (dropped > 0) {
    const UnsignedWide rest = magnitude - (kept << dropped);
    const UnsignedWide half = UnsignedWide{1} << (dropped - 1);
    if (rest > half || (rest == half && kept % 2 != 0)) ++kept;
  }
  const double rounded = std::ldexp(static_cast<double>(kept), dropped);
  return Encode(format, x < 0 ? -rounded : rounded);
}

struct F16 {
  uint16_t bits;
};
struct BF16 {
  uint16_t bits;
};

template <class T>
inline constexpr bool kIsHalf =
    std::is_same_v<T, F16> || std::is_same_v<T, BF16>;
template <class T>
inline constexpr bool kIsInteger = std::is_integral_v<T>;

template <class T>
constexpr FloatFormat FormatOf() {
  if constexpr (std::is_same_v<T, F16>) return kBinary16;
  if constexpr (std::is_same_v<T, BF16>) return kBFloat16;
  if constexpr (std::is_same_v<T, float>) return kBinary32;
  return kBinary64;
}

// --- Elements ---------------------------------------------------------------

template <class T>
T Read(const void* from) {
  T value;
  std::memcpy(&value, from, sizeof(value));
  return value;
}

template <class T>
void Write(void* to, T value) {
  std::memcpy(to, &value, sizeof(value));
}

// Calls visit(T()) for the C++ type of a number type.
template <class Visit>
void VisitNumber(DType dtype, Visit visit) {
  switch (dtype) {
    case DType::kI8:
      return visit(int8_t());
    case DType::kI16:
      return visit(int16_t());
    case DType::kI32:
      return visit(int32_t());
    case DType::kI64:
      return visit(int64_t());
    case DType::kU8:
      return visit(uint8_t());
    case DType::kU16:
      return visit(uint16_t());
    case DType::kU32:
      return visit(uint32_t());
    case DType::kU64:
      return visit(uint64_t());
    case DType::kF16:
      return visit(F16());
    case DType::kBF16:
      return visit(BF16());
    case DType::kF32:
      return visit(float());
    case DType::kF64:
      return visit(double());
    default:
      return;
  }
}

// The type in which f16 and bf16 are computed.
template <class T>
using Computed = std::conditional_t<kIsHalf<T>, float, T>;

template <class T>
Computed<T> ToComputed(T x) {
  if constexpr (kIsHalf<T>) {
    return static_cast<float>(Decode(FormatOf<T>(), x.bits));
  } else {
    return x;
  }
}

template <class T>
T FromComputed(Computed<T> x) {
  if constexpr (kIsHalf<T>) {
    return {static_cast<uint16_t>(Encode(FormatOf<T>(), x))};
  } else {
    return x;
  }
}

inline bool IsNaN(DType dtype, const void* element) {
  bool nan = false;
  VisitNumber(dtype, [&]<class T>(T) {
    if constexpr (!kIsInteger<T>)
      nan = std::isnan(ToComputed(Read<T>(element)));
  });
  return nan;
}

// --- Operators --------------------------------------------------------------

template <class T>
T IntegerMod(T a, T b, bool fmod) {
  if (b == 0) return 0;
  Wide remainder = static_cast<Wide>(a) % static_cast<Wide>(b);
  if (!fmod && remainder != 0 && (remainder < 0) != (b < 0)) {
    remainder += static_cast<Wide>(b);
  }
  return static_cast<T>(remainder);
}

template <class T>
T IntegerPow(T base, Wide exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (std::is_signed_v<T> && base == static_cast<T>(-1)) {
      return exponent % 2 == 0 ? T{1} : static_cast<T>(-1);
    }
    return 0;
  }
  UnsignedWide power = 1;
  UnsignedWide square = static_cast<UnsignedWide>(static_cast<Wide>(base));
  for (; exponent != 0; exponent /= 2) {
    if (exponent % 2 != 0) power *= square;
    square *= square;
  }
  return static_cast<T>(power);
}

template <class T>
T Saturate(double x) {
  if (std::isnan(x)) return 0;
  x = std::trunc(x);
  if (x <= static_cast<double>(std::numeric_limits<T>::min())) {
    return std::numeric_limits<T>::min();
  }
  if (x >= std::ldexp(1.0, std::numeric_limits<T>::digits)) {
    return std::numeric_limits<T>::max();
  }
  return static_cast<T>(x);
}

template <class T>
T Extremum(bool max, T a, T b) {
  if constexpr (!kIsInteger<T>) {
    if (std::isnan(a)) return a;
    if (std::isnan(b)) return b;
    if (a == 0 && b == 0) return std::signbit(a) == max ? b : a;
  }
  return (max ? a > b : a < b) ? a : b;
}

// Operators on two numbers of one type that return that type, except Pow.
template <class T>
T Arithmetic(Op op, T a, T b, const OpAttributes& attributes) {
  if constexpr (kIsInteger<T>) {
    const auto wrapped_a = static_cast<UnsignedWide>(static_cast<Wide>(a));
    const auto wrapped_b = static_cast<UnsignedWide>(static_cast<Wide>(b));
    constexpr uint64_t kWidth = sizeof(T) * 8;
    switch (op) {
      case Op::kAdd:
        return static_cast<T>(wrapped_a + wrapped_b);
      case Op::kSub:
        return static_cast<T>(wrapped_a - wrapped_b);
      case Op::kMul:
        return static_cast<T>(wrapped_a * wrapped_b);
      case Op::kSquaredDifference:
        return static_cast<T>((wrapped_a - wrapped_b) *
                              (wrapped_a - wrapped_b));
      case Op::kDiv:
        return b == 0 ? T{0}
                      : static_cast<T>(static_cast<Wide>(a) /
                                       static_cast<Wide>(b));
      case Op::kMod:
        return IntegerMod(a, b, attributes.fmod == 1);
      case Op::kBitwiseAnd:
        return static_cast<T>(a & b);
      case Op::kBitwiseOr:
        return static_cast<T>(a | b);
      case Op::kBitwiseXor:
        return static_cast<T>(a ^ b);
      case Op::kBitShift:
        if (static_cast<uint64_t>(b) >= kWidth) return 0;
        return attributes.direction == broadloom::ShiftDirection::kLeft
                   ? static_cast<T>(wrapped_a << b)
                   : static_cast<T>(wrapped_a >> b);
      case Op::kPRelu:
        return a < 0 ? static_cast<T>(wrapped_a * wrapped_b) : a;
      case Op::kMax:
        return Extremum(true, a, b);
      case Op::kMin:
        return Extremum(false, a, b);
      default:
        return 0;
    }
  } else {
    switch (op) {
      case Op::kAdd:
      case Op::kSum:
        return a + b;
      case Op::kSub:
        return a - b;
      case Op::kMul:
        return a * b;
      case Op::kSquaredDifference: {
        const T difference = a - b;
        return difference * difference;
      }
      case Op::kDiv:
        return a / b;
      case Op::kMod:
        return std::fmod(a, b);
      case Op::kPRelu:
        return a < 0 ? a * b : a;
      case Op::kMax:
        return Extremum(true, a, b);
      case Op::kMin:
        return Extremum(false, a, b);
      default:
        return 0;
    }
  }
}

template <class T>
bool Compare(Op op, T a, T b) {
  switch (op) {
    case Op::kEqual:
      return a == b;
    case Op::kNotEqual:
      return a != b;
    case Op::kLess:
      return a < b;
    case Op::kLessOrEqual:
      return a <= b;
    case Op::kGreater:
      return a > b;
    case Op::kGreaterOrEqual:
      return a >= b;
    case Op::kAnd:
      return a != 0 && b != 0;
    case Op::kOr:
      return a != 0 || b != 0;
    case Op::kXor:
      return a != b;
    default:
      return false;
  }
}

// base ** exponent by squaring. Each product has an error of half an ulp of a
// long double, and every squaring doubles it, so a long double of 113 bits is
// needed.
inline long double RaiseBySquaring(long double base, uint64_t exponent) {
  long double power = 1;
  for (; exponent != 0; exponent >>= 1) {
    if ((exponent & 1) != 0) power *= base;
    base *= base;
  }
  return power;
}

// base ** exponent as exactly as a long double allows, for a float base.
inline long double ExactPow(DType base, const void* base_element,
                            DType exponent, const void* exponent_element) {
  long double b = 0;
  long double e = 0;
  bool odd = false;
  std::optional<uint64_t> whole;  // |exponent|, of an integer type
  VisitNumber(base, [&]<class T>(T) {
    b = static_cast<long double>(ToComputed(Read<T>(base_element)));
  });
  VisitNumber(exponent, [&]<class T>(T) {
    e = static_cast<long double>(ToComputed(Read<T>(exponent_element)));
    // Where a long double is only a double, it cannot hold large integers.
    if constexpr (kIsInteger<T>) {
      const T element = Read<T>(exponent_element);
      odd = (element & 1) != 0;
      whole = static_cast<uint64_t>(element);
      if (element < 0) whole = uint64_t{0} - *whole;
    } else {
      odd = std::fabs(std::fmod(e, 2.0L)) == 1;
    }
  });
  if (b == 1 || e == 0) return 1;  // also for signaling NaNs
  if (std::isinf(b)) {
    // glibc 2.36 computes x ** -2^63 wrongly for infinite x.
    if (std::isnan(e)) return e;
    const long double magnitude =
        e < 0 ? 0 : std::numeric_limits<long double>::infinity();
    return std::signbit(b) && odd ? -magnitude : magnitude;
  }
  // The C library of wasm has long doubles of 113 bits, but computes powers in
  // double, which cannot hold large exponents.
  if (std::numeric_limits<long double>::digits == 113 && whole) {
    const long double power = RaiseBySquaring(b, *whole);
    return e < 0 ? 1 / power : power;
  }
  if (odd) return std::copysign(std::pow(std::fabs(b), e), b);
  return std::pow(b, e);
}

// Whether `element` is within `most` units in the last place of `exact`.
inline bool IsWithinUlps(DType dtype, long double exact, const void* element,
                         int most) {
  bool within = false;
  VisitNumber(dtype, [&]<class T>(T) {
    if constexpr (!kIsInteger<T>) {
      constexpr FloatFormat kFormat = FormatOf<T>();
      const auto got = static_cast<long double>(ToComputed(Read<T>(element)));
      if (std::isnan(exact) || std::isnan(got)) {
        within = std::isnan(exact) && std::isnan(got);
        return;
      }
      if (std::signbit(exact) != std::signbit(got)) return;
      if (std::isinf(exact) || exact == 0) {
        within = got == exact;
        return;
      }
      const int exponent = std::max(std::ilogb(exact), 1 - kFormat.bias());
      const long double ulp = std::ldexp(
          1.0L, std::min(exponent, kFormat.bias()) - kFormat.fraction_bits);
      const long double beyond = std::ldexp(1.0L, kFormat.bias() + 1);
      const long double reached = std::isinf(got) ? beyond : std::fabs(got);
      const long double wanted = std::min(std::fabs(exact), beyond);
      within =
          std::fabs(reached - wanted) <= static_cast<long double>(most) * ulp;
    }
  });
  return within;
}

// How far a result may be off, in units in its last place. 0: it is exact.
// tests/reference/accuracy.mjs says the same for tests in JavaScript.
inline int MostUlps(Op op, DType dtype) {
  if (broadloom::Info(dtype).kind != broadloom::DTypeKind::kFloat) return 0;
  const bool half = broadloom::Info(dtype).bits == 16;
  switch (op) {
    case Op::kPow:
      return half ? 1 : 4;
    default:
      return 0;
  }
}

// Whether the operator computes powers in f64 and converts them to integers of
// 64 bits.
inline bool IsPowerThroughF64(Op op, std::span<const DType> dtypes) {
  return op == Op::kPow &&
         (dtypes[0] == DType::kI64 || dtypes[0] == DType::kU64) &&
         dtypes[1] >= DType::kF16 && dtypes[1] <= DType::kF64;
}

// Whether `got` is within the tolerance of such a power, if it is not the exact
// one truncated: it must be a number within four units in the last place (f64)
// of the exact one, truncated. Whole numbers below 2^50 have no tolerance.
inline bool AgreeThroughF64(DType dtype, long double exact, uint64_t got) {
  const long double magnitude = std::fabs(exact);
  if (magnitude < 0x1p50L && magnitude == std::trunc(magnitude)) return false;
  const auto near = static_cast<double>(magnitude);
  const long double off =
      4 * (std::nextafter(near, HUGE_VAL) - static_cast<long double>(near));
  const long double reached =
      dtype == DType::kI64 ? static_cast<long double>(static_cast<int64_t>(got))
                           : static_cast<long double>(got);
  return std::trunc(exact - off) <= reached &&
         reached <= std::trunc(exact + off);
}

// The result as near as a long double comes, where MostUlps is not 0, and of
// powers through f64 before they are converted.
inline long double ExactResult(Op op, std::span<const DType> dtypes,
                               std::span<const void* const> in) {
  switch (op) {
    case Op::kPow:
      return ExactPow(dtypes[0], in[0], dtypes[1], in[1]);
    default:
      return 0;
  }
}

// Cast, from the definition: an element's value, converted to the other type.
template <class T>
void CastInteger(Wide value, bool saturates, void* out) {
  if constexpr (kIsInteger<T>) {
    using Limits = std::numeric_limits<T>;
    if (saturates) {
      value = std::min(std::max(value, static_cast<Wide>(Limits::min())),
                       static_cast<Wide>(Limits::max()));
    }
    Write(out, static_cast<T>(static_cast<UnsignedWide>(value)));
  } else {
    const uint64_t bits = EncodeInteger(FormatOf<T>(), value);
    std::memcpy(out, &bits, sizeof(T));  // little-endian
  }
}

template <class T>
void CastFloat(double value, void* out) {
  if constexpr (kIsInteger<T>) {
    Write(out, Saturate<T>(value));
  } else {
    const uint64_t bits = Encode(FormatOf<T>(), value);
    std::memcpy(out, &bits, sizeof(T));
  }
}

inline void EvaluateCast(DType from, DType to, bool saturates, const void* in,
                         void* out) {
  std::optional<Wide> whole;
  double number = 0;
  if (from == DType::kBool) whole = Read<uint8_t>(in) != 0 ? 1 : 0;
  VisitNumber(from, [&]<class T>(T) {
    if constexpr (kIsInteger<T>) {
      whole = static_cast<Wide>(Read<T>(in));
    } else {
      uint64_t bits = 0;
      std::memcpy(&bits, in, sizeof(T));
      number = Decode(FormatOf<T>(), bits);
    }
  });
  if (to == DType::kBool) {
    Write(out, static_cast<uint8_t>(whole ? *whole != 0 : number != 0));
    return;
  }
  VisitNumber(to, [&]<class T>(T) {
    if (whole) {
      CastInteger<T>(*whole, saturates, out);
    } else {
      CastFloat<T>(number, out);
    }
  });
}

// One element of the result, from one of each operand. Where MostUlps is above
// 0, it is rounded from ExactResult.
inline void Evaluate(Op op, std::span<const DType> dtypes,
                     const OpAttributes& attributes,
                     std::span<const void* const> in, void* out) {
  const DType dtype = dtypes[0];
  if (MostUlps(op, dtype) > 0) {
    VisitNumber(dtype, [&]<class T>(T) {
      if constexpr (!kIsInteger<T>) {
        Write(out, FromComputed<T>(
                       static_cast<Computed<T>>(ExactResult(op, dtypes, in))));
      }
    });
    return;
  }
  switch (op) {
    case Op::kWhere: {
      const size_t bytes =
          static_cast<size_t>(broadloom::Info(dtypes[1]).bits) / 8;
      std::memcpy(out, Read<uint8_t>(in[0]) != 0 ? in[1] : in[2], bytes);
      return;
    }
    case Op::kBroadcast:
      std::memcpy(out, in[0],
                  static_cast<size_t>(broadloom::Info(dtype).bits) / 8);
      return;
    case Op::kCast:
      EvaluateCast(dtype, attributes.to.value_or(dtype),
                   attributes.saturate == 1, in[0], out);
      return;
    case Op::kPow:
      VisitNumber(dtypes[1], [&]<class E>(E) {
        const auto exponent = ToComputed(Read<E>(in[1]));
        VisitNumber(dtype, [&]<class T>(T) {
          if constexpr (kIsInteger<T> && kIsInteger<E>) {
            Write(out, IntegerPow(Read<T>(in[0]), static_cast<Wide>(exponent)));
          } else if constexpr (kIsInteger<T>) {
            const auto base = static_cast<double>(Read<T>(in[0]));
            const auto by = static_cast<double>(exponent);
            Write(out,
                  Saturate<T>(base == 1 || by == 0 ? 1 : std::pow(base, by)));
          }
        });
      });
      return;
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessOrEqual:
    case Op::kGreater:
    case Op::kGreaterOrEqual: {
      bool truth = false;
      if (dtype == DType::kBool) {
        truth =
            Compare(op, Read<uint8_t>(in[0]) != 0, Read<uint8_t>(in[1]) != 0);
      } else {
        VisitNumber(dtype, [&]<class T>(T) {
          truth = Compare(op, ToComputed(Read<T>(in[0])),
                          ToComputed(Read<T>(in[1])));
        });
      }
      Write(out, static_cast<uint8_t>(truth));
      return;
    }
    case Op::kPRelu:
      VisitNumber(dtype, [&]<class T>(T) {
        const Computed<T> x = ToComputed(Read<T>(in[0]));
        if (!(x < 0)) {
          Write(out, Read<T>(in[0]));  // the exact bits
        } else {
          Write(out, FromComputed<T>(Arithmetic(
                         op, x, ToComputed(Read<T>(in[1])), attributes)));
        }
      });
      return;
    default:
      VisitNumber(dtype, [&]<class T>(T) {
        Computed<T> result = ToComputed(Read<T>(in[0]));
        const Op step = op == Op::kMean ? Op::kSum : op;
        for (size_t k = 1; k < in.size(); ++k) {
          result =
              Arithmetic(step, result, ToComputed(Read<T>(in[k])), attributes);
        }
        if (op == Op::kMean) {
          if constexpr (!kIsInteger<T>) {
            result /= static_cast<Computed<T>>(in.size());
          }
        }
        Write(out, FromComputed<T>(result));
      });
      return;
  }
}

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_SCALAR_H_
