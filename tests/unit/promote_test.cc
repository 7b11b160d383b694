// Promotion, compared with NumPy's answers in tests/promotion/numpy.txt.

#include "broadloom/promote.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "catch2/catch_test_macros.hpp"

namespace {

using namespace broadloom;

WeakKind WeakNamed(std::string_view name) {
  if (name == "int") return WeakKind::kInt;
  if (name == "float") return WeakKind::kFloat;
  REQUIRE(name == "none");
  return WeakKind::kNone;
}

std::string NameOf(std::optional<DType> dtype) {
  return dtype ? std::string(Info(*dtype).name) : "-";
}

// One list for which NumPy's answer is known.
struct Record {
  WeakKind weak;
  std::vector<DType> dtypes;
  std::string answer;  // "-|f32" where it depends on the order
};

std::vector<Record> ReadRecords() {
  std::ifstream file(BROADLOOM_TESTS_DIR "/promotion/numpy.txt");
  REQUIRE(file);
  std::vector<Record> records;
  std::vector<DType> thirds;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string first, a, b, word;
    words >> first;
    if (first == "types") {
      thirds.clear();
      while (words >> word) thirds.push_back(FindDType(word).value());
      continue;
    }
    words >> a >> b;
    for (const DType third : thirds) {
      REQUIRE(words >> word);
      records.push_back({WeakNamed(first),
                         {FindDType(a).value(), FindDType(b).value(), third},
                         word});
    }
    REQUIRE(!(words >> word));
  }
  return records;
}

std::string Describe(const Record& record) {
  std::string text;
  for (const DType dtype : record.dtypes) {
    text += std::string(Info(dtype).name) + " ";
  }
  return text + "weak " + std::to_string(static_cast<int>(record.weak));
}

TEST_CASE("promote: equals NumPy, in every order") {
  const std::vector<Record> records = ReadRecords();
  REQUIRE(records.size() > 5000);
  for (Record record : records) {
    // A list that NumPy promotes only in some orders has no common type here.
    const bool depends = record.answer.find('|') != std::string::npos;
    const std::string expected = depends ? "-" : record.answer;
    std::ranges::sort(record.dtypes);
    do {
      INFO(Describe(record));
      REQUIRE(NameOf(ResultDType(record.dtypes, record.weak)) == expected);
    } while (std::ranges::next_permutation(record.dtypes).found);
  }
}

TEST_CASE("promote: a pair is a list of two, and a single type is unchanged") {
  for (const DTypeInfo& a : AllDTypes()) {
    REQUIRE(PromoteTypes(a.dtype, a.dtype) == a.dtype);
    REQUIRE(ResultDType({a.dtype}) == a.dtype);
    for (const DTypeInfo& b : AllDTypes()) {
      INFO(a.name << " " << b.name);
      const std::optional<DType> common = PromoteTypes(a.dtype, b.dtype);
      REQUIRE(common == PromoteTypes(b.dtype, a.dtype));
      REQUIRE(common == ResultDType({a.dtype, b.dtype}));
      if (common) REQUIRE(PromoteTypes(*common, b.dtype) == common);
    }
  }
}

TEST_CASE("promote: the header's examples") {
  REQUIRE(PromoteTypes(DType::kI8, DType::kU8) == DType::kI16);
  REQUIRE(PromoteTypes(DType::kI64, DType::kU64) == DType::kF64);
  REQUIRE(PromoteTypes(DType::kF16, DType::kI16) == DType::kF32);
  REQUIRE(!PromoteTypes(DType::kF16, DType::kBF16));
  const DType list[] = {DType::kI16, DType::kU16, DType::kF32};
  REQUIRE(ResultDType(list) == DType::kF32);
  REQUIRE(ResultDType({DType::kF32}, WeakKind::kFloat) == DType::kF32);
  REQUIRE(ResultDType({DType::kI32}, WeakKind::kFloat) == DType::kF64);
  REQUIRE(ResultDType({DType::kU8}, WeakKind::kInt) == DType::kU8);
  REQUIRE(ResultDType({}, WeakKind::kInt) == DType::kI64);
}

