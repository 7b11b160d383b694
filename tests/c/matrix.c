// Every rule, operator and element type against plain loops. The numbers are
// small whole ones, which every type holds exactly; tests/conformance has the
// others.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "elements.h"
#include "placed.h"

// A tensor in memory of its own, maybe strided.
typedef struct {
  bl_tensor_view view;
  int64_t strides[kMostRank];
  void* memory;
  // The place of dense element i is first + the sum of index * stride.
  int64_t first;
} Stored;

// Memory for `count` elements of a shape. With `strided` every axis is
// reversed, and there are gaps of an element behind each.
static Stored Store(bl_dtype dtype, const int64_t* extents, size_t rank,
                    int strided) {
  Stored out;
  memset(&out, 0, sizeof out);
  int64_t stride = 2;
  for (size_t axis = rank; axis-- > 0;) {
    out.strides[axis] = -stride;
    out.first += stride * (extents[axis] > 0 ? extents[axis] - 1 : 0);
    stride *= extents[axis] + 1;
  }
  const int64_t elements = strided ? out.first + 1 : CountOf(extents, rank);
  if (!strided) out.first = 0;
  const size_t bytes = BytesOf(dtype, elements);
  out.memory = calloc(bytes + 1, 1);
  out.view.dtype = dtype;
  out.view.data = out.memory;
  out.view.bytes = bytes;
  out.view.shape.values = extents;
  out.view.shape.count = rank;
  out.view.offset = out.first;
  return out;
}

// The element's place in memory.
static int64_t PlaceOf(const Stored* stored, int strided, const int64_t* index,
                       int64_t dense) {
  if (!strided) return dense;
  int64_t place = stored->first;
  for (size_t axis = 0; axis < stored->view.shape.count; ++axis) {
    place += stored->strides[axis] * index[axis];
  }
  return place;
}

typedef struct {
  Case of;
  Stored inputs[kMostOperands];
  int strided;
} Inputs;

// The views of the inputs. Strides are set late, since a struct may be moved.
static void Views(Inputs* inputs, bl_tensor_view* views) {
  for (size_t i = 0; i < inputs->of.operand_count; ++i) {
    Stored* const stored = &inputs->inputs[i];
    stored->view.shape = inputs->of.shapes[i];
    if (inputs->strided) stored->view.strides = stored->strides;
    views[i] = stored->view;
  }
}

static void FreeInputs(Inputs* inputs) {
  for (size_t i = 0; i < inputs->of.operand_count; ++i) {
    free(inputs->inputs[i].memory);
  }
}

// What the result's element `index` reads of an operand.
static int64_t SourcePlace(const Inputs* inputs, size_t operand,
                           const int64_t* index) {
  const Placed* const placed = &inputs->of.operands[operand];
  int64_t own[kMostRank];
  for (size_t axis = 0; axis < placed->rank; ++axis) {
    own[axis] = placed->extents[axis] == 1 ? 0 : index[placed->on[axis]];
  }
  return PlaceOf(&inputs->inputs[operand], inputs->strided, own,
                 SourceOf(placed, index));
}

static double Truth(int holds) { return holds ? 1 : 0; }

// The value of an operator for whole numbers; its operands' types allow it.
static double ValueOf(bl_op op, const double* x, size_t count) {
  double value = x[0];
  switch (op) {
    case BL_OP_ADD:
      return x[0] + x[1];
    case BL_OP_SUB:
      return x[0] - x[1];
    case BL_OP_MUL:
      return x[0] * x[1];
    case BL_OP_SQUARED_DIFFERENCE:
      return (x[0] - x[1]) * (x[0] - x[1]);
    case BL_OP_MAX:
      for (size_t i = 1; i < count; ++i) value = x[i] > value ? x[i] : value;
      return value;
    case BL_OP_MIN:
      for (size_t i = 1; i < count; ++i) value = x[i] < value ? x[i] : value;
      return value;
    case BL_OP_SUM:
      for (size_t i = 1; i < count; ++i) value += x[i];
      return value;
    case BL_OP_EQUAL:
      return Truth(x[0] == x[1]);
    case BL_OP_NOT_EQUAL:
      return Truth(x[0] != x[1]);
    case BL_OP_LESS:
      return Truth(x[0] < x[1]);
    case BL_OP_LESS_OR_EQUAL:
      return Truth(x[0] <= x[1]);
    case BL_OP_GREATER:
      return Truth(x[0] > x[1]);
    case BL_OP_GREATER_OR_EQUAL:
      return Truth(x[0] >= x[1]);
    case BL_OP_AND:
      return Truth(x[0] != 0 && x[1] != 0);
    case BL_OP_OR:
      return Truth(x[0] != 0 || x[1] != 0);
    case BL_OP_XOR:
      return Truth((x[0] != 0) != (x[1] != 0));
    case BL_OP_BITWISE_AND:
      return (double)((int64_t)x[0] & (int64_t)x[1]);
    case BL_OP_BITWISE_OR:
      return (double)((int64_t)x[0] | (int64_t)x[1]);
    case BL_OP_BITWISE_XOR:
      return (double)((int64_t)x[0] ^ (int64_t)x[1]);
    case BL_OP_BIT_SHIFT:
      return (double)((int64_t)x[0] << (int64_t)x[1]);
    case BL_OP_PRELU:
      return x[0] < 0 ? x[0] * x[1] : x[0];
    case BL_OP_WHERE:
      return x[0] != 0 ? x[1] : x[2];
    default:  // Cast
      return x[0];
  }
}

