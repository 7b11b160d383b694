// SumTo against sums of single elements in more than twice the precision, for
// every type and SIMD target; which element goes into which sum is said by the
// naive second form of the rules.

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/sum_to.h"
#include "reference/broadcast.h"
#include "reference/each_target.h"
#include "reference/kernel_cases.h"
#include "reference/scalar.h"

namespace {

using namespace reference;
using broadloom::MutableTensorView;
using broadloom::Rule;
using broadloom::SumToOptions;
using broadloom::TensorView;

constexpr DType kSummed[] = {
    DType::kI8,  DType::kI16, DType::kI32, DType::kI64, DType::kU8,
    DType::kU16, DType::kU32, DType::kU64, DType::kF16, DType::kBF16,
    DType::kF32, DType::kF64, DType::kC64, DType::kC128};

bool IsComplex(DType dtype) {
  return dtype == DType::kC64 || dtype == DType::kC128;
}
// The type of the numbers that an element is made of.
DType PartType(DType dtype) {
  if (dtype == DType::kC64) return DType::kF32;
  return dtype == DType::kC128 ? DType::kF64 : dtype;
}
bool IsFloat(DType dtype) {
  return PartType(dtype) >= DType::kF16 && PartType(dtype) <= DType::kF64;
}

// --- The oracle -------------------------------------------------------------

// A sum in twice the precision of long double, and what a plain one gives where
// that is no number.
struct ExactSum {
  long double high = -0.0L;
  long double low = 0;
  long double magnitude = 0;
  uint64_t bits = 0;  // of integers, which wrap
  size_t count = 0;

  void Add(long double x) {
    const long double sum = high + x;
    if (std::isfinite(sum)) {
      low +=
          std::fabs(high) >= std::fabs(x) ? (high - sum) + x : (x - sum) + high;
    }
    high = sum;
    magnitude += std::fabs(x);
    ++count;
  }
  long double value() const {
    if (count == 0) return 0;
    return !std::isfinite(high) || low == 0 ? high : high + low;
  }
};

struct Case {
  DType dtype;
  Extents input;
  Extents output;
  std::string rule = "broadcast_numpy";
  std::optional<int64_t> axis = std::nullopt;
  std::optional<Extents> mapping = std::nullopt;

