#include "sums.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "broadloom/broadloom.h"
#include "faster_writes.h"
#include "limit.h"
#include "measure.h"
#include "memory.h"
#include "reference/broadcast.h"
#include "reference/scalar.h"

namespace bench {
namespace {

using broadloom::DType;

// Small numbers, for floats multiples of one half, so that every sum is exact
// in f64 in any order, and has one correct rounding.
template <class T>
void Fill(const Memory& memory) {
  uint64_t state = 0x9E3779B97F4A7C15u;
  for (size_t i = 0; i + sizeof(T) <= memory.bytes(); i += sizeof(T)) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const int number = static_cast<int>(state >> 32 & 0xFF) - 128;
    if constexpr (reference::kIsInteger<T>) {
      reference::Write(memory.data() + i, static_cast<T>(number));
    } else {
      const uint64_t bits =
          reference::Encode(reference::FormatOf<T>(), (number | 1) * 0.5);
      std::memcpy(memory.data() + i, &bits, sizeof(T));
    }
  }
}

// The stride of the sums along each axis of the input, by the oracle of the
// rules.
Extents StridesOf(const Extents& from, const Extents& to) {
  const reference::Answer answer = reference::Ask({.rule = "broadcast_numpy",
                                                   .operands = {to},
                                                   .axis = {},
                                                   .target = from,
                                                   .mapping = {}});
  Extents own(to.size(), 1);
  for (size_t axis = to.size(); axis-- > 1;) {
    own[axis - 1] = own[axis] * to[axis];
  }
  Extents strides;
  for (const int place : answer.places[0]) {
    const auto axis = static_cast<size_t>(place);
    strides.push_back(place < 0 || to[axis] == 1 ? 0 : own[axis]);
  }
  return strides;
}

template <class T>
std::optional<size_t> FirstWrongSum(const Extents& from, const Extents& to,
                                    const Memory& input, const Memory& output) {
  using Sum = std::conditional_t<reference::kIsInteger<T>, uint64_t, double>;
  const Extents strides = StridesOf(from, to);
  std::vector<Sum> sums(output.bytes() / sizeof(T));
  Extents index(from.size(), 0);
  size_t at = 0;
  for (size_t i = 0; i + sizeof(T) <= input.bytes(); i += sizeof(T)) {
    sums[at] += static_cast<Sum>(
        reference::ToComputed(reference::Read<T>(input.data() + i)));
    for (size_t axis = from.size(); axis-- > 0;) {
      at += static_cast<size_t>(strides[axis]);
      if (++index[axis] < from[axis]) break;
      at -= static_cast<size_t>(strides[axis] * from[axis]);
      index[axis] = 0;
    }
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    uint64_t bits;
    if constexpr (reference::kIsInteger<T>) {
      bits = sums[i];
    } else {
      bits = reference::Encode(reference::FormatOf<T>(), sums[i]);
    }
    if (std::memcmp(&bits, output.data() + i * sizeof(T), sizeof(T)) != 0) {
      return i;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string MeasureSum(const Fields& fields) {
  const auto rounds = static_cast<size_t>(fields.Number("rounds").value_or(15));
  const auto least =
      static_cast<double>(fields.Number("least").value_or(1'000'000));
  const auto dtype = broadloom::FindDType(fields.Text("dtype"));
  const auto from = fields.List("from"), to = fields.List("to");
  if (!dtype || !from || !to) return R"({"error":"no such sum"})";
  const auto plan = broadloom::SumPlan::Make(*dtype, *from, *to);
  if (!plan) {
    return R"({"error":"the library refuses it"})";
  }
  const auto bytes_of = [&](const Extents& shape) {
    return static_cast<size_t>(
        broadloom::CountBytes(shape, *dtype).value_or(0));
  };
  const Memory output(bytes_of(*to), 0);
  std::vector<Memory> input;
  input.emplace_back(bytes_of(*from), 1);
  if (input[0].data() == nullptr || output.data() == nullptr) {
    return R"({"error":"memory was refused"})";
  }
  bool is_number = false;
  reference::VisitNumber(*dtype, [&]<class T>(T) {
    Fill<T>(input[0]);
    is_number = true;
  });
  if (!is_number) return R"({"error":"no reference for that type"})";
  const auto work = [&] {
    return broadloom::SumTo({*dtype, *from, input[0].data(), input[0].bytes()},
                            broadloom::MutableTensorView{
                                *dtype, *to, output.data(), output.bytes()});
  };
  if (!work()) return R"({"error":"the library refuses it"})";
  if (const auto at = fields.Number("spoil"); at && output.bytes() > 0) {
    output.data()[static_cast<size_t>(*at) % output.bytes()] ^= 0x40;
  }
  std::optional<size_t> wrong;
  reference::VisitNumber(*dtype, [&]<class T>(T) {
    wrong = FirstWrongSum<T>(*from, *to, input[0], output);
  });
  if (wrong) return R"({"wrong":"element )" + std::to_string(*wrong) + "\"}";

  std::vector<Timed> ways;
  ways.emplace_back("work", least, [&] {
    (void)work().has_value();
    Keep(output.data());
  });
  ways.emplace_back("read", least, [&] {
    const uint64_t sum = ReadStream(input[0]);
    Keep(&sum);
  });
  const Writes writes = FasterWrites(input, output);
  ways.emplace_back("limit", least, [&] {
    MoveStreams(input, output, writes, 0, 1);
    Keep(output.data());
  });
  return TimeInTurn(ways, rounds);
}

}  // namespace bench