// The type of the result.
static bl_dtype ResultType(bl_op op, bl_dtype dtype) {
  return op >= BL_OP_EQUAL && op <= BL_OP_XOR ? BL_DTYPE_BOOL : dtype;
}

// Whether ValueOf knows the operator, and the type is one of its.
static int Knows(bl_op op, bl_dtype dtype) {
  const int integer = IsSigned(dtype) || IsUnsigned(dtype);
  const int number = integer || IsFloat(dtype);
  const int negative = IsSigned(dtype) || IsFloat(dtype);
  switch (op) {
    case BL_OP_SUB:
      return negative;  // a negative difference would wrap
    case BL_OP_ADD:
    case BL_OP_MUL:
    case BL_OP_SQUARED_DIFFERENCE:
    case BL_OP_MAX:
    case BL_OP_MIN:
    case BL_OP_LESS:
    case BL_OP_LESS_OR_EQUAL:
    case BL_OP_GREATER:
    case BL_OP_GREATER_OR_EQUAL:
      return number;
    case BL_OP_SUM:
      return IsFloat(dtype);
    case BL_OP_EQUAL:
    case BL_OP_NOT_EQUAL:
    case BL_OP_CAST:
      return number || dtype == BL_DTYPE_BOOL;
    case BL_OP_AND:
    case BL_OP_OR:
    case BL_OP_XOR:
      return dtype == BL_DTYPE_BOOL;
    case BL_OP_BITWISE_AND:
    case BL_OP_BITWISE_OR:
    case BL_OP_BITWISE_XOR:
      return integer;
    case BL_OP_BIT_SHIFT:
      return IsUnsigned(dtype);
    case BL_OP_PRELU:
      return IsFloat(dtype) || dtype == BL_DTYPE_I32 || dtype == BL_DTYPE_I64;
    case BL_OP_WHERE:
      return number || dtype == BL_DTYPE_BOOL;
    default:  // Div, Mod, Pow and Mean round; Broadcast is tested below
      return 0;
  }
}

static size_t OperandsOf(bl_op op) {
  if (op == BL_OP_WHERE) return 3;
  if (op == BL_OP_CAST) return 1;
  if (op == BL_OP_MAX || op == BL_OP_MIN || op == BL_OP_SUM) {
    return 1 + Random(kMostOperands);
  }
  return 2;
}

static int64_t NumberFor(bl_op op, bl_dtype dtype, size_t operand) {
  if (dtype == BL_DTYPE_BOOL || (op == BL_OP_WHERE && operand == 0)) {
    return (int64_t)Random(2);
  }
  if (op == BL_OP_BIT_SHIFT) return (int64_t)Random(4);
  if (IsUnsigned(dtype)) return (int64_t)Random(11);
  return (int64_t)Random(11) - 5;
}

// Compares an output with the plain loop, in `box` of the result.
static void CompareValues(const Inputs* inputs, bl_op op,
                          const bl_dtype* dtypes, const Stored* output,
                          int strided, const bl_range* box) {
  const Case* const of = &inputs->of;
  int64_t extents[kMostRank] = {0}, index[kMostRank] = {0};
  for (size_t axis = 0; axis < of->rank; ++axis) {
    extents[axis] = box[axis].end - box[axis].begin;
  }
  if (CountOf(extents, of->rank) == 0) return;
  int64_t dense = 0;
  do {
    int64_t whole[kMostRank];
    for (size_t axis = 0; axis < of->rank; ++axis) {
      whole[axis] = box[axis].begin + index[axis];
    }
    double values[kMostOperands] = {0};
    for (size_t i = 0; i < of->operand_count; ++i) {
      values[i] = ReadNumber(dtypes[i], inputs->inputs[i].memory,
                             SourcePlace(inputs, i, whole));
    }
    const double expected = ValueOf(op, values, of->operand_count);
    const int64_t place = PlaceOf(output, strided, index, dense);
    const double got = ReadNumber(output->view.dtype, output->memory, place);
    CHECK(got == expected);
    ++dense;
  } while (NextIndex(extents, of->rank, index));
}

