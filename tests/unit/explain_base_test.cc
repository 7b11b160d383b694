// The memory, lists, texts and JSON of explanations.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <span>
#include <string>
#include <string_view>

#include "base/json.h"
#include "base/list.h"
#include "base/text.h"
#include "broadloom/explain/arena.h"
#include "catch2/catch_test_macros.hpp"

namespace broadloom {
namespace {

// Refuses every allocation after the first `left`.
Allocator Refusing(size_t& left) {
  return {[](void* context, size_t bytes, size_t alignment) -> void* {
            size_t& some = *static_cast<size_t*>(context);
            if (some == 0) return nullptr;
            --some;
            return std::aligned_alloc(alignment, bytes);
          },
          [](void*, void* memory, size_t, size_t) { std::free(memory); },
          &left};
}

TEST_CASE("arena: values are new, apart and aligned") {
  Arena arena;
  for (const size_t count : {size_t{1}, size_t{7}, size_t{100}, size_t{9000}}) {
    const std::span<int64_t> values = arena.Make<int64_t>(count);
    REQUIRE(values.size() == count);
    CHECK(reinterpret_cast<uintptr_t>(values.data()) % alignof(int64_t) == 0);
    CHECK(std::ranges::all_of(values, [](int64_t v) { return v == 0; }));
    std::ranges::fill(values, -1);
  }
  CHECK(arena.Make<char>(0).empty());
  CHECK_FALSE(arena.refused());
}

TEST_CASE("arena: remembers that memory was refused") {
  for (size_t allowed : {0, 1, 2}) {
    size_t left = allowed;
    Arena arena(Refusing(left));
    List<std::array<char, 4000>> list(arena);
    for (int i = 0; i < 100; ++i) list.Push({});
    CHECK(arena.refused());
    CHECK(list.size() < 100);
    arena.Clear();
    CHECK_FALSE(arena.refused());
  }
  Arena arena;
  CHECK(arena.Make<int64_t>(std::numeric_limits<size_t>::max() / 4).empty());
  CHECK(arena.refused());
}

TEST_CASE("list: pushes, inserts, appends and truncates") {
  Arena arena;
  List<int> list(arena);
  for (int i = 0; i < 20; ++i) list.Push(i);
  list.Insert(0, -1);
  list.Insert(21, 20);
  const std::array<int, 3> more{21, 22, 23};
  list.Append(more);
  REQUIRE(list.size() == 25);
  for (int i = 0; i < 25; ++i) CHECK(list[static_cast<size_t>(i)] == i - 1);
  list.Truncate(3);
  CHECK(list.size() == 3);
}

TEST_CASE("text: shapes, operands and counts") {
  Arena arena;
  Text text(arena);
  const int64_t shape[] = {2, 3};
  text.Shape(shape).Shape(std::span(shape).first(1)).Shape({});
  text << ' ' << std::numeric_limits<int64_t>::min() << ' ';
  text.Operand(0).Operand(26).OperandCapital(kTargetOperand);
  text.Count(1, "axis", "axes").Count(2, "axis", "axes");
  CHECK(text.view() ==
        "(2, 3)(2,)() -9223372036854775808 A#26The target1 axis2 axes");
}

TEST_CASE("json: what is written can be read") {
  Arena arena;
  Text text(arena);
  const int64_t shape[] = {2, (int64_t{1} << 53) - 1, int64_t{1} << 53};
  Json json(text);
  json.Open('{').Field("a\"\\\n", "b").Field("n", -1).Field("t", true);
  json.Key("s").Extents(shape).Key("none").Null();
  json.Key("l").Open('[').Open('{').Close('}').Open('[').Close(']').Close(']');
  json.Close('}');
  CHECK(text.view() ==
        "{\"a\\\"\\\\\\u000a\":\"b\",\"n\":-1,\"t\":true,"
        "\"s\":[2,9007199254740991,\"9007199254740992\"],\"none\":null,"
        "\"l\":[{},[]]}");
}

}  // namespace
}  // namespace broadloom
