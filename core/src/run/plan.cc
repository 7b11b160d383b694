#include "broadloom/plan.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>

#include "base/built.h"
#include "broadloom/alignment.h"
#include "broadloom/internal/arithmetic.h"
#include "broadloom/internal/nest.h"
#include "broadloom/internal/schedule.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "kernels/find.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {

namespace {
struct Here;
}  // namespace

// Makes a plan of an alignment. A template for the reason given at Aligner.
template <class File>
class Planner {
 public:
  Planner(Op op, const Alignment& alignment, std::span<const DType> dtypes,
          const OpAttributes& attributes, const Allocator& allocator,
          Plan& plan)
      : op_(op),
        alignment_(alignment),
        dtypes_(dtypes),
        attributes_(attributes),
        allocator_(allocator),
        plan_(plan),
        returns_each_(Traits(alignment.rule()).returns_each) {}

  Status Make() {
    if (Status checked = Check(); !checked) return checked;
    plan_.op_ = op_;
    plan_.rule_ = alignment_.rule();
    plan_.kernel_ = kernels::FindKernel(op_, dtypes_, attributes_);
    if (plan_.kernel_ == nullptr) {
      return NotBuilt();
    }
    if (!MakeRoom()) return std::unexpected(Fault(ErrorClass::kAllocation));
    if (Status taken = TakeShapes(); !taken) return taken;
    if (!MakeLoops()) return std::unexpected(Fault(ErrorClass::kAllocation));
    plan_.fingerprint_ = plan_.Hash();
    return {};
  }

 private:
  Error Fault(ErrorClass error_class) const {
    return Error{
        .error_class = error_class, .rule = alignment_.rule(), .op = op_};
  }

  Status Check() const {
    if (alignment_.operand_count() != dtypes_.size()) {
      Error error = Fault(ErrorClass::kArity);
      error.detail = Detail::kSize;
      error.extent = static_cast<int64_t>(dtypes_.size());
      error.other_extent = static_cast<int64_t>(alignment_.operand_count());
      return std::unexpected(error);
    }
    if (Status checked = CheckTypes(); !checked) return checked;
    if (alignment_.error()) {
      Error error = *alignment_.error();
      error.op = op_;
      return std::unexpected(error);
    }
    return {};
  }

  Status CheckTypes() const {
    const bool fmod = attributes_.fmod.value_or(0) == 1;
    for (size_t operand = 0; operand < dtypes_.size(); ++operand) {
      const DType dtype = dtypes_[operand];
      if (!Accepts(op_, operand, dtype, fmod)) return WrongType(operand, {});
      if (returns_each_) continue;
      const std::optional<size_t> leader = TypeLeader(op_, operand);
      if (leader && dtype != dtypes_[*leader]) {
        return WrongType(operand, leader);
      }
    }
    return {};
  }

  // The error of types that the operator takes, but for which the library was
  // built without a kernel.
  [[gnu::cold]] Status NotBuilt() const {
    Error error =
        Fault(IsBuilt(op_) ? ErrorClass::kDType : ErrorClass::kUnknown);
    error.detail = Detail::kNotBuilt;
    for (size_t operand = 0; operand < dtypes_.size(); ++operand) {
      if (!IsBuilt(op_) || IsBuilt(dtypes_[operand])) continue;
      error.operand = static_cast<int32_t>(operand);
      error.dtype = dtypes_[operand];
      return std::unexpected(error);
    }
    error.dtype = attributes_.to;
    return std::unexpected(error);
  }

  [[gnu::cold]] Status WrongType(size_t operand,
                                 std::optional<size_t> leader) const {
    Error error = Fault(ErrorClass::kDType);
    error.detail = leader ? Detail::kMixed : Detail::kUnsupported;
    error.operand = static_cast<int32_t>(operand);
    error.dtype = dtypes_[operand];
    if (leader) {
      error.other_operand = static_cast<int32_t>(*leader);
      error.other_dtype = dtypes_[*leader];
    }
    return std::unexpected(error);
  }

  DType ResultDType() const {
    switch (Info(op_).result) {
      case ResultType::kBoolType:
        return DType::kBool;
      case ResultType::kSecondType:
        return dtypes_[1];
      case ResultType::kAttributeType:
        return attributes_.to.value_or(dtypes_[0]);
      case ResultType::kSameType:
        break;
    }
    return dtypes_[0];
  }

  bool MakeRoom() {
    const size_t operands = dtypes_.size();
    plan_.rank_ = alignment_.rank();
    plan_.outputs_ = returns_each_ ? operands : 1;
    plan_.output_dtype_ = ResultDType();
    const size_t extents = plan_.rank_ + alignment_.operand_extents().size();
    return plan_.operands_.ResetForOverwrite(operands, allocator_) &&
           plan_.extents_.ResetForOverwrite(extents, allocator_) &&
           plan_.steps_.ResetForOverwrite(plan_.rank_, operands, allocator_) &&
           bits_.ResetForOverwrite(operands, allocator_);
  }

