// What C lets a caller pass and no call takes: errors that say what to do.

#include <string.h>

#include "check.h"

static const int64_t kA[] = {2, 3}, kB[] = {3};
static const bl_shape kShapes[] = {{kA, 2}, {kB, 1}};
static const bl_dtype kDtypes[] = {BL_DTYPE_F32, BL_DTYPE_F32};
static float a[6], b[3], result[6];

static bl_request Request(void) {
  bl_request request = BL_REQUEST_INIT;
  request.op = BL_OP_ADD;
  request.shapes = kShapes;
  request.dtypes = kDtypes;
  request.operand_count = 2;
  return request;
}

// That a request is refused by bl_plan_make.
#define CHECK_PLAN(request, expected_class, expected_detail, part)     \
  do {                                                                 \
    bl_error error_ = BL_ERROR_INIT;                                   \
    bl_plan* plan_ = (bl_plan*)&error_;                                \
    CHECK(bl_plan_make(request, &plan_, &error_) == (expected_class)); \
    CHECK(plan_ == NULL && error_.error_class == (expected_class));    \
    CHECK(error_.detail == (expected_detail));                         \
    CHECK_SAYS(&error_, part);                                         \
    CHECK(bl_plan_make(request, &plan_, NULL) == (expected_class));    \
  } while (0)

