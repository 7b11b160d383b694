// Every number of short rows: [N,k] op [k], [N,k] op [N,1] and moved rows, for
// each width of elements, one element off the alignment and with memory that is
// watched around the result, on every SIMD target.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "broadloom/broadloom.h"
#include "catch2/catch_test_macros.hpp"
#include "reference/each_target.h"
#include "reference/trial.h"

namespace {

using namespace reference;
using broadloom::MutableTensorView;
using broadloom::TensorView;

constexpr int64_t kMostRows = 130;
constexpr int64_t kMostColumns = 33;

enum class Way : uint8_t { kRow, kColumn, kMovedRow, kMovedColumn };

Extents SmallShape(Way way, int64_t rows, int64_t columns) {
  return way == Way::kRow || way == Way::kMovedRow ? Extents{columns}
                                                   : Extents{rows, 1};
}

// Elements that begin one element after the heap's block and end with it.
struct Late {
  Late(const uint8_t* from, size_t bytes, size_t width)
      : memory(bytes + width) {
    if (bytes != 0) std::memcpy(memory.data() + width, from, bytes);
    data = memory.data() + width;
  }
  Buffer memory;
  uint8_t* data;
};

// For all rows of one number of columns: the results of fewer rows begin those
// of more.
std::string FaultOf(Way way, DType dtype, int64_t columns, const Buffer& large,
                    const Buffer& small, const Buffer& wanted) {
  const size_t width = BytesOf(dtype);
  const bool moves = way == Way::kMovedRow || way == Way::kMovedColumn;
  const int64_t step = kSanitized ? 7 : 1;
  for (int64_t rows = 1; rows <= kMostRows; rows += step) {
    const Extents shape = {rows, columns};
    const Extents small_shape = SmallShape(way, rows, columns);
    const size_t bytes = static_cast<size_t>(rows * columns) * width;
    const size_t small_bytes = static_cast<size_t>(Count(small_shape)) * width;
    const Late a(large.data(), moves ? 0 : bytes, width);
    const Late b(small.data(), small_bytes, width);
    const TensorView views[] = {{dtype, shape, a.data, bytes},
                                {dtype, small_shape, b.data, small_bytes}};
    const std::span<const TensorView> inputs =
        moves ? std::span(views).subspan(1) : std::span(views);
    Guarded out(bytes, width);
    broadloom::ApplyOptions options;
    if (moves) options.target_shape = broadloom::ShapeView(shape);
    const bool ran =
        Apply(moves ? Op::kBroadcast : Op::kSub, inputs,
              MutableTensorView{dtype, shape, out.data(), bytes}, options)
            .has_value();
    const bool same = std::memcmp(out.data(), wanted.data(), bytes) == 0;
    if (ran && same && out.IsWhole()) continue;
    return "way " + std::to_string(static_cast<int>(way)) + ' ' +
           std::string(broadloom::Info(dtype).name) + ShapeText(shape) +
           (!ran    ? ": Apply failed"
            : !same ? ": another result"
                    : ": wrote beside");
  }
  return {};
}

TEST_CASE("Short rows of every length, any number of them") {
  for (const DType dtype :
       {DType::kU8, DType::kI16, DType::kU32, DType::kI64}) {
    for (const Way way :
         {Way::kRow, Way::kColumn, Way::kMovedRow, Way::kMovedColumn}) {
      for (int64_t columns = 1; columns <= kMostColumns; ++columns) {
        const bool moves = way == Way::kMovedRow || way == Way::kMovedColumn;
        const Extents shape = {kMostRows, columns};
        const Extents small = SmallShape(way, kMostRows, columns);
        Question question{.rule = "numpy", .operands = {shape, small}};
        if (moves)
          question = {
              .rule = "bidirectional", .operands = {small}, .target = shape};
        const Trial trial(question, moves ? Op::kBroadcast : Op::kSub,
                          std::vector<DType>(moves ? 1 : 2, dtype),
                          static_cast<uint64_t>(columns));
        Buffer wanted(trial.output_bytes());
        for (size_t i = 0; i < trial.cell_count(); ++i) {
          PutBits(wanted, BitsOf(dtype), i, trial.wanted[0][i]);
        }
        ForEachTarget([&](const std::string& target) {
          const std::string fault =
              FaultOf(way, dtype, columns, trial.operands.front(),
                      trial.operands.back(), wanted);
          if (!fault.empty()) FAIL_CHECK(target << ": " << fault);
        });
      }
    }
  }
}

}  // namespace
