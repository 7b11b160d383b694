#include "operand.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "dlpack.h"
#include "errors.h"

namespace broadloom_python {

namespace {

[[noreturn]] void RefuseType(int32_t operand, const std::string& why) {
  Raise({.error_class = ErrorClass::kDType,
         .detail = Detail::kUnsupported,
         .operand = operand},
        OperandName(operand) + ": " + why);
}

[[noreturn]] void Refuse(int32_t operand, const std::string& why) {
  Raise({.error_class = ErrorClass::kAttribute, .operand = operand},
        OperandName(operand) + ": " + why);
}

std::string NameOfDescr(PyArray_Descr* descr) {
  const nb::str name(nb::handle(reinterpret_cast<PyObject*>(descr)));
  const char* const text = PyUnicode_AsUTF8(name.ptr());
  if (text != nullptr) return text;
  PyErr_Clear();
  return "type of this name";
}

DType TypeOfArray(PyArrayObject* array, int32_t operand) {
  PyArray_Descr* const descr = PyArray_DESCR(array);
  const auto dtype = FindDType(descr);
  if (!dtype) {
    RefuseType(operand, "no element type of Broadloom is NumPy's " +
                            NameOfDescr(descr) +
                            ": convert it first, as with "
                            "x.astype(np.float64).");
  }
  if (!PyArray_ISNBO(descr->byteorder)) {
    RefuseType(operand, "the bytes of its elements (" + NameOfDescr(descr) +
                            ") are in the other order than this machine's: "
                            "give x.astype(x.dtype.newbyteorder('=')).");
  }
  return *dtype;
}

std::optional<DType> TypeOfTensor(dlpack::Type type) {
  if (type.lanes != 1) return std::nullopt;
  switch (type.code) {
    case dlpack::kInt:
    case dlpack::kUInt:
    case dlpack::kFloat:
    case dlpack::kComplex: {
      constexpr char kLetters[] = {'i', 'u', 'f', 0, 0, 'c'};
      const std::string name = kLetters[type.code] + std::to_string(type.bits);
      const auto dtype = broadloom::FindDType(name);
      // Packed tensors are packed in another way than ml_dtypes' arrays.
      if (!dtype || BitsOf(*dtype) < 8) return std::nullopt;
      return dtype;
    }
    case dlpack::kBool:
      return type.bits == 8 ? std::optional(DType::kBool) : std::nullopt;
    case dlpack::kBfloat:
      return type.bits == 16 ? std::optional(DType::kBF16) : std::nullopt;
    case dlpack::kFloat8E4M3FN:
      return type.bits == 8 ? std::optional(DType::kF8E4M3) : std::nullopt;
    case dlpack::kFloat8E5M2:
      return type.bits == 8 ? std::optional(DType::kF8E5M2) : std::nullopt;
    default:
      return std::nullopt;
  }
}

size_t WidthOf(DType dtype) {
  return static_cast<size_t>(BitsOf(StorageOf(dtype))) / 8;
}

// The address as a number, so that memory before an array may be computed.
uintptr_t AddressOf(const void* data) {
  return reinterpret_cast<uintptr_t>(data);
}

// Whether NumPy can make an array of the object's own memory.
bool LendsMemory(PyObject* object) {
  return PyObject_CheckBuffer(object) ||
         PyObject_HasAttrString(object, "__array_interface__") ||
         PyObject_HasAttrString(object, "__array_struct__");
}

// Whether it can make an array, if only of a copy.
bool MakesArray(PyObject* object) {
  return LendsMemory(object) || PyObject_HasAttrString(object, "__array__");
}

// numpy.ma.MaskedArray, if the program has loaded it.
bool IsMasked(PyObject* object) {
  if (PyArray_CheckExact(object)) return false;
  return PyObject_HasAttrString(object, "_mask") &&
         PyObject_HasAttrString(object, "filled");
}

std::string_view KindName(WeakKind kind) {
  switch (kind) {
    case WeakKind::kBool:
      return "bool";
    case WeakKind::kInt:
      return "int";
    default:
      return "float";
  }
}

// The least finite number that becomes infinite in a float type.
double LeastInfinite(DType dtype) {
  switch (dtype) {
    case DType::kF16:
      return 0x1.ffep15;
    case DType::kBF16:
      return 0x1.ffp127;
    case DType::kF32:
      return 0x1.ffffffp127;
    default:
      return HUGE_VAL;
  }
}

// The strides, in bytes, of a new array of this shape whose axes have the same
// order in memory as those of an array with the strides `order`.
Integers StridesLike(ShapeView order, ShapeView shape, size_t width) {
  Integers axes;
  Integers strides;
  if (!axes.Reset(order.size(), DefaultAllocator()) ||
      !strides.Reset(order.size(), DefaultAllocator())) {
    RaiseNoMemory();
  }
  for (size_t i = 0; i < axes.size(); ++i) axes[i] = static_cast<int64_t>(i);
  // Axes of equal strides keep their order.
  std::ranges::sort(axes, [&](int64_t a, int64_t b) {
    const int64_t of_a = std::abs(order[static_cast<size_t>(a)]);
    const int64_t of_b = std::abs(order[static_cast<size_t>(b)]);
    return of_a != of_b ? of_a > of_b : a < b;
  });
  auto stride = static_cast<int64_t>(width);
  for (size_t i = axes.size(); i-- > 0;) {
    const auto axis = static_cast<size_t>(axes[i]);
    strides[axis] = stride;
    stride *= std::max<int64_t>(shape[axis], 1);
  }
  return strides;
}

// Whether elements may share memory: false only if each axis steps over all
// that the axes of shorter strides reach. Strides are in bytes.
bool MayRepeat(ShapeView strides, ShapeView extents, size_t width) {
  std::vector<std::pair<uint64_t, uint64_t>> axes;
  for (size_t axis = 0; axis < strides.size(); ++axis) {
    if (extents[axis] == 1) continue;
    const auto stride = static_cast<uint64_t>(strides[axis]);
    axes.emplace_back(strides[axis] < 0 ? 0 - stride : stride,
                      static_cast<uint64_t>(extents[axis] - 1));
  }
  std::ranges::sort(axes);
  // Place has found that no product overflows.
  uint64_t reach = width;
  for (const auto [stride, steps] : axes) {
    if (stride < reach) return true;
    reach += stride * steps;
  }
  return false;
}

// The shortest text from which Python reads the number.
std::string ShortestText(double number) {
  char* const text =
      PyOS_double_to_string(number, 'r', 0, Py_DTSF_ADD_DOT_0, nullptr);
  if (text == nullptr) throw nb::python_error();
  std::string shortest(text);
  PyMem_Free(text);
  return shortest;
}

WeakKind KindOf(DType dtype) {
  switch (Info(dtype).kind) {
    case DTypeKind::kBoolean:
      return WeakKind::kBool;
    case DTypeKind::kSigned:
    case DTypeKind::kUnsigned:
      return WeakKind::kInt;
    default:
      return WeakKind::kFloat;
  }
}

}  // namespace

Operand::Operand(PyObject* object, int32_t operand) {
  if (PyArray_CheckExact(object)) {
    ReadArray(AsArray(object), operand);
  } else if (!ReadNumber(object, operand)) {
    ReadAny(object, operand);
  }
}

Operand Operand::ForOutput(PyObject* object) {
  Operand output;
  if (PyArray_CheckExact(object)) {
    output.ReadArray(AsArray(object), kOutputOperand);
  } else if (!PyArray_IsScalar(object, Generic) &&
             (PyArray_Check(object) || dlpack::IsTensor(object) ||
              LendsMemory(object))) {
    output.ReadAny(object, kOutputOperand);
  } else {
    Refuse(kOutputOperand, "out has to be an array that can be written, not " +
                               Show(object) + ".");
  }
  if (!output.is_writable_) {
    Refuse(kOutputOperand,
           "out cannot be written: give an array whose flags.writeable is "
           "True. (A DLPack tensor has to say that it may be written, in a "
           "capsule of version 1; of PyTorch give x.numpy().)");
  }
  return output;
}

void Operand::WriteBack() const {
  if (!written_back_.is_valid()) return;
  if (PyArray_CopyInto(AsArray(written_back_.ptr()), AsArray(owner_.ptr())) !=
      0) {
    throw nb::python_error();
  }
}

void Operand::ReadArray(PyArrayObject* array, int32_t operand) {
  dtype_ = TypeOfArray(array, operand);
  is_writable_ = PyArray_ISWRITEABLE(array);
  const auto rank = static_cast<size_t>(PyArray_NDIM(array));
  const auto* const extents =
      reinterpret_cast<const int64_t*>(PyArray_DIMS(array));
  owner_ = nb::borrow(reinterpret_cast<PyObject*>(array));
  if (PyArray_IS_C_CONTIGUOUS(array)) {
    if (!shape_.CopyFrom({extents, rank}, DefaultAllocator())) RaiseNoMemory();
    data_ = PyArray_DATA(array);
    bytes_ = static_cast<size_t>(PyArray_NBYTES(array));
    return;
  }
  const auto* const strides =
      reinterpret_cast<const int64_t*>(PyArray_STRIDES(array));
  if (Place(PyArray_DATA(array), {extents, rank}, strides, WidthOf(dtype_))) {
    return;
  }
  // A field of a record, for example: only a copy has whole strides.
  if (operand == kOutputOperand) {
    if (MayRepeat({strides, rank}, {extents, rank}, WidthOf(dtype_))) {
      Refuse(operand,
             "elements of out share memory with each other: give an array "
             "whose elements have memory of their own.");
    }
    written_back_ = owner_;
  }
  PyObject* const copy = PyArray_NewCopy(array, NPY_CORDER);
  if (copy == nullptr) throw nb::python_error();
  owner_ = nb::steal(copy);
  data_ = PyArray_DATA(AsArray(copy));
  bytes_ = static_cast<size_t>(PyArray_NBYTES(AsArray(copy)));
  is_dense_ = true;
  offset_ = 0;
}

bool Operand::Place(void* first, std::span<const int64_t> extents,
                    const int64_t* strides, size_t width) {
  const auto step = static_cast<int64_t>(width);
  if (!shape_.CopyFrom(extents, DefaultAllocator()) ||
      !strides_.Reset(extents.size(), DefaultAllocator())) {
    RaiseNoMemory();
  }
  is_dense_ = false;
  bool is_empty = false;
  for (const int64_t extent : extents) is_empty |= extent == 0;
  if (is_empty) {
    is_dense_ = true;
    return true;
  }
  // The bytes before and behind the first element.
  int64_t before = 0;
  int64_t behind = 0;
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    if (extents[axis] == 1) continue;  // its stride may be anything
    if (strides[axis] % step != 0) return false;
    strides_[axis] = strides[axis] / step;
    int64_t reach = 0;
    int64_t& end = strides[axis] < 0 ? before : behind;
    if (__builtin_mul_overflow(strides[axis], extents[axis] - 1, &reach) ||
        __builtin_add_overflow(end, reach, &end)) {
      Raise({.error_class = ErrorClass::kOverflow},
            "The strides of an array lead beyond any memory: give a copy of "
            "the array.");
    }
  }
  offset_ = -before / step;
  data_ = reinterpret_cast<void*>(AddressOf(first) +
                                  static_cast<uintptr_t>(before));
  bytes_ = static_cast<size_t>(behind) - static_cast<size_t>(before) + width;
  return true;
}

