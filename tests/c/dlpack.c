// DLPack tensors in and out: each is released exactly once, whatever it has.

#include <broadloom/dlpack.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

_Static_assert(sizeof(DLDataType) == 4, "DLDataType");
_Static_assert(sizeof(DLDevice) == 8, "DLDevice");
_Static_assert(sizeof(void*) != 8 ||
                   (sizeof(DLTensor) == 48 && offsetof(DLTensor, ndim) == 16 &&
                    offsetof(DLTensor, dtype) == 20 &&
                    offsetof(DLTensor, shape) == 24 &&
                    offsetof(DLTensor, byte_offset) == 40 &&
                    sizeof(DLManagedTensor) == 64 &&
                    offsetof(DLManagedTensorVersioned, deleter) == 16 &&
                    offsetof(DLManagedTensorVersioned, flags) == 24 &&
                    offsetof(DLManagedTensorVersioned, dl_tensor) == 32),
               "the layout of DLPack");

static int released;

static void Release(DLManagedTensorVersioned* managed) {
  ++released;
  CHECK(managed->manager_ctx == &released);
}

static void ReleaseLegacy(DLManagedTensor* managed) {
  ++released;
  CHECK(managed->manager_ctx == &released);
}

static float kElements[24];
static int64_t kShape[] = {2, 3};

// A tensor (2,3) of f32.
static DLManagedTensorVersioned Managed(void) {
  const DLManagedTensorVersioned managed = {
      .version = {1, 0},
      .manager_ctx = &released,
      .deleter = Release,
      .dl_tensor = {.data = kElements,
                    .device = {kDLCPU, 0},
                    .ndim = 2,
                    .dtype = {kDLFloat, 32, 1},
                    .shape = kShape}};
  return managed;
}

// That a tensor is refused, released once, and the sentence has `part`.
#define CHECK_REFUSED(managed, expected, part)                                 \
  do {                                                                         \
    bl_error error_ = BL_ERROR_INIT;                                           \
    bl_tensor* tensor_ = (bl_tensor*)&error_;                                  \
    released = 0;                                                              \
    CHECK(bl_tensor_from_dlpack(&managed, NULL, &tensor_, &error_) != BL_OK);  \
    CHECK(error_.detail == (expected) && tensor_ == NULL);                     \
    CHECK(released == 1);                                                      \
    CHECK_SAYS(&error_, part);                                                 \
    /* The older struct alike, but for what it does not have. */               \
    DLManagedTensor legacy_ = {managed.dl_tensor, &released, ReleaseLegacy};   \
    if (managed.version.major == 1 && managed.flags == 0) {                    \
      CHECK(bl_tensor_from_dlpack_legacy(&legacy_, NULL, &tensor_, &error_) != \
            BL_OK);                                                            \
      CHECK(error_.detail == (expected) && released == 2);                     \
    }                                                                          \
  } while (0)

