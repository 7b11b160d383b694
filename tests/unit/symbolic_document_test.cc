// The JSON document of shapes with unknown extents.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/document.h"
#include "broadloom/explain/symbolic.h"
#include "broadloom/explain/symbolic_shape.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/vocabulary.h"
#include "catch2/catch_test_macros.hpp"

namespace broadloom {
namespace {

std::string Written(const SymbolicRequest& request) {
  Arena arena;
  const Result<std::string_view> document = WriteSymbolic(request, arena);
  REQUIRE(document);
  return std::string(*document);
}

TEST_CASE("symbolic document: the question, the answer, texts and examples") {
  const SymbolicExtent a[] = {{.name = "N"}, {3, 3}};
  const SymbolicExtent b[] = {{}, {3, 3}};
  const SymbolicShape shapes[] = {{a}, {b}};
  const std::string text = Written({.operands = shapes});
  CHECK(text.starts_with(
      R"x({"version":1,"kind":"symbolic","rule":"numpy","byName":false,)x"
      R"x("operands":[{"name":"A","shape":"(N, 3)"},)x"
      R"x({"name":"B","shape":"(?, 3)"}],"axis":null,"targetShape":null,)x"
      R"x("axesMapping":null,"fault":null,"fit":"if",)x"));
  CHECK(text.contains(R"("example":"N=1, B[0]=)"));
  CHECK(text.contains(R"("plain":"N=B[0] or N=1 or B[0]=1\u000a")"));
  for (const std::string_view form : {"python", "torch", "jax"}) {
    CHECK(text.contains("\"" + std::string(form) + "\":\""));
  }
}

TEST_CASE("symbolic document: options are told, the target as a text") {
  const SymbolicExtent a[] = {{.name = "N"}};
  const SymbolicExtent target[] = {{2, 8}, {.name = "N"}};
  const SymbolicShape shapes[] = {{a}};
  const int64_t mapping[] = {1};
  const std::string text = Written({.rule = Rule::kExplicit,
                                    .operands = shapes,
                                    .target_shape = SymbolicShape{target},
                                    .axes_mapping = mapping});
  CHECK(text.contains(R"x("targetShape":"(2..8, N)","axesMapping":[1],)x"));
  CHECK(text.contains(R"("fit":"always")"));
}

TEST_CASE("symbolic document: a fault says what is wrong, and where") {
  const SymbolicExtent range[] = {{3, 3}, {8, 2}};
  const SymbolicExtent negative[] = {{-1, -1}};
  const SymbolicExtent one[] = {{1, 1}};
  const auto fault = [](std::span<const SymbolicShape> shapes, Rule rule) {
    const std::string text = Written({.rule = rule, .operands = shapes});
    CHECK(text.ends_with(R"(},"fit":null,"symbols":[],"cases":[]})"));
    const size_t at = text.find("\"fault\":");
    return text.substr(at, text.find("\"message\"") - at);
  };
  CHECK(fault(std::array{SymbolicShape{one}, SymbolicShape{range}},
              Rule::kNumpy) ==
        R"("fault":{"code":"extent","detail":null,"operand":1,"axis":1,)");
  CHECK(fault(std::array{SymbolicShape{negative}}, Rule::kNumpy) ==
        R"("fault":{"code":"extent","detail":"negative","operand":0,)"
        R"("axis":0,)");
  CHECK(fault(std::array{SymbolicShape{one}}, Rule::kPdpd) ==
        R"("fault":{"code":"arity","detail":null,"operand":null,"axis":null,)");
}

TEST_CASE("symbolic document: refused memory is an error") {
  const SymbolicExtent a[] = {{.name = "N"}, {3, 3}};
  const SymbolicExtent b[] = {{.name = "M"}, {3, 3}};
  const SymbolicShape shapes[] = {{a}, {b}};
  size_t refusals = 0;
  for (size_t allowed = 0;; ++allowed) {
    size_t left = allowed;
    const Allocator refusing{
        [](void* context, size_t bytes, size_t alignment) -> void* {
          size_t& some = *static_cast<size_t*>(context);
          if (some == 0) return nullptr;
          --some;
          return std::aligned_alloc(alignment, bytes);
        },
        [](void*, void* memory, size_t, size_t) { std::free(memory); }, &left};
    Arena arena(refusing);
    const Result<std::string_view> document =
        WriteSymbolic({.operands = shapes}, arena);
    if (document) break;
    CHECK(document.error().error_class == ErrorClass::kAllocation);
    ++refusals;
  }
  CHECK(refusals > 0);
}

}  // namespace
}  // namespace broadloom
