// Links: their limits, refused memory, and the document's part. What they say
// is compared with the package and the page in tests/code/links.test.mjs.

#include "broadloom/explain/link.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>
#include <vector>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/document.h"
#include "broadloom/explain/warning.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "catch2/catch_test_macros.hpp"

namespace broadloom {
namespace {

constexpr std::string_view kBase = "http://localhost:8080/";

TEST_CASE("link: a request without operands, and unknown enumerators") {
  Arena arena;
  CHECK(WriteLink({.base = kBase, .broadcast = {}}, arena)->reason ==
        "There are no operands to show.");
  const Extents a{2};
  const ShapeView shapes[] = {a};
  const LinkRequest good{.base = kBase, .broadcast = {.operands = shapes}};
  CHECK(WriteLink(good, arena)->reason.empty());
  const auto refuses = [&](auto change) {
    LinkRequest request = good;
    change(request);
    const Result<Link> link = WriteLink(request, arena);
    return !link && link.error().error_class == ErrorClass::kUnknown;
  };
  CHECK(refuses([](LinkRequest& r) { r.broadcast.rule = Rule{99}; }));
  CHECK(refuses([](LinkRequest& r) { r.op = Op{99}; }));
  CHECK(refuses([](LinkRequest& r) { r.broadcast.dtype = DType{99}; }));
  CHECK(refuses([](LinkRequest& r) { r.attributes.to = DType{99}; }));
  const DType types[] = {DType{99}};
  CHECK(refuses([&](LinkRequest& r) { r.dtypes = types; }));
  const WarningKind kinds[] = {WarningKind{99}};
  CHECK(refuses([&](LinkRequest& r) { r.expect = kinds; }));
}

TEST_CASE("link: names of axes, of operands that have them all") {
  const Extents a{2};
  const ShapeView shapes[] = {a, a};
  const std::string_view batch[] = {"batch"};
  const std::string_view head[] = {"head"};
  const std::span<const std::string_view> names[] = {batch, head};
  const std::span<const std::string_view> few[] = {batch};
  Arena arena;
  LinkRequest request{.base = kBase, .broadcast = {.operands = shapes}};
  request.broadcast.axis_names = names;
  CHECK(WriteLink(request, arena)
            ->address.ends_with("&in=(batch=2)&in=(head=2)"));
  const std::string_view hostile[] = {"a&b"};
  const std::string_view none[] = {""};
  const std::span<const std::string_view> other[] = {hostile, none};
  request.broadcast.axis_names = other;
  CHECK(WriteLink(request, arena)->address.ends_with("&in=(2,)&in=(2,)"));
  request.broadcast.axis_names = names;
  request.broadcast.policy.same_names = true;
  CHECK(WriteLink(request, arena)->address.empty());
  request.broadcast.axis_names = few;
  CHECK(WriteLink(request, arena)->address.empty());
}

TEST_CASE("link: every length up to the limits is written or refused") {
  for (const size_t rank : {1u, 255u, 1000u, 1001u, 2048u, 2049u}) {
    const std::vector<int64_t> extents(rank, int64_t{1} << 62);
    const ShapeView shapes[] = {extents};
    Arena arena;
    const Result<Link> link =
        WriteLink({.base = kBase, .broadcast = {.operands = shapes}}, arena);
    REQUIRE(link);
    // Each extent has 19 digits and a comma; brackets make two more letters.
    const bool fits = 20 * rank + 1 <= kLongestLinkedText;
    CHECK(link->reason.empty() == fits);
    CHECK(link->address.empty() != fits);
  }
}

TEST_CASE("link: refused memory is an error") {
  const std::vector<int64_t> extents(300, 1);
  const ShapeView shapes[] = {extents, extents};
  size_t allowed = 0;
  for (;; ++allowed) {
    REQUIRE(allowed < 100);
    size_t left = allowed;
    Arena arena({[](void* context, size_t bytes, size_t alignment) -> void* {
                   size_t& some = *static_cast<size_t*>(context);
                   if (some == 0) return nullptr;
                   --some;
                   return std::aligned_alloc(alignment, bytes);
                 },
                 [](void*, void* memory, size_t, size_t) { std::free(memory); },
                 &left});
    const Result<Link> link =
        WriteLink({.base = kBase, .broadcast = {.operands = shapes}}, arena);
    if (link) break;
    CHECK(link.error().error_class == ErrorClass::kAllocation);
  }
  CHECK(allowed > 1);
}

TEST_CASE("link: the document has it, or the reason, if a base is given") {
  const Extents a{2, 3};
  const Extents b{4};
  const ShapeView shapes[] = {a, b};
  const WarningKind expect[] = {WarningKind::kOuter};
  DocumentRequest request{.broadcast = {.operands = shapes}, .expect = expect};
  Arena arena;
  CHECK(WriteDocument(request, arena)->find("\"link\"") ==
        std::string_view::npos);
  request.link_base = kBase;
  CHECK(WriteDocument(request, arena)
            ->ends_with(R"x("warnings":[],"link":"http://localhost:8080/#v=1)x"
                        R"x(&rule=numpy&op=Add&type=f32&in=(2,3)&in=(4,))x"
                        R"x(&expect=outer","whyNoLink":null})x"));
  request.link_base = "localhost";
  CHECK(WriteDocument(request, arena)
            ->contains(R"x("link":null,"whyNoLink":"The base of a link)x"));
}

}  // namespace
}  // namespace broadloom