static void TestRequests(void) {
  CHECK_PLAN(NULL, BL_ERROR_ARGUMENT, BL_DETAIL_NULL, "`request` is null");
  bl_request request = Request();
  CHECK(bl_plan_make(&request, NULL, NULL) == BL_ERROR_ARGUMENT);
  request.size = 0;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_STRUCT_SIZE,
             "begin the struct with its _INIT macro");
  request.size = sizeof request - 1;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_STRUCT_SIZE,
             "and only 112 to 4096 are accepted");
  request.size = 4097;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_STRUCT_SIZE,
             "`request->size` is 4097, and only 112 to 4096 are accepted");
  request.size = SIZE_MAX;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_STRUCT_SIZE,
             "is 18446744073709551615");

  // A struct of a newer header: what the library lacks has to be zero.
  struct {
    bl_request request;
    int64_t newer;
  } larger;
  memset(&larger, 0, sizeof larger);
  larger.request = Request();
  larger.request.size = sizeof larger;
  bl_plan* plan;
  CHECK(bl_plan_make(&larger.request, &plan, NULL) == BL_OK);
  bl_plan_free(plan);
  larger.newer = 1;
  CHECK_PLAN(&larger.request, BL_ERROR_ARGUMENT, BL_DETAIL_NEWER,
             "use a newer library");

  request = Request();
  request.op = 0;
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_OP,
             "`request->op` is missing");
  request.op = 9999;
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_OP,
             "`request->op` is 9999, which is none of its constants");
  request.op = INT32_MIN;
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_OP, "-2147483648");
  request = Request();
  request.rule = 77;
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_RULE, "`request->rule`");
  request.rule = -1;
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_RULE, "is -1");
  request.rule = BL_RULE_SONNX;  // the rule is there, but not for Add
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_RULE,
             "Add does not take the rule sonnx");
  request = Request();
  const bl_dtype wrong[] = {BL_DTYPE_F32, 300};
  request.dtypes = wrong;
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_DTYPE,
             "`request->dtypes[1]` is 300");
  request.dtypes = NULL;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_NULL,
             "`request->dtypes` is null: pass one element type for each");
  request = Request();
  request.shapes = NULL;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_NULL,
             "`request->shapes` is null: pass one shape for each operand");
  request = Request();
  request.operand_count = (size_t)-1;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_COUNT,
             "was it a negative number");
  request.operand_count = 0;
  CHECK_PLAN(&request, BL_ERROR_ARITY, 0, "Add takes 2 operands, not 0");
  request = Request();
  const bl_shape no_values[] = {{kA, 2}, {NULL, 1}};
  request.shapes = no_values;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_NULL,
             "`request->shapes[1].values` is null");
  const bl_shape too_many[] = {{kA, BL_MOST_COUNT + 1}, {kB, 1}};
  request.shapes = too_many;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_COUNT,
             "`request->shapes[0].count` is 1048577");
  const int64_t negative[] = {2, -3};
  const bl_shape negatives[] = {{negative, 2}, {kB, 1}};
  request.shapes = negatives;
  CHECK_PLAN(&request, BL_ERROR_EXTENT, BL_DETAIL_NEGATIVE, "-3 is negative");

  request = Request();
  const bl_shape bad_target = {NULL, 3};
  request.target_shape = &bad_target;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_NULL,
             "`request->target_shape->values` is null");
  request = Request();
  request.axes_mapping = &bad_target;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_NULL,
             "`request->axes_mapping->values` is null");
  request = Request();
  request.refused = 8;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_FLAGS,
             "`request->refused` has bits of value 8");
  request = Request();
  request.result_dtype = -7;
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_DTYPE,
             "`request->result_dtype` is -7");
  request = Request();
  request.direction = 3;
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_DIRECTION,
             "`request->direction` is 3");
  request.direction = BL_DIRECTION_LEFT;
  CHECK_PLAN(&request, BL_ERROR_ATTRIBUTE, BL_DETAIL_UNEXPECTED,
             "Add takes no such attribute");
  request = Request();
  request.to = 99;
  CHECK_PLAN(&request, BL_ERROR_UNKNOWN, BL_DETAIL_DTYPE, "`request->to`");
  const int64_t two = 2;
  request = Request();
  request.axis = &two;
  CHECK_PLAN(&request, BL_ERROR_ATTRIBUTE, BL_DETAIL_UNEXPECTED,
             "takes no axis (2 was given)");
  request = Request();
  const bl_names names[] = {{NULL, 2}, {NULL, 0}};
  request.axis_names = names;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_NULL,
             "`request->axis_names[0].names` is null");
  request = Request();
  bl_allocator allocator = {NULL, NULL, NULL};
  request.allocator = &allocator;
  CHECK_PLAN(&request, BL_ERROR_ARGUMENT, BL_DETAIL_NULL,
             "`allocator->allocate` is null");

  // Without an operator there is no default rule.
  request = Request();
  request.op = 0;
  bl_error error = BL_ERROR_INIT;
  bl_alignment* alignment;
  CHECK(bl_align(&request, &alignment, &error) == BL_ERROR_UNKNOWN);
  CHECK_SAYS(&error, "`request->rule` is missing");
  request.rule = BL_RULE_NUMPY;
  size_t rank;
  int64_t extents[2];
  CHECK(bl_infer_shape(&request, extents, 1, &rank, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(error.detail == BL_DETAIL_CAPACITY && rank == 2);
  CHECK_SAYS(&error, "`capacity` is 1, but 2 are needed");
  CHECK(bl_infer_shape(&request, extents, SIZE_MAX, &rank, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(error.detail == BL_DETAIL_COUNT && rank == 0);
  CHECK_SAYS(&error, "`capacity` is 18446744073709551615, and may be at most");
  CHECK(bl_infer_shape(&request, extents, BL_MOST_COUNT, &rank, &error) ==
        BL_OK);
  CHECK(bl_infer_shape(&request, NULL, 2, &rank, &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`extents` is null");
  CHECK(bl_infer_shape(&request, extents, 2, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_infer_shape(&request, extents, 2, &rank, NULL) == BL_OK);

  bl_explain_options options = BL_EXPLAIN_OPTIONS_INIT;
  bl_text* document;
  options.parts = 64;
  CHECK(bl_explain(&request, &options, &document, &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`options->parts` has bits of value 64");
  options.parts = 0;
  options.reserved = 1;
  CHECK(bl_explain(&request, &options, &document, &error) == BL_ERROR_ARGUMENT);
  options.reserved = 0;
  const char* const kinds[] = {"outer", "inner"};
  options.expect = kinds;
  options.expect_count = 2;
  CHECK(bl_explain(&request, &options, &document, &error) == BL_ERROR_ARGUMENT);
  CHECK(error.detail == BL_DETAIL_NAME && error.operand == 1);
  CHECK_SAYS(&error, "`options->expect[1]` is no kind of warning: see bl_");
  options.expect = NULL;
  CHECK(bl_explain(&request, &options, &document, &error) == BL_ERROR_ARGUMENT);
  CHECK(document == NULL);

  // Expressions: none, or one for each operand.
  options = (bl_explain_options)BL_EXPLAIN_OPTIONS_INIT;
  const char* const expressions[] = {"x", NULL, "z"};
  options.expressions = expressions;
  for (size_t count = 0; count <= 3; ++count) {
    options.expression_count = count;
    const int fits = count == 0 || count == 2;
    CHECK(bl_explain(&request, &options, &document, &error) ==
          (fits ? BL_OK : BL_ERROR_ARGUMENT));
    CHECK((document != NULL) == fits);
    bl_text_free(document);
    if (fits) continue;
    CHECK(error.detail == BL_DETAIL_CAPACITY && error.extent == (int64_t)count);
    CHECK_SAYS(&error, "`options->expression_count` is");
    CHECK_SAYS(&error, "but 2 are needed: pass an array of that length");
  }
}

static void TestAlignments(void) {
  bl_request request = Request();
  bl_alignment* alignment;
  CHECK(bl_align(&request, &alignment, NULL) == BL_OK);
  bl_error error = BL_ERROR_INIT;
  bl_cell cell;
  CHECK(bl_alignment_cell(alignment, 2, 0, &cell, &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`operand` is 2, but there are 2: count from 0");
  CHECK(bl_alignment_cell(alignment, BL_TARGET, 0, &cell, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_cell(alignment, 0, 2, &cell, &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`axis` is 2");
  CHECK(bl_alignment_cell(alignment, 0, SIZE_MAX, &cell, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`axis` is 18446744073709551615, but there are 2");
  CHECK(bl_alignment_cell(alignment, -7, 0, &cell, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`operand` is -7, but there are 2");
  CHECK(bl_alignment_cell(alignment, 0, 0, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_cell(NULL, 0, 0, &cell, &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`alignment` is null: pass an alignment");
  bl_conflict conflict;
  CHECK(bl_alignment_conflict(alignment, 0, &conflict, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_conflict(alignment, (size_t)1 << 63, &conflict, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`index` is 9223372036854775808, but there are 0");
  CHECK(bl_alignment_conflict(NULL, 0, &conflict, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_conflict(alignment, 0, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_error(NULL, &error) == BL_ERROR_ARGUMENT);
  int64_t index[] = {0, 0}, source[2];
  bl_range box[2];
  CHECK(bl_alignment_source_of(alignment, 9, index, 2, source, 2, &error) ==
        BL_ERROR_ARITY);
  CHECK(bl_alignment_source_of(alignment, 0, index, 1, source, 2, &error) ==
        BL_ERROR_EXTENT);
  CHECK_SAYS(&error, "`index_count` is 1, but 2 are needed: pass an array");
  CHECK(bl_alignment_source_of(alignment, 1, index, 2, source, 2, &error) ==
        BL_ERROR_EXTENT);
  CHECK_SAYS(&error, "`source_count` is 2, but 1 is needed: pass an array");
  index[1] = 3;
  CHECK(bl_alignment_source_of(alignment, 1, index, 2, source, 1, &error) ==
        BL_ERROR_EXTENT);
  CHECK(error.argument == NULL && error.detail == BL_DETAIL_OUT_OF_RANGE);
  index[1] = 0;
  CHECK(bl_alignment_source_of(alignment, 0, NULL, 2, source, 2, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_source_of(alignment, 0, index, 2, NULL, 2, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_source_of(alignment, 0, index, SIZE_MAX, source, 2,
                               &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_source_of(NULL, 0, index, 2, source, 2, &error) ==
        BL_ERROR_ARGUMENT);
  bl_range three[3];
  CHECK(bl_alignment_fan_out(alignment, 0, index, 2, three, 3, &error) ==
        BL_ERROR_EXTENT);
  CHECK_SAYS(&error, "`box_count` is 3, but 2 are needed: pass an array");
  CHECK(bl_alignment_fan_out(alignment, 1, index, 2, box, 2, &error) ==
        BL_ERROR_EXTENT);
  CHECK_SAYS(&error, "`source_count` is 2, but 1 is needed: pass an array");
  CHECK(bl_alignment_fan_out(alignment, 0, index, 2, NULL, 2, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_fan_out(NULL, 0, index, 2, box, 2, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_strides(alignment, 0, source, 1, &error) ==
        BL_ERROR_EXTENT);
  CHECK(error.detail == BL_DETAIL_SIZE);
  CHECK_SAYS(&error, "`count` is 1, but 2 are needed: pass an array");
  CHECK(bl_alignment_strides(alignment, 0, NULL, 2, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_strides(NULL, 0, source, 2, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_alignment_operand_shape(alignment, 5).values == NULL);
  CHECK(bl_alignment_operand_shape(alignment, -1).count == 0);
  CHECK(bl_alignment_operand_shape(alignment, BL_TARGET).count == 0);
  bl_alignment_free(alignment);

  CHECK(bl_alignment_rule(NULL) == 0 && bl_alignment_operand_count(NULL) == 0);
  CHECK(bl_alignment_shape(NULL).count == 0);
  CHECK(bl_alignment_operand_shape(NULL, 0).count == 0);
  CHECK(bl_alignment_grows_both(NULL) == 0);
  CHECK(bl_alignment_start_axis(NULL) == BL_ABSENT);
  CHECK(bl_alignment_conflict_count(NULL) == 0);
  bl_alignment_free(NULL);
}

static bl_tensor_view View(void* data, size_t bytes, bl_shape shape) {
  bl_tensor_view view = {0};
  view.dtype = BL_DTYPE_F32;
  view.data = data;
  view.bytes = bytes;
  view.shape = shape;
  return view;
}

static void TestRuns(void) {
  const bl_request request = Request();
  bl_plan* plan;
  bl_error error = BL_ERROR_INIT;
  CHECK(bl_plan_make(&request, &plan, NULL) == BL_OK);
  const bl_tensor_view good[] = {View(a, sizeof a, kShapes[0]),
                                 View(b, sizeof b, kShapes[1])};
  const bl_tensor_view output = View(result, sizeof result, kShapes[0]);
#define CHECK_RUN(inputs, outputs, expected_class, part)            \
  do {                                                              \
    CHECK(bl_plan_run(plan, inputs, 2, outputs, 1, NULL, &error) == \
          (expected_class));                                        \
    CHECK_SAYS(&error, part);                                       \
  } while (0)
  CHECK(bl_plan_run(plan, good, 2, &output, 1, NULL, &error) == BL_OK);
  CHECK(bl_plan_run(NULL, good, 2, &output, 1, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`plan` is null: pass a plan");
  CHECK_RUN(NULL, &output, BL_ERROR_ARGUMENT, "`inputs` is null");
  CHECK_RUN(good, NULL, BL_ERROR_ARGUMENT, "`outputs` is null");
  CHECK(bl_plan_run(plan, good, 1, &output, 1, NULL, &error) == BL_ERROR_ARITY);
  CHECK(bl_plan_run(plan, good, 2, &output, 0, NULL, &error) == BL_ERROR_ARITY);
  CHECK(bl_plan_run(plan, good, (size_t)-2, &output, 1, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`input_count`");
  bl_tensor_view bad[] = {good[0], good[1]};
  bad[1].data = NULL;
  CHECK_RUN(bad, &output, BL_ERROR_ARGUMENT,
            "`inputs[1].data` is null: pass the address of its elements");
  bad[1].bytes = 0;
  CHECK_RUN(bad, &output, BL_ERROR_LENGTH, "its shape needs 12 bytes");
  bad[1] = good[1];
  bad[1].dtype = 0;
  CHECK_RUN(bad, &output, BL_ERROR_UNKNOWN, "`inputs[1].dtype` is missing");
  bad[1] = good[1];
  bad[1].flags = 6;
  CHECK_RUN(bad, &output, BL_ERROR_ARGUMENT, "`inputs[1].flags`");
  bad[1] = good[1];
  bad[1].shape.count = SIZE_MAX;
  CHECK_RUN(bad, &output, BL_ERROR_ARGUMENT, "`inputs[1].shape.count`");
  bad[1] = good[1];
  const int64_t far[] = {INT64_MIN};
  bad[1].strides = far;
  CHECK_RUN(bad, &output, BL_ERROR_LENGTH, "offset and strides");
  bad[1].strides = NULL;
  bad[1].offset = -1;
  CHECK_RUN(bad, &output, BL_ERROR_LENGTH, "before its memory");
  bl_tensor_view to = output;
  to.bytes = 23;
  CHECK_RUN(good, &to, BL_ERROR_LENGTH, "needs 24 bytes");
  to.bytes = SIZE_MAX;  // more than are needed are allowed
  CHECK(bl_plan_run(plan, good, 2, &to, 1, NULL, &error) == BL_OK);
  to = output;
  to.data = (char*)a + 4;
  to.bytes = 24;
  CHECK_RUN(good, &to, BL_ERROR_OVERLAP, "overlap");
  // An output may lie beside an input along an axis: two columns of an array.
  // Strides of 5 and 3 share no element here, and yet are refused.
  float columns[12];
  const int64_t three[] = {3}, five[] = {5}, two[] = {2};
  const bl_shape pair = {two, 1};
  bl_request adds_pairs = Request();
  const bl_shape pairs[] = {pair, pair};
  adds_pairs.shapes = pairs;
  bl_plan* of_pairs;
  CHECK(bl_plan_make(&adds_pairs, &of_pairs, NULL) == BL_OK);
  for (int i = 0; i < 12; ++i) columns[i] = (float)i;
  bl_tensor_view left = View(columns, sizeof columns, pair);
  bl_tensor_view middle = left, beside = left;
  left.strides = middle.strides = beside.strides = five;
  middle.offset = 1;
  beside.offset = 2;
  const bl_tensor_view both[] = {left, middle};
  CHECK(bl_plan_run(of_pairs, both, 2, &beside, 1, NULL, &error) == BL_OK);
  CHECK(columns[2] == 1 && columns[7] == 11);
  beside.strides = three;
  beside.offset = 4;  // elements 4 and 7, beside 0 and 5, 1 and 6
  CHECK(bl_plan_run(of_pairs, both, 2, &beside, 1, NULL, &error) ==
        BL_ERROR_OVERLAP);
  CHECK(columns[4] == 4 && columns[7] == 11);
  bl_plan_free(of_pairs);
  const bl_tensor_view aliases[] = {output, good[1]};
  CHECK(bl_plan_run(plan, aliases, 2, &output, 1, NULL, &error) == BL_OK);

  bl_run_options options = BL_RUN_OPTIONS_INIT;
  options.stores = 3;
  CHECK(bl_plan_run(plan, good, 2, &output, 1, &options, &error) ==
        BL_ERROR_UNKNOWN);
  CHECK(error.detail == BL_DETAIL_STORES);
  CHECK_SAYS(&error, "`options->stores` is 3");
  options.stores = 0;
  options.reserved = 1;
  CHECK(bl_plan_run(plan, good, 2, &output, 1, &options, &error) ==
        BL_ERROR_ARGUMENT);
  options.reserved = 0;
  options.size = 1;
  CHECK(bl_plan_run(plan, good, 2, &output, 1, &options, &error) ==
        BL_ERROR_ARGUMENT);
  options.size = sizeof options;
  const bl_parallel_for no_loop = {NULL, 4, NULL};
  options.parallel = &no_loop;
  CHECK(bl_plan_run(plan, good, 2, &output, 1, &options, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(error.detail == BL_DETAIL_NULL);
  CHECK_SAYS(&error, "`options->parallel->run` is null: pass a function, or");

  bl_range box[] = {{0, 3}, {0, 3}};
  CHECK(bl_plan_run_region(plan, box, 2, good, 2, &output, 1, NULL, &error) ==
        BL_ERROR_EXTENT);
  CHECK(bl_plan_run_region(plan, box, 1, good, 2, &output, 1, NULL, &error) ==
        BL_ERROR_EXTENT);
  CHECK(bl_plan_run_region(plan, NULL, 2, good, 2, &output, 1, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_plan_run_region(plan, box, SIZE_MAX, good, 2, &output, 1, NULL,
                           &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_plan_run_region(NULL, box, 2, good, 2, &output, 1, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  bl_range ranges[2];
  bl_region_cost cost;
  bl_plan* within;
  CHECK(bl_plan_input_region(plan, box, 2, 0, ranges, 2, &error) ==
        BL_ERROR_EXTENT);
  CHECK(bl_plan_cost(plan, box, 2, &cost, &error) == BL_ERROR_EXTENT);
  CHECK(bl_plan_within(plan, box, 2, NULL, &within, &error) == BL_ERROR_EXTENT);
  CHECK(within == NULL);
  box[0].end = 2;
  CHECK(bl_plan_input_region(plan, box, 2, 2, ranges, 2, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`operand` is 2, but there are 2");
  CHECK(bl_plan_input_region(plan, box, 2, 1, ranges, 2, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`region_count` is 2, but 1 is needed");
  CHECK(bl_plan_input_region(plan, box, 2, 1, ranges, SIZE_MAX, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`region_count` is 18446744073709551615, but 1 is needed");
  CHECK(bl_plan_input_region(plan, box, 2, SIZE_MAX / 2 + 1, ranges, 1,
                             &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`operand` is 9223372036854775808, but there are 2");
  CHECK(bl_plan_input_region(plan, box, 2, 1, NULL, 1, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_plan_input_region(plan, NULL, 2, 1, ranges, 1, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_plan_input_region(NULL, box, 2, 1, ranges, 1, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_plan_cost(plan, box, 2, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_plan_cost(NULL, box, 2, &cost, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_plan_cost(plan, box, SIZE_MAX, &cost, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_plan_within(NULL, box, 2, NULL, &within, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_plan_within(plan, box, 2, NULL, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_plan_operand_shape(plan, 2).count == 0);
  CHECK(bl_plan_operand_dtype(plan, SIZE_MAX) == 0);
  CHECK(bl_plan_result_dtype(plan, 1) == 0);
  CHECK(bl_plan_result_bytes(plan, 1) == 0);
  bl_plan_free(plan);
  bl_plan_free(NULL);
  CHECK(bl_plan_op(NULL) == 0 && bl_plan_rule(NULL) == 0);
  CHECK(bl_plan_operand_count(NULL) == 0 && bl_plan_result_count(NULL) == 0);
  CHECK(bl_plan_result_shape(NULL).count == 0);
  CHECK(bl_plan_operand_shape(NULL, 0).count == 0);

  bl_tensor* made;
  CHECK(bl_apply(NULL, good, 2, NULL, &made, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_apply(&request, NULL, 2, NULL, &made, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_apply(&request, good, 2, NULL, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_apply(&request, good, 1, NULL, &made, &error) == BL_ERROR_ARITY);
}

static void TestSumRequests(void) {
  bl_sum_request request = BL_SUM_REQUEST_INIT;
  request.dtype = BL_DTYPE_F32;
  request.input = kShapes[0];
  request.shape = kShapes[1];
  bl_error error = BL_ERROR_INIT;
  bl_sum_plan* plan;
#define CHECK_SUM(expected_class, part)                                   \
  do {                                                                    \
    CHECK(bl_sum_plan_make(&request, &plan, &error) == (expected_class)); \
    CHECK(plan == NULL);                                                  \
    CHECK_SAYS(&error, part);                                             \
  } while (0)
  CHECK(bl_sum_plan_make(NULL, &plan, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_sum_plan_make(&request, NULL, &error) == BL_ERROR_ARGUMENT);
  request.dtype = 0;
  CHECK_SUM(BL_ERROR_UNKNOWN, "`request->dtype` is missing");
  request.dtype = BL_DTYPE_BOOL;
  CHECK_SUM(BL_ERROR_DTYPE, "not summed");
  request.dtype = BL_DTYPE_F32;
  request.rule = 10;
  CHECK_SUM(BL_ERROR_UNKNOWN, "`request->rule` is 10");
  request.rule = 0;
  request.shape.values = NULL;
  CHECK_SUM(BL_ERROR_ARGUMENT, "`request->shape.values` is null");
  request.shape = kShapes[1];
  request.input.count = SIZE_MAX;
  CHECK_SUM(BL_ERROR_ARGUMENT, "`request->input.count`");
  request.input = kShapes[0];
  const bl_integers bad = {NULL, 1};
  request.axes_mapping = &bad;
  CHECK_SUM(BL_ERROR_ARGUMENT, "`request->axes_mapping->values` is null");
  request.axes_mapping = NULL;
  const int64_t four[] = {4};
  request.shape.values = four;
  CHECK_SUM(BL_ERROR_INCOMPATIBLE, "4");
  request.shape = kShapes[1];
  CHECK(bl_sum_plan_make(&request, &plan, &error) == BL_OK);
  bl_tensor_view from = View(a, sizeof a, kShapes[0]);
  bl_tensor_view to = View(b, sizeof b, kShapes[1]);
  CHECK(bl_sum_plan_run(NULL, &from, &to, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_sum_plan_run(plan, NULL, &to, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_sum_plan_run(plan, &from, NULL, NULL, &error) == BL_ERROR_ARGUMENT);
  from.data = NULL;
  CHECK(bl_sum_plan_run(plan, &from, &to, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`input->data` is null");
  from.data = a;
  to.dtype = BL_DTYPE_F64;
  CHECK(bl_sum_plan_run(plan, &from, &to, NULL, &error) == BL_ERROR_DTYPE);
  bl_tensor* sums;
  CHECK(bl_sum_to(&request, NULL, NULL, &sums, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_sum_to(NULL, &from, NULL, &sums, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_sum_to(&request, &from, NULL, NULL, &error) == BL_ERROR_ARGUMENT);
  bl_sum_plan_free(plan);
  bl_sum_plan_free(NULL);
  CHECK(bl_sum_plan_dtype(NULL) == 0 && bl_sum_plan_rule(NULL) == 0);
  CHECK(bl_sum_plan_input_shape(NULL).count == 0);
  CHECK(bl_sum_plan_result_shape(NULL).count == 0);
}

static void TestOthers(void) {
  bl_error error = BL_ERROR_INIT;
  bl_tensor* tensor;
  CHECK(bl_tensor_allocate(0, &kShapes[0], NULL, &tensor, &error) ==
        BL_ERROR_UNKNOWN);
  CHECK(bl_tensor_allocate(BL_DTYPE_F32, NULL, NULL, &tensor, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(bl_tensor_allocate(BL_DTYPE_F32, &kShapes[0], NULL, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  const int64_t huge[] = {INT64_MAX, 2};
  const bl_shape shape = {huge, 2};
  CHECK(bl_tensor_allocate(BL_DTYPE_F32, &shape, NULL, &tensor, &error) ==
        BL_ERROR_OVERFLOW);
  // Bytes are rounded up to whole cache lines, which have to be addressed, too.
  const int64_t most[] = {INT64_MAX};
  const bl_shape line = {most, 1};
  CHECK(bl_tensor_allocate(BL_DTYPE_I8, &line, NULL, &tensor, &error) ==
        BL_ERROR_LIMIT);
  CHECK(error.other_extent < error.extent && error.extent == INT64_MAX);
  bl_tensor_view view;
  CHECK(bl_tensor_get_view(NULL, &view, &error) == BL_ERROR_ARGUMENT);
  bl_tensor_free(NULL);
  bl_text_free(NULL);
  CHECK(bl_text_chars(NULL) == NULL && bl_text_length(NULL) == 0);
  bl_threads* threads;
  CHECK(bl_threads_make(SIZE_MAX, NULL, &threads, &error) == BL_ERROR_LIMIT);
  CHECK(bl_threads_make(1, NULL, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK(bl_threads_loop(NULL) == NULL);
  bl_threads_free(NULL);
  CHECK(bl_find_op(NULL) == 0 && bl_find_rule(NULL) == 0);
  CHECK(bl_find_dtype(NULL) == 0 && bl_find_dtype("") == 0);

  // Errors that nobody made: a sentence or none, but no crash.
  char text[200];
  CHECK(bl_describe_error(NULL, text, sizeof text) == 0 && *text == 0);
  bl_error empty = BL_ERROR_INIT;
  CHECK(bl_describe_error(&empty, text, sizeof text) == 0);
}

// A null pointer where a call gives something: the sentence names its type.
static void TestNoPlaceForResults(void) {
  const bl_request request = Request();
  bl_sum_request sum = BL_SUM_REQUEST_INIT;
  sum.dtype = BL_DTYPE_F32;
  sum.input = kShapes[0];
  sum.shape = kShapes[1];
  const bl_tensor_view in[] = {View(a, sizeof a, kShapes[0]),
                               View(b, sizeof b, kShapes[1])};
  const bl_range box[2] = {{0, 2}, {0, 3}};
  bl_error error = BL_ERROR_INIT;
  bl_alignment* alignment;
  bl_plan* plan;
  bl_tensor* tensor;
  CHECK(bl_align(&request, &alignment, NULL) == BL_OK);
  CHECK(bl_plan_make(&request, &plan, NULL) == BL_OK);
  CHECK(bl_tensor_allocate(BL_DTYPE_F32, &kShapes[0], NULL, &tensor, NULL) ==
        BL_OK);
#define CHECK_NO_PLACE(call, part)                \
  do {                                            \
    CHECK((call) == BL_ERROR_ARGUMENT);           \
    CHECK(error.detail == BL_DETAIL_NULL);        \
    CHECK_SAYS(&error, part);                     \
    CHECK_SAYS(&error, "null: pass the address"); \
  } while (0)
  CHECK_NO_PLACE(bl_plan_make(&request, NULL, &error),
                 "`plan` is null: pass the address of a bl_plan*, or");
  CHECK_NO_PLACE(bl_sum_plan_make(&sum, NULL, &error), "of a bl_sum_plan*.");
  CHECK_NO_PLACE(bl_plan_within(plan, box, 2, NULL, NULL, &error),
                 "`within` is null: pass the address of a bl_plan*.");
  CHECK_NO_PLACE(bl_align(&request, NULL, &error), "of a bl_alignment*.");
  CHECK_NO_PLACE(bl_explain(&request, NULL, NULL, &error), "of a bl_text*.");
  CHECK_NO_PLACE(
      bl_tensor_allocate(BL_DTYPE_F32, &kShapes[0], NULL, NULL, &error),
      "`tensor` is null: pass the address of a bl_tensor*.");
  CHECK_NO_PLACE(bl_apply(&request, in, 2, NULL, NULL, &error),
                 "`result` is null: pass the address of a bl_tensor*.");
  CHECK_NO_PLACE(bl_sum_to(&sum, &in[0], NULL, NULL, &error),
                 "`sums` is null: pass the address of a bl_tensor*.");
  CHECK_NO_PLACE(bl_threads_make(1, NULL, NULL, &error), "of a bl_threads*.");
  CHECK_NO_PLACE(bl_tensor_to_dlpack(&tensor, NULL, &error),
                 "`managed` is null: pass the address of a pointer");
  struct DLManagedTensorVersioned* managed;
  CHECK_NO_PLACE(bl_tensor_to_dlpack(NULL, &managed, &error),
                 "`tensor` is null: pass the address of a bl_tensor*.");
  bl_tensor* none = NULL;
  CHECK(bl_tensor_to_dlpack(&none, &managed, &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`*tensor` is null: pass a bl_tensor");
  CHECK_NO_PLACE(bl_infer_shape(&request, NULL, 0, NULL, &error),
                 "of a size_t.");
  CHECK_NO_PLACE(bl_alignment_cell(alignment, 0, 0, NULL, &error),
                 "of a bl_cell.");
  CHECK_NO_PLACE(bl_alignment_conflict(alignment, 0, NULL, &error),
                 "of a bl_conflict.");
  CHECK_NO_PLACE(bl_tensor_get_view(tensor, NULL, &error),
                 "of a bl_tensor_view.");
  CHECK_NO_PLACE(bl_plan_cost(plan, box, 2, NULL, &error),
                 "of a bl_region_cost.");
  // Arguments of the same names that are read.
  bl_tensor_view view;
  CHECK(bl_plan_run(NULL, in, 2, in, 1, NULL, &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`plan` is null: pass a plan that was made before.");
  CHECK(bl_tensor_get_view(NULL, &view, &error) == BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`tensor` is null: pass a bl_tensor.");
  bl_alignment_free(alignment);
  bl_plan_free(plan);
  bl_tensor_free(tensor);
}

// A bl_error of a wrong size cannot be written: every call refuses it before it
// does anything else, and bl_describe_error says why.
static void TestErrorsOfWrongSize(void) {
  static const size_t kSizes[] = {0, 8, sizeof(bl_error) - 1, 4097, SIZE_MAX};
  const bl_request request = Request();
  bl_request rule_only = request;
  rule_only.rule = BL_RULE_NUMPY;
  bl_sum_request sum = BL_SUM_REQUEST_INIT;
  sum.dtype = BL_DTYPE_F32;
  sum.input = kShapes[0];
  sum.shape = kShapes[1];
  const bl_tensor_view in[] = {View(a, sizeof a, kShapes[0]),
                               View(b, sizeof b, kShapes[1])};
  const bl_tensor_view out = View(result, sizeof result, kShapes[0]);
  const bl_tensor_view row = View(b, sizeof b, kShapes[1]);
  bl_alignment* alignment;
  bl_plan* plan;
  bl_sum_plan* sum_plan;
  CHECK(bl_align(&request, &alignment, NULL) == BL_OK);
  CHECK(bl_plan_make(&request, &plan, NULL) == BL_OK);
  CHECK(bl_sum_plan_make(&sum, &sum_plan, NULL) == BL_OK);
  for (size_t i = 0; i < sizeof kSizes / sizeof *kSizes; ++i) {
    bl_error wrong = {.size = kSizes[i], .error_class = 55};
    int64_t extents[2] = {77, 77}, index[2] = {0, 0};
    size_t rank = 77;
    bl_cell cell;
    bl_range box[2] = {{0, 2}, {0, 3}};
    bl_region_cost cost = {77, 77, 77};
    bl_tensor_view view;
    bl_alignment* other_alignment = (bl_alignment*)&wrong;
    bl_plan* other_plan = (bl_plan*)&wrong;
    bl_sum_plan* other_sum_plan = (bl_sum_plan*)&wrong;
    bl_text* document = (bl_text*)&wrong;
    bl_tensor* tensor = (bl_tensor*)&wrong;
    bl_threads* pool = (bl_threads*)&wrong;
    result[0] = 77;
#define CHECK_REFUSED(call) CHECK((call) == BL_ERROR_ARGUMENT)
    CHECK_REFUSED(bl_infer_shape(&rule_only, extents, 2, &rank, &wrong));
    CHECK_REFUSED(bl_align(&request, &other_alignment, &wrong));
    CHECK_REFUSED(bl_alignment_error(alignment, &wrong));
    CHECK_REFUSED(bl_alignment_cell(alignment, 0, 0, &cell, &wrong));
    CHECK_REFUSED(
        bl_alignment_source_of(alignment, 0, index, 2, extents, 2, &wrong));
    CHECK_REFUSED(bl_alignment_fan_out(alignment, 0, index, 2, box, 2, &wrong));
    CHECK_REFUSED(bl_alignment_strides(alignment, 0, extents, 2, &wrong));
    CHECK_REFUSED(bl_explain(&rule_only, NULL, &document, &wrong));
    CHECK_REFUSED(
        bl_tensor_allocate(BL_DTYPE_F32, &kShapes[0], NULL, &tensor, &wrong));
    CHECK(tensor == NULL);
    tensor = (bl_tensor*)&wrong;
    CHECK_REFUSED(bl_tensor_get_view(NULL, &view, &wrong));
    CHECK_REFUSED(bl_plan_make(&request, &other_plan, &wrong));
    CHECK(other_plan == NULL);
    CHECK_REFUSED(bl_plan_make(&request, NULL, &wrong));
    CHECK_REFUSED(bl_plan_run(plan, in, 2, &out, 1, NULL, &wrong));
    CHECK_REFUSED(
        bl_plan_run_region(plan, box, 2, in, 2, &out, 1, NULL, &wrong));
    CHECK_REFUSED(bl_plan_input_region(plan, box, 2, 0, box, 2, &wrong));
    CHECK_REFUSED(bl_plan_cost(plan, box, 2, &cost, &wrong));
    CHECK_REFUSED(bl_plan_within(plan, box, 2, NULL, &other_plan, &wrong));
    CHECK_REFUSED(bl_apply(&request, in, 2, NULL, &tensor, &wrong));
    CHECK_REFUSED(bl_sum_plan_make(&sum, &other_sum_plan, &wrong));
    CHECK_REFUSED(bl_sum_plan_run(sum_plan, &out, &row, NULL, &wrong));
    CHECK_REFUSED(bl_sum_to(&sum, &out, NULL, &tensor, &wrong));
    CHECK_REFUSED(bl_threads_make(1, NULL, &pool, &wrong));
    // Nothing was computed, and the struct is as it was.
    CHECK(rank == 77 && extents[0] == 77 && cost.peak == 77);
    CHECK(box[0].end == 2 && result[0] == 77);
    CHECK(other_alignment == NULL && other_plan == NULL && pool == NULL);
    CHECK(other_sum_plan == NULL && document == NULL && tensor == NULL);
    CHECK(wrong.size == kSizes[i] && wrong.error_class == 55);
    CHECK_SAYS(&wrong, "`error->size` is ");
    CHECK_SAYS(&wrong, ", and only 96 to 4096 are accepted: begin the struct");
  }
  bl_alignment_free(alignment);
  bl_plan_free(plan);
  bl_sum_plan_free(sum_plan);

  // A larger struct of a newer header, whose other fields are zero, is written.
  struct {
    bl_error error;
    char newer[4096 - sizeof(bl_error)];
  } larger = {.error = {.size = 4096}};
  CHECK(bl_plan_make(NULL, &plan, &larger.error) == BL_ERROR_ARGUMENT);
  CHECK(larger.error.size == 4096 && larger.newer[0] == 0);
  CHECK_SAYS(&larger.error, "`request` is null");
}

void TestBadInput(void) {
  TestRequests();
  TestAlignments();
  TestRuns();
  TestSumRequests();
  TestOthers();
  TestNoPlaceForResults();
  TestErrorsOfWrongSize();
}

// --- At random --------------------------------------------------------------

static int64_t RandomInteger(void) {
  static const int64_t kValues[] = {
      0, 1, 2, 3, 4, 5, -1, -2, INT64_MAX, INT64_MIN, 7, (int64_t)1 << 31};
  return kValues[Random(Random(20) == 0 ? 12 : 4)];
}

static int32_t RandomNumber(int32_t most) {
  switch (Random(60)) {
    case 0:
      return -1;
    case 1:
      return INT32_MAX;
    case 2:
      return 0;
    default:
      return 1 + (int32_t)Random((uint64_t)most);
  }
}

static size_t RandomCount(size_t most) {
  return Random(30) == 0 ? (size_t)0 - 1 - Random(3) : Random(most + 1);
}

enum { kMost = 4 };

// A list in `values`, sometimes null.
static bl_integers RandomList(int64_t* values) {
  for (int i = 0; i < kMost; ++i) values[i] = RandomInteger();
  const bl_integers list = {Random(60) == 0 ? NULL : values,
                            RandomCount(kMost)};
  return list;
}

// Whether a shape has few elements: strides of 0 would let a tensor of 2^62
// elements fit in any memory, and a sum of it would never end.
static int IsSmall(const int64_t* extents) {
  for (int i = 0; i < kMost; ++i) {
    if (extents[i] > 100) return 0;
  }
  return 1;
}

static void TryRequest(const bl_request* request, const bl_tensor_view* inputs,
                       size_t input_count, const bl_tensor_view* outputs,
                       int* succeeded) {
  bl_error error = BL_ERROR_INIT;
  bl_run_options options = BL_RUN_OPTIONS_INIT;
  options.allocator = &kLittleAllocator;
  bl_alignment* alignment;
  const bl_error_class aligned = bl_align(request, &alignment, &error);
  CHECK((aligned == BL_OK) == (alignment != NULL));
  CHECK(error.error_class == aligned);
  if (aligned != BL_OK) CHECK(bl_describe_error(&error, NULL, 0) > 5);
  if (alignment != NULL) {
    char text[64];
    bl_explain_verdict(alignment, text, Random(64));
    bl_explain_axis(alignment, Random(5), text, Random(64));
    bl_alignment_error(alignment, &error);
    bl_describe_error(&error, text, Random(64));
    bl_cell cell;
    bl_alignment_cell(alignment, RandomNumber(3) - 3, Random(6), &cell, &error);
    int64_t source[kMost], index[kMost];
    for (int i = 0; i < kMost; ++i) index[i] = RandomInteger();
    bl_alignment_source_of(alignment, Random(4), index, Random(kMost + 1),
                           source, Random(kMost + 1), &error);
    bl_range box[kMost];
    bl_alignment_fan_out(alignment, Random(4), index, Random(kMost + 1), box,
                         Random(kMost + 1), &error);
    bl_alignment_strides(alignment, Random(4), source, Random(kMost + 1),
                         &error);
  }
  bl_alignment_free(alignment);
  if (Random(8) == 0) {
    bl_text* document;
    bl_explain(request, NULL, &document, &error);
    bl_text_free(document);
  }
  bl_plan* plan;
  const bl_error_class planned = bl_plan_make(request, &plan, &error);
  CHECK((planned == BL_OK) == (plan != NULL));
  if (planned != BL_OK) CHECK(bl_describe_error(&error, NULL, 0) > 5);
  const size_t output_count = Random(3) == 0 ? RandomCount(kMost) : 1;
  bl_range box[kMost];
  for (int i = 0; i < kMost; ++i) {
    box[i].begin = RandomInteger();
    box[i].end = RandomInteger();
  }
  const bl_error_class ran = bl_plan_run(plan, inputs, input_count, outputs,
                                         output_count, NULL, &error);
  if (ran != BL_OK) CHECK(bl_describe_error(&error, NULL, 0) > 5);
  bl_plan_run_region(plan, box, RandomCount(kMost), inputs, input_count,
                     outputs, output_count, NULL, &error);
  bl_range region[kMost];
  bl_region_cost cost;
  bl_plan* within;
  bl_plan_input_region(plan, box, RandomCount(kMost), Random(kMost), region,
                       Random(kMost + 1), &error);
  bl_plan_cost(plan, box, RandomCount(kMost), &cost, &error);
  bl_plan_within(plan, box, RandomCount(kMost), NULL, &within, &error);
  bl_plan_free(within);
  bl_plan_free(plan);
  bl_tensor* made;
  const bl_error_class applied =
      bl_apply(request, inputs, input_count, &options, &made, &error);
  CHECK((applied == BL_OK) == (made != NULL));
  bl_tensor_free(made);
  *succeeded += (planned == BL_OK) + (ran == BL_OK) + (applied == BL_OK);
}

void TestBadInputAtRandom(void) {
  static char memory[2][4096];
  int succeeded = 0;
  for (int round = 0; round < 40000; ++round) {
    int64_t extents[kMost][kMost], target[kMost], mapping[kMost];
    int64_t strides[kMost][kMost], axis = RandomInteger();
    int64_t flag = RandomInteger();
    bl_shape shapes[kMost];
    bl_dtype dtypes[kMost];
    bl_tensor_view inputs[kMost], outputs[kMost];
    const bl_dtype one = Random(2) == 0 ? RandomNumber(20) : BL_DTYPE_F32;
    // Often the same extents, so that many shapes fit.
    for (int i = 0; i < kMost; ++i) {
      shapes[i] = RandomList(extents[i]);
      if (i > 0 && Random(3) != 0) shapes[i] = shapes[0];
    }
    for (int i = 0; i < kMost; ++i) {
      dtypes[i] = Random(20) == 0 ? RandomNumber(20) : one;
      for (int k = 0; k < kMost; ++k) strides[i][k] = RandomInteger();
      const int strided = shapes[i].values != NULL &&
                          IsSmall(shapes[i].values) && Random(3) == 0;
      const bl_tensor_view view = {
          .dtype = dtypes[i],
          .flags = Random(20) == 0 ? (uint32_t)Random(4) : 0,
          .data = Random(25) == 0 ? NULL : memory[0] + Random(9),
          .bytes = Random(30) == 0 ? Random(40) : 4000,
          .shape = shapes[i],
          .strides = strided ? strides[i] : NULL,
          .offset = Random(4) == 0 ? RandomInteger() : 0};
      inputs[i] = view;
      outputs[i] = view;
      outputs[i].data = Random(25) == 0 ? NULL : memory[Random(8) != 0];
      outputs[i].shape = shapes[Random((uint64_t)i + 1)];
    }
    bl_request request = BL_REQUEST_INIT;
    if (Random(40) == 0) request.size = Random(300);
    // A size beyond the struct's own would have the library read behind it.
    if (request.size > sizeof request) request.size = 1u << 20;
    request.op = RandomNumber(28);
    request.rule = Random(2) == 0 ? 0 : RandomNumber(9);
    request.shapes = Random(25) == 0 ? NULL : shapes;
    request.dtypes = Random(25) == 0 ? NULL : dtypes;
    request.operand_count = Random(3) == 0 ? RandomCount(kMost) : 2;
    if (Random(5) == 0) request.axis = &axis;
    const bl_shape target_shape = RandomList(target);
    const bl_integers axes_mapping = RandomList(mapping);
    if (Random(4) == 0) request.target_shape = &target_shape;
    if (Random(6) == 0) request.axes_mapping = &axes_mapping;
    if (Random(10) == 0) request.refused = (uint32_t)Random(16);
    if (Random(10) == 0) request.result_dtype = RandomNumber(20);
    if (Random(10) == 0) request.fmod = &flag;
    if (Random(10) == 0) request.saturate = &flag;
    if (Random(6) == 0) request.direction = RandomNumber(2);
    if (Random(6) == 0) request.to = RandomNumber(20);
    TryRequest(&request, inputs,
               Random(3) == 0 ? RandomCount(kMost) : request.operand_count,
               outputs, &succeeded);

    bl_sum_request sum = BL_SUM_REQUEST_INIT;
    sum.dtype = RandomNumber(20);
    sum.rule = Random(2) == 0 ? 0 : RandomNumber(9);
    sum.input = shapes[0];
    sum.shape = shapes[1];
    if (Random(4) == 0) sum.axis = &axis;
    if (Random(4) == 0) sum.axes_mapping = &axes_mapping;
    if (Random(4) == 0) sum.strides = strides[0];
    bl_error error = BL_ERROR_INIT;
    bl_sum_plan* plan;
    bl_sum_plan_make(&sum, &plan, &error);
    bl_sum_plan_run(plan, &inputs[0], &outputs[1], NULL, &error);
    bl_sum_plan_free(plan);
    bl_tensor* sums;
    bl_run_options options = BL_RUN_OPTIONS_INIT;
    options.allocator = &kLittleAllocator;
    bl_sum_to(&sum, &inputs[0], &options, &sums, &error);
    bl_tensor_free(sums);

    // An error of random numbers.
    bl_error any = BL_ERROR_INIT;
    any.error_class = RandomNumber(20);
    any.detail = RandomNumber(130);
    any.rule = RandomNumber(9);
    any.op = RandomNumber(28);
    any.operand = RandomNumber(4) - 3;
    any.other_operand = RandomNumber(4) - 3;
    any.axis = RandomNumber(4) - 2;
    any.operand_axis = RandomNumber(4) - 2;
    any.dtype = RandomNumber(20);
    any.other_dtype = RandomNumber(20);
    any.extent = RandomInteger();
    any.other_extent = RandomInteger();
    any.clause = Random(2) == 0 ? "numpy.3" : "no clause";
    any.argument = Random(2) == 0 ? "inputs[].data" : NULL;
    char text[100];
    bl_describe_error(&any, text, sizeof text);
  }
  CHECK(succeeded > 3000);
}
