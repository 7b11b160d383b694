// An operator with operands under a rule, and the expected result: cells by the
// plain implementation of the rules (broadcast.h), elements by the oracle of
// scalar.h. For tests that run plans.

#ifndef BROADLOOM_TESTS_REFERENCE_TRIAL_H_
#define BROADLOOM_TESTS_REFERENCE_TRIAL_H_

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "reference/broadcast.h"
#include "reference/guarded_buffer.h"
#include "reference/kernel_cases.h"
#include "reference/memory_bits.h"
#include "reference/scalar.h"

namespace reference {

inline std::string ShapeText(std::span<const int64_t> shape) {
  std::string text = "(";
  for (const int64_t extent : shape) text += std::to_string(extent) + ",";
  return text + ")";
}

using broadloom::BitsOf;

inline void PutBits(std::span<uint8_t> bytes, int bits, size_t index,
                    ElementBits element) {
  if (bits >= 8) {
    const size_t width = static_cast<size_t>(bits) / 8;
    for (size_t i = 0; i < width; ++i) {
      bytes[index * width + i] = static_cast<uint8_t>(
          (i < 8 ? element.low : element.high) >> i % 8 * 8);
    }
    return;
  }
  const size_t slots = 8 / static_cast<size_t>(bits);
  const size_t slot = index % slots;
  const size_t shift = bits == 4 ? slot * 4 : 7 - slot;
  const unsigned mask = ((1u << bits) - 1) << shift;
  uint8_t& byte = bytes[index / slots];
  byte = static_cast<uint8_t>((byte & ~mask) |
                              (static_cast<unsigned>(element.low) << shift));
}

// Consecutive elements, without unused bits.
inline Buffer SomeElements(DType dtype, size_t count, uint64_t seed) {
  return BitsOf(dtype) < 8 ? Pattern(BytesFor(count, BitsOf(dtype)),
                                     static_cast<uint32_t>(seed))
                           : RandomElements(dtype, count, seed);
}

// `bytes` bytes of memory that begin `skew` bytes after a multiple of 64. The
// heap's block ends with them. Bytes before and after are filled with a
// pattern, which IsWhole checks.
class Guarded {
 public:
  explicit Guarded(size_t bytes, size_t skew = 0)
      : bytes_(bytes), memory_(kGuard + 64 + bytes + kGuard, kWatch) {
    const size_t address = reinterpret_cast<uintptr_t>(memory_.data()) + kGuard;
    begin_ = kGuard + (64 - address % 64) % 64 + skew % 64;
  }
  uint8_t* data() { return memory_.data() + begin_; }
  std::span<uint8_t> view() { return {data(), bytes_}; }
  bool IsWhole() const {
    for (size_t i = 0; i < memory_.size(); ++i) {
      const bool inside = i >= begin_ && i < begin_ + bytes_;
      if (!inside && memory_[i] != kWatch) return false;
    }
    return true;
  }

 private:
  static constexpr size_t kGuard = 128;
  static constexpr uint8_t kWatch = 0xA5;
  size_t bytes_;
  Buffer memory_;
  size_t begin_;
};

// Whether two results of `op` are equal, bit for bit. NaNs that arithmetic
// makes are equal, whatever their bits: compilers swap the operands of sums.
inline bool SameResults(Op op, DType dtype, std::span<const uint8_t> a,
                        std::span<const uint8_t> b) {
  if (std::ranges::equal(a, b)) return true;
  const bool any_nan = dtype >= DType::kF16 && dtype <= DType::kF64 &&
                       op != Op::kWhere && op != Op::kBroadcast;
  if (!any_nan || a.size() != b.size()) return false;
  const size_t width = BytesOf(dtype);
  for (size_t at = 0; at < a.size(); at += width) {
    if (!std::equal(a.begin() + static_cast<ptrdiff_t>(at),
                    a.begin() + static_cast<ptrdiff_t>(at + width),
                    b.begin() + static_cast<ptrdiff_t>(at)) &&
        !(IsNaN(dtype, &a[at]) && IsNaN(dtype, &b[at]))) {
      return false;
    }
  }
  return true;
}
inline bool SameResults(Op op, DType dtype, const std::vector<Buffer>& a,
                        const std::vector<Buffer>& b) {
  for (size_t i = 0; i < a.size(); ++i) {
    if (!SameResults(op, dtype, a[i], b[i])) return false;
  }
  return a.size() == b.size();
}

struct Trial {
  // `solves`: false omits `wanted` and `exact`, for results too large for the
  // oracles.
  Trial(Question the_question, Op the_op, std::vector<DType> types,
        uint64_t seed, bool solves = true, OpAttributes the_attributes = {})
      : question(std::move(the_question)),
        op(the_op),
        attributes(the_attributes),
        dtypes(std::move(types)),
        answer(Ask(question)) {
    for (size_t k = 0; k < dtypes.size(); ++k) {
      operands.push_back(SomeElements(
          dtypes[k], static_cast<size_t>(Count(question.operands[k])),
          seed * 8 + k));
    }
    const auto kind = broadloom::Info(op).result;
    result = attributes.to                                ? *attributes.to
             : kind == broadloom::ResultType::kBoolType   ? DType::kBool
             : kind == broadloom::ResultType::kSecondType ? dtypes[1]
                                                          : dtypes[0];
    if (solves && answer.error.empty()) Solve();
  }

