// The vocabulary: element types, operators, rules, error classes, documents and
// clauses. Enums, spellings, the TypeScript unions of the package and the menus
// of the page are made from the rows below. CONTRIBUTING.md lists what else has
// a place for each operator, such as its kernel.
//
// A row is X(symbol, spelling, ...). Its last column is one line of
// documentation.

#ifndef BROADLOOM_VOCABULARY_H_
#define BROADLOOM_VOCABULARY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "broadloom/internal/config.h"

namespace broadloom {
inline namespace BROADLOOM_PUBLIC v1 {

// --- Element types ----------------------------------------------------------
// X(symbol, spelling, bits of one element, kind, doc)
// Types of less than 8 bits are packed: element i of i4 and u4 is in byte i/2,
// in the low nibble for even i; element i of u1 is bit 7 - i%8 of byte i/8.
#define BROADLOOM_DTYPES(X)                                                    \
  X(kBool, "bool", 8, kBoolean, "one byte; any nonzero byte is true")          \
  X(kI8, "i8", 8, kSigned, "8-bit two's complement integer")                   \
  X(kI16, "i16", 16, kSigned, "16-bit two's complement integer")               \
  X(kI32, "i32", 32, kSigned, "32-bit two's complement integer")               \
  X(kI64, "i64", 64, kSigned, "64-bit two's complement integer")               \
  X(kU8, "u8", 8, kUnsigned, "8-bit unsigned integer")                         \
  X(kU16, "u16", 16, kUnsigned, "16-bit unsigned integer")                     \
  X(kU32, "u32", 32, kUnsigned, "32-bit unsigned integer")                     \
  X(kU64, "u64", 64, kUnsigned, "64-bit unsigned integer")                     \
  X(kF16, "f16", 16, kFloat, "IEEE 754 binary16")                              \
  X(kBF16, "bf16", 16, kFloat, "bfloat16: the upper half of binary32")         \
  X(kF32, "f32", 32, kFloat, "IEEE 754 binary32")                              \
  X(kF64, "f64", 64, kFloat, "IEEE 754 binary64")                              \
  X(kF8E4M3, "f8e4m3", 8, kOpaque, "8-bit float, 4 exponent bits; moved only") \
  X(kF8E5M2, "f8e5m2", 8, kOpaque, "8-bit float, 5 exponent bits; moved only") \
  X(kC64, "c64", 64, kOpaque, "complex of two binary32; moved only")           \
  X(kC128, "c128", 128, kOpaque, "complex of two binary64; moved only")        \
  X(kI4, "i4", 4, kOpaque, "4-bit integer, two a byte; moved only")            \
  X(kU4, "u4", 4, kOpaque, "4-bit unsigned, two a byte; moved only")           \
  X(kU1, "u1", 1, kOpaque, "1 bit, eight a byte; moved only")

// --- Operators --------------------------------------------------------------
// X(symbol, spelling, method, least operands, most operands (0: any number),
//   accepted types, result, attribute, default rule, notation, doc)
// The notation shows how an element of the result is computed: "a + b" has a
// sign between the operands, "max(a, b)" a name before all of them, "c ? a : b"
// names three operands in order.
#define BROADLOOM_OPS(X)                                                      \
  X(kAdd, "Add", "add", 2, 2, kNumbers, kSameType, kNoAttribute,              \
    kOnnxMultidirectional, "a + b", "sum of two; integers wrap")              \
  X(kSub, "Sub", "sub", 2, 2, kNumbers, kSameType, kNoAttribute,              \
    kOnnxMultidirectional, "a - b", "difference; integers wrap")              \
  X(kMul, "Mul", "mul", 2, 2, kNumbers, kSameType, kNoAttribute,              \
    kOnnxMultidirectional, "a * b", "product; integers wrap")                 \
  X(kDiv, "Div", "div", 2, 2, kNumbers, kSameType, kNoAttribute,              \
    kOnnxMultidirectional, "a / b",                                           \
    "quotient; integers truncate toward zero, x / 0 is 0")                    \
  X(kMod, "Mod", "mod", 2, 2, kModulo, kSameType, kFmod,                      \
    kOnnxMultidirectional, "a mod b",                                         \
    "remainder with the divisor's sign; with fmod=1 the dividend's")          \
  X(kPow, "Pow", "pow", 2, 2, kPower, kSameType, kNoAttribute,                \
    kOnnxMultidirectional, "a ** b",                                          \
    "a to the power b; b may be of another number type")                      \
  X(kSquaredDifference, "SquaredDifference", "squaredDifference", 2, 2,       \
    kNumbers, kSameType, kNoAttribute, kOnnxMultidirectional, "(a - b)^2",    \
    "square of the difference; integers wrap")                                \
  X(kMax, "Max", "max", 1, 0, kNumbers, kSameType, kNoAttribute,              \
    kOnnxMultidirectional, "max(a, b)",                                       \
    "largest of all inputs; NaN when any is NaN")                             \
  X(kMin, "Min", "min", 1, 0, kNumbers, kSameType, kNoAttribute,              \
    kOnnxMultidirectional, "min(a, b)",                                       \
    "smallest of all inputs; NaN when any is NaN")                            \
  X(kSum, "Sum", "sum", 1, 0, kFloats, kSameType, kNoAttribute,               \
    kOnnxMultidirectional, "a + b",                                           \
    "sum of all inputs, left to right; f16 and bf16 are added in f32")        \
  X(kMean, "Mean", "mean", 1, 0, kFloats, kSameType, kNoAttribute,            \
    kOnnxMultidirectional, "mean(a, b)",                                      \
    "sum of all inputs divided by their number")                              \
  X(kEqual, "Equal", "equal", 2, 2, kNumbersAndBool, kBoolType, kNoAttribute, \
    kOnnxMultidirectional, "a == b",                                          \
    "true where both are equal; NaN equals nothing")                          \
  X(kNotEqual, "NotEqual", "notEqual", 2, 2, kNumbersAndBool, kBoolType,      \
    kNoAttribute, kOnnxMultidirectional, "a != b",                            \
    "true where both differ; NaN differs from all")                           \
  X(kLess, "Less", "less", 2, 2, kNumbers, kBoolType, kNoAttribute,           \
    kOnnxMultidirectional, "a < b", "true where a is smaller")                \
  X(kLessOrEqual, "LessOrEqual", "lessOrEqual", 2, 2, kNumbers, kBoolType,    \
    kNoAttribute, kOnnxMultidirectional, "a <= b",                            \
    "true where a is smaller or equal")                                       \
  X(kGreater, "Greater", "greater", 2, 2, kNumbers, kBoolType, kNoAttribute,  \
    kOnnxMultidirectional, "a > b", "true where a is larger")                 \
  X(kGreaterOrEqual, "GreaterOrEqual", "greaterOrEqual", 2, 2, kNumbers,      \
    kBoolType, kNoAttribute, kOnnxMultidirectional, "a >= b",                 \
    "true where a is larger or equal")                                        \
  X(kAnd, "And", "and", 2, 2, kBooleans, kBoolType, kNoAttribute,             \
    kOnnxMultidirectional, "a && b", "true where both are")                   \
  X(kOr, "Or", "or", 2, 2, kBooleans, kBoolType, kNoAttribute,                \
    kOnnxMultidirectional, "a || b", "true where either is")                  \
  X(kXor, "Xor", "xor", 2, 2, kBooleans, kBoolType, kNoAttribute,             \
    kOnnxMultidirectional, "a xor b", "true where exactly one is")            \
  X(kBitwiseAnd, "BitwiseAnd", "bitwiseAnd", 2, 2, kIntegers, kSameType,      \
    kNoAttribute, kOnnxMultidirectional, "a & b", "bits set in both")         \
  X(kBitwiseOr, "BitwiseOr", "bitwiseOr", 2, 2, kIntegers, kSameType,         \
    kNoAttribute, kOnnxMultidirectional, "a | b", "bits set in either")       \
  X(kBitwiseXor, "BitwiseXor", "bitwiseXor", 2, 2, kIntegers, kSameType,      \
    kNoAttribute, kOnnxMultidirectional, "a ^ b", "bits set in exactly one")  \
  X(kBitShift, "BitShift", "bitShift", 2, 2, kUnsignedIntegers, kSameType,    \
    kDirection, kOnnxMultidirectional, "a shift b",                           \
    "bits moved by b; a shift of the width or more gives 0")                  \
  X(kPRelu, "PRelu", "prelu", 2, 2, kPReluTypes, kSameType, kNoAttribute,     \
    kOnnxUnidirectional, "prelu(a, b)",                                       \
    "a where a is not negative, else a times the slope b")                    \
  X(kWhere, "Where", "where", 3, 3, kChoice, kSecondType, kNoAttribute,       \
    kOnnxMultidirectional, "c ? a : b",                                       \
    "the second input where the first is true, else the third")               \
  X(kCast, "Cast", "cast", 1, 1, kNumbersAndBool, kAttributeType, kTo,        \
    kOnnxMultidirectional, "cast(a)",                                         \
    "the input as elements of the type `to`; integers wrap, or "              \
    "with saturate=1 saturate")                                               \
  X(kBroadcast, "Broadcast", "broadcast", 1, 0, kAnything, kSameType,         \
    kNoAttribute, kBroadcastNumpy, "a",                                       \
    "the input repeated into the result's shape")

// --- Rules ------------------------------------------------------------------
// X(symbol, spelling, title, doc). The row of traits in rules/rule.cc defines
// what a rule does.
#define BROADLOOM_RULES(X)                                                     \
  X(kNone, "none", "None", "shapes must be identical, rank included")          \
  X(kNumpy, "numpy", "NumPy",                                                  \
    "right-aligned; extents are equal or 1; every operand may stretch")        \
  X(kOnnxMultidirectional, "onnx_multidirectional", "ONNX multidirectional",   \
    "ONNX's form of the NumPy rule, for most of its elementwise operators")    \
  X(kOnnxUnidirectional, "onnx_unidirectional", "ONNX unidirectional",         \
    "B stretches to A, right-aligned; the result has A's shape")               \
  X(kPdpd, "pdpd", "PDPD",                                                     \
    "B lines up with A's axes starting at `axis`; trailing 1s are ignored")    \
  X(kBidirectional, "bidirectional", "Bidirectional",                          \
    "data and target stretch to each other; the result may exceed the target") \
  X(kBroadcastNumpy, "broadcast_numpy", "Broadcast-3 NumPy",                   \
    "data stretches to the target, right-aligned; never the target")           \
  X(kExplicit, "explicit", "Explicit",                                         \
    "axes_mapping names the target axis of each axis of data")                 \
  X(kSonnx, "sonnx", "SONNX",                                                  \
    "as NumPy, but every input comes back in the common shape")

// --- Errors -----------------------------------------------------------------
// X(symbol, spelling, doc).
#define BROADLOOM_ERROR_CLASSES(X)                                             \
  X(kParse, "parse", "a text is not a shape; the bad token is marked")         \
  X(kUnknown, "unknown", "no operator, rule, type or attribute of that name")  \
  X(kArity, "arity", "the rule or operator takes another number of operands")  \
  X(kAttribute, "attribute", "an option that is missing, misplaced or wrong")  \
  X(kExtent, "extent", "an extent that is negative, fractional or unsafe")     \
  X(kDType, "dtype", "element types that the operator does not take together") \
  X(kLength, "length", "the data does not hold what its shape says")           \
  X(kIncompatible, "incompatible",                                             \
    "extents that cannot be broadcast together")                               \
  X(kRank, "rank", "an operand has more axes than the rule allows")            \
  X(kAxis, "axis", "the PDPD axis is below -1 or B does not fit from it")      \
  X(kAxesMapping, "axes_mapping", "a missing, wrong or unwanted axes_mapping") \
  X(kNegativeDim, "negative_dim", "a target shape with a negative extent")     \
  X(kPolicy, "policy", "the rule allows it, but the call's policy does not")   \
  X(kOverflow, "overflow", "more than 2^63-1 elements or bytes")               \
  X(kLimit, "limit", "more bytes than the budget or platform can address")     \
  X(kOverlap, "overlap", "the result overlaps, but is not, an operand")        \
  X(kAllocation, "allocation", "memory was refused")

// X(symbol, spelling, doc): details of an error within its class.
#define BROADLOOM_DETAILS(X)                                                 \
  X(kNoDetail, "", "nothing more to say")                                    \
  X(kSize, "size", "more or fewer entries than are needed")                  \
  X(kUnsorted, "unsorted", "axes_mapping must increase")                     \
  X(kOutOfRange, "out_of_range", "an axis, index or flag that is not there") \
  X(kDuplicate, "duplicate", "two axes mapped to one")                       \
  X(kMissing, "missing", "an option that this rule needs is not given")      \
  X(kUnexpected, "unexpected", "an option that this rule does not take")     \
  X(kFractional, "fractional", "an extent must be a whole number")           \
  X(kNegative, "negative", "an extent must not be negative")                 \
  X(kUnsafe, "unsafe", "a number too large to be held exactly")              \
  X(kEmptyText, "empty_text", "there is nothing to read")                    \
  X(kBadToken, "bad_token", "neither a number nor a separator")              \
  X(kNoNumber, "no_number", "a separator without a number")                  \
  X(kUnclosed, "unclosed", "a bracket is not closed")                        \
  X(kUnopened, "unopened", "a bracket that closes none")                     \
  X(kTooDeep, "too_deep", "brackets are nested deeper than 4 levels")        \
  X(kTrailing, "trailing", "nothing may follow the bracket")                 \
  X(kOp, "op", "no operator of that name")                                   \
  X(kRule, "rule", "no rule of that name, or not for this operator")         \
  X(kDTypeName, "dtype", "no element type of that name")                     \
  X(kStrides, "strides", "one for each axis; no element is written twice")   \
  X(kMixed, "mixed", "operands of different element types")                  \
  X(kUnsupported, "unsupported", "the operator does not take this type")     \
  X(kOutput, "output", "the result's tensor has another shape or type")      \
  X(kOtherPlan, "other_plan", "blocks that were made of another plan")       \
  X(kMisaligned, "misaligned", "memory that is not aligned to 64 bytes")     \
  X(kOtherCount, "other_count", "the plan is made for another number")       \
  X(kOffset, "offset", "offset and strides lead beyond the memory")          \
  X(kMemory, "memory", "the memory to work in is too small")                 \
  X(kThreads, "threads", "more threads than there may be")                   \
  X(kNotBuilt, "not_built", "left out when the library was built")           \
  X(kRankPromotion, "no_rank_promotion", "an axis would be added")           \
  X(kStretching, "no_stretching", "an axis of extent 1 would be repeated")   \
  X(kAxisNames, "same_names", "axes with different names would line up")

// --- Documents and clauses --------------------------------------------------
// X(symbol, spelling, title)
#define BROADLOOM_DOCUMENTS(X)                                           \
  X(kBroadcastRules, "broadcast_rules",                                  \
    "OpenVINO: Broadcast Rules For Elementwise Operations")              \
  X(kBroadcastRulesPdpd, "broadcast_rules_pdpd",                         \
    "OpenVINO: Broadcast Rules For Elementwise Operations (None, PDPD)") \
  X(kOnnx, "onnx_broadcasting", "ONNX: Broadcasting in ONNX")            \
  X(kBroadcast3, "broadcast_3", "OpenVINO: Broadcast-3")                 \
  X(kSonnxBroadcast, "sonnx_broadcast", "SONNX: broadcast operator")

// X(symbol, spelling, document, place in the document, paraphrase)
#define BROADLOOM_CLAUSES(X)                                                  \
  X(kNoClause, "", kBroadcastRules, "", "")                                   \
  X(kNoneIdentical, "none.1", kBroadcastRulesPdpd, "None broadcast, 1",       \
    "the shapes must be the same")                                            \
  X(kNumpyAlign, "numpy.1", kBroadcastRules, "Numpy broadcast, 1",            \
    "axes are compared from the right")                                       \
  X(kNumpyPrepend, "numpy.2", kBroadcastRules, "Numpy broadcast, 2",          \
    "the operand of lower rank gets leading axes of extent 1")                \
  X(kNumpyCompatible, "numpy.3", kBroadcastRules, "Numpy broadcast, 3",       \
    "two extents fit when they are equal or one of them is 1")                \
  X(kNumpyStretch, "numpy.4", kBroadcastRules, "Numpy broadcast, 4",          \
    "an axis of extent 1 is repeated to the other operand's extent")          \
  X(kOnnxMultiPrepend, "onnx.multi.3", kOnnx, "Multidirectional, 3",          \
    "shapes with too few axes get leading axes of extent 1")                  \
  X(kOnnxMultiCommon, "onnx.multi.2", kOnnx, "Multidirectional, 2",           \
    "along each axis the extents are one common extent or 1")                 \
  X(kOnnxUniPrepend, "onnx.uni.3", kOnnx, "Unidirectional, 3",                \
    "B with too few axes gets leading axes of extent 1")                      \
  X(kOnnxUniCommon, "onnx.uni.2", kOnnx, "Unidirectional, 2",                 \
    "along each axis B's extent is A's or 1")                                 \
  X(kOnnxUniResult, "onnx.uni.result", kOnnx,                                 \
    "Unidirectional, shape of the output",                                    \
    "the result has A's shape, so A never stretches")                         \
  X(kPdpdRank, "pdpd.1", kBroadcastRulesPdpd, "PDPD broadcast, 1",            \
    "B has at most as many axes as A")                                        \
  X(kPdpdSubsequence, "pdpd.2", kBroadcastRulesPdpd, "PDPD broadcast, 2",     \
    "B's extents equal those of consecutive axes of A, or are 1")             \
  X(kPdpdAxis, "pdpd.3", kBroadcastRulesPdpd, "PDPD broadcast, 3",            \
    "B lines up with A's axes from `axis` on; the result has A's shape")      \
  X(kPdpdDefaultAxis, "pdpd.4", kBroadcastRulesPdpd, "PDPD broadcast, 4",     \
    "axis -1 means rank(A) - rank(B)")                                        \
  X(kPdpdTrailingOnes, "pdpd.5", kBroadcastRulesPdpd, "PDPD broadcast, 5",    \
    "trailing axes of extent 1 of B are ignored")                             \
  X(kBidirectionalAlign, "bidirectional.1", kBroadcastRules,                  \
    "Bidirectional broadcast, 1", "data and target are aligned at the right") \
  X(kBidirectionalMultiply, "bidirectional.2", kBroadcastRules,               \
    "Bidirectional broadcast, 2",                                             \
    "the result is what data times ones(target) would be")                    \
  X(kBidirectionalCompatible, "bidirectional.3", kBroadcastRules,             \
    "Bidirectional broadcast, 3",                                             \
    "two extents fit when they are equal or one of them is 1")                \
  X(kBroadcast3Numpy, "broadcast_3.numpy", kBroadcast3, "mode: numpy",        \
    "data stretches to target_shape, target_shape never to data")             \
  X(kBroadcast3Explicit, "broadcast_3.explicit", kBroadcast3,                 \
    "mode: explicit", "each axis of data goes where axes_mapping says")       \
  X(kBroadcast3Mapping, "broadcast_3.axes_mapping", kBroadcast3,              \
    "input 3: axes_mapping",                                                  \
    "one sorted entry for each axis of data, for mode explicit alone")        \
  X(kBroadcast3Target, "broadcast_3.target_shape", kBroadcast3,               \
    "input 2: target_shape", "the extents that the result is to have")        \
  X(kSonnxRank, "sonnx.rank", kSonnxBroadcast, "Purpose",                     \
    "missing axes are added at the lower indexes with extent 1")              \
  X(kSonnxC1, "sonnx.C1", kSonnxBroadcast, "Constraints, C1",                 \
    "along each axis an extent is the common one or 1")                       \
  X(kSonnxRelation, "sonnx.relation", kSonnxBroadcast, "Functionality",       \
    "along an axis of extent 1 every output index reads the only element")

// --- Enums, made from the rows ----------------------------------------------

#define BROADLOOM_SYMBOL(symbol, ...) symbol,
enum class DType : uint8_t { BROADLOOM_DTYPES(BROADLOOM_SYMBOL) };
enum class Op : uint8_t { BROADLOOM_OPS(BROADLOOM_SYMBOL) };
enum class Rule : uint8_t { BROADLOOM_RULES(BROADLOOM_SYMBOL) };
enum class ErrorClass : uint8_t { BROADLOOM_ERROR_CLASSES(BROADLOOM_SYMBOL) };
enum class Detail : uint8_t { BROADLOOM_DETAILS(BROADLOOM_SYMBOL) };
enum class Document : uint8_t { BROADLOOM_DOCUMENTS(BROADLOOM_SYMBOL) };
enum class Clause : uint8_t { BROADLOOM_CLAUSES(BROADLOOM_SYMBOL) };
#undef BROADLOOM_SYMBOL

enum class DTypeKind : uint8_t {
  kBoolean,
  kSigned,
  kUnsigned,
  kFloat,
  kOpaque
};

// The element types that an operator takes.
enum class TypeClass : uint8_t {
  kNumbers,           // integers and floats
  kFloats,            // f16 bf16 f32 f64
  kIntegers,          // i8 to u64
  kUnsignedIntegers,  // u8 to u64
  kBooleans,          // bool
  kNumbersAndBool,    // kNumbers and bool
  kModulo,            // integers; floats with fmod=1 only
  kPower,             // kNumbers, the exponent any of them
  kPReluTypes,        // floats, i32 i64 u32 u64
  kChoice,            // bool, then two of any one type
  kAnything,          // every type there is
};

enum class ResultType : uint8_t {
  kSameType,
  kBoolType,
  kSecondType,
  kAttributeType,  // that of the attribute `to`
};

// The attribute that an operator takes.
enum class OpAttribute : uint8_t {
  kNoAttribute,
  kFmod,       // integer: 0 (default) or 1
  kDirection,  // "left" or "right", no default
  kTo,  // an element type, no default; with it "saturate": 0 (default), 1
};

// The bits of each type. Not inside the function that reads it: some compilers
// would copy it to the stack for each call.
#define BROADLOOM_BITS(symbol, name, bits, kind, doc) bits,
inline constexpr uint8_t kBitsOfDTypes[] = {BROADLOOM_DTYPES(BROADLOOM_BITS)};
#undef BROADLOOM_BITS

// Whether the value is one of the enum's. An enum can hold other numbers; given
// one, functions return kUnknown or what their comment says.
#define BROADLOOM_COUNT(...) +1
[[nodiscard]] constexpr bool IsKnown(DType dtype) noexcept {
  return static_cast<size_t>(dtype) < 0 BROADLOOM_DTYPES(BROADLOOM_COUNT);
}
[[nodiscard]] constexpr bool IsKnown(Op op) noexcept {
  return static_cast<size_t>(op) < 0 BROADLOOM_OPS(BROADLOOM_COUNT);
}
[[nodiscard]] constexpr bool IsKnown(Rule rule) noexcept {
  return static_cast<size_t>(rule) < 0 BROADLOOM_RULES(BROADLOOM_COUNT);
}
#undef BROADLOOM_COUNT

// Bits of one element: 1, 4, 8, 16, 32, 64 or 128; 8 for an unknown type.
[[nodiscard]] constexpr int BitsOf(DType dtype) noexcept {
  return IsKnown(dtype) ? kBitsOfDTypes[static_cast<size_t>(dtype)] : 8;
}

// --- The rows as values -----------------------------------------------------

struct DTypeInfo {
  DType dtype;
  std::string_view name;
  int bits;  // of one element
  DTypeKind kind;
  std::string_view doc;
};

struct OpInfo {
  Op op;
  std::string_view name;
  std::string_view method;  // in JavaScript
  size_t least_operands;
  size_t most_operands;  // 0: any number
  TypeClass types;
  ResultType result;
  OpAttribute attribute;
  Rule default_rule;
  std::string_view notation;
  std::string_view doc;
};

struct RuleInfo {
  Rule rule;
  std::string_view name;
  std::string_view title;
  std::string_view doc;
};

struct ErrorClassInfo {
  ErrorClass error_class;
  std::string_view name;
  std::string_view doc;
};

struct DetailInfo {
  Detail detail;
  std::string_view name;
  std::string_view doc;
};

struct DocumentInfo {
  Document document;
  std::string_view name;
  std::string_view title;
};

struct ClauseInfo {
  Clause clause;
  std::string_view name;
  Document document;
  std::string_view place;  // in the document
  std::string_view text;
};

// All rows, in order. The value of an enum is the index of its row.
[[nodiscard]] std::span<const DTypeInfo> AllDTypes() noexcept;
[[nodiscard]] std::span<const OpInfo> AllOps() noexcept;
[[nodiscard]] std::span<const RuleInfo> AllRules() noexcept;
[[nodiscard]] std::span<const ErrorClassInfo> AllErrorClasses() noexcept;
[[nodiscard]] std::span<const DetailInfo> AllDetails() noexcept;
[[nodiscard]] std::span<const DocumentInfo> AllDocuments() noexcept;
[[nodiscard]] std::span<const ClauseInfo> AllClauses() noexcept;

// The row of a value; an empty row for an unknown value. Example:
//   assert(Info(Op::kAdd).name == "Add");
[[nodiscard]] const DTypeInfo& Info(DType dtype) noexcept;
[[nodiscard]] const OpInfo& Info(Op op) noexcept;
[[nodiscard]] const RuleInfo& Info(Rule rule) noexcept;
[[nodiscard]] const ErrorClassInfo& Info(ErrorClass error_class) noexcept;
[[nodiscard]] const DetailInfo& Info(Detail detail) noexcept;
[[nodiscard]] const DocumentInfo& Info(Document document) noexcept;
[[nodiscard]] const ClauseInfo& Info(Clause clause) noexcept;

// The value with exactly this spelling, or none.
// Example:
//   assert(FindDType("f32") == DType::kF32);
//   assert(FindOp("Add") == Op::kAdd && !FindRule("onnx"));
[[nodiscard]] std::optional<DType> FindDType(std::string_view name) noexcept;
[[nodiscard]] std::optional<Op> FindOp(std::string_view name) noexcept;
[[nodiscard]] std::optional<Rule> FindRule(std::string_view name) noexcept;

// Whether operators of class `types` take a type of this kind and number of
// bits as operand `operand`. `fmod`: whether Mod has fmod=1.
[[nodiscard]] constexpr bool Takes(TypeClass types, size_t operand,
                                   DTypeKind kind, int bits,
                                   bool fmod) noexcept {
  const bool is_float = kind == DTypeKind::kFloat;
  const bool is_integer =
      kind == DTypeKind::kSigned || kind == DTypeKind::kUnsigned;
  switch (types) {
    case TypeClass::kNumbers:
    case TypeClass::kPower:
      return is_integer || is_float;
    case TypeClass::kFloats:
      return is_float;
    case TypeClass::kIntegers:
      return is_integer;
    case TypeClass::kUnsignedIntegers:
      return kind == DTypeKind::kUnsigned;
    case TypeClass::kBooleans:
      return kind == DTypeKind::kBoolean;
    case TypeClass::kNumbersAndBool:
      return is_integer || is_float || kind == DTypeKind::kBoolean;
    case TypeClass::kModulo:
      return is_integer || (is_float && fmod);
    case TypeClass::kPReluTypes:
      return is_float || (is_integer && bits >= 32);
    case TypeClass::kChoice:
      return operand != 0 || kind == DTypeKind::kBoolean;
    case TypeClass::kAnything:
      return true;
  }
  return false;
}

// Takes() for all types, as bits: bit i is the type of row i. Indexed by
// whether the operand is not the first, and by fmod. A table, since each
// operand of each plan is checked.
struct TakenTypes {
  uint32_t types[2][2];
};

#define BROADLOOM_TAKEN(symbol, name, bits, kind, doc)                        \
  if (Takes(types, operand, DTypeKind::kind, bits, fmod)) {                   \
    taken.types[operand][fmod] |= 1u << static_cast<unsigned>(DType::symbol); \
  }
[[nodiscard]] constexpr TakenTypes TypesTaken(TypeClass types) noexcept {
  TakenTypes taken = {};
  for (const size_t operand : {size_t{0}, size_t{1}}) {
    for (const bool fmod : {false, true}) {
      BROADLOOM_DTYPES(BROADLOOM_TAKEN)
    }
  }
  return taken;
}
#undef BROADLOOM_TAKEN

#define BROADLOOM_TAKEN(symbol, name, method, least, most, types, ...) \
  TypesTaken(TypeClass::types),
inline constexpr TakenTypes kTypesTaken[] = {BROADLOOM_OPS(BROADLOOM_TAKEN)};
#undef BROADLOOM_TAKEN

#define BROADLOOM_CLASS(symbol, name, method, least, most, types, ...) \
  TypeClass::types,
inline constexpr TypeClass kTypeClasses[] = {BROADLOOM_OPS(BROADLOOM_CLASS)};
#undef BROADLOOM_CLASS

// Whether an operator takes this type as operand `operand`. `fmod`: whether Mod
// has fmod=1. Which operands must have equal types is determined by TypeLeader.
[[nodiscard]] constexpr bool Accepts(Op op, size_t operand, DType dtype,
                                     bool fmod = false) noexcept {
  if (!IsKnown(op) || !IsKnown(dtype)) return false;
  const TakenTypes& taken = kTypesTaken[static_cast<size_t>(op)];
  return (taken.types[operand != 0][fmod] >> static_cast<unsigned>(dtype) &
          1) != 0;
}

// The operand (perhaps itself) whose type operand `operand` must have, or none
// if its type does not depend on another: Where's condition, Pow's exponent.
// Example:
//   assert(TypeLeader(Op::kAdd, 1) == 0 && TypeLeader(Op::kWhere, 2) == 1);
[[nodiscard]] constexpr std::optional<size_t> TypeLeader(
    Op op, size_t operand) noexcept {
  if (!IsKnown(op)) return std::nullopt;
  switch (kTypeClasses[static_cast<size_t>(op)]) {
    case TypeClass::kChoice:
      if (operand == 0) return std::nullopt;
      return 1;
    case TypeClass::kPower:
      if (operand == 1) return std::nullopt;
      return 0;
    default:
      return 0;
  }
}

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_VOCABULARY_H_
