// Sums back to an operand's shape, of tensors in this module's memory. Each
// function returns a negative number, or null, after it has reported a fault.

#include <emscripten/emscripten.h>

#include <cstddef>
#include <cstdint>
#include <utility>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"
#include "request.h"
#include "threads/pool.h"
#include "words.h"

namespace broadloom_wasm {

using namespace broadloom;

extern "C" {

// Makes a plan to sum the request's first operand to the shape of its second.
EMSCRIPTEN_KEEPALIVE SumPlan* broadloom_sum_plan() {
  Request request;
  if (!request.Read()) return nullptr;
  Result<SumPlan> made =
      SumPlan::Make(request.dtypes[0], request.shapes[0], request.shapes[1],
                    {.rule = *request.rule,
                     .axis = request.axis,
                     .axes_mapping = request.axes_mapping},
                    {}, kAllocator);
  if (!made) {
    Report(made.error());
    return nullptr;
  }
  SumPlan* const plan = Keep(std::move(*made));
  if (plan == nullptr) ReportRefusal(sizeof(SumPlan));
  return plan;
}

EMSCRIPTEN_KEEPALIVE void broadloom_sum_plan_release(SumPlan* plan) {
  Drop(plan);
}

// Sums. The request block has address and bytes of the input, then of the sums.
EMSCRIPTEN_KEEPALIVE int32_t broadloom_sum_run(const SumPlan* plan) {
  const int64_t* word = request_words.data();
  const auto next = [&word] { return static_cast<uintptr_t>(*word++); };
  const uintptr_t from = next();
  const size_t from_bytes = next();
  const uintptr_t to = next();
  const size_t to_bytes = next();
  const Status ran =
      plan->Run({plan->dtype(), plan->input_shape(),
                 reinterpret_cast<const void*>(from), from_bytes},
                {plan->dtype(), plan->output_shape(),
                 reinterpret_cast<void*>(to), to_bytes},
                {.parallel = Pool()}, kAllocator);
  if (ran) return 0;
  Report(ran.error());
  return -1;
}

}  // extern "C"

}  // namespace broadloom_wasm
