#include "check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "reference/broadcast.h"
#include "reference/memory_bits.h"
#include "reference/scalar.h"

namespace bench {
namespace {

using broadloom::DType;
using broadloom::Op;

// The places of each operand's elements for the result's elements, by the
// oracle of the rules, not by the library's plan.
struct Layout {
  Extents extents;
  std::vector<Extents> strides;  // of each operand, in elements
};

std::optional<Layout> LayoutOf(const Case& it) {
  const reference::Question question{
      .rule = std::string(broadloom::Info(it.rule).name),
      .operands = it.shapes,
      .axis = it.axis,
      .target = it.target,
      .mapping = it.mapping};
  const reference::Answer answer = reference::Ask(question);
  if (!answer.error.empty()) return std::nullopt;
  Layout layout{.extents = answer.result, .strides = {}};
  for (size_t i = 0; i < it.shapes.size(); ++i) {
    const Extents& shape = it.shapes[i];
    Extents own(shape.size(), 1);  // strides of the operand's axes
    for (size_t axis = shape.size(); axis-- > 1;) {
      own[axis - 1] = own[axis] * shape[axis];
    }
    Extents strides;
    for (const int place : answer.places[i]) {
      const auto axis = static_cast<size_t>(place);
      strides.push_back(place < 0 || shape[axis] == 1 ? 0 : own[axis]);
    }
    layout.strides.push_back(strides);
  }
  return layout;
}

constexpr size_t kMostOperands = 8;

// Calls is_right(cell, position in each operand) for each cell of the result,
// in order; returns the first cell for which it is false.
template <class IsRight>
std::optional<size_t> FirstWrong(const Layout& layout, IsRight is_right) {
  const size_t rank = layout.extents.size();
  const size_t operands = layout.strides.size();
  const size_t columns =
      rank == 0 ? 1 : static_cast<size_t>(layout.extents[rank - 1]);
  size_t step[kMostOperands] = {};
  for (size_t i = 0; rank > 0 && i < operands; ++i) {
    step[i] = static_cast<size_t>(layout.strides[i][rank - 1]);
  }
  size_t rows = 1;
  for (size_t axis = 0; axis + 1 < rank; ++axis) {
    rows *= static_cast<size_t>(layout.extents[axis]);
  }
  std::vector<int64_t> index(rank, 0);
  size_t cell = 0;
  for (size_t row = 0; row < rows; ++row) {
    size_t at[kMostOperands] = {};
    for (size_t i = 0; i < operands; ++i) {
      for (size_t axis = 0; axis + 1 < rank; ++axis) {
        at[i] += static_cast<size_t>(index[axis] * layout.strides[i][axis]);
      }
    }
    for (size_t column = 0; column < columns; ++column, ++cell) {
      if (!is_right(cell, at)) return cell;
      for (size_t i = 0; i < kMostOperands; ++i) at[i] += step[i];
    }
    for (size_t axis = rank; axis-- > 1;) {
      if (++index[axis - 1] < layout.extents[axis - 1]) break;
      index[axis - 1] = 0;
    }
  }
  return std::nullopt;
}

size_t WidthOf(DType dtype) {
  return static_cast<size_t>(broadloom::Info(dtype).bits) / 8;
}

// Any operator, element by element.
class AnyElement {
 public:
  explicit AnyElement(const Case& it)
      : it_(it), most_ulps_(reference::MostUlps(it.op, it.dtypes[0])) {}

  bool operator()(size_t cell, const size_t* at) {
    const size_t width = WidthOf(it_.result.dtype);
    const uint8_t* const got = it_.output.data() + cell * width;
    const void* in[kMostOperands];
    for (size_t i = 0; i < it_.inputs.size(); ++i) {
      in[i] = it_.inputs[i].data() + at[i] * WidthOf(it_.dtypes[i]);
    }
    if (most_ulps_ > 0) {
      const long double exact =
          reference::ExactResult(it_.op, it_.dtypes, {in, it_.inputs.size()});
      return reference::IsWithinUlps(it_.dtypes[0], exact, got, most_ulps_);
    }
    uint8_t expected[16] = {};
    reference::Evaluate(it_.op, it_.dtypes, it_.attributes,
                        {in, it_.inputs.size()}, expected);
    return std::memcmp(expected, got, width) == 0;
  }

