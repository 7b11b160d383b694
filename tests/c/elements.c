#include "elements.h"

#include <math.h>
#include <string.h>

size_t BytesOf(bl_dtype dtype, int64_t count) {
  return ((size_t)count * (size_t)bl_dtype_bits(dtype) + 7) / 8;
}

int IsFloat(bl_dtype dtype) {
  return dtype == BL_DTYPE_F16 || dtype == BL_DTYPE_BF16 ||
         dtype == BL_DTYPE_F32 || dtype == BL_DTYPE_F64;
}
int IsSigned(bl_dtype dtype) {
  return dtype >= BL_DTYPE_I8 && dtype <= BL_DTYPE_I64;
}
int IsUnsigned(bl_dtype dtype) {
  return dtype >= BL_DTYPE_U8 && dtype <= BL_DTYPE_U64;
}

// The bits of a whole number in a float of 16 bits with so many fraction bits.
static uint16_t ToHalf(int64_t value, int fraction_bits, int bias) {
  if (value == 0) return 0;
  const uint16_t sign = value < 0 ? 0x8000 : 0;
  int exponent;
  const double fraction = frexp(fabs((double)value), &exponent);
  const int field =
      (int)ldexp(fraction * 2 - 1, fraction_bits);  // exact, as all is small
  return (uint16_t)(sign | (exponent - 1 + bias) << fraction_bits | field);
}

static double FromHalf(uint16_t bits, int fraction_bits, int bias) {
  const int field = bits & ((1 << fraction_bits) - 1);
  const int exponent = (bits & 0x7FFF) >> fraction_bits;
  const double magnitude = exponent == 0
                               ? ldexp(field, 1 - bias - fraction_bits)
                               : ldexp(field + (1 << fraction_bits),
                                       exponent - bias - fraction_bits);
  return bits & 0x8000 ? -magnitude : magnitude;
}

#define EACH_TYPE(X)        \
  X(BL_DTYPE_BOOL, uint8_t) \
  X(BL_DTYPE_I8, int8_t)    \
  X(BL_DTYPE_I16, int16_t)  \
  X(BL_DTYPE_I32, int32_t)  \
  X(BL_DTYPE_I64, int64_t)  \
  X(BL_DTYPE_U8, uint8_t)   \
  X(BL_DTYPE_U16, uint16_t) \
  X(BL_DTYPE_U32, uint32_t) \
  X(BL_DTYPE_U64, uint64_t) \
  X(BL_DTYPE_F32, float)    \
  X(BL_DTYPE_F64, double)

void WriteNumber(bl_dtype dtype, void* data, int64_t index, int64_t value) {
  if (dtype == BL_DTYPE_F16 || dtype == BL_DTYPE_BF16) {
    const uint16_t bits =
        dtype == BL_DTYPE_F16 ? ToHalf(value, 10, 15) : ToHalf(value, 7, 127);
    memcpy((char*)data + 2 * index, &bits, sizeof bits);
    return;
  }
#define WRITE(number, type)                                         \
  if (dtype == number) {                                            \
    const type element = (type)value;                               \
    memcpy((char*)data + index * (int64_t)sizeof element, &element, \
           sizeof element);                                         \
    return;                                                         \
  }
  EACH_TYPE(WRITE)
#undef WRITE
}

double ReadNumber(bl_dtype dtype, const void* data, int64_t index) {
  if (dtype == BL_DTYPE_F16 || dtype == BL_DTYPE_BF16) {
    uint16_t bits;
    memcpy(&bits, (const char*)data + 2 * index, sizeof bits);
    return dtype == BL_DTYPE_F16 ? FromHalf(bits, 10, 15)
                                 : FromHalf(bits, 7, 127);
  }
#define READ(number, type)                                                \
  if (dtype == number) {                                                  \
    type element;                                                         \
    memcpy(&element, (const char*)data + index * (int64_t)sizeof element, \
           sizeof element);                                               \
    return (double)element;                                               \
  }
  EACH_TYPE(READ)
#undef READ
  return NAN;
}

int SameBits(bl_dtype dtype, const void* a, int64_t a_index, const void* b,
             int64_t b_index) {
  const int bits = bl_dtype_bits(dtype);
  if (bits >= 8) {
    const size_t bytes = (size_t)bits / 8;
    return memcmp((const char*)a + (size_t)a_index * bytes,
                  (const char*)b + (size_t)b_index * bytes, bytes) == 0;
  }
  const uint8_t *x = a, *y = b;
  if (bits == 4) {
    return ((x[a_index / 2] >> (a_index % 2 * 4)) & 15) ==
           ((y[b_index / 2] >> (b_index % 2 * 4)) & 15);
  }
  return ((x[a_index / 8] >> (7 - a_index % 8)) & 1) ==
         ((y[b_index / 8] >> (7 - b_index % 8)) & 1);
}
