// Lines of code of repairs: their texts. tests/code runs them.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/broadloom.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/code.h"
#include "broadloom/explain/repair.h"
#include "catch2/catch_test_macros.hpp"

namespace broadloom {
namespace {

using Numbers = std::vector<int64_t>;

// A repair of the second of two operands.
struct Case {
  Numbers a;
  Numbers b;
  RepairKind kind;
  Numbers shape;
  Numbers axes;
  std::vector<std::string_view> names = {};

  Result<std::string_view> Line(CodeSystem system, Arena& arena) const {
    const ShapeView shapes[] = {a, b};
    const Repair repair{.kind = kind,
                        .operand = 1,
                        .shape = shape,
                        .axes = axes,
                        .rule = Rule::kNumpy};
    return RepairCode({.operands = shapes}, repair, names, system, arena);
  }

  std::string operator()(CodeSystem system) const {
    Arena arena;
    const Result<std::string_view> line = Line(system, arena);
    REQUIRE(line);
    return std::string(*line);
  }
};

TEST_CASE("code: systems have ids and titles") {
  CHECK(AllCodeSystems().size() == 9);
  for (const CodeSystemInfo& row : AllCodeSystems()) {
    CHECK(Info(row.system).id == row.id);
    CHECK(FindCodeSystem(row.id) == row.system);
    CHECK(!row.title.empty());
  }
  CHECK(!FindCodeSystem("numpyy"));
  CHECK(Info(static_cast<CodeSystem>(99)).id.empty());
}

TEST_CASE("code: an axis is inserted") {
  const Case mean{{32, 10}, {32}, RepairKind::kInsertAxis, {32, 1}, {1}};
  CHECK(mean(CodeSystem::kNumPy) == "b[:, None]");
  CHECK(mean(CodeSystem::kJax) == "b[:, None]");
  CHECK(mean(CodeSystem::kTensorFlow) == "b[:, None]");
  CHECK(mean(CodeSystem::kPyTorch) == "b.unsqueeze(1)");
  CHECK(mean(CodeSystem::kOpenVino) == "ops.unsqueeze(b, [1])");
  CHECK(mean(CodeSystem::kOnnx) ==
        "helper.make_node(\"Constant\", [], [\"b_axes\"], value_ints=[1]), "
        "helper.make_node(\"Unsqueeze\", [\"b\", \"b_axes\"], [\"b_fixed\"])");
  CHECK(mean(CodeSystem::kOpenVinoIr) == "");
  CHECK(mean(CodeSystem::kBroadloomJs) == "{ ...b, shape: [32, 1] }");
  CHECK(mean(CodeSystem::kBroadloomCpp) ==
        "const std::vector<int64_t> b_shape = {32, 1};");
  const Case bias{
      {8, 64, 5, 5}, {64}, RepairKind::kInsertAxis, {64, 1, 1}, {1, 2}};
  CHECK(bias(CodeSystem::kPyTorch) == "b[:, None, None]");
  const Case first{{2, 3}, {2, 4}, RepairKind::kInsertAxis, {1, 2, 4}, {0}};
  CHECK(first(CodeSystem::kNumPy) == "b[None]");
}

TEST_CASE("code: other changes of an operand") {
  const Case removed{
      {2, 3}, {1, 2, 3, 1}, RepairKind::kRemoveAxis, {2, 3}, {0, 3}};
  CHECK(removed(CodeSystem::kNumPy) == "np.squeeze(b, axis=(0, 3))");
  CHECK(removed(CodeSystem::kPyTorch) == "b.squeeze((0, 3))");
  CHECK(removed(CodeSystem::kTensorFlow) == "tf.squeeze(b, axis=[0, 3])");
  const Case matrix{{2, 3}, {3, 2}, RepairKind::kTranspose, {2, 3}, {1, 0}};
  CHECK(matrix(CodeSystem::kNumPy) == "b.T");
  CHECK(matrix(CodeSystem::kTensorFlow) == "tf.transpose(b)");
  CHECK(matrix(CodeSystem::kBroadloomJs) ==
        "{ ...b, shape: [2, 3], strides: [1, 2] }");
  CHECK(matrix(CodeSystem::kBroadloomCpp) ==
        "const std::vector<int64_t> b_shape = {2, 3}, b_strides = {1, 2};");
  const Case nhwc{{8, 3, 4, 5},
                  {8, 4, 5, 3},
                  RepairKind::kTranspose,
                  {8, 3, 4, 5},
                  {0, 3, 1, 2}};
  CHECK(nhwc(CodeSystem::kNumPy) == "b.transpose(0, 3, 1, 2)");
  CHECK(nhwc(CodeSystem::kPyTorch) == "b.permute(0, 3, 1, 2)");
  const Case inner{
      {8, 3, 4}, {8, 4, 3}, RepairKind::kTranspose, {8, 3, 4}, {0, 2, 1}};
  CHECK(inner(CodeSystem::kPyTorch) == "b.transpose(1, 2)");
  const Case flat{{28, 28}, {784}, RepairKind::kReshape, {28, 28}, {}};
  CHECK(flat(CodeSystem::kNumPy) == "b.reshape(28, 28)");
  CHECK(flat(CodeSystem::kTensorFlow) == "tf.reshape(b, (28, 28))");
  const Case longer{{8, 99}, {8, 100}, RepairKind::kChangeSize, {8, 99}, {1}};
  CHECK(longer(CodeSystem::kNumPy) == "b[:, :99]");
  CHECK(longer(CodeSystem::kOpenVino) == "ops.slice(b, [0], [99], [1], [1])");
  const Case shorter{{8, 100}, {8, 99}, RepairKind::kChangeSize, {8, 100}, {1}};
  const Case higher{{8, 9}, {8}, RepairKind::kChangeSize, {8, 9}, {1}};
  for (const CodeSystemInfo& row : AllCodeSystems()) {
    CHECK(higher(row.system) == "");
    CHECK(shorter(row.system) == "");
  }
}

TEST_CASE("code: a reduction keeps the axes that it drops") {
  const auto line = [](std::string_view mean, CodeSystem system,
                       Numbers axes = {1}) {
    const Numbers shape = axes == Numbers{0} ? Numbers{1, 5} : Numbers{5, 1};
    return Case{
        {5, 5}, {5}, RepairKind::kInsertAxis, shape, axes, {"x", mean}}(system);
  };
  const CodeSystem numpy = CodeSystem::kNumPy;
  CHECK(line("x.mean(axis=1)", numpy) == "x.mean(axis=1, keepdims=True)");
  CHECK(line("x.mean(1)", numpy) == "x.mean(1, keepdims=True)");
  CHECK(line("x.mean(axis=-1, )", numpy) == "x.mean(axis=-1, keepdims=True)");
  CHECK(line("x.mean((1,))", numpy) == "x.mean((1,), keepdims=True)");
  CHECK(line("np.sum(x, 1)", numpy) == "np.sum(x, 1, keepdims=True)");
  CHECK(line("np.linalg.norm(x, axis=1)", numpy) ==
        "np.linalg.norm(x, axis=1, keepdims=True)");
  CHECK(line("f(x)[0].std(axis=0)", numpy, {0}) ==
        "f(x)[0].std(axis=0, keepdims=True)");
  CHECK(line("x.mean(dim=1)", CodeSystem::kPyTorch) ==
        "x.mean(dim=1, keepdim=True)");
  CHECK(line("x.max(1).values", CodeSystem::kPyTorch) ==
        "x.max(1, keepdim=True).values");
  CHECK(line("tf.reduce_mean(x, axis=1)", CodeSystem::kTensorFlow) ==
        "tf.reduce_mean(x, axis=1, keepdims=True)");
  CHECK(line("ops.reduce_mean(x, [1])", CodeSystem::kOpenVino) ==
        "ops.reduce_mean(x, [1], keep_dims=True)");
  // Another axis, none, one that is kept already, a norm's order, or no
  // reduction at the end.
  CHECK(line("x.mean(axis=0)", numpy) == "x.mean(axis=0)[:, None]");
  CHECK(line("x.mean()", numpy) == "x.mean()[:, None]");
  CHECK(line("x.mean(axis=k)", numpy) == "x.mean(axis=k)[:, None]");
  CHECK(line("x.mean(axis=1, keepdims=False)", numpy) ==
        "x.mean(axis=1, keepdims=False)[:, None]");
  CHECK(line("np.linalg.norm(x, 1)", numpy) == "np.linalg.norm(x, 1)[:, None]");
  CHECK(line("x.sum(1).sqrt()", numpy) == "x.sum(1).sqrt()[:, None]");
  CHECK(line("x.mean(1) + 1", numpy) == "(x.mean(1) + 1)[:, None]");
  CHECK(line("x.clip(1)", numpy) == "x.clip(1)[:, None]");
}

TEST_CASE("code: a reduction is written in the words of its own library") {
  const auto line = [](std::string_view mean, CodeSystem system) {
    return Case{
        {5, 5}, {5}, RepairKind::kInsertAxis, {5, 1}, {1}, {"x", mean}}(system);
  };
  for (const CodeSystem system :
       {CodeSystem::kNumPy, CodeSystem::kPyTorch, CodeSystem::kJax,
        CodeSystem::kTensorFlow, CodeSystem::kOpenVino}) {
    CHECK(line("np.sum(x, axis=1)", system) ==
          "np.sum(x, axis=1, keepdims=True)");
    CHECK(line("torch.sum(x, dim=1)", system) ==
          "torch.sum(x, dim=1, keepdim=True)");
    CHECK(line("tf.reduce_sum(x, axis=1)", system) ==
          "tf.reduce_sum(x, axis=1, keepdims=True)");
  }
  // Nobody knows the words of another module, nor NumPy's for `dim`.
  CHECK(line("xp.sum(x, axis=1)", CodeSystem::kPyTorch) ==
        "xp.sum(x, axis=1).unsqueeze(1)");
  CHECK(line("x.mean(dim=1)", CodeSystem::kNumPy) == "x.mean(dim=1)[:, None]");
}

TEST_CASE("code: expressions are bracketed where precedence needs it") {
  const auto line = [](std::string_view name, CodeSystem system) {
    return Case{
        {5, 4}, {5}, RepairKind::kInsertAxis, {5, 1}, {1}, {"", name}}(system);
  };
  CHECK(line("a - c", CodeSystem::kNumPy) == "(a - c)[:, None]");
  CHECK(line("-c", CodeSystem::kPyTorch) == "(-c).unsqueeze(1)");
  CHECK(line("not c", CodeSystem::kPyTorch) == "(not c).unsqueeze(1)");
  CHECK(line("a - c", CodeSystem::kOpenVino) == "ops.unsqueeze(a - c, [1])");
  CHECK(line("c[0, ..., ::2]", CodeSystem::kNumPy) ==
        "c[0, ..., ::2][:, None]");
  CHECK(line("c[:, 0]", CodeSystem::kNumPy) == "c[:, 0][:, None]");
  CHECK(line("df['x'].values", CodeSystem::kNumPy) ==
        "df['x'].values[:, None]");
  CHECK(line("(c + 1)", CodeSystem::kNumPy) == "(c + 1)[:, None]");
  CHECK(line("  c ", CodeSystem::kNumPy) == "c[:, None]");
  CHECK(line("(c if d else e)", CodeSystem::kNumPy) ==
        "(c if d else e)[:, None]");
  CHECK(line("c if d else e if f else g", CodeSystem::kNumPy) ==
        "(c if d else e if f else g)[:, None]");
  CHECK(line("f(c if d else e, 1)", CodeSystem::kPyTorch) ==
        "f(c if d else e, 1).unsqueeze(1)");
  CHECK(line("c if d else e", CodeSystem::kOpenVino) ==
        "ops.unsqueeze(c if d else e, [1])");
  CHECK(line("c.data", CodeSystem::kBroadloomJs) ==
        "{ ...c.data, shape: [5, 1] }");
}

TEST_CASE("code: texts that may not be copied become variables") {
  const auto line = [](std::string_view name) {
    return Case{{5, 4}, {5}, RepairKind::kInsertAxis, {5, 1}, {1}, {"a", name}}(
        CodeSystem::kNumPy);
  };
  CHECK(line("attention mask") == "attention_mask[:, None]");
  CHECK(line("c d") == "c_d[:, None]");
  // Code becomes the operand's letter: c_1 would look like one of its names.
  for (const std::string_view code :
       {"\"); import os #", "c\nimport os", "c; d", "<b>", "lambda: 1",
        "c := 1", "c # ", "(c if d) else e", "f(c if d, 1)", "c[d if e:f]",
        "[c for c in d]", "f'{c}'"}) {
    INFO(code);
    CHECK(line(code) == "b[:, None]");
  }
  for (const std::string_view broken :
       {"c,",    "(c",    "c)",       "c]",           "c +", "c d",   "c..d",
        "f(=1)", "x = 1", "()",       "c[",           "\"a", "'a\\'", "f'{c}'",
        "{c}",   "c`",    "c$",       "1.e",          "1a",  "c ? d", "*c",
        "c\\",   "c//d;", "\xC3\xA9", "c\xE2\x80\xAE"}) {
    const std::string text = line(broken);
    INFO(broken << " " << text);
    CHECK(text.ends_with("[:, None]"));
    CHECK(text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") ==
          text.size() - 9);
  }
  // A variable is no word of an expression that is copied.
  const Case both{{5, 4}, {5}, RepairKind::kInsertAxis,
                  {5, 1}, {1}, {"b + d", "c;"}};
  CHECK(both(CodeSystem::kNumPy) == "x1[:, None]");
  // Long and deep ones end as well.
  CHECK(line(std::string(100000, '(')) == "b[:, None]");
  CHECK(line("f" + std::string(99, '(') + std::string(99, ')')) ==
        "b[:, None]");
  CHECK(line(std::string(1000, 'c')) == "x1[:, None]");
}

TEST_CASE("code: changes of rule, target and order") {
  const Numbers a{2, 3, 4};
  const Numbers b{3};
  const ShapeView shapes[] = {a, b};
  Arena arena;
  const auto line = [&](const BroadcastRequest& request, const Repair& repair,
                        CodeSystem system) {
    const Result<std::string_view> text =
        RepairCode(request, repair, {}, system, arena);
    REQUIRE(text);
    return *text;
  };
  const BroadcastRequest request{.operands = shapes};
  const Repair pdpd{
      .kind = RepairKind::kChangeRule, .rule = Rule::kPdpd, .axis = 1};
  CHECK(line(request, pdpd, CodeSystem::kNumPy) == "a, b[:, None]");
  CHECK(line(request, pdpd, CodeSystem::kPyTorch) == "a, b.unsqueeze(1)");
  CHECK(line(request, pdpd, CodeSystem::kBroadloomJs) ==
        "a, b, { rule: 'pdpd', axis: 1 }");
  CHECK(line(request, pdpd, CodeSystem::kBroadloomCpp) ==
        "{.rule = Rule::kPdpd, .axis = 1}");
  const Numbers row{3};
  const ShapeView data[] = {row};
  const Numbers target{2, 3};
  const Numbers wrong{2, 4};
  const ShapeView own_shape(target);
  const Numbers column{2, 1};
  const ShapeView stretched[] = {target, column};
  const BroadcastRequest expand{
      .rule = Rule::kBroadcastNumpy, .operands = data, .target_shape = wrong};
  const Repair to{.kind = RepairKind::kChangeTarget,
                  .operand = kTargetOperand,
                  .shape = target,
                  .rule = Rule::kBroadcastNumpy,
                  .result = target};
  CHECK(line(expand, to, CodeSystem::kNumPy) == "np.broadcast_to(a, (2, 3))");
  CHECK(line(expand, to, CodeSystem::kOpenVino) == "ops.broadcast(a, [2, 3])");
  CHECK(line(expand, to, CodeSystem::kBroadloomJs) ==
        "bl.broadcast(a, { targetShape: [2, 3] })");
  CHECK(line(expand, to, CodeSystem::kBroadloomCpp) ==
        "{.rule = Rule::kBroadcastNumpy, .target_shape = Extents{2, 3}}");
  // To the shape that the operand has: no line, since it would change nothing.
  const BroadcastRequest same{.rule = Rule::kBroadcastNumpy,
                              .operands = {&own_shape, 1},
                              .target_shape = wrong};
  const Repair rule{.kind = RepairKind::kChangeRule, .rule = Rule::kNumpy};
  const BroadcastRequest equal{.rule = Rule::kNone, .operands = stretched};
  for (const CodeSystemInfo& info : AllCodeSystems()) {
    CHECK(line(same, to, info.system).empty());
    const bool names_rule = info.system == CodeSystem::kBroadloomJs ||
                            info.system == CodeSystem::kBroadloomCpp;
    CHECK(line(equal, rule, info.system).empty() == !names_rule);
  }
  const ShapeView other[] = {row, target};
  const Repair swap{.kind = RepairKind::kSwapOperands,
                    .rule = Rule::kOnnxUnidirectional};
  const BroadcastRequest first{.rule = Rule::kOnnxUnidirectional,
                               .operands = other};
  CHECK(line(first, swap, CodeSystem::kOnnx) == "[\"b\", \"a\"]");
  CHECK(line(first, swap, CodeSystem::kNumPy) == "b, a");
}

TEST_CASE("code: bad repairs and refused memory are errors") {
  const Case good{{5, 4}, {5}, RepairKind::kInsertAxis, {5, 1}, {1}};
  Case names = good;
  names.names = {"a"};
  Arena arena;
  CHECK(names.Line(CodeSystem::kNumPy, arena).error().error_class ==
        ErrorClass::kArity);
  CHECK(good.Line(static_cast<CodeSystem>(99), arena).error().error_class ==
        ErrorClass::kUnknown);
  size_t left = 0;
  const Allocator refusing{
      [](void* context, size_t bytes, size_t alignment) -> void* {
        size_t& some = *static_cast<size_t*>(context);
        if (some == 0) return nullptr;
        --some;
        return std::aligned_alloc(alignment, bytes);
      },
      [](void*, void* memory, size_t, size_t) { std::free(memory); }, &left};
  bool is_written = false;
  for (size_t most = 0; most < 9 && !is_written; ++most) {
    left = most;
    Arena small(refusing);
    const Result<std::string_view> line = good.Line(CodeSystem::kOnnx, small);
    is_written = line.has_value();
    if (!line) CHECK(line.error().error_class == ErrorClass::kAllocation);
  }
  CHECK(is_written);
}

}  // namespace
}  // namespace broadloom