static void TestRefused(void) {
  DLManagedTensorVersioned managed = Managed();
  managed.version.major = 2;
  memset(&managed.dl_tensor, 0xA5, sizeof managed.dl_tensor);  // not read
  CHECK_REFUSED(managed, BL_DETAIL_DLPACK_VERSION, "version 2");
  managed = Managed();
  managed.dl_tensor.device.device_type = 2;
  CHECK_REFUSED(managed, BL_DETAIL_DLPACK_DEVICE, "copy it to the CPU");
  managed = Managed();
  managed.dl_tensor.ndim = -1;
  CHECK_REFUSED(managed, BL_DETAIL_DLPACK_NDIM, "-1 axes");
  managed = Managed();
  managed.dl_tensor.ndim = INT32_MAX;
  CHECK_REFUSED(managed, BL_DETAIL_COUNT, "ndim");
  managed = Managed();
  managed.dl_tensor.shape = NULL;
  CHECK_REFUSED(managed, BL_DETAIL_NULL, "shape");
  managed = Managed();
  managed.dl_tensor.data = NULL;
  CHECK_REFUSED(managed, BL_DETAIL_NULL, "data");
  managed = Managed();
  managed.dl_tensor.dtype.lanes = 4;
  CHECK_REFUSED(managed, BL_DETAIL_DLPACK_LANES, "4 lanes");
  managed.dl_tensor.dtype.lanes = 0;
  CHECK_REFUSED(managed, BL_DETAIL_DLPACK_LANES, "0 lanes");
  static const DLDataType kUnknown[] = {{kDLOpaqueHandle, 64, 1},
                                        {kDLFloat, 80, 1},
                                        {kDLBool, 1, 1},
                                        {kDLUInt, 1, 1},
                                        {kDLInt, 128, 1},
                                        {kDLFloat8_e4m3, 8, 1},
                                        {17, 4, 1},
                                        {255, 8, 1},
                                        {kDLInt, 0, 1}};
  for (size_t i = 0; i < sizeof kUnknown / sizeof *kUnknown; ++i) {
    managed = Managed();
    managed.dl_tensor.dtype = kUnknown[i];
    CHECK_REFUSED(managed, BL_DETAIL_DLPACK_TYPE, "convert them");
  }
  managed = Managed();
  managed.dl_tensor.dtype.code = kDLInt;
  managed.dl_tensor.dtype.bits = 4;
  managed.flags = DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED;
  CHECK_REFUSED(managed, BL_DETAIL_DLPACK_PADDED, "pack them");
  int64_t negative[] = {2, -3};
  managed = Managed();
  managed.dl_tensor.shape = negative;
  CHECK_REFUSED(managed, BL_DETAIL_NEGATIVE, "extent -3");
  int64_t huge[] = {INT64_MAX, INT64_MAX};
  managed.dl_tensor.shape = huge;
  CHECK_REFUSED(managed, 0, "2^63");
  int64_t far[] = {INT64_MAX, INT64_MIN};
  managed = Managed();
  managed.dl_tensor.strides = far;
  CHECK_REFUSED(managed, BL_DETAIL_DLPACK_ADDRESS, "address space");
  managed = Managed();
  managed.dl_tensor.byte_offset = UINT64_MAX;
  CHECK_REFUSED(managed, BL_DETAIL_DLPACK_ADDRESS, "address space");

  // Errors that are not about the tensor release it, too.
  released = 0;
  managed = Managed();
  bl_error error = BL_ERROR_INIT;
  CHECK(bl_tensor_from_dlpack(&managed, NULL, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(released == 1);
  const bl_allocator none = {NULL, NULL, NULL};
  bl_tensor* tensor;
  CHECK(bl_tensor_from_dlpack(&managed, &none, &tensor, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(released == 2);
  CHECK(bl_tensor_from_dlpack(NULL, NULL, &tensor, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`managed` is null: pass a DLPack tensor");
  managed.deleter = NULL;
  CHECK(bl_tensor_from_dlpack(&managed, NULL, &tensor, &error) == BL_OK);
  bl_tensor_free(tensor);
  CHECK(released == 2);
}

// Views of tensors with strides, an offset, no axes, no elements.
static void TestTaken(void) {
  for (int i = 0; i < 24; ++i) kElements[i] = (float)i;
  bl_error error = BL_ERROR_INIT;
  bl_tensor* tensor;
  bl_tensor_view view;
  released = 0;

  DLManagedTensorVersioned managed = Managed();
  managed.dl_tensor.byte_offset = 8;
  CHECK(bl_tensor_from_dlpack(&managed, NULL, &tensor, &error) == BL_OK);
  CHECK(bl_tensor_get_view(tensor, &view, &error) == BL_OK);
  CHECK(view.dtype == BL_DTYPE_F32 && view.flags == 0);
  CHECK(view.data == kElements + 2 && view.bytes == 24 && view.offset == 0);
  CHECK(view.shape.count == 2 && view.shape.values[1] == 3);
  CHECK(view.strides == NULL && released == 0);
  bl_tensor_free(tensor);
  CHECK(released == 1);

  // Both axes reversed: index (0,0) is the last element.
  int64_t reversed[] = {-3, -1};
  managed = Managed();
  managed.dl_tensor.strides = reversed;
  managed.dl_tensor.byte_offset = 5 * sizeof(float);
  CHECK(bl_tensor_from_dlpack(&managed, NULL, &tensor, &error) == BL_OK);
  CHECK(bl_tensor_get_view(tensor, &view, &error) == BL_OK);
  CHECK(view.data == kElements && view.bytes == 24 && view.offset == 5);
  // Doubled, through the view: 2 * 5, 2 * 4, ...
  const bl_tensor_view both[] = {view, view};
  bl_request request = BL_REQUEST_INIT;
  request.op = BL_OP_ADD;
  bl_tensor* sum;
  CHECK(bl_apply(&request, both, 2, NULL, &sum, &error) == BL_OK);
  bl_tensor_view result;
  CHECK(bl_tensor_get_view(sum, &result, &error) == BL_OK);
  for (int i = 0; i < 6; ++i) {
    CHECK(((const float*)result.data)[i] == (float)(2 * (5 - i)));
  }
  bl_tensor_free(sum);
  // Out again: the same address, and released with the new tensor.
  DLManagedTensorVersioned* out;
  CHECK(bl_tensor_to_dlpack(&tensor, &out, &error) == BL_OK);
  CHECK(tensor == NULL && released == 1);
  CHECK(out->version.major == 1 && out->flags == 0);
  CHECK((char*)out->dl_tensor.data + out->dl_tensor.byte_offset ==
        (char*)(kElements + 5));
  CHECK(out->dl_tensor.strides[0] == -3 && out->dl_tensor.shape[1] == 3);
  out->deleter(out);
  CHECK(released == 2);

  // Packed elements, reversed: the lowest lies in the middle of a byte.
  uint8_t nibbles[] = {0x10, 0x32, 0x54};
  int64_t four[] = {4}, back[] = {-1};
  managed = Managed();
  managed.dl_tensor.data = nibbles;
  managed.dl_tensor.byte_offset = 2;
  managed.dl_tensor.ndim = 1;
  managed.dl_tensor.shape = four;
  managed.dl_tensor.strides = back;
  managed.dl_tensor.dtype.code = kDLUInt;
  managed.dl_tensor.dtype.bits = 4;
  CHECK(bl_tensor_from_dlpack(&managed, NULL, &tensor, &error) == BL_OK);
  CHECK(bl_tensor_get_view(tensor, &view, &error) == BL_OK);
  CHECK(view.dtype == BL_DTYPE_U4);
  CHECK(view.data == nibbles && view.offset == 4 && view.bytes == 3);
  const bl_shape target = {four, 1};
  bl_request copy = BL_REQUEST_INIT;
  copy.op = BL_OP_BROADCAST;
  copy.target_shape = &target;
  CHECK(bl_apply(&copy, &view, 1, NULL, &sum, &error) == BL_OK);
  CHECK(bl_tensor_get_view(sum, &result, &error) == BL_OK);
  CHECK(((const uint8_t*)result.data)[0] == 0x34);
  CHECK(((const uint8_t*)result.data)[1] == 0x12);
  bl_tensor_free(sum);
  bl_tensor_free(tensor);

  // No axes, and no elements.
  managed = Managed();
  managed.dl_tensor.ndim = 0;
  managed.dl_tensor.shape = NULL;
  CHECK(bl_tensor_from_dlpack(&managed, NULL, &tensor, &error) == BL_OK);
  CHECK(bl_tensor_get_view(tensor, &view, &error) == BL_OK);
  CHECK(view.shape.count == 0 && view.bytes == 4);
  bl_tensor_free(tensor);
  int64_t none[] = {INT64_MAX, INT64_MAX, 0};
  managed = Managed();
  managed.dl_tensor.ndim = 3;
  managed.dl_tensor.shape = none;
  managed.dl_tensor.data = NULL;
  CHECK(bl_tensor_from_dlpack(&managed, NULL, &tensor, &error) == BL_OK);
  CHECK(bl_tensor_get_view(tensor, &view, &error) == BL_OK);
  CHECK(view.bytes == 0 && view.data == NULL);
  CHECK(bl_tensor_to_dlpack(&tensor, &out, &error) == BL_OK);
  CHECK(out->dl_tensor.data == NULL && out->dl_tensor.shape[2] == 0);
  out->deleter(out);
  CHECK(released == 5);
}

// A read-only tensor is read, and never written.
static void TestReadOnly(void) {
  released = 0;
  DLManagedTensorVersioned managed = Managed();
  managed.flags = DLPACK_FLAG_BITMASK_READ_ONLY;
  bl_error error = BL_ERROR_INIT;
  bl_tensor* tensor;
  CHECK(bl_tensor_from_dlpack(&managed, NULL, &tensor, &error) == BL_OK);
  bl_tensor_view view;
  CHECK(bl_tensor_get_view(tensor, &view, &error) == BL_OK);
  CHECK(view.flags == BL_TENSOR_READ_ONLY);
  const bl_shape shapes[] = {view.shape, view.shape};
  const bl_dtype dtypes[] = {BL_DTYPE_F32, BL_DTYPE_F32};
  bl_request request = BL_REQUEST_INIT;
  request.op = BL_OP_ADD;
  request.shapes = shapes;
  request.dtypes = dtypes;
  request.operand_count = 2;
  bl_plan* plan;
  CHECK(bl_plan_make(&request, &plan, &error) == BL_OK);
  const bl_tensor_view inputs[] = {view, view};
  CHECK(bl_plan_run(plan, inputs, 2, &view, 1, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(error.detail == BL_DETAIL_READ_ONLY);
  CHECK_SAYS(&error, "`outputs[0]` is read-only");
  const bl_range box[] = {{0, 2}, {0, 3}};
  CHECK(bl_plan_run_region(plan, box, 2, inputs, 2, &view, 1, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  float other[6];
  bl_tensor_view writable = view;
  writable.data = other;
  writable.flags = 0;
  CHECK(bl_plan_run(plan, inputs, 2, &writable, 1, NULL, &error) == BL_OK);
  bl_plan_free(plan);
  bl_sum_request sum = BL_SUM_REQUEST_INIT;
  sum.dtype = BL_DTYPE_F32;
  sum.input = view.shape;
  sum.shape = view.shape;
  bl_sum_plan* sums;
  CHECK(bl_sum_plan_make(&sum, &sums, &error) == BL_OK);
  CHECK(bl_sum_plan_run(sums, &writable, &view, NULL, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK_SAYS(&error, "`output` is read-only");
  CHECK(bl_sum_plan_run(sums, &view, &writable, NULL, &error) == BL_OK);
  bl_sum_plan_free(sums);

  DLManagedTensor* legacy;
  CHECK(bl_tensor_to_dlpack_legacy(&tensor, &legacy, &error) ==
        BL_ERROR_ARGUMENT);
  CHECK(legacy == NULL && tensor != NULL);
  DLManagedTensorVersioned* out;
  CHECK(bl_tensor_to_dlpack(&tensor, &out, &error) == BL_OK);
  CHECK(out->flags == DLPACK_FLAG_BITMASK_READ_ONLY);
  out->deleter(out);
  CHECK(released == 1);
}

// Every type goes out and comes back.
static void TestTypes(void) {
  const bl_shape shape = {kShape, 2};
  for (bl_dtype dtype = 1; bl_dtype_name(dtype) != NULL; ++dtype) {
    bl_error error = BL_ERROR_INIT;
    bl_tensor* tensor;
    CHECK(bl_tensor_allocate(dtype, &shape, NULL, &tensor, &error) == BL_OK);
    bl_tensor_view before, after;
    CHECK(bl_tensor_get_view(tensor, &before, NULL) == BL_OK);
    DLManagedTensorVersioned* managed;
    if (dtype == BL_DTYPE_U1) {
      CHECK(bl_tensor_to_dlpack(&tensor, &managed, &error) ==
            BL_ERROR_ARGUMENT);
      CHECK(tensor != NULL && managed == NULL);
      CHECK_SAYS(&error, "unpack it yourself, into a tensor of bool or u8");
      bl_tensor_free(tensor);
      continue;
    }
    CHECK(bl_tensor_to_dlpack(&tensor, &managed, &error) == BL_OK);
    const DLTensor* const out = &managed->dl_tensor;
    CHECK(out->dtype.bits == bl_dtype_bits(dtype) && out->dtype.lanes == 1);
    CHECK(out->device.device_type == kDLCPU && out->ndim == 2);
    CHECK(out->strides[0] == 3 && out->strides[1] == 1);
    CHECK(out->data == before.data);
    CHECK(bl_tensor_from_dlpack(managed, NULL, &tensor, &error) == BL_OK);
    CHECK(bl_tensor_get_view(tensor, &after, NULL) == BL_OK);
    CHECK(after.dtype == dtype && after.data == before.data);
    CHECK(after.bytes == before.bytes);
    DLManagedTensor* legacy;
    CHECK(bl_tensor_to_dlpack_legacy(&tensor, &legacy, &error) == BL_OK);
    CHECK(bl_tensor_from_dlpack_legacy(legacy, NULL, &tensor, &error) == BL_OK);
    CHECK(bl_tensor_get_view(tensor, &after, NULL) == BL_OK);
    CHECK(after.dtype == dtype && after.data == before.data);
    bl_tensor_free(tensor);
  }
  bl_tensor* none = NULL;
  DLManagedTensorVersioned* managed;
  // An error that cannot be written: what was given is released all the same,
  // and what was not given stays.
  bl_error wrong = {.size = 0};
  DLManagedTensorVersioned given = Managed();
  DLManagedTensor legacy = {given.dl_tensor, &released, ReleaseLegacy};
  released = 0;
  bl_tensor* tensor = (bl_tensor*)&given;
  CHECK(bl_tensor_from_dlpack(&given, NULL, &tensor, &wrong) ==
        BL_ERROR_ARGUMENT);
  CHECK(tensor == NULL && released == 1);
  CHECK(bl_tensor_from_dlpack_legacy(&legacy, NULL, &tensor, &wrong) ==
        BL_ERROR_ARGUMENT);
  CHECK(tensor == NULL && released == 2);
  CHECK(bl_tensor_allocate(BL_DTYPE_F32, &shape, NULL, &tensor, NULL) == BL_OK);
  CHECK(bl_tensor_to_dlpack(&tensor, &managed, &wrong) == BL_ERROR_ARGUMENT);
  CHECK(tensor != NULL && managed == NULL);
  bl_tensor_free(tensor);
  CHECK(bl_tensor_to_dlpack(&none, &managed, NULL) == BL_ERROR_ARGUMENT);
  CHECK(bl_tensor_to_dlpack(NULL, &managed, NULL) == BL_ERROR_ARGUMENT);
  CHECK(bl_tensor_to_dlpack(&none, NULL, NULL) == BL_ERROR_ARGUMENT);
}

void TestDlpack(void) {
  TestRefused();
  TestTaken();
  TestReadOnly();
  TestTypes();
}

// Random tensors, good and bad: no crash, and released once. What is taken can
// be read, as far as its elements lie in the memory that there is.
void TestDlpackAtRandom(void) {
  static const int64_t kExtents[] = {
      0, 1, 2, 3, 4, -1, INT64_MAX, INT64_MIN, (int64_t)1 << 32};
  static const int64_t kStrides[] = {0, 1, -1, 2, -2, 4, INT64_MAX, INT64_MIN};
  static char memory[4096];
  int taken = 0;
  for (int round = 0; round < 40000; ++round) {
    int64_t shape[3], strides[3];
    // Mostly small numbers, so that many are taken.
    const uint64_t most = Random(4) == 0 ? 9 : 5;
    for (int i = 0; i < 3; ++i) {
      shape[i] = kExtents[Random(most)];
      strides[i] = kStrides[Random(most < 9 ? 6 : 8)];
    }
    DLManagedTensorVersioned managed = Managed();
    DLTensor* const tensor = &managed.dl_tensor;
    if (Random(20) == 0) managed.version.major = (uint32_t)Random(3);
    managed.flags = Random(8);
    tensor->data = Random(20) == 0 ? NULL : memory + 2048;
    if (Random(20) == 0) tensor->device.device_type = (int32_t)Random(20) - 1;
    tensor->ndim = (int32_t)Random(4) - (Random(20) == 0);
    tensor->shape = Random(20) == 0 ? NULL : shape;
    tensor->strides = Random(2) == 0 ? NULL : strides;
    tensor->dtype.code = (uint8_t)Random(Random(4) == 0 ? 20 : 3);
    tensor->dtype.bits = (uint8_t)(1u << Random(8));
    tensor->dtype.lanes = (uint16_t)(1 + (Random(20) == 0));
    tensor->byte_offset =
        Random(10) == 0 ? (uint64_t)0 - Random(3) : Random(64);
    released = 0;
    bl_error error = BL_ERROR_INIT;
    bl_tensor* made;
    if (bl_tensor_from_dlpack(&managed, NULL, &made, &error) != BL_OK) {
      CHECK(released == 1 && made == NULL);
      CHECK(bl_describe_error(&error, NULL, 0) > 10);
      continue;
    }
    ++taken;
    CHECK(released == 0);
    bl_tensor_view view;
    CHECK(bl_tensor_get_view(made, &view, NULL) == BL_OK);
    const char* const begin = view.data;
    if (view.bytes != 0 && begin >= memory &&
        begin + view.bytes <= memory + sizeof memory) {
      bl_request request = BL_REQUEST_INIT;
      request.op = BL_OP_BROADCAST;
      request.target_shape = &view.shape;
      bl_run_options options = BL_RUN_OPTIONS_INIT;
      options.allocator = &kLittleAllocator;
      bl_tensor* copy;
      const bl_error_class copied =
          bl_apply(&request, &view, 1, &options, &copy, &error);
      // Strides of 0 make large tensors of little memory.
      CHECK(copied == BL_OK || copied == BL_ERROR_ALLOCATION ||
            copied == BL_ERROR_LIMIT || copied == BL_ERROR_OVERFLOW);
      bl_tensor_free(copy);
    }
    DLManagedTensorVersioned* out;
    if (bl_tensor_to_dlpack(&made, &out, NULL) == BL_OK) out->deleter(out);
    bl_tensor_free(made);
    CHECK(released == 1);
  }
  CHECK(taken > 1000);
}
