// A DLPack tensor that was taken from another library.

#ifndef BROADLOOM_C_DLPACK_LOAN_H_
#define BROADLOOM_C_DLPACK_LOAN_H_

#include <utility>

#include "broadloom/dlpack.h"

namespace broadloom_c {

// Gives the tensor back exactly once, when it is destroyed.
class DlpackLoan {
 public:
  DlpackLoan() noexcept = default;
  explicit DlpackLoan(DLManagedTensorVersioned* versioned) noexcept
      : versioned_(versioned) {}
  explicit DlpackLoan(DLManagedTensor* legacy) noexcept : legacy_(legacy) {}
  ~DlpackLoan() {
    // A deleter may be null: then there is nothing to free.
    if (versioned_ != nullptr && versioned_->deleter != nullptr) {
      versioned_->deleter(versioned_);
    }
    if (legacy_ != nullptr && legacy_->deleter != nullptr) {
      legacy_->deleter(legacy_);
    }
  }
  DlpackLoan(const DlpackLoan&) = delete;
  DlpackLoan& operator=(const DlpackLoan&) = delete;
  DlpackLoan(DlpackLoan&& other) noexcept
      : versioned_(std::exchange(other.versioned_, nullptr)),
        legacy_(std::exchange(other.legacy_, nullptr)) {}
  DlpackLoan& operator=(DlpackLoan&&) = delete;

  [[nodiscard]] bool has_tensor() const noexcept {
    return versioned_ != nullptr || legacy_ != nullptr;
  }

 private:
  DLManagedTensorVersioned* versioned_ = nullptr;
  DLManagedTensor* legacy_ = nullptr;
};

}  // namespace broadloom_c

#endif  // BROADLOOM_C_DLPACK_LOAN_H_