  // Copies extents, and makes strides from the cells. The bytes of operands and
  // results must not exceed 2^63-1; whether there is memory for them is checked
  // later.
  Status TakeShapes() {
    const size_t rank = plan_.rank_;
    const std::span<const DType> dtypes = dtypes_;
    const size_t operands = dtypes.size();
    int64_t* extents = plan_.extents_.data();
    Plan::Operand* const taken = plan_.operands_.data();
    Plan::AxisStep* const steps = plan_.steps_.data();
    uint8_t* const bits = bits_.data();
    const ShapeView output = alignment_.output();
    ElementCount of_output;
    for (size_t axis = 0; axis < rank; ++axis) {
      extents[axis] = output[axis];
      of_output.Times(output[axis]);
    }
    extents += rank;
    for (const int64_t extent : alignment_.operand_extents()) {
      *extents++ = extent;
    }
    size_t begin = rank;
    for (size_t i = 0; i < operands; ++i) {
      const ShapeView shape = alignment_.operand(i);
      const DType dtype = dtypes[i];
      // The operand's axes have the same order in the result, and its axes that
      // are not in the result have extent 1: so the product of the cells'
      // extents is the stride.
      ElementCount elements;
      const AlignedCell* const cells = alignment_.cells(i).data();
      Plan::AxisStep* step = steps + rank * operands + i;
      for (size_t axis = rank; axis-- > 0;) {
        const AlignedCell& cell = cells[axis];
        const bool matches = cell.relation == Relation::kMatch;
        step -= operands;
        *step = {cell.StrideOver(elements.count),
                 matches ? cell.source_axis : kAbsent};
        elements.Times(cell.extent);
      }
      taken[i] = {.bytes = 0,
                  .output_bytes = 0,
                  .begin = begin,
                  .rank = shape.size(),
                  .dtype = dtype,
                  .kernel = nullptr};
      begin += shape.size();
      bits[i] = static_cast<uint8_t>(BitsOf(dtype));
      if (!Bytes(elements, shape, dtype, taken[i].bytes)) {
        return Uncountable(shape, dtype, static_cast<int32_t>(i));
      }
    }
    for (size_t i = 0; i < plan_.outputs_; ++i) {
      const DType dtype = plan_.output_dtype(i);
      if (returns_each_) {
        taken[i].kernel = kernels::FindKernel(op_, {&dtype, 1}, attributes_);
      }
      if (!Bytes(of_output, output, dtype, taken[i].output_bytes)) {
        return Uncountable(output, dtype, kOutputOperand);
      }
    }
    return {};
  }

  // CountBytes without its error. Returns false where the bytes exceed 2^63-1.
  static bool Bytes(const ElementCount& elements, ShapeView shape, DType dtype,
                    uint64_t& bytes) {
    int64_t bits;
    if (OverflowsMultiply(elements.count, int64_t{BitsOf(dtype)}, bits) ||
        elements.overflow) {
      return Recount(shape, dtype, bytes);
    }
    bytes = static_cast<uint64_t>(bits) / 8 + (bits % 8 != 0);
    return true;
  }
  [[gnu::cold]] static bool Recount(ShapeView shape, DType dtype,
                                    uint64_t& bytes) {
    const Result<int64_t> counted = CountBytes(shape, dtype);
    if (counted) bytes = static_cast<uint64_t>(*counted);
    return counted.has_value();
  }

  [[gnu::cold]] Status Uncountable(ShapeView shape, DType dtype,
                                   int32_t operand) const {
    Error error = CountBytes(shape, dtype).error();
    error.rule = alignment_.rule();
    error.op = op_;
    error.operand = operand;
    return std::unexpected(error);
  }

  bool MakeLoops() {
    const size_t operands = dtypes_.size();
    const auto stride_along = [operands, steps = plan_.steps_.data()](
                                  size_t operand, size_t axis) {
      return steps[axis * operands + operand].stride;
    };
    return plan_.work_.Reset(plan_.output_shape(), stride_along, bits_.view(),
                             static_cast<uint8_t>(BitsOf(plan_.output_dtype())),
                             plan_.kernel(0)->UseOfRuns(operands), allocator_);
  }

  const Op op_;
  const Alignment& alignment_;
  const std::span<const DType> dtypes_;
  const OpAttributes& attributes_;
  const Allocator& allocator_;
  Plan& plan_;
  const bool returns_each_;
  InlineArray<uint8_t, kInlineOperands> bits_;  // of the operands' elements
};

// A hash of everything that Blocks copy from the plan. Two different plans
// share a fingerprint with a probability of 1 in 2^64. Even then RunBlock stays
// within its memory, since Blocks have a kernel and loops of their own.
uint64_t Plan::Hash() const noexcept {
  const kernels::Kernel* const kernel = kernel_;
  uint64_t print = reinterpret_cast<uintptr_t>(kernel);
  const auto add = [&print](uint64_t word) {
    print = print * 0x9E3779B97F4A7C15u + word;
  };
  add(static_cast<uint64_t>(op_));
  add(static_cast<uint64_t>(rule_));
  add(rank_);
  for (const Operand& it : operands_.view()) {
    add(static_cast<uint64_t>(it.dtype));
    add(it.rank);
  }
  for (const int64_t extent : extents_.view()) {
    add(static_cast<uint64_t>(extent));
  }
  for (const AxisStep& step : steps_.view()) {
    add(static_cast<uint64_t>(step.stride));
  }
  return print;
}

Result<Plan> Plan::Make(Op op, const Alignment& alignment,
                        std::span<const DType> dtypes,
                        const OpAttributes& attributes,
                        const Allocator& allocator) noexcept {
  if (Status checked = CheckOperator(op, alignment.rule(),
                                     alignment.operand_count(), attributes);
      !checked) {
    return std::unexpected(checked.error());
  }
  return MakeChecked(op, alignment, dtypes, attributes, allocator);
}

Result<Plan> Plan::MakeChecked(Op op, const Alignment& alignment,
                               std::span<const DType> dtypes,
                               const OpAttributes& attributes,
                               const Allocator& allocator) noexcept {
  Result<Plan> plan;
  if (Status made =
          Planner<Here>(op, alignment, dtypes, attributes, allocator, *plan)
              .Make();
      !made) {
    plan = std::unexpected(made.error());
  }
  return plan;
}

}  // namespace v1
}  // namespace broadloom
