// Code shared by the writers of OpenVINO's Python and its IR.

#ifndef BROADLOOM_EXPLAIN_CODE_OPENVINO_H_
#define BROADLOOM_EXPLAIN_CODE_OPENVINO_H_

#include "code/writing.h"

namespace broadloom {
inline namespace v1 {

// Refuses layers whose result OpenVINO does not define, or whose computation
// crashes or deviates from its document.
void CheckLayer(Writing& writing);

}  // namespace v1
}  // namespace broadloom

#endif  // BROADLOOM_EXPLAIN_CODE_OPENVINO_H_
