// Cast in several loops, one after the other, for WebAssembly: every page loads
// all code before it runs any.
//
// Few pairs of types have a loop of their own. The others go through one or two
// types in between that lose nothing that the result needs: integers through
// i32 and i64, floats and integers through f32 or f64, rounded to odd if the
// last step rounds again. Integers saturate by the operators Max and Min, and
// become bool by NotEqual with 0.

#if defined(BROADLOOM_KERNELS_OPS_CAST_STEPS_INL_H_) == \
    defined(HWY_TARGET_TOGGLE)
#ifdef BROADLOOM_KERNELS_OPS_CAST_STEPS_INL_H_
#undef BROADLOOM_KERNELS_OPS_CAST_STEPS_INL_H_
#else
#define BROADLOOM_KERNELS_OPS_CAST_STEPS_INL_H_
#endif

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/built.h"
#include "broadloom/vocabulary.h"
#include "hwy/highway.h"
#include "kernels/ops/comparison-inl.h"
#include "kernels/ops/extremum-inl.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/loop-inl.h"
#include "kernels/rows/row.h"
#include "kernels/rows/run_task-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

constexpr bool IsFloat(DType dtype) {
  return dtype >= DType::kF16 && dtype <= DType::kF64;
}
constexpr bool IsSigned(DType dtype) {
  return dtype >= DType::kI8 && dtype <= DType::kI64;
}

// The largest value of an integer type.
constexpr uint64_t Highest(DType dtype) {
  return ~uint64_t{0} >> (64 - BitsOf(dtype) + (IsSigned(dtype) ? 1 : 0));
}

// Whether the first integer type has all values of the second.
constexpr bool Holds(DType dtype, DType other) {
  return Highest(dtype) >= Highest(other) &&
         (IsSigned(dtype) || !IsSigned(other));
}

template <class Operator, class T>
constexpr const RowLoop* kTruth =
    &kBinaryLoop<Operator, Same<T>, Same<T>, TruthByte>;

// NotEqual of elements of the type.
const RowLoop* TruthLoop(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return kTruth<NotEqualBitsOp<0x7C00>, int16_t>;
    case DType::kBF16:
      return kTruth<NotEqualBitsOp<0x7F80>, int16_t>;
    case DType::kF32:
      return kTruth<NotEqualOp, float>;
    case DType::kF64:
      return kTruth<NotEqualOp, double>;
    default:
      break;
  }
  switch (BitsOf(dtype)) {
    case 8:
      return kTruth<NotEqualOp, uint8_t>;
    case 16:
      return kTruth<NotEqualOp, uint16_t>;
    case 32:
      return kTruth<NotEqualOp, uint32_t>;
    default:
      return kTruth<NotEqualOp, uint64_t>;
  }
}

// Max or Min of elements of the type: i32, u32, i64 or u64.
template <bool kMax>
const RowLoop* BoundLoop(DType dtype) {
  using Bound = ExtremumOp<kMax>;
  switch (dtype) {
    case DType::kI32:
      return &kBinaryLoop<Bound, Same<int32_t>>;
    case DType::kU32:
      return &kBinaryLoop<Bound, Same<uint32_t>>;
    case DType::kI64:
      return &kBinaryLoop<Bound, Same<int64_t>>;
    default:
      return &kBinaryLoop<Bound, Same<uint64_t>>;
  }
}

// The loops that convert one type to another, in the order in which they run.
class Steps {
 public:
  Steps(DType from, DType to, bool saturates) {
    if (to == DType::kBool || from == DType::kBool) {
      Add(TruthLoop(from));
      from = DType::kU8;
      saturates = false;  // every type has 0 and 1
    }
    if (to == DType::kBool) return;
    if (IsFloat(from) || IsFloat(to)) {
      ByFloats(from, to);
      return;
    }
    if (saturates && !Holds(to, from)) from = Bound(from, to);
    Wrap(from, to);
  }

  std::span<const RowStep> view() const { return {steps_, count_}; }

 private:
  void Add(const RowLoop* loop, uint64_t constant = 0) {
    steps_[count_++] = {loop, constant};
  }
  void Add(const RowLoop (&table)[kNumberTypes], DType dtype) {
    Add(&table[NumberIndex(dtype)]);
  }
  static bool Has(const RowLoop (&table)[kNumberTypes], DType dtype) {
    return table[NumberIndex(dtype)].run != nullptr;
  }

  void ByFloats(DType from, DType to) {
    // Whether going through f32 is exact: it has all values of `from`, or it is
    // `from` or `to` itself.
    const bool exact =
        from == DType::kF32 || to == DType::kF32 || BitsOf(from) <= 16;
    const bool enters = from == DType::kF32 || Has(kToF32, from);
    const bool leaves = to == DType::kF32 || Has(kFromF32, to);
    if (exact && enters && leaves) {
      if (from != DType::kF32) Add(kToF32, from);
      if (to != DType::kF32) Add(kFromF32, to);
      return;
    }
    if (from != DType::kF64) {
      const bool twice = to != DType::kF64 && Has(kToOddF64, from);
      Add(twice ? kToOddF64 : kToF64, from);
    }
    if (to != DType::kF64) Add(kFromF64, to);
  }

  // Saturates to the values that `to` has. Returns the type of the result.
  DType Bound(DType from, DType to) {
    DType wide = from;
    if (BitsOf(from) < 32) {
      Add(kToI32, from);
      wide = DType::kI32;
    }
    if (IsSigned(wide)) {
      const uint64_t lowest = IsSigned(to) ? ~Highest(to) : 0;
      Add(BoundLoop<true>(wide), lowest);
    }
    if (Highest(to) < Highest(wide)) Add(BoundLoop<false>(wide), Highest(to));
    return wide;
  }

  // Between integers: takes the low bits, or extends.
  void Wrap(DType from, DType to) {
    const int bits = BitsOf(to);
    if (BitsOf(from) == bits) return;
    if (bits == 64) {
      Add(kToExponent64, from);
      return;
    }
    if (BitsOf(from) != 32) Add(kToI32, from);
    if (bits < 32) Add(kFromI32, to);
  }

  RowStep steps_[kMostSteps];
  size_t count_ = 0;
};

// bool and the number types.
constexpr size_t kTypes = kNumberTypes + 1;
static_assert(static_cast<size_t>(DType::kF64) == kTypes - 1);

// One kernel for each pair of types and for saturating or not. All have the
// same contents: their place in the table says which one they are. Equal words
// compress to almost nothing in the download of a page.
struct CastTable {
  Kernel kernels[2 * kTypes * kTypes];
};
const CastTable& Casts();

void RunCast(const Kernel& self, const Task& task) {
  const size_t place = static_cast<size_t>(&self - Casts().kernels);
  const Steps steps(static_cast<DType>(place / kTypes % kTypes),
                    static_cast<DType>(place % kTypes),
                    place >= kTypes * kTypes);
  RunSteps(steps.view(), task);
}

constexpr CastTable MakeCastTable() {
  CastTable table = {};
  for (Kernel& kernel : table.kernels) kernel = {&RunCast};
  return table;
}

constexpr CastTable kCasts = MakeCastTable();
const CastTable& Casts() { return kCasts; }

const Kernel* LookupCast(DType from, DType to, bool saturates) {
  if (!IsBuilt(Op::kCast)) return nullptr;
  const size_t place =
      static_cast<size_t>(from) * kTypes + static_cast<size_t>(to);
  return &kCasts.kernels[saturates ? kTypes * kTypes + place : place];
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#endif  // BROADLOOM_KERNELS_OPS_CAST_STEPS_INL_H_