void Operand::ReadTensor(PyObject* object, int32_t operand) {
  dlpack::Taken taken = dlpack::Take(object, operand);
  const dlpack::Tensor& tensor = *taken.tensor;
  const auto dtype = TypeOfTensor(tensor.type);
  if (!dtype) {
    RefuseType(operand, "no element type of Broadloom is DLPack's type code " +
                            std::to_string(tensor.type.code) + " of " +
                            std::to_string(tensor.type.bits) + " bits and " +
                            std::to_string(tensor.type.lanes) +
                            " lanes: convert the tensor first.");
  }
  dtype_ = *dtype;
  owner_ = std::move(taken.owner);
  is_writable_ = taken.is_writable;
  if (tensor.rank < 0 || (tensor.rank > 0 && tensor.shape == nullptr)) {
    Refuse(operand, "its DLPack tensor has no shape.");
  }
  const ShapeView extents(tensor.shape, static_cast<size_t>(tensor.rank));
  const Result<int64_t> bytes = CountBytes(extents, dtype_);
  if (!bytes) Raise(bytes.error());
  if (tensor.data == nullptr && *bytes != 0) {
    Refuse(operand, "its DLPack tensor has no memory.");
  }
  auto* const first =
      static_cast<unsigned char*>(tensor.data) + tensor.byte_offset;
  if (tensor.strides == nullptr || *bytes == 0) {
    if (!shape_.CopyFrom(extents, DefaultAllocator())) RaiseNoMemory();
    data_ = first;
    bytes_ = static_cast<size_t>(*bytes);
    return;
  }
  const size_t width = WidthOf(dtype_);
  Integers strides;
  if (!strides.Reset(extents.size(), DefaultAllocator())) RaiseNoMemory();
  for (size_t axis = 0; axis < extents.size(); ++axis) {
    if (__builtin_mul_overflow(tensor.strides[axis],
                               static_cast<int64_t>(width), &strides[axis])) {
      Refuse(operand, "the strides of its DLPack tensor are too large.");
    }
  }
  Place(first, extents, strides.data(), width);
}