  Question question;
  Op op;
  OpAttributes attributes;
  std::vector<DType> dtypes;
  Answer answer;
  DType result;
  std::vector<Buffer> operands;  // dense, exactly the bytes that they need
  // By output and cell.
  std::vector<std::vector<ElementBits>> wanted;
  // If the result is approximate or a power through f64.
  std::vector<long double> exact;

  size_t output_count() const { return wanted.size(); }
  size_t cell_count() const { return wanted[0].size(); }
  size_t output_bytes() const { return BytesFor(cell_count(), BitsOf(result)); }
  bool is_approximate() const { return MostUlps(op, dtypes[0]) > 0; }
  std::string name() const {
    std::string text(broadloom::Info(op).name);
    for (size_t k = 0; k < dtypes.size(); ++k) {
      text += ' ' + std::string(broadloom::Info(dtypes[k]).name) +
              ShapeText(question.operands[k]);
    }
    text += ' ' + question.rule;
    if (question.axis) text += " axis " + std::to_string(*question.axis);
    if (question.target) text += " target " + ShapeText(*question.target);
    if (question.mapping) text += " mapping " + ShapeText(*question.mapping);
    return text;
  }

  // As part of a buffer that continues after them.
  std::vector<broadloom::TensorView> inputs() const {
    std::vector<broadloom::TensorView> views;
    for (size_t k = 0; k < operands.size(); ++k) {
      views.push_back({dtypes[k], question.operands[k], operands[k].data(),
                       operands[k].size() + kGuardBytes});
    }
    return views;
  }

  broadloom::Result<broadloom::Plan> MakePlan() const {
    const std::vector<broadloom::ShapeView> shapes(question.operands.begin(),
                                                   question.operands.end());
    broadloom::ApplyOptions options{.rule = *broadloom::FindRule(question.rule),
                                    .axis = question.axis,
                                    .attributes = attributes};
    if (question.target) options.target_shape = *question.target;
    if (question.mapping) options.axes_mapping = *question.mapping;
    return broadloom::MakePlan(op, shapes, dtypes, options);
  }

  // Whether `got` is correct for a cell of output `output`.
  bool Agrees(size_t output, size_t cell, ElementBits got) const {
    if (is_approximate()) {
      return IsWithinUlps(result, exact[cell], &got.low,
                          MostUlps(op, dtypes[0]));
    }
    const ElementBits& want = wanted[output][cell];
    if (got == want) return true;
    if (IsPowerThroughF64(op, dtypes)) {
      return AgreeThroughF64(result, exact[cell], got.low);
    }
    return op != Op::kWhere && op != Op::kBroadcast &&
           IsNaN(result, &got.low) && IsNaN(result, &want.low);
  }

  // A description of the error in the bytes of an output, or nothing.
  std::string Fault(size_t output, std::span<const uint8_t> bytes) const {
    const int bits = BitsOf(result);
    for (size_t cell = 0; cell < cell_count(); ++cell) {
      const ElementBits got = Get(bytes, bits, cell);
      if (Agrees(output, cell, got)) continue;
      return name() + ": output " + std::to_string(output) + " cell " +
             std::to_string(cell) + " of " + ShapeText(answer.result) + " is " +
             std::to_string(got.low) + ", not " +
             (is_approximate() ? std::to_string(exact[cell])
                               : std::to_string(wanted[output][cell].low));
    }
    return {};
  }

