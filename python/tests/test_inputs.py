"""What may be an operand: arrays and tensors of any library, buffers, numbers, lists; and what is refused, and how."""

from __future__ import annotations

import array
import ctypes
import fractions
import gc
import mmap
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from forms import DTYPES, in_form, random_array

import broadloom

ROW = np.array([10.0, 20.0, 30.0])


class Tensor:
    """An object with __dlpack__ alone, made of an array."""

    def __init__(self, held: np.ndarray, device: tuple[int, int] = (1, 0), versioned: bool = True) -> None:
        self.held, self.device, self.versioned = held, device, versioned

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device

    def __dlpack__(self, **options: Any) -> Any:
        if not self.versioned:
            if options:
                raise TypeError("__dlpack__() got an unexpected keyword argument")
            return self.held.__dlpack__()
        return self.held.__dlpack__(**options)


class WithInterface:
    def __init__(self, held: np.ndarray) -> None:
        self.__array_interface__ = held.__array_interface__
        self.held = held


def refused(error_class: str, *operands: Any, match: str = ".", **options: Any) -> broadloom.BroadcastError:
    with pytest.raises(broadloom.BroadcastError, match=match) as caught:
        broadloom.add(*operands, **options)
    assert caught.value.error_class == error_class
    return caught.value


def test_arrays_of_every_type_keep_their_type() -> None:
    rng = np.random.default_rng(1)
    for dtype in DTYPES.values():
        data = random_array(rng, (2, 3), dtype)
        for form in range(30):
            result = broadloom.broadcast_to(in_form(np.random.default_rng(form), data.copy()), (4, 2, 3))
            assert result.dtype == dtype and result.shape == (4, 2, 3)


@pytest.mark.parametrize("versioned", [True, False])
def test_dlpack(versioned: bool) -> None:
    rng = np.random.default_rng(2)
    for name, dtype in DTYPES.items():
        if name in ("bf16", "f8e4m3", "f8e5m2", "i4", "u4"):
            continue  # NumPy does not export them
        for _ in range(5):
            data = random_array(rng, (3, 4), dtype)
            strided = data[::-1, ::2]
            if not versioned and not data.flags.writeable:
                continue
            result = broadloom.broadcast_to(Tensor(strided, versioned=versioned), (2, 3, 2))
            assert result.tobytes() == np.broadcast_to(strided, (2, 3, 2)).tobytes()


def test_dlpack_capsules_are_used_up_and_given_back() -> None:
    held = np.arange(3.0)
    capsule = held.__dlpack__()
    assert broadloom.add(capsule, 1).tolist() == [1, 2, 3]
    refused("attribute", capsule, 1, match="A: the DLPack capsule was used before")
    both = held.__dlpack__()
    refused("attribute", both, both, match="B: the DLPack capsule was used before")
    import sys

    count = sys.getrefcount(held)
    for _ in range(10):
        broadloom.add(Tensor(held), 1)
        broadloom.add(held.__dlpack__(max_version=(1, 0)), 1)
    gc.collect()
    assert sys.getrefcount(held) == count


def test_tensors_of_other_devices() -> None:
    error = refused("attribute", ROW, Tensor(ROW, device=(2, 0)), match="B: the tensor is not in the processor's memory")
    assert error.operand == 1 and "x.cpu()" in str(error)
    # Pinned memory of CUDA is the processor's, and can be read.
    assert broadloom.add(Tensor(ROW, device=(3, 0)), 1).tolist() == [11, 21, 31]


def test_what_an_export_raises_is_the_cause() -> None:
    class Needs:
        def __dlpack__(self, **options: Any) -> Any:
            raise BufferError("use tensor.detach()")

    error = refused("attribute", Needs(), ROW)
    assert isinstance(error.__cause__, BufferError)

    class Odd(Needs):
        def __dlpack__(self, **options: Any) -> Any:
            return 5

    refused("attribute", Odd(), ROW, match="returns no capsule")
    refused("attribute", capsule_named(b"other"), ROW, match="no DLPack tensor")


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    ]


