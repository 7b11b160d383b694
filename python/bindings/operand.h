// An operand or a result of the caller, whatever object it is.

#ifndef BROADLOOM_PYTHON_OPERAND_H_
#define BROADLOOM_PYTHON_OPERAND_H_

#include <cstdint>
#include <span>

#include "arguments.h"
#include "broadloom/broadloom.h"
#include "dtypes.h"
#include "numpy_api.h"

namespace broadloom_python {

// Elements of an array, of a tensor or of values. Movable, not copyable. The
// memory stays while the object exists.
class Operand {
 public:
  Operand() = default;

  // Reads `object`: an array of NumPy; anything with __dlpack__, the buffer
  // protocol, __array_interface__ or __array__; a DLPack capsule; a number, or
  // lists of numbers, which have no element type until Settle gives them one.
  // `operand` is its number in messages. Throws BroadcastError: kDType for
  // element types that Broadloom lacks, kAttribute for memory that it cannot
  // read.
  Operand(PyObject* object, int32_t operand);

  // The same for a result: an array or tensor that may be written.
  static Operand ForOutput(PyObject* object);

  DType dtype() const { return dtype_; }
  ShapeView shape() const { return shape_.view(); }
  // In elements, one for each axis; none where the elements are dense.
  ShapeView strides() const {
    return is_dense_ ? ShapeView() : strides_.view();
  }

  // The kind of a value without an element type; kNone for all others.
  WeakKind weak() const { return weak_; }
  bool is_scalar() const { return is_scalar_; }
  // Gives a value its type. Throws BroadcastError (kDType) where the type
  // cannot hold it.
  void Settle(DType dtype, int32_t operand);
  // Converts the elements, as promotion does.
  void Convert(DType dtype, int32_t operand);

  // Of a result whose memory the core cannot write: copies the elements into
  // the caller's array, once they are computed.
  void WriteBack() const;

  // Leaves out the axes from `rank` on, each of extent 1.
  void DropAxes(size_t rank);

  TensorView view() const {
    return {.dtype = StorageOf(dtype_),
            .shape = shape_.view(),
            .data = data(),
            .bytes = bytes_,
            .strides = strides(),
            .offset = offset_};
  }
  MutableTensorView mutable_view() const {
    return {.dtype = StorageOf(dtype_),
            .shape = shape_.view(),
            .data = const_cast<void*>(data()),
            .bytes = bytes_,
            .strides = strides(),
            .offset = offset_};
  }

 private:
  union Value {
    int64_t integer;
    uint64_t natural;
    double real;
    unsigned char bytes[16];
  };

  void ReadArray(PyArrayObject* array, int32_t operand);
  void ReadTensor(PyObject* object, int32_t operand);
  bool ReadNumber(PyObject* object, int32_t operand);
  void ReadAny(PyObject* object, int32_t operand);
  void ReadList(PyObject* object, int32_t operand);
  // Sets shape and strides (in bytes), and the memory that they reach.
  // Whether the strides are whole elements.
  bool Place(void* first, std::span<const int64_t> extents,
             const int64_t* strides, size_t width);
  void CheckHolds(DType dtype, int32_t operand) const;
  void TakeConverted(DType dtype, int32_t operand);

  const void* data() const { return is_inside_ ? &value_ : data_; }

  DType dtype_ = DType::kF64;
  WeakKind weak_ = WeakKind::kNone;
  bool is_scalar_ = false;
  bool is_dense_ = true;
  bool is_inside_ = false;  // the one element is in value_
  bool is_writable_ = false;
  Integers shape_;
  Integers strides_;  // in elements
  void* data_ = nullptr;
  size_t bytes_ = 0;
  int64_t offset_ = 0;
  Value value_;
  nb::object owner_;
  nb::object written_back_;  // the caller's array, if owner_ is a copy of it
};

// An array of NumPy for a result. Its axes have the order of `order`, strides
// of another array of this shape, none for row-major. Throws BroadcastError for
// more axes than NumPy has, and for memory that the system refuses.
nb::object NewArray(DType dtype, ShapeView shape, ShapeView order = {});

}  // namespace broadloom_python

#endif  // BROADLOOM_PYTHON_OPERAND_H_
