// The C interface of Broadloom: C11, and C++ as well. It knows the rules of the
// C++ library and computes with its kernels. Example, which computes
// (2,3) + (3) -> (2,3):
//   const float a[] = {0, 1, 2, 3, 4, 5}, b[] = {10, 20, 30};
//   const int64_t a_shape[] = {2, 3}, b_shape[] = {3};
//   const bl_tensor_view inputs[] = {
//       {.dtype = BL_DTYPE_F32, .data = (void*)a, .bytes = sizeof a,
//        .shape = {a_shape, 2}},
//       {.dtype = BL_DTYPE_F32, .data = (void*)b, .bytes = sizeof b,
//        .shape = {b_shape, 1}}};
//   bl_request request = BL_REQUEST_INIT;
//   request.op = BL_OP_ADD;
//   bl_error error = BL_ERROR_INIT;
//   bl_tensor* sum;
//   if (bl_apply(&request, inputs, 2, NULL, &sum, &error) != BL_OK) {
//     char text[300];
//     bl_describe_error(&error, text, sizeof text);
//     fprintf(stderr, "%s\n", text);
//     exit(1);
//   }
//   bl_tensor_view view;
//   bl_tensor_get_view(sum, &view, NULL);
//   const float* const values = view.data;
//   assert(values[0] == 10 && values[5] == 35);
//   bl_tensor_free(sum);
//
// Rules for all functions:
//
// Errors. A function that can fail returns BL_OK or the class of the error, and
// writes the error to its last argument, a bl_error, unless that is null. One
// bl_error may be passed to any number of calls: each writes all fields but
// `size`. A bl_error that does not begin with BL_ERROR_INIT cannot be written:
// the call then does nothing but return BL_ERROR_ARGUMENT, and
// bl_describe_error says what is wrong with the struct.
//
// Nothing is thrown, printed or aborted. A null pointer, a number that is no
// constant of its enumeration, an array that is null beside a count, and a
// count above BL_MOST_COUNT are errors of class BL_ERROR_ARGUMENT or
// BL_ERROR_UNKNOWN. What the library cannot see is up to the caller: that a
// pointer points to so many values as its count says, and that a handle has not
// been freed.
//
// Null. A pointer must not be null unless its comment says so. Functions that
// return no error return 0, NULL or an empty list for a null handle and for an
// index that is out of range; bl_alignment_start_axis returns BL_ABSENT.
//
// Ownership. What a function writes to an argument of type `bl_X**` is a handle
// that belongs to the caller, who passes it to bl_X_free once; freeing null
// does nothing. After an error the handle is null. All that a function is given
// is read during the call only, and may be changed or freed afterwards, unless
// the comment says otherwise; so a plan does not need its request. Lists and
// texts that a function returns belong to the handle that they were asked of,
// and are valid until it is freed.
//
// Threads. Handles are immutable: any number of threads may use one at once.
// Freeing it must be the last use.
//
// Growth. bl_error, bl_request, bl_explain_options, bl_run_options and
// bl_sum_request begin with `size`. They are set up by their _INIT macro, which
// sets all other fields to zero: not given. In C the macro is an initialiser:
//   bl_error error = BL_ERROR_INIT;
//   error = (bl_error)BL_ERROR_INIT;  // resets it; in C++ without (bl_error)
// These structs may get more fields at their end; a program that was compiled
// with a smaller struct continues to work, and a larger one, of at most 4096
// bytes, is accepted if the library knows all fields that are not zero. All
// other structs never change. Constants keep their values.
//
// Text. Texts are UTF-8, and end with a zero. A function that writes a text to
// `out` writes at most `capacity` bytes, the zero included, cuts only between
// characters, and returns the length of the whole text without the zero, as
// snprintf does. `out` may be null if `capacity` is 0.
//
// Memory. The library's own allocations are refused or served by a
// bl_allocator; memory that is refused is an error of class
// BL_ERROR_ALLOCATION.

#ifndef BROADLOOM_C_H_
#define BROADLOOM_C_H_

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define BL_API __attribute__((visibility("default")))
#else
#define BL_API
#endif

#ifdef __cplusplus
extern "C++" {  // also where the header is included inside of extern "C"
// A struct of this interface with its size, and all other fields zero.
template <class T>
inline T bl_sized() {
  T value = T();
  value.size = sizeof(T);
  return value;
}
}
#define BL_ERROR_INIT (bl_sized<bl_error>())
#define BL_REQUEST_INIT (bl_sized<bl_request>())
#define BL_EXPLAIN_OPTIONS_INIT (bl_sized<bl_explain_options>())
#define BL_RUN_OPTIONS_INIT (bl_sized<bl_run_options>())
#define BL_SUM_REQUEST_INIT (bl_sized<bl_sum_request>())