bool Operand::ReadNumber(PyObject* object, int32_t operand) {
  // NumPy's float64 is a float of Python, but has a type.
  if (PyFloat_CheckExact(object) ||
      (PyFloat_Check(object) && !PyArray_IsScalar(object, Generic))) {
    weak_ = WeakKind::kFloat;
    dtype_ = DType::kF64;
    value_.real = PyFloat_AS_DOUBLE(object);
  } else if (PyBool_Check(object)) {
    weak_ = WeakKind::kBool;
    dtype_ = DType::kBool;
    value_.integer = object == Py_True;
  } else if (PyLong_Check(object)) {
    weak_ = WeakKind::kInt;
    dtype_ = DType::kI64;
    int overflow = 0;
    value_.integer = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (overflow != 0) {
      dtype_ = DType::kU64;
      value_.natural = PyLong_AsUnsignedLongLong(object);
      if (PyErr_Occurred()) {
        PyErr_Clear();
        RefuseType(operand,
                   "no element type holds an integer beyond 64 "
                   "bits: give a float.");
      }
    }
  } else {
    return false;
  }
  is_scalar_ = true;
  is_inside_ = true;
  bytes_ = WidthOf(dtype_);
  return true;
}

void Operand::ReadAny(PyObject* object, int32_t operand) {
  if (IsMasked(object)) {
    Refuse(operand,
           "a masked array would lose its mask: give x.filled(value) "
           "or x.data.");
  }
  nb::object array;
  if (PyArray_Check(object)) {
    // A subclass, such as numpy.memmap, is read as an array.
    array = nb::steal(PyArray_View(AsArray(object), nullptr, &PyArray_Type));
  } else if (PyArray_IsScalar(object, Generic)) {
    array = nb::steal(PyArray_FromScalar(object, nullptr));
  } else if (dlpack::IsTensor(object)) {
    ReadTensor(object, operand);
    return;
  } else if (PyList_Check(object) || PyTuple_Check(object)) {
    ReadList(object, operand);
    return;
  } else if (PyBytes_Check(object)) {
    // NumPy would read a text of bytes.
    const nb::object bytes = nb::steal(PyMemoryView_FromObject(object));
    if (!bytes.is_valid()) throw nb::python_error();
    array = nb::steal(PyArray_FromAny(bytes.ptr(), nullptr, 0, 0, 0, nullptr));
  } else if (PyComplex_Check(object) || MakesArray(object)) {
    array = nb::steal(PyArray_FromAny(object, nullptr, 0, 0, 0, nullptr));
  } else {
    RefuseType(operand,
               "it has to be an array or a number, not " + Show(object) +
                   ": give anything with __dlpack__, the buffer protocol or "
                   "__array_interface__.");
  }
  if (!array.is_valid()) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
    Refuse(operand, "it cannot be read as an array (the reason is above).");
  }
  ReadArray(AsArray(array.ptr()), operand);
}

