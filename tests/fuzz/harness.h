// The fuzz harnesses: each takes any bytes, calls the library with them, and
// returns a description of an error, or nothing. libFuzzer calls them through
// entry.cc, the tests with the bytes in corpus/.

#ifndef BROADLOOM_TESTS_FUZZ_HARNESS_H_
#define BROADLOOM_TESTS_FUZZ_HARNESS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace fuzz {

// Shapes in text, under a rule: read, aligned, explained, repaired, cut into
// blocks.
std::string FaultOfText(std::span<const uint8_t> bytes);

// A plan with types, strides, aliasing, boxes, blocks and threads, compared
// with the scalar oracle.
std::string FaultOfPlan(std::span<const uint8_t> bytes);

// A pasted text, read as an error text and as shapes.
std::string FaultOfPaste(std::span<const uint8_t> bytes);

// A text of a plan: read, written and read again, and planned.
std::string FaultOfPlanText(std::span<const uint8_t> bytes);

// Takes numbers from the bytes, and 0 after the last byte.
class Choices {
 public:
  explicit Choices(std::span<const uint8_t> bytes) : bytes_(bytes) {}

  uint8_t Byte() {
    if (bytes_.empty()) return 0;
    const uint8_t byte = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return byte;
  }
  // A number below `end`, which is at most 256.
  size_t Below(size_t end) { return Byte() % end; }
  bool Flag() { return Below(2) == 1; }
  uint64_t Number() {
    uint64_t number = 0;
    for (int i = 0; i < 4; ++i) number = number << 8 | Byte();
    return number;
  }
  std::span<const uint8_t> rest() const { return bytes_; }

 private:
  std::span<const uint8_t> bytes_;
};

}  // namespace fuzz

#endif  // BROADLOOM_TESTS_FUZZ_HARNESS_H_
