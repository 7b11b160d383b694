// Reads shapes at a place of a plain text.

#ifndef BROADLOOM_EXPLAIN_PASTE_SHAPES_H_
#define BROADLOOM_EXPLAIN_PASTE_SHAPES_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/list.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/paste.h"
#include "paste/plain.h"

namespace broadloom {
inline namespace v1 {

// How a system writes its shapes.
enum class Spelling : uint8_t {
  kAny,
  kTight,   // (2,3) (2,): no blank after a comma
  kSpaced,  // (2, 3): a tuple of Python
  kSquare,  // [2,3]
  kBare,    // 2,3: nothing for rank 0
  kSingle,  // (2): as kTight, but no comma at rank 1
};

// What is wrong with a text of shapes: bytes of the plain text.
struct ShapeFault {
  Detail detail;
  size_t begin;
  size_t end;
  int32_t axis = kAbsent;  // of an extent that is no extent; else no shape
};

class ShapeReader {
 public:
  ShapeReader(const Plain& plain, Arena& arena)
      : plain_(plain), text_(plain.text), arena_(arena) {}

  // Reads the shapes in the brackets at `at`, before which there may be a name:
  // `torch.Size([2, 3])`, `[(2, 3), (2,)]`. Moves `at` behind them. Returns
  // false, with `fault`, if they are no shapes.
  bool ReadBrackets(size_t& at, List<ShapeInText>& shapes);
  // Reads extents without brackets: `2,3`, `2x3`. May be empty.
  bool ReadBare(size_t& at, List<ShapeInText>& shapes, bool one_line);
  // Reads one extent: a number, a range, ?, or a name.
  bool ReadExtent(size_t& at, SymbolicExtent& extent);

  const ShapeFault& fault() const { return fault_; }

 private:
  struct Frame;

  // What was read as an item of a shape.
  enum class Item : uint8_t {
    kExtent,
    kEllipsis,
    kElementType,
    kNothing,
    kBad
  };

  // What is known of a shape's rank. Beside an ellipsis there may be extents.
  enum class Rank : uint8_t { kKnown, kEllipsis, kUnranked };

  Item ReadItem(size_t& at, char closing, SymbolicExtent& extent,
                std::string_view& name);
  Item ReadValue(size_t& at, char closing, SymbolicExtent& extent);
  bool ReadQuoted(size_t& at, List<ShapeInText>& shapes);
  bool SkipsSeparator(size_t& at, char closing, bool& multiplies);
  std::optional<int64_t> ReadNumber(size_t& at);
  bool ReadExponent(size_t& at, size_t begin, int64_t& value);
  std::string_view WithoutBlanks(std::string_view text);
  ShapeInText Made(const List<SymbolicExtent>& extents,
                   const List<std::string_view>& names,
                   const List<TextSpan>& spans, size_t begin, size_t end,
                   Rank rank);
  bool Fail(Detail detail, size_t begin, size_t end, int32_t axis = kAbsent) {
    fault_ = {detail, begin, end, axis};
    return false;
  }
  size_t TokenEnd(size_t at) const;
  char At(size_t at) const { return plain_.At(at); }
  void SkipBlanks(size_t& at) const {
    while (at < text_.size() && IsBlank(At(at))) ++at;
  }

  const Plain& plain_;
  std::string_view text_;
  Arena& arena_;
  ShapeFault fault_ = {};
  std::string_view element_type_ = {};  // of the shape that is read
  bool has_comma_ = false;  // commas separate the extents of this bracket
};

// The length of what stands for a number and its bracket: `np.int64(` of NumPy
// 2, `Base.OneTo(` of Julia. 0 if none is at the front.
size_t CastLength(std::string_view text);

// The bracket that closes `c`, or 0.
char ClosingOf(char c);
bool IsElementType(std::string_view word);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_PASTE_SHAPES_H_