// The input regions of a box, its cost, and its own plan, which is run on the
// regions as views of the inputs: `region` has what bl_plan_run_region made.
static void CheckInputRegions(const Inputs* inputs, const bl_plan* plan,
                              const bl_range* box, const bl_dtype* dtypes,
                              const Stored* region, int strided) {
  const Case* const of = &inputs->of;
  int64_t part[kMostRank], elements = 1;
  for (size_t axis = 0; axis < of->rank; ++axis) {
    part[axis] = box[axis].end - box[axis].begin;
    elements *= part[axis];
  }
  bl_error error = BL_ERROR_INIT;
  bl_plan* within = NULL;
  CHECK(bl_plan_within(plan, box, of->rank, NULL, &within, &error) == BL_OK);
  bl_tensor_view views[kMostOperands];
  int64_t extents[kMostOperands][kMostRank], strides[kMostOperands][kMostRank];
  size_t bytes = 0;
  for (size_t i = 0; i < of->operand_count; ++i) {
    const Placed* const operand = &of->operands[i];
    bl_range ranges[kMostRank];
    CHECK(bl_plan_input_region(plan, box, of->rank, i, ranges, operand->rank,
                               &error) == BL_OK);
    int64_t count = 1, dense = 1;
    views[i] = inputs->inputs[i].view;
    for (size_t axis = operand->rank; axis-- > 0;) {
      const int64_t extent = operand->extents[axis];
      bl_range expected = {0, extent};
      if (extent != 1) expected = box[operand->on[axis]];
      // A 1 on an axis of extent 1 is the whole axis, or nothing of it.
      if (elements == 0) {
        CHECK(ranges[axis].begin == ranges[axis].end);
      } else {
        CHECK(ranges[axis].begin == expected.begin);
        CHECK(ranges[axis].end == expected.end);
      }
      extents[i][axis] = ranges[axis].end - ranges[axis].begin;
      strides[i][axis] =
          inputs->strided ? inputs->inputs[i].strides[axis] : dense;
      views[i].offset += ranges[axis].begin * strides[i][axis];
      dense *= extent;
      count *= extents[i][axis];
    }
    views[i].shape.values = extents[i];
    views[i].shape.count = operand->rank;
    views[i].strides = strides[i];
    if (elements != 0) bytes += BytesOf(dtypes[i], count);
  }
  bl_region_cost cost;
  CHECK(bl_plan_cost(plan, box, of->rank, &cost, &error) == BL_OK);
  CHECK(cost.read == bytes);
  CHECK(cost.written == BytesOf(region->view.dtype, elements));
  CHECK(cost.peak == cost.read + cost.written);

  Stored again = Store(region->view.dtype, part, of->rank, strided);
  if (strided) again.view.strides = again.strides;
  CHECK(bl_plan_run(within, views, of->operand_count, &again.view, 1, NULL,
                    &error) == BL_OK);
  CHECK(again.view.bytes == region->view.bytes &&
        memcmp(again.memory, region->memory, again.view.bytes) == 0);
  free(again.memory);
  bl_plan_free(within);
}