def test_tensors_made_by_hand() -> None:
    data = np.arange(12.0)
    kept = []

    def capsule(**changes: Any) -> Any:
        made = DLTensor(data.ctypes.data, 1, 0, 1, 2, 64, 1, (ctypes.c_int64 * 1)(3), None, 0)
        for name, value in changes.items():
            setattr(made, name, (ctypes.c_int64 * len(value))(*value) if isinstance(value, list) else value)
        kept.append(made)
        make = ctypes.pythonapi.PyCapsule_New
        make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
        return make(ctypes.addressof(made), b"dltensor", None)

    assert broadloom.add(capsule(), 1).tolist() == [1, 2, 3]
    assert broadloom.add(capsule(strides=[-1], byte_offset=16), 1).tolist() == [3, 2, 1]
    assert broadloom.add(capsule(rank=2, shape=[2, 3], strides=[5, 2]), 0).tolist() == [[0, 2, 4], [5, 7, 9]]
    assert broadloom.add(capsule(shape=[0], data=None), 0).tolist() == []
    refused("attribute", capsule(rank=-1), 1, match="no shape")
    refused("attribute", capsule(data=None), 1, match="no memory")
    refused("extent", capsule(shape=[-3]), 1)
    refused("overflow", capsule(rank=2, shape=[2**40, 2**40]), 1)
    refused("attribute", capsule(strides=[2**62]), 1, match="too large")
    refused("overflow", capsule(shape=[2**40], strides=[2**40]), 1, match="beyond any memory")
    refused("attribute", capsule(device_type=2), 1, match="x.cpu")
    for code, bits, lanes in [(0, 4, 1), (2, 64, 2), (3, 64, 1), (7, 8, 1), (99, 8, 1), (2, 80, 1), (4, 32, 1), (6, 1, 1)]:
        refused("dtype", capsule(code=code, bits=bits, lanes=lanes), 1, match="DLPack's type code")
    bits = np.array([1.5, -2.0], np.float32).view(np.uint32) >> 16
    bf16 = bits.astype(np.uint16)
    result = broadloom.add(capsule(data=bf16.ctypes.data, code=4, bits=16, shape=[2]), 1)
    assert result.dtype == ml_dtypes.bfloat16 and result.astype(float).tolist() == [2.5, -1.0]


def capsule_named(name: bytes) -> Any:
    make = ctypes.pythonapi.PyCapsule_New
    make.restype, make.argtypes = ctypes.py_object, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    return make(1, name, None)


def test_buffers() -> None:
    assert broadloom.add(array.array("d", [1, 2, 3]), ROW).tolist() == [11, 22, 33]
    assert broadloom.add(memoryview(array.array("d", [1, 2, 3]))[::-1], ROW).tolist() == [13, 22, 31]
    assert broadloom.add((ctypes.c_double * 3)(1, 2, 3), ROW).tolist() == [11, 22, 33]
    assert broadloom.add(b"\1\2", np.array([1, 2], np.uint8)).tolist() == [2, 4]
    assert broadloom.add(bytearray(b"\1\2"), np.array([1, 2], np.uint8)).tolist() == [2, 4]
    with mmap.mmap(-1, 16) as mapped:
        assert broadloom.add(np.frombuffer(mapped), 1).tolist() == [1, 1]
    assert broadloom.add(WithInterface(ROW[::-1]), ROW).tolist() == [40, 40, 40]


def test_array_protocol_and_subclasses() -> None:
    class Series:
        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            return ROW

    assert broadloom.add(Series(), ROW).tolist() == [20, 40, 60]
    class Subclass(np.ndarray):
        pass

    result = broadloom.add(np.array([[1.0, 2.0, 3.0]]).view(Subclass), ROW)
    assert type(result) is np.ndarray and result.tolist() == [[11, 22, 33]]
    refused("attribute", np.ma.masked_array(ROW, [0, 1, 0]), ROW, match="would lose its mask")


def test_numbers_take_the_type_of_the_arrays() -> None:
    for name in ("u8", "i16", "i64", "f16", "bf16", "f32", "f64"):
        data = np.ones(2, DTYPES[name])
        result = broadloom.add(data, 2)
        assert result.dtype == data.dtype and result.astype(float).tolist() == [3, 3]
        assert broadloom.add(2, data).dtype == data.dtype
        assert broadloom.add(True, data).astype(float).tolist() == [2, 2]
        assert broadloom.add([1, 2], data).dtype == data.dtype
    assert broadloom.add(np.ones(2, np.float32), 0.1).dtype == np.float32
    assert broadloom.mul(np.ones(1, np.float16), 0.1)[0] == np.float16(0.1)
    assert broadloom.mul(np.ones(1, ml_dtypes.bfloat16), 0.1)[0] == ml_dtypes.bfloat16(0.1)
    assert broadloom.where(np.array([True, False]), np.array([1, 2], np.int8), 0).dtype == np.int8
    assert broadloom.pow(np.array([2.0], np.float32), 3).dtype == np.float32


