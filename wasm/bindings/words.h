// The blocks of 64-bit words that JavaScript and C++ share.

#ifndef BROADLOOM_WASM_WORDS_H_
#define BROADLOOM_WASM_WORDS_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "broadloom/broadloom.h"
#include "memory.h"

namespace broadloom_wasm {

using namespace broadloom;

// A block of words. It grows when more words are reserved than ever before, and
// stays where it is otherwise.
class Words {
 public:
  // At least `size` words. Null: memory was refused.
  int64_t* Reserve(uint64_t size) {
    if (size > SIZE_MAX / sizeof(int64_t)) return nullptr;
    const size_t words = static_cast<size_t>(size);
    if (words > words_.size()) {
      Block grown;
      if (!grown.Reset(words, kAllocator)) return nullptr;
      words_ = std::move(grown);
    }
    return words_.data();
  }
  [[nodiscard]] int64_t* data() { return words_.data(); }

 private:
  using Block = InlineArray<int64_t, 256>;

  Block words_;
};

inline Words request_words;
inline Words answer_words;

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_WORDS_H_
