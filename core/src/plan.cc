#include "broadloom/plan.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>

#include "broadloom/alignment.h"
#include "broadloom/memory.h"
#include "broadloom/nest.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/schedule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"
#include "kernels/kernels.h"

namespace broadloom {
inline namespace v1 {

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

namespace {
struct Here;
}  // namespace

// A template, as Aligner is.
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
    if (!Copy()) return std::unexpected(Fault(ErrorClass::kAllocation));
    if (Status counted = CountAllBytes(); !counted) return counted;
    if (!MakeLoops()) return std::unexpected(Fault(ErrorClass::kAllocation));
    return {};
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
      const DType dtype = dtypes_[operand];
      if (!Accepts(op_, operand, dtype, fmod)) return WrongType(operand, {});
      const std::optional<size_t> leader = TypeLeader(op_, operand);
      if (leader && dtype != dtypes_[*leader]) {
        return WrongType(operand, leader);
      }
    }
    return {};
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
      case ResultType::kSameType:
        break;
    }
    return dtypes_[0];
  }

  bool Copy() {
    const size_t operands = dtypes_.size();
    const size_t rank = alignment_.rank();
    plan_.outputs_ = op_ == Op::kBroadcast ? operands : 1;
    plan_.output_dtype_ = ResultDType();
    size_t total = 0;
    for (size_t i = 0; i < operands; ++i) total += alignment_.operand(i).size();
    if (!plan_.dtypes_.CopyFrom(dtypes_, allocator_) ||
        !plan_.output_.CopyFrom(alignment_.output(), allocator_) ||
        !plan_.extents_.ResetForOverwrite(total, allocator_) ||
        !plan_.dense_.ResetForOverwrite(total, allocator_) ||
        !plan_.begins_.ResetForOverwrite(operands + 1, allocator_) ||
        !plan_.sources_.ResetForOverwrite(operands, rank, allocator_) ||
        !plan_.bytes_.ResetForOverwrite(operands + plan_.outputs_,
                                        allocator_)) {
      return false;
    }
    int64_t* const extents = plan_.extents_.data();
    int64_t* const dense = plan_.dense_.data();
    size_t* const begins = plan_.begins_.data();
    int32_t* sources = plan_.sources_.data();
    size_t at = 0;
    for (size_t i = 0; i < operands; ++i) {
      begins[i] = at;
      const ShapeView shape = alignment_.operand(i);
      // May wrap for operands without elements, which are never walked.
      uint64_t stride = 1;
      for (size_t axis = shape.size(); axis-- > 0;) {
        extents[at + axis] = shape[axis];
        dense[at + axis] = static_cast<int64_t>(stride);
        stride *= static_cast<uint64_t>(shape[axis]);
      }
      at += shape.size();
      for (size_t axis = 0; axis < rank; ++axis) {
        const AlignedCell& cell = alignment_.cell(i, axis);
        *sources++ =
            cell.relation == Relation::kMatch ? cell.source_axis : kAbsent;
      }
    }
    begins[operands] = at;
    return true;
  }

  // The bytes of every operand and of the results have to be countable; that
  // they can be had is the caller's affair.
  Status CountAllBytes() {
    const size_t operands = dtypes_.size();
    uint64_t* const bytes = plan_.bytes_.data();
    for (size_t i = 0; i < operands; ++i) {
      if (CountInto(plan_.operand_shape(i), dtypes_[i], bytes[i])) continue;
      return Uncountable(plan_.operand_shape(i), dtypes_[i],
                         static_cast<int32_t>(i));
    }
    for (size_t i = 0; i < plan_.outputs_; ++i) {
      const DType dtype = plan_.output_dtype(i);
      if (CountInto(plan_.output_shape(), dtype, bytes[operands + i])) continue;
      return Uncountable(plan_.output_shape(), dtype, kOutputOperand);
    }
    return {};
  }

  // As CountBytes, which says what is wrong where this says false.
  static bool CountInto(ShapeView shape, DType dtype, uint64_t& bytes) {
    int64_t bits = BitsOf(dtype);
    bool overflow = false;
    bool empty = false;
    for (const int64_t extent : shape) {
      overflow |= __builtin_mul_overflow(bits, extent, &bits);
      empty |= extent == 0;
    }
    if (empty) bits = 0;
    bytes = static_cast<uint64_t>(bits) / 8 + (bits % 8 != 0);
    if (!overflow || empty) return true;
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
    // As StrideAlong says.
    const size_t rank = alignment_.rank();
    const auto stride_along =
        [rank, sources = plan_.sources_.data(), begins = plan_.begins_.data(),
         dense = plan_.dense_.data()](size_t operand, size_t axis) {
          const int32_t source = sources[operand * rank + axis];
          return source < 0
                     ? 0
                     : dense[begins[operand] + static_cast<size_t>(source)];
        };
    InlineArray<uint8_t, kInlineOperands> bits;
    if (!plan_.nest_.Reset(plan_.output_shape(), operands, stride_along,
                           allocator_) ||
        !bits.ResetForOverwrite(operands, allocator_)) {
      return false;
    }
    for (size_t i = 0; i < operands; ++i) {
      bits[i] = static_cast<uint8_t>(BitsOf(dtypes_[i]));
    }
    return plan_.schedule_.Reset(
        plan_.nest_, bits.view(),
        static_cast<uint8_t>(BitsOf(plan_.output_dtype())), allocator_);
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
          Planner<Here>(op, alignment, dtypes, attributes, allocator, *plan)
              .Make();
      !made) {
    plan = std::unexpected(made.error());
  }
  return plan;
}

}  // namespace v1
}  // namespace broadloom
