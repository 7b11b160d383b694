// Names of operands as names of variables, good in Python, JavaScript and C++
// alike.

#ifndef BROADLOOM_EXPLAIN_CODE_NAMES_H_
#define BROADLOOM_EXPLAIN_CODE_NAMES_H_

#include <span>
#include <string_view>

#include "base/list.h"
#include "broadloom/explain/arena.h"

namespace broadloom {
inline namespace v1 {

// Words, each once, in the order in which they were added.
class Words {
 public:
  explicit Words(Arena& arena) : words_(arena) {}

  void Add(std::string_view word) {
    if (!Has(word)) words_.Push(word);
  }
  bool Has(std::string_view word) const;
  std::span<const std::string_view> view() const { return words_.view(); }

 private:
  List<std::string_view> words_;
};

// A variable for each of `names`: A is `a`, "attention mask" is
// `attention_mask`. A name that is not valid in all languages, or is taken,
// becomes `x0`, `x1`, by its number. `words` are taken as well; so are words
// that begin with a variable and end with one of `endings`, such as `_shape`.
// `endings` contains an empty text.
std::span<const std::string_view> Variables(
    std::span<const std::string_view> names, const Words& words,
    std::span<const std::string_view> endings, Arena& arena);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_CODE_NAMES_H_
