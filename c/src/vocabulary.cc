#include "vocabulary.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"

namespace broadloom_c {
namespace {

template <class Enum>
struct Row {
  Enum value;
  int32_t number;
};

constexpr Row<DType> kDTypes[] = {
    {DType::kBool, BL_DTYPE_BOOL},     {DType::kI8, BL_DTYPE_I8},
    {DType::kI16, BL_DTYPE_I16},       {DType::kI32, BL_DTYPE_I32},
    {DType::kI64, BL_DTYPE_I64},       {DType::kU8, BL_DTYPE_U8},
    {DType::kU16, BL_DTYPE_U16},       {DType::kU32, BL_DTYPE_U32},
    {DType::kU64, BL_DTYPE_U64},       {DType::kF16, BL_DTYPE_F16},
    {DType::kBF16, BL_DTYPE_BF16},     {DType::kF32, BL_DTYPE_F32},
    {DType::kF64, BL_DTYPE_F64},       {DType::kF8E4M3, BL_DTYPE_F8E4M3},
    {DType::kF8E5M2, BL_DTYPE_F8E5M2}, {DType::kC64, BL_DTYPE_C64},
    {DType::kC128, BL_DTYPE_C128},     {DType::kI4, BL_DTYPE_I4},
    {DType::kU4, BL_DTYPE_U4},         {DType::kU1, BL_DTYPE_U1},
};
constexpr Row<Op> kOps[] = {
    {Op::kAdd, BL_OP_ADD},
    {Op::kSub, BL_OP_SUB},
    {Op::kMul, BL_OP_MUL},
    {Op::kDiv, BL_OP_DIV},
    {Op::kMod, BL_OP_MOD},
    {Op::kPow, BL_OP_POW},
    {Op::kSquaredDifference, BL_OP_SQUARED_DIFFERENCE},
    {Op::kMax, BL_OP_MAX},
    {Op::kMin, BL_OP_MIN},
    {Op::kSum, BL_OP_SUM},
    {Op::kMean, BL_OP_MEAN},
    {Op::kEqual, BL_OP_EQUAL},
    {Op::kNotEqual, BL_OP_NOT_EQUAL},
    {Op::kLess, BL_OP_LESS},
    {Op::kLessOrEqual, BL_OP_LESS_OR_EQUAL},
    {Op::kGreater, BL_OP_GREATER},
    {Op::kGreaterOrEqual, BL_OP_GREATER_OR_EQUAL},
    {Op::kAnd, BL_OP_AND},
    {Op::kOr, BL_OP_OR},
    {Op::kXor, BL_OP_XOR},
    {Op::kBitwiseAnd, BL_OP_BITWISE_AND},
    {Op::kBitwiseOr, BL_OP_BITWISE_OR},
    {Op::kBitwiseXor, BL_OP_BITWISE_XOR},
    {Op::kBitShift, BL_OP_BIT_SHIFT},
    {Op::kPRelu, BL_OP_PRELU},
    {Op::kWhere, BL_OP_WHERE},
    {Op::kCast, BL_OP_CAST},
    {Op::kBroadcast, BL_OP_BROADCAST},
};
constexpr Row<Rule> kRules[] = {
    {Rule::kNone, BL_RULE_NONE},
    {Rule::kNumpy, BL_RULE_NUMPY},
    {Rule::kOnnxMultidirectional, BL_RULE_ONNX_MULTIDIRECTIONAL},
    {Rule::kOnnxUnidirectional, BL_RULE_ONNX_UNIDIRECTIONAL},
    {Rule::kPdpd, BL_RULE_PDPD},
    {Rule::kBidirectional, BL_RULE_BIDIRECTIONAL},
    {Rule::kBroadcastNumpy, BL_RULE_BROADCAST_NUMPY},
    {Rule::kExplicit, BL_RULE_EXPLICIT},
    {Rule::kSonnx, BL_RULE_SONNX},
};
constexpr Row<ErrorClass> kErrorClasses[] = {
    {ErrorClass::kParse, BL_ERROR_PARSE},
    {ErrorClass::kUnknown, BL_ERROR_UNKNOWN},
    {ErrorClass::kArity, BL_ERROR_ARITY},
    {ErrorClass::kAttribute, BL_ERROR_ATTRIBUTE},
    {ErrorClass::kExtent, BL_ERROR_EXTENT},
    {ErrorClass::kDType, BL_ERROR_DTYPE},
    {ErrorClass::kLength, BL_ERROR_LENGTH},
    {ErrorClass::kIncompatible, BL_ERROR_INCOMPATIBLE},
    {ErrorClass::kRank, BL_ERROR_RANK},
    {ErrorClass::kAxis, BL_ERROR_AXIS},
    {ErrorClass::kAxesMapping, BL_ERROR_AXES_MAPPING},
    {ErrorClass::kNegativeDim, BL_ERROR_NEGATIVE_DIM},
    {ErrorClass::kPolicy, BL_ERROR_POLICY},
    {ErrorClass::kOverflow, BL_ERROR_OVERFLOW},
    {ErrorClass::kLimit, BL_ERROR_LIMIT},
    {ErrorClass::kOverlap, BL_ERROR_OVERLAP},
    {ErrorClass::kAllocation, BL_ERROR_ALLOCATION},
};
constexpr Row<Detail> kDetails[] = {
    {Detail::kNoDetail, 0},
    {Detail::kSize, BL_DETAIL_SIZE},
    {Detail::kUnsorted, BL_DETAIL_UNSORTED},
    {Detail::kOutOfRange, BL_DETAIL_OUT_OF_RANGE},
    {Detail::kDuplicate, BL_DETAIL_DUPLICATE},
    {Detail::kMissing, BL_DETAIL_MISSING},
    {Detail::kUnexpected, BL_DETAIL_UNEXPECTED},
    {Detail::kFractional, BL_DETAIL_FRACTIONAL},
    {Detail::kNegative, BL_DETAIL_NEGATIVE},
    {Detail::kUnsafe, BL_DETAIL_UNSAFE},
    {Detail::kEmptyText, BL_DETAIL_EMPTY_TEXT},
    {Detail::kBadToken, BL_DETAIL_BAD_TOKEN},
    {Detail::kNoNumber, BL_DETAIL_NO_NUMBER},
    {Detail::kUnclosed, BL_DETAIL_UNCLOSED},
    {Detail::kUnopened, BL_DETAIL_UNOPENED},
    {Detail::kTooDeep, BL_DETAIL_TOO_DEEP},
    {Detail::kTrailing, BL_DETAIL_TRAILING},
    {Detail::kOp, BL_DETAIL_OP},
    {Detail::kRule, BL_DETAIL_RULE},
    {Detail::kDTypeName, BL_DETAIL_DTYPE},
    {Detail::kStrides, BL_DETAIL_STRIDES},
    {Detail::kMixed, BL_DETAIL_MIXED},
    {Detail::kUnsupported, BL_DETAIL_UNSUPPORTED},
    {Detail::kOutput, BL_DETAIL_OUTPUT},
    {Detail::kOtherPlan, BL_DETAIL_OTHER_PLAN},
    {Detail::kMisaligned, BL_DETAIL_MISALIGNED},
    {Detail::kOtherCount, BL_DETAIL_OTHER_COUNT},
    {Detail::kOffset, BL_DETAIL_OFFSET},
    {Detail::kMemory, BL_DETAIL_MEMORY},
    {Detail::kThreads, BL_DETAIL_THREADS},
    {Detail::kNotBuilt, BL_DETAIL_NOT_BUILT},
    {Detail::kRankPromotion, BL_DETAIL_NO_RANK_PROMOTION},
    {Detail::kStretching, BL_DETAIL_NO_STRETCHING},
    {Detail::kAxisNames, BL_DETAIL_SAME_NAMES},
};
constexpr Row<Relation> kRelations[] = {
    {Relation::kMatch, BL_RELATION_MATCH},
    {Relation::kStretch, BL_RELATION_STRETCH},
    {Relation::kInsert, BL_RELATION_INSERT},
    {Relation::kConflict, BL_RELATION_CONFLICT},
};

// Whether there is a row for each value of the enum, in order, and no number
// occurs twice.
template <class Enum, size_t kCount>
consteval bool IsWhole(const Row<Enum> (&rows)[kCount], size_t values) {
  if (kCount != values) return false;
  for (size_t i = 0; i < kCount; ++i) {
    if (static_cast<size_t>(rows[i].value) != i) return false;
    for (size_t k = 0; k < i; ++k) {
      if (rows[i].number == rows[k].number) return false;
    }
  }
  return true;
}

#define BROADLOOM_COUNT(...) +1
static_assert(IsWhole(kDTypes, 0 BROADLOOM_DTYPES(BROADLOOM_COUNT)));
static_assert(IsWhole(kOps, 0 BROADLOOM_OPS(BROADLOOM_COUNT)));
static_assert(IsWhole(kRules, 0 BROADLOOM_RULES(BROADLOOM_COUNT)));
static_assert(IsWhole(kErrorClasses,
                      0 BROADLOOM_ERROR_CLASSES(BROADLOOM_COUNT)));
static_assert(IsWhole(kDetails, 0 BROADLOOM_DETAILS(BROADLOOM_COUNT)));
#undef BROADLOOM_COUNT

template <class Enum, size_t kCount>
int32_t NumberIn(const Row<Enum> (&rows)[kCount], Enum value) {
  const size_t row = static_cast<size_t>(value);
  return row < kCount ? rows[row].number : 0;
}

template <class Enum, size_t kCount>
std::optional<Enum> ValueIn(const Row<Enum> (&rows)[kCount], int32_t number) {
  // Number 0 means none, also where a row has it.
  if (number <= 0) return std::nullopt;
  // Nearly always the rows are still in the order of the numbers.
  const size_t guess = static_cast<size_t>(number) - 1;
  if (guess < kCount && rows[guess].number == number) return rows[guess].value;
  for (const Row<Enum>& row : rows) {
    if (row.number == number) return row.value;
  }
  return std::nullopt;
}

// A name of the vocabulary as a C string: names are literals, which end with a
// zero.
const char* CString(std::string_view name) {
  return name.empty() ? nullptr : name.data();
}

// The name of a number in a table of rows; null for a number that is none.
template <class Enum>
const char* NameOf(const std::optional<Enum>& value) {
  return value ? CString(Info(*value).name) : nullptr;
}

// Names of what only the C interface has.
struct OwnName {
  int32_t number;
  const char* name;
};
constexpr OwnName kOwnDetails[] = {
    {BL_DETAIL_NULL, "null"},
    {BL_DETAIL_STRUCT_SIZE, "struct_size"},
    {BL_DETAIL_NEWER, "newer"},
    {BL_DETAIL_COUNT, "count"},
    {BL_DETAIL_FLAGS, "flags"},
    {BL_DETAIL_CAPACITY, "capacity"},
    {BL_DETAIL_READ_ONLY, "read_only"},
    {BL_DETAIL_NAME, "name"},
    {BL_DETAIL_DIRECTION, "direction"},
    {BL_DETAIL_STORES, "stores"},
    {BL_DETAIL_DLPACK_VERSION, "dlpack_version"},
    {BL_DETAIL_DLPACK_DEVICE, "dlpack_device"},
    {BL_DETAIL_DLPACK_NDIM, "dlpack_ndim"},
    {BL_DETAIL_DLPACK_LANES, "dlpack_lanes"},
    {BL_DETAIL_DLPACK_TYPE, "dlpack_type"},
    {BL_DETAIL_DLPACK_PADDED, "dlpack_padded"},
    {BL_DETAIL_DLPACK_ADDRESS, "dlpack_address"},
};

}  // namespace

bl_dtype NumberOf(DType dtype) noexcept { return NumberIn(kDTypes, dtype); }
bl_op NumberOf(Op op) noexcept { return NumberIn(kOps, op); }
bl_rule NumberOf(Rule rule) noexcept { return NumberIn(kRules, rule); }
bl_error_class NumberOf(ErrorClass error_class) noexcept {
  return NumberIn(kErrorClasses, error_class);
}
bl_detail NumberOf(Detail detail) noexcept {
  return NumberIn(kDetails, detail);
}
bl_relation NumberOf(Relation relation) noexcept {
  return NumberIn(kRelations, relation);
}

std::optional<DType> DTypeOf(bl_dtype number) noexcept {
  return ValueIn(kDTypes, number);
}
std::optional<Op> OpOf(bl_op number) noexcept { return ValueIn(kOps, number); }
std::optional<Rule> RuleOf(bl_rule number) noexcept {
  return ValueIn(kRules, number);
}
std::optional<ErrorClass> ErrorClassOf(bl_error_class number) noexcept {
  return ValueIn(kErrorClasses, number);
}
std::optional<Detail> DetailOf(bl_detail number) noexcept {
  return ValueIn(kDetails, number);
}

Clause ClauseOf(const char* name) noexcept {
  if (name == nullptr) return Clause::kNoClause;
  for (const ClauseInfo& row : AllClauses()) {
    if (row.name == name) return row.clause;
  }
  return Clause::kNoClause;
}

const char* NameOf(Clause clause) noexcept {
  return CString(Info(clause).name);
}

}  // namespace broadloom_c