void Operand::ReadList(PyObject* object, int32_t operand) {
  const nb::object array =
      nb::steal(PyArray_FromAny(object, nullptr, 0, 0, 0, nullptr));
  if (!array.is_valid()) {
    if (!PyErr_ExceptionMatches(PyExc_Exception)) throw nb::python_error();
    Refuse(operand,
           "the lists cannot be read as an array (the reason is "
           "above).");
  }
  ReadArray(AsArray(array.ptr()), operand);
  is_writable_ = false;
  switch (dtype_) {
    case DType::kBool:
    case DType::kI64:
    case DType::kU64:
    case DType::kF64:
      weak_ = KindOf(dtype_);
      break;
    default:
      break;  // the lists contain values with a type
  }
}

void Operand::DropAxes(size_t rank) {
  Integers extents;
  Integers strides;
  if (!extents.CopyFrom(shape_.view().first(rank), DefaultAllocator()) ||
      (!is_dense_ &&
       !strides.CopyFrom(strides_.view().first(rank), DefaultAllocator()))) {
    RaiseNoMemory();
  }
  shape_ = std::move(extents);
  strides_ = std::move(strides);
}

void Operand::Settle(DType dtype, int32_t operand) {
  if (weak_ == WeakKind::kNone) return;
  CheckHolds(dtype, operand);
  weak_ = WeakKind::kNone;
  if (dtype != dtype_) TakeConverted(dtype, operand);
}

