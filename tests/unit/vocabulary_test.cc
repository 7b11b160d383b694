#include "broadloom/vocabulary.h"

#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catch2/catch_test_macros.hpp"

namespace {

using namespace broadloom;

using Names = std::set<std::string_view>;

template <class Rows>
Names NamesOf(const Rows& rows) {
  Names names;
  for (const auto& row : rows) names.insert(row.name);
  REQUIRE(names.size() == rows.size());  // no spelling occurs twice
  return names;
}

TEST_CASE("vocabulary: the value of an enum is the index of its row") {
  for (size_t i = 0; i < AllDTypes().size(); ++i) {
    REQUIRE(static_cast<size_t>(AllDTypes()[i].dtype) == i);
    REQUIRE(&Info(AllDTypes()[i].dtype) == &AllDTypes()[i]);
  }
  for (size_t i = 0; i < AllOps().size(); ++i) {
    REQUIRE(static_cast<size_t>(AllOps()[i].op) == i);
    REQUIRE(&Info(AllOps()[i].op) == &AllOps()[i]);
  }
  for (size_t i = 0; i < AllRules().size(); ++i) {
    REQUIRE(static_cast<size_t>(AllRules()[i].rule) == i);
    REQUIRE(&Info(AllRules()[i].rule) == &AllRules()[i]);
  }
  for (size_t i = 0; i < AllErrorClasses().size(); ++i) {
    REQUIRE(static_cast<size_t>(AllErrorClasses()[i].error_class) == i);
    REQUIRE(&Info(AllErrorClasses()[i].error_class) == &AllErrorClasses()[i]);
  }
  for (size_t i = 0; i < AllDetails().size(); ++i) {
    REQUIRE(static_cast<size_t>(AllDetails()[i].detail) == i);
    REQUIRE(&Info(AllDetails()[i].detail) == &AllDetails()[i]);
  }
  for (size_t i = 0; i < AllDocuments().size(); ++i) {
    REQUIRE(static_cast<size_t>(AllDocuments()[i].document) == i);
    REQUIRE(&Info(AllDocuments()[i].document) == &AllDocuments()[i]);
  }
  for (size_t i = 0; i < AllClauses().size(); ++i) {
    REQUIRE(static_cast<size_t>(AllClauses()[i].clause) == i);
    REQUIRE(&Info(AllClauses()[i].clause) == &AllClauses()[i]);
  }
}

// The names of operators, rules and element types are also in the package's
// wasm/src/types/vocabulary.ts, which is made from the rows: a change of one
// shows there.
TEST_CASE("vocabulary: names are unique, and errors have the documented ones") {
  (void)NamesOf(AllRules());
  (void)NamesOf(AllDTypes());
  (void)NamesOf(AllOps());
  REQUIRE(NamesOf(AllErrorClasses()) ==
          Names{"parse", "unknown", "arity", "attribute", "extent", "dtype",
                "length", "incompatible", "rank", "axis", "axes_mapping",
                "negative_dim", "policy", "overflow", "limit", "overlap",
                "allocation"});
  for (const char* detail : {"size", "unsorted", "out_of_range", "duplicate",
                             "missing", "unexpected"}) {
    REQUIRE(NamesOf(AllDetails()).contains(detail));
  }
}

TEST_CASE("vocabulary: every row is documented and cites a place") {
  for (const auto& row : AllDTypes()) REQUIRE(!row.doc.empty());
  for (const auto& row : AllOps()) {
    REQUIRE(!row.doc.empty());
    REQUIRE(!row.notation.empty());
  }
  for (const auto& row : AllRules()) {
    REQUIRE(!row.doc.empty());
    REQUIRE(!row.title.empty());
  }
  for (const auto& row : AllErrorClasses()) REQUIRE(!row.doc.empty());
  for (const auto& row : AllDetails()) REQUIRE(!row.doc.empty());
  for (const auto& row : AllDocuments()) REQUIRE(!row.title.empty());
  (void)NamesOf(AllDocuments());
  (void)NamesOf(AllClauses());
  for (const auto& row : AllClauses()) {
    if (row.clause == Clause::kNoClause) continue;
    REQUIRE(!row.place.empty());
    REQUIRE(!row.text.empty());
  }
}

TEST_CASE("vocabulary: methods are valid JavaScript names") {
  Names methods;
  for (const auto& row : AllOps()) {
    methods.insert(row.method);
    REQUIRE(std::islower(static_cast<unsigned char>(row.method[0])));
    for (char c : row.method) {
      REQUIRE(std::isalnum(static_cast<unsigned char>(c)));
    }
  }
  REQUIRE(methods.size() == AllOps().size());
}

TEST_CASE("vocabulary: rows are found by their exact spelling") {
  for (const auto& row : AllDTypes()) REQUIRE(FindDType(row.name) == row.dtype);
  for (const auto& row : AllOps()) REQUIRE(FindOp(row.name) == row.op);
  for (const auto& row : AllRules()) REQUIRE(FindRule(row.name) == row.rule);
  REQUIRE(FindDType("f32") == DType::kF32);
  REQUIRE(FindOp("Add") == Op::kAdd);
  REQUIRE(FindRule("pdpd") == Rule::kPdpd);
  for (const char* wrong : {"", " ", "F32", "f32 ", "f3", "f322", "float32",
                            "add", "ADD", "Numpy", "numpy ", "torch", "\0"}) {
    INFO(wrong);
    REQUIRE(!FindDType(wrong));
    REQUIRE(!FindOp(wrong));
    REQUIRE(!FindRule(wrong));
  }
  REQUIRE(!FindRule(std::string_view("numpy\0", 6)));
}

TEST_CASE("vocabulary: the width of each type") {
  const auto bits = [](const char* name) {
    return Info(*FindDType(name)).bits;
  };
  for (const char* name : {"bool", "i8", "u8", "f8e4m3", "f8e5m2"}) {
    REQUIRE(bits(name) == 8);
  }
  for (const char* name : {"i16", "u16", "f16", "bf16"})
    REQUIRE(bits(name) == 16);
  for (const char* name : {"i32", "u32", "f32"}) REQUIRE(bits(name) == 32);
  for (const char* name : {"i64", "u64", "f64", "c64"})
    REQUIRE(bits(name) == 64);
  REQUIRE(bits("c128") == 128);
  REQUIRE(bits("i4") == 4);
  REQUIRE(bits("u4") == 4);
  REQUIRE(bits("u1") == 1);
  REQUIRE(Info(Op::kAdd).name == "Add");
}

// The element types of each class, by their names.
Names ExpectedTypes(TypeClass types, size_t operand, bool fmod) {
  const Names unsigned_integers = {"u8", "u16", "u32", "u64"};
  Names integers = {"i8", "i16", "i32", "i64"};
  integers.insert(unsigned_integers.begin(), unsigned_integers.end());
  const Names floats = {"f16", "bf16", "f32", "f64"};
  Names numbers = integers;
  numbers.insert(floats.begin(), floats.end());
  Names with_bool = numbers;
  with_bool.insert("bool");
  switch (types) {
    case TypeClass::kNumbers:
    case TypeClass::kPower:
      return numbers;
    case TypeClass::kFloats:
      return floats;
    case TypeClass::kIntegers:
      return integers;
    case TypeClass::kUnsignedIntegers:
      return unsigned_integers;
    case TypeClass::kBooleans:
      return {"bool"};
    case TypeClass::kNumbersAndBool:
      return with_bool;
    case TypeClass::kModulo:
      return fmod ? numbers : integers;
    case TypeClass::kPReluTypes:
      return {"f16", "bf16", "f32", "f64", "i32", "i64", "u32", "u64"};
    case TypeClass::kChoice:
      return operand == 0 ? Names{"bool"} : NamesOf(AllDTypes());
    case TypeClass::kAnything:
      return NamesOf(AllDTypes());
  }
  return {};
}

TEST_CASE("vocabulary: the types that an operator takes") {
  for (const auto& op : AllOps()) {
    const size_t operands = op.least_operands < 2 ? 4 : op.least_operands;
    for (size_t operand = 0; operand < operands; ++operand) {
      for (const bool fmod : {false, true}) {
        if (fmod && op.attribute != OpAttribute::kFmod) continue;
        const Names expected = ExpectedTypes(op.types, operand, fmod);
        for (const auto& dtype : AllDTypes()) {
          INFO(op.name << " operand " << operand << " " << dtype.name);
          REQUIRE(Accepts(op.op, operand, dtype.dtype, fmod) ==
                  expected.contains(dtype.name));
        }
      }
    }
  }
}

TEST_CASE("vocabulary: the operand whose type must agree") {
  for (const auto& op : AllOps()) {
    INFO(op.name);
    if (op.types == TypeClass::kChoice) {
      REQUIRE(!TypeLeader(op.op, 0));
      REQUIRE(TypeLeader(op.op, 1) == 1);
      REQUIRE(TypeLeader(op.op, 2) == 1);
    } else {
      REQUIRE(TypeLeader(op.op, 0) == 0);
      REQUIRE(TypeLeader(op.op, 1).has_value() ==
              (op.types != TypeClass::kPower));
    }
  }
}

}  // namespace
