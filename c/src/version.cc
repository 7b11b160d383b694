#include <cstdint>

#include "broadloom/broadloom.h"
#include "broadloom/c.h"

extern "C" {

int32_t bl_abi_version(void) { return BL_ABI_VERSION; }

const char* bl_version(void) { return BROADLOOM_VERSION; }

// The names of targets are literals, which end with a zero.
const char* bl_active_target(void) { return broadloom::ActiveTarget().data(); }

}  // extern "C"
