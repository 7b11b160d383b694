// Where and PRelu.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/selection.cc"
#include "hwy/foreach_target.h"  // IWYU pragma: keep
#include "hwy/highway.h"
#include "kernels/ops/ops-inl.h"
#include "kernels/rows/loop-inl.h"

HWY_BEFORE_NAMESPACE();
namespace broadloom {
inline namespace v1 {
namespace kernels {
namespace HWY_NAMESPACE {
namespace {

// out = condition ? a : b, bit for bit. T stands for its width alone.
template <class T>
void WhereLoop(const Row& row) {
  const FullTag<T> d;
  const hn::Rebind<uint8_t, FullTag<T>> d_condition;
  const size_t lanes = hn::Lanes(d);
  const auto* condition = static_cast<const uint8_t*>(row.in[0]);
  const auto* yes = static_cast<const T*>(row.in[1]);
  const auto* no = static_cast<const T*>(row.in[2]);
  auto* out = static_cast<T*>(row.out);
  const size_t end = row.count - lanes;

  const auto choose = [&](size_t i) HWY_ATTR {
    const auto truth = LoadFrom(d_condition, condition + row.step[0] * i);
    const auto a = LoadFrom(d, yes + row.step[1] * i);
    const auto b = LoadFrom(d, no + row.step[2] * i);
    if constexpr (sizeof(T) == 1) {
      return hn::IfThenElse(hn::Eq(truth, hn::Zero(d)), b, a);
    } else {
      return hn::IfThenElse(hn::Eq(hn::PromoteTo(d, truth), hn::Zero(d)), b, a);
    }
  };
  const auto last = choose(end);  // see loop-inl.h
  for (size_t i = 0; i < end; i += lanes) StoreTo(choose(i), d, out + i);
  StoreTo(last, d, out + end);
}

template <class T>
constexpr RowLoop kWhereLoop = {&WhereLoop<T>,
                                3,
                                {1, sizeof(T), sizeof(T)},
                                sizeof(T),
                                hn::MaxLanes(FullTag<T>())};

template <class T>
constexpr ElementwiseKernel kWhere = {{&RunElementwise}, kWhereLoop<T>, false};

template <uint8_t kBits>
constexpr ByPartsKernel kPackedWhere = {
    {&RunPackedWhere}, &kWhereLoop<uint8_t>, kBits};
constexpr ByPartsKernel kWideWhere = {
    {&RunWideWhere}, &kWhereLoop<uint64_t>, 128};

const Kernel* WhereKernel(DType dtype) {
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

// f16 and bf16 that are not below zero, NaNs too, keep their bits: only the
// product goes through f32.
template <class Half>
struct HalfLanes {
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

template <class Half, uint16_t kInfinity>
struct HalfPReluOp {
  template <class D, class V = hn::Vec<D>>
  static HWY_INLINE V Apply(D d, V x, V slope) {
    const hn::Rebind<float, D> df;
    const V product =
        Half::Encode(df, hn::Mul(Half::Decode(df, x), Half::Decode(df, slope)));
    // Of -0, the numbers below it and -infinity, -0 alone is not negative.
    const V from_zero = hn::Sub(x, hn::Set(d, 0x8001));
    const auto negative = hn::Lt(from_zero, hn::Set(d, kInfinity));
    return hn::IfThenElse(negative, product, x);
  }
};

template <class Half, uint16_t kInfinity>
constexpr ElementwiseKernel kHalfPRelu =
    kBinary<HalfPReluOp<Half, kInfinity>, HalfLanes<Half>>;

const Kernel* PReluKernel(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return WhereBuilt<DType::kF16>(&kHalfPRelu<F16, 0x7C00>);
    case DType::kBF16:
      return WhereBuilt<DType::kBF16>(&kHalfPRelu<BF16, 0x7F80>);
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
