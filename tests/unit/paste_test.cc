// Error texts of systems, source lines, and bad input. The texts that systems
// printed are replayed by tests/explanations/pasted.test.mjs.

#include "broadloom/explain/paste.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "broadloom/explain/arena.h"
#include "broadloom/explain/repair.h"
#include "catch2/catch_test_macros.hpp"
#include "paste/formats.h"
#include "paste/plain.h"
#include "paste/read.h"

namespace {

using namespace broadloom;

struct Answer {
  bool found = false;
  std::string system, rule, operation, source;
  std::vector<std::string> roles, shapes, expressions, sizes;
  std::vector<std::string> notes;
  int64_t axis = 0;
  PastedAxis counts = PastedAxis::kNoAxis;
  bool lacks_shapes = false;
  bool is_asked = false;
  std::string kind, message;  // of what is no broadcast
};

std::string TextOf(const SymbolicExtent& extent) {
  if (extent.is_known()) return std::to_string(extent.least);
  return extent.name.empty() ? "?" : std::string(extent.name);
}

Answer Read(std::string_view text) {
  Arena arena;
  const auto read = ReadPasted(text, arena);
  REQUIRE(read);
  Answer answer;
  if (!*read) return answer;
  const Pasted& pasted = **read;
  answer.found = true;
  answer.system = pasted.system;
  answer.rule = pasted.rule ? Info(*pasted.rule).name : pasted.other_rule;
  answer.operation = pasted.op ? Info(*pasted.op).name : "";
  answer.source = pasted.source_line;
  answer.axis = pasted.axis;
  answer.counts = pasted.axis_counts;
  answer.lacks_shapes = pasted.lacks_shapes;
  answer.is_asked = pasted.question.has_value();
  if (pasted.no_broadcast) {
    answer.kind = pasted.no_broadcast->kind;
    answer.message = pasted.no_broadcast->message;
  }
  for (const auto& extent : pasted.sizes) {
    answer.sizes.push_back(TextOf(extent));
  }
  for (const std::string_view note : pasted.notes) {
    answer.notes.emplace_back(note);
  }
  for (const PastedShape& shape : pasted.shapes) {
    answer.roles.emplace_back(Name(shape.role));
    answer.expressions.emplace_back(shape.expression);
    std::string extents;
    for (const auto& extent : shape.read.shape.extents) {
      extents += (extents.empty() ? "" : ",") + TextOf(extent);
    }
    answer.shapes.push_back(extents);
    const auto [begin, end] = shape.read.span;
    REQUIRE(begin <= end);
    REQUIRE(end <= text.size());
    // Other characters may stand for those of the expression.
    const bool is_ascii = std::ranges::all_of(
        text, [](char c) { return IsBlank(c) || (c >= ' ' && c < 0x7f); });
    if (!shape.expression.empty() && is_ascii) {
      const auto [from, to] = shape.expression_span;
      CHECK(text.substr(from, to - from) == shape.expression);
    }
  }
  return answer;
}

using Texts = std::vector<std::string>;

// What follows an expression that failed.
std::string Failed(const std::string& before, const std::string& shapes) {
  return before +
         "\nValueError: operands could not be broadcast together with shapes " +
         shapes + " \n";
}

TEST_CASE("paste: a message, a traceback, a notebook's cell") {
  const std::string message = Failed("", "(8,3) (8,)");
  const std::string traceback = Failed(
      "Traceback (most recent call last):\n"
      "  File \"work/train.py\", line 7, in <module>\n    centre(x)\n"
      "  File \"work/train.py\", line 3, in centre\n"
      "    return x - x.mean(axis=1)\n           ~~^~~~~~~~~~~~~~~~",
      "(8,3) (8,)");
  const std::string notebook = Failed(
      "---------------------------------------------------------------------\n"
      "ValueError                                Traceback (most recent call "
      "last)\nCell In[3], line 2\n      1 x = np.ones((8, 3))\n"
      "----> 2 x - x.mean(axis=1)\n",
      "(8,3) (8,)");
  const std::string pytest =
      "    def test_centre():\n>       x - x.mean(axis=1)\n"
      "E       ValueError: operands could not be broadcast together with\n"
      "E       shapes (8,3) (8,)\n\ntest_x.py:3: ValueError\n";
  for (const std::string& text : {message, traceback, notebook, pytest}) {
    INFO(text);
    const Answer answer = Read(text);
    CHECK(answer.system == "numpy");
    CHECK(answer.rule == "numpy");
    CHECK(answer.shapes == Texts{"8,3", "8"});
    if (text != message) {
      CHECK(answer.expressions == Texts{"x", "x.mean(axis=1)"});
    }
  }
}

TEST_CASE("paste: the user's frame, not the library's") {
  const Answer answer = Read(Failed(
      "  File \"work/a.py\", line 7, in f\n    np.clip(x, y, 9)\n"
      "  File \"/usr/lib/python3/site-packages/numpy/x.py\", line 3, in clip\n"
      "    return um.clip(a, low, high, out=out)",
      "(8,3) (8,) ()"));
  CHECK(answer.source == "np.clip(x, y, 9)");
  CHECK(answer.expressions == Texts{"x", "y", "9"});
  CHECK(answer.roles == Texts{"operand", "operand", "operand"});
}

TEST_CASE("paste: operands of a source line") {
  struct Case {
    std::string line;
    Texts expressions;
  };
  const std::vector<Case> cases = {
      {"x - x.mean(axis=1)", {"x", "x.mean(axis=1)"}},
      {"y = x * w  # scale", {"x", "w"}},
      {"return a[i + 1] / b[:, None]", {"a[i + 1]", "b[:, None]"}},
      {"print(a + f(b, c))", {"a", "f(b, c)"}},
      {"loss = torch.mean((a - b).abs())", {"a", "b"}},
      {"np.add(a, g(b))", {"a", "g(b)"}},
      {"a.add(b)", {"a", "b"}},
      {"f(x).mul(y)", {"f(x)", "y"}},
      {"const r = tf.add(a, b);", {"a", "b"}},
      {"if a == b:", {"a", "b"}},
      {"z = -a + b", {"-a", "b"}},
      {"z = a ** -b", {"a", "-b"}},
      {"z = 'x + y' + z", {"'x + y'", "z"}},
      {"z = f(a, axis=-1) * 1e-3", {"f(a, axis=-1)", "1e-3"}},
      // More than one operator: no guess.
      {"z = a * b + c", {"", ""}},
      {"z = g()", {"", ""}},
  };
  for (const auto& [line, expressions] : cases) {
    INFO(line);
    CHECK(Read(Failed("    " + line, "(8,3) (8,)")).expressions == expressions);
  }
  // ^ says which of several operators it is.
  CHECK(Read(Failed("  File \"a.py\", line 1, in f\n    z = a * b + c\n"
                    "        ~~^~~",
                    "(8,3) (8,)"))
            .expressions == Texts{"a", "b"});
  // Python's columns are characters.
  CHECK(Read(Failed("  File \"a.py\", line 1, in f\n"
                    "    \xce\xb2 = \xce\xb1 * b + c\n"
                    "        ~~^~~",
                    "(8,3) (8,)"))
            .expressions == Texts{"\xce\xb1", "b"});
  // So does the operator's name.
  CHECK(Read("    z = a * b + c\nTypeError: mul got incompatible shapes for "
             "broadcasting: (2, 3), (2, 4).")
            .expressions == Texts{"a", "b"});
}

TEST_CASE("paste: NumPy prints the output as one more shape") {
  const Texts in_place = {"operand", "operand", "output"};
  const Texts three = {"operand", "operand", "operand"};
  CHECK(Read(Failed("", "(2,3) (2,) (2,3)")).roles == in_place);
  CHECK(Read(Failed("", "(2,3) (2,) (4,)")).roles == three);
  const Answer add = Read(Failed("    x += y", "(2,3) (2,) (2,3)"));
  CHECK(add.roles == in_place);
  CHECK(add.expressions == Texts{"x", "y", "x"});
  const Answer out =
      Read(Failed("    np.add(x, y, out=z)", "(8,3) (8,) (8,2)"));
  CHECK(out.roles == in_place);
  CHECK(out.expressions == Texts{"x", "y", "z"});
  CHECK(Read(Failed("    np.where(c, x, y)", "(8,3) (8,) (8,3)")).roles ==
        three);
}

TEST_CASE("paste: the operator of the source line") {
  struct Case {
    std::string line;
    std::string op;
  };
  const std::vector<Case> cases = {
      {"y = x - m", "Sub"},
      {"x -= m", "Sub"},
      {"x **= m", "Pow"},
      {"np.subtract(x, m)", "Sub"},
      {"x.mul(m)", "Mul"},
      {"x.add_(m)", "Add"},
      {"if x == m:", "Equal"},
      {"z = x ^ m", "BitwiseXor"},
      {"z = x & m", "BitwiseAnd"},
      {"z = a + b + c", "Add"},
      {"z = a * b + c", ""},
      {"z = x @ m", ""},
      {"z = x // m", ""},
      {"z = np.sum(x, m)", ""},
      {"z = torch.maximum(x, m)", "Max"},
  };
  for (const auto& [line, op] : cases) {
    INFO(line);
    CHECK(Read(Failed("    " + line, "(8,3) (8,) (8,3)")).operation == op);
  }
  // The message knows better than the line.
  CHECK(Read("    z = x - y\nTypeError: mul got incompatible shapes for "
             "broadcasting: (2, 3), (2, 4).")
            .operation == "Mul");
  // ^ is a power there, * a product of matrices.
  const std::string octave =
      "error: f: nonconformant arguments (op1 is 1x2, op2 is 1x3)\n";
  const std::string matlab =
      "Arrays have incompatible sizes for this operation.\n\nError in f (line "
      "2)\n";
  CHECK(Read(matlab + "z = x.^y;\n").operation == "Pow");
  CHECK(Read(matlab + "z = x.*y;\n").expressions == Texts{"x", "y"});
  CHECK(Read(matlab + "z = x*y;\n").operation == "");
  CHECK(Read(octave).operation == "");
}

struct Question {
  std::string rule;
  std::vector<uint32_t> operands;
  int target = -1;
  bool is_symbolic = false, writes = false, keeps = false;