TEST_CASE("promote: a packed type combines only with itself") {
  for (const DType packed : {DType::kI4, DType::kU4, DType::kU1}) {
    for (const DTypeInfo& other : AllDTypes()) {
      INFO(other.name);
      const bool same = other.dtype == packed;
      REQUIRE(PromoteTypes(packed, other.dtype).has_value() == same);
      REQUIRE(!ResultDType({packed, packed, other.dtype}) == !same);
    }
    REQUIRE(!ResultDType({packed}, WeakKind::kBool));
    REQUIRE(!ResultDType({packed}, WeakKind::kInt));
    REQUIRE(!ResultDType({packed}, WeakKind::kFloat));
  }
}

TEST_CASE("promote: scalars without a type, alone and after the types") {
  REQUIRE(!ResultDType({}));
  REQUIRE(ResultDType({}, WeakKind::kBool) == DType::kBool);
  REQUIRE(ResultDType({}, WeakKind::kFloat) == DType::kF64);
  for (const DTypeInfo& a : AllDTypes()) {
    for (const DTypeInfo& b : AllDTypes()) {
      const std::optional<DType> common = PromoteTypes(a.dtype, b.dtype);
      for (const WeakKind weak :
           {WeakKind::kBool, WeakKind::kInt, WeakKind::kFloat}) {
        INFO(a.name << " " << b.name << " " << static_cast<int>(weak));
        const std::optional<DType> both = ResultDType({a.dtype, b.dtype}, weak);
        if (!common) {
          REQUIRE(!both);
        } else {
          REQUIRE(both == ResultDType({*common}, weak));
          if (weak == WeakKind::kBool && BitsOf(a.dtype) >= 8) {
            REQUIRE(both == common);
          }
        }
      }
    }
  }
}

TEST_CASE("promote: each operator computes in the same type as NumPy") {
  std::ifstream file(BROADLOOM_TESTS_DIR "/promotion/operators.txt");
  REQUIRE(file);
  std::vector<std::string> seconds;
  size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    std::string name, a, answer;
    words >> name;
    if (name == "types") {
      while (words >> answer) seconds.push_back(answer);
      continue;
    }
    const Op op = FindOp(name).value();
    words >> a;
    for (const std::string& b : seconds) {
      REQUIRE(words >> answer);
      std::vector<DType> dtypes{FindDType(a).value()};
      const bool is_scalar = b == "int" || b == "float";
      if (!is_scalar) dtypes.push_back(FindDType(b).value());
      const auto is_numpys = [](DType dtype) {
        return dtype != DType::kBF16 && dtype != DType::kF8E4M3 &&
               dtype != DType::kF8E5M2;
      };
      const std::optional<DType> common =
          ResultDType(op, dtypes, is_scalar ? WeakNamed(b) : WeakKind::kNone);
      if (!std::ranges::all_of(dtypes, is_numpys) || !common ||
          !Accepts(op, 0, *common) || Info(op).result == ResultType::kBoolType)
        continue;
      INFO(name << " of " << a << " and " << b);
      CHECK(NameOf(common) == answer);
      ++count;
    }
  }
  CHECK(count > 1000);
  // All operands but those that are always bool.
  for (const broadloom::OpInfo& info : broadloom::AllOps()) {
    for (size_t i = 0; i < 3; ++i) {
      INFO(info.name << ", operand " << i);
      const bool is_bool = info.op == Op::kAnd || info.op == Op::kOr ||
                           info.op == Op::kXor ||
                           (info.op == Op::kWhere && i == 0);
      CHECK(broadloom::IsPromoted(info.op, i) == !is_bool);
    }
  }
  const DType u8[] = {DType::kU8};
  CHECK(ResultDType(Op::kDiv, u8) == DType::kF64);
  CHECK(ResultDType(Op::kAdd, u8) == DType::kU8);
  CHECK(ResultDType(Op::kDiv, {}, WeakKind::kInt) == DType::kF64);
  CHECK_FALSE(ResultDType(Op::kDiv, {}));
}

}  // namespace