 private:
  const Case& it_;
  int most_ulps_;
};

// Elements of less than a byte, which are moved or selected by a condition.
std::optional<size_t> FirstWrongBits(const Case& it, const Layout& layout) {
  const int bits = broadloom::Info(it.result.dtype).bits;
  const auto bytes_of = [](const Memory& memory) {
    return std::span<const uint8_t>(memory.data(), memory.bytes());
  };
  return FirstWrong(layout, [&](size_t cell, const size_t* at) {
    const bool chooses = it.op == Op::kWhere;
    const size_t source = !chooses                          ? 0
                          : it.inputs[0].data()[at[0]] != 0 ? 1
                                                            : 2;
    return reference::Get(bytes_of(it.output), bits, cell) ==
           reference::Get(bytes_of(it.inputs[source]), bits, at[source]);
  });
}

template <class T>
std::optional<size_t> FirstWrongMove(const Case& it, const Layout& layout) {
  const uint8_t* const in = it.inputs[0].data();
  const uint8_t* const out = it.output.data();
  return FirstWrong(layout, [=](size_t cell, const size_t* at) {
    return reference::Read<T>(out + cell * sizeof(T)) ==
           reference::Read<T>(in + at[0] * sizeof(T));
  });
}

// Two operands of one type: the same oracle, instantiated for the type, so that
// large results are checked quickly.
template <class T, Op kOp>
std::optional<size_t> FirstWrongOf(const Case& it, const Layout& layout) {
  const uint8_t* const a = it.inputs[0].data();
  const uint8_t* const b = it.inputs[1].data();
  const uint8_t* const out = it.output.data();
  return FirstWrong(layout, [=](size_t cell, const size_t* at) {
    const T x = reference::Read<T>(a + at[0] * sizeof(T));
    const T y = reference::Read<T>(b + at[1] * sizeof(T));
    if constexpr (kOp == Op::kLess) {
      return out[cell] == static_cast<uint8_t>(reference::Compare(kOp, x, y));
    } else {
      const T expected = reference::Arithmetic(kOp, x, y, {});
      return std::memcmp(&expected, out + cell * sizeof(T), sizeof(T)) == 0;
    }
  });
}

std::optional<size_t> FirstWrongCell(const Case& it, const Layout& layout) {
  const int bits = broadloom::Info(it.result.dtype).bits;
  if (bits < 8) return FirstWrongBits(it, layout);
  if (it.op == Op::kBroadcast) {
    switch (bits) {
      case 8:
        return FirstWrongMove<uint8_t>(it, layout);
      case 16:
        return FirstWrongMove<uint16_t>(it, layout);
      case 32:
        return FirstWrongMove<uint32_t>(it, layout);
      case 64:
        return FirstWrongMove<uint64_t>(it, layout);
      default:
        return FirstWrong(layout, AnyElement(it));
    }
  }
  std::optional<size_t> wrong;
  bool done = false;
  if (it.inputs.size() == 2 && it.dtypes[0] == it.dtypes[1]) {
    reference::VisitNumber(it.dtypes[0], [&]<class T>(T) {
      if constexpr (!reference::kIsHalf<T>) {
        done = true;
        switch (it.op) {
          case Op::kAdd:
            wrong = FirstWrongOf<T, Op::kAdd>(it, layout);
            return;
          case Op::kSub:
            wrong = FirstWrongOf<T, Op::kSub>(it, layout);
            return;
          case Op::kMul:
            wrong = FirstWrongOf<T, Op::kMul>(it, layout);
            return;
          case Op::kMax:
            wrong = FirstWrongOf<T, Op::kMax>(it, layout);
            return;
          case Op::kLess:
            wrong = FirstWrongOf<T, Op::kLess>(it, layout);
            return;
          default:
            done = false;
        }
      }
    });
  }
  return done ? wrong : FirstWrong(layout, AnyElement(it));
}

// An element as a number if possible, else as bytes.
std::string Spelled(DType dtype, const uint8_t* element) {
  std::ostringstream text;
  text.precision(17);
  if (dtype == DType::kBool) return element[0] != 0 ? "true" : "false";
  bool number = false;
  reference::VisitNumber(dtype, [&]<class T>(T) {
    number = true;
    text << +reference::ToComputed(reference::Read<T>(element));
  });
  if (number) return text.str();
  constexpr char kDigits[] = "0123456789abcdef";
  text << "0x";
  for (size_t i = std::max<size_t>(WidthOf(dtype), 1); i-- > 0;) {
    text << kDigits[element[i] >> 4] << kDigits[element[i] & 15];
  }
  return text.str();
}

}  // namespace

std::optional<std::string> FirstDifference(const Case& it) {
  const std::optional<Layout> layout = LayoutOf(it);
  if (!layout) return "a result, though the rule does not allow one";
  if (!std::ranges::equal(layout->extents, it.plan.output_shape())) {
    return "its shape";
  }
  if (it.output.bytes() == 0) return std::nullopt;
  const std::optional<size_t> cell = FirstWrongCell(it, *layout);
  if (!cell) return std::nullopt;

  std::vector<int64_t> index(layout->extents.size());
  auto left = static_cast<int64_t>(*cell);
  for (size_t axis = index.size(); axis-- > 0;) {
    index[axis] = left % layout->extents[axis];
    left /= layout->extents[axis];
  }
  std::ostringstream text;
  text << "element [";
  for (size_t axis = 0; axis < index.size(); ++axis) {
    text << (axis > 0 ? "," : "") << index[axis];
  }
  const int bits = broadloom::Info(it.result.dtype).bits;
  text << "] is "
       << Spelled(it.result.dtype,
                  it.output.data() + *cell * static_cast<size_t>(bits) / 8);
  if (it.op == Op::kBroadcast || bits < 8) return text.str();

  // Again, for that cell only.
  uint8_t expected[16] = {};
  const void* in[kMostOperands] = {};
  for (size_t i = 0; i < it.inputs.size(); ++i) {
    int64_t at = 0;
    for (size_t axis = 0; axis < index.size(); ++axis) {
      at += index[axis] * layout->strides[i][axis];
    }
    in[i] =
        it.inputs[i].data() + static_cast<size_t>(at) * WidthOf(it.dtypes[i]);
  }
  reference::Evaluate(it.op, it.dtypes, it.attributes, {in, it.inputs.size()},
                      expected);
  text << ", not " << Spelled(it.result.dtype, expected);
  return text.str();
}

}  // namespace bench
