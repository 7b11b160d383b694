#include "placed.h"

#include <string.h>

#include "check.h"

// Axes [begin, end) of the result, each with its extent or 1.
static void Lay(const Case* of, Placed* operand, size_t begin, size_t end) {
  operand->rank = end - begin;
  for (size_t axis = begin; axis < end; ++axis) {
    operand->extents[axis - begin] = Random(3) == 0 ? 1 : of->result[axis];
    operand->on[axis - begin] = (int)axis;
  }
}

static void LayAtRight(const Case* of, Placed* operand) {
  Lay(of, operand, Random(of->rank + 1), of->rank);
}

static void LayWhole(const Case* of, Placed* operand) {
  Lay(of, operand, 0, of->rank);
  memcpy(operand->extents, of->result, sizeof of->result);
}

// The result of shapes that stretch to each other: 1 where all have 1.
static void TakeCommonShape(Case* of, const Placed* shapes, size_t count) {
  size_t rank = 0;
  for (size_t i = 0; i < count; ++i) {
    if (shapes[i].rank > rank) rank = shapes[i].rank;
  }
  const size_t dropped = of->rank - rank;
  for (size_t axis = 0; axis < rank; ++axis) {
    of->result[axis] = 1;
    for (size_t i = 0; i < count; ++i) {
      const Placed* const shape = &shapes[i];
      const size_t missing = rank - shape->rank;
      if (axis < missing) continue;
      if (shape->extents[axis - missing] != 1) {
        of->result[axis] = shape->extents[axis - missing];
      }
    }
  }
  of->rank = rank;
  for (size_t i = 0; i < of->operand_count; ++i) {
    for (size_t axis = 0; axis < of->operands[i].rank; ++axis) {
      of->operands[i].on[axis] -= (int)dropped;
    }
  }
}

static void SetTarget(Case* of, const int64_t* extents, size_t rank) {
  of->has_target = 1;
  of->target_rank = rank;
  memcpy(of->target, extents, rank * sizeof *extents);
}

static void MakePdpd(Case* of) {
  LayWhole(of, &of->operands[0]);
  Placed* const b = &of->operands[1];
  const size_t begin = Random(of->rank + 1);
  const size_t end = begin + Random(of->rank - begin + 1);
  Lay(of, b, begin, end);
  // Trailing axes of 1 lie on nothing; B may not have more axes than A.
  const size_t most = of->rank - b->rank;
  for (size_t ones = Random(most + 1); ones > 0; --ones) {
    b->extents[b->rank] = 1;
    b->on[b->rank++] = -1;
  }
  of->axis = (int64_t)begin;
  of->has_axis = 1;
  if (begin == of->rank - b->rank) {
    of->axis = -1;
    of->has_axis = Random(2) == 0;
  }
}

static void MakeExplicit(Case* of) {
  SetTarget(of, of->result, of->rank);
  of->has_mapping = 1;
  Placed* const data = &of->operands[0];
  data->rank = 0;
  for (size_t axis = 0; axis < of->rank; ++axis) {
    if (Random(2) == 0) continue;
    of->mapping[data->rank] = (int64_t)axis;
    data->on[data->rank] = (int)axis;
    data->extents[data->rank++] = Random(3) == 0 ? 1 : of->result[axis];
  }
}

void MakeCase(bl_rule rule, size_t operands, Case* out) {
  memset(out, 0, sizeof *out);
  out->rule = rule;
  out->rank = Random(kMostRank + 1);
  for (size_t axis = 0; axis < out->rank; ++axis) {
    out->result[axis] = Random(40) == 0 ? 0 : 1 + (int64_t)Random(5);
  }
  Placed* const of = out->operands;
  switch (rule) {
    case BL_RULE_NONE:
      out->operand_count = operands;
      for (size_t i = 0; i < operands; ++i) LayWhole(out, &of[i]);
      break;
    case BL_RULE_ONNX_UNIDIRECTIONAL:
      out->operand_count = 2;
      LayWhole(out, &of[0]);
      LayAtRight(out, &of[1]);
      break;
    case BL_RULE_PDPD:
      out->operand_count = 2;
      MakePdpd(out);
      break;
    case BL_RULE_BIDIRECTIONAL: {
      out->operand_count = 1;
      Placed both[2];
      LayAtRight(out, &both[1]);
      SetTarget(out, both[1].extents, both[1].rank);
      LayAtRight(out, &of[0]);
      both[0] = of[0];
      TakeCommonShape(out, both, 2);
      break;
    }
    case BL_RULE_BROADCAST_NUMPY:
      out->operand_count = 1;
      LayAtRight(out, &of[0]);
      SetTarget(out, out->result, out->rank);
      break;
    case BL_RULE_EXPLICIT:
      out->operand_count = 1;
      MakeExplicit(out);
      break;
    default:  // numpy, onnx_multidirectional, sonnx
      out->operand_count = operands;
      for (size_t i = 0; i < operands; ++i) LayAtRight(out, &of[i]);
      TakeCommonShape(out, of, operands);
  }
}

bl_request RequestOf(Case* of) {
  for (size_t i = 0; i < of->operand_count; ++i) {
    const bl_shape shape = {of->operands[i].extents, of->operands[i].rank};
    of->shapes[i] = shape;
  }
  bl_request request = BL_REQUEST_INIT;
  request.rule = of->rule;
  request.shapes = of->shapes;
  request.operand_count = of->operand_count;
  if (of->has_axis) request.axis = &of->axis;
  if (of->has_target) {
    of->target_shape.values = of->target;
    of->target_shape.count = of->target_rank;
    request.target_shape = &of->target_shape;
  }
  if (of->has_mapping) {
    of->axes_mapping.values = of->mapping;
    of->axes_mapping.count = of->operands[0].rank;
    request.axes_mapping = &of->axes_mapping;
  }
  return request;
}

int64_t CountOf(const int64_t* extents, size_t rank) {
  int64_t count = 1;
  for (size_t axis = 0; axis < rank; ++axis) count *= extents[axis];
  return count;
}

int64_t SourceOf(const Placed* operand, const int64_t* index) {
  int64_t source = 0;
  for (size_t axis = 0; axis < operand->rank; ++axis) {
    const int64_t extent = operand->extents[axis];
    source *= extent;
    if (extent != 1) source += index[operand->on[axis]];
  }
  return source;
}

int NextIndex(const int64_t* extents, size_t rank, int64_t* index) {
  for (size_t axis = rank; axis-- > 0;) {
    if (++index[axis] < extents[axis]) return 1;
    index[axis] = 0;
  }
  return 0;
}
