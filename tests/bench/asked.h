// What a request asks to compute.

#ifndef BROADLOOM_TESTS_BENCH_ASKED_H_
#define BROADLOOM_TESTS_BENCH_ASKED_H_

#include <expected>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "fields.h"

namespace bench {

struct Asked {
  broadloom::Op op;
  broadloom::OpAttributes attributes;
  std::vector<broadloom::DType> dtypes;
};

// From op= dtypes= fmod= direction= to= saturate=; or the reason why not.
std::expected<Asked, std::string> ReadAsked(const Fields& fields);

}  // namespace bench

#endif  // BROADLOOM_TESTS_BENCH_ASKED_H_
