// Every operator with every combination of types that it takes, and elements
// for it. For tests of kernels only.

#ifndef BROADLOOM_TESTS_REFERENCE_KERNEL_CASES_H_
#define BROADLOOM_TESTS_REFERENCE_KERNEL_CASES_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "broadloom/plan.h"
#include "broadloom/vocabulary.h"
#include "kernels/find.h"
#include "kernels/rows/task.h"
#include "reference/guarded_buffer.h"
#include "reference/scalar.h"

namespace reference {

struct KernelCase {
  Op op;
  std::vector<DType> dtypes;  // one for each operand
  OpAttributes attributes;
  DType result;

  const broadloom::kernels::Kernel* kernel() const {
    return broadloom::kernels::FindKernel(op, dtypes, attributes);
  }
  // The result may be off by units in the last place.
  bool is_approximate() const { return most_ulps() > 0; }
  int most_ulps() const { return MostUlps(op, dtypes[0]); }
  std::string name() const {
    std::string name(broadloom::Info(op).name);
    for (const DType dtype : dtypes) {
      name += ' ';
      name += broadloom::Info(dtype).name;
    }
    if (attributes.fmod == 1) name += " fmod";
    if (attributes.direction == broadloom::ShiftDirection::kLeft)
      name += " left";
    if (attributes.direction == broadloom::ShiftDirection::kRight) {
      name += " right";
    }
    if (attributes.to) {
      name += " to ";
      name += broadloom::Info(*attributes.to).name;
    }
    if (attributes.saturate == 1) name += " saturating";
    return name;
  }
};

inline size_t BytesOf(DType dtype) {
  return static_cast<size_t>(broadloom::Info(dtype).bits) / 8;
}

// Types of 8 bits and more; operators with any number of operands get two.
inline std::vector<KernelCase> AllKernelCases() {
  std::vector<KernelCase> cases;
  for (const auto& info : broadloom::AllOps()) {
    if (info.op == Op::kBroadcast) continue;
    for (const auto& type : broadloom::AllDTypes()) {
      const DType dtype = type.dtype;
      if (type.bits < 8) continue;
      const auto add = [&](std::vector<DType> dtypes, OpAttributes attributes) {
        const DType result =
            info.result == broadloom::ResultType::kBoolType     ? DType::kBool
            : info.result == broadloom::ResultType::kSecondType ? dtypes[1]
            : attributes.to                                     ? *attributes.to
                                                                : dtypes[0];
        cases.push_back({info.op, std::move(dtypes), attributes, result});
      };
      if (info.op == Op::kWhere) {
        add({DType::kBool, dtype, dtype}, {});
      } else if (info.op == Op::kMod) {
        if (Accepts(info.op, 0, dtype, false)) add({dtype, dtype}, {});
        if (Accepts(info.op, 0, dtype, true)) {
          add({dtype, dtype}, {.fmod = 1, .direction = {}});
        }
      } else if (!Accepts(info.op, 0, dtype)) {
        continue;
      } else if (info.op == Op::kPow) {
        for (const auto& exponent : broadloom::AllDTypes()) {
          if (Accepts(info.op, 1, exponent.dtype)) {
            add({dtype, exponent.dtype}, {});
          }
        }
      } else if (info.op == Op::kCast) {
        for (const auto& to : broadloom::AllDTypes()) {
          if (!Accepts(info.op, 0, to.dtype)) continue;
          for (const int64_t saturate : {0, 1}) {
            add({dtype}, {.to = to.dtype, .saturate = saturate});
          }
        }
      } else if (info.op == Op::kBitShift) {
        for (const auto direction : {broadloom::ShiftDirection::kLeft,
                                     broadloom::ShiftDirection::kRight}) {
          add({dtype, dtype}, {.fmod = {}, .direction = direction});
        }
      } else {
        add({dtype, dtype}, {});
      }
    }
  }
  return cases;
}

// A small generator that produces the same elements on every platform.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  uint64_t operator()() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545F4914F6CDD1Du >> 1 ^ state_;
  }
  size_t Below(size_t end) { return static_cast<size_t>((*this)() % end); }

 private:
  uint64_t state_;
};