static void TestOneOperator(bl_op op, bl_rule rule, bl_dtype dtype,
                            const bl_parallel_for* loop) {
  Inputs inputs;
  memset(&inputs, 0, sizeof inputs);
  MakeCase(rule, OperandsOf(op), &inputs.of);
  Case* const of = &inputs.of;
  inputs.strided = (int)Random(2);
  bl_request request = RequestOf(of);
  bl_dtype dtypes[kMostOperands];
  for (size_t i = 0; i < of->operand_count; ++i) {
    dtypes[i] = op == BL_OP_WHERE && i == 0 ? BL_DTYPE_BOOL : dtype;
    inputs.inputs[i] = Store(dtypes[i], of->operands[i].extents,
                             of->operands[i].rank, inputs.strided);
    const int64_t elements = bl_dtype_bits(dtypes[i]) == 0
                                 ? 0
                                 : (int64_t)inputs.inputs[i].view.bytes * 8 /
                                       bl_dtype_bits(dtypes[i]);
    for (int64_t k = 0; k < elements; ++k) {
      WriteNumber(dtypes[i], inputs.inputs[i].memory, k,
                  NumberFor(op, dtype, i));
    }
  }
  bl_tensor_view views[kMostOperands];
  Views(&inputs, views);

  request.op = op;
  request.dtypes = dtypes;
  if (op == BL_OP_BIT_SHIFT) request.direction = BL_DIRECTION_LEFT;
  if (op == BL_OP_CAST) request.to = BL_DTYPE_F32;
  const bl_dtype result_type =
      op == BL_OP_CAST ? BL_DTYPE_F32 : ResultType(op, dtype);
  bl_error error = BL_ERROR_INIT;
  bl_plan* plan = NULL;
  CHECK(bl_plan_make(&request, &plan, &error) == BL_OK);
  if (plan == NULL) {
    char text[300];
    bl_describe_error(&error, text, sizeof text);
    printf("%s\n", text);
    FreeInputs(&inputs);
    return;
  }
  CHECK(bl_plan_op(plan) == op && bl_plan_rule(plan) == rule);
  CHECK(bl_plan_operand_count(plan) == of->operand_count);
  CHECK(bl_plan_result_count(plan) == 1);
  CHECK(bl_plan_result_dtype(plan, 0) == result_type);
  const bl_shape shape = bl_plan_result_shape(plan);
  CHECK(shape.count == of->rank);
  for (size_t axis = 0; axis < of->rank; ++axis) {
    CHECK(shape.values[axis] == of->result[axis]);
  }
  for (size_t i = 0; i < of->operand_count; ++i) {
    CHECK(bl_plan_operand_dtype(plan, i) == dtypes[i]);
    CHECK(bl_plan_operand_shape(plan, i).count == of->operands[i].rank);
  }

  // The whole result, dense or strided.
  bl_run_options options = BL_RUN_OPTIONS_INIT;
  options.stores = (bl_stores)Random(3);
  options.parallel = loop;
  const int strided = (int)Random(2);
  bl_range box[kMostRank];
  for (size_t axis = 0; axis < of->rank; ++axis) {
    box[axis].begin = 0;
    box[axis].end = of->result[axis];
  }
  Stored whole = Store(result_type, of->result, of->rank, strided);
  if (strided) whole.view.strides = whole.strides;
  CHECK(bl_plan_run(plan, views, of->operand_count, &whole.view, 1, &options,
                    &error) == BL_OK);
  CompareValues(&inputs, op, dtypes, &whole, strided, box);
  free(whole.memory);

  // A part of it.
  int64_t part[kMostRank];
  for (size_t axis = 0; axis < of->rank; ++axis) {
    box[axis].begin = (int64_t)Random((uint64_t)of->result[axis] + 1);
    box[axis].end =
        box[axis].begin +
        (int64_t)Random((uint64_t)(of->result[axis] - box[axis].begin) + 1);
    part[axis] = box[axis].end - box[axis].begin;
  }
  Stored region = Store(result_type, part, of->rank, strided);
  if (strided) region.view.strides = region.strides;
  CHECK(bl_plan_run_region(plan, box, of->rank, views, of->operand_count,
                           &region.view, 1, NULL, &error) == BL_OK);
  CompareValues(&inputs, op, dtypes, &region, strided, box);
  CheckInputRegions(&inputs, plan, box, dtypes, &region, strided);
  free(region.memory);
  bl_plan_free(plan);

  // The same in one call.
  request.shapes = NULL;
  request.dtypes = NULL;
  request.operand_count = 0;
  bl_tensor* made = NULL;
  CHECK(bl_apply(&request, views, of->operand_count, &options, &made, &error) ==
        BL_OK);
  Stored result = {0};
  CHECK(bl_tensor_get_view(made, &result.view, NULL) == BL_OK);
  result.memory = result.view.data;
  CHECK(result.view.dtype == result_type && result.view.flags == 0);
  for (size_t axis = 0; axis < of->rank; ++axis) {
    box[axis].begin = 0;
    box[axis].end = of->result[axis];
  }
  CompareValues(&inputs, op, dtypes, &result, 0, box);
  bl_tensor_free(made);
  FreeInputs(&inputs);
}

// Checks one element of an operator on `from`, of `bytes` bytes, and `by`,
// which has room for 8.
static void CheckElement(const bl_request* request, bl_dtype of_from,
                         void* from, bl_dtype of_by, void* by,
                         const void* expected, size_t bytes) {
  const bl_tensor_view inputs[] = {
      {.dtype = of_from, .data = from, .bytes = bytes},
      {.dtype = of_by, .data = by, .bytes = 8}};
  bl_error error = BL_ERROR_INIT;
  bl_tensor* made;
  CHECK(bl_apply(request, inputs, 2, NULL, &made, &error) == BL_OK);
  bl_tensor_view view;
  if (bl_tensor_get_view(made, &view, NULL) != BL_OK) return;
  CHECK(view.bytes == bytes && memcmp(view.data, expected, bytes) == 0);
  bl_tensor_free(made);
}