def test_numbers_alone() -> None:
    assert broadloom.add(1, 2).dtype == np.int64 and broadloom.add(1, 2).shape == ()
    assert broadloom.add(1, 2.5).dtype == np.float64
    assert broadloom.add(True, True).tolist() == 2
    assert broadloom.add(2**63, 1).dtype == np.uint64
    assert broadloom.and_(True, [True, False]).tolist() == [True, False]
    assert broadloom.sum([[1, 2], 3]).tolist() == [4.0, 5.0]
    # NumPy's scalars have a type.
    refused("dtype", np.float32(1), ROW)
    assert broadloom.add(np.float64(1), ROW).tolist() == [11, 21, 31]


def test_values_that_a_type_cannot_hold() -> None:
    refused("dtype", np.ones(2, np.uint8), 300, match="B: 300 is not held by u8")
    refused("dtype", np.ones(2, np.uint8), -1, match="B: -1 is not held by u8")
    refused("dtype", np.ones(2, np.int8), [0, 128], match="B: 128 is not held by i8")
    refused("dtype", np.ones(2, np.int32), 2.5, match="kind float is not held by i32")
    refused("dtype", np.ones(2, np.float16), 70000, match="is not held by f16")
    refused("dtype", np.ones(2, np.float32), 1e39, match="is not held by f32")
    refused("dtype", ROW, 2**70, match="beyond 64 bits")
    assert broadloom.add(np.ones(2, np.float32), float("inf")).tolist() == [np.inf, np.inf]
    assert broadloom.add(np.zeros(2, np.int8), -128).tolist() == [-128, -128]
    assert broadloom.add(np.zeros(1, np.uint64), 2**64 - 1).tolist() == [2**64 - 1]


def test_what_is_no_array() -> None:
    for value in (None, "text", b"x"[:0].decode(), {1: 2}, {1}, object(), fractions.Fraction(1, 3), np.add, int):
        error = refused("dtype", ROW, value)
        assert error.operand == 1 and isinstance(error, TypeError)
    refused("attribute", ROW, [[1, 2], [3]], match="lists cannot be read")
    refused("dtype", ROW, np.array([object()]), match="astype")
    refused("dtype", ROW, np.array(["a"]), match="astype")
    refused("dtype", ROW, np.array(["2020-01-01"], "M8[D]"), match="astype")
    refused("dtype", ROW, np.ones(3, np.longdouble), match="astype")
    refused("dtype", ROW.astype(">f8"), ROW, match="newbyteorder")
    refused("dtype", ROW, np.zeros(3, [("a", "f8")]), match="astype")


def test_mixed_types_are_refused_or_promoted() -> None:
    a, b = np.ones(2, np.int8), np.ones(2, np.uint8)
    error = refused("dtype", a, b)
    assert (error.detail, error.dtype, error.other_dtype) == ("mixed", "u8", "i8")
    assert broadloom.add(a, b, promote="numpy2").dtype == np.int16
    assert broadloom.result_type(a, "u8") == "i16" and broadloom.result_type(np.float32, 1.5) == "f32"
    assert broadloom.promoted_types("Div", "u8", "u8") == ("f64", "f64")
    assert broadloom.div(a, b, promote="numpy2").dtype == np.float64
    refused("attribute", a, b, promote="yes", match="'numpy2'")


@pytest.mark.parametrize("op", ["add", "mul", "max", "less", "sub", "squared_difference"])
def test_promotion_is_numpys(op: str) -> None:
    numpy_op = {"add": np.add, "mul": np.multiply, "max": np.maximum, "less": np.less, "sub": np.subtract}.get(
        op, lambda a, b: np.square(np.subtract(a, b))
    )
    names = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16", "f32", "f64"]
    rng = np.random.default_rng(4)
    for left in names:
        for right in [*names, 3, 2.5]:
            a = random_array(rng, (2, 3), DTYPES[left], small=True)
            b = random_array(rng, (3,), DTYPES[right], small=True) if isinstance(right, str) else right
            operands = ([a, b],) if op == "max" else (a, b)
            result = getattr(broadloom, op)(*operands, promote="numpy2")
            expected = numpy_op(a, b)
            assert result.dtype == expected.dtype, (left, right)
            np.testing.assert_array_equal(result, expected)


