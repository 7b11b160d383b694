// Requests that own their shapes, so that tests can write shapes as literals.

#ifndef BROADLOOM_TESTS_UNIT_REQUEST_H_
#define BROADLOOM_TESTS_UNIT_REQUEST_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace testing {

using Extents = std::vector<int64_t>;

class Request {
 public:
  Request(broadloom::Rule rule, std::vector<Extents> operands)
      : operands_(std::move(operands)),
        views_(operands_.begin(), operands_.end()) {
    request_.rule = rule;
    request_.operands = views_;
  }
  Request(const Request&) = delete;
  Request& operator=(const Request&) = delete;

  Request& Axis(int64_t axis) {
    request_.axis = axis;
    return *this;
  }
  Request& Target(Extents target) {
    target_ = std::move(target);
    request_.target_shape = target_;
    return *this;
  }
  Request& Mapping(Extents mapping) {
    mapping_ = std::move(mapping);
    request_.axes_mapping = mapping_;
    return *this;
  }
  Request& Type(broadloom::DType dtype) {
    request_.dtype = dtype;
    return *this;
  }

  const broadloom::BroadcastRequest& get() const { return request_; }

 private:
  std::vector<Extents> operands_;
  std::vector<broadloom::ShapeView> views_;
  Extents target_;
  Extents mapping_;
  broadloom::BroadcastRequest request_;
};

inline Extents ToVector(broadloom::ShapeView shape) {
  return {shape.begin(), shape.end()};
}

}  // namespace testing

#endif  // BROADLOOM_TESTS_UNIT_REQUEST_H_