// The cases that the comments of bl_op name.
static void TestNamedCases(void) {
  static const struct {
    bl_op op;
    int8_t from, by, expected;
  } kBytes[] = {
      {BL_OP_ADD, 127, 1, -128},   {BL_OP_SUB, -128, 1, 127},
      {BL_OP_MUL, 100, 100, 16},   {BL_OP_SQUARED_DIFFERENCE, 100, 0, 16},
      {BL_OP_DIV, -7, 2, -3},      {BL_OP_DIV, 7, 0, 0},
      {BL_OP_DIV, -128, -1, -128}, {BL_OP_MOD, -7, 3, 2},
      {BL_OP_MOD, 7, -3, -2},      {BL_OP_MOD, 7, 0, 0},
      {BL_OP_POW, 100, 2, 16},     {BL_OP_POW, 2, -1, 0},
      {BL_OP_POW, -1, -3, -1},     {BL_OP_POW, 0, -1, 0}};
  for (size_t i = 0; i < sizeof kBytes / sizeof *kBytes; ++i) {
    bl_request request = BL_REQUEST_INIT;
    request.op = kBytes[i].op;
    int8_t from = kBytes[i].from, by[8] = {kBytes[i].by};
    CheckElement(&request, BL_DTYPE_I8, &from, BL_DTYPE_I8, by,
                 &kBytes[i].expected, 1);
  }
  bl_request request = BL_REQUEST_INIT;
  request.op = BL_OP_MOD;
  const int64_t one = 1;
  request.fmod = &one;
  int8_t minus_seven = -7, three[8] = {3}, minus_one = -1;
  CheckElement(&request, BL_DTYPE_I8, &minus_seven, BL_DTYPE_I8, three,
               &minus_one, 1);
  request = (bl_request)BL_REQUEST_INIT;
  request.op = BL_OP_POW;
  int8_t hundred = 100, minus_hundred = -100, largest = 127, zero = 0;
  float two[2] = {2}, cube[2] = {3}, half[2] = {0.5f};
  const int8_t smallest = -128, ten = 10;
  CheckElement(&request, BL_DTYPE_I8, &hundred, BL_DTYPE_F32, two, &largest, 1);
  CheckElement(&request, BL_DTYPE_I8, &minus_hundred, BL_DTYPE_F32, cube,
               &smallest, 1);
  CheckElement(&request, BL_DTYPE_I8, &hundred, BL_DTYPE_F32, half, &ten, 1);
  CheckElement(&request, BL_DTYPE_I8, &minus_hundred, BL_DTYPE_F32, half, &zero,
               1);
  request = (bl_request)BL_REQUEST_INIT;
  request.op = BL_OP_BIT_SHIFT;
  for (bl_direction to = BL_DIRECTION_LEFT; to <= BL_DIRECTION_RIGHT; ++to) {
    request.direction = to;
    uint8_t bits = 255, width[8] = {8}, more[8] = {255};
    CheckElement(&request, BL_DTYPE_U8, &bits, BL_DTYPE_U8, width, &zero, 1);
    CheckElement(&request, BL_DTYPE_U8, &bits, BL_DTYPE_U8, more, &zero, 1);
  }
  request = (bl_request)BL_REQUEST_INIT;
  request.op = BL_OP_CAST;
  request.to = BL_DTYPE_I8;
  const int8_t wrapped = 44;  // of 300
  int16_t large = 300;
  const bl_tensor_view input = {
      .dtype = BL_DTYPE_I16, .data = &large, .bytes = 2};
  for (int64_t saturate = 0; saturate <= 1; ++saturate) {
    request.saturate = &saturate;
    bl_tensor* made;
    bl_tensor_view view;
    CHECK(bl_apply(&request, &input, 1, NULL, &made, NULL) == BL_OK);
    CHECK(bl_tensor_get_view(made, &view, NULL) == BL_OK);
    CHECK(*(const int8_t*)view.data == (saturate ? largest : wrapped));
    bl_tensor_free(made);
  }
}

void TestOperators(void) {
  TestNamedCases();
  int tested = 0;
  for (bl_op op = 1; bl_op_name(op) != NULL; ++op) {
    for (bl_rule rule = 1; bl_rule_name(rule) != NULL; ++rule) {
      if (!bl_accepts(op, rule)) continue;
      for (bl_dtype dtype = 1; bl_dtype_name(dtype) != NULL; ++dtype) {
        if (!Knows(op, dtype)) continue;
        for (int k = 0; k < 12; ++k) TestOneOperator(op, rule, dtype, NULL);
        ++tested;
      }
    }
  }
  CHECK(tested > 700);
}

