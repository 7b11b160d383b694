// The session's question about shapes with unknown extents:
//
//   symbolic RULE AXIS TARGET MAPPING SHAPE...
//   -> symbolic JSON, or: fault SENTENCE
//
// JSON is that of ToJson (explain/symbolic.h), with the conditions of each case
// in all forms as "conditions". RULE may be by_name. A SHAPE is * for an
// unknown rank, or a list of 3, N, ?, 2..8, 2.., N:2..8, each after NAME= if
// the axis has a name.

#ifndef BROADLOOM_TESTS_CONFORMANCE_SYMBOLIC_H_
#define BROADLOOM_TESTS_CONFORMANCE_SYMBOLIC_H_

#include <span>
#include <string>
#include <string_view>

// `words` are those behind "symbolic".
std::string AnswerSymbolic(std::span<const std::string_view> words);

#endif  // BROADLOOM_TESTS_CONFORMANCE_SYMBOLIC_H_
