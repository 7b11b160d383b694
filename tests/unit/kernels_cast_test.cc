// Cast from every type to every other, on every SIMD target, compared with the
// oracle of reference/scalar.h: all codes of types of up to 16 bits; for wider
// types, the numbers on either side of every rounding, wrapping and saturation
// boundary.

#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "reference/each_target.h"
#include "reference/kernel_cases.h"
#include "reference/kernel_work.h"
#include "reference/scalar.h"

namespace {

using namespace reference;

std::vector<KernelCase> CastCases() {
  std::vector<KernelCase> cases;
  for (KernelCase& c : AllKernelCases()) {
    if (c.op == Op::kCast) cases.push_back(std::move(c));
  }
  return cases;
}

template <class T>
void Append(Buffer& bytes, T x) {
  const size_t at = bytes.size();
  bytes.resize(at + sizeof(T));
  std::memcpy(bytes.data() + at, &x, sizeof(T));
}

// The codes of a float around `x`, of either sign.
template <class T>
void AppendAround(Buffer& bytes, double x) {
  constexpr FloatFormat kFormat = FormatOf<T>();
  const uint64_t middle = Encode(kFormat, std::fabs(x));
  const uint64_t sign = uint64_t{1}
                        << (kFormat.exponent_bits + kFormat.fraction_bits);
  for (uint64_t code = middle < 2 ? 0 : middle - 2; code <= middle + 2;
       ++code) {
    for (const uint64_t bits : {code, code | sign}) {
      const size_t at = bytes.size();
      bytes.resize(at + sizeof(T));
      std::memcpy(bytes.data() + at, &bits, sizeof(T));  // little-endian
    }
  }
}

Buffer Elements(DType dtype) {
  Buffer bytes;
  if (BytesOf(dtype) == 1) {
    for (unsigned code = 0; code < 256; ++code) {
      Append(bytes, static_cast<uint8_t>(code));
    }
    return bytes;
  }
  if (BytesOf(dtype) == 2) {
    for (unsigned code = 0; code < 65536; ++code) {
      Append(bytes, static_cast<uint16_t>(code));
    }
    return bytes;
  }
  bytes = SpecialElements(dtype);
  Random random(static_cast<uint64_t>(dtype));
  VisitNumber(dtype, [&]<class T>(T) {
    if constexpr (kIsInteger<T>) {
      // Every power of two, and the midpoints of floats next to it.
      for (int bit = 0; bit < 64; ++bit) {
        const uint64_t power = uint64_t{1} << bit;
        for (const int fraction : {63, 52, 23, 10, 7}) {
          const uint64_t half =
              bit > fraction ? uint64_t{1} << (bit - fraction - 1) : 0;
          for (const uint64_t odd : {1, 3, 5}) {
            for (const int off : {-1, 0, 1}) {
              const uint64_t x =
                  power + odd * half + static_cast<uint64_t>(off);
              Append(bytes, static_cast<T>(x));
              Append(bytes, static_cast<T>(0 - x));
            }
          }
        }
      }
      for (size_t i = 0; i < 20000; ++i) {
        Append(bytes, static_cast<T>(random() >> random.Below(64)));
      }
    } else {
      // Midpoints between neighbouring narrower floats, from the smallest to
      // the largest, and the limits of integers.
      for (const FloatFormat narrow : {kBinary16, kBFloat16, kBinary32}) {
        const uint64_t codes = uint64_t{1}
                               << (narrow.exponent_bits + narrow.fraction_bits);
        const uint64_t step = codes < 65536 ? 7 : 999983;
        for (uint64_t code = 0; code < codes; code += step) {
          const double a = Decode(narrow, code);
          const double b = Decode(narrow, code + 1);
          if (!std::isfinite(b)) break;
          AppendAround<T>(bytes, a / 2 + b / 2);
        }
        const int top = narrow.bias();
        AppendAround<T>(bytes,
                        std::ldexp(1.0, top) * 2 *
                            (1 - std::ldexp(0.25, -narrow.fraction_bits)));
      }
      for (int bit = -2; bit <= 64; ++bit) {
        for (const double off : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
          AppendAround<T>(bytes, std::ldexp(1.0, bit) + off);
        }
      }
      for (size_t i = 0; i < 20000; ++i) {
        const uint64_t bits = random();
        Append(bytes, bits);
      }
      bytes.resize(bytes.size() / sizeof(T) * sizeof(T));
    }
  });
  return bytes;
}

std::string Hex(const void* from, size_t bytes) {
  std::string text;
  for (size_t i = bytes; i-- > 0;) {
    constexpr char kDigits[] = "0123456789abcdef";
    const uint8_t byte = static_cast<const uint8_t*>(from)[i];
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// The first element that is cast wrongly, or nothing.
std::string Fault(const KernelCase& c, const Buffer& elements,
                  const Buffer& wanted, const Buffer& got) {
  const size_t in = BytesOf(c.dtypes[0]);
  const size_t out = BytesOf(c.result);
  for (size_t i = 0; i < elements.size() / in; ++i) {
    const uint8_t* w = wanted.data() + i * out;
    const uint8_t* g = got.data() + i * out;
    if (std::memcmp(w, g, out) == 0) continue;
    if (IsNaN(c.result, w) && IsNaN(c.result, g)) continue;
    return c.name() + ": " + Hex(elements.data() + i * in, in) + " gives " +
           Hex(g, out) + " not " + Hex(w, out);
  }
  return {};
}

Buffer Wanted(const KernelCase& c, const Buffer& elements) {
  const size_t in = BytesOf(c.dtypes[0]);
  const size_t out = BytesOf(c.result);
  Buffer wanted(elements.size() / in * out);
  for (size_t i = 0; i < elements.size() / in; ++i) {
    const void* element = elements.data() + i * in;
    // More elements than Cast reads, because GCC 12 warns about other
    // operators.
    const void* const operands[] = {element, element, element};
    Evaluate(c.op, c.dtypes, c.attributes, operands, wanted.data() + i * out);
  }
  return wanted;
}

TEST_CASE("Cast rounds once, wraps and saturates, on every SIMD target") {
  for (const KernelCase& c : CastCases()) {
    const Buffer elements = Elements(c.dtypes[0]);
    const size_t count = elements.size() / BytesOf(c.dtypes[0]);
    const Buffer wanted = Wanted(c, elements);
    ForEachTarget([&](const std::string& target) {
      Buffer got(wanted.size());
      const std::vector<BlockOperand> operands = {
          {elements.data(), 0, static_cast<int64_t>(count), false}};
      RunBlock(c, {operands, got.data(), 0, 1, count});
      const std::string fault = Fault(c, elements, wanted, got);
      if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
    });
  }
}

TEST_CASE("The oracle rounds integers and floats the same way") {
  Random random(5);
  for (size_t i = 0; i < 10000; ++i) {
    const int64_t x = static_cast<int64_t>(random()) >> (11 + random.Below(50));
    for (const FloatFormat format :
         {kBinary16, kBFloat16, kBinary32, kBinary64}) {
      CHECK(EncodeInteger(format, x) == Encode(format, static_cast<double>(x)));
    }
  }
  // 2^40 + 2^29 is a midpoint; one more is not, but a conversion through f32
  // would lose the difference.
  CHECK(EncodeInteger(kBinary16, 2049) == 0x6800);
  CHECK(EncodeInteger(kBinary16, 2051) == 0x6802);
  CHECK(EncodeInteger(kBinary32, (Wide{1} << 62) + (Wide{1} << 38) + 1) ==
        0x5E800001);
  CHECK(EncodeInteger(kBinary32, (Wide{1} << 62) + (Wide{1} << 38)) ==
        0x5E800000);
}

}  // namespace