def test_results_that_may_not_be_written() -> None:
    class Copies:
        def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
            return np.zeros(3)

    # What was written into a copy would be lost.
    refused("attribute", ROW, ROW, out=Copies())
    refused("attribute", 1.0, 1.0, out=np.float64(0))
    for out in (np.broadcast_to(np.zeros(1), 3), b"12345678" * 3, 5, [0, 0, 0], Tensor(ROW, versioned=False)):
        refused("attribute", ROW, ROW, out=out)
    refused("dtype", ROW, ROW, out=np.zeros(3, np.float32))
    refused("incompatible", ROW, ROW, out=np.zeros(4))
    out = Tensor(np.zeros(3))
    assert broadloom.add(ROW, 1, out=out) is out and out.held.tolist() == [11, 21, 31]
    buffer = bytearray(2)
    broadloom.add(np.array([1, 2], np.uint8), 1, out=memoryview(buffer))
    assert buffer == b"\2\3"


def test_arguments() -> None:
    with pytest.raises(TypeError, match="add\\(\\) takes 2 positional arguments, not 1"):
        broadloom.add(ROW)
    with pytest.raises(TypeError, match="unexpected keyword argument 'axes'; there are rule, axis"):
        broadloom.add(ROW, ROW, axes=1)
    error = refused("unknown", ROW, ROW, rule="nump")
    assert "onnx_multidirectional" in str(error)
    refused("axis", ROW, ROW, rule="pdpd", axis=1.5, match="whole number")
    refused("attribute", ROW, ROW, axis=0)
    with pytest.raises(broadloom.BroadcastError, match="one list of operands"):
        broadloom.max(ROW)
    with pytest.raises(broadloom.BroadcastError, match="direction is 'left' or 'right'"):
        broadloom.bit_shift(1, 1, direction="up")


def test_many_operands() -> None:
    arrays = [np.full((2, 1) if i % 2 else (3,), float(i)) for i in range(40)]
    assert broadloom.sum(arrays).tolist() == [[780.0] * 3] * 2
    assert broadloom.max(tuple(arrays)).tolist() == [[39.0] * 3] * 2


def test_ranks() -> None:
    deep = np.zeros((1,) * 32)
    assert broadloom.add(deep, deep).shape == (1,) * 32
    with pytest.raises(broadloom.BroadcastError) as caught:
        broadloom.broadcast_to(1.0, (1,) * 100)
    assert caught.value.error_class == "limit"
    assert broadloom.infer_shape("numpy", [(1,) * 1000, (2,)]) == (1,) * 999 + (2,)


def test_memory_that_is_not_there() -> None:
    with pytest.raises(MemoryError) as caught:
        broadloom.broadcast_to(1.0, (1 << 45,))
    assert isinstance(caught.value, broadloom.BroadcastError) and caught.value.error_class == "allocation"
    with pytest.raises(broadloom.BroadcastError) as too_many:
        broadloom.broadcast_to(1.0, (1 << 62, 16))
    assert too_many.value.error_class == "overflow"


def test_out_may_be_a_field_of_records() -> None:
    records = np.zeros(3, "u1,f8")
    field = records["f1"]
    assert broadloom.add([1.0, 2.0, 3.0], 1.0, out=field) is field
    assert records["f1"].tolist() == [2.0, 3.0, 4.0] and not records["f0"].any()
    assert broadloom.mul(field, field, out=field)[1] == 9.0  # an operand, too
    broadloom.sum_to(np.ones((2, 3)), (3,), out=field)
    assert field.tolist() == [2.0] * 3
    plane = np.zeros((2, 3), "u1,f8")["f1"]
    plan = broadloom.plan("Add", "numpy", [(2, 3), (3,)], ["f64", "f64"])
    plan.run_region([(0, 1), (1, 3)], [np.ones((2, 3)), np.ones(3)], plane[:1, 1:])
    assert plane.tolist() == [[0, 2, 2], [0, 0, 0]]
    backward = np.zeros((2, 3), "u1,f8")["f1"][::-1, ::-1].T
    broadloom.add(np.arange(6.0).reshape(3, 2), 0.0, out=backward)
    assert (backward == np.arange(6.0).reshape(3, 2)).all()
    shared = np.lib.stride_tricks.as_strided(field, (2, 2), (9, 9))
    before = records.copy()
    for wrong in (shared, np.lib.stride_tricks.as_strided(field, (2, 2), (0, 9)), np.zeros((2, 2), "u1,f4")["f1"]):
        with pytest.raises(broadloom.BroadcastError):
            broadloom.add(np.ones((2, 2)), 1.0, out=wrong)
    with pytest.raises(broadloom.BroadcastError):
        broadloom.add(np.ones(4), 1.0, out=field)
    assert (records == before).all()
