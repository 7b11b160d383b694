// Where and PRelu.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/selection.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/arithmetic-inl.h"
#include "kernels/ops/binary-inl.h"
#include "kernels/ops/where-inl.h"
#include "kernels/rows/lanes-inl.h"
#include "kernels/rows/load_store-inl.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

struct PReluOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V x, V slope) {
    (void)d;
    (void)slope;
    if constexpr (hwy::IsSigned<hn::TFromD<D>>()) {
      return hn::IfThenElse(hn::Lt(x, hn::Zero(d)), MulOp::Apply(d, x, slope),
                            x);
    } else {
      return x;
    }
  }
};
template <class T>
inline constexpr bool kIsShort<PReluOp, T> = kHasMostOperations<T>;

namespace {

// Inlining is forced for WhereBuilt: g++ would make a table of the kernels, and
// keep their drivers in a library without Where.
[[gnu::always_inline]] inline const Kernel* WhereKernel(DType dtype) {
  switch (Info(dtype).bits) {
    case 1:
      return &kPackedWhere<1>;
    case 4:
      return &kPackedWhere<4>;
    case 8:
      return &kWhere<uint8_t>;
    case 16:
      return &kWhere<uint16_t>;
    case 32:
      return &kWhere<uint32_t>;
    case 64:
      return &kWhere<uint64_t>;
    case 128:
      return &kWideWhere;
    default:
      return nullptr;
  }
}

// f16 as its bits, as many elements as there are lanes of f32.
struct F16Bits {
  using Element = uint16_t;
  using Tag = hn::Rebind<uint16_t, FullTag<float>>;

  template <class D>
  static HWY_INLINE hn::Vec<D> Load(D d, const uint16_t* p) {
    return LoadFrom(d, p);
  }
  template <class D>
  static HWY_INLINE void Store(D d, hn::Vec<D> v, uint16_t* p) {
    StoreTo(v, d, p);
  }
};

// PRelu keeps the bits of elements that are not below zero, also of NaNs: only
// the product is computed in f32. (A NaN of bf16 keeps its bits in f32.)
struct F16PReluOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V x, V slope) {
    const hn::Rebind<float, D> df;
    const V product =
        F16::Encode(df, hn::Mul(F16::Decode(df, x), F16::Decode(df, slope)));
    // The bits of negative numbers lie between those of -0, which is not
    // negative, and those of -infinity, which is.
    const V from_zero = hn::Sub(x, hn::Set(d, 0x8001));
    const auto negative = hn::Lt(from_zero, hn::Set(d, 0x7C00));
    return hn::IfThenElse(negative, product, x);
  }
};

const Kernel* PReluKernel(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return WhereBuilt<DType::kF16>(&kBinary<F16PReluOp, F16Bits>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(&kBrains<PReluOp>);
    case DType::kF32:
      return WhereBuilt<DType::kF32>(&kBinary<PReluOp, Same<float>>);
    case DType::kF64:
      return WhereBuilt<DType::kF64>(&kBinary<PReluOp, Same<double>>);
    case DType::kI32:
      return WhereBuilt<DType::kI32>(&kBinary<PReluOp, Same<int32_t>>);
    case DType::kI64:
      return WhereBuilt<DType::kI64>(&kBinary<PReluOp, Same<int64_t>>);
    case DType::kU32:
      return WhereBuilt<DType::kU32>(&kBinary<PReluOp, Same<uint32_t>>);
    case DType::kU64:
      return WhereBuilt<DType::kU64>(&kBinary<PReluOp, Same<uint64_t>>);
    default:
      return nullptr;
  }
}

const Kernel* LookupSelection(Op op, DType dtype) {
  switch (op) {
    case Op::kWhere:
      return WhereBuilt<Op::kWhere>(WhereKernel(dtype));
    case Op::kPRelu:
      return WhereBuilt<Op::kPRelu>(PReluKernel(dtype));
    default:
      return nullptr;
  }
}

}  // namespace
// NOLINTNEXTLINE(google-readability-namespace-comments)
}  // namespace HWY_NAMESPACE
}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace {
HWY_EXPORT(LookupSelection);
}  // namespace

const Kernel* FindSelection(Op op, DType dtype) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupSelection)(op, dtype);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
