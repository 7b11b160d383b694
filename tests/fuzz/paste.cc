// Input: a pasted text. It is read as an error text, and as shapes.

#include "broadloom/explain/paste.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "broadloom/broadloom.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/symbolic_shape.h"
#include "fuzz/harness.h"

namespace fuzz {
namespace {

using namespace broadloom;

bool IsIn(TextSpan span, std::string_view text) {
  return span.begin <= span.end && span.end <= text.size();
}

bool IsUtf8(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    const auto first = static_cast<unsigned char>(text[i]);
    const size_t more = first < 0x80   ? 0
                        : first < 0xe0 ? 1
                        : first < 0xf0 ? 2
                                       : 3;
    if ((first & 0xc0) == 0x80 || more >= text.size() - i) return false;
    for (size_t k = 0; k < more; ++k) {
      if ((static_cast<unsigned char>(text[++i]) & 0xc0) != 0x80) return false;
    }
  }
  return true;
}

std::string FaultOfShape(const ShapeInText& read, std::string_view text) {
  const SymbolicShape& shape = read.shape;
  if (!IsIn(read.span, text)) return "a shape that is not in the text";
  if (shape.has_unknown_rank) {
    return shape.extents.empty() ? "" : "extents of an unknown rank";
  }
  if (!shape.axis_names.empty() &&
      shape.axis_names.size() != shape.extents.size()) {
    return "names of other axes";
  }
  if (!read.axes.empty() && read.axes.size() != shape.extents.size()) {
    return "spans of other axes";
  }
  for (const TextSpan& span : read.axes) {
    if (!IsIn(span, text)) return "an extent that is not in the text";
  }
  for (const SymbolicExtent& extent : shape.extents) {
    if (extent.least < 0 || extent.least > extent.most) return "no extent";
    if (!IsUtf8(extent.name)) return "a name that is not UTF-8";
    if (extent.is_known() && !extent.name.empty()) return "a number's name";
  }
  for (const std::string_view name : shape.axis_names) {
    if (!IsUtf8(name)) return "an axis's name that is not UTF-8";
  }
  return {};
}

}  // namespace

std::string FaultOfPaste(std::span<const uint8_t> bytes) {
  const std::string text(bytes.begin(), bytes.end());
  Arena arena;
  const auto pasted = ReadPasted(text, arena);
  if (!pasted) return "a pasted text is refused";
  if (*pasted) {
    const Pasted& read = **pasted;
    if (read.rule.has_value() != read.other_rule.empty()) return "two rules";
    if (!IsIn(read.message_span, text) || !IsIn(read.source_span, text)) {
      return "a message that is not in the text";
    }
    if (!IsUtf8(read.source_line) || !IsUtf8(read.operator_name)) {
      return "a part that is not UTF-8";
    }
    for (const PastedShape& shape : read.shapes) {
      if (std::string fault = FaultOfShape(shape.read, text); !fault.empty()) {
        return fault;
      }
      if (!IsIn(shape.expression_span, text) || !IsUtf8(shape.expression)) {
        return "an expression that is not in the text";
      }
    }
  }
  const auto shapes = ReadShapes(text, arena);
  if (!shapes) {
    const Error& error = shapes.error();
    char sentence[400];
    if (Describe(error, sentence) == 0) return "an error without a sentence";
    return IsIn({error.text_begin, error.text_end}, text)
               ? ""
               : "a token that is not in the text";
  }
  if (shapes->empty()) return "no shapes, and no error";
  for (const ShapeInText& shape : *shapes) {
    if (std::string fault = FaultOfShape(shape, text); !fault.empty()) {
      return fault;
    }
    if (!IsUtf8(shape.label)) return "a label that is not UTF-8";
  }
  return {};
}

}  // namespace fuzz
