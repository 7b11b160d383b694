// The record behind bl_tensor.

#ifndef BROADLOOM_C_TENSOR_H_
#define BROADLOOM_C_TENSOR_H_

#include "broadloom/broadloom.h"
#include "broadloom/c.h"
#include "dlpack_loan.h"
#include "error.h"

struct bl_tensor {
  broadloom::Allocator allocator;
  // Either the library's own tensor, or a loan and the view of it.
  broadloom::Tensor own;
  broadloom_c::DlpackLoan loan;
  bl_tensor_view loan_view;
};

namespace broadloom_c {

// Errors: BL_ERROR_ALLOCATION.
[[nodiscard]] CResult<bl_tensor*> MakeTensor(
    Tensor tensor, const Allocator& allocator) noexcept;

// A view, valid as long as the tensor.
[[nodiscard]] bl_tensor_view ViewOf(const bl_tensor& tensor) noexcept;

}  // namespace broadloom_c

#endif  // BROADLOOM_C_TENSOR_H_