// What an alignment says of a case: shapes, cells, the maps both ways.
static void CheckAlignment(Case* of) {
  const bl_request request = RequestOf(of);
  bl_error error = BL_ERROR_INIT;
  bl_alignment* alignment = NULL;
  CHECK(bl_align(&request, &alignment, &error) == BL_OK);
  if (alignment == NULL) return;
  CHECK(bl_alignment_error(alignment, &error) == BL_OK);
  CHECK(error.error_class == BL_OK);
  CHECK(bl_alignment_rule(alignment) == of->rule);
  CHECK(bl_alignment_operand_count(alignment) == of->operand_count);
  CHECK(bl_alignment_conflict_count(alignment) == 0);
  const bl_shape shape = bl_alignment_shape(alignment);
  CHECK(shape.count == of->rank);
  for (size_t axis = 0; axis < of->rank; ++axis) {
    CHECK(shape.values[axis] == of->result[axis]);
  }
  int64_t extents[kMostRank];
  size_t rank = 99;
  CHECK(bl_infer_shape(&request, extents, kMostRank, &rank, &error) == BL_OK);
  CHECK(rank == of->rank &&
        memcmp(extents, of->result, rank * sizeof *extents) == 0);

  for (size_t i = 0; i < of->operand_count; ++i) {
    const Placed* const operand = &of->operands[i];
    const bl_shape own = bl_alignment_operand_shape(alignment, (int32_t)i);
    CHECK(own.count == operand->rank);
    for (size_t axis = 0; axis < of->rank; ++axis) {
      int source = BL_ABSENT;
      for (size_t k = 0; k < operand->rank; ++k) {
        if (operand->on[k] == (int)axis) source = (int)k;
      }
      bl_cell cell;
      CHECK(bl_alignment_cell(alignment, (int32_t)i, axis, &cell, &error) ==
            BL_OK);
      // PDPD ignores trailing axes of extent 1, whether they lie on an axis of
      // A or not.
      int ignored = of->rule == BL_RULE_PDPD && i == 1;
      for (size_t k = 0; k < operand->rank; ++k) {
        const int from = source >= 0 ? source : cell.source_axis;
        if ((int)k >= from && operand->extents[k] != 1) ignored = 0;
      }
      if (ignored) {
        CHECK(cell.extent == 1);
        continue;
      }
      CHECK(cell.source_axis == source);
      const int64_t extent = source < 0 ? 1 : operand->extents[source];
      CHECK(cell.extent == extent);
      const bl_relation relation = source < 0 ? BL_RELATION_INSERT
                                   : extent == of->result[axis]
                                       ? BL_RELATION_MATCH
                                       : BL_RELATION_STRETCH;
      CHECK(cell.relation == relation);
      CHECK(cell.clause != NULL && bl_clause_text(cell.clause) != NULL);
    }

    if (CountOf(of->result, of->rank) == 0) continue;
    int64_t index[kMostRank] = {0}, strides[kMostRank] = {0};
    CHECK(bl_alignment_strides(alignment, i, strides, of->rank, &error) ==
          BL_OK);
    do {
      int64_t source[kMostRank] = {0};
      CHECK(bl_alignment_source_of(alignment, i, index, of->rank, source,
                                   operand->rank, &error) == BL_OK);
      int64_t number = 0, by_strides = 0;
      for (size_t axis = 0; axis < operand->rank; ++axis) {
        number = number * operand->extents[axis] + source[axis];
      }
      for (size_t axis = 0; axis < of->rank; ++axis) {
        by_strides += strides[axis] * index[axis];
      }
      CHECK(number == SourceOf(operand, index));
      CHECK(by_strides == number);
      bl_range box[kMostRank];
      CHECK(bl_alignment_fan_out(alignment, i, source, operand->rank, box,
                                 of->rank, &error) == BL_OK);
      for (size_t axis = 0; axis < of->rank; ++axis) {
        CHECK(box[axis].begin <= index[axis] && index[axis] < box[axis].end);
      }
    } while (NextIndex(of->result, of->rank, index));
  }
  bl_alignment_free(alignment);
}

// Broadcast: elements of every type, moved by their bits.
static void TestOneBroadcast(bl_rule rule, bl_dtype dtype) {
  Inputs inputs;
  memset(&inputs, 0, sizeof inputs);
  MakeCase(rule, 1 + Random(kMostOperands), &inputs.of);
  Case* const of = &inputs.of;
  CheckAlignment(of);
  inputs.strided = (int)Random(2);
  bl_request request = RequestOf(of);
  bl_dtype dtypes[kMostOperands];
  for (size_t i = 0; i < of->operand_count; ++i) {
    dtypes[i] = dtype;
    inputs.inputs[i] = Store(dtype, of->operands[i].extents,
                             of->operands[i].rank, inputs.strided);
    for (size_t k = 0; k < inputs.inputs[i].view.bytes; ++k) {
      ((uint8_t*)inputs.inputs[i].memory)[k] = (uint8_t)Random(256);
    }
  }
  bl_tensor_view views[kMostOperands];
  Views(&inputs, views);
  request.op = BL_OP_BROADCAST;
  request.dtypes = dtypes;
  bl_error error = BL_ERROR_INIT;
  bl_plan* plan = NULL;
  CHECK(bl_plan_make(&request, &plan, &error) == BL_OK);
  const size_t results = bl_plan_result_count(plan);
  CHECK(results == (rule == BL_RULE_SONNX ? of->operand_count : 1));
  Stored outputs[kMostOperands];
  bl_tensor_view output_views[kMostOperands];
  for (size_t i = 0; i < results; ++i) {
    outputs[i] = Store(dtype, of->result, of->rank, 0);
    CHECK(bl_plan_result_bytes(plan, i) == outputs[i].view.bytes);
    output_views[i] = outputs[i].view;
  }
  CHECK(bl_plan_run(plan, views, of->operand_count, output_views, results, NULL,
                    &error) == BL_OK);
  if (CountOf(of->result, of->rank) != 0) {
    for (size_t i = 0; i < results; ++i) {
      int64_t index[kMostRank] = {0}, dense = 0;
      do {
        CHECK(SameBits(dtype, outputs[i].memory, dense++,
                       inputs.inputs[i].memory,
                       SourcePlace(&inputs, i, index)));
      } while (NextIndex(of->result, of->rank, index));
    }
  }
  for (size_t i = 0; i < results; ++i) free(outputs[i].memory);
  bl_plan_free(plan);
  FreeInputs(&inputs);
}

