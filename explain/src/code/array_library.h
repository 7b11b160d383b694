// Code shared by the writers of NumPy, PyTorch, JAX and TensorFlow: arrays are
// made, reshaped where the rule does not align them at the right, and put into
// an expression.

#ifndef BROADLOOM_EXPLAIN_CODE_ARRAY_LIBRARY_H_
#define BROADLOOM_EXPLAIN_CODE_ARRAY_LIBRARY_H_

#include <string_view>

#include "broadloom/explain/code.h"
#include "broadloom/vocabulary.h"
#include "code/writing.h"

namespace broadloom {
inline namespace v1 {

// The array of an operand in NumPy: `np.arange(6,
// dtype=np.float32).reshape(2, 3)`.
std::string_view MadeByNumPy(Writing& writing, const CodeOperand& operand);

// NumPy's name of the type, `np.float32`; refuses a type that it lacks.
std::string_view TypeInNumPy(Writing& writing, DType dtype);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_CODE_ARRAY_LIBRARY_H_
