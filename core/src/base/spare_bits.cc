#include "base/spare_bits.h"

#include <cstdint>

#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

void ClearSpareBits(DType dtype, int64_t elements, void* last) {
  const int bits = BitsOf(dtype);
  if (bits >= 8) return;
  const int64_t used = elements % (8 / bits) * bits;
  if (used == 0) return;
  // u1 fills a byte from its highest bit, i4 and u4 from the lowest.
  const unsigned mask = bits == 1 ? 0xFF00u >> used : (1u << used) - 1;
  unsigned char& byte = *static_cast<unsigned char*>(last);
  byte = static_cast<unsigned char>(byte & mask);
}

}  // namespace v1
}  // namespace broadloom