void TestBroadcasts(void) {
  int tested = 0;
  for (bl_rule rule = 1; bl_rule_name(rule) != NULL; ++rule) {
    for (int k = 0; k < 200; ++k) {
      Case of;
      MakeCase(rule, 1 + Random(kMostOperands), &of);
      CheckAlignment(&of);
    }
    if (!bl_accepts(BL_OP_BROADCAST, rule)) continue;
    for (bl_dtype dtype = 1; bl_dtype_name(dtype) != NULL; ++dtype) {
      for (int k = 0; k < 15; ++k) TestOneBroadcast(rule, dtype);
      ++tested;
    }
  }
  CHECK(tested >= 4 * 20);
}

// Cases in which one extent is changed so that it fits nothing.
void TestMismatches(void) {
  int tested = 0;
  for (bl_rule rule = 1; bl_rule_name(rule) != NULL; ++rule) {
    for (int k = 0; k < 400; ++k) {
      Case of;
      MakeCase(rule, 2, &of);
      const size_t last = of.operand_count - 1;
      Placed* const operand = &of.operands[last];
      if (operand->rank == 0) continue;
      const size_t axis = Random(operand->rank);
      if (operand->on[axis] < 0) continue;
      // Another operand, or the target, has an extent of at least 2 there.
      int64_t other = 1;
      const int on = operand->on[axis];
      if (of.has_target) {
        const int from = (int)(of.rank - of.target_rank);
        if (on >= from) other = of.target[on - from];
      } else {
        for (size_t i = 0; i < of.operands[0].rank; ++i) {
          if (of.operands[0].on[i] == on) other = of.operands[0].extents[i];
        }
      }
      if (other < 2) continue;
      operand->extents[axis] = other + 1;
      ++tested;
      const bl_request request = RequestOf(&of);
      bl_error error = BL_ERROR_INIT;
      int64_t extents[kMostRank];
      size_t rank;
      CHECK(bl_infer_shape(&request, extents, kMostRank, &rank, &error) ==
            BL_ERROR_INCOMPATIBLE);
      CHECK(error.error_class == BL_ERROR_INCOMPATIBLE);
      CHECK(error.rule == rule && error.clause != NULL);
      CHECK(bl_describe_error(&error, NULL, 0) > 20);

      bl_alignment* alignment = NULL;
      CHECK(bl_align(&request, &alignment, NULL) == BL_OK);
      CHECK(bl_alignment_error(alignment, &error) == BL_ERROR_INCOMPATIBLE);
      CHECK(bl_alignment_conflict_count(alignment) >= 1);
      bl_conflict conflict;
      CHECK(bl_alignment_conflict(alignment, 0, &conflict, NULL) == BL_OK);
      CHECK(conflict.axis == error.axis);
      CHECK(conflict.extent == error.extent);
      bl_alignment_free(alignment);
    }
  }
  CHECK(tested > 500);
}

