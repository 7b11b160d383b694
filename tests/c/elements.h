// Elements of any type, read and written as whole numbers that every type holds
// exactly, or as bits.

#ifndef BROADLOOM_TESTS_C_ELEMENTS_H_
#define BROADLOOM_TESTS_C_ELEMENTS_H_

#include <broadloom/c.h>
#include <stddef.h>
#include <stdint.h>

// Bytes of `count` dense elements.
size_t BytesOf(bl_dtype dtype, int64_t count);

// Writes a whole number of magnitude 256 or less to element `index`, or reads
// it. Of types that operators compute with.
void WriteNumber(bl_dtype dtype, void* data, int64_t index, int64_t value);
double ReadNumber(bl_dtype dtype, const void* data, int64_t index);

// Whether two elements of a type have the same bits.
int SameBits(bl_dtype dtype, const void* a, int64_t a_index, const void* b,
             int64_t b_index);

int IsFloat(bl_dtype dtype);
int IsSigned(bl_dtype dtype);  // signed integers
int IsUnsigned(bl_dtype dtype);

#endif  // BROADLOOM_TESTS_C_ELEMENTS_H_
