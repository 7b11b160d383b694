// Reads JSON (RFC 8259) piece by piece, strictly. The caller asks for what it
// expects, so that nothing is read into a tree and nesting needs no stack.

#ifndef BROADLOOM_EXPLAIN_BASE_JSON_READER_H_
#define BROADLOOM_EXPLAIN_BASE_JSON_READER_H_

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "broadloom/explain/arena.h"

namespace broadloom {
inline namespace v1 {

// The first fault stays: after it every function returns false and reads
// nothing. Used as
//   if (reader.Take('[')) {
//     for (bool more = !reader.TakeIf(']'); more; more = reader.Next(']')) {
//       if (!reader.Integer(value)) break;
//     }
//   }
class JsonReader {
 public:
  JsonReader(std::string_view text, Arena& arena)
      : text_(text), arena_(arena) {}

  // The next token is this letter. Take: it must be, and is read, or there is a
  // fault `wanted`. TakeIf: reads it if it is there.
  bool Take(char letter, std::string_view wanted);
  bool TakeIf(char letter);
  // After an entry of a list or an object: reads ',' (true: there is another
  // one) or the closing bracket.
  bool Next(char close);
  // A string, without its quotes and escapes.
  bool String(std::string_view& value);
  // A whole number without fraction or exponent, from -2^63 to 2^63-1; beyond
  // 2^53-1 it may also be a string of its digits.
  bool Integer(int64_t& value);
  // Nothing but blanks follows.
  bool End();

  // Where the next token begins.
  size_t Here();
  // Sets the fault, unless there is one.
  bool Fail(size_t at, std::string_view fault);
  bool failed() const { return !fault_.empty(); }
  std::string_view fault() const { return fault_; }
  size_t fault_at() const { return fault_at_; }

 private:
  bool Escape(char*& out);
  bool Hexadecimal(unsigned& code);

  std::string_view text_;
  Arena& arena_;
  size_t at_ = 0;
  std::string_view fault_;
  size_t fault_at_ = 0;
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_BASE_JSON_READER_H_