 private:
  void Solve() {
    const Extents& shape = answer.result;
    // The operand's stride along each axis of the result.
    std::vector<Extents> steps;
    for (size_t k = 0; k < dtypes.size(); ++k) {
      const Extents& own = question.operands[k];
      steps.emplace_back(shape.size(), 0);
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        const int place = answer.places[k][axis];
        if (place < 0 || own[static_cast<size_t>(place)] == 1) continue;
        steps[k][axis] = 1;
        for (size_t inner = static_cast<size_t>(place) + 1; inner < own.size();
             ++inner) {
          steps[k][axis] *= own[inner];
        }
      }
    }
    const bool moves = op == Op::kBroadcast;
    wanted.resize(moves ? dtypes.size() : 1);
    const size_t cells = static_cast<size_t>(Count(shape));
    Extents index(shape.size(), 0);
    std::vector<size_t> at(dtypes.size());
    std::vector<const void*> in(dtypes.size());
    for (size_t cell = 0; cell < cells; ++cell) {
      for (size_t k = 0; k < dtypes.size(); ++k) {
        int64_t position = 0;
        for (size_t axis = 0; axis < shape.size(); ++axis) {
          position += index[axis] * steps[k][axis];
        }
        at[k] = static_cast<size_t>(position);
        in[k] = operands[k].data() + at[k] * BytesOf(dtypes[k]);
      }
      if (moves) {
        for (size_t k = 0; k < dtypes.size(); ++k) {
          wanted[k].push_back(Get(operands[k], BitsOf(dtypes[k]), at[k]));
        }
      } else if (op == Op::kWhere) {
        const size_t chosen = Read<uint8_t>(in[0]) != 0 ? 1 : 2;
        wanted[0].push_back(
            Get(operands[chosen], BitsOf(dtypes[chosen]), at[chosen]));
      } else {
        ElementBits element;
        if (is_approximate() || IsPowerThroughF64(op, dtypes)) {
          exact.push_back(ExactResult(op, dtypes, in));
        }
        if (!is_approximate()) {
          Evaluate(op, dtypes, attributes, in, &element.low);
        }
        wanted[0].push_back(element);
      }
      for (size_t axis = shape.size(); axis-- > 0;) {
        if (++index[axis] < shape[axis]) break;
        index[axis] = 0;
      }
    }
  }
};

// Outputs of a run, exactly as long as needed, and views of them as part of a
// buffer that continues after them.
struct Outputs {
  Outputs(DType dtype, const Extents& extents, size_t count,
          uint8_t fill = 0xCC)
      : shape(extents) {
    const size_t bytes =
        BytesFor(static_cast<size_t>(Count(extents)), BitsOf(dtype));
    for (size_t i = 0; i < count; ++i) {
      memory.emplace_back(bytes, fill);
    }
    for (Buffer& one : memory) {
      views.push_back({dtype, shape, one.data(), one.size() + kGuardBytes});
    }
  }
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  Extents shape;
  std::vector<Buffer> memory;
  std::vector<broadloom::MutableTensorView> views;
};

// --- Random shapes -----------------------------------------------------------

// Extents of a result: of rank 0 to 6, mostly small, now and then one long
// axis, at most `most` elements.
inline Extents RandomShape(Random& random, int64_t most) {
  Extents shape(random.Below(7));
  for (int64_t& extent : shape) {
    extent = static_cast<int64_t>(random.Below(9)) + 1;
  }
  if (!shape.empty() && random.Below(2) == 0) {
    constexpr int64_t kLong[] = {31, 63, 64, 65, 130, 257, 700, 1025, 2049};
    shape[random.Below(shape.size())] = kLong[random.Below(std::size(kLong))];
  }
  while (Count(shape) > most) {
    auto longest = std::ranges::max_element(shape);
    const size_t other = random.Below(shape.size());
    int64_t& extent = shape[other] > 1 ? shape[other] : *longest;
    extent = (extent + 1) / 2;
  }
  return shape;
}

// An operand that broadcasts to `shape` by NumPy's rule. Groups of consecutive
// axes are stretched or not, as in real programs.
inline Extents RandomOperand(Random& random, const Extents& shape) {
  Extents operand = shape;
  const size_t kind = random.Below(8);
  if (kind == 0) return operand;
  bool stretched = random.Below(2) == 0;
  for (int64_t& extent : operand) {
    if (random.Below(3) == 0 || kind == 1) stretched = !stretched;
    if (stretched) extent = 1;
  }
  size_t absent = 0;
  while (absent < operand.size() && operand[absent] == 1 &&
         random.Below(4) != 0) {
    ++absent;
  }
  operand.erase(operand.begin(),
                operand.begin() + static_cast<ptrdiff_t>(absent));
  return operand;
}

}  // namespace reference

#endif  // BROADLOOM_TESTS_REFERENCE_TRIAL_H_
