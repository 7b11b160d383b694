// Broadcast: elements of any type are moved by their width.

#include <cstddef>
#include <cstdint>

#include "kernels/ops/families.h"
#include "kernels/rows/row.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/ops/move.cc"
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

template <uint8_t kBits>
constexpr MoveKernel kMove = {{&RunMove}, kBits};

const Kernel* LookupMove(DType dtype) {
  switch (Info(dtype).bits) {
    case 1:
      return &kMove<1>;
    case 4:
      return &kMove<4>;
    case 8:
      return &kMove<8>;
    case 16:
      return &kMove<16>;
    case 32:
      return &kMove<32>;
    case 64:
      return &kMove<64>;
    case 128:
      return &kMove<128>;
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
HWY_EXPORT(LookupMove);
}  // namespace

const Kernel* FindMove(DType dtype) noexcept {
  return HWY_DYNAMIC_DISPATCH(LookupMove)(dtype);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
#endif  // HWY_ONCE
