// Broadcast: elements of any type are moved by their width.

#include "kernels/rows/move.h"

#include "broadloom/vocabulary.h"
#include "kernels/ops/families.h"
#include "kernels/rows/task.h"

namespace broadloom {
inline namespace v1 {
namespace kernels {

const Kernel* FindMove(DType dtype) noexcept {
  return FindMoveKernel(Info(dtype).bits);
}

}  // namespace kernels
}  // namespace v1
}  // namespace broadloom
