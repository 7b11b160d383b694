// The blocks of 64-bit words that JavaScript and C++ share.

#ifndef BROADLOOM_WASM_WORDS_H_
#define BROADLOOM_WASM_WORDS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "broadloom/broadloom.h"
#include "fault.h"
#include "memory.h"

namespace broadloom_wasm {

using namespace broadloom;

// A block of words. It grows when more words are reserved than ever before, and
// stays where it is otherwise.
class Words {
 public:
  // At least `size` words; what was written is kept. Null: memory was refused.
  int64_t* Reserve(uint64_t size) {
    if (size > SIZE_MAX / sizeof(int64_t)) return nullptr;
    const size_t words = static_cast<size_t>(size);
    if (words > words_.size()) {
      Block grown;
      if (!grown.Reset(words, kAllocator)) return nullptr;
      std::ranges::copy(words_.view(), grown.data());
      words_ = std::move(grown);
    }
    return words_.data();
  }
  [[nodiscard]] int64_t* data() { return words_.data(); }

  // The block as a text, in UTF-8.
  [[nodiscard]] std::span<char> text() {
    return {reinterpret_cast<char*>(words_.data()),
            words_.size() * sizeof(int64_t)};
  }
  // A text of at least `size` bytes; what was written is kept. Reports a
  // refusal.
  [[nodiscard]] bool ReserveText(size_t size) {
    if (Reserve(uint64_t{size} / sizeof(int64_t) + 1) != nullptr) return true;
    ReportRefusal(size);
    return false;
  }

 private:
  // Long enough for all sentences but those about many axes or operands.
  using Block = InlineArray<int64_t, 512>;

  Block words_;
};

inline Words request_words;
inline Words answer_words;

}  // namespace broadloom_wasm

#endif  // BROADLOOM_WASM_WORDS_H_
