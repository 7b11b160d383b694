// Cast for WebAssembly: every page loads all code before it runs any. Numbers
// are converted by the loops of convert-inl.h. Integers saturate by other loops
// before, the operators Max and Min, and bool becomes u8 first.

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
#include "kernels/ops/extremum-inl.h"
#include "kernels/rows/convert-inl.h"
#include "kernels/rows/convert_loop-inl.h"
#include "kernels/rows/convert_values-inl.h"
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

// The largest value of an integer type.
constexpr uint64_t Highest(DType dtype) {
  return ~uint64_t{0} >> (64 - BitsOf(dtype) + (IsSigned(dtype) ? 1 : 0));
}

// Whether the first integer type has all values of the second.
constexpr bool Holds(DType dtype, DType other) {
  return Highest(dtype) >= Highest(other) &&
         (IsSigned(dtype) || !IsSigned(other));
}

// From elements of the type to bool.
const RowLoop* TruthLoop(DType dtype) {
  switch (dtype) {
    case DType::kF16:
    case DType::kBF16:
      return &kConvert<BF16, Truths>;
    case DType::kF32:
      return &kConvert<Same<float>, Truths>;
    case DType::kF64:
      return &kConvert<Same<double>, Truths>;
    default:
      break;
  }
  switch (BitsOf(dtype)) {
    case 8:
      return &kConvert<Same<uint8_t>, Truths>;
    case 16:
      return &kConvert<Same<uint16_t>, Truths>;
    case 32:
      return &kConvert<Same<uint32_t>, Truths>;
    default:
      return &kConvert<Same<uint64_t>, Truths>;
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
      Add({TruthLoop(from), 0});
      from = DType::kU8;
      saturates = false;  // every type has 0 and 1
    }
    if (to == DType::kBool) return;
    if (saturates && !IsFloat(from) && !IsFloat(to) && !Holds(to, from)) {
      from = Bound(from, to);
    }
    Convert(from, to);
  }

  std::span<const RowStep> view() const { return {steps_, count_}; }

 private:
  void Add(RowStep step) { steps_[count_++] = step; }

  // Nothing if the bits stay the same.
  void Convert(DType from, DType to) {
    const bool integers = !IsFloat(from) && !IsFloat(to);
    if (from == to || (integers && BitsOf(from) == BitsOf(to))) return;
    Add({Conversion(from, to), 0});
  }

  // Saturates to the values that `to` has. Returns the type of the result.
  DType Bound(DType from, DType to) {
    const DType wide = BitsOf(from) < 32 ? DType::kI32 : from;
    Convert(from, wide);
    if (IsSigned(wide)) {
      const uint64_t lowest = IsSigned(to) ? ~Highest(to) : 0;
      Add({BoundLoop<true>(wide), lowest});
    }
    if (Highest(to) < Highest(wide)) Add({BoundLoop<false>(wide), Highest(to)});
    return wide;
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
