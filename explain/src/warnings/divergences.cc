#include "warnings/divergences.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "base/list.h"
#include "broadloom/alignment.h"
#include "broadloom/explain/arena.h"
#include "broadloom/explain/warning.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/vocabulary.h"

namespace broadloom {
inline namespace v1 {
namespace {

// A request, as the conditions below see it.
struct Case {
  const BroadcastRequest& request;
  std::optional<Op> op;
  const Alignment& alignment;
  const RuleTraits& traits;
  // Filled by a condition that concerns certain axes of the result.
  List<int32_t>& axes;
  bool& is_refused;  // memory

  bool fits() const { return !alignment.error(); }
  bool Fails(ErrorClass error, Detail detail = Detail::kNoDetail) const {
    const std::optional<Error>& e = alignment.error();
    return e && e->error_class == error &&
           (detail == Detail::kNoDetail || e->detail == detail);
  }
  bool is_pdpd() const { return traits.takes_axis; }
  ShapeView a() const { return alignment.operand(0); }
  ShapeView b() const { return alignment.operand(1); }
  // Where B begins on A, its trailing ones included.
  int64_t start() const { return alignment.start_axis(); }
};

using Condition = bool (*)(const Case& c);

bool Never(const Case&) { return false; }

// Only the extents other than 1 of B show where it lies.
bool DefaultAxis(const Case& c) {
  if (!c.is_pdpd() || c.request.axis || !c.fits()) return false;
  if (c.b().size() >= c.a().size()) return false;
  for (size_t axis = 0; axis < c.alignment.rank(); ++axis) {
    const AlignedCell& cell = c.alignment.cell(1, axis);
    if (cell.source_axis != kAbsent && cell.extent != 1) {
      c.axes.Push(static_cast<int32_t>(axis));
    }
  }
  return !c.axes.empty();
}

bool TrailingOnes(const Case& c) {
  return c.is_pdpd() && c.fits() &&
         c.start() + static_cast<int64_t>(c.b().size()) >
             static_cast<int64_t>(c.a().size());
}

// Whether A has `of_a` and B `of_b` on one axis, B's trailing ones included.
bool FaceEachOther(const Case& c, int64_t of_a, int64_t of_b) {
  if (!c.is_pdpd() || c.start() < 0) return false;
  for (size_t axis = 0; axis < c.b().size(); ++axis) {
    const size_t on_a = axis + static_cast<size_t>(c.start());
    if (on_a < c.a().size() && c.a()[on_a] == of_a && c.b()[axis] == of_b) {
      c.axes.Push(static_cast<int32_t>(on_a));
    }
  }
  return !c.axes.empty();
}

bool ZeroWithOne(const Case& c) { return c.fits() && FaceEachOther(c, 0, 1); }

// Only where nothing else conflicts: the systems refuse those shapes, too.
bool OneWithZero(const Case& c) {
  if (!c.Fails(ErrorClass::kIncompatible) || FaceEachOther(c, 0, 1)) {
    return false;
  }
  return FaceEachOther(c, 1, 0) &&
         c.axes.size() == c.alignment.conflicts().size();
}

bool IgnoredAxis(const Case& c) {
  if (!c.is_pdpd() || !c.fits() || !c.op) return false;
  switch (*c.op) {
    case Op::kEqual:
    case Op::kNotEqual:
    case Op::kLess:
    case Op::kLessOrEqual:
    case Op::kGreater:
    case Op::kGreaterOrEqual:
    case Op::kAnd:
    case Op::kOr:
    case Op::kXor:
      return c.start() != static_cast<int64_t>(c.a().size()) -
                              static_cast<int64_t>(c.b().size());
    default:
      return false;
  }
}

bool SonnxZero(const Case& c) {
  if (c.request.rule != Rule::kSonnx || !c.fits()) return false;
  for (size_t axis = 0; axis < c.alignment.rank(); ++axis) {
    if (c.alignment.output()[axis] != 0) continue;
    for (size_t i = 0; i < c.alignment.operand_count(); ++i) {
      if (c.alignment.cell(i, axis).extent == 0) continue;
      c.axes.Push(static_cast<int32_t>(axis));
      break;
    }
  }
  return !c.axes.empty();
}

bool ScalarMapping(const Case& c) {
  return c.traits.takes_mapping &&
         c.Fails(ErrorClass::kAxesMapping, Detail::kSize) && c.a().empty() &&
         c.request.axes_mapping && c.request.axes_mapping->size() == 1;
}

bool MappedTwice(const Case& c) {
  return c.Fails(ErrorClass::kAxesMapping, Detail::kDuplicate);
}

bool EmptyBroadcast3(const Case& c) {
  return c.traits.takes_target && c.fits() &&
         (c.alignment.target().empty() ||
          std::ranges::find(c.a(), 0) != c.a().end());
}

bool UnknownTarget(const Case& c) {
  return c.Fails(ErrorClass::kNegativeDim) &&
         std::ranges::find(c.alignment.target(), -1) !=
             c.alignment.target().end();
}

// Whether the extents other than 0 multiply to more than 2^63-1.
bool HugeButEmpty(const Case& c) {
  if (!c.fits()) return false;
  bool has_zero = false;
  int64_t product = 1;
  bool overflows = false;
  for (const int64_t extent : c.alignment.output()) {
    if (extent == 0) {
      has_zero = true;
    } else {
      overflows |= product > std::numeric_limits<int64_t>::max() / extent;
      if (!overflows) product *= extent;
    }
  }
  return has_zero && overflows;
}

bool SmallPRelu(const Case& c) {
  if (c.op != Op::kPRelu || c.request.rule != Rule::kOnnxUnidirectional) {
    return false;
  }
  if (!c.Fails(ErrorClass::kIncompatible) && !c.Fails(ErrorClass::kRank)) {
    return false;
  }
  BroadcastRequest both = c.request;
  both.rule = Rule::kOnnxMultidirectional;
  const Result<Alignment> alignment = Align(both, c.axes.arena().allocator());
  c.is_refused |= IsRefused(alignment);
  return alignment && !alignment->error();
}

bool UnexpectedMapping(const Case& c) {
  return c.Fails(ErrorClass::kAxesMapping, Detail::kUnexpected);
}

bool Saturates(const Case& c) {
  if (!c.fits() || !c.op || !c.request.dtype) return false;
  const bool is_byte =
      c.request.dtype == DType::kI8 || c.request.dtype == DType::kU8;
  return is_byte && (c.op == Op::kAdd || c.op == Op::kSub || c.op == Op::kMul ||
                     c.op == Op::kSquaredDifference);
}

bool InexactPow(const Case& c) {
  return c.fits() && c.op == Op::kPow && c.request.dtype == DType::kI64;
}

bool PackedBroadcast(const Case& c) {
  const std::optional<DType>& dtype = c.request.dtype;
  return c.traits.takes_target && c.fits() &&
         (dtype == DType::kI4 || dtype == DType::kU4 || dtype == DType::kU1);
}

constexpr std::string_view kShapes = "Shapes and rules";
constexpr std::string_view kNumbers = "Numbers";
constexpr std::string_view kPacked = "Packed types";

struct Row {
  Divergence divergence;
  Condition condition = Never;
};

constexpr Row kRows[] = {
    {{kShapes, "PDPD: default axis",
      "OpenVINO takes axis 0 where no axis is given; its document and "
      "Broadloom take -1. Give the axis.",
      "openvino", "pdpd.4"},
     DefaultAxis},
    {{kShapes,
      "PDPD: axis plus the rank of B exceeds the rank of A, but only because "
      "of trailing ones",
      "OpenVINO refuses these shapes, and PaddlePaddle some of them: B, with "
      "its trailing axes of extent 1, goes beyond A. Leave those axes out.",
      "openvino paddle", "pdpd.5 pdpd.3"},
     TrailingOnes},
    // Covered by the row before: which shapes PaddlePaddle takes is not known.
    {{kShapes, "the same, where PaddlePaddle agrees with the document", "",
      "openvino", "pdpd.5"}},
    {{kShapes, "PDPD: A has 0 where B has 1",
      "OpenVINO refuses to repeat B's extent 1 zero times; PaddlePaddle and "
      "Broadloom return an empty result.",
      "openvino", "pdpd.2"},
     ZeroWithOne},
    {{kShapes, "PDPD: A has 1 where B has 0",
      "OpenVINO and PaddlePaddle take these shapes and return an empty "
      "result, although A never stretches.",
      "openvino paddle", "pdpd.3"},
     OneWithZero},
    {{kShapes, "PDPD with comparison and logical operators",
      "OpenVINO's CPU plug-in ignores the axis of comparison and logical "
      "operators and lines B up with A's last axes.",
      "openvino", "pdpd.3"},
     IgnoredAxis},
    {{kShapes, "SONNX: 0 with 1",
      "Taken literally, SONNX's constraint C1 refuses an extent of 0 beside "
      "1; NumPy and Broadloom return 0.",
      "", "sonnx.C1"},
     SonnxZero},
    {{kShapes, "explicit: a mapping with an entry for data of rank 0",
      "OpenVINO takes a mapping of one entry for a scalar.", "openvino",
      "broadcast_3.axes_mapping"},
     ScalarMapping},
    {{kShapes, "explicit: an axis named twice",
      "OpenVINO takes a mapping that names an axis twice.", "openvino",
      "broadcast_3.axes_mapping"},
     MappedTwice},
    {{kShapes,
      "Broadcast-3 with an empty target shape, or with data without elements",
      "OpenVINO's CPU plug-in crashes with this: an empty target shape, or "
      "data without elements.",
      "openvino", "broadcast_3.target_shape"},
     EmptyBroadcast3},
    {{kShapes, "a target extent of -1",
      "In OpenVINO a target extent of -1 is an unknown extent; here it is an "
      "error.",
      "openvino", "broadcast_3.target_shape"},
     UnknownTarget},
    {{kShapes,
      "an empty result whose other extents multiply to more than 2^63-1",
      "NumPy refuses this shape as too large, although it has no elements.",
      "numpy", "numpy.4 bidirectional.2"},
     HugeButEmpty},
    {{kShapes, "PRelu: X smaller than the slope",
      "ONNX Runtime stretches X to the slope; by ONNX's document X never "
      "stretches.",
      "onnxruntime", "onnx.uni.result"},
     SmallPRelu},
    {{kShapes, "limits", ""}},
    {{kShapes, "a mapping given to a rule that takes none",
      "Other systems ignore a mapping that the rule does not take.", "openvino",
      "broadcast_3.axes_mapping"},
     UnexpectedMapping},
    {{kNumbers, "Max, Min with NaN", "", "openvino"}},
    {{kNumbers, "Max, Min of +0 and -0", ""}},
    {{kNumbers, "Add, Sub, Mul, SquaredDifference on i8, u8",
      "OpenVINO's CPU plug-in saturates integers of 8 bits; NumPy, ONNX "
      "Runtime and Broadloom wrap.",
      "openvino"},
     Saturates},
    {{kNumbers, "i64, u64, f64", "", "openvino"}},
    {{kNumbers, "f32 division", "", "openvino"}},
    {{kNumbers, "i32 division", "", "openvino"}},
    {{kNumbers, "integer x / 0, x mod 0", "", "onnxruntime"}},
    {{kNumbers, "smallest integer / -1, mod -1", "", "onnxruntime"}},
    {{kNumbers, "Mod with fmod=1 on 64-bit integers", "", "onnxruntime"}},
    {{kNumbers, "Pow on i64",
      "ONNX Runtime computes the power of 64-bit integers in double "
      "precision, which is inexact from 2^53 on.",
      "onnxruntime"},
     InexactPow},
    {{kNumbers, "Pow: integer base, negative integer exponent", "", "numpy"}},
    {{kNumbers, "BitShift by the width or more", ""}},
    {{kNumbers,
      "Cast of floats to integers outside the range of the type, and of NaN",
      "", "onnxruntime openvino numpy"}},
    {{kNumbers, "Cast of integers to integers outside the range of the type",
      ""}},
    {{kNumbers, "Cast of f64, i64, u64 and u32 to bf16", ""}},
    {{kNumbers, "Where, -0", "", "onnxruntime"}},
    {{kNumbers, "Sum of a single -0", ""}},
    {{kNumbers, "SumTo of a single -0, and of no elements", "", "numpy"}},
    {{kNumbers, "SumTo of floats", "", "numpy"}},
    {{kNumbers, "Sum, Mean of f16, bf16", ""}},
    {{kNumbers, "Mean", "", "onnxruntime"}},
    {{kNumbers, "PRelu at x = 0", ""}},
    {{kPacked, "nibble order", "", "openvino"}},
    {{kPacked, "Broadcast-3 of i4, u4, u1",
      "OpenVINO copies too few bytes of packed elements and leaves the rest "
      "uninitialised.",
      "openvino"},
     PackedBroadcast},
};

constexpr auto kDivergences = [] {
  std::array<Divergence, std::size(kRows)> rows{};
  for (size_t i = 0; i < rows.size(); ++i) rows[i] = kRows[i].divergence;
  return rows;
}();

}  // namespace

bool FindDivergences(const BroadcastRequest& request, std::optional<Op> op,
                     const Alignment& alignment, List<MetDivergence>& met) {
  bool is_refused = false;
  for (size_t i = 0; i < std::size(kRows); ++i) {
    if (kRows[i].condition == Never) continue;
    List<int32_t> axes(met.arena());
    const Case c{request, op,        alignment, Traits(request.rule),
                 axes,    is_refused};
    if (kRows[i].condition(c)) met.Push({&kDivergences[i], axes.view()});
  }
  return !is_refused && !met.arena().refused();
}

std::span<const Divergence> AllDivergences() noexcept { return kDivergences; }

}  // namespace v1
}  // namespace broadloom