  std::string name() const {
    std::string text(broadloom::Info(dtype).name);
    const auto add = [&](const Extents& shape) {
      text += " (";
      for (const int64_t extent : shape) text += std::to_string(extent) + ',';
      text += ')';
    };
    add(input);
    add(output);
    return text + ' ' + rule;
  }
  SumToOptions options() const {
    SumToOptions options = {.rule = *broadloom::FindRule(rule), .axis = axis};
    if (mapping) options.axes_mapping = *mapping;
    return options;
  }
};

// Where in the output each element of the input goes.
std::vector<size_t> Places(const Case& c) {
  const bool targeted =
      broadloom::Traits(*broadloom::FindRule(c.rule)).takes_target;
  Question question = {.rule = c.rule,
                       .operands = {c.input, c.output},
                       .axis = c.axis,
                       .target = {},
                       .mapping = c.mapping};
  if (targeted) {
    question.operands = {c.output};
    question.target = c.input;
  }
  const Answer answer = Ask(question);
  REQUIRE(answer.error.empty());
  REQUIRE(answer.result == c.input);
  std::vector<size_t> places;
  for (const Extents& cell : Cells(c.input)) {
    places.push_back(static_cast<size_t>(
        SourcePosition(question, answer, targeted ? 0 : 1, cell)));
  }
  return places;
}

std::vector<ExactSum> ExactSums(const Case& c,
                                const std::vector<size_t>& places,
                                const Buffer& input) {
  const DType part = PartType(c.dtype);
  const size_t parts = IsComplex(c.dtype) ? 2 : 1;
  const size_t width = BytesOf(part);
  std::vector<ExactSum> sums(static_cast<size_t>(Count(c.output)) * parts);
  for (size_t i = 0; i < places.size() * parts; ++i) {
    ExactSum& sum = sums[places[i / parts] * parts + i % parts];
    VisitNumber(part, [&]<class T>(T) {
      const auto x = Read<T>(input.data() + i * width);
      if constexpr (kIsInteger<T>) {
        sum.bits += static_cast<uint64_t>(x);
      } else {
        sum.Add(static_cast<long double>(ToComputed(x)));
      }
    });
  }
  return sums;
}

// Whether the element is the sum, rounded once from a sum in f64 or, for f64,
// in twice its precision.
bool IsSum(DType part, const ExactSum& sum, const uint8_t* element) {
  bool is = false;
  VisitNumber(part, [&]<class T>(T) {
    if constexpr (kIsInteger<T>) {
      is = Read<T>(element) == static_cast<T>(sum.bits);
    } else {
      const auto got = static_cast<long double>(ToComputed(Read<T>(element)));
      const long double exact = sum.value();
      if (std::isnan(exact) || std::isnan(got)) {
        is = std::isnan(exact) && std::isnan(got);
        return;
      }
      // A sum of -0 alone is -0, and every other sum of 0 is +0.
      if (exact == 0 && sum.magnitude == 0) {
        is = got == 0 && std::signbit(got) == std::signbit(exact);
        return;
      }
      constexpr FloatFormat kFormat = FormatOf<T>();
      const long double largest = std::ldexp(
          2 - std::ldexp(1.0L, -kFormat.fraction_bits), kFormat.bias());
      const long double half_ulp_of_largest =
          std::ldexp(1.0L, kFormat.bias() - kFormat.fraction_bits - 1);
      // In twice the precision of f64: (n * 2^-53)^2 of the magnitudes.
      const long double n = static_cast<long double>(sum.count);
      const long double error =
          sum.magnitude *
          (kFormat.fraction_bits == 52 ? n * n * 0x1p-104L : n * 0x1p-53L);
      if (std::isinf(got) || std::isinf(exact)) {
        is = std::isinf(exact)
                 ? got == exact
                 : std::fabs(exact) + error >= largest + half_ulp_of_largest &&
                       std::signbit(got) == std::signbit(exact);
        return;
      }
      const int exponent =
          std::max(exact == 0 ? 1 - kFormat.bias() : std::ilogb(exact),
                   1 - kFormat.bias());
      const long double half_ulp =
          std::ldexp(1.0L, exponent - kFormat.fraction_bits - 1);
      is = std::fabs(got - exact) <= half_ulp + error;
    }
  });
  return is;
}

// --- Running ----------------------------------------------------------------

constexpr size_t kGuard = 96;

// How the input lies in its memory: dense, if there are no strides.
struct Layout {
  Extents strides;
  int64_t offset = 0;
  size_t absent = 0;  // bytes of it that come before, and nobody may touch
};

// The bytes of the output, or what is wrong. `misaligned`: by an element.
std::string Run(const Case& c, const Buffer& input, bool misaligned,
                const SumToOptions& options, Buffer& result,
                const Layout& layout = {}) {
  const size_t width = static_cast<size_t>(broadloom::Info(c.dtype).bits) / 8;
  const size_t bytes = static_cast<size_t>(Count(c.output)) * width;
  const size_t shift = misaligned ? BytesOf(PartType(c.dtype)) : 0;
  // To the byte, so that the sanitizer sees whoever reads beyond.
  Buffer in(input.size() + shift);
  std::ranges::copy(input, in.begin() + static_cast<ptrdiff_t>(shift));
  Buffer out(bytes + 2 * kGuard + shift, 0xA5);
  const TensorView from = {c.dtype,
                           c.input,
                           in.data() + shift - layout.absent,
                           layout.absent + input.size() + kGuardBytes,
                           layout.strides,
                           layout.offset};
  const MutableTensorView to = {c.dtype, c.output, out.data() + kGuard + shift,
                                bytes};
  if (!SumTo(from, to, options)) return "refused";
  const auto first = out.begin() + static_cast<ptrdiff_t>(kGuard + shift);
  const auto last = first + static_cast<ptrdiff_t>(bytes);
  const auto is_guard = [](uint8_t byte) { return byte == 0xA5; };
  if (!std::all_of(out.begin(), first, is_guard) ||
      !std::all_of(last, out.end(), is_guard)) {
    return "wrote beside the output";
  }
  result.assign(first, last);
  return {};
}

// Equal bits, where NaN is NaN.
bool SameElements(DType dtype, const Buffer& a, const Buffer& b) {
  if (a == b) return true;
  if (a.size() != b.size() || !IsFloat(dtype)) return false;
  const size_t width = BytesOf(PartType(dtype));
  for (size_t i = 0; i < a.size(); i += width) {
    if (std::memcmp(a.data() + i, b.data() + i, width) == 0) continue;
    if (!reference::IsNaN(PartType(dtype), a.data() + i) ||
        !reference::IsNaN(PartType(dtype), b.data() + i)) {
      return false;
    }
  }
  return true;
}

// `input`: the elements in their order; `memory`: as they lie there.
void CheckView(const Case& c, const Buffer& input, const Buffer& memory,
               const Layout& layout) {
  const std::vector<ExactSum> wanted = ExactSums(c, Places(c), input);
  const size_t width = BytesOf(PartType(c.dtype));
  Buffer first;
  bool misaligned = false;
  ForEachTarget([&](const std::string& target) {
    INFO(target << ' ' << c.name());
    Buffer result;
    const std::string fault =
        Run(c, memory, misaligned, c.options(), result, layout);
    misaligned = !misaligned;
    if (!fault.empty()) {
      FAIL_CHECK(fault);
      return;
    }
    for (size_t i = 0; i < wanted.size(); ++i) {
      if (IsSum(PartType(c.dtype), wanted[i], result.data() + i * width)) {
        continue;
      }
      FAIL_CHECK("element " << i << " is wrong: wanted "
                            << static_cast<double>(wanted[i].value()));
      return;
    }
    if (first.empty()) first = result;
    if (!SameElements(c.dtype, first, result)) {
      FAIL_CHECK("other bits than the first target's");
    }
  });
}

void CheckCase(const Case& c, const Buffer& input) {
  CheckView(c, input, input, {});
}

// Elements of any kind, or small numbers of which sums are no infinity.
Buffer Elements(DType dtype, const Extents& shape, uint64_t seed,
                bool special) {
  const DType part = PartType(dtype);
  const size_t count =
      static_cast<size_t>(Count(shape)) * (IsComplex(dtype) ? 2 : 1);
  Buffer bytes = RandomElements(part, count, seed);
  if (special || !IsFloat(dtype)) {
    // Not so near to infinity that it depends on the order whether it is
    // reached on the way.
    for (size_t i = 0; part == DType::kF64 && i < count; ++i) {
      const double x = Read<double>(bytes.data() + i * 8);
      if (std::isinf(x) || std::fabs(x) < 0x1p1000) continue;
      Write(bytes.data() + i * 8, x * 0x1p-200);
    }
    return bytes;
  }
  Random random(seed);
  VisitNumber(part, [&]<class T>(T) {
    if constexpr (!kIsInteger<T>) {
      for (size_t i = 0; i < count; ++i) {
        const double x = static_cast<double>(random() >> 11) * 0x1p-50 - 4;
        const uint64_t bits = Encode(FormatOf<T>(), x);
        std::memcpy(bytes.data() + i * sizeof(T), &bits, sizeof(T));
      }
    }
  });
  return bytes;
}

void CheckShapes(const Extents& input, const Extents& output, uint64_t seed,
                 size_t dtype_step = 1) {
  for (size_t i = seed % dtype_step; i < std::size(kSummed); i += dtype_step) {
    const Case c = {kSummed[i], input, output};
    CheckCase(c, Elements(c.dtype, input, seed, seed % 3 == 0));
  }
}

TEST_CASE("SumTo of every form in memory, for every type") {
  uint64_t seed = 1;
  const auto check = [&](const Extents& input, const Extents& output) {
    CheckShapes(input, output, seed++);
  };
  // To a scalar, and along rows of every length.
  for (const int64_t n :
       {1, 2, 3, 7, 8, 9, 31, 64, 65, 255, 256, 257, 1000, 4099, 20000}) {
    check({n}, {});
  }
  for (int64_t n = 2; n < 40; ++n) check({37, n}, {37, 1});
  for (const int64_t n : {63, 64, 65, 127, 200, 255, 256, 300, 511, 1024}) {
    check({11, n}, {11, 1});
  }
  check({3, 9000}, {3, 1});
  check({2100, 3}, {2100, 1});
  check({4500, 2}, {4500, 1});
  check({700, 4}, {700, 1});
  // To columns.
  for (int64_t n = 2; n < 36; ++n) check({53, n}, {n});
  for (const int64_t n :
       {63, 64, 65, 100, 255, 256, 257, 1023, 1024, 1025, 1500, 9000}) {
    check({5, n}, {n});
  }
  check({1000, 3}, {3});
  check({600, 31}, {31});
  // Between others.
  check({4, 6, 9, 5}, {6, 1, 1});
  check({4, 6, 70}, {4, 1, 70});
  check({40, 3, 2}, {40, 1, 2});
  check({9, 16, 31}, {9, 1, 31});
  check({2, 3, 1100}, {2, 1, 1100});
  check({3, 5, 4, 3, 2, 6}, {5, 1, 3, 1, 6});
  check({3, 5, 4, 3, 2, 6}, {3, 1, 4, 1, 2, 1});
  check({2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {2, 1, 2, 1, 2, 1, 2, 1, 2, 1});
  check({2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, {1, 2, 1, 2, 1, 2, 1, 2, 1, 2});
  check({20, 2, 3}, {2, 1});
  check({300, 2, 3}, {2, 1});
  check({30, 2, 2, 9}, {2, 1, 1});
  // Nothing to sum.
  check({3, 5}, {3, 5});
  check({1, 3, 1, 5}, {3, 1, 5});
  check({}, {});
}

TEST_CASE("SumTo of random shapes") {
  Random random(7);
  for (uint64_t round = 0; round < 400; ++round) {
    const size_t rank = random.Below(6);
    const size_t most = rank < 3 ? 60 : rank < 4 ? 14 : 7;
    Extents input;
    Extents output;
    for (size_t axis = 0; axis < rank; ++axis) {
      input.push_back(static_cast<int64_t>(1 + random.Below(most)));
      output.push_back(random.Below(2) == 0 ? 1 : input.back());
    }
    output.erase(output.begin(),
                 output.begin() + static_cast<ptrdiff_t>(
                                      std::min(random.Below(rank + 1), rank)));
    CheckShapes(input, output, round, 4);
  }
}

// --- Views ------------------------------------------------------------------

// A view that is made of a dense tensor of the case's axes in another order, by
// going along some backwards, in steps, or not at all.
void CheckRandomView(const Case& c, Random& random, bool special) {
  const size_t rank = c.input.size();
  std::vector<size_t> order(rank);
  for (size_t i = 0; i < rank; ++i) {
    order[i] = i;
    std::swap(order[i], order[random.Below(i + 1)]);
  }
  Layout layout = {Extents(rank), 0};
  int64_t elements = 1;
  for (const size_t axis : order) {
    const int64_t extent = c.input[axis];
    const int64_t step =
        static_cast<int64_t>(random.Below(3) == 0 ? random.Below(3) : 1);
    layout.strides[axis] = elements * step;
    elements *= (extent - 1) * step + 1;
    if (random.Below(3) != 0) continue;
    layout.offset += (extent - 1) * layout.strides[axis];
    layout.strides[axis] = -layout.strides[axis];
  }
  const auto before = static_cast<int64_t>(random.Below(20));
  const Buffer memory = Elements(c.dtype, {elements}, random(), special);
  const size_t width = static_cast<size_t>(broadloom::Info(c.dtype).bits) / 8;
  Buffer dense;
  for (const Extents& cell : Cells(c.input)) {
    int64_t at = layout.offset;
    for (size_t i = 0; i < rank; ++i) at += cell[i] * layout.strides[i];
    const uint8_t* const first =
        memory.data() + static_cast<size_t>(at) * width;
    dense.insert(dense.end(), first, first + width);
  }
  layout.offset += before;
  layout.absent = static_cast<size_t>(before) * width;
  CheckView(c, dense, memory, layout);
}

TEST_CASE("SumTo of views is the sum of their dense copies") {
  Random random(11);
  const std::vector<std::pair<Extents, Extents>> shapes = {
      {{4000}, {}},
      {{70, 50}, {50}},
      {{70, 50}, {70, 1}},
      {{300, 5}, {300, 1}},
      {{5, 300}, {300}},
      {{200, 2, 4}, {2, 1}},
      {{90, 2, 4}, {90, 1, 4}},
      {{6, 5, 4, 3}, {5, 1, 3}},
      {{7, 300}, {7, 1}},
      {{9, 40, 3}, {9, 40, 3}},
      {{4, 3, 70}, {3, 70}}};
  for (size_t round = 0; round < 6; ++round) {
    for (const DType dtype : kSummed) {
      for (const auto& [input, output] : shapes) {
        CheckRandomView({dtype, input, output}, random, round % 3 == 0);
      }
    }
  }
  for (uint64_t round = 0; round < 300; ++round) {
    Case c = {kSummed[random.Below(std::size(kSummed))], {}, {}};
    const size_t rank = 1 + random.Below(5);
    for (size_t axis = 0; axis < rank; ++axis) {
      c.input.push_back(
          static_cast<int64_t>(1 + random.Below(rank < 3 ? 60 : 9)));
      c.output.push_back(random.Below(2) == 0 ? 1 : c.input.back());
    }
    CheckRandomView(c, random, round % 3 == 0);
  }
}

TEST_CASE("SumTo of nothing is 0, and to nothing is fine") {
  for (const DType dtype : kSummed) {
    CheckCase({dtype, {0}, {}}, {});
    CheckCase({dtype, {3, 0}, {3, 1}}, {});
    CheckCase({dtype, {0, 3}, {3}}, {});
    CheckCase({dtype, {0, 3}, {0, 1}}, {});
    CheckCase({dtype, {2, 0}, {0}}, {});
  }
}

// --- The rules --------------------------------------------------------------

TEST_CASE("SumTo is the adjoint of broadcasting by every rule") {
  const std::vector<Case> cases = {
      {DType::kI32, {4, 3, 5}, {3, 1}, "broadcast_numpy"},
      {DType::kI32, {4, 3, 5}, {3, 1}, "numpy"},
      {DType::kI32, {4, 3, 5}, {4, 1, 1}, "onnx_multidirectional"},
      {DType::kI32, {4, 3, 5}, {5}, "onnx_unidirectional"},
      {DType::kI32, {4, 3, 5}, {1, 3, 1}, "sonnx"},
      {DType::kI32, {4, 3, 5}, {4, 3, 5}, "none"},
      {DType::kI32, {4, 3, 5}, {3, 5}, "bidirectional"},
      {DType::kI32, {4, 3, 5}, {4, 3}, "pdpd", 0},
      {DType::kI32, {4, 3, 5}, {3}, "pdpd", 1},
      {DType::kI32, {4, 3, 5}, {3, 1, 1}, "pdpd", 1},
      {DType::kI32, {4, 3, 5}, {1, 3}, "pdpd", 0},
      {DType::kI32, {4, 3, 5}, {3, 5}, "pdpd", -1},
      {DType::kI32, {4, 3, 5}, {4}, "explicit", {}, Extents{0}},
      {DType::kI32, {4, 3, 5}, {4, 5}, "explicit", {}, Extents{0, 2}},
      {DType::kI32, {4, 3, 5}, {1, 5}, "explicit", {}, Extents{1, 2}},
      {DType::kI32, {4, 3, 5}, {}, "explicit", {}, Extents{}},
  };
  for (const Case& c : cases) {
    INFO(c.name());
    const Buffer y = Elements(c.dtype, c.input, 5, true);
    CheckCase(c, y);
    // <broadcast(x), y> == <x, SumTo(y)>, modulo 2^32.
    const Buffer x = Elements(c.dtype, c.output, 6, true);
    Buffer sums;
    REQUIRE(Run(c, y, false, c.options(), sums).empty());
    const std::vector<size_t> places = Places(c);
    uint32_t left = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      left += Read<uint32_t>(x.data() + 4 * places[i]) *
              Read<uint32_t>(y.data() + 4 * i);
    }
    uint32_t right = 0;
    for (size_t i = 0; i < x.size(); i += 4) {
      right += Read<uint32_t>(x.data() + i) * Read<uint32_t>(sums.data() + i);
    }
    CHECK(left == right);
  }
}

// --- Numbers ----------------------------------------------------------------

template <class T>
Buffer Bytes(const std::vector<T>& values) {
  Buffer bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

TEST_CASE("SumTo loses nothing to large neighbours") {
  for (const Extents& output : {Extents{}, Extents{8}, Extents{40, 1}}) {
    for (const double large : {1e8, 1e16, 1e300}) {
      std::vector<double> doubles(40 * 8 * 25);
      for (size_t i = 0; i < doubles.size(); ++i) {
        doubles[i] = i % 3 == 0 ? large * static_cast<double>(1 + i % 5)
                     : i % 3 == 1
                         ? -large * static_cast<double>(1 + (i - 1) % 5)
                         : 0.1 * static_cast<double>(i);
      }
      const Extents input =
          output.size() == 1 ? Extents{1000, 8} : Extents{40, 200};
      CheckCase({DType::kF64, input, output}, Bytes(doubles));
      if (large > 1e20) continue;
      const std::vector<float> floats(doubles.begin(), doubles.end());
      CheckCase({DType::kF32, input, output}, Bytes(floats));
    }
  }
  // Twice the precision of f64, which a plain sum of any order has not.
  std::vector<double> values = {1, 0x1p-60, 0x1p-60, -1};
  double sum = 0;
  const Extents shape = {4};
  REQUIRE(SumTo({DType::kF64, shape, values.data(), 32},
                MutableTensorView{DType::kF64, {}, &sum, 8}));
  CHECK(sum == 0x1p-59);
}

TEST_CASE("SumTo of many floats is right to the last bit") {
  // 0.1f added up one by one, in f32, is off in its second digit.
  const std::vector<float> tenths(1 << 20, 0.1f);
  const Extents shape = {1 << 20};
  float sum = 0;
  REQUIRE(SumTo({DType::kF32, shape, tenths.data(), tenths.size() * 4},
                MutableTensorView{DType::kF32, {}, &sum, 4}));
  CHECK(sum == static_cast<float>(static_cast<double>(0.1f) * (1 << 20)));
  // f16 beyond the count at which 1 + 1 stops in it.
  const std::vector<uint16_t> ones(40000, 0x3C00);
  const Extents halves = {40000};
  uint16_t half = 0;
  REQUIRE(SumTo({DType::kF16, halves, ones.data(), 80000},
                MutableTensorView{DType::kF16, {}, &half, 2}));
  CHECK(half == Encode(kBinary16, 40000));
}

TEST_CASE("SumTo rounds f16 and bf16 once") {
  // Halfway between two f16 but for the last term, which f32 would lose: to
  // f32 and then to f16 would round to even, down.
  const auto f16 = [](double x) {
    return static_cast<uint16_t>(Encode(kBinary16, x));
  };
  CheckCase({DType::kF16, {3}, {}},
            Bytes(std::vector<uint16_t>{f16(32768), f16(16), f16(0x1p-24)}));
  CheckCase(
      {DType::kF16, {3}, {}},
      Bytes(std::vector<uint16_t>{f16(32768 + 32), f16(16), f16(-0x1p-24)}));
  const auto bf16 = [](double x) {
    return static_cast<uint16_t>(Encode(kBFloat16, x));
  };
  CheckCase({DType::kBF16, {3}, {}},
            Bytes(std::vector<uint16_t>{bf16(1), bf16(0x1p-8), bf16(0x1p-40)}));
  CheckCase(
      {DType::kBF16, {3}, {}},
      Bytes(std::vector<uint16_t>{bf16(-1), bf16(-0x1p-8), bf16(-0x1p-40)}));
  // Up to infinity, and not.
  CheckCase({DType::kF16, {2}, {}},
            Bytes(std::vector<uint16_t>{f16(65504), f16(16)}));
  CheckCase({DType::kF16, {3}, {}},
            Bytes(std::vector<uint16_t>{f16(65504), f16(16), f16(-0x1p-24)}));
}

TEST_CASE("SumTo of infinities, NaN and zeros is that of a plain sum") {
  const double inf = std::numeric_limits<double>::infinity();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double max = std::numeric_limits<double>::max();
  const std::vector<std::vector<double>> rows = {
      {1, inf, 2},          {1, -inf, 2},      {inf, inf, 1},
      {inf, -inf, 1},       {1, nan, 2},       {inf, nan, 1},
      {-0.0, -0.0, -0.0},   {-0.0, 0.0, -0.0}, {1, -1, -0.0},
      {max, 1, -max},       {max, -max, 1},    {-max, 1, 1},
      {max / 2, max / 2, 0}};
  for (const size_t repeated : {1, 30, 700}) {
    for (std::vector<double> row : rows) {
      // The rest are zeros that change no sign.
      row.resize(3 * repeated, -0.0);
      const auto n = static_cast<int64_t>(row.size());
      CheckCase({DType::kF64, {n}, {}}, Bytes(row));
      CheckCase({DType::kF64, {n / 3, 3}, {3}}, Bytes(row));
      const std::vector<float> floats(row.begin(), row.end());
      if (std::fabs(row[0]) < 1e300 || std::isinf(row[0])) {
        CheckCase({DType::kF32, {n}, {}}, Bytes(floats));
      }
    }
  }
  const double overflowing[] = {max, max};
  const Extents shape = {2};
  double sum = 0;
  REQUIRE(SumTo({DType::kF64, shape, overflowing, 16},
                MutableTensorView{DType::kF64, {}, &sum, 8}));
  CHECK(sum == inf);
}

}  // namespace
