// Checks the tensors that a plan is run on: their number, element types, shapes
// and lengths, and that no result overlaps an operand.

#ifndef BROADLOOM_RUN_CHECK_TENSORS_H_
#define BROADLOOM_RUN_CHECK_TENSORS_H_

#include <cstddef>
#include <cstdint>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/memory.h"
#include "broadloom/plan.h"
#include "broadloom/result.h"
#include "broadloom/tensor.h"
#include "broadloom/vocabulary.h"
#include "loops/operand_memory.h"

namespace broadloom {
inline namespace v1 {

// What Run or RunRegion is given.
struct RunTensors {
  const Plan& plan;
  const std::span<const IndexRange>* box;  // null: the whole result
  std::span<const TensorView> inputs;
  std::span<const MutableTensorView> outputs;

  // Bytes of an output, or of the box of it that is computed. The output's
  // shape has been checked.
  [[nodiscard]] uint64_t OutputBytes(size_t output) const {
    return box == nullptr ? plan.output_bytes(output) : BoxBytes(output);
  }

 private:
  [[nodiscard]] uint64_t BoxBytes(size_t output) const;
};

// What the check finds out beside errors.
struct CheckedTensors {
  // An input has strides, or an output strides or an offset.
  bool strided = false;
  bool in_place = false;  // an output takes the place of an input
};

// The error of a call with another number of inputs or outputs than the plan
// has, or with an empty plan.
[[nodiscard]] Status WrongCounts(const RunTensors& given);

// Checks all inputs, then all outputs, then overlap, and returns the first
// error: kDType, kIncompatible, kLength, kOverlap or kAllocation. The numbers
// of inputs and outputs and the box have been checked. Writes to `operands`,
// which has one entry for each input, the memory of dense inputs and the first
// element of strided ones.
[[nodiscard]] Status CheckTensors(const RunTensors& given,
                                  std::span<OperandMemory> operands,
                                  CheckedTensors& checked,
                                  const Allocator& allocator);

// Checks that the memory of each input holds its shape. Inputs that are wrong
// otherwise (uncountable, or with a wrong number of strides) are left to other
// checks. Errors: kLength, which names `op` and the operand.
[[nodiscard]] Status CheckLengths(Op op, std::span<const TensorView> inputs);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_RUN_CHECK_TENSORS_H_
