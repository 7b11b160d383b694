// One case: an operator on operands of given types and shapes, with its plan,
// its memory and its elements.

#ifndef BROADLOOM_TESTS_BENCH_CASE_H_
#define BROADLOOM_TESTS_BENCH_CASE_H_

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "fields.h"
#include "library.h"
#include "limit.h"
#include "loops/arithmetic.h"
#include "memory.h"
#include "workers.h"

namespace bench {

struct Case {
  broadloom::Op op;
  broadloom::Rule rule;
  broadloom::OpAttributes attributes;
  std::vector<broadloom::DType> dtypes;
  std::vector<Extents> shapes;
  std::optional<int64_t> axis;
  std::optional<Extents> target;
  std::optional<Extents> mapping;

  broadloom::Plan plan;
  std::vector<Memory> inputs;
  Memory output;
  std::vector<broadloom::TensorView> views;
  broadloom::MutableTensorView result;

  Runner runner;
  std::unique_ptr<Workers> workers;
  Stores stores = Stores::kAutomatic;
  Writes writes = Writes::kPlain;  // of the limit
  // Null if the operator has none.
  std::unique_ptr<Arithmetic> arithmetic;

  // Inputs and result, each byte once.
  size_t unique_bytes() const;
  broadloom::Status Work() const;
  void Limit() const;
  // How many threads share the limit.
  size_t limit_threads() const;
  size_t result_elements() const;
};

// Makes a case from a request `open`, or returns the reason why it cannot.
std::expected<std::unique_ptr<Case>, std::string> OpenCase(
    const Fields& fields);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_CASE_H_
