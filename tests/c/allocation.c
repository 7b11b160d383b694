// Memory that is refused, at every place in turn: an error, and nothing is
// lost.

#include <broadloom/dlpack.h>
#include <string.h>

#include "check.h"

enum { kRank = 12, kOperands = 6 };  // more than lie in the records themselves

// Calls everything that allocates; returns whether all of it succeeded.
static int UseAll(const bl_allocator* allocator) {
  static int64_t extents[kRank];
  static float elements[1];
  bl_shape shapes[kOperands];
  bl_dtype dtypes[kOperands];
  bl_names names[kOperands];
  const char* of_axes[kRank];
  bl_tensor_view inputs[kOperands];
  for (int i = 0; i < kRank; ++i) {
    extents[i] = 1;
    of_axes[i] = "axis";
  }
  for (int i = 0; i < kOperands; ++i) {
    const bl_shape shape = {extents, kRank};
    const bl_names of = {of_axes, kRank};
    const bl_tensor_view input = {.dtype = BL_DTYPE_F32,
                                  .data = elements,
                                  .bytes = sizeof elements,
                                  .shape = shape};
    shapes[i] = shape;
    dtypes[i] = BL_DTYPE_F32;
    names[i] = of;
    inputs[i] = input;
  }
  bl_request request = BL_REQUEST_INIT;
  request.op = BL_OP_MAX;
  request.shapes = shapes;
  request.dtypes = dtypes;
  request.operand_count = kOperands;
  request.axis_names = names;
  request.allocator = allocator;
  bl_run_options options = BL_RUN_OPTIONS_INIT;
  options.allocator = allocator;
  bl_error error = BL_ERROR_INIT;
  int succeeded = 1;
#define TRY(call)                                            \
  do {                                                       \
    const bl_error_class class_ = (call);                    \
    CHECK(class_ == BL_OK || class_ == BL_ERROR_ALLOCATION); \
    CHECK(class_ == error.error_class);                      \
    if (class_ != BL_OK) {                                   \
      succeeded = 0;                                         \
      CHECK(bl_describe_error(&error, NULL, 0) > 10);        \
    }                                                        \
  } while (0)

  int64_t shape[kRank];
  size_t rank;
  TRY(bl_infer_shape(&request, shape, kRank, &rank, &error));
  bl_alignment* alignment;
  TRY(bl_align(&request, &alignment, &error));
  if (alignment != NULL) {
    bl_range box[kRank];
    TRY(bl_alignment_fan_out(alignment, 0, (const int64_t[kRank]){0}, kRank,
                             box, kRank, &error));
  }
  bl_alignment_free(alignment);
  bl_explain_options explain = BL_EXPLAIN_OPTIONS_INIT;
  const char* const expressions[kOperands] = {"x", "y"};
  explain.expressions = expressions;
  explain.expression_count = kOperands;
  bl_text* document;
  TRY(bl_explain(&request, &explain, &document, &error));
  bl_text_free(document);
  bl_plan* plan;
  TRY(bl_plan_make(&request, &plan, &error));
  bl_tensor* result;
  TRY(bl_apply(&request, inputs, kOperands, &options, &result, &error));
  if (plan != NULL && result != NULL) {
    bl_tensor_view output;
    bl_range box[kRank];
    for (int i = 0; i < kRank; ++i) {
      box[i].begin = 0;
      box[i].end = 1;
    }
    CHECK(bl_tensor_get_view(result, &output, &error) == BL_OK);
    TRY(bl_plan_run(plan, inputs, kOperands, &output, 1, &options, &error));
    TRY(bl_plan_run_region(plan, box, kRank, inputs, kOperands, &output, 1,
                           &options, &error));
    TRY(bl_plan_input_region(plan, box, kRank, 0, box, kRank, &error));
    bl_region_cost cost;
    TRY(bl_plan_cost(plan, box, kRank, &cost, &error));
    bl_plan* within;
    TRY(bl_plan_within(plan, box, kRank, allocator, &within, &error));
    bl_plan_free(within);
  }
  bl_plan_free(plan);
  struct DLManagedTensorVersioned* managed = NULL;
  if (result != NULL) {
    TRY(bl_tensor_to_dlpack(&result, &managed, &error));
    CHECK((result == NULL) == (managed != NULL));
  }
  if (managed != NULL) {
    TRY(bl_tensor_from_dlpack(managed, allocator, &result, &error));
  }
  struct DLManagedTensor* legacy = NULL;
  if (result != NULL) TRY(bl_tensor_to_dlpack_legacy(&result, &legacy, &error));
  if (legacy != NULL) {
    TRY(bl_tensor_from_dlpack_legacy(legacy, allocator, &result, &error));
  }
  bl_tensor_free(result);
  TRY(bl_tensor_allocate(BL_DTYPE_F32, &shapes[0], allocator, &result, &error));
  bl_tensor_free(result);
  bl_sum_request sum = BL_SUM_REQUEST_INIT;
  sum.dtype = BL_DTYPE_F32;
  sum.input = shapes[0];
  sum.shape = shapes[1];
  sum.allocator = allocator;
  bl_sum_plan* sum_plan;
  TRY(bl_sum_plan_make(&sum, &sum_plan, &error));
  TRY(bl_sum_to(&sum, &inputs[0], &options, &result, &error));
  if (sum_plan != NULL && result != NULL) {
    bl_tensor_view output;
    CHECK(bl_tensor_get_view(result, &output, &error) == BL_OK);
    TRY(bl_sum_plan_run(sum_plan, &inputs[0], &output, &options, &error));
  }
  bl_tensor_free(result);
  bl_sum_plan_free(sum_plan);
  bl_threads* threads;
  TRY(bl_threads_make(2, allocator, &threads, &error));
  bl_threads_free(threads);
#undef TRY
  return succeeded;
}

void TestAllocation(void) {
  size_t refuse_from = 0;
  for (; refuse_from < 1000; ++refuse_from) {
    Counter counter = {0, 0, refuse_from};
    const bl_allocator allocator = CountingAllocator(&counter);
    const int succeeded = UseAll(&allocator);
    CHECK(counter.in_use == 0);
    if (succeeded) break;
  }
  CHECK(refuse_from > 20 && refuse_from < 1000);
}
