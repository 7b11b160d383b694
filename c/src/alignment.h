// The record behind bl_alignment.

#ifndef BROADLOOM_C_ALIGNMENT_H_
#define BROADLOOM_C_ALIGNMENT_H_

#include "broadloom/broadloom.h"
#include "broadloom/c.h"

struct bl_alignment {
  broadloom::Allocator allocator;
  broadloom::Alignment alignment;
};

#endif  // BROADLOOM_C_ALIGNMENT_H_
