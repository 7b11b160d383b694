// The cases in xtensor, with xsimd: adapted memory, lazily broadcast, assigned
// without a temporary.

#include <functional>
#include <string>
#include <xtensor/xadapt.hpp>
#include <xtensor/xarray.hpp>
#include <xtensor/xbroadcast.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

#include "peer.h"

namespace peer {
namespace {

template <class T>
auto Adapt(void* data, const Shape& shape) {
  return xt::adapt(static_cast<T*>(data), Count(shape), xt::no_ownership(),
                   xt::dynamic_shape<size_t>(shape.begin(), shape.end()));
}

template <class T, class Out, class Apply>
std::function<void()> Two(const Case& it, Apply apply) {
  auto a = Adapt<T>(it.inputs[0], it.shapes[0]);
  auto b = Adapt<T>(it.inputs[1], it.shapes[1]);
  auto out = Adapt<Out>(it.output, it.target);
  return [=]() mutable { xt::noalias(out) = apply(a, b); };
}

template <class T>
std::function<void()> Repeat(const Case& it) {
  auto in = Adapt<T>(it.inputs[0], it.shapes[0]);
  auto out = Adapt<T>(it.output, it.target);
  const Shape target = it.target;
  return [=]() mutable { xt::noalias(out) = xt::broadcast(in, target); };
}

constexpr auto kAdd = [](const auto& a, const auto& b) { return a + b; };
constexpr auto kMul = [](const auto& a, const auto& b) { return a * b; };
constexpr auto kLess = [](const auto& a, const auto& b) { return a < b; };
constexpr auto kPow = [](const auto& a, const auto& b) {
  return xt::pow(a, b);
};

}  // namespace

std::function<void()> Prepare(const Case& it) {
  if (it.op == "Broadcast") {
    switch (WidthOf(it.dtype)) {
      case 1:
        return Repeat<uint8_t>(it);
      case 4:
        return Repeat<float>(it);
      case 8:
        return Repeat<double>(it);
      default:
        return {};
    }
  }
  if (it.op == "Add" && it.dtype == "f32") return Two<float, float>(it, kAdd);
  if (it.op == "Add" && it.dtype == "f64") return Two<double, double>(it, kAdd);
  if (it.op == "Add" && it.dtype == "u8") {
    return Two<uint8_t, uint8_t>(it, kAdd);
  }
  if (it.op == "Mul" && it.dtype == "f32") return Two<float, float>(it, kMul);
  if (it.op == "Mul" && it.dtype == "i32") {
    return Two<int32_t, int32_t>(it, kMul);
  }
  if (it.op == "Less" && it.dtype == "f32") return Two<float, bool>(it, kLess);
  if (it.op == "Pow" && it.dtype == "f32") return Two<float, float>(it, kPow);
  return {};
}

std::string Version() {
  return std::to_string(XTENSOR_VERSION_MAJOR) + "." +
         std::to_string(XTENSOR_VERSION_MINOR) + "." +
         std::to_string(XTENSOR_VERSION_PATCH);
}

}  // namespace peer

int main() { return peer::Main(); }
