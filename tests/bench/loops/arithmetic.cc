#include "loops/arithmetic.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "fill.h"
#include "loops/elements.h"

namespace bench {

using broadloom::DType;
using broadloom::Op;

std::unique_ptr<Arithmetic> Arithmetic::Of(
    Op op, std::span<const DType> types,
    const broadloom::OpAttributes& attributes) {
  const auto of = ComputationOf(op, types, attributes);
  const Loop loop = of ? FindLoop(*of) : nullptr;
  if (loop == nullptr) return nullptr;
  auto made = std::make_unique<Arithmetic>();
  made->of_ = *of;
  made->attributes_ = attributes;
  made->loop_ = loop;
  // All streams together leave half of a first-level cache free.
  constexpr size_t kMostBits = 16 * 1024 * 8;
  const DType result = ResultType(*of);
  size_t bits = BitsOfType(result);
  for (const DType type : types) bits += BitsOfType(type);
  made->elements_ = kMostBits / bits / kLoopStep * kLoopStep;
  made->output_ = Memory(BytesOfType(made->elements_, result), 0);
  if (made->output_.data() == nullptr) return nullptr;
  for (size_t k = 0; k < types.size(); ++k) {
    made->inputs_.emplace_back(BytesOfType(made->elements_, types[k]), k + 1);
    if (made->inputs_.back().data() == nullptr) return nullptr;
    Fill(made->inputs_.back(), op, types[k], k);
  }
  return made;
}

void Arithmetic::Run() const {
  const uint8_t* in[kMostLoopOperands] = {};
  for (size_t k = 0; k < inputs_.size(); ++k) in[k] = inputs_[k].data();
  loop_(in, output_.data(), elements_);
}

std::optional<std::string> Arithmetic::FirstDifference(
    std::optional<size_t> spoil) const {
  Run();
  if (spoil) output_.data()[*spoil % output_.bytes()] ^= 0x40;
  const uint8_t* in[kMostLoopOperands] = {};
  for (size_t k = 0; k < inputs_.size(); ++k) in[k] = inputs_[k].data();
  const DType result = ResultType(of_);
  for (size_t i = 0; i < elements_; ++i) {
    if (!IsRight(of_, attributes_, result, in, output_.data(), i)) {
      return "element " + std::to_string(i) + " of its arithmetic loop";
    }
  }
  return std::nullopt;
}

}  // namespace bench
