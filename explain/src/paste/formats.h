// The table of the texts that systems print, and the systems' names.

#ifndef BROADLOOM_EXPLAIN_PASTE_FORMATS_H_
#define BROADLOOM_EXPLAIN_PASTE_FORMATS_H_

#include <cstddef>
#include <span>
#include <string_view>

namespace broadloom {
inline namespace v1 {

// A row: how a text of a system looks, and what it says.
//
// In `pattern`, a blank stands for blanks and line ends, and these for what is
// read:
//   <operand>      a shape; with several, a list of them: <operands>
//   <value> <target> <output> <broadcast> <loss-target> <loss-input>
//                  a shape in this role (PastedRole)
//   <ignored>      a shape that is no operand
//   <remapped>     a list of `(2,3)->(2,newaxis,3)`, of which the first counts
//   <size>         an extent that conflicts
//   <axis>         an axis of the result, from the left
//   <axis-right>   an axis of the result, from the right
//   <axis-own>     an axis of an operand
//   <rule-axis>    the attribute `axis` of the rule pdpd
//   <op>           the operator; at the beginning, the word before
//   <source>       the source line; ends where the next part of the pattern is
//   <number>       digits that mean nothing
//   <...>          anything up to the next part of the pattern
// A shape may have a spelling, <operands tight>: see Spelling.
struct Format {
  std::string_view id;    // "numpy.shapes": the system, then a name
  std::string_view rule;  // of Broadloom, or another word: see Pasted and
                          // MessageOfKind
  std::string_view pattern;
  std::string_view also = {};     // see Pasted
  std::string_view context = {};  // a word that the text must have somewhere
  std::string_view note = {};
};

// More than there are rows.
inline constexpr size_t kMostFormats = 512;

// Of rows that match at the same place, the first counts.
std::span<const Format> AllFormats();

// "NumPy" for "numpy"; the name itself if it has no title.
std::string_view SystemTitle(std::string_view system);

// The rule of an operator, in systems in which it depends on it: Expand of ONNX
// Runtime. Empty if the row's rule holds.
std::string_view RuleOfOperator(std::string_view system, std::string_view op);

// What an operator of another system is called in Broadloom; empty if nothing.
std::string_view OperatorName(std::string_view op);

// The note that belongs to a rule which is not Broadloom's; may be empty.
std::string_view NoteOfRule(std::string_view rule);

// What a text is about whose row has this word in place of a rule, and what
// helps, as a sentence: "reshape", "matmul". Empty if it is a rule, by which
// something is broadcast.
std::string_view MessageOfKind(std::string_view kind);

// The kind of the operation that a line of an unknown system names: "reshape"
// for one with the word reshape. Empty if it names none.
std::string_view KindInLine(std::string_view line);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_PASTE_FORMATS_H_
