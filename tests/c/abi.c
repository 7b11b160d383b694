// The ABI: constants keep their numbers and spellings, structs their layout. A
// change of what is here is a change of BL_ABI_VERSION; rows and fields that
// are added at an end are not.

#include <string.h>

#include "check.h"

typedef struct {
  const char* name;
  int32_t constant;  // as the header has it
  int32_t number;
} Row;

static const Row kDtypes[] = {
    {"bool", BL_DTYPE_BOOL, 1},      {"i8", BL_DTYPE_I8, 2},
    {"i16", BL_DTYPE_I16, 3},        {"i32", BL_DTYPE_I32, 4},
    {"i64", BL_DTYPE_I64, 5},        {"u8", BL_DTYPE_U8, 6},
    {"u16", BL_DTYPE_U16, 7},        {"u32", BL_DTYPE_U32, 8},
    {"u64", BL_DTYPE_U64, 9},        {"f16", BL_DTYPE_F16, 10},
    {"bf16", BL_DTYPE_BF16, 11},     {"f32", BL_DTYPE_F32, 12},
    {"f64", BL_DTYPE_F64, 13},       {"f8e4m3", BL_DTYPE_F8E4M3, 14},
    {"f8e5m2", BL_DTYPE_F8E5M2, 15}, {"c64", BL_DTYPE_C64, 16},
    {"c128", BL_DTYPE_C128, 17},     {"i4", BL_DTYPE_I4, 18},
    {"u4", BL_DTYPE_U4, 19},         {"u1", BL_DTYPE_U1, 20},
};
static const Row kOps[] = {
    {"Add", BL_OP_ADD, 1},
    {"Sub", BL_OP_SUB, 2},
    {"Mul", BL_OP_MUL, 3},
    {"Div", BL_OP_DIV, 4},
    {"Mod", BL_OP_MOD, 5},
    {"Pow", BL_OP_POW, 6},
    {"SquaredDifference", BL_OP_SQUARED_DIFFERENCE, 7},
    {"Max", BL_OP_MAX, 8},
    {"Min", BL_OP_MIN, 9},
    {"Sum", BL_OP_SUM, 10},
    {"Mean", BL_OP_MEAN, 11},
    {"Equal", BL_OP_EQUAL, 12},
    {"NotEqual", BL_OP_NOT_EQUAL, 13},
    {"Less", BL_OP_LESS, 14},
    {"LessOrEqual", BL_OP_LESS_OR_EQUAL, 15},
    {"Greater", BL_OP_GREATER, 16},
    {"GreaterOrEqual", BL_OP_GREATER_OR_EQUAL, 17},
    {"And", BL_OP_AND, 18},
    {"Or", BL_OP_OR, 19},
    {"Xor", BL_OP_XOR, 20},
    {"BitwiseAnd", BL_OP_BITWISE_AND, 21},
    {"BitwiseOr", BL_OP_BITWISE_OR, 22},
    {"BitwiseXor", BL_OP_BITWISE_XOR, 23},
    {"BitShift", BL_OP_BIT_SHIFT, 24},
    {"PRelu", BL_OP_PRELU, 25},
    {"Where", BL_OP_WHERE, 26},
    {"Cast", BL_OP_CAST, 27},
    {"Broadcast", BL_OP_BROADCAST, 28},
};
static const Row kRules[] = {
    {"none", BL_RULE_NONE, 1},
    {"numpy", BL_RULE_NUMPY, 2},
    {"onnx_multidirectional", BL_RULE_ONNX_MULTIDIRECTIONAL, 3},
    {"onnx_unidirectional", BL_RULE_ONNX_UNIDIRECTIONAL, 4},
    {"pdpd", BL_RULE_PDPD, 5},
    {"bidirectional", BL_RULE_BIDIRECTIONAL, 6},
    {"broadcast_numpy", BL_RULE_BROADCAST_NUMPY, 7},
    {"explicit", BL_RULE_EXPLICIT, 8},
    {"sonnx", BL_RULE_SONNX, 9},
};
static const Row kErrorClasses[] = {
    {"ok", BL_OK, 0},
    {"parse", BL_ERROR_PARSE, 1},
    {"unknown", BL_ERROR_UNKNOWN, 2},
    {"arity", BL_ERROR_ARITY, 3},
    {"attribute", BL_ERROR_ATTRIBUTE, 4},
    {"extent", BL_ERROR_EXTENT, 5},
    {"dtype", BL_ERROR_DTYPE, 6},
    {"length", BL_ERROR_LENGTH, 7},
    {"incompatible", BL_ERROR_INCOMPATIBLE, 8},
    {"rank", BL_ERROR_RANK, 9},
    {"axis", BL_ERROR_AXIS, 10},
    {"axes_mapping", BL_ERROR_AXES_MAPPING, 11},
    {"negative_dim", BL_ERROR_NEGATIVE_DIM, 12},
    {"policy", BL_ERROR_POLICY, 13},
    {"overflow", BL_ERROR_OVERFLOW, 14},
    {"limit", BL_ERROR_LIMIT, 15},
    {"overlap", BL_ERROR_OVERLAP, 16},
    {"allocation", BL_ERROR_ALLOCATION, 17},
    {"argument", BL_ERROR_ARGUMENT, 100},
};
static const Row kDetails[] = {
    {"size", BL_DETAIL_SIZE, 1},
    {"unsorted", BL_DETAIL_UNSORTED, 2},
    {"out_of_range", BL_DETAIL_OUT_OF_RANGE, 3},
    {"duplicate", BL_DETAIL_DUPLICATE, 4},
    {"missing", BL_DETAIL_MISSING, 5},
    {"unexpected", BL_DETAIL_UNEXPECTED, 6},
    {"fractional", BL_DETAIL_FRACTIONAL, 7},
    {"negative", BL_DETAIL_NEGATIVE, 8},
    {"unsafe", BL_DETAIL_UNSAFE, 9},
    {"empty_text", BL_DETAIL_EMPTY_TEXT, 10},
    {"bad_token", BL_DETAIL_BAD_TOKEN, 11},
    {"no_number", BL_DETAIL_NO_NUMBER, 12},
    {"unclosed", BL_DETAIL_UNCLOSED, 13},
    {"unopened", BL_DETAIL_UNOPENED, 14},
    {"too_deep", BL_DETAIL_TOO_DEEP, 15},
    {"trailing", BL_DETAIL_TRAILING, 16},
    {"op", BL_DETAIL_OP, 17},
    {"rule", BL_DETAIL_RULE, 18},
    {"dtype", BL_DETAIL_DTYPE, 19},
    {"strides", BL_DETAIL_STRIDES, 20},
    {"mixed", BL_DETAIL_MIXED, 21},
    {"unsupported", BL_DETAIL_UNSUPPORTED, 22},
    {"output", BL_DETAIL_OUTPUT, 23},
    {"other_plan", BL_DETAIL_OTHER_PLAN, 24},
    {"misaligned", BL_DETAIL_MISALIGNED, 25},
    {"other_count", BL_DETAIL_OTHER_COUNT, 26},
    {"offset", BL_DETAIL_OFFSET, 27},
    {"memory", BL_DETAIL_MEMORY, 28},
    {"threads", BL_DETAIL_THREADS, 29},
    {"not_built", BL_DETAIL_NOT_BUILT, 30},
    {"no_rank_promotion", BL_DETAIL_NO_RANK_PROMOTION, 31},
    {"no_stretching", BL_DETAIL_NO_STRETCHING, 32},
    {"same_names", BL_DETAIL_SAME_NAMES, 33},
    {"null", BL_DETAIL_NULL, 100},
    {"struct_size", BL_DETAIL_STRUCT_SIZE, 101},
    {"newer", BL_DETAIL_NEWER, 102},
    {"count", BL_DETAIL_COUNT, 103},
    {"flags", BL_DETAIL_FLAGS, 104},
    {"capacity", BL_DETAIL_CAPACITY, 105},
    {"read_only", BL_DETAIL_READ_ONLY, 106},
    {"name", BL_DETAIL_NAME, 107},
    {"direction", BL_DETAIL_DIRECTION, 108},
    {"stores", BL_DETAIL_STORES, 109},
    {"dlpack_version", BL_DETAIL_DLPACK_VERSION, 120},
    {"dlpack_device", BL_DETAIL_DLPACK_DEVICE, 121},
    {"dlpack_ndim", BL_DETAIL_DLPACK_NDIM, 122},
    {"dlpack_lanes", BL_DETAIL_DLPACK_LANES, 123},
    {"dlpack_type", BL_DETAIL_DLPACK_TYPE, 124},
    {"dlpack_padded", BL_DETAIL_DLPACK_PADDED, 125},
    {"dlpack_address", BL_DETAIL_DLPACK_ADDRESS, 126},
};
static const Row kRelations[] = {
    {"match", BL_RELATION_MATCH, 1},
    {"stretch", BL_RELATION_STRETCH, 2},
    {"insert", BL_RELATION_INSERT, 3},
    {"conflict", BL_RELATION_CONFLICT, 4},
};