void Operand::Convert(DType dtype, int32_t operand) {
  weak_ = WeakKind::kNone;
  if (dtype != dtype_) TakeConverted(dtype, operand);
}

void Operand::CheckHolds(DType dtype, int32_t operand) const {
  const auto refuse = [&](const std::string& value, const char* help) {
    Raise({.error_class = ErrorClass::kDType,
           .detail = Detail::kUnsupported,
           .operand = operand,
           .dtype = dtype},
          OperandName(operand) + ": " + value + " is not held by " +
              std::string(Info(dtype).name) + help);
  };
  if (Info(dtype).kind == DTypeKind::kOpaque) {
    refuse("a number without an element type",
           ", which is only moved: give an array of that type.");
  }
  if (weak_ > KindOf(dtype)) {
    refuse("a value of kind " + std::string(KindName(weak_)),
           ": convert it, or compute with promote='numpy2'.");
  }
  if (dtype == dtype_ || weak_ == WeakKind::kBool) return;
  // Integers that the type cannot hold, and floats that become infinite.
  const size_t count = bytes_ / WidthOf(dtype_);
  const bool is_signed = Info(dtype).kind == DTypeKind::kSigned;
  const int bits = BitsOf(dtype);
  const uint64_t most = ~uint64_t{0} >> (64 - bits + (is_signed ? 1 : 0));
  // Lists are dense.
  const auto* const values = static_cast<const unsigned char*>(data());
  const double least_infinite = LeastInfinite(dtype);
  for (size_t i = 0; i < count; ++i) {
    Value value;
    std::memcpy(value.bytes, values + i * sizeof value.integer,
                sizeof value.integer);
    if (KindOf(dtype) == WeakKind::kInt) {
      if (dtype_ == DType::kI64 && value.integer < 0) {
        const bool fits =
            is_signed && value.integer >= -static_cast<int64_t>(most) - 1;
        if (!fits) {
          refuse(std::to_string(value.integer),
                 ": give an array of a wider type.");
        }
      } else if (value.natural > most) {
        refuse(std::to_string(value.natural),
               ": give an array of a wider type.");
      }
    } else {
      const double real = weak_ == WeakKind::kFloat ? value.real
                          : dtype_ == DType::kU64
                              ? static_cast<double>(value.natural)
                              : static_cast<double>(value.integer);
      if (std::isfinite(real) && std::fabs(real) >= least_infinite) {
        refuse(ShortestText(real), ": give an array of a wider type.");
      }
    }
  }
}