  bool operator==(const Question&) const = default;
};

std::optional<Question> QuestionOf(std::string_view text) {
  Arena arena;
  const auto read = ReadPasted(text, arena);
  REQUIRE(*read);
  const auto& asked = (**read).question;
  if (!asked) return std::nullopt;
  return Question{std::string(Info(asked->rule).name),
                  {asked->operands.begin(), asked->operands.end()},
                  asked->target ? static_cast<int>(*asked->target) : -1,
                  asked->is_symbolic,
                  asked->writes_to_target,
                  asked->keeps_rule};
}

TEST_CASE("paste: the question of a text") {
  CHECK(QuestionOf(Failed("    x - y", "(8,3) (8,)")) ==
        Question{"numpy", {0, 1}, -1, false, false, true});
  // In place, the left operand is the target: it cannot grow.
  for (const std::string_view line : {"x -= y", "x += y", ""}) {
    CHECK(QuestionOf(Failed("    " + std::string(line), "(8,3) (8,) (8,3)")) ==
          Question{"broadcast_numpy", {1}, 2, false, true, true});
  }
  // out= has to fit as well.
  CHECK(QuestionOf(Failed("    np.add(x, y, out=z)", "(8,3) (8,1) (8,2)")) ==
        Question{"numpy", {0, 1, 2}, -1, false, false, true});
  CHECK(QuestionOf("ValueError: non-broadcastable output operand with shape "
                   "(3,1) doesn't match the broadcast shape (3,5)") ==
        Question{"broadcast_numpy", {1}, 0, false, true, true});
  CHECK(QuestionOf("could not broadcast input array from shape (3,5) into "
                   "shape (3,4)") ==
        Question{"broadcast_numpy", {0}, 1, false, true, true});
  CHECK(QuestionOf("The expanded size of the tensor (5) must match the "
                   "existing size (4) at non-singleton dimension 1. Target "
                   "sizes: [4, 5]. Tensor sizes: [4]") ==
        Question{"broadcast_numpy", {1}, 0, false, false, true});
  CHECK(QuestionOf("Operands could not be broadcast together with shapes "
                   "(None, 32, 10) (None, 10, 10)") ==
        Question{"numpy", {0, 1}, -1, true, false, true});
  CHECK(QuestionOf("Check 'TRShape::broadcast_merge_into(output_shape, x)' "
                   "failed: While validating node 'opset1::Add n "
                   "(a[0]:f32[8,3], b[0]:f32[8]) -> ()'") ==
        Question{"numpy", {0, 1}, -1, false, false, false});
  for (const std::string_view text :
       {"The size of tensor a (3) must match the size of tensor b (8) at "
        "non-singleton dimension 1",
        "error: operator +: nonconformant arguments (op1 is 1x2, op2 is 1x3)",
        "Error in x + y : non-conformable arrays"}) {
    CHECK(QuestionOf(text) == std::nullopt);
  }
  // JAX and TensorFlow read x -= y as x = x - y.
  Arena arena;
  const auto jax = ReadPasted(
      "    x -= y\nTypeError: sub got incompatible shapes for broadcasting: "
      "(8, 3), (8,).",
      arena);
  CHECK_FALSE((**jax).is_in_place);
  CHECK((**jax).question->rule == Rule::kNumpy);
}

TEST_CASE("paste: logs, mails, HTML, and strings of JSON") {
  const std::string traceback =
      "Traceback (most recent call last):\n"
      "  File \"/home/a.py\", line 3, in f\n"
      "    return x - y\n"
      "ValueError: operands could not be broadcast together with shapes (8,3) "
      "(8,) \n";
  const auto each_line = [&](std::string_view prefix) {
    std::string text(prefix);
    for (const char c : traceback) {
      text += c;
      if (c == '\n') text += prefix;
    }
    return text;
  };
  const auto replaced = [&](std::string_view what, std::string_view by) {
    std::string text = traceback;
    for (size_t at = 0; (at = text.find(what, at)) != std::string::npos;
         at += by.size()) {
      text.replace(at, what.size(), by);
    }
    return text;
  };
  std::string json = "{\"error\": \"";
  for (const char c : traceback) {
    json += c == '\n' ? "\\n" : c == '"' ? "\\\"" : std::string(1, c);
  }
  json += "\"}";
  for (const std::string& text :
       {traceback, each_line("[rank12]: "), each_line("> "),
        each_line("web_1  | "), each_line("2026-01-31T12:00:00.1234567Z "),
        each_line("[2026-01-31 12:00:00,123] "),
        each_line("trainer-0  | 2026-01-31 12:00:00+00:00 [rank0]: "),
        replaced("\n", "\r\n"), replaced("\"", "&quot;"),
        replaced("x - y", "x \x1b[31m-\x1b[0m y"),
        replaced("(8,3)", "<b>(8,3)</b>"), json,
        replaced("together", "toge\nther")}) {
    INFO(text);
    const Answer answer = Read(text);
    CHECK(answer.system == "numpy");
    CHECK(answer.shapes == Texts{"8,3", "8"});
    CHECK(answer.expressions == Texts{"x", "y"});
    CHECK(answer.operation == "Sub");
  }
}

TEST_CASE("paste: the same words of different systems") {
  const std::string words =
      "operands could not be broadcast together with shapes ";
  CHECK(Read(words + "(2,3) (2,)").system == "numpy");
  CHECK(Read(words + "(2, 3) (2,)").system == "dask");
  CHECK(Read("cupy/_core/internal.pyx\n" + words + "(2, 3) (2,)").system ==
        "cupy");
  CHECK(Read("operands could not be broadcast together with shapes(2, 3) (2,)")
            .system == "cupy");
  CHECK(Read(words + "(2, 3), (2,)").system == "sparse");
  CHECK(Read(words + "[2,3] [2]").system == "numpy-ts");
  CHECK(Read(words + "(2,3) (2)").system == "numpy-ts");
  CHECK(Read("Operands could not be broadcast together with shapes 2,3 and .")
            .shapes == Texts{"2,3", ""});
  CHECK(Read(words + "(nan,) (3,)").shapes == Texts{"?", "3"});
}

TEST_CASE("paste: rules that are not NumPy's") {
  const auto says = [](std::string_view text, std::string_view rule,
                       std::string_view word) {
    const Answer answer = Read(text);
    CHECK(answer.rule == rule);
    CHECK(std::ranges::any_of(answer.notes, [&](const std::string& note) {
      return note.find(word) != std::string::npos;
    }));
  };
  says("error: operator +: nonconformant arguments (op1 is 1x2, op2 is 1x3)",
       "left_aligned", "left");
  says(
      "ERROR: DimensionMismatch: arrays could not be broadcast to a common "
      "size; got a dimension with lengths 2 and 3",
      "left_aligned", "left");
  says("Error in x + y : non-conformable arrays", "recycled", "recycles");
  says(
      "ValueError: operands cannot be broadcast together with mismatched "
      "lengths for dimension 'x': (3, 4)",
      "by_name", "names");
}

TEST_CASE("paste: what is no broadcast is said to be none") {
  const auto is = [](std::string_view text, std::string_view system,
                     std::string_view kind) {
    INFO(text);
    const Answer answer = Read(text);
    CHECK(answer.system == system);
    CHECK(answer.kind == kind);
    CHECK(answer.rule == kind);
    // One sentence.
    CHECK(answer.message.ends_with('.'));
    CHECK(answer.message.find(". ") == std::string::npos);
    CHECK_FALSE(answer.is_asked);
    CHECK_FALSE(answer.lacks_shapes);
  };
  is("ValueError: cannot reshape array of size 12 into shape (5,3)", "numpy",
     "reshape");
  is("RuntimeError: shape '[5, 3]' is invalid for input of size 12", "pytorch",
     "reshape");
  is("ValueError: Input 0 of layer \"dense\" is incompatible with the layer: "
     "expected axis -1 of input shape to have value 8, but received input with "
     "shape (None, 7)",
     "keras", "layer");
  is("TypeError: foo() takes 2 positional arguments but 3 were given", "python",
     "call");
  is("TypeError: foo() takes 2 positional arguments", "python", "call");
  is("ValueError: all the input array dimensions except for the concatenation "
     "axis must match exactly, but along dimension 1, the array at index 0 has "
     "size 3 and the array at index 1 has size 4",
     "numpy", "concatenate");
  is("ValueError: matmul: Input operand 1 has a mismatch in its core dimension "
     "0, with gufunc signature (n?,k),(k,m?)->(n?,m?) (size 4 is different "
     "from 3)",
     "numpy", "core dimensions");
  is("ValueError: shapes (2,3) and (4,5) not aligned: 3 (dim 1) != 4 (dim 0)",
     "numpy", "matmul");
  is("ValueError: einstein sum subscripts string contains too many subscripts "
     "for operand 0",
     "numpy", "einsum");
  is("IndexError: index 5 is out of bounds for axis 0 with size 3", "numpy",
     "index");
  is("RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)",
     "pytorch", "matmul");
  // Systems that are not known.
  is("Foo: cannot reshape shapes (2,3) to (4,)", "unknown", "reshape");
  is("FooError: concatenating shapes [2,3] and [4,5]", "unknown",
     "concatenate");
}

TEST_CASE("paste: every kind in the table has a sentence, or is a rule") {
  const std::vector<std::string_view> others = {"left_aligned", "recycled",
                                                "by_name", "nested", "unknown"};
  for (const Format& format : AllFormats()) {
    INFO(format.id << " " << format.rule);
    CHECK((FindRule(format.rule) || !MessageOfKind(format.rule).empty() ||
           std::ranges::find(others, format.rule) != others.end()));
  }
}

TEST_CASE("paste: shapes beside two extents") {
  const std::string error =
      "RuntimeError: The size of tensor a (64) must match the size of tensor b "
      "(128) at non-singleton dimension 3\n";
  const Texts shapes = {"2,8,16,64", "2,8,16,128"};
  for (const std::string& text :
       {"a.shape = (2, 8, 16, 64)\nb.shape = (2, 8, 16, 128)\n" + error,
        "torch.Size([2, 8, 16, 128])\ntorch.Size([2, 8, 16, 64])\n" + error,
        error + ">>> print(a.shape, b.shape)\n"
                "torch.Size([2, 8, 16, 64]) torch.Size([2, 8, 16, 128])",
        // Others are not meant.
        "x.shape (64, 128)\na.shape (2, 8, 16, 64) b.shape (2, 8, 16, 128)\n"
        "y.shape (7,)\n" +
            error}) {
    INFO(text);
    const Answer answer = Read(text);
    CHECK(answer.system == "pytorch");
    CHECK(answer.shapes == shapes);
    CHECK(answer.sizes == Texts{"64", "128"});
    CHECK_FALSE(answer.lacks_shapes);
    CHECK(answer.is_asked);
  }
  // The nearest of several; the expressions are those of the line.
  const Answer nearest = Read(
      "a.shape (9, 3)\na.shape (2, 3)\nb.shape (4,)\n    a + b\n"
      "RuntimeError: The size of tensor a (3) must match the size of tensor b "
      "(4) at non-singleton dimension 1");
  CHECK(nearest.shapes == Texts{"2,3", "4"});
  CHECK(nearest.expressions == Texts{"a", "b"});
  // Shapes that do not have the extents on the axis, or are those of a call.
  for (const std::string& text :
       {"a.shape = (2, 64)\nb.shape = (2, 128)\n" + error,
        "a.shape = (2, 8, 16, 64)\n" + error,
        "x = ones(2, 8, 16, 64)\ny = ones([2, 8, 16, 128])\n" + error}) {
    INFO(text);
    CHECK(Read(text).lacks_shapes);
    CHECK_FALSE(Read(text).is_asked);
  }
  // Without extents, there have to be two shapes in all.
  const std::string bare = "required broadcastable shapes [Op:Mul]\n";
  CHECK(Read(bare + "a.shape (2, 3)\nb.shape (4,)").shapes ==
        Texts{"2,3", "4"});
  CHECK(Read(bare + "a.shape (2, 3)\nb.shape (4,)\nc.shape (5,)").lacks_shapes);
  CHECK(Read(bare + "a.shape (2, 3)\nb.shape (3,)").lacks_shapes);
}

TEST_CASE(
    "paste: the sum of Julia's arrays, which is no broadcast from the right") {
  for (const std::string_view dims :
       {"a has dims (Base.OneTo(3), Base.OneTo(4)), b has dims "
        "(Base.OneTo(3),), mismatch at 2",
        "a has size (3, 4), b has size (3,), mismatch at dim 2"}) {
    const Answer answer =
        Read("DimensionMismatch: dimensions must match: " + std::string(dims));
    CHECK(answer.system == "julia");
    CHECK(answer.rule == "none");
    CHECK(answer.shapes == Texts{"3,4", "3"});
    REQUIRE_FALSE(answer.notes.empty());
    CHECK(answer.notes[0].find("at the left") != std::string::npos);
  }
  CHECK(Read("DimensionMismatch: arrays could not be broadcast to a common "
             "size; got a dimension with lengths 3 and 4")
            .rule == "left_aligned");
}

TEST_CASE("paste: the repairs of use to whoever saw a text") {
  const Repair repairs[] = {
      {.kind = RepairKind::kChangeTarget, .rule = Rule::kBroadcastNumpy},
      {.kind = RepairKind::kChangeRule, .rule = Rule::kPdpd},
      {.kind = RepairKind::kInsertAxis, .rule = Rule::kBroadcastNumpy}};
  // The places of those that are left, and of those that need a new array.
  const auto of = [&](PastedQuestion question) {
    Arena arena;
    std::string text;
    for (const auto& [repair, needs_new_array] :
         UsefulRepairs(question, Rule::kBroadcastNumpy, repairs, arena)) {
      text += std::to_string(repair - repairs) + (needs_new_array ? "!" : "");
    }
    return text;
  };
  CHECK(of({}) == "021");
  CHECK(of({.keeps_rule = true}) == "02");
  CHECK(of({.writes_to_target = true, .writes_operand = true}) == "20!");
  // The text has only what the operands make together.
  CHECK(of({.writes_to_target = true}) == "0!2");
}

TEST_CASE("paste: what a text lacks") {
  const Answer answer = Read(
      "RuntimeError: The size of tensor a (16) must match the size of tensor b "
      "(10) at non-singleton dimension 1");
  CHECK(answer.lacks_shapes);
  CHECK(answer.sizes == Texts{"16", "10"});
  CHECK(answer.axis == 1);
  CHECK(answer.counts == PastedAxis::kFromLeftInResult);
  CHECK_FALSE(Read("[broadcast_shapes] Shapes (2,3) and (2) cannot be "
                   "broadcast.")
                  .lacks_shapes);
  CHECK(Read("[ShapeInferenceError] Incompatible dimensions").lacks_shapes);
}

TEST_CASE("paste: the axis of the rule pdpd") {
  Arena arena;
  const auto read = ReadPasted(
      "Operands could not be broadcast together with the shape of X = [4, 3] "
      "and the shape of Y = [4] and axis of 1. Min dimension",
      arena);
  REQUIRE(*read);
  CHECK((**read).rule == Rule::kPdpd);
  CHECK((**read).rule_axis == 1);
}

TEST_CASE("paste: prose before a message is no source line") {
  const Answer answer = Read(
      "InvalidArgumentError: Exception encountered when calling layer 'add' "
      "(type TFOpLambda).\n\n{{function_node __wrapped__AddV2}} required "
      "broadcastable shapes [Op:AddV2] name: \n\nCall arguments received by "
      "layer 'add' (type TFOpLambda):\n"
      "  * x=tf.Tensor(shape=(2, 5, 4), dtype=float32)\n"
      "  * y=tf.Tensor(shape=(2, 3, 4), dtype=float32)\n");
  CHECK(answer.system == "tensorflow");
  CHECK(answer.shapes == Texts{"2,5,4", "2,3,4"});
  CHECK(answer.expressions == Texts{"", ""});
}

TEST_CASE("paste: the last error with shapes counts") {
  const std::string text = Failed("", "(1,2) (3,4)") +
                           "\nDuring handling of the above exception, another "
                           "exception occurred:\n" +
                           Failed("", "(5,6) (7,8)");
  CHECK(Read(text).shapes == Texts{"5,6", "7,8"});
}

TEST_CASE("paste: of a chain of exceptions the last one counts") {
  const std::string chained =
      "\nDuring handling of the above exception, another exception "
      "occurred:\n\nTraceback (most recent call last):\n";
  const std::string torch =
      "RuntimeError: The size of tensor a (3) must match the size of tensor b "
      "(8) at non-singleton dimension 1\n";
  const Answer last = Read(Failed("", "(1,2) (3,4)") + chained + torch);
  CHECK(last.system == "pytorch");
  CHECK(last.sizes == Texts{"3", "8"});
  // What follows is no error that is known.
  CHECK(Read(Failed("", "(1,2) (3,4)") + chained + "KeyError: 'a'\n").shapes ==
        Texts{"1,2", "3,4"});
  // The frames of the first one are not those of the last.
  CHECK(Read("Traceback (most recent call last):\n  File \"a.py\", line 1, in "
             "f\n    a - b\n" +
             Failed("", "(1,2) (3,4)") + chained +
             "  File \"a.py\", line 2, in g\n    c + d\n" + torch)
            .source == "c + d");
}

TEST_CASE("paste: shapes of an unknown system") {
  const Answer answer = Read("Foo: shape mismatch between (2, 3) and [4, 3]!");
  CHECK(answer.system == "unknown");
  CHECK(answer.shapes == Texts{"2,3", "4,3"});
  CHECK(answer.notes ==
        Texts{"The system is not recognised, so the shapes are judged by "
              "NumPy's rule."});
  // Other notations, and lines of a shape each.
  const Texts shapes = {"2,3", "4,3"};
  for (const std::string_view text :
       {"Foo: the shapes 2x3 and 4x3 do not match",
        "bad shapes {2,3} and {4,3}", "shape mismatch: f32[2,3] and f32[4,3]",
        "tensor<2x3xf32> has another shape than tensor<4x3xf32>",
        "FooError: different shapes\n expected: [2, 3]\n got: [4, 3]\n"}) {
    INFO(text);
    CHECK(Read(text).system == "unknown");
    CHECK(Read(text).shapes == shapes);
  }
  CHECK(Read("shapes (N,3) and (N,) are incompatible").shapes ==
        Texts{"N,3", "N"});
  // A cut-out of OpenVINO's text.
  CHECK(Read("While validating node 'v1::Add n (a[0]:f32[8,3], b[0]:f32[8]) -> "
             "(dynamic)' with friendly_name 'n': Argument shapes are "
             "inconsistent.")
            .system == "openvino");
  // Ports and subscripts are no shapes; types are.
  CHECK(Read("bad shape of a[0]:f32[8,3] and b[1]:f32[8]").shapes ==
        Texts{"8,3", "8"});
}

TEST_CASE("paste: texts wrapped, coloured, quoted and in full width") {
  const Texts shapes = {"8,3", "8"};
  CHECK(Read("ValueError: operands could not be\nbroadcast together\r\n with "
             "shapes (8,3)\n(8,)")
            .shapes == shapes);
  CHECK(Read("\x1b[0;31mValueError\x1b[0m: operands could not be broadcast "
             "together with shapes \x1b[1m(8,3)\x1b[0m (8,) ")
            .shapes == shapes);
  CHECK(Read("> ValueError: operands could not be broadcast together with\n"
             "> shapes (8,3) (8,)")
            .shapes == shapes);
  CHECK(Read("operands could not be broadcast\xc2\xa0together with shapes "
             "\xef\xbc\x88"
             "8,3\xef\xbc\x89 (8,)")
            .shapes == shapes);
}

TEST_CASE("paste: characters without an ASCII form") {
  Arena arena;
  const auto extents = [&](std::string_view text) {
    std::string all;
    const auto read = ReadShapes(text, arena);
    if (!read) return std::string("error");
    for (const ShapeInText& shape : *read) {
      for (const SymbolicExtent& extent : shape.shape.extents) {
        all += extent.is_known() ? std::to_string(extent.least)
                                 : std::string(extent.name);
        all += ' ';
      }
    }
    return all;
  };
  // Marks that turn the direction of a text have no width.
  for (const std::string_view mark :
       {"\u202e", "\u202a", "\u2066", "\u2069", "\u061c", "\u200f"}) {
    CHECK(extents(std::string(mark) + "(2,3)") == "2 3 ");
  }
  // Arabic and Persian digits.
  CHECK(extents("\u0662,\u0663") == "2 3 ");
  CHECK(extents("(\u06f1\u06f0, \u0669)") == "10 9 ");
  CHECK(extents("(2, \u05e9)") == "2 \u05e9 ");
  // U+FFFD is what is left of bytes that are no text.
  CHECK(extents("\ufffd(2,3)") == "error");
}

TEST_CASE("paste: a text without an error has no shapes") {
  for (const std::string_view text :
       {"", " ", "hello", "ValueError: invalid literal for int()",
        "the size of tensor a", "operands could not be broadcast",
        "operands could not be broadcast together with shapes",
        "operands could not be broadcast together with shapes (2,"}) {
    INFO(text);
    CHECK_FALSE(Read(text).found);
  }
}

// Every row of the table, filled in, is read by that row or one before it that
// matches more.
TEST_CASE("paste: every format is read") {
  std::vector<std::string> unread;
  for (const Format& format : AllFormats()) {
    std::string text;
    for (size_t i = 0; i < format.pattern.size(); ++i) {
      const size_t end = format.pattern.find('>', i);
      const char next =
          i + 1 < format.pattern.size() ? format.pattern[i + 1] : ' ';
      if (format.pattern[i] != '<' || end == std::string_view::npos ||
          !(next == '.' || (next >= 'a' && next <= 'z'))) {
        text += format.pattern[i];
        continue;
      }
      const std::string_view hole = format.pattern.substr(i + 1, end - i - 1);
      const auto is = [&](std::string_view word) {
        return hole.find(word) != std::string_view::npos;
      };
      const bool several = hole.starts_with("operands");
      std::string shape = is("tight")    ? "(2,3)"
                          : is("spaced") ? "(2, 3)"
                          : is("square") ? "[2,3]"
                          : is("bare")   ? "2,3"
                          : is("single") ? "(4)"
                                         : "[2, 3]";
      if (several) shape += " " + shape;
      text += hole == "..."        ? "something "
              : hole == "op"       ? "add"
              : hole == "source"   ? "x + y"
              : hole == "remapped" ? "(2,3)->(2,newaxis,3)"
              : hole.starts_with("axis") || hole == "rule-axis" ||
                      hole == "number" || hole == "size"
                  ? "2"
                  : shape;
      i = end;
    }
    text = std::string(format.context) + "\n" + text;
    INFO(text);
    Arena arena;
    const auto read = ReadPasted(text, arena);
    REQUIRE(read);
    if (!*read || (*read)->system == "unknown") unread.push_back(text);
  }
  CHECK(unread == std::vector<std::string>{});
}

TEST_CASE("paste: the header's examples") {
  Arena arena;
  const auto read = ReadShapes("x.shape = (N, 3), f32[2..8]", arena);
  REQUIRE(read->size() == 2);
  CHECK((*read)[0].label == "x.shape");
  CHECK((*read)[0].shape.extents[0].name == "N");
  CHECK((*read)[1].shape.extents[0].most == 8);
  CHECK((*read)[1].span.begin == 18);
  CHECK((*read)[1].span.end == 27);
  const auto pasted = ReadPasted(
      "    x - x.mean(axis=1)\n"
      "ValueError: operands could not be broadcast together with shapes "
      "(2,3) (2,) ",
      arena);
  REQUIRE(*pasted);
  CHECK((**pasted).system == "numpy");
  CHECK((**pasted).rule == Rule::kNumpy);
  CHECK((**pasted).shapes[1].expression == "x.mean(axis=1)");
  CHECK((**pasted).op == Op::kSub);
  CHECK((**pasted).question->operands.size() == 2);
  CHECK_FALSE(*ReadPasted("no shapes here", arena));
}

// --- Bad input
// ----------------------------------------------------------------

// How many bytes of a text are looked at.
size_t StepsOf(std::string_view text) {
  size_t steps = 0;
  Arena arena;
  Plain plain = MakePlain(text, arena);
  plain.steps = &steps;
  const auto read = ReadPastedIn(plain, 0, arena);
  Arena other;
  (void)ReadShapesIn(plain, text, other);
  REQUIRE((read || read.error().error_class == ErrorClass::kAllocation));
  return steps;
}

std::string Repeated(std::string_view part, size_t bytes) {
  std::string text;
  while (text.size() < bytes) text += part;
  return text;
}

TEST_CASE(
    "paste: of a hostile text of 1 MB as much is read as of a short one") {
  for (const std::string_view part :
       {"(",
        "[(",
        "(2,",
        "2x",
        "<",
        "</",
        "<b",
        "&",
        "tensor<",
        "a.b",
        "x - ",
        "\n",
        "\xff",
        "\xef\xbc\x88",
        "~~^~~\n",
        "----> 1 x\n",
        "File \"a\", line 1\n",
        "The size of tensor a (",
        "Check 'TRShape::broadcast_merge_into",
        "operands could not be broadcast together with shapes ",
        "operands could not be broadcast together with shapes (2,",
        "call_function ",
        "While validating node 'opset1::Add ",
        "Error in ",
        "In a : ",
        "In a :",
        "running Add node. ",
        "In Op(Add)",
        "(op_type:Add",
        "matmul shape (2,3)\n",
        "a 2x3 size\n",
        "\x1b[",
        "\x1b[31m",
        "shape (2,3) (3,4) ",
        "shape (2,3) (3,4)\n",
        "N*",
        "(a+",
        "'",
        "\"",
        "Failed to determine the size of all axes",
        "1_",
        "99",
        "0..",
        "Positional argument #1: Tensor with shape (2, 3)",
        "Actual: (2) != (3) ",
        "operands could not be broadcast together with shapes (2, 3) (2,)\n",
        "&#39;",
        "<b ",
        "\\n\\\"",
        "web_1  | ",
        "2026-01-31 12:00:00 ",
        "[rank0]: ",
        "> ",
        "(2,3) @ ",
        "Error in f (line 2)\n",
        "During handling of the above exception, another exception occurred",
        "1,\n2"}) {
    INFO(part);
    // 20 times the text; the square would be 400 times as much. The small text
    // first, so that the test ends soon.
    const size_t few = StepsOf(Repeated(part, 50'000));
    REQUIRE(few < 50'000 * 1000);
    CHECK(StepsOf(Repeated(part, 1'000'000)) < 25 * few + 1'000'000);
  }
}

TEST_CASE("paste: an error behind a hostile text is found") {
  for (const std::string_view part :
       {"In a : ", "(op_type:Add", "Error in ", "running Add node. ",
        "operands could not be broadcast together with shapes (2,"}) {
    INFO(part);
    const Answer answer =
        Read(Repeated(part, 1'000'000) + Failed("\n    x - y", "(8,3) (8,)"));
    CHECK(answer.shapes == Texts{"8,3", "8"});
  }
}

TEST_CASE("paste: any bytes are read without a fault") {
  std::mt19937 random(7);
  const std::vector<std::string> parts = [] {
    std::vector<std::string> all = {"(2,3)", "(2, 3)",   "[2,3]", "()", " ",
                                    "\n",    "->",       "None",  "N",  "..",
                                    "\xff",  "\xc2\xa0", "x",     ",",  "1"};
    for (const Format& format : AllFormats()) {
      all.emplace_back(format.pattern.substr(0, format.pattern.find('<', 1)));
      all.emplace_back(format.pattern);
    }
    return all;
  }();
  for (int round = 0; round < 20'000; ++round) {
    std::string text;
    const size_t count = random() % 12;
    for (size_t i = 0; i < count; ++i) text += parts[random() % parts.size()];
    if (!text.empty() && random() % 2 == 0) {
      text[random() % text.size()] = static_cast<char>(random());
    }
    (void)Read(text);
    Arena arena;
    (void)ReadShapes(text, arena);
  }
}

TEST_CASE("paste: refused memory is an error") {
  const std::string text = Failed("    x - y", "(8,3) (8,)");
  struct Left {
    size_t count;
  };
  for (size_t allowed = 0; allowed < 40; ++allowed) {
    Left left{allowed};
    const Allocator allocator{
        [](void* context, size_t bytes, size_t alignment) -> void* {
          Left& some = *static_cast<Left*>(context);
          if (some.count == 0) return nullptr;
          --some.count;
          return std::aligned_alloc(alignment, bytes);
        },
        [](void*, void* memory, size_t, size_t) { std::free(memory); }, &left};
    Arena arena(allocator);
    const auto read = ReadPasted(text, arena);
    if (!read) CHECK(read.error().error_class == ErrorClass::kAllocation);
    if (read && *read) CHECK((*read)->system == "numpy");
    Left again{allowed};
    left = again;
    Arena other(allocator);
    const auto shapes = ReadShapes("(N, 2) and (3,)", other);
    if (!shapes) CHECK(shapes.error().error_class == ErrorClass::kAllocation);
  }
}

TEST_CASE("paste: of a longer text than is read, the end is read") {
  const std::string text =
      std::string(kMostPastedBytes, 'a') + Failed("\n    x - y", "(8,3) (8,)");
  const Answer answer = Read(text);
  CHECK(answer.shapes == Texts{"8,3", "8"});
  CHECK(answer.expressions == Texts{"x", "y"});
}

}  // namespace
