// Times plans for scripts/bench.mjs, which knows the cases and prints the
// table. One case a line, words as in tests/conformance/session.cc:
//
//   NAME OP RULE AXIS TARGET MAPPING DTYPE SHAPE...
//   -> NAME NANOSECONDS LIMIT_NANOSECONDS UNIQUE_BYTES, or: NAME error CLASS
//
// The limit is a loop that only reads the same inputs and writes as many bytes
// as the result has. Both are timed in turn, round by round, so that what else
// the machine does hits them alike; the medians are told.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"

namespace {

using namespace broadloom;
using Clock = std::chrono::steady_clock;

constexpr size_t kRounds = 15;
constexpr double kLeastNanosecondsARound = 4e6;

double Nanoseconds(Clock::duration time) {
  return std::chrono::duration<double, std::nano>(time).count();
}

// How often `work` has to run to fill a round.
template <class Work>
size_t CountPerRound(const Work& work) {
  for (size_t count = 1;; count *= 2) {
    const Clock::time_point begin = Clock::now();
    for (size_t i = 0; i < count; ++i) work();
    if (Nanoseconds(Clock::now() - begin) >= kLeastNanosecondsARound) {
      return count;
    }
  }
}

template <class Work>
double TimeRound(const Work& work, size_t count) {
  const Clock::time_point begin = Clock::now();
  for (size_t i = 0; i < count; ++i) work();
  return Nanoseconds(Clock::now() - begin) / static_cast<double>(count);
}

double Median(std::array<double, kRounds> times) {
  std::ranges::sort(times);
  return times[kRounds / 2];
}

// Bytes read as words, so that no value is slow, whatever they hold.
using Words = std::vector<uint64_t>;

// Reads all words of `inputs` once and writes all of `out`.
void TouchAll(std::span<const Words> inputs, Words& out) {
  const Words* longest = &inputs[0];
  for (const Words& input : inputs) {
    if (input.size() > longest->size()) longest = &input;
  }
  uint64_t others = 0;
  bool streamed = false;
  for (const Words& input : inputs) {
    if (&input == longest) continue;
    if (!streamed && input.size() >= out.size() &&
        longest->size() >= out.size()) {
      for (size_t i = 0; i < out.size(); ++i) out[i] = (*longest)[i] ^ input[i];
      streamed = true;
    } else {
      for (const uint64_t word : input) others ^= word;
    }
  }
  if (streamed) return;
  const size_t common = std::min(longest->size(), out.size());
  for (size_t i = 0; i < common; ++i) out[i] = (*longest)[i] ^ others;
  for (size_t i = common; i < longest->size(); ++i) others ^= (*longest)[i];
  std::fill(out.begin() + static_cast<ptrdiff_t>(common), out.end(), others);
}

std::optional<ParsedIntegers> ReadList(std::istream& line) {
  std::string word;
  if (!(line >> word) || word == "-") return std::nullopt;
  Result<ParsedIntegers> list = ParseIntegers(word);
  if (!list) return std::nullopt;
  return std::move(*list);
}

// Small numbers of the type, none of which makes an operator slow.
void Fill(Words& words, DType dtype) {
  uint8_t* bytes = reinterpret_cast<uint8_t*>(words.data());
  const size_t size = words.size() * sizeof(uint64_t);
  for (size_t i = 0; i < size / sizeof(float); ++i) {
    const float value = 1.0f + static_cast<float>(i % 13) / 8;
    if (dtype == DType::kF32) {
      std::memcpy(bytes + i * sizeof value, &value, sizeof value);
    } else if (dtype == DType::kF64 && i % 2 == 0) {
      const double wide = static_cast<double>(value);
      std::memcpy(bytes + i * sizeof value, &wide, sizeof wide);
    } else if (dtype != DType::kF64) {
      bytes[i * sizeof value] = static_cast<uint8_t>(i % 13 + 1);
    }
  }
}

std::string Bench(const std::string& text) {
  std::istringstream line(text);
  std::string name, op_name, rule_name, axis_word, dtype_name;
  line >> name >> op_name >> rule_name >> axis_word;
  const std::optional<Op> op = FindOp(op_name);
  const std::optional<Rule> rule = FindRule(rule_name);
  const std::optional<ParsedIntegers> target = ReadList(line);
  const std::optional<ParsedIntegers> mapping = ReadList(line);
  line >> dtype_name;
  const std::optional<DType> dtype = FindDType(dtype_name);
  if (!op || !rule || !dtype) return name + " error unknown";

  std::vector<ParsedIntegers> lists;
  while (std::optional<ParsedIntegers> list = ReadList(line)) {
    lists.push_back(std::move(*list));
  }
  ApplyOptions options{.rule = *rule};
  if (axis_word != "-") options.axis = std::stoll(axis_word);
  if (target) options.target_shape = target->values.view();
  if (mapping) options.axes_mapping = mapping->values.view();
  std::vector<ShapeView> shapes;
  for (const ParsedIntegers& list : lists) shapes.push_back(list.values.view());
  const std::vector<DType> dtypes(shapes.size(), *dtype);
  const Result<Plan> plan = MakePlan(*op, shapes, dtypes, options);
  const auto fault = [&](const Error& error) {
    return name + " error " + std::string(Info(error.error_class).name);
  };
  if (!plan) return fault(plan.error());

  const auto make = [](int64_t bytes) {
    return Words((static_cast<size_t>(bytes) + 7) / 8);
  };
  std::vector<Words> memory;
  std::vector<TensorView> inputs;
  int64_t unique_bytes = 0;
  for (const ShapeView shape : shapes) {
    const int64_t bytes = CountBytes(shape, *dtype).value_or(0);
    unique_bytes += bytes;
    memory.push_back(make(bytes));
    Fill(memory.back(), *dtype);
    inputs.push_back({*dtype, shape, memory.back().data(),
                      memory.back().size() * sizeof(uint64_t)});
  }
  const int64_t out_bytes =
      CountBytes(plan->output_shape(), plan->output_dtype()).value_or(0);
  unique_bytes += out_bytes;
  Words out = make(out_bytes);
  const MutableTensorView output{plan->output_dtype(), plan->output_shape(),
                                 out.data(), out.size() * sizeof(uint64_t)};

  if (Status ran = Run(*plan, inputs, {&output, 1}); !ran) {
    return fault(ran.error());
  }
  // What no compiler may leave out, since it could be looked at any time.
  const auto keep = [](const void* data) {
    asm volatile("" ::"r"(data) : "memory");
  };
  const auto work = [&] {
    (void)Run(*plan, inputs, {&output, 1}).has_value();
    keep(out.data());
  };
  const auto limit = [&] {
    TouchAll(memory, out);
    keep(out.data());
  };
  const size_t work_count = CountPerRound(work);
  const size_t limit_count = CountPerRound(limit);
  std::array<double, kRounds> work_times, limit_times;
  for (size_t round = 0; round < kRounds; ++round) {
    work_times[round] = TimeRound(work, work_count);
    limit_times[round] = TimeRound(limit, limit_count);
  }
  std::ostringstream answer;
  answer << name << ' ' << Median(work_times) << ' ' << Median(limit_times)
         << ' ' << unique_bytes;
  return answer.str();
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    std::cout << Bench(line) << std::endl;
  }
}