void Operand::TakeConverted(DType dtype, int32_t operand) {
  // One number in a common type needs no kernel. It is held by an integer type,
  // since CheckHolds was called, so that its lowest bytes are its value.
  if (is_inside_ && (dtype == DType::kF32 || dtype == DType::kF64)) {
    const double real = dtype_ == DType::kF64 ? value_.real
                        : dtype_ == DType::kU64
                            ? static_cast<double>(value_.natural)
                            : static_cast<double>(value_.integer);
    if (dtype == DType::kF64) {
      value_.real = real;
    } else {
      // An integer is rounded once, not first to a double.
      const float single = dtype_ == DType::kF64 ? static_cast<float>(real)
                           : dtype_ == DType::kU64
                               ? static_cast<float>(value_.natural)
                               : static_cast<float>(value_.integer);
      std::memcpy(value_.bytes, &single, sizeof single);
    }
    dtype_ = dtype;
    bytes_ = WidthOf(dtype);
    return;
  }
  if (std::endian::native == std::endian::little && is_inside_ &&
      KindOf(dtype) == WeakKind::kInt && KindOf(dtype_) != WeakKind::kFloat) {
    dtype_ = dtype;
    bytes_ = WidthOf(dtype);
    return;
  }
  const TensorView input = view();
  const ApplyOptions cast{.attributes = {.to = dtype}};
  if (is_inside_) {
    Value value;
    const Status done = Apply(Op::kCast, {&input, 1},
                              MutableTensorView{.dtype = dtype,
                                                .shape = shape_.view(),
                                                .data = value.bytes,
                                                .bytes = WidthOf(dtype)},
                              cast);
    if (!done) Raise(done.error());
    value_ = value;
  } else {
    nb::object made = NewArray(dtype, shape_.view());
    PyArrayObject* const array = AsArray(made.ptr());
    const Status done = Apply(
        Op::kCast, {&input, 1},
        MutableTensorView{.dtype = StorageOf(dtype),
                          .shape = shape_.view(),
                          .data = PyArray_DATA(array),
                          .bytes = static_cast<size_t>(PyArray_NBYTES(array))},
        cast);
    if (!done) {
      Error error = done.error();
      error.operand = operand;
      Raise(error);
    }
    owner_ = std::move(made);
    data_ = PyArray_DATA(array);
    is_dense_ = true;
    offset_ = 0;
    bytes_ = static_cast<size_t>(PyArray_NBYTES(array));
  }
  dtype_ = dtype;
  if (is_inside_) bytes_ = WidthOf(dtype);
}

nb::object NewArray(DType dtype, ShapeView shape, ShapeView order) {
  const Result<int64_t> bytes = CountBytes(shape, StorageOf(dtype));
  if (!bytes) Raise(bytes.error());
  const Integers strides =
      order.empty() ? Integers() : StridesLike(order, shape, WidthOf(dtype));
  nb::object descr = DescrOf(dtype);
  PyObject* const array = PyArray_NewFromDescr(
      &PyArray_Type, reinterpret_cast<PyArray_Descr*>(descr.release().ptr()),
      static_cast<int>(shape.size()),
      reinterpret_cast<const npy_intp*>(shape.data()),
      order.empty() ? nullptr
                    : reinterpret_cast<const npy_intp*>(strides.data()),
      nullptr, 0, nullptr);
  if (array == nullptr) {
    if (PyErr_ExceptionMatches(PyExc_ValueError)) {
      Raise({.error_class = ErrorClass::kLimit,
             .operand = kOutputOperand,
             .extent = static_cast<int64_t>(shape.size())},
            "NumPy has no array of the result's " +
                std::to_string(shape.size()) + " axes and " +
                std::to_string(*bytes) +
                " bytes (the reason is above): join axes, or compute it in "
                "parts.");
    }
    if (!PyErr_ExceptionMatches(PyExc_MemoryError)) throw nb::python_error();
    Raise({.error_class = ErrorClass::kAllocation,
           .operand = kOutputOperand,
           .extent = *bytes},
          "The system has no " + std::to_string(*bytes) +
              " bytes of memory for the result: compute it in parts, into out, "
              "or free some.");
  }
  return nb::steal(array);
}

}  // namespace broadloom_python
