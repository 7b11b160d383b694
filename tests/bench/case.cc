#include "case.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "asked.h"
#include "faster_writes.h"
#include "fill.h"

namespace bench {
namespace {

using broadloom::DType;

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

size_t Case::limit_threads() const {
  // A thread with less work than this costs more than it saves, and the limit
  // would be too slow.
  constexpr size_t kLeastBytes = 128 * 1024;
  return std::clamp<size_t>(unique_bytes() / kLeastBytes, 1,
                            workers->threads());
}

size_t Case::result_elements() const {
  size_t count = 1;
  for (const int64_t extent : plan.output_shape()) {
    count *= static_cast<size_t>(extent);
  }
  return count;
}

void Case::Limit() const {
  const size_t parts = limit_threads();
  if (parts == 1) {
    MoveStreams(inputs, output, writes, 0, 1);
  } else {
    workers->Run([this, parts](size_t part) {
      if (part < parts) MoveStreams(inputs, output, writes, part, parts);
    });
  }
}

std::expected<std::unique_ptr<Case>, std::string> OpenCase(
    const Fields& fields) {
  auto opened = std::make_unique<Case>();
  Case& it = *opened;
  auto asked = ReadAsked(fields);
  if (!asked) return std::unexpected(asked.error());
  it.op = asked->op;
  it.attributes = asked->attributes;
  it.dtypes = std::move(asked->dtypes);
  const auto rule = broadloom::FindRule(fields.Text("rule"));
  if (!rule) return std::unexpected("no rule " + fields.Text("rule"));
  it.rule = *rule;
  it.shapes = fields.Lists("shapes");
  it.axis = fields.Number("axis");
  it.target = fields.List("target");
  it.mapping = fields.List("mapping");

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
  it.writes = Streams(it.plan, it.stores) ? Writes::kStreaming
                                          : FasterWrites(it.inputs, it.output);
  const auto threads =
      static_cast<size_t>(fields.Number("threads").value_or(1));
  if (!it.runner.Start(threads)) {
    return std::unexpected("the library does not run on several threads");
  }
  it.workers = std::make_unique<Workers>(threads);
  it.arithmetic = Arithmetic::Of(it.op, it.dtypes, it.attributes);
  if (auto ran = it.Work(); !ran) return std::unexpected(Told(ran.error()));
  return opened;
}

}  // namespace bench
