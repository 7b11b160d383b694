// Every operator with every combination of types that it takes.

#ifndef BROADLOOM_TESTS_BENCH_VOCABULARY_H_
#define BROADLOOM_TESTS_BENCH_VOCABULARY_H_

#include <cstddef>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"

namespace bench {

// Calls visit(operator's record, types, attributes, the attribute as
// KEY=VALUE), with two operands if the operator takes any number.
template <class Visit>
void ForEachComputation(Visit visit) {
  using broadloom::DType;
  using broadloom::Op;
  using broadloom::OpAttribute;
  using Types = std::vector<DType>;
  for (const auto& op : broadloom::AllOps()) {
    for (const auto& type : broadloom::AllDTypes()) {
      const DType dtype = type.dtype;
      // The tested type is that of the operand whose type the others must have.
      const size_t led = op.op == Op::kWhere ? 1 : 0;
      const bool takes = broadloom::Accepts(op.op, led, dtype);
      if (op.op == Op::kBroadcast) {
        visit(op, Types{dtype}, broadloom::OpAttributes{}, std::string());
      } else if (op.op == Op::kWhere) {
        if (takes) {
          visit(op, Types{DType::kBool, dtype, dtype},
                broadloom::OpAttributes{}, std::string());
        }
      } else if (op.attribute == OpAttribute::kDirection) {
        broadloom::OpAttributes left;
        left.direction = broadloom::ShiftDirection::kLeft;
        if (takes) {
          visit(op, Types{dtype, dtype}, left, std::string("direction=left"));
        }
      } else if (op.op == Op::kPow) {
        for (const auto& other : broadloom::AllDTypes()) {
          if (takes && broadloom::Accepts(op.op, 1, other.dtype)) {
            visit(op, Types{dtype, other.dtype}, broadloom::OpAttributes{},
                  std::string());
          }
        }
      } else if (op.attribute == OpAttribute::kTo) {
        for (const auto& other : broadloom::AllDTypes()) {
          if (!takes || !broadloom::Accepts(op.op, led, other.dtype)) continue;
          broadloom::OpAttributes to;
          to.to = other.dtype;
          visit(op, Types{dtype}, to, "to=" + std::string(other.name));
        }
      } else if (takes) {
        visit(op, Types{dtype, dtype}, broadloom::OpAttributes{},
              std::string());
      }
      if (op.attribute == OpAttribute::kFmod &&
          broadloom::Accepts(op.op, led, dtype, true)) {
        broadloom::OpAttributes fmod;
        fmod.fmod = 1;
        visit(op, Types{dtype, dtype}, fmod, std::string("fmod=1"));
      }
    }
  }
}

// [{"op":"Add","dtypes":["i8","i8"],"attribute":""}, ...]
std::string VocabularyText();

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_VOCABULARY_H_
