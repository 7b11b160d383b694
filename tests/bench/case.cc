#include "case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bench {
namespace {

using broadloom::DType;
using broadloom::DTypeKind;
using broadloom::Op;

// Elements are random bits, of which some are kept and some are set.
struct Bits {
  uint64_t keep;
  uint64_t set;
};

// Values that make no operator slow: floats are between 1 and 2, of either
// sign.
Bits BitsOf(Op op, DType dtype, size_t operand) {
  const auto& info = broadloom::Info(dtype);
  // Few values, so that some are equal.
  const bool few = op == Op::kEqual || op == Op::kNotEqual;
  switch (dtype) {
    case DType::kBool:
      return {1, 0};
    case DType::kF16:
      return {few ? 0x0300u : 0x83FFu, 0x3C00};
    case DType::kBF16:
      return {few ? 0x0060u : 0x807Fu, 0x3F80};
    case DType::kF32:
      return {few ? 0x00600000u : 0x807FFFFFu, 0x3F800000};
    case DType::kF64:
      return {few ? 0x000C000000000000u : 0x800FFFFFFFFFFFFFu,
              0x3FF0000000000000};
    default:
      break;
  }
  const bool second = operand == 1;
  if (info.kind == DTypeKind::kOpaque) return {~uint64_t{0}, 0};
  if (few) return {3, 0};
  if (op == Op::kPow) return {second ? 7u : 15u, 0};
  if (op == Op::kBitShift && second) {
    return {static_cast<uint64_t>(info.bits) - 1, 0};
  }
  // A divisor that is not 0.
  if (op == Op::kDiv || op == Op::kMod) return {~uint64_t{0}, second ? 1u : 0u};
  return {~uint64_t{0}, 0};
}

void Fill(const Memory& memory, Op op, DType dtype, size_t operand) {
  Bits bits = BitsOf(op, dtype, operand);
  // A power of a negative number is mostly NaN.
  if (op == Op::kPow && operand == 0 &&
      broadloom::Info(dtype).kind == DTypeKind::kFloat) {
    const int sign = broadloom::Info(dtype).bits - 1;
    bits.keep &= ~(uint64_t{1} << sign);
  }
  for (int width = broadloom::Info(dtype).bits; width < 64; width *= 2) {
    if (width < 8) continue;
    const uint64_t low = (uint64_t{1} << width) - 1;
    bits.keep = (bits.keep & low) | (bits.keep & low) << width;
    bits.set = (bits.set & low) | (bits.set & low) << width;
  }
  uint64_t state = 0x9E3779B97F4A7C15u * (operand + 1);
  for (size_t i = 0; i < RoundUp(memory.bytes(), kUnit); i += sizeof(state)) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    const uint64_t word = (state * 0x2545F4914F6CDD1Du & bits.keep) | bits.set;
    std::memcpy(memory.data() + i, &word, sizeof(word));
  }
}

std::string Told(const broadloom::Error& error) {
  std::string text = "the library refuses it: ";
  text += broadloom::Info(error.error_class).name;
  const std::string_view detail = broadloom::Info(error.detail).name;
  if (!detail.empty()) (text += ' ') += detail;
  return text;
}

}  // namespace

size_t Case::unique_bytes() const {
  size_t bytes = output.bytes();
  for (const Memory& input : inputs) bytes += input.bytes();
  return bytes;
}

broadloom::Status Case::Work() const {
  return runner.Run(plan, views, result, stores);
}

void Case::Limit() const {
  // A thread with less work than this costs more than it saves, and the limit
  // would be too slow.
  constexpr size_t kLeastBytes = 128 * 1024;
  const size_t parts =
      std::clamp<size_t>(unique_bytes() / kLeastBytes, 1, workers->threads());
  if (parts == 1) {
    MoveStreams(inputs, output, streams, 0, 1);
  } else {
    workers->Run([this, parts](size_t part) {
      if (part < parts) MoveStreams(inputs, output, streams, part, parts);
    });
  }
}

std::expected<std::unique_ptr<Case>, std::string> OpenCase(
    const Fields& fields) {
  auto opened = std::make_unique<Case>();
  Case& it = *opened;
  const auto op = broadloom::FindOp(fields.Text("op"));
  if (!op) return std::unexpected("no operator " + fields.Text("op"));
  it.op = *op;
  const auto rule = broadloom::FindRule(fields.Text("rule"));
  if (!rule) return std::unexpected("no rule " + fields.Text("rule"));
  it.rule = *rule;
  it.shapes = fields.Lists("shapes");
  it.axis = fields.Number("axis");
  it.target = fields.List("target");
  it.mapping = fields.List("mapping");
  it.attributes.fmod = fields.Number("fmod");
  if (const std::string way = fields.Text("direction"); !way.empty()) {
    it.attributes.direction = way == "left" ? broadloom::ShiftDirection::kLeft
                                            : broadloom::ShiftDirection::kRight;
  }
  if (const std::string to = fields.Text("to"); !to.empty()) {
    it.attributes.to = broadloom::FindDType(to);
    if (!it.attributes.to) return std::unexpected("no element type " + to);
  }
  it.attributes.saturate = fields.Number("saturate");
  for (const std::string& name : fields.Words("dtypes")) {
    const auto dtype = broadloom::FindDType(name);
    if (!dtype) return std::unexpected("no element type " + name);
    it.dtypes.push_back(*dtype);
  }

  std::vector<broadloom::ShapeView> shapes(it.shapes.begin(), it.shapes.end());
  broadloom::ApplyOptions options{.rule = it.rule, .axis = it.axis};
  if (it.target) options.target_shape = *it.target;
  if (it.mapping) options.axes_mapping = *it.mapping;
  options.attributes = it.attributes;
  auto plan = broadloom::MakePlan(it.op, shapes, it.dtypes, options);
  if (!plan) return std::unexpected(Told(plan.error()));
  if (plan->output_count() != 1) return std::unexpected("several results");
  it.plan = std::move(*plan);

  const auto bytes_of = [](broadloom::ShapeView shape, DType dtype) {
    return static_cast<size_t>(broadloom::CountBytes(shape, dtype).value_or(0));
  };
  const DType out_type = it.plan.output_dtype();
  it.output = Memory(bytes_of(it.plan.output_shape(), out_type), 0);
  bool refused = it.output.data() == nullptr;
  for (size_t i = 0; i < it.shapes.size(); ++i) {
    it.inputs.emplace_back(bytes_of(it.shapes[i], it.dtypes[i]), i + 1);
    refused |= it.inputs.back().data() == nullptr;
  }
  if (refused) return std::unexpected("memory was refused");
  for (size_t i = 0; i < it.shapes.size(); ++i) {
    Fill(it.inputs[i], it.op, it.dtypes[i], i);
    it.views.push_back({it.dtypes[i], it.shapes[i], it.inputs[i].data(),
                        it.inputs[i].bytes()});
  }
  it.result = {out_type, it.plan.output_shape(), it.output.data(),
               it.output.bytes()};

  const std::string stores = fields.Text("stores");
  it.stores = stores == "cached"      ? Stores::kCached
              : stores == "streaming" ? Stores::kStreaming
                                      : Stores::kAutomatic;
  it.streams = Streams(it.plan, it.stores);
  const auto threads =
      static_cast<size_t>(fields.Number("threads").value_or(1));
  if (!it.runner.Start(threads)) {
    return std::unexpected("the library does not run on several threads");
  }
  it.workers = std::make_unique<Workers>(threads);
  if (auto ran = it.Work(); !ran) return std::unexpected(Told(ran.error()));
  return opened;
}

}  // namespace bench
