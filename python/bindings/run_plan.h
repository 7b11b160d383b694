// Runs plans on operands, into arrays of the caller or new ones.

#ifndef BROADLOOM_PYTHON_RUN_PLAN_H_
#define BROADLOOM_PYTHON_RUN_PLAN_H_

#include <optional>
#include <span>

#include "operand.h"

namespace broadloom_python {

// A plan, and the element types of its operands as the caller named them: the
// plan itself moves 4-bit elements as bytes (see StorageOf).
class NamedPlan {
 public:
  NamedPlan() = default;
  NamedPlan(const NamedPlan&) = delete;
  NamedPlan& operator=(const NamedPlan&) = delete;
  NamedPlan(NamedPlan&&) = default;
  NamedPlan& operator=(NamedPlan&&) = default;

  // Makes the plan. Throws the errors of MakePlan.
  static NamedPlan Make(Op op, std::span<const ShapeView> shapes,
                        std::span<const DType> dtypes, const Options& options);

  // The plan of a box alone. Throws the errors of Plan::Within.
  NamedPlan Within(std::span<const IndexRange> box) const;

  const Plan& plan() const { return plan_; }
  DType dtype(size_t operand) const {
    return is_packed_ ? dtypes_[operand] : plan_.dtype(operand);
  }
  DType output_dtype(size_t output) const {
    return is_packed_ ? output_dtypes_[output] : plan_.output_dtype(output);
  }

  // Computes the result, or `box` of it. Returns `out`, or a new array; with
  // several results, a list of them. Throws the errors of Run and RunRegion.
  nb::object Run(std::optional<std::span<const IndexRange>> box,
                 std::span<const Operand> operands, PyObject* out) const;

 private:
  Plan plan_;
  // Only of plans that have 4-bit types.
  bool is_packed_ = false;
  std::vector<DType> dtypes_;
  std::vector<DType> output_dtypes_;
};

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_RUN_PLAN_H_