// Sums of a tensor of the result's shape to an operand's shape.
static void TestOneSum(bl_rule rule, bl_dtype dtype) {
  Case of;
  MakeCase(rule, 2, &of);
  // The operand that is summed to is B, or the data of a rule with a target;
  // the other shape has to be the result's, since it does not stretch.
  const size_t summed = of.has_target ? 0 : 1;
  const Placed* const operand = &of.operands[summed];
  const int64_t elements = CountOf(of.result, of.rank);
  void* const input = calloc(BytesOf(dtype, elements) + 1, 1);
  // At most 100 elements of magnitude 1, so that every type holds the sums.
  int64_t left = 100;
  for (int64_t i = 0; i < elements; ++i) {
    int64_t value = left > 0 ? (int64_t)Random(3) - 1 : 0;
    if (IsUnsigned(dtype) && value < 0) value = 0;
    left -= value != 0;
    WriteNumber(dtype, input, i, value);
  }
  double* const expected = calloc(
      (size_t)CountOf(operand->extents, operand->rank) + 1, sizeof *expected);
  if (elements != 0) {
    int64_t index[kMostRank] = {0}, dense = 0;
    do {
      expected[SourceOf(operand, index)] += ReadNumber(dtype, input, dense++);
    } while (NextIndex(of.result, of.rank, index));
  }

  bl_sum_request request = BL_SUM_REQUEST_INIT;
  request.dtype = dtype;
  request.rule = rule;
  const bl_shape from = {of.result, of.rank};
  const bl_shape to = {operand->extents, operand->rank};
  request.input = from;
  request.shape = to;
  if (of.has_axis) request.axis = &of.axis;
  const bl_integers mapping = {of.mapping, operand->rank};
  if (of.has_mapping) request.axes_mapping = &mapping;
  bl_tensor_view view = {0};
  view.dtype = dtype;
  view.flags = BL_TENSOR_READ_ONLY;  // inputs may be
  view.data = input;
  view.bytes = BytesOf(dtype, elements);
  view.shape = from;

  bl_error error = BL_ERROR_INIT;
  bl_sum_plan* plan = NULL;
  CHECK(bl_sum_plan_make(&request, &plan, &error) == BL_OK);
  CHECK(bl_sum_plan_dtype(plan) == dtype && bl_sum_plan_rule(plan) == rule);
  CHECK(bl_sum_plan_input_shape(plan).count == of.rank);
  CHECK(bl_sum_plan_result_shape(plan).count == operand->rank);
  bl_tensor* sums = NULL;
  CHECK(bl_sum_to(&request, &view, NULL, &sums, &error) == BL_OK);
  bl_tensor_view result;
  CHECK(bl_tensor_get_view(sums, &result, NULL) == BL_OK);
  const int64_t count = CountOf(operand->extents, operand->rank);
  for (int64_t i = 0; i < count; ++i) {
    CHECK(ReadNumber(dtype, result.data, i) == expected[i]);
  }
  if (result.bytes != 0) memset(result.data, 0, result.bytes);
  CHECK(bl_sum_plan_run(plan, &view, &result, NULL, &error) == BL_OK);
  for (int64_t i = 0; i < count; ++i) {
    CHECK(ReadNumber(dtype, result.data, i) == expected[i]);
  }
  bl_tensor_free(sums);
  bl_sum_plan_free(plan);
  free(expected);
  free(input);
}

void TestSums(void) {
  // Rules under which the other shape may stretch are tested by one that does
  // not: the sums are the same.
  static const bl_rule kRules[] = {BL_RULE_ONNX_UNIDIRECTIONAL, BL_RULE_PDPD,
                                   BL_RULE_BROADCAST_NUMPY, BL_RULE_EXPLICIT,
                                   BL_RULE_NONE};
  for (size_t i = 0; i < sizeof kRules / sizeof *kRules; ++i) {
    for (bl_dtype dtype = BL_DTYPE_I8; dtype <= BL_DTYPE_F64; ++dtype) {
      for (int k = 0; k < 20; ++k) TestOneSum(kRules[i], dtype);
    }
  }
}

void TestThreads(void) {
  bl_threads* threads = NULL;
  CHECK(bl_threads_make(3, NULL, &threads, NULL) == BL_OK);
  const bl_parallel_for* const loop = bl_threads_loop(threads);
  CHECK(loop != NULL && loop->threads >= 1);
  // A result that is large enough to be shared.
  enum { kRows = 3000, kColumns = 300 };
  static float a[kRows * kColumns], b[kColumns], sums[kRows * kColumns];
  for (int i = 0; i < kRows * kColumns; ++i) a[i] = (float)(i % 1000);
  for (int i = 0; i < kColumns; ++i) b[i] = (float)i;
  const int64_t matrix[] = {kRows, kColumns}, row[] = {kColumns};
  const bl_tensor_view inputs[] = {
      {.dtype = BL_DTYPE_F32,
       .data = a,
       .bytes = sizeof a,
       .shape = {matrix, 2}},
      {.dtype = BL_DTYPE_F32, .data = b, .bytes = sizeof b, .shape = {row, 1}}};
  const bl_tensor_view output = {.dtype = BL_DTYPE_F32,
                                 .data = sums,
                                 .bytes = sizeof sums,
                                 .shape = {matrix, 2}};
  const bl_shape shapes[] = {{matrix, 2}, {row, 1}};
  const bl_dtype dtypes[] = {BL_DTYPE_F32, BL_DTYPE_F32};
  bl_request request = BL_REQUEST_INIT;
  request.op = BL_OP_ADD;
  request.shapes = shapes;
  request.dtypes = dtypes;
  request.operand_count = 2;
  bl_plan* plan = NULL;
  CHECK(bl_plan_make(&request, &plan, NULL) == BL_OK);
  bl_run_options options = BL_RUN_OPTIONS_INIT;
  options.parallel = loop;
  CHECK(bl_plan_run(plan, inputs, 2, &output, 1, &options, NULL) == BL_OK);
  int wrong = 0;
  for (int i = 0; i < kRows * kColumns; ++i) {
    wrong += sums[i] != a[i] + b[i % kColumns];
  }
  CHECK(wrong == 0);
  bl_plan_free(plan);
  for (int k = 0; k < 20; ++k) {
    TestOneOperator(BL_OP_ADD, BL_RULE_NUMPY, BL_DTYPE_I32, loop);
  }
  bl_threads_free(threads);
}
