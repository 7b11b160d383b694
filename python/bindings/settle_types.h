// The element types that operands are computed in: values without a type get
// one, and mixed types are promoted where the caller asks for it. The core
// checks that these types fit the operator and each other.

#ifndef BROADLOOM_PYTHON_SETTLE_TYPES_H_
#define BROADLOOM_PYTHON_SETTLE_TYPES_H_

#include <optional>
#include <span>
#include <vector>

#include "operand.h"

namespace broadloom_python {

// Gives each operand of `op` its type. Values without a type take that of the
// other operands, if it can hold them. With `promote`, operands are converted
// to their common type by NumPy 2's rules.
void SettleTypes(Op op, std::span<Operand> operands, bool promote);

// What promotion knows of an operand: its type, or the kind of a scalar.
struct Promoted {
  DType dtype;
  WeakKind weak;
};

// The type in which `op` computes each of its operands by promotion; none for
// an operand that takes no part in it, as Where's condition. Throws
// BroadcastError (kDType, kMixed) for types without a common one.
std::vector<std::optional<DType>> PromotedTypes(
    Op op, std::span<const Promoted> operands);

// The common type of operands, whatever computes with them.
DType CommonType(std::span<const Promoted> operands);

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_SETTLE_TYPES_H_
