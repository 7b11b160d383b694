// Random operands that fit under a rule by construction, and where each element
// of the result comes from. The answer is independent of the library: the
// operands are made from the result's shape, not the other way round.

#ifndef BROADLOOM_TESTS_C_PLACED_H_
#define BROADLOOM_TESTS_C_PLACED_H_

#include <broadloom/c.h>
#include <stddef.h>
#include <stdint.h>

enum { kMostRank = 5, kMostOperands = 4 };

typedef struct {
  int64_t extents[kMostRank];
  size_t rank;
  // The axis of the result on which each axis lies; -1 for a trailing 1 that
  // PDPD ignores.
  int on[kMostRank];
} Placed;

typedef struct {
  bl_rule rule;
  size_t operand_count;
  Placed operands[kMostOperands];
  int64_t result[kMostRank];
  size_t rank;
  int has_axis, has_target, has_mapping;
  int64_t axis;
  int64_t target[kMostRank];
  size_t target_rank;
  int64_t mapping[kMostRank];
  // What the request points to.
  bl_shape shapes[kMostOperands];
  bl_shape target_shape;
  bl_integers axes_mapping;
} Case;

// A random case of the rule. `operands`: how many there are, where the rule
// takes any number.
void MakeCase(bl_rule rule, size_t operands, Case* out);

// The request for the shapes of a case, which must outlive it.
bl_request RequestOf(Case* of);

// How many elements a shape has.
int64_t CountOf(const int64_t* extents, size_t rank);

// The row-major number of the operand's element that feeds the result's element
// `index`.
int64_t SourceOf(const Placed* operand, const int64_t* index);

// Goes to the next index of a shape in row-major order; 0 after the last.
int NextIndex(const int64_t* extents, size_t rank, int64_t* index);

#endif  // BROADLOOM_TESTS_C_PLACED_H_