// Numbers at which errors are likely.
inline Buffer SpecialElements(DType dtype) {
  Buffer bytes;
  const auto append = [&](const void* element, size_t size) {
    const auto* from = static_cast<const uint8_t*>(element);
    bytes.insert(bytes.end(), from, from + size);
  };
  VisitNumber(dtype, [&]<class T>(T) {
    if constexpr (kIsInteger<T>) {
      using Limits = std::numeric_limits<T>;
      for (const int small :
           {0, 1, 2, 3, 5, 7, 8, 15, 16, 31, 32, 33, 63, 64, 65, 100, 127}) {
        const T x = static_cast<T>(small);
        const T minus = static_cast<T>(-small);
        append(&x, sizeof(x));
        append(&minus, sizeof(x));
        const T high = static_cast<T>(Limits::max() - x);
        const T low = static_cast<T>(Limits::min() + x);
        append(&high, sizeof(x));
        append(&low, sizeof(x));
      }
      for (int bit = 7; bit < Limits::digits; bit += 4) {
        for (const int off : {-1, 0, 1}) {
          const T x =
              static_cast<T>((uint64_t{1} << bit) + static_cast<uint64_t>(off));
          append(&x, sizeof(x));
        }
      }
    } else {
      constexpr FloatFormat kFormat = FormatOf<T>();
      const uint64_t infinity =
          static_cast<uint64_t>(kFormat.largest_exponent())
          << kFormat.fraction_bits;
      const uint64_t sign = uint64_t{1}
                            << (kFormat.exponent_bits + kFormat.fraction_bits);
      const uint64_t one = Encode(kFormat, 1);
      std::vector<uint64_t> all = {
          0,
          1,
          2,
          (uint64_t{1} << kFormat.fraction_bits) - 1,
          uint64_t{1} << kFormat.fraction_bits,
          one - 1,
          one,
          one + 1,
          infinity - 1,
          infinity,
          infinity + 1,
          infinity | uint64_t{1} << (kFormat.fraction_bits - 1)};
      for (const double x : {0.5, 1.5, 2.0, 2.5, 3.0, 4.0, 7.0, 10.0, 11.0,
                             100.0, 127.0, 0.1, 0.7, 1000.0, 33333.0}) {
        all.push_back(Encode(kFormat, x));
      }
      for (const uint64_t magnitude : all) {
        for (const uint64_t bits : {magnitude, magnitude | sign}) {
          append(&bits, sizeof(T));  // little-endian
        }
      }
    }
  });
  if (bytes.empty()) {
    for (unsigned i = 0; i < 32 * BytesOf(dtype); ++i) {
      bytes.push_back(static_cast<uint8_t>(i % 3 == 0 ? 0 : i * 37));
    }
  }
  return bytes;
}

// `count` elements, some of them special.
inline Buffer RandomElements(DType dtype, size_t count, uint64_t seed) {
  const size_t width = BytesOf(dtype);
  const Buffer special = SpecialElements(dtype);
  Buffer bytes(count * width);
  Random random(seed);
  for (size_t i = 0; i < count; ++i) {
    uint8_t* element = bytes.data() + i * width;
    const size_t kind = random.Below(4);
    if (kind == 0) {
      std::memcpy(element,
                  special.data() + random.Below(special.size() / width) * width,
                  width);
      continue;
    }
    for (size_t byte = 0; byte < width; ++byte) {
      element[byte] = static_cast<uint8_t>(random());
    }
    if (dtype == DType::kBool) {
      element[0] = static_cast<uint8_t>(random.Below(3) * 77);
    }
    VisitNumber(dtype, [&]<class T>(T) {
      if constexpr (kIsInteger<T>) {
        if (kind == 1) Write(element, static_cast<T>(random.Below(20)));
      } else if (kind != 3) {
        // Near 1, where powers and sums are finite.
        const double x =
            (static_cast<double>(random() >> 11) * 0x1p-50 - 4) * 1.25;
        const uint64_t bits = Encode(FormatOf<T>(), x);
        std::memcpy(element, &bits, width);
      }
    });
  }
  return bytes;
}

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_KERNEL_CASES_H_
