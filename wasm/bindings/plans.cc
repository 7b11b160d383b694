// Plans, and running them on elements in the module's memory. Each function
// returns a negative number, or null, after it has reported a fault.

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <utility>

#include "box.h"
#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "request.h"
#include "words.h"

// How plans are run. The module with threads has other options: see
// threads/pool.h.
#ifndef BROADLOOM_RUN_OPTIONS
#define BROADLOOM_RUN_OPTIONS \
  {                           \
  }
#endif

namespace broadloom_wasm {

using namespace broadloom;

extern "C" {

// Makes a plan from the request. The answer: number of results, rank and
// extents of the result; dtype and bytes of each result; bytes of each operand;
// number of loops, and of each loop its extent and the operand's stride in
// elements. There are loops for Broadcast with one result alone.
EMSCRIPTEN_KEEPALIVE Plan* broadloom_plan() {
  Request request;
  if (!request.Read()) return nullptr;
  Result<Plan> made =
      MakePlan(*request.op, request.shapes.view(), request.dtypes.view(),
               {.rule = request.rule,
                .axis = request.axis,
                .target_shape = request.target_shape,
                .axes_mapping = request.axes_mapping,
                .policy = request.policy(),
                .axis_names = request.names_of.view(),
                .attributes = request.attributes},
               kAllocator);
  if (!made) {
    Report(made.error());
    return nullptr;
  }
  const size_t rank = made->output_shape().size();
  const bool moves = *request.op == Op::kBroadcast && made->output_count() == 1;
  const size_t loops = moves ? made->work().nest.loop_count() : 0;
  const size_t words =
      3 + rank + 2 * made->output_count() + made->operand_count() + 2 * loops;
  int64_t* answer = answer_words.Reserve(words);
  Plan* const plan = answer == nullptr ? nullptr : Keep(std::move(*made));
  if (plan == nullptr) {
    ReportRefusal(words * sizeof(int64_t) + sizeof(Plan));
    return nullptr;
  }
  *answer++ = static_cast<int64_t>(plan->output_count());
  *answer++ = static_cast<int64_t>(rank);
  for (int64_t extent : plan->output_shape()) *answer++ = extent;
  for (size_t i = 0; i < plan->output_count(); ++i) {
    *answer++ = static_cast<int64_t>(plan->output_dtype(i));
    *answer++ = static_cast<int64_t>(plan->output_bytes(i));
  }
  for (size_t i = 0; i < plan->operand_count(); ++i) {
    *answer++ = static_cast<int64_t>(plan->operand_bytes(i));
  }
  *answer++ = static_cast<int64_t>(loops);
  for (size_t loop = 0; loop < loops; ++loop) {
    *answer++ = plan->work().nest.extent(loop);
    *answer++ = plan->work().nest.stride(0, loop);
  }
  return plan;
}

EMSCRIPTEN_KEEPALIVE void broadloom_plan_release(Plan* plan) { Drop(plan); }

// Runs a plan, or a box of it. The request block has the box, if `boxed`, then
// address and bytes of each operand and each result.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_run(const Plan* plan, bool boxed) {
  const size_t operands = plan->operand_count();
  const size_t results = plan->output_count();
  InlineArray<TensorView, kInlineOperands> inputs;
  InlineArray<MutableTensorView, kInlineOperands> outputs;
  if (!inputs.Reset(operands, kAllocator) ||
      !outputs.Reset(results, kAllocator)) {
    ReportRefusal((operands + results) * sizeof(TensorView));
    return -1;
  }
  Box box;
  if (!box.Read(*plan, boxed)) return -1;
  const int64_t* word = request_words.data() + box.words();
  for (size_t i = 0; i < operands; ++i) {
    const uintptr_t data = static_cast<uintptr_t>(*word++);
    inputs[i] = {plan->dtype(i), plan->operand_shape(i),
                 reinterpret_cast<const void*>(data),
                 static_cast<size_t>(*word++)};
  }
  for (size_t i = 0; i < results; ++i) {
    const uintptr_t data = static_cast<uintptr_t>(*word++);
    outputs[i] = {plan->output_dtype(i), box.shape(*plan),
                  reinterpret_cast<void*>(data), static_cast<size_t>(*word++)};
  }
  const Status ran =
      boxed ? RunRegion(*plan, box.ranges(), inputs.view(), outputs.view(),
                        BROADLOOM_RUN_OPTIONS, kAllocator)
            : Run(*plan, inputs.view(), outputs.view(), BROADLOOM_RUN_OPTIONS,
                  kAllocator);
  if (ran) return 0;
  Report(ran.error());
  return -1;
}

// Runs a plan of one result and at most three operands, whole, on dense memory
// at these addresses. Small runs need no request, which would take as long.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_run_at(const Plan* plan, void* result,
                                              const void* a, const void* b,
                                              const void* c) {
  const void* const addresses[] = {a, b, c};
  TensorView inputs[std::size(addresses)];
  const size_t operands = plan->operand_count();
  for (size_t i = 0; i < operands; ++i) {
    inputs[i] = {plan->dtype(i), plan->operand_shape(i), addresses[i],
                 static_cast<size_t>(plan->operand_bytes(i))};
  }
  const MutableTensorView output{plan->output_dtype(), plan->output_shape(),
                                 result,
                                 static_cast<size_t>(plan->output_bytes())};
  const Status ran =
      Run(*plan, {inputs, operands}, {&output, 1}, {}, kAllocator);
  if (ran) return 0;
  Report(ran.error());
  return -1;
}

}  // extern "C"

}  // namespace broadloom_wasm
