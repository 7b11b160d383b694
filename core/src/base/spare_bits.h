// The bits of a packed result's last byte that belong to no element.

#ifndef BROADLOOM_BASE_SPARE_BITS_H_
#define BROADLOOM_BASE_SPARE_BITS_H_

#include <cstdint>

#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {

// Sets the spare bits to 0, so that equal results have equal bytes. `last` is
// the last byte of a dense result of `elements` elements, at least one. Does
// nothing for types of whole bytes.
void ClearSpareBits(DType dtype, int64_t elements, void* last);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_BASE_SPARE_BITS_H_
