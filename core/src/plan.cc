#include "broadloom/plan.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/memory.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "kernels/kernels.h"

namespace broadloom {
inline namespace v1 {

ShapeView Plan::operand_shape(size_t operand) const noexcept {
  return extents_.view().subspan(begins_[operand],
                                 begins_[operand + 1] - begins_[operand]);
}

DType Plan::output_dtype(size_t output) const noexcept {
  switch (Info(op_).result) {
    case ResultType::kBoolType:
      return DType::kBool;
    case ResultType::kSecondType:
      return dtypes_[1];
    case ResultType::kSameType:
      break;
  }
  return dtypes_[output];
}

Status CheckOperator(Op op, Rule rule, size_t operands,
                     const OpAttributes& attributes) noexcept {
  const auto fault = [&](ErrorClass error_class, Detail detail,
                         int64_t extent = 0, int64_t other_extent = 0) {
    return std::unexpected(Error{.error_class = error_class,
                                 .detail = detail,
                                 .rule = rule,
                                 .op = op,
                                 .extent = extent,
                                 .other_extent = other_extent});
  };
  if (!Accepts(op, rule)) return fault(ErrorClass::kUnknown, Detail::kRule);
  const OpInfo& info = Info(op);
  const bool few = operands < info.least_operands;
  if (few || (info.most_operands != 0 && operands > info.most_operands)) {
    return fault(
        ErrorClass::kArity, Detail::kNoDetail, static_cast<int64_t>(operands),
        static_cast<int64_t>(few ? info.least_operands : info.most_operands));
  }
  if ((attributes.fmod && info.attribute != OpAttribute::kFmod) ||
      (attributes.direction && info.attribute != OpAttribute::kDirection)) {
    return fault(ErrorClass::kAttribute, Detail::kUnexpected);
  }
  if (attributes.fmod && *attributes.fmod != 0 && *attributes.fmod != 1) {
    return fault(ErrorClass::kAttribute, Detail::kOutOfRange, *attributes.fmod);
  }
  if (info.attribute == OpAttribute::kDirection && !attributes.direction) {
    return fault(ErrorClass::kAttribute, Detail::kMissing);
  }
  return {};
}

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
        plan_(plan) {}

  Status Make() {
    if (Status checked = Check(); !checked) return checked;
    plan_.op_ = op_;
    plan_.rule_ = alignment_.rule();
    plan_.kernel_ = kernels::FindKernel(op_, dtypes_, attributes_);
    if (plan_.kernel_ == nullptr) {
      Error error = Fault(ErrorClass::kDType);
      error.detail = Detail::kUnsupported;
      error.operand = 0;
      error.dtype = dtypes_[0];
      return std::unexpected(error);
    }
    if (!Copy() || !MakeLoops()) {
      return std::unexpected(Fault(ErrorClass::kAllocation));
    }
    return CheckBytes();
  }

 private:
  Error Fault(ErrorClass error_class) const {
    return Error{
        .error_class = error_class, .rule = alignment_.rule(), .op = op_};
  }

  Status Check() const {
    if (Status checked = CheckOperator(op_, alignment_.rule(),
                                       alignment_.operand_count(), attributes_);
        !checked) {
      return checked;
    }
    if (alignment_.operand_count() != dtypes_.size()) {
      Error error = Fault(ErrorClass::kArity);
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
      Error error = Fault(ErrorClass::kDType);
      error.operand = static_cast<int32_t>(operand);
      error.dtype = dtypes_[operand];
      if (!Accepts(op_, operand, dtypes_[operand], fmod)) {
        error.detail = Detail::kUnsupported;
        return std::unexpected(error);
      }
      const std::optional<size_t> leader = TypeLeader(op_, operand);
      if (leader && dtypes_[operand] != dtypes_[*leader]) {
        error.detail = Detail::kMixed;
        error.other_operand = static_cast<int32_t>(*leader);
        error.other_dtype = dtypes_[*leader];
        return std::unexpected(error);
      }
    }
    return {};
  }

  bool Copy() {
    const size_t operands = dtypes_.size();
    plan_.outputs_ = op_ == Op::kBroadcast ? operands : 1;
    size_t total = 0;
    for (size_t i = 0; i < operands; ++i) total += alignment_.operand(i).size();
    if (!plan_.dtypes_.CopyFrom(dtypes_, allocator_) ||
        !plan_.output_.CopyFrom(alignment_.output(), allocator_) ||
        !plan_.extents_.Reset(total, allocator_) ||
        !plan_.begins_.Reset(operands + 1, allocator_)) {
      return false;
    }
    size_t at = 0;
    for (size_t i = 0; i < operands; ++i) {
      plan_.begins_[i] = at;
      for (int64_t extent : alignment_.operand(i))
        plan_.extents_[at++] = extent;
    }
    plan_.begins_[operands] = at;
    return true;
  }

  // The bytes of every operand and of the results together have to be
  // countable; that they can be had is the caller's affair.
  Status CheckBytes() const {
    for (size_t i = 0; i < dtypes_.size(); ++i) {
      if (Status checked = CheckBytesOf(plan_.operand_shape(i), dtypes_[i],
                                        static_cast<int32_t>(i));
          !checked) {
        return checked;
      }
    }
    return CheckBytesOf(plan_.output_shape(), plan_.output_dtype(),
                        kOutputOperand);
  }

  Status CheckBytesOf(ShapeView shape, DType dtype, int32_t operand) const {
    const Result<int64_t> bytes = CountBytes(shape, dtype);
    if (bytes) return {};
    Error error = bytes.error();
    error.rule = alignment_.rule();
    error.op = op_;
    error.operand = operand;
    return std::unexpected(error);
  }

  // Elements between neighbours along axis `source` of a dense operand. May
  // wrap for operands without elements, which are never walked.
  static int64_t DenseStride(ShapeView shape, int32_t source) {
    uint64_t stride = 1;
    for (size_t axis = static_cast<size_t>(source) + 1; axis < shape.size();
         ++axis) {
      stride *= static_cast<uint64_t>(shape[axis]);
    }
    return static_cast<int64_t>(stride);
  }

  int64_t StrideOf(size_t operand, size_t axis) const {
    const AlignedCell& cell = alignment_.cell(operand, axis);
    if (cell.relation != Relation::kMatch) return 0;
    return DenseStride(alignment_.operand(operand), cell.source_axis);
  }

  // Whether every operand walks `outer` as a continuation of the loop that
  // ends in axis `inner` and has `extent` steps in all.
  bool Continues(size_t outer, size_t inner, int64_t extent) const {
    for (size_t operand = 0; operand < dtypes_.size(); ++operand) {
      const uint64_t step = static_cast<uint64_t>(StrideOf(operand, inner)) *
                            static_cast<uint64_t>(extent);
      if (static_cast<uint64_t>(StrideOf(operand, outer)) != step) return false;
    }
    return true;
  }

  // Visits the coalesced loops, innermost first: visit(extent, axis), where
  // `axis` is the innermost axis of the loop, whose strides are the loop's.
  template <class Visit>
  void ForEachLoop(Visit visit) const {
    const ShapeView output = alignment_.output();
    int64_t extent = 0;  // of the loop in hand; 0: none yet
    size_t inner = 0;
    for (size_t axis = output.size(); axis-- > 0;) {
      if (output[axis] == 1) continue;
      if (extent != 0 && Continues(axis, inner, extent)) {
        extent *= output[axis];
        continue;
      }
      if (extent != 0) visit(extent, inner);
      extent = output[axis];
      inner = axis;
    }
    if (extent != 0) visit(extent, inner);
  }

  bool MakeLoops() {
    const ShapeView output = alignment_.output();
    for (int64_t extent : output) {
      if (extent != 0) continue;
      // Nothing to do: one loop of no steps.
      return plan_.loops_.Reset(1, allocator_) &&
             plan_.strides_.Reset(dtypes_.size(), allocator_);
    }
    size_t loops = 0;
    ForEachLoop([&](int64_t, size_t) { ++loops; });
    if (!plan_.loops_.Reset(loops, allocator_) ||
        !plan_.strides_.Reset(loops, dtypes_.size(), allocator_)) {
      return false;
    }
    size_t loop = loops;
    ForEachLoop([&](int64_t extent, size_t axis) {
      --loop;
      plan_.loops_[loop] = extent;
      for (size_t operand = 0; operand < dtypes_.size(); ++operand) {
        plan_.strides_[operand * loops + loop] = StrideOf(operand, axis);
      }
    });
    return true;
  }

  const Op op_;
  const Alignment& alignment_;
  const std::span<const DType> dtypes_;
  const OpAttributes& attributes_;
  const Allocator& allocator_;
  Plan& plan_;
};

Result<Plan> Plan::Make(Op op, const Alignment& alignment,
                        std::span<const DType> dtypes,
                        const OpAttributes& attributes,
                        const Allocator& allocator) noexcept {
  Result<Plan> plan;
  if (Status made =
          Planner(op, alignment, dtypes, attributes, allocator, *plan).Make();
      !made) {
    plan = std::unexpected(made.error());
  }
  return plan;
}

}  // namespace v1
}  // namespace broadloom
