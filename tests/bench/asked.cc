#include "asked.h"

#include <expected>
#include <string>

namespace bench {

std::expected<Asked, std::string> ReadAsked(const Fields& fields) {
  Asked asked{};
  const auto op = broadloom::FindOp(fields.Text("op"));
  if (!op) return std::unexpected("no operator " + fields.Text("op"));
  asked.op = *op;
  asked.attributes.fmod = fields.Number("fmod");
  if (const std::string way = fields.Text("direction"); !way.empty()) {
    asked.attributes.direction = way == "left"
                                     ? broadloom::ShiftDirection::kLeft
                                     : broadloom::ShiftDirection::kRight;
  }
  if (const std::string to = fields.Text("to"); !to.empty()) {
    asked.attributes.to = broadloom::FindDType(to);
    if (!asked.attributes.to) return std::unexpected("no element type " + to);
  }
  asked.attributes.saturate = fields.Number("saturate");
  for (const std::string& name : fields.Words("dtypes")) {
    const auto dtype = broadloom::FindDType(name);
    if (!dtype) return std::unexpected("no element type " + name);
    asked.dtypes.push_back(*dtype);
  }
  return asked;
}

}  // namespace bench
