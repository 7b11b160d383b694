#include "shapes.h"

#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "broadloom/explain/document.h"
#include "broadloom/explain/link.h"
#include "broadloom/explain/paste.h"
#include "broadloom/explain/repair.h"
#include "dtypes.h"

namespace broadloom_python {

namespace {

constexpr KeywordSet kRequest =
    SetOf({Keyword::axis, Keyword::target_shape, Keyword::axes_mapping,
           Keyword::dtype, Keyword::policy, Keyword::names});

// A rule, a list of shapes and options, read from a call.
class Asked {
 public:
  Asked(std::string_view function, PyObject* const* values,
        Py_ssize_t positional, PyObject* keywords, KeywordSet taken)
      : arguments_(function, values, positional, keywords, 2, 2, taken),
        options_(arguments_),
        rule_(ReadRule(arguments_.positional()[0])),
        shapes_(arguments_.positional()[1]) {
    if (PyObject* const dtype = arguments_[Keyword::dtype]) {
      options_.dtype = ReadDType(dtype);
    }
    if (PyObject* const op = arguments_[Keyword::op]) op_ = ReadOp(op);
  }

  const Arguments& arguments() const { return arguments_; }
  BroadcastRequest request() const {
    return options_.Request(rule_, shapes_.views());
  }
  std::optional<Op> op() const { return op_; }
  Question question() const { return {.op = op_, .request = request()}; }

 private:
  Arguments arguments_;
  Options options_;
  Rule rule_;
  Shapes shapes_;
  std::optional<Op> op_;
};

PyObject* InferShapeFunction(PyObject*, PyObject* const* values,
                             Py_ssize_t positional, PyObject* keywords) {
  return Guarded([&] {
    const Asked asked("infer_shape", values, positional, keywords, kRequest);
    const Question question = asked.question();
    return ShapeTuple(Expect(InferShape(question.request), &question).view());
  });
}

nb::str Text(Result<std::string_view> text) {
  return Str(Expect(std::move(text)));
}

// document(rule, shapes, **options): what WriteDocument says, as JSON. `parts`
// of it is all, or "alignment" for the part that costs least.
PyObject* DocumentFunction(PyObject*, PyObject* const* values,
                           Py_ssize_t positional, PyObject* keywords) {
  return Guarded([&] {
    constexpr KeywordSet kTaken =
        kRequest | SetOf({Keyword::op, Keyword::expect, Keyword::expressions,
                          Keyword::link_base, Keyword::pasted, Keyword::mode});
    const Asked asked("document", values, positional, keywords, kTaken);
    const Arguments& arguments = asked.arguments();
    std::vector<WarningKind> expect;
    if (PyObject* const kinds = arguments[Keyword::expect]) {
      for (const std::string& name : ReadTexts(kinds, "expect")) {
        const auto kind = FindWarningKind(name);
        if (!kind) {
          std::string names;
          for (const WarningKind one : AllWarningKinds()) {
            names += (names.empty() ? "" : ", ") + std::string(Name(one));
          }
          Raise({.error_class = ErrorClass::kUnknown},
                "There is no kind of warning '" + name +
                    "'. There are: " + names + ".");
        }
        expect.push_back(*kind);
      }
    }
    std::vector<std::string> texts;
    if (PyObject* const given = arguments[Keyword::expressions]) {
      texts = ReadTexts(given, "expressions");
    }
    const std::vector<std::string_view> expressions(texts.begin(), texts.end());
    std::string base;
    if (PyObject* const given = arguments[Keyword::link_base]) {
      base = ReadText(given, "link_base");
    }
    // Of a pasted text's question those of its fields that are true.
    PastedQuestion pasted;
    PyObject* const fields = arguments[Keyword::pasted];
    if (fields != nullptr) {
      for (const std::string& field : ReadTexts(fields, "pasted")) {
        pasted.writes_to_target |= field == "writes_to_target";
        pasted.writes_operand |= field == "writes_operand";
        pasted.keeps_rule |= field == "keeps_rule";
      }
    }
    const bool is_whole = arguments[Keyword::mode] == nullptr;
    Arena arena;
    return Text(WriteDocument({.broadcast = asked.request(),
                               .op = asked.op(),
                               .expect = expect,
                               .expressions = expressions,
                               .pasted = fields ? &pasted : nullptr,
                               .cause = is_whole,
                               .repairs = is_whole,
                               .warnings = is_whole,
                               .link_base = base},
                              arena));
  });
}

// The maps between indexes of an alignment, which its document lacks.
class AlignmentMap {
 public:
  explicit AlignmentMap(Alignment alignment)
      : alignment_(std::move(alignment)) {}

