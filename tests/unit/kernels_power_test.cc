// Pow of floats on every SIMD target: its error over the whole range, as
// histograms; special values as in C's Annex F; whole numbers.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "reference/each_target.h"
#include "reference/kernel_cases.h"
#include "reference/kernel_work.h"
#include "reference/scalar.h"

namespace {

using namespace reference;

// Elements of two types, and their powers.
struct Pairs {
  DType base;
  DType exponent;
  Buffer bases;
  Buffer exponents;
  size_t count = 0;

  const uint8_t* base_at(size_t i) const {
    return bases.data() + i * BytesOf(base);
  }
  const uint8_t* exponent_at(size_t i) const {
    return exponents.data() + i * BytesOf(exponent);
  }

  template <class B, class E>
  void Add(B b, E e) {
    Append(bases, &b, sizeof(b));
    Append(exponents, &e, sizeof(e));
    ++count;
  }

 private:
  static void Append(Buffer& to, const void* from, size_t size) {
    const auto* bytes = static_cast<const uint8_t*>(from);
    to.insert(to.end(), bytes, bytes + size);
  }
};

// The powers from `first` on, as many as the bytes hold.
void RunInto(const Pairs& pairs, size_t first, size_t count, uint8_t* out) {
  const KernelCase c = {Op::kPow, {pairs.base, pairs.exponent}, {}, pairs.base};
  const BlockOperand operands[] = {
      {pairs.base_at(first), 0, static_cast<int64_t>(count), false},
      {pairs.exponent_at(first), 0, static_cast<int64_t>(count), false}};
  RunBlock(c, {operands, out, 0, 1, count});
}

Buffer Run(const Pairs& pairs) {
  Buffer out(pairs.count * BytesOf(pairs.base));
  RunInto(pairs, 0, pairs.count, out.data());
  return out;
}

template <class T>
constexpr DType kDTypeOf = sizeof(T) == 4 ? DType::kF32 : DType::kF64;

double Between(Random& random, double low, double high) {
  const double unit = static_cast<double>(random() >> 11) * 0x1p-53;
  return low + unit * (high - low);
}

std::string Shown(DType dtype, const uint8_t* element) {
  char text[64] = "";
  VisitNumber(dtype, [&]<class T>(T) {
    if constexpr (kIsInteger<T>) {
      const T value = Read<T>(element);
      std::snprintf(text, sizeof(text), "%s", std::to_string(value).c_str());
    } else {
      std::snprintf(text, sizeof(text), "%a",
                    static_cast<double>(ToComputed(Read<T>(element))));
    }
  });
  return text;
}

// --- Units in the last place ------------------------------------------------

// An exact power, and one unit in its last place.
struct Exact {
  long double power;
  long double per_ulp;
};

std::vector<Exact> ExactPowers(const Pairs& pairs) {
  std::vector<Exact> all;
  VisitNumber(pairs.base, [&]<class T>(T) {
    if constexpr (!kIsInteger<T>) {
      constexpr FloatFormat kFormat = FormatOf<T>();
      for (size_t i = 0; i < pairs.count; ++i) {
        const long double power = ExactPow(
            pairs.base, pairs.base_at(i), pairs.exponent, pairs.exponent_at(i));
        int exponent = 0;
        if (std::isfinite(power) && power != 0) exponent = std::ilogb(power);
        exponent = std::clamp(exponent, 1 - kFormat.bias(), kFormat.bias());
        all.push_back(
            {power, std::ldexp(1.0L, kFormat.fraction_bits - exponent)});
      }
    }
  });
  return all;
}

// The error of an element in units of the last place; infinite if it has the
// wrong sign, or is NaN or infinite where the exact power is not.
double UlpsOff(DType dtype, const Exact& exact, const uint8_t* element) {
  double off = 0;
  VisitNumber(dtype, [&]<class T>(T) {
    if constexpr (!kIsInteger<T>) {
      const auto got = static_cast<long double>(ToComputed(Read<T>(element)));
      const long double wanted = exact.power;
      if (std::isnan(got) || std::isnan(wanted)) {
        off = std::isnan(got) && std::isnan(wanted) ? 0 : HUGE_VAL;
      } else if (std::signbit(got) != std::signbit(wanted)) {
        off = HUGE_VAL;
      } else if (got != wanted) {
        // Infinity is accepted where the power is at least the first number
        // beyond the range.
        const long double beyond = std::ldexp(1.0L, FormatOf<T>().bias() + 1);
        off =
            static_cast<double>(std::fabs(std::min(std::fabs(got), beyond) -
                                          std::min(std::fabs(wanted), beyond)) *
                                exact.per_ulp);
      }
    }
  });
  return off;
}

struct Histogram {
  static constexpr double kMost[] = {0, 0.5, 1, 2, 4, HUGE_VAL};
  size_t counts[6] = {};
  double worst = 0;
  size_t worst_at = 0;
};

Histogram Measure(const Pairs& pairs, const std::vector<Exact>& exact) {
  Histogram histogram;
  const Buffer powers = Run(pairs);
  const size_t width = BytesOf(pairs.base);
  for (size_t i = 0; i < pairs.count; ++i) {
    const double off = UlpsOff(pairs.base, exact[i], powers.data() + i * width);
    size_t bin = 0;
    while (off > Histogram::kMost[bin]) ++bin;
    ++histogram.counts[bin];
    if (off > histogram.worst) {
      histogram.worst = off;
      histogram.worst_at = i;
    }
  }
  return histogram;
}

void PrintHead() {
  std::printf("%-9s %-5s %9s %9s %9s %9s %9s %6s  worst\n", "Pow, ulps", "type",
              "0", "to 0.5", "to 1", "to 2", "to 4", "more");
}

void Print(const std::string& target, const Pairs& pairs,
           const Histogram& histogram) {
  const size_t* n = histogram.counts;
  std::printf(
      "%-9s %-5s %9zu %9zu %9zu %9zu %9zu %6zu  %.3f at %s ** %s\n",
      target.c_str(), broadloom::Info(pairs.base).name.data(), n[0], n[1], n[2],
      n[3], n[4], n[5], histogram.worst,
      Shown(pairs.base, pairs.base_at(histogram.worst_at)).c_str(),
      Shown(pairs.exponent, pairs.exponent_at(histogram.worst_at)).c_str());
}

void CheckUlps(const Pairs& pairs, double most) {
  const std::vector<Exact> exact = ExactPowers(pairs);
  ForEachTarget([&](const std::string& target) {
    const Histogram histogram = Measure(pairs, exact);
    Print(target, pairs, histogram);
    INFO(target);
    CHECK(histogram.worst <= most);
  });
}

// Any base but 1, and the exponent with which log2 of the power is `log`.
template <class T>
void AddWithLog(Pairs& pairs, double base, double log) {
  const T b = static_cast<T>(base);
  const double of_base = std::log2(static_cast<double>(b));
  pairs.Add(b, static_cast<T>(of_base == 0 ? log : log / of_base));
}

template <class T>
Pairs RandomPairs(size_t of_each) {
  constexpr FloatFormat kFormat = FormatOf<T>();
  Pairs pairs = {kDTypeOf<T>, kDTypeOf<T>, {}, {}};
  Random random(sizeof(T));
  const double most = kFormat.bias() + 1;
  const double least = 1 - kFormat.bias() - kFormat.fraction_bits;
  const auto any_base = [&] { return std::exp2(Between(random, least, most)); };
  for (size_t i = 0; i < of_each; ++i) {
    // Random bits.
    T elements[2];
    for (T& element : elements) {
      const uint64_t bits = random();
      std::memcpy(&element, &bits, sizeof(element));
    }
    pairs.Add(elements[0], elements[1]);
    // Powers over the whole range: of any base, of bases near 1 with large
    // exponents, and with logarithms that differ only in their fraction.
    AddWithLog<T>(pairs, any_base(), Between(random, least - 3, most + 1));
    const double near = std::exp2(-Between(random, 1, kFormat.fraction_bits));
    AddWithLog<T>(pairs, i % 2 == 0 ? 1 + near : 1 - near / 2,
                  Between(random, least - 3, most + 1));
    AddWithLog<T>(pairs, std::exp2(Between(random, -0.5, 0.5)),
                  Between(random, least - 3, most + 1));
    // Subnormal powers, and powers at either end of the range.
    AddWithLog<T>(pairs, any_base(),
                  Between(random, least - 2, 2 - kFormat.bias()));
    AddWithLog<T>(pairs, any_base(), Between(random, most - 0.01, most + 0.01));
    // Common bases, with whole and negative exponents.
    pairs.Add(static_cast<T>(Between(random, -10, 10)),
              static_cast<T>(static_cast<int>(random.Below(21)) - 10));
    pairs.Add(static_cast<T>(Between(random, 0, 10)),
              static_cast<T>(Between(random, -10, 10)));
  }
  return pairs;
}

TEST_CASE("Powers of f32 and f64 are within 4 units in the last place") {
  PrintHead();
  CheckUlps(RandomPairs<float>(1 << 17), 4);
  CheckUlps(RandomPairs<double>(1 << 17), 4);
}

TEST_CASE("Powers of f16 and bf16 are within 1 unit in the last place") {
  PrintHead();
  for (const DType dtype : {DType::kF16, DType::kBF16}) {
    Pairs pairs = {dtype, dtype, {}, {}};
    Random random(7);
    const FloatFormat format = dtype == DType::kF16 ? kBinary16 : kBFloat16;
    for (size_t i = 0; i < 65536; ++i) {
      pairs.Add(static_cast<uint16_t>(i), static_cast<uint16_t>(random()));
      const double exponent = Between(random, -4, 4);
      pairs.Add(static_cast<uint16_t>(i),
                static_cast<uint16_t>(Encode(format, exponent)));
      pairs.Add(static_cast<uint16_t>(i),
                static_cast<uint16_t>(Encode(format, std::round(exponent))));
    }
    CheckUlps(pairs, 1);
  }
}

TEST_CASE("Powers of f64 to exponents of 64 bits") {
  PrintHead();
  for (const DType by : {DType::kI64, DType::kU64}) {
    Pairs pairs = {DType::kF64, by, {}, {}};
    Random random(11);
    for (size_t i = 0; i < 100'000; ++i) {
      const uint64_t exponent = random() >> random.Below(64);
      const double log = Between(random, -1080, 1026);
      const double base = std::exp2(
          log / static_cast<double>(static_cast<int64_t>(exponent | 1)));
      pairs.Add(i % 3 == 0 ? -base : base, exponent);
      const double near = std::exp2(-Between(random, 40, 53));
      pairs.Add(i % 2 == 0 ? 1 + near : 1 - near, exponent);
    }
    CheckUlps(pairs, 4);
  }
}

// --- Special values ---------------------------------------------------------

template <class T>
std::vector<T> SpecialFloats() {
  using Limits = std::numeric_limits<T>;
  constexpr T kWhole = 2 / Limits::epsilon();  // above it all numbers are even
  std::vector<T> all;
  for (const T x : {T{0},
                    Limits::denorm_min(),
                    Limits::min() - Limits::denorm_min(),
                    Limits::min(),
                    Limits::epsilon(),
                    T{0.5},
                    1 - Limits::epsilon() / 2,
                    T{1},
                    1 + Limits::epsilon(),
                    T{1.5},
                    T{2},
                    T{2.5},
                    T{3},
                    T{4},
                    T{127},
                    T{1000.5},
                    kWhole / 4 + T{0.5},
                    kWhole / 2 - T{0.5},
                    kWhole / 2 - 1,
                    kWhole / 2,
                    kWhole / 2 + 1,
                    kWhole - 1,
                    kWhole,
                    kWhole + 2,
                    kWhole * 3,
                    Limits::max() / 2,
                    Limits::max(),
                    Limits::infinity(),
                    Limits::quiet_NaN()}) {
    all.push_back(x);
    all.push_back(-x);
  }
  return all;
}

template <class T>
void CheckSpecial() {
  const std::vector<T> special = SpecialFloats<T>();
  Pairs pairs = {kDTypeOf<T>, kDTypeOf<T>, {}, {}};
  for (const T base : special) {
    for (const T exponent : special) pairs.Add(base, exponent);
  }
  ForEachTarget([&](const std::string& target) {
    const Buffer powers = Run(pairs);
    for (size_t i = 0; i < pairs.count; ++i) {
      const T base = Read<T>(pairs.base_at(i));
      const T exponent = Read<T>(pairs.exponent_at(i));
      const T wanted = std::pow(base, exponent);
      const T got = Read<T>(powers.data() + i * sizeof(T));
      bool same = std::isnan(got) == std::isnan(wanted);
      if (!std::isnan(wanted)) {
        const T most =
            4 * std::numeric_limits<T>::epsilon() * std::fabs(wanted);
        same = same && std::signbit(got) == std::signbit(wanted) &&
               (got == wanted ||
                (std::isfinite(wanted) && std::isfinite(got) && got != 0 &&
                 std::fabs(got - wanted) <=
                     std::max(most, std::numeric_limits<T>::denorm_min())));
      }
      if (same) continue;
      FAIL_CHECK(target << ": " << base << " ** " << exponent << " gives "
                        << got << " not " << wanted);
    }
  });
}

TEST_CASE("Powers of special values equal those of C") {
  CheckSpecial<float>();
  CheckSpecial<double>();
}

template <class T, class Bits>
void CheckSignaling(Bits signaling) {
  Pairs pairs = {kDTypeOf<T>, kDTypeOf<T>, {}, {}};
  Bits one;
  const T one_value = 1;
  std::memcpy(&one, &one_value, sizeof(one));
  const Bits minus_zero = Bits{1} << (sizeof(Bits) * 8 - 1);
  pairs.Add(signaling, Bits{0});
  pairs.Add(signaling, minus_zero);
  pairs.Add(one, signaling);
  pairs.Add(signaling, one);
  pairs.Add(Bits{0}, signaling);
  ForEachTarget([&](const std::string& target) {
    INFO(target);
    const Buffer powers = Run(pairs);
    for (size_t i = 0; i < pairs.count; ++i) {
      const T power = Read<T>(powers.data() + i * sizeof(T));
      CHECK((i < 3 ? power == 1 : std::isnan(power)));
    }
  });
}

TEST_CASE("1 to the power NaN is 1, and so is NaN to the power 0") {
  CheckSignaling<float>(uint32_t{0x7F800001});
  CheckSignaling<double>(uint64_t{0x7FF0000000000001});
}

TEST_CASE("A power does not depend on the powers beside it") {
  for (const DType dtype :
       {DType::kF16, DType::kBF16, DType::kF32, DType::kF64}) {
    constexpr size_t kCount = 4000;
    Pairs pairs = {dtype, dtype, RandomElements(dtype, kCount, 3),
                   RandomElements(dtype, kCount, 4), kCount};
    const size_t width = BytesOf(dtype);
    ForEachTarget([&](const std::string& target) {
      const Buffer together = Run(pairs);
      for (size_t i = 0; i < kCount; ++i) {
        uint8_t alone[8];
        RunInto(pairs, i, 1, alone);
        const uint8_t* beside = together.data() + i * width;
        if (std::memcmp(alone, beside, width) == 0 ||
            (IsNaN(dtype, alone) && IsNaN(dtype, beside))) {
          continue;
        }
        FAIL_CHECK(target << ": " << Shown(dtype, pairs.base_at(i)) << " ** "
                          << Shown(dtype, pairs.exponent_at(i)) << ": "
                          << Shown(dtype, alone) << " alone, "
                          << Shown(dtype, beside) << " in a row");
        break;
      }
    });
  }
}

// --- Whole numbers ----------------------------------------------------------

// Calls visit(base, exponent, power) for all powers of whole bases from 2 on
// with exponents from `first` on, up to `most`.
template <class Visit>
void ForEachWholePower(uint64_t first, uint64_t most, Visit visit) {
  for (uint64_t base = 2;; ++base) {
    UnsignedWide power = 1;
    for (uint64_t i = 0; i < first; ++i) power *= base;
    if (power > most) return;
    for (uint64_t exponent = first; power <= most; ++exponent) {
      visit(base, exponent, static_cast<uint64_t>(power));
      power *= base;
    }
  }
}

template <class B, class E>
void CheckWholePowers(DType base_type, DType exponent_type, uint64_t first,
                      uint64_t most) {
  Pairs pairs = {base_type, exponent_type, {}, {}};
  std::vector<B> wanted;
  ForEachWholePower(
      first, most, [&](uint64_t base, uint64_t exponent, uint64_t power) {
        pairs.Add(static_cast<B>(base), static_cast<E>(exponent));
        wanted.push_back(static_cast<B>(power));
        if constexpr (std::is_signed_v<B>) {
          pairs.Add(static_cast<B>(-static_cast<B>(base)),
                    static_cast<E>(exponent));
          const B magnitude = static_cast<B>(power);
          wanted.push_back(exponent % 2 == 0 ? magnitude
                                             : static_cast<B>(-magnitude));
        }
      });
  ForEachTarget([&](const std::string& target) {
    const Buffer powers = Run(pairs);
    size_t wrong = 0;
    for (size_t i = 0; i < pairs.count; ++i) {
      if (Read<B>(powers.data() + i * sizeof(B)) == wanted[i]) continue;
      if (wrong++ != 0) continue;
      FAIL_CHECK(target << ": " << Shown(base_type, pairs.base_at(i)) << " ** "
                        << Shown(exponent_type, pairs.exponent_at(i))
                        << " gives "
                        << Shown(base_type, powers.data() + i * sizeof(B)));
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("Powers that are whole numbers are exact") {
  // All powers in the range of i32, and all that fit f64's 53 bits, except
  // squares: there, bases up to 2^26.
  CheckWholePowers<int32_t, double>(DType::kI32, DType::kF64, 1, 46341);
  CheckWholePowers<int32_t, double>(DType::kI32, DType::kF64, 2, INT32_MAX);
  CheckWholePowers<int32_t, float>(DType::kI32, DType::kF32, 2, INT32_MAX);
  CheckWholePowers<int64_t, double>(DType::kI64, DType::kF64, 3, 1ull << 53);
  CheckWholePowers<double, double>(DType::kF64, DType::kF64, 3, 1ull << 53);
  CheckWholePowers<double, int64_t>(DType::kF64, DType::kI64, 3, 1ull << 53);
  CheckWholePowers<float, float>(DType::kF32, DType::kF32, 2, 1ull << 24);
  CheckWholePowers<float, int8_t>(DType::kF32, DType::kI8, 2, 1ull << 24);
}

TEST_CASE("Squares in f64 are rounded once, halves to even") {
  Pairs pairs = {DType::kF64, DType::kF64, {}, {}};
  Random random(5);
  for (size_t i = 0; i < 100'000; ++i) {
    const uint64_t bits = 20 + random.Below(12);
    pairs.Add(static_cast<double>((uint64_t{1} << bits) +
                                  random.Below(size_t{1} << bits)),
              2.0);
  }
  ForEachTarget([&](const std::string& target) {
    const Buffer powers = Run(pairs);
    size_t wrong = 0;
    for (size_t i = 0; i < pairs.count; ++i) {
      const double base = Read<double>(pairs.base_at(i));
      const double got = Read<double>(powers.data() + i * sizeof(double));
      wrong += got != base * base;
    }
    INFO(target);
    CHECK(wrong == 0);
  });
}

}  // namespace
