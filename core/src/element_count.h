// Elements counted axis by axis. On the way the count says how far apart the
// neighbours along the next axis of a dense tensor lie.

#ifndef BROADLOOM_ELEMENT_COUNT_H_
#define BROADLOOM_ELEMENT_COUNT_H_

#include <cstdint>

namespace broadloom {
inline namespace v1 {

// The elements that some axes of a dense row-major tensor hold, from its last
// axis to its first. An extent of 0 makes any count 0, however large it was.
struct ElementCount {
  int64_t count = 1;  // wraps where `overflow`
  bool overflow = false;

  void Times(int64_t extent) noexcept {
    overflow |= __builtin_mul_overflow(count, extent, &count);
    overflow &= extent != 0;
  }
};

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_ELEMENT_COUNT_H_
