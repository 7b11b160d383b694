// The extension module broadloom._core: converts arguments and results only. No
// rule is here, and no shape arithmetic.

#define BROADLOOM_LOADS_NUMPY
#include "numpy_api.h"
// NumPy's header comes first, since it says which file loads NumPy.
#include "arguments.h"
#include "broadcasts.h"
#include "operators.h"
#include "plans.h"
#include "shapes.h"
#include "threads.h"
#include "vocabulary.h"

namespace broadloom_python {
namespace {

// The names that the package takes over: all but what its own Python builds on.
void ListPublic(nb::module_& module) {
  nb::list names;
  for (const char* name :
       {"Plan",        "apply",          "broadcast",      "broadcast_to",
        "dtype_name",  "dtypes",         "format_operand", "format_shape",
        "get_threads", "infer_shape",    "numpy_dtype",    "operators",
        "plan",        "promoted_types", "read_plan",      "result_type",
        "rules",       "set_threads",    "sum_to",         "target"}) {
    names.append(name);
  }
  const nb::dict operators(module.attr("operators"));
  for (const auto [op, name] : operators) names.append(name);
  names.attr("sort")();
  module.attr("__all__") = names;
}

}  // namespace
}  // namespace broadloom_python

NB_MODULE(_core, module) {
  using namespace broadloom_python;
  if (PyArray_ImportNumPyAPI() < 0) throw nb::python_error();
  InternKeywords();
  module.doc() = "Broadloom's core, for Python.";
  AddVocabulary(module);
  AddShapes(module);
  AddOperators(module);
  AddBroadcasts(module);
  AddPlans(module);
  AddThreads(module);
  ListPublic(module);
}