  nb::tuple SourceOf(nb::handle operand, nb::handle index) const {
    const size_t which = ReadOperand(operand);
    const Integers at = ReadIntegers(
        index.ptr(), {.error_class = ErrorClass::kExtent}, "The index");
    Integers source;
    if (!source.Reset(alignment_.operand(which).size(), DefaultAllocator())) {
      RaiseNoMemory();
    }
    Expect(alignment_.SourceOf(which, at.view(), source.view()));
    return ShapeTuple(source.view());
  }

  nb::tuple FanOut(nb::handle operand, nb::handle index) const {
    const size_t which = ReadOperand(operand);
    const Integers at = ReadIntegers(
        index.ptr(), {.error_class = ErrorClass::kExtent}, "The index");
    std::vector<IndexRange> box(alignment_.rank());
    Expect(alignment_.FanOut(which, at.view(), box));
    nb::list ranges;
    for (const auto [begin, end] : box)
      ranges.append(nb::make_tuple(begin, end));
    return nb::tuple(ranges);
  }

 private:
  size_t ReadOperand(nb::handle operand) const {
    const Error error{
        .error_class = ErrorClass::kArity,
        .other_extent = static_cast<int64_t>(alignment_.operand_count())};
    const int64_t which = ReadInteger(operand.ptr(), error, "operand");
    if (which < 0 || static_cast<size_t>(which) >= alignment_.operand_count()) {
      Raise(error, "There is no operand " + std::to_string(which) +
                       ": the alignment has " +
                       std::to_string(alignment_.operand_count()) +
                       ", which count from 0.");
    }
    return static_cast<size_t>(which);
  }

  Alignment alignment_;
};

// align_map(rule, shapes, **options)
PyObject* AlignMapFunction(PyObject*, PyObject* const* values,
                           Py_ssize_t positional, PyObject* keywords) {
  return Guarded([&] {
    const Asked asked("align_map", values, positional, keywords,
                      kRequest | SetOf({Keyword::op}));
    const Question question = asked.question();
    Alignment alignment = Expect(Align(question.request), &question);
    nb::object error = nb::none();
    if (alignment.error()) error = MakeException(*alignment.error(), &question);
    return nb::make_tuple(AlignmentMap(std::move(alignment)), error,
                          QuestionDict(question));
  });
}

}  // namespace

void AddShapes(nb::module_& module) {
  AddFunction(
      module, "infer_shape", &InferShapeFunction,
      "infer_shape(rule, shapes, /, *, axis=None, target_shape=None, "
      "axes_mapping=None, dtype=None, policy=None, names=None)\n--\n\n"
      "The shape of the result.\n\n"
      ">>> import broadloom\n"
      ">>> broadloom.infer_shape('pdpd', [(2, 3, 4, 5), (3, 1)], axis=1)\n"
      "(2, 3, 4, 5)");
  AddFunction(
      module, "align_map", &AlignMapFunction,
      "align_map(rule, shapes, /, *, axis=None, target_shape=None, "
      "axes_mapping=None, dtype=None, policy=None, names=None, "
      "op=None)\n--\n\n"
      "The maps of an alignment, its error or None, and its question: the "
      "arguments of explain().");
  AddFunction(module, "document", &DocumentFunction,
              "document(rule, shapes, /, *, axis=None, target_shape=None, "
              "axes_mapping=None, dtype=None, policy=None, names=None, "
              "op=None, expect=None, expressions=None, link_base=None, "
              "pasted=None, mode=None)\n--\n\n"
              "Everything known about a request, as JSON; with a mode the "
              "alignment alone.");
  nb::class_<AlignmentMap>(module, "AlignmentMap",
                           "The maps between indexes of an alignment.")
      .def("source_of", &AlignmentMap::SourceOf, nb::arg("operand").none(),
           nb::arg("index").none())
      .def("fan_out", &AlignmentMap::FanOut, nb::arg("operand").none(),
           nb::arg("index").none());
  AddPositional<1, 1>(
      module, "read_pasted",
      [](std::span<PyObject* const> values) {
        Arena arena;
        return Text(WritePasted(ReadText(values[0], "The text"), arena));
      },
      "read_pasted(text, /)\n--\n\nWhat an error text says, as JSON.");
  AddPositional<1, 1>(
      module, "read_shapes",
      [](std::span<PyObject* const> values) {
        Arena arena;
        return Text(WriteShapes(ReadText(values[0], "The text"), arena));
      },
      "read_shapes(text, /)\n--\n\nThe shapes in a text, as JSON.");
}

}  // namespace broadloom_python
