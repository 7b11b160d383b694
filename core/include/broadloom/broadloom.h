// Includes all public headers. Data goes through them in one direction:
//   text -> shape -> rule -> alignment -> plan -> kernels -> result

#ifndef BROADLOOM_BROADLOOM_H_
#define BROADLOOM_BROADLOOM_H_

#include "broadloom/internal/config.h"

// With an older language version the error of config.h stands alone, instead of
// being followed by hundreds of others.
#if defined(BROADLOOM_HAS_CXX23)
#include "broadloom/alignment.h"
#include "broadloom/attributes.h"
#include "broadloom/blocks.h"
#include "broadloom/chunks.h"
#include "broadloom/execute.h"
#include "broadloom/explain.h"
#include "broadloom/limits.h"
#include "broadloom/memory.h"
#include "broadloom/operator.h"
#include "broadloom/parallel.h"
#include "broadloom/parse.h"
#include "broadloom/partial_sums.h"
#include "broadloom/plan.h"
#include "broadloom/promote.h"
#include "broadloom/regions.h"
#include "broadloom/result.h"
#include "broadloom/rule.h"
#include "broadloom/shape.h"
#include "broadloom/sum_plan.h"
#include "broadloom/sum_stream.h"
#include "broadloom/sum_to.h"
#include "broadloom/tensor.h"
#if !defined(__wasm__)
#include "broadloom/threads.h"
#endif
#include "broadloom/vocabulary.h"
#endif

#endif  // BROADLOOM_BROADLOOM_H_
