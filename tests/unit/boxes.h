// Boxes of results and of operands, and the elements in them.

#ifndef BROADLOOM_TESTS_UNIT_BOXES_H_
#define BROADLOOM_TESTS_UNIT_BOXES_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "broadloom/broadloom.h"
#include "reference/broadcast.h"
#include "reference/kernel_cases.h"
#include "reference/memory_bits.h"
#include "reference/trial.h"

namespace testing {

using broadloom::IndexRange;
using reference::Extents;
using reference::Random;

using Box = std::vector<IndexRange>;

inline std::string Text(const Box& box) {
  std::string text = "box";
  for (const IndexRange& range : box) {
    text += " [" + std::to_string(range.begin) + "," +
            std::to_string(range.end) + ")";
  }
  return text;
}

inline Extents ShapeOf(const Box& box) {
  Extents shape;
  for (const IndexRange& range : box) shape.push_back(range.end - range.begin);
  return shape;
}

// Cuts a shape into boxes, some of them empty.
inline std::vector<Box> RandomBoxes(Random& random, const Extents& shape) {
  Box whole;
  for (const int64_t extent : shape) whole.push_back({0, extent});
  std::vector<Box> boxes = {whole};
  if (shape.empty()) return boxes;
  const size_t cuts = 1 + random.Below(8);
  for (size_t cut = 0; cut < cuts; ++cut) {
    const size_t at = random.Below(boxes.size());
    const size_t axis = random.Below(shape.size());
    Box rest = boxes[at];
    IndexRange& kept = boxes[at][axis];
    const int64_t where =
        kept.begin + static_cast<int64_t>(random.Below(
                         static_cast<size_t>(kept.end - kept.begin) + 1));
    kept.end = rest[axis].begin = where;
    boxes.push_back(std::move(rest));
  }
  return boxes;
}

// Copies the elements of a box into the whole result.
inline void Place(const Box& box, const Extents& shape, int bits,
                  std::span<const uint8_t> part, std::span<uint8_t> whole) {
  const std::vector<Extents> cells = reference::Cells(ShapeOf(box));
  for (size_t i = 0; i < cells.size(); ++i) {
    int64_t at = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      at = at * shape[axis] + box[axis].begin + cells[i][axis];
    }
    reference::PutBits(whole, bits, static_cast<size_t>(at),
                       reference::Get(part, bits, i));
  }
}

// The elements of a box of a dense tensor, as a dense tensor.
inline reference::Buffer Cut(const Box& box, const Extents& shape, int bits,
                             std::span<const uint8_t> whole) {
  const std::vector<Extents> cells = reference::Cells(ShapeOf(box));
  reference::Buffer part(reference::BytesFor(cells.size(), bits));
  for (size_t i = 0; i < cells.size(); ++i) {
    int64_t at = 0;
    for (size_t axis = 0; axis < shape.size(); ++axis) {
      at = at * shape[axis] + box[axis].begin + cells[i][axis];
    }
    reference::PutBits(part, bits, i,
                       reference::Get(whole, bits, static_cast<size_t>(at)));
  }
  return part;
}

// A dense tensor in memory with gaps: each axis has room for one index more,
// and every other axis is reversed.
struct Scattered {
  Scattered(broadloom::DType type, Extents extents,
            std::span<const uint8_t> dense)
      : dtype(type), shape(std::move(extents)), strides(shape.size()) {
    int64_t room = 1;
    for (size_t axis = shape.size(); axis-- > 0;) {
      strides[axis] = room;
      room *= shape[axis] + 1;
    }
    for (size_t axis = 0; axis < shape.size(); axis += 2) {
      if (shape[axis] == 0) continue;
      offset += (shape[axis] - 1) * strides[axis];
      strides[axis] = -strides[axis];
    }
    const int bits = broadloom::BitsOf(dtype);
    memory.assign(reference::BytesFor(static_cast<size_t>(room), bits), 0xA5);
    const std::vector<Extents> cells = reference::Cells(shape);
    for (size_t i = 0; i < cells.size(); ++i) {
      int64_t at = offset;
      for (size_t axis = 0; axis < shape.size(); ++axis) {
        at += cells[i][axis] * strides[axis];
      }
      reference::PutBits(memory, bits, static_cast<size_t>(at),
                         reference::Get(dense, bits, i));
    }
  }
  broadloom::TensorView view() const {
    return {dtype, shape, memory.data(), memory.size(), strides, offset};
  }

  broadloom::DType dtype;
  Extents shape;
  Extents strides;
  int64_t offset = 0;
  reference::Buffer memory;
};

}  // namespace testing

#endif  // BROADLOOM_TESTS_UNIT_BOXES_H_