// Layouts, where pointers have 64 bits.
#define SIZE(type, bytes) \
  _Static_assert(sizeof(void*) != 8 || sizeof(type) == (bytes), #type)
#define FIELD(type, field, offset)                                        \
  _Static_assert(sizeof(void*) != 8 || offsetof(type, field) == (offset), \
                 #type "." #field)
FIELD(bl_integers, values, 0);
FIELD(bl_integers, count, 8);
SIZE(bl_integers, 16);
FIELD(bl_names, names, 0);
FIELD(bl_names, count, 8);
SIZE(bl_names, 16);
FIELD(bl_range, begin, 0);
FIELD(bl_range, end, 8);
SIZE(bl_range, 16);
FIELD(bl_error, size, 0);
FIELD(bl_error, error_class, 8);
FIELD(bl_error, detail, 12);
FIELD(bl_error, rule, 16);
FIELD(bl_error, op, 20);
FIELD(bl_error, operand, 24);
FIELD(bl_error, other_operand, 28);
FIELD(bl_error, axis, 32);
FIELD(bl_error, operand_axis, 36);
FIELD(bl_error, other_axis, 40);
FIELD(bl_error, dtype, 44);
FIELD(bl_error, other_dtype, 48);
FIELD(bl_error, text_begin, 52);
FIELD(bl_error, text_end, 56);
FIELD(bl_error, extent, 64);
FIELD(bl_error, other_extent, 72);
FIELD(bl_error, clause, 80);
FIELD(bl_error, argument, 88);
SIZE(bl_error, 96);
FIELD(bl_allocator, allocate, 0);
FIELD(bl_allocator, deallocate, 8);
FIELD(bl_allocator, context, 16);
SIZE(bl_allocator, 24);
FIELD(bl_request, size, 0);
FIELD(bl_request, op, 8);
FIELD(bl_request, rule, 12);
FIELD(bl_request, shapes, 16);
FIELD(bl_request, dtypes, 24);
FIELD(bl_request, operand_count, 32);
FIELD(bl_request, axis, 40);
FIELD(bl_request, target_shape, 48);
FIELD(bl_request, axes_mapping, 56);
FIELD(bl_request, axis_names, 64);
FIELD(bl_request, refused, 72);
FIELD(bl_request, result_dtype, 76);
FIELD(bl_request, fmod, 80);
FIELD(bl_request, saturate, 88);
FIELD(bl_request, direction, 96);
FIELD(bl_request, to, 100);
FIELD(bl_request, allocator, 104);
SIZE(bl_request, 112);
FIELD(bl_cell, extent, 0);
FIELD(bl_cell, clause, 8);
FIELD(bl_cell, source_axis, 16);
FIELD(bl_cell, relation, 20);
SIZE(bl_cell, 24);
FIELD(bl_conflict, extent, 0);
FIELD(bl_conflict, other_extent, 8);
FIELD(bl_conflict, clause, 16);
FIELD(bl_conflict, axis, 24);
FIELD(bl_conflict, operand, 28);
FIELD(bl_conflict, other_operand, 32);
FIELD(bl_conflict, operand_axis, 36);
FIELD(bl_conflict, other_axis, 40);
SIZE(bl_conflict, 48);
FIELD(bl_explain_options, size, 0);
FIELD(bl_explain_options, parts, 8);
FIELD(bl_explain_options, reserved, 12);
FIELD(bl_explain_options, expect, 16);
FIELD(bl_explain_options, expect_count, 24);
FIELD(bl_explain_options, expressions, 32);
FIELD(bl_explain_options, expression_count, 40);
FIELD(bl_explain_options, link_base, 48);
SIZE(bl_explain_options, 56);
FIELD(bl_tensor_view, dtype, 0);
FIELD(bl_tensor_view, flags, 4);
FIELD(bl_tensor_view, data, 8);
FIELD(bl_tensor_view, bytes, 16);
FIELD(bl_tensor_view, shape, 24);
FIELD(bl_tensor_view, strides, 40);
FIELD(bl_tensor_view, offset, 48);
SIZE(bl_tensor_view, 56);
FIELD(bl_parallel_for, context, 0);
FIELD(bl_parallel_for, threads, 8);
FIELD(bl_parallel_for, run, 16);
SIZE(bl_parallel_for, 24);
FIELD(bl_run_options, size, 0);
FIELD(bl_run_options, stores, 8);
FIELD(bl_run_options, reserved, 12);
FIELD(bl_run_options, parallel, 16);
FIELD(bl_run_options, allocator, 24);
SIZE(bl_run_options, 32);
FIELD(bl_region_cost, read, 0);
FIELD(bl_region_cost, written, 8);
FIELD(bl_region_cost, peak, 16);
SIZE(bl_region_cost, 24);
FIELD(bl_sum_request, size, 0);
FIELD(bl_sum_request, dtype, 8);
FIELD(bl_sum_request, rule, 12);
FIELD(bl_sum_request, input, 16);
FIELD(bl_sum_request, shape, 32);
FIELD(bl_sum_request, strides, 48);
FIELD(bl_sum_request, axis, 56);
FIELD(bl_sum_request, axes_mapping, 64);
FIELD(bl_sum_request, allocator, 72);
SIZE(bl_sum_request, 80);

// Checks the rows of an enumeration, and that there are no others.
static void CheckRows(const Row* rows, size_t count,
                      const char* (*name)(int32_t)) {
  size_t found = 0;
  for (int32_t number = -1; number < 1000; ++number) {
    if (name(number) != NULL) ++found;
  }
  CHECK(found == count);
  CHECK(name(INT32_MAX) == NULL && name(INT32_MIN) == NULL);
  for (size_t i = 0; i < count; ++i) {
    CHECK(rows[i].constant == rows[i].number);
    const char* const spelling = name(rows[i].number);
    CHECK(spelling != NULL && strcmp(spelling, rows[i].name) == 0);
  }
}
#define CHECK_ROWS(rows, name) CheckRows(rows, sizeof(rows) / sizeof(Row), name)
// And that each is found by its spelling.
#define CHECK_FOUND(rows, find)                             \
  for (size_t i = 0; i < sizeof(rows) / sizeof(Row); ++i) { \
    CHECK(find(rows[i].name) == rows[i].number);            \
  }

void TestAbi(void) {
  CHECK(bl_abi_version() == 1 && BL_ABI_VERSION == 1);
  CHECK(strlen(bl_version()) >= 5 && strlen(bl_active_target()) >= 2);
  CHECK_ROWS(kDtypes, bl_dtype_name);
  CHECK_ROWS(kOps, bl_op_name);
  CHECK_ROWS(kRules, bl_rule_name);
  CHECK_ROWS(kErrorClasses, bl_error_class_name);
  CHECK_ROWS(kDetails, bl_detail_name);
  CHECK_ROWS(kRelations, bl_relation_name);
  CHECK_FOUND(kDtypes, bl_find_dtype)
  CHECK_FOUND(kOps, bl_find_op)
  CHECK_FOUND(kRules, bl_find_rule)
  CHECK(BL_ABSENT == -1 && BL_TARGET == -2 && BL_RESULT == -3);
  CHECK(BL_DIRECTION_LEFT == 1 && BL_DIRECTION_RIGHT == 2);
  CHECK(BL_REFUSE_INSERTS == 1 && BL_REFUSE_STRETCHES == 2);
  CHECK(BL_REFUSE_OTHER_NAMES == 4 && BL_TENSOR_READ_ONLY == 1);
  CHECK(BL_PART_ALIGNMENT == 1 && BL_PART_CAUSE == 2 && BL_PART_REPAIRS == 4);
  CHECK(BL_PART_CODE == 8 && BL_PART_WARNINGS == 16);
  CHECK(BL_STORES_CACHED == 1 && BL_STORES_STREAMING == 2);
  CHECK(bl_dtype_bits(BL_DTYPE_U1) == 1 && bl_dtype_bits(BL_DTYPE_C128) == 128);
  CHECK(bl_dtype_bits(0) == 0 && bl_dtype_bits(99) == 0);
  CHECK(bl_default_rule(BL_OP_PRELU) == BL_RULE_ONNX_UNIDIRECTIONAL);
  CHECK(bl_default_rule(0) == 0 && bl_accepts(0, 1) == 0);
  CHECK(bl_accepts(BL_OP_ADD, 99) == 0);
}