using namespace broadloom_c;  // NOLINT: for the definitions below

extern "C" {

const char* bl_dtype_name(bl_dtype dtype) { return NameOf(DTypeOf(dtype)); }

const char* bl_op_name(bl_op op) { return NameOf(OpOf(op)); }

const char* bl_rule_name(bl_rule rule) { return NameOf(RuleOf(rule)); }

const char* bl_error_class_name(bl_error_class error_class) {
  if (error_class == BL_OK) return "ok";
  if (error_class == BL_ERROR_ARGUMENT) return "argument";
  return NameOf(ErrorClassOf(error_class));
}

const char* bl_detail_name(bl_detail detail) {
  for (const OwnName& own : kOwnDetails) {
    if (own.number == detail) return own.name;
  }
  return NameOf(DetailOf(detail));
}

const char* bl_relation_name(bl_relation relation) {
  const std::optional<Relation> value = ValueIn(kRelations, relation);
  return value ? CString(Name(*value)) : nullptr;
}

bl_dtype bl_find_dtype(const char* name) {
  return name == nullptr ? 0 : NumberOf(FindDType(name));
}

bl_op bl_find_op(const char* name) {
  return name == nullptr ? 0 : NumberOf(FindOp(name));
}

bl_rule bl_find_rule(const char* name) {
  return name == nullptr ? 0 : NumberOf(FindRule(name));
}

int32_t bl_dtype_bits(bl_dtype dtype) {
  const std::optional<DType> value = DTypeOf(dtype);
  return value ? BitsOf(*value) : 0;
}

bl_rule bl_default_rule(bl_op op) {
  const std::optional<Op> value = OpOf(op);
  return value ? NumberOf(DefaultRule(*value)) : 0;
}

int bl_accepts(bl_op op, bl_rule rule) {
  const std::optional<Op> of = OpOf(op);
  const std::optional<Rule> by = RuleOf(rule);
  return of && by && Accepts(*of, *by);
}

const char* bl_clause_text(const char* clause) {
  return CString(Info(ClauseOf(clause)).text);
}

const char* bl_clause_place(const char* clause) {
  return CString(Info(ClauseOf(clause)).place);
}

const char* bl_clause_document(const char* clause) {
  const Clause value = ClauseOf(clause);
  if (value == Clause::kNoClause) return nullptr;
  return CString(Info(Info(value).document).title);
}

}  // extern "C"
