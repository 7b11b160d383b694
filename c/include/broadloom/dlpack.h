// The structs by which libraries exchange tensors without a copy, as defined by
// DLPack 1.1 (document: "C API (dlpack.h)" of the DLPack project, dmlc/dlpack,
// include/dlpack/dlpack.h). This file has no function.
//
// All copies of dlpack.h have one include guard, DLPACK_DLPACK_H_, and so has
// this one: of several copies in a source file, in any order, the first is
// used. Where a program needs what this copy lacks, such as definitions of
// DLPack 1.2, it includes the newer copy first.

#ifndef BROADLOOM_DLPACK_H_
#define BROADLOOM_DLPACK_H_

#ifndef DLPACK_DLPACK_H_
#define DLPACK_DLPACK_H_

#include <stddef.h>
#include <stdint.h>

// For programs that have this copy in place of DLPack's own: the version, and
// the macros of its declarations.
#define DLPACK_MAJOR_VERSION 1
#define DLPACK_MINOR_VERSION 1
#define DLPACK_DLL
#ifdef __cplusplus
#define DLPACK_EXTERN_C extern "C"
#else
#define DLPACK_EXTERN_C
#endif

#ifdef __cplusplus
extern "C" {
#endif

// DLPackVersion. A tensor of another major version has another layout behind
// `flags`: it can only be deleted.
typedef struct {
  uint32_t major;
  uint32_t minor;
} DLPackVersion;

// DLDeviceType, of 32 bits in C and C++.
#ifdef __cplusplus
typedef enum : int32_t {
#else
typedef enum {
#endif
  kDLCPU = 1,
  kDLCUDA = 2,
  kDLCUDAHost = 3,
  kDLOpenCL = 4,
  kDLVulkan = 7,
  kDLMetal = 8,
  kDLVPI = 9,
  kDLROCM = 10,
  kDLROCMHost = 11,
  kDLExtDev = 12,
  kDLCUDAManaged = 13,
  kDLOneAPI = 14,
  kDLWebGPU = 15,
  kDLHexagon = 16,
  kDLMAIA = 17
} DLDeviceType;

// DLDevice.
typedef struct {
  DLDeviceType device_type;
  int32_t device_id;
} DLDevice;

// DLDataType. Elements of less than 8 bits are packed, the first in the lowest
// bits, unless a flag says that they are padded.
typedef struct {
  uint8_t code;    // see below
  uint8_t bits;    // of one element
  uint16_t lanes;  // of a vector; 1 for others
} DLDataType;

// DLDataTypeCode.
typedef enum {
  kDLInt = 0,
  kDLUInt = 1,
  kDLFloat = 2,
  kDLOpaqueHandle = 3,
  kDLBfloat = 4,
  kDLComplex = 5,
  kDLBool = 6,
  kDLFloat8_e3m4 = 7,
  kDLFloat8_e4m3 = 8,
  kDLFloat8_e4m3b11fnuz = 9,
  kDLFloat8_e4m3fn = 10,
  kDLFloat8_e4m3fnuz = 11,
  kDLFloat8_e5m2 = 12,
  kDLFloat8_e5m2fnuz = 13,
  kDLFloat8_e8m0fnu = 14,
  kDLFloat6_e2m3fn = 15,
  kDLFloat6_e3m2fn = 16,
  kDLFloat4_e2m1fn = 17
} DLDataTypeCode;

// Bits of DLManagedTensorVersioned::flags.
#define DLPACK_FLAG_BITMASK_READ_ONLY ((uint64_t)1)
#define DLPACK_FLAG_BITMASK_IS_COPIED ((uint64_t)2)
#define DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED ((uint64_t)4)

// A tensor. Index (0,...,0) is at `data` + `byte_offset`.
typedef struct {
  void* data;
  DLDevice device;
  int32_t ndim;
  DLDataType dtype;
  int64_t* shape;
  int64_t* strides;  // in elements; null (up to DLPack 1.1): dense
  uint64_t byte_offset;
} DLTensor;

// A tensor with what frees it, as before DLPack 1.0.
typedef struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensor* self);  // may be null
} DLManagedTensor;

// A tensor with what frees it.
typedef struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(struct DLManagedTensorVersioned* self);  // may be null
  uint64_t flags;
  DLTensor dl_tensor;
} DLManagedTensorVersioned;

#ifdef __cplusplus
}
#endif

#endif  // DLPACK_DLPACK_H_

#endif  // BROADLOOM_DLPACK_H_
