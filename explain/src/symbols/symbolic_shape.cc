#include "broadloom/explain/symbolic_shape.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/text.h"
#include "broadloom/explain/arena.h"

namespace broadloom {
inline namespace v1 {

std::string_view FormatShape(const SymbolicShape& shape,
                             Arena& arena) noexcept {
  if (shape.has_unknown_rank) return "(...)";
  Text text(arena);
  text << '(';
  for (size_t axis = 0; axis < shape.extents.size(); ++axis) {
    const SymbolicExtent& extent = shape.extents[axis];
    if (axis > 0) text << ", ";
    if (axis < shape.axis_names.size() && !shape.axis_names[axis].empty()) {
      text << shape.axis_names[axis] << '=';
    }
    if (!extent.name.empty()) {
      text << extent.name;
    } else if (extent.is_known()) {
      text << extent.least;
    } else if (extent.least == 0 && extent.most == kUnbounded) {
      text << '?';
    } else {
      text << extent.least << "..";
      if (extent.most != kUnbounded) text << extent.most;
    }
  }
  text << (shape.extents.size() == 1 ? ",)" : ")");
  return text.view();
}

}  // namespace v1
}  // namespace broadloom