extern "C" {
#else
#define BL_ERROR_INIT {.size = sizeof(bl_error)}
#define BL_REQUEST_INIT {.size = sizeof(bl_request)}
#define BL_EXPLAIN_OPTIONS_INIT {.size = sizeof(bl_explain_options)}
#define BL_RUN_OPTIONS_INIT {.size = sizeof(bl_run_options)}
#define BL_SUM_REQUEST_INIT {.size = sizeof(bl_sum_request)}
#endif

// --- Version ----------------------------------------------------------------

// The version of this header. It changes when a program that was compiled with
// an older header no longer works.
#define BL_ABI_VERSION 1

// The library's BL_ABI_VERSION. Example:
//   assert(bl_abi_version() == BL_ABI_VERSION);
BL_API int32_t bl_abi_version(void);

// The library's version, such as "0.1.0".
BL_API const char* bl_version(void);

// The name of the SIMD target whose kernels this machine runs: "AVX3_DL",
// "NEON", ...
BL_API const char* bl_active_target(void);

// --- Vocabulary -------------------------------------------------------------
// The numbers of element types, operators, rules and so on. 0 always means
// none, or not given.

// Element types. Those of less than 8 bits are packed: element i of i4 and u4
// is in byte i/2, in the low nibble for even i; element i of u1 is bit 7 - i%8
// of byte i/8.
typedef int32_t bl_dtype;
enum {
  BL_DTYPE_BOOL = 1,  // one byte; any nonzero byte is true
  BL_DTYPE_I8 = 2,
  BL_DTYPE_I16 = 3,
  BL_DTYPE_I32 = 4,
  BL_DTYPE_I64 = 5,
  BL_DTYPE_U8 = 6,
  BL_DTYPE_U16 = 7,
  BL_DTYPE_U32 = 8,
  BL_DTYPE_U64 = 9,
  BL_DTYPE_F16 = 10,
  BL_DTYPE_BF16 = 11,
  BL_DTYPE_F32 = 12,
  BL_DTYPE_F64 = 13,
  BL_DTYPE_F8E4M3 = 14,  // this and all below are only moved
  BL_DTYPE_F8E5M2 = 15,
  BL_DTYPE_C64 = 16,
  BL_DTYPE_C128 = 17,
  BL_DTYPE_I4 = 18,
  BL_DTYPE_U4 = 19,
  BL_DTYPE_U1 = 20
};

// Operators. All but those marked so compute with numbers: integers, f16, bf16,
// f32 and f64.
typedef int32_t bl_op;
enum {
  BL_OP_ADD = 1,  // integers wrap
  BL_OP_SUB = 2,  // integers wrap
  BL_OP_MUL = 3,  // integers wrap
  // Integers: truncated toward zero; x / 0 is 0; the smallest integer / -1 is
  // the smallest integer.
  BL_OP_DIV = 4,
  // With the sign of the divisor, as in Python; with fmod = 1 with that of the
  // dividend, as in C. Floats: with fmod = 1 only. Integers: x mod 0 is 0.
  BL_OP_MOD = 5,
  // The exponent may be of another type than the base, whose type the result
  // has. An integer to the power of an integer wraps; to a negative power it is
  // the real value, truncated, and 0 if the base is 0. To the power of a float
  // it is truncated and saturates; NaN becomes 0.
  BL_OP_POW = 6,
  BL_OP_SQUARED_DIFFERENCE = 7,  // integers wrap
  BL_OP_MAX = 8,                 // of all operands; NaN if any is NaN
  BL_OP_MIN = 9,                 // of all operands; NaN if any is NaN
  BL_OP_SUM = 10,   // floats: all operands, left to right; f16, bf16 in f32
  BL_OP_MEAN = 11,  // floats: the sum divided by the number of operands
  // Comparisons take numbers, the first two also bool, and give bool.
  BL_OP_EQUAL = 12,      // NaN equals nothing
  BL_OP_NOT_EQUAL = 13,  // NaN differs from all
  BL_OP_LESS = 14,
  BL_OP_LESS_OR_EQUAL = 15,
  BL_OP_GREATER = 16,
  BL_OP_GREATER_OR_EQUAL = 17,
  BL_OP_AND = 18,          // bool
  BL_OP_OR = 19,           // bool
  BL_OP_XOR = 20,          // bool
  BL_OP_BITWISE_AND = 21,  // integers
  BL_OP_BITWISE_OR = 22,   // integers
  BL_OP_BITWISE_XOR = 23,  // integers
  // Unsigned integers. A shift by the width of the type or more gives 0.
  BL_OP_BIT_SHIFT = 24,
  // Floats and integers of 32 and 64 bits: x if it is not negative, else x
  // times the slope, which is the second operand.
  BL_OP_PRELU = 25,
  // The condition is bool, the others are of one type, which may be any. Bits
  // are copied.
  BL_OP_WHERE = 26,
  // Numbers and bool, to the type `to`. Integers wrap, or saturate with
  // saturate = 1. Floats to integers: truncated and saturated; NaN gives 0.
  BL_OP_CAST = 27,
  BL_OP_BROADCAST = 28  // any type: the operand in the shape of the result
};

// Rules, by which operands of different shapes are matched. A is the first
// operand, B the second; data is the only operand of rules with a target shape.
typedef int32_t bl_rule;
enum {
  BL_RULE_NONE = 1,  // shapes must be identical
  // Right-aligned; extents are equal or 1; each operand may be repeated.
  BL_RULE_NUMPY = 2,
  BL_RULE_ONNX_MULTIDIRECTIONAL = 3,  // as numpy
  BL_RULE_ONNX_UNIDIRECTIONAL = 4,    // right-aligned; the result has A's shape
  // B lies on A from `axis` on, without its trailing axes of extent 1; the
  // result has A's shape.
  BL_RULE_PDPD = 5,
  // As numpy, of data and a target shape; the result may be larger than the
  // target.
  BL_RULE_BIDIRECTIONAL = 6,
  // Right-aligned; the result has the target shape.
  BL_RULE_BROADCAST_NUMPY = 7,
  // Each axis of data lies on the axis of the target that axes_mapping says.
  BL_RULE_EXPLICIT = 8,
  BL_RULE_SONNX = 9  // as numpy, with one result for each operand
};

// Classes of errors. Where several things are wrong, one error is reported: the
// first of the order that the function's comment gives.
typedef int32_t bl_error_class;
enum {
  BL_OK = 0,
  BL_ERROR_PARSE = 1,  // a text is not a shape; no function here reads one
  // A number is no constant of its enumeration, an operator or rule is missing,
  // or the operator does not take the rule.
  BL_ERROR_UNKNOWN = 2,
  // The rule, operator or plan takes another number of operands.
  BL_ERROR_ARITY = 3,
  BL_ERROR_ATTRIBUTE = 4,  // an option is missing, unexpected or wrong
  // An extent is negative; an index, or a box, is out of range or has another
  // number of axes.
  BL_ERROR_EXTENT = 5,
  // Element types that the operator does not take, or not together.
  BL_ERROR_DTYPE = 6,
  // Memory does not hold what shape, strides and offset say.
  BL_ERROR_LENGTH = 7,
  // Shapes do not fit, or a tensor has another shape than the plan.
  BL_ERROR_INCOMPATIBLE = 8,
  BL_ERROR_RANK = 9,           // an operand has more axes than the rule allows
  BL_ERROR_AXIS = 10,          // PDPD: below -1, or B does not fit from it
  BL_ERROR_AXES_MAPPING = 11,  // missing, unexpected or wrong
  BL_ERROR_NEGATIVE_DIM = 12,  // the target shape has a negative extent
  BL_ERROR_POLICY = 13,        // bl_request.refused has it
  BL_ERROR_OVERFLOW = 14,      // more than 2^63-1 elements or bytes
  // More memory than can be addressed, or more threads than there may be.
  BL_ERROR_LIMIT = 15,
  // An output overlaps an input, another output or itself.
  BL_ERROR_OVERLAP = 16,
  BL_ERROR_ALLOCATION = 17,  // memory was refused
  BL_ERROR_ARGUMENT = 100    // an argument that no call of this interface takes
};

// What is wrong within a class.
typedef int32_t bl_detail;
enum {
  BL_DETAIL_SIZE = 1,
  BL_DETAIL_UNSORTED = 2,
  BL_DETAIL_OUT_OF_RANGE = 3,
  BL_DETAIL_DUPLICATE = 4,
  BL_DETAIL_MISSING = 5,
  BL_DETAIL_UNEXPECTED = 6,
  BL_DETAIL_FRACTIONAL = 7,
  BL_DETAIL_NEGATIVE = 8,
  BL_DETAIL_UNSAFE = 9,
  BL_DETAIL_EMPTY_TEXT = 10,
  BL_DETAIL_BAD_TOKEN = 11,
  BL_DETAIL_NO_NUMBER = 12,
  BL_DETAIL_UNCLOSED = 13,
  BL_DETAIL_UNOPENED = 14,
  BL_DETAIL_TOO_DEEP = 15,
  BL_DETAIL_TRAILING = 16,
  BL_DETAIL_OP = 17,
  BL_DETAIL_RULE = 18,
  BL_DETAIL_DTYPE = 19,
  BL_DETAIL_STRIDES = 20,
  BL_DETAIL_MIXED = 21,
  BL_DETAIL_UNSUPPORTED = 22,
  BL_DETAIL_OUTPUT = 23,
  BL_DETAIL_OTHER_PLAN = 24,
  BL_DETAIL_MISALIGNED = 25,
  BL_DETAIL_OTHER_COUNT = 26,
  BL_DETAIL_OFFSET = 27,
  BL_DETAIL_MEMORY = 28,
  BL_DETAIL_THREADS = 29,
  BL_DETAIL_NOT_BUILT = 30,
  BL_DETAIL_NO_RANK_PROMOTION = 31,
  BL_DETAIL_NO_STRETCHING = 32,
  BL_DETAIL_SAME_NAMES = 33,
  // Of BL_ERROR_ARGUMENT:
  BL_DETAIL_NULL = 100,         // a pointer is null
  BL_DETAIL_STRUCT_SIZE = 101,  // `size` is that of no version of the struct
  BL_DETAIL_NEWER = 102,        // a struct has fields that the library lacks
  BL_DETAIL_COUNT = 103,        // a count above BL_MOST_COUNT
  BL_DETAIL_FLAGS = 104,        // a flag that is none
  BL_DETAIL_CAPACITY = 105,     // an array of another length than is needed
  BL_DETAIL_READ_ONLY = 106,    // a read-only tensor where one is written
  BL_DETAIL_NAME = 107,         // a name that is none of the list
  // Of BL_ERROR_UNKNOWN:
  BL_DETAIL_DIRECTION = 108,  // no direction of BitShift
  BL_DETAIL_STORES = 109,     // no kind of stores
  // Of BL_ERROR_ARGUMENT, about a DLPack tensor:
  BL_DETAIL_DLPACK_VERSION = 120,  // another major version than 1
  BL_DETAIL_DLPACK_DEVICE = 121,   // not in the memory of the CPU
  BL_DETAIL_DLPACK_NDIM = 122,     // a negative number of axes
  BL_DETAIL_DLPACK_LANES = 123,    // vectors as elements
  BL_DETAIL_DLPACK_TYPE = 124,     // an element type that Broadloom lacks
  BL_DETAIL_DLPACK_PADDED = 125,  // elements of less than 8 bits in whole bytes
  BL_DETAIL_DLPACK_ADDRESS = 126  // strides or offset leave the address space
};

// How an operand's axis stands to an axis of the result.
typedef int32_t bl_relation;
enum {
  BL_RELATION_MATCH = 1,    // equal extents
  BL_RELATION_STRETCH = 2,  // the operand's extent is 1 and is repeated
  BL_RELATION_INSERT = 3,   // the operand has no such axis
  BL_RELATION_CONFLICT = 4  // the extents do not fit
};

// The spelling of a number: "f32", "Add", "numpy", "incompatible", "strides",
// "match". NULL for a number that is none; the numbers of types, operators and
// rules have no gaps, so that a loop from 1 finds all. Example:
//   assert(strcmp(bl_op_name(BL_OP_ADD), "Add") == 0);
//   int operators = 0;
//   while (bl_op_name(operators + 1) != NULL) ++operators;
//   assert(operators >= 28);
BL_API const char* bl_dtype_name(bl_dtype dtype);
BL_API const char* bl_op_name(bl_op op);
BL_API const char* bl_rule_name(bl_rule rule);
BL_API const char* bl_error_class_name(bl_error_class error_class);
BL_API const char* bl_detail_name(bl_detail detail);
BL_API const char* bl_relation_name(bl_relation relation);

// The number with exactly this spelling; 0 if there is none, or for null.
// Example:
//   assert(bl_find_op("Add") == BL_OP_ADD && bl_find_op("add") == 0);
BL_API bl_dtype bl_find_dtype(const char* name);
BL_API bl_op bl_find_op(const char* name);
BL_API bl_rule bl_find_rule(const char* name);

// Bits of one element: 1, 4, 8, 16, 32, 64 or 128; 0 for a number that is none.
BL_API int32_t bl_dtype_bits(bl_dtype dtype);

// The rule that an operator follows unless another is given; 0 for an unknown
// operator.
BL_API bl_rule bl_default_rule(bl_op op);

// 1 if the rule can match the operands of the operator, else 0. Example:
//   assert(bl_accepts(BL_OP_ADD, BL_RULE_PDPD));
//   assert(!bl_accepts(BL_OP_WHERE, BL_RULE_PDPD));  // PDPD takes two operands
BL_API int bl_accepts(bl_op op, bl_rule rule);

// What the clause of this name, such as "numpy.3", says, its place in its
// document, and the document's title. NULL for a name that is none. Example:
//   assert(strstr(bl_clause_text("numpy.3"), "one of them is 1") != NULL);
BL_API const char* bl_clause_text(const char* clause);
BL_API const char* bl_clause_place(const char* clause);
BL_API const char* bl_clause_document(const char* clause);

// --- Lists, errors, memory --------------------------------------------------

// The largest count that a call takes, of operands, axes or names. A larger one
// is taken for a negative number or an uninitialised variable.
#define BL_MOST_COUNT ((size_t)1 << 20)

// `count` integers. `values` may be null if there are none.
typedef struct bl_integers {
  const int64_t* values;
  size_t count;
} bl_integers;

// A shape: the extents of the axes, outermost first. No axes: a scalar.
typedef bl_integers bl_shape;

// Names of the axes of an operand; null or "" where an axis has none.
typedef struct bl_names {
  const char* const* names;
  size_t count;
} bl_names;

// Indices [begin, end) along one axis.
typedef struct bl_range {
  int64_t begin;
  int64_t end;
} bl_range;

// Values of a field for an operand's index that mean no operand, the target
// shape, and the result. BL_ABSENT also means no axis.
#define BL_ABSENT (-1)
#define BL_TARGET (-2)
#define BL_RESULT (-3)

// An error as data. Fields that do not apply are BL_ABSENT if they are the
// index of an operand or axis, else 0 or null.
typedef struct bl_error {
  size_t size;  // BL_ERROR_INIT
  bl_error_class error_class;
  bl_detail detail;
  bl_rule rule;  // that was applied
  bl_op op;
  // The operand at fault, and the operand with which it conflicts. BL_RESULT if
  // a pointer is null to which the call gives something.
  int32_t operand;
  int32_t other_operand;
  // The axis at fault: of the result, of the operand, of the other operand.
  int32_t axis;
  int32_t operand_axis;
  int32_t other_axis;
  // For BL_ERROR_DTYPE: the operand's type, and that with which it conflicts.
  bl_dtype dtype;
  bl_dtype other_dtype;
  // For BL_ERROR_PARSE and for extents read from a text: bytes of the text.
  uint32_t text_begin;
  uint32_t text_end;
  // The values at fault: extents, ranks, lengths in bytes, or a wrong value and
  // the one that is needed.
  int64_t extent;
  int64_t other_extent;
  // The clause that was broken, such as "numpy.3"; null where there is none.
  // This text and the next are constants of the library.
  const char* clause;
  // The argument or field at fault, such as "inputs[].data", where [] stands
  // for the index in `operand`; null for errors of the shapes, types and
  // tensors themselves.
  const char* argument;
} bl_error;

// Writes what is wrong and what would work, in one or two sentences, and
// returns the length: see Text, above. Empty for BL_OK and for null. For a
// bl_error of a wrong size the sentence is about the size. Example:
//   const int64_t a[] = {2, 4}, b[] = {3};
//   const bl_shape shapes[] = {{a, 2}, {b, 1}};
//   bl_request request = BL_REQUEST_INIT;
//   request.rule = BL_RULE_NUMPY;
//   request.shapes = shapes;
//   request.operand_count = 2;
//   bl_error error = BL_ERROR_INIT;
//   int64_t extents[8];
//   size_t rank;
//   assert(bl_infer_shape(&request, extents, 8, &rank, &error) ==
//          BL_ERROR_INCOMPATIBLE);
//   char text[300];
//   bl_describe_error(&error, text, sizeof text);
//   assert(strncmp(text, "Axis 1: B has 3", 15) == 0);
BL_API size_t bl_describe_error(const bl_error* error, char* out,
                                size_t capacity);

// An allocator. Its functions are called from any thread that uses the library;
// `context` is passed to them unchanged. It is copied: only the context must
// live as long as the handles that were made with it.
typedef struct bl_allocator {
  // Returns `bytes` (a multiple of `alignment`, never 0) of memory aligned to
  // `alignment` (a power of two), or null when there is none.
  void* (*allocate)(void* context, size_t bytes, size_t alignment);
  // Takes back what `allocate` returned for the same numbers.
  void (*deallocate)(void* context, void* memory, size_t bytes,
                     size_t alignment);
  void* context;  // may be null
} bl_allocator;

// A text that the library made.
typedef struct bl_text bl_text;

// The text, which ends with a zero; NULL for null. Its length without the zero.
BL_API const char* bl_text_chars(const bl_text* text);
BL_API size_t bl_text_length(const bl_text* text);
BL_API void bl_text_free(bl_text* text);

// --- Requests ---------------------------------------------------------------

// Attribute of BitShift.
typedef int32_t bl_direction;
enum { BL_DIRECTION_LEFT = 1, BL_DIRECTION_RIGHT = 2 };

// Bits of bl_request.refused: what is refused although the rule allows it, with
// an error of class BL_ERROR_POLICY. Its sentence names the policy, which is
// here in quotes, as is the detail.
enum {
  // An operand lacks an axis of the result: "no_rank_promotion".
  BL_REFUSE_INSERTS = 1,
  // An axis of extent 1 is repeated: "no_stretching".
  BL_REFUSE_STRETCHES = 2,
  // Axes with different names lie on each other: "same_names".
  BL_REFUSE_OTHER_NAMES = 4
};

// Shapes to be broadcast, a rule and its options, and for plans the operator
// and its attributes. Optional numbers are pointers: null means not given.
typedef struct bl_request {
  size_t size;             // BL_REQUEST_INIT
  bl_op op;                // needed by bl_plan_make and bl_apply
  bl_rule rule;            // 0: the default of the operator, if one is given
  const bl_shape* shapes;  // of the operands
  const bl_dtype* dtypes;  // of the operands; bl_plan_make needs it
  size_t operand_count;
  const int64_t* axis;  // only for pdpd; may be null: -1
  // Only for bidirectional, broadcast_numpy and explicit, which need it.
  const bl_shape* target_shape;
  // Only for explicit, which needs it: a target axis for each axis of data.
  const bl_integers* axes_mapping;
  // One for each operand, for BL_REFUSE_OTHER_NAMES; may be null.
  const bl_names* axis_names;
  uint32_t refused;  // bits BL_REFUSE_...
  // The result's type, for the limit of 2^63-1 bytes in alignments and shapes.
  bl_dtype result_dtype;
  const int64_t* fmod;            // Mod: 0 or 1; may be null: 0
  const int64_t* saturate;        // Cast: 0 or 1; may be null: 0
  bl_direction direction;         // BitShift, which needs it
  bl_dtype to;                    // Cast, which needs it
  const bl_allocator* allocator;  // may be null: the system's heap
} bl_request;

// Writes the shape of the result to `extents`, which has room for `capacity`,
// and its rank to `rank`. `extents` may be null if `capacity` is 0. Errors:
// those of bl_align, then bl_alignment_error's; BL_ERROR_ARGUMENT
// (BL_DETAIL_CAPACITY) if there is too little room, with `rank` written.
BL_API bl_error_class bl_infer_shape(const bl_request* request,
                                     int64_t* extents, size_t capacity,
                                     size_t* rank, bl_error* error);

// --- Alignments -------------------------------------------------------------

// On which axis of the result each operand's axes lie under a rule, and what
// happens there. (2,1,4) with (3,1) under numpy:
//
//   axis      0        1         2
//   A         2 match  1 stretch 4 match
//   B         . insert 3 match   1 stretch
//   result    2        3         4
typedef struct bl_alignment bl_alignment;

// A cell of the alignment: one operand along one axis of the result.
typedef struct bl_cell {
  int64_t extent;       // the operand's; 1 where it has no such axis
  const char* clause;   // that governs it, such as "numpy.3"; null for none
  int32_t source_axis;  // the operand's axis, or BL_ABSENT
  bl_relation relation;
} bl_cell;

// Two operands whose extents conflict along one axis.
typedef struct bl_conflict {
  int64_t extent;
  int64_t other_extent;
  const char* clause;
  int32_t axis;           // of the result
  int32_t operand;        // at fault, or BL_TARGET
  int32_t other_operand;  // whose extent the result's axis has
  int32_t operand_axis;
  int32_t other_axis;
} bl_conflict;

// Applies a rule to shapes. Shapes that do not fit are no error of this call:
// see bl_alignment_error. Errors of the call are requests that have no
// alignment, in this order: BL_ERROR_ARGUMENT; BL_ERROR_UNKNOWN for a rule that
// is missing or unknown; BL_ERROR_ARITY for another number of operands than the
// rule takes; BL_ERROR_ATTRIBUTE for a missing or unexpected option, and for
// names of another number of axes; BL_ERROR_EXTENT for a negative extent of an
// operand; BL_ERROR_ALLOCATION. Example:
//   const int64_t a[] = {2, 1, 4}, b[] = {3, 1};
//   const bl_shape shapes[] = {{a, 3}, {b, 2}};
//   bl_request request = BL_REQUEST_INIT;
//   request.rule = BL_RULE_NUMPY;
//   request.shapes = shapes;
//   request.operand_count = 2;
//   bl_alignment* alignment;
//   assert(bl_align(&request, &alignment, NULL) == BL_OK);
//   assert(bl_alignment_error(alignment, NULL) == BL_OK);
//   const bl_shape shape = bl_alignment_shape(alignment);
//   assert(shape.count == 3 && shape.values[1] == 3);
//   bl_cell cell;
//   bl_alignment_cell(alignment, 0, 1, &cell, NULL);
//   assert(cell.relation == BL_RELATION_STRETCH && cell.extent == 1);
//   char text[200];
//   bl_explain_verdict(alignment, text, sizeof text);
//   assert(strncmp(text, "A is repeated 3 times along axis 1;", 35) == 0);
//   bl_alignment_free(alignment);
BL_API bl_error_class bl_align(const bl_request* request,
                               bl_alignment** alignment, bl_error* error);
BL_API void bl_alignment_free(bl_alignment* alignment);

BL_API bl_rule bl_alignment_rule(const bl_alignment* alignment);
// The number of operands, without the target shape.
BL_API size_t bl_alignment_operand_count(const bl_alignment* alignment);
// The shape of the result. Along an axis with a conflict: the extent of the
// first operand of the conflict.
BL_API bl_shape bl_alignment_shape(const bl_alignment* alignment);
// The shape of an operand, or of BL_TARGET.
BL_API bl_shape bl_alignment_operand_shape(const bl_alignment* alignment,
                                           int32_t operand);
// 1 if there are several operands and each is repeated along some axis, so that
// the result is larger than any; else 0.
BL_API int bl_alignment_grows_both(const bl_alignment* alignment);
// PDPD: the axis from which B lies on A, -1 resolved; else BL_ABSENT, also for
// null.
BL_API int64_t bl_alignment_start_axis(const bl_alignment* alignment);

// BL_OK when the shapes fit; else the first error of this order:
// BL_ERROR_NEGATIVE_DIM, BL_ERROR_AXES_MAPPING (unexpected), BL_ERROR_RANK,
// BL_ERROR_AXIS, BL_ERROR_AXES_MAPPING (others), BL_ERROR_INCOMPATIBLE,
// BL_ERROR_POLICY, BL_ERROR_OVERFLOW.
BL_API bl_error_class bl_alignment_error(const bl_alignment* alignment,
                                         bl_error* error);

// Writes the cell of an operand, or of BL_TARGET, along an axis of the result.
// Errors: BL_ERROR_ARGUMENT (BL_DETAIL_OUT_OF_RANGE) for an operand or axis
// that the alignment does not have.
BL_API bl_error_class bl_alignment_cell(const bl_alignment* alignment,
                                        int32_t operand, size_t axis,
                                        bl_cell* cell, bl_error* error);

// All conflicts, leftmost axis first: their number, and one of them. Errors:
// BL_ERROR_ARGUMENT (BL_DETAIL_OUT_OF_RANGE) for an index that is not below the
// number.
BL_API size_t bl_alignment_conflict_count(const bl_alignment* alignment);
BL_API bl_error_class bl_alignment_conflict(const bl_alignment* alignment,
                                            size_t index, bl_conflict* conflict,
                                            bl_error* error);

// Writes to `source_index`, one index for each of the operand's axes, which
// element of the operand the result's element `index` is computed from. Both
// counts are those of the arrays. Errors: bl_alignment_error's, if there is
// one; BL_ERROR_ARITY when there is no such operand; BL_ERROR_EXTENT when an
// index is out of range or an array has another length than is needed.
BL_API bl_error_class bl_alignment_source_of(
    const bl_alignment* alignment, size_t operand, const int64_t* index,
    size_t index_count, int64_t* source_index, size_t source_count,
    bl_error* error);

// The inverse: writes to `box`, one range for each axis of the result, which
// elements of the result read the operand's element `source_index`. Errors:
// those of bl_alignment_source_of; BL_ERROR_ALLOCATION.
BL_API bl_error_class bl_alignment_fan_out(const bl_alignment* alignment,
                                           size_t operand,
                                           const int64_t* source_index,
                                           size_t source_count, bl_range* box,
                                           size_t box_count, bl_error* error);

// Writes the strides of a dense operand along the result's axes, in elements: 0
// where it repeats, BL_ABSENT along a conflict and where the stride is above
// 2^63-1. Errors: bl_alignment_error's, if there is one, except
// BL_ERROR_INCOMPATIBLE and BL_ERROR_OVERFLOW; BL_ERROR_ARITY when there is no
// such operand; BL_ERROR_EXTENT when `count` is not the rank of the result.
BL_API bl_error_class bl_alignment_strides(const bl_alignment* alignment,
                                           size_t operand, int64_t* strides,
                                           size_t count, bl_error* error);

// --- Explanations -----------------------------------------------------------

// A sentence: which operands are repeated along which axes, or what is wrong.
BL_API size_t bl_explain_verdict(const bl_alignment* alignment, char* out,
                                 size_t capacity);
// A sentence: how the operands come to the extent of one axis of the result.
// Empty without that axis.
BL_API size_t bl_explain_axis(const bl_alignment* alignment, size_t axis,
                              char* out, size_t capacity);

// Bits of bl_explain_options.parts.
enum {
  BL_PART_ALIGNMENT = 1,
  BL_PART_CAUSE = 2,
  BL_PART_REPAIRS = 4,
  BL_PART_CODE = 8,  // of the repairs
  BL_PART_WARNINGS = 16
};

typedef struct bl_explain_options {
  size_t size;        // BL_EXPLAIN_OPTIONS_INIT
  uint32_t parts;     // bits BL_PART_...; 0: all
  uint32_t reserved;  // 0
  // Kinds of warnings that are meant, and left out: "outer", "axis_names",
  // "mask_axis", "accidental_match", "stretched_batch", "result_not_target",
  // "other_systems", "empty_result", "large_result". May be null.
  const char* const* expect;
  size_t expect_count;
  // What the operands are called in lines of code: "x.mean(1)". One for each
  // operand; null or "" where an operand has none, which is then called a, b,
  // ... May be null: no operand has one.
  const char* const* expressions;
  size_t expression_count;
  // Where the playground is: a URL, or a path that begins with /, ./ or ../.
  // With it the document has a link. Another text is no error: the document has
  // no link then, and says why. May be null.
  const char* link_base;
} bl_explain_options;

// All that is known about a request, as a JSON document: alignment, cause,
// repairs with lines of code, warnings. Its fields are listed in
// broadloom/explain/document.h, at WriteDocument; while its `version` is 1 they
// keep their names and meanings. `options` may be null. Errors: those of
// bl_align; BL_ERROR_ARGUMENT (BL_DETAIL_NAME) for a kind of warning that is
// none, (BL_DETAIL_CAPACITY) for another number of expressions than of
// operands. Example:
//   const int64_t a[] = {32, 10}, b[] = {32};
//   const bl_shape shapes[] = {{a, 2}, {b, 1}};
//   bl_request request = BL_REQUEST_INIT;
//   request.rule = BL_RULE_NUMPY;
//   request.shapes = shapes;
//   request.operand_count = 2;
//   bl_text* document;
//   assert(bl_explain(&request, NULL, &document, NULL) == BL_OK);
//   assert(strstr(bl_text_chars(document), "\"fits\":false") != NULL);
//   bl_text_free(document);
BL_API bl_error_class bl_explain(const bl_request* request,
                                 const bl_explain_options* options,
                                 bl_text** document, bl_error* error);

// --- Tensors ----------------------------------------------------------------

// Bits of bl_tensor_view.flags.
enum { BL_TENSOR_READ_ONLY = 1 };

// A view of a tensor in memory of the caller, or of a bl_tensor.
typedef struct bl_tensor_view {
  bl_dtype dtype;
  uint32_t flags;  // bits BL_TENSOR_...
  // May have any alignment, and may be null if `bytes` is 0. An input is never
  // written, whatever its type says.
  void* data;
  size_t bytes;  // of the memory at data; more than are needed are allowed
  bl_shape shape;
  // One for each axis: how many elements (not bytes) there are from one index
  // to the next; 0 (inputs only) and negative numbers are allowed. Null: dense,
  // in row-major order.
  const int64_t* strides;
  int64_t offset;  // the element at index (0,...,0); 0 is the first in memory
} bl_tensor_view;

// A tensor that owns its elements, or has taken a DLPack tensor.
typedef struct bl_tensor bl_tensor;

// A dense tensor with uninitialised elements, aligned to 64 bytes. `allocator`
// may be null. Errors: BL_ERROR_UNKNOWN (dtype), BL_ERROR_EXTENT,
// BL_ERROR_OVERFLOW, BL_ERROR_LIMIT, BL_ERROR_ALLOCATION.
BL_API bl_error_class bl_tensor_allocate(bl_dtype dtype, const bl_shape* shape,
                                         const bl_allocator* allocator,
                                         bl_tensor** tensor, bl_error* error);
BL_API void bl_tensor_free(bl_tensor* tensor);

// Writes a view of the tensor, which is valid until the tensor is freed.
BL_API bl_error_class bl_tensor_get_view(const bl_tensor* tensor,
                                         bl_tensor_view* view, bl_error* error);

// --- DLPack -----------------------------------------------------------------
// Tensors of other libraries, and results for them, without a copy. The structs
// are defined in broadloom/dlpack.h, or in the dlpack.h of another library;
// both fit, and may be included in any order. Null strides mean dense, which
// DLPack allows up to 1.1.

struct DLManagedTensor;
struct DLManagedTensorVersioned;

// Takes a tensor of another library. From this call on it belongs to the
// library, which calls its deleter (which may be null) exactly once: here, if
// there is an error, else when the bl_tensor is freed. `allocator` may be null.
//
// A tensor whose flags say read-only has BL_TENSOR_READ_ONLY in its view; no
// call writes to it. Types: bool of 8 bits, signed and unsigned integers of 8
// to 64 bits and of 4 (packed), float of 16 to 64, bfloat of 16, complex of 64
// and 128, float8_e4m3fn and float8_e5m2.
//
// Errors, all of class BL_ERROR_ARGUMENT but those of extents
// (BL_ERROR_EXTENT, BL_ERROR_OVERFLOW) and of memory (BL_ERROR_ALLOCATION):
// another major version than 1, a device other than the CPU, a negative number
// of axes, axes without a shape, elements without data, a type that is not
// listed above, lanes other than 1, padded elements of less than 8 bits, an
// address that overflows.
BL_API bl_error_class bl_tensor_from_dlpack(
    struct DLManagedTensorVersioned* managed, const bl_allocator* allocator,
    bl_tensor** tensor, bl_error* error);

// The same for the older struct, without a version and flags. What it has is
// taken to be writable.
BL_API bl_error_class bl_tensor_from_dlpack_legacy(
    struct DLManagedTensor* managed, const bl_allocator* allocator,
    bl_tensor** tensor, bl_error* error);

// Gives the tensor to another library, which calls the deleter of what it gets
// when it is done, from any thread. On success `*tensor` becomes null: it has
// moved. After an error it stays the caller's. Errors: BL_ERROR_ARGUMENT for
// u1, whose bits DLPack has in another order (no operator converts u1: unpack
// it yourself, into a tensor of bool or u8); BL_ERROR_ALLOCATION. Example:
//   const int64_t extents[] = {2, 3};
//   const bl_shape shape = {extents, 2};
//   bl_tensor* tensor;
//   bl_tensor_allocate(BL_DTYPE_F32, &shape, NULL, &tensor, NULL);
//   struct DLManagedTensorVersioned* managed;
//   assert(bl_tensor_to_dlpack(&tensor, &managed, NULL) == BL_OK);
//   assert(tensor == NULL && managed->dl_tensor.ndim == 2);
//   managed->deleter(managed);
BL_API bl_error_class
bl_tensor_to_dlpack(bl_tensor** tensor,
                    struct DLManagedTensorVersioned** managed, bl_error* error);

// The same for the older struct, which cannot say read-only: such a tensor is
// an error (BL_DETAIL_READ_ONLY).
BL_API bl_error_class bl_tensor_to_dlpack_legacy(
    bl_tensor** tensor, struct DLManagedTensor** managed, bl_error* error);

// --- Plans ------------------------------------------------------------------

// An operator on operands of given shapes and types, ready to run.
typedef struct bl_plan bl_plan;

// A parallel loop: calls task(state, i) for each i < tasks, on any threads and
// in any order, and returns when all are done.
typedef struct bl_parallel_for {
  void* context;   // passed to `run` unchanged; may be null
  size_t threads;  // how many may work at once
  void (*run)(void* context, size_t tasks,
              void (*task)(void* state, size_t index), void* state);
} bl_parallel_for;

// How results are written: with streaming stores the result is not in the cache
// afterwards, but need not be read before it is written.
typedef int32_t bl_stores;
enum {
  BL_STORES_AUTOMATIC = 0,  // streaming from 64 MiB on
  BL_STORES_CACHED = 1,
  BL_STORES_STREAMING = 2
};

typedef struct bl_run_options {
  size_t size;       // BL_RUN_OPTIONS_INIT
  bl_stores stores;  // sums ignore it
  int32_t reserved;  // 0
  // Shares large work among its threads; may be null: the caller's thread
  // alone. Results are the same, but that a NaN computed from two NaNs may be
  // the other of the two.
  // Its `run` must not be null.
  const bl_parallel_for* parallel;
  const bl_allocator* allocator;  // may be null: the system's heap
} bl_run_options;

// Makes a plan from a request with an operator, shapes and types. Errors, in
// this order: BL_ERROR_UNKNOWN, BL_ERROR_ARITY and BL_ERROR_ATTRIBUTE, also for
// the operator and its attributes; those of bl_align; BL_ERROR_DTYPE for types
// that the operator does not take; bl_alignment_error's; BL_ERROR_OVERFLOW;
// BL_ERROR_ALLOCATION. Example:
//   const int64_t a[] = {1000, 8}, b[] = {8};
//   const bl_shape shapes[] = {{a, 2}, {b, 1}};
//   const bl_dtype dtypes[] = {BL_DTYPE_F32, BL_DTYPE_F32};
//   bl_request request = BL_REQUEST_INIT;
//   request.op = BL_OP_ADD;
//   request.shapes = shapes;
//   request.dtypes = dtypes;
//   request.operand_count = 2;
//   bl_plan* plan;
//   assert(bl_plan_make(&request, &plan, NULL) == BL_OK);
//   assert(bl_plan_result_bytes(plan, 0) == 32000);
//   bl_plan_free(plan);
BL_API bl_error_class bl_plan_make(const bl_request* request, bl_plan** plan,
                                   bl_error* error);
BL_API void bl_plan_free(bl_plan* plan);

BL_API bl_op bl_plan_op(const bl_plan* plan);
BL_API bl_rule bl_plan_rule(const bl_plan* plan);
BL_API size_t bl_plan_operand_count(const bl_plan* plan);
BL_API bl_shape bl_plan_operand_shape(const bl_plan* plan, size_t operand);
BL_API bl_dtype bl_plan_operand_dtype(const bl_plan* plan, size_t operand);
// The number of results: 1, or under sonnx one for each operand.
BL_API size_t bl_plan_result_count(const bl_plan* plan);
// The shape of all results.
BL_API bl_shape bl_plan_result_shape(const bl_plan* plan);
BL_API bl_dtype bl_plan_result_dtype(const bl_plan* plan, size_t result);
// Bytes of a dense result.
BL_API uint64_t bl_plan_result_bytes(const bl_plan* plan, size_t result);

// Runs the plan on `inputs` into `outputs`, which have its types and shapes,
// and any strides by which no element is written twice. `options` may be null.
//
// An output may take the place of an input of the same shape, strides and
// element width. It may lie between the elements of an input, side by side
// along an axis, as two columns of an array do. Every other output whose range
// of memory, from the first to the last element, overlaps that of an input or
// of another output is an error, also if the two have no element in common.
//
// Errors, with nothing written: BL_ERROR_ARITY (another number of inputs or
// outputs than the plan has), BL_ERROR_DTYPE and BL_ERROR_INCOMPATIBLE (another
// type or shape than the plan has), BL_ERROR_LENGTH, BL_ERROR_OVERLAP (see
// above; BL_DETAIL_STRIDES: of an output with itself), BL_ERROR_ALLOCATION;
// BL_ERROR_ARGUMENT (BL_DETAIL_READ_ONLY) for a read-only output.
BL_API bl_error_class bl_plan_run(
    const bl_plan* plan, const bl_tensor_view* inputs, size_t input_count,
    const bl_tensor_view* outputs, size_t output_count,
    const bl_run_options* options, bl_error* error);

// Computes the elements of the result in `box`, one range for each of its
// `box_count` axes, into outputs of the box's shape. The elements are those of
// bl_plan_run. `options` may be null. Errors: those of bl_plan_run;
// BL_ERROR_EXTENT when the box is not inside the result.
BL_API bl_error_class
bl_plan_run_region(const bl_plan* plan, const bl_range* box, size_t box_count,
                   const bl_tensor_view* inputs, size_t input_count,
                   const bl_tensor_view* outputs, size_t output_count,
                   const bl_run_options* options, bl_error* error);

// What it takes to compute a box of the result, in bytes.
typedef struct bl_region_cost {
  uint64_t read;     // of all input regions, as dense tensors
  uint64_t written;  // of the results in the box
  uint64_t peak;     // that are in memory at once
} bl_region_cost;

// Writes to `region` which elements of an operand a box of the result is
// computed from: one range for each of the operand's `region_count` axes. Along
// an axis that repeats it is [0,1). A box without elements needs none. Errors:
// BL_ERROR_EXTENT when the box is not inside the result; BL_ERROR_ARGUMENT
// (BL_DETAIL_OUT_OF_RANGE) for an operand that the plan does not have,
// (BL_DETAIL_CAPACITY) when `region_count` is not the operand's rank;
// BL_ERROR_ALLOCATION. Example, rows 1 and 2 of (4,6) + (6):
//   const int64_t a[] = {4, 6}, b[] = {6};
//   const bl_shape shapes[] = {{a, 2}, {b, 1}};
//   const bl_dtype dtypes[] = {BL_DTYPE_F32, BL_DTYPE_F32};
//   bl_request request = BL_REQUEST_INIT;
//   request.op = BL_OP_ADD;
//   request.shapes = shapes;
//   request.dtypes = dtypes;
//   request.operand_count = 2;
//   bl_plan* plan;
//   assert(bl_plan_make(&request, &plan, NULL) == BL_OK);
//   const bl_range box[] = {{1, 3}, {0, 6}};
//   bl_range of_b[1];
//   assert(bl_plan_input_region(plan, box, 2, 1, of_b, 1, NULL) == BL_OK);
//   assert(of_b[0].begin == 0 && of_b[0].end == 6);
//   bl_region_cost cost;
//   assert(bl_plan_cost(plan, box, 2, &cost, NULL) == BL_OK);
//   assert(cost.read == 72 && cost.written == 48 && cost.peak == 120);
//   bl_plan_free(plan);
BL_API bl_error_class bl_plan_input_region(
    const bl_plan* plan, const bl_range* box, size_t box_count, size_t operand,
    bl_range* region, size_t region_count, bl_error* error);

// Writes the cost of a box, one range for each axis of the result. A box
// without elements costs nothing. Errors: BL_ERROR_EXTENT when it is not inside
// the result; BL_ERROR_ALLOCATION.
BL_API bl_error_class bl_plan_cost(const bl_plan* plan, const bl_range* box,
                                   size_t box_count, bl_region_cost* cost,
                                   bl_error* error);

// The plan that computes only the elements of the result in `box`: its operands
// have the shapes of the input regions, its results that of the box. It
// computes them as `plan` does, bit for bit. One such plan may be used for all
// boxes whose regions have the same shapes. `allocator` may be null. Errors:
// BL_ERROR_EXTENT when the box is not inside the result; BL_ERROR_ALLOCATION.
BL_API bl_error_class bl_plan_within(const bl_plan* plan, const bl_range* box,
                                     size_t box_count,
                                     const bl_allocator* allocator,
                                     bl_plan** within, bl_error* error);

// Computes an operator into a new tensor: a plan that is made, run and freed.
// Shapes and types are those of the inputs; shapes, dtypes and operand_count of
// the request are not read. For one result only: Broadcast under sonnx has
// several, and is run with a plan. `options` may be null; the tensor is made
// with their allocator. Errors: those of bl_plan_make, bl_tensor_allocate and
// bl_plan_run.
BL_API bl_error_class bl_apply(const bl_request* request,
                               const bl_tensor_view* inputs, size_t input_count,
                               const bl_run_options* options,
                               bl_tensor** result, bl_error* error);

// --- Sums -------------------------------------------------------------------

// A sum back to an operand's shape, which a gradient needs: the adjoint of
// broadcasting, made ready to run.
typedef struct bl_sum_plan bl_sum_plan;

// Errors name the shapes as the rule does: by a rule with a target
// (broadcast_numpy, bidirectional, explicit) `shape` is operand A and `input`
// the target (BL_TARGET); by all others `input` is A, and `shape` is B. When an
// extent is negative, and when tensors are summed, the input is operand 0, and
// the sums are BL_RESULT.
typedef struct bl_sum_request {
  size_t size;     // BL_SUM_REQUEST_INIT
  bl_dtype dtype;  // bl_sum_to does not read it
  bl_rule rule;    // by which `shape` broadcasts to `input`; 0: broadcast_numpy
  bl_shape input;  // the shape of what is summed; bl_sum_to does not read it
  bl_shape shape;  // the shape of the sums
  // The strides of the inputs, one for each axis, as in bl_tensor_view; may be
  // null: dense. bl_sum_to does not read it.
  const int64_t* strides;
  const int64_t* axis;              // only for pdpd; may be null
  const bl_integers* axes_mapping;  // only for explicit
  const bl_allocator* allocator;    // may be null: the system's heap
} bl_sum_request;

// Makes a plan for sums. Errors, in this order: BL_ERROR_UNKNOWN,
// BL_ERROR_ATTRIBUTE, BL_ERROR_EXTENT, BL_ERROR_DTYPE (bool, floats of 8 bits
// and types of less are not summed), bl_alignment_error's;
// BL_ERROR_INCOMPATIBLE also when `shape` broadcasts to another shape than
// `input`; BL_ERROR_OVERFLOW, BL_ERROR_ALLOCATION. Example:
//   const int64_t input[] = {2, 3}, shape[] = {3};
//   bl_sum_request request = BL_SUM_REQUEST_INIT;
//   request.dtype = BL_DTYPE_F32;
//   request.input = (bl_shape){input, 2};
//   request.shape = (bl_shape){shape, 1};
//   bl_sum_plan* plan;
//   assert(bl_sum_plan_make(&request, &plan, NULL) == BL_OK);
//   float gradient[] = {0, 1, 2, 3, 4, 5}, sums[3];
//   const bl_tensor_view from = {.dtype = BL_DTYPE_F32, .data = gradient,
//                                .bytes = sizeof gradient,
//                                .shape = request.input};
//   const bl_tensor_view to = {.dtype = BL_DTYPE_F32, .data = sums,
//                              .bytes = sizeof sums, .shape = request.shape};
//   assert(bl_sum_plan_run(plan, &from, &to, NULL, NULL) == BL_OK);
//   assert(sums[0] == 3 && sums[1] == 5 && sums[2] == 7);
//   bl_sum_plan_free(plan);
BL_API bl_error_class bl_sum_plan_make(const bl_sum_request* request,
                                       bl_sum_plan** plan, bl_error* error);
BL_API void bl_sum_plan_free(bl_sum_plan* plan);

BL_API bl_dtype bl_sum_plan_dtype(const bl_sum_plan* plan);
BL_API bl_rule bl_sum_plan_rule(const bl_sum_plan* plan);
BL_API bl_shape bl_sum_plan_input_shape(const bl_sum_plan* plan);
BL_API bl_shape bl_sum_plan_result_shape(const bl_sum_plan* plan);

// Sums `input` into `output`. Both may be strided. The sums are the same bits
// for any number of threads. Integers wrap; floats are rounded once. `options`
// may be null. Errors, with nothing written: those of bl_plan_run, with the
// same rules for overlap.
BL_API bl_error_class bl_sum_plan_run(const bl_sum_plan* plan,
                                      const bl_tensor_view* input,
                                      const bl_tensor_view* output,
                                      const bl_run_options* options,
                                      bl_error* error);

// Sums `input` to the request's shape, into a new tensor: a plan that is made,
// run and freed. `options` may be null; the tensor is made with their
// allocator. Errors: those of both, and of bl_tensor_allocate.
BL_API bl_error_class bl_sum_to(const bl_sum_request* request,
                                const bl_tensor_view* input,
                                const bl_run_options* options, bl_tensor** sums,
                                bl_error* error);

// --- Threads ----------------------------------------------------------------

// A pool of threads that provides a parallel loop. Any number of threads may
// use it at once.
typedef struct bl_threads bl_threads;

// Starts `threads` - 1 threads: the caller's is counted as one. 0: as many as
// the machine runs at once. If the system refuses a thread, the pool has fewer.
// `allocator` may be null. Errors: BL_ERROR_LIMIT for more than 1024,
// BL_ERROR_ALLOCATION. Example:
//   bl_threads* threads;
//   assert(bl_threads_make(2, NULL, &threads, NULL) == BL_OK);
//   bl_run_options options = BL_RUN_OPTIONS_INIT;
//   options.parallel = bl_threads_loop(threads);
//   assert(options.parallel->threads >= 1);
//   bl_threads_free(threads);
BL_API bl_error_class bl_threads_make(size_t threads,
                                      const bl_allocator* allocator,
                                      bl_threads** pool, bl_error* error);
// No loop may be running.
BL_API void bl_threads_free(bl_threads* pool);
// The pool's loop, valid until it is freed; NULL for null.
BL_API const bl_parallel_for* bl_threads_loop(const bl_threads* pool);

#ifdef __cplusplus
}
#endif

#endif  // BROADLOOM_C_H_
