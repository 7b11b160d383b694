# PyTorch and TensorFlow in name only: the few functions that the texts use, implemented with NumPy. A text that runs
# here uses names, arguments and shapes as those libraries document them, and its numbers are right; a name that is not
# here is an error. It does not show what the libraries themselves compute: at 270 MB and more they are too large to
# install for a test.
import sys
import types

import ml_dtypes
import numpy as np

TYPES = {
    "bool": np.bool_, "int8": np.int8, "int16": np.int16, "int32": np.int32, "int64": np.int64, "uint8": np.uint8,
    "uint16": np.uint16, "uint32": np.uint32, "uint64": np.uint64, "float16": np.float16,
    "bfloat16": ml_dtypes.bfloat16, "float32": np.float32, "float64": np.float64,
    "float8_e4m3fn": ml_dtypes.float8_e4m3fn, "float8_e5m2": ml_dtypes.float8_e5m2, "complex64": np.complex64,
    "complex128": np.complex128,
}


def module(name, **members):
    made = types.ModuleType(name)
    vars(made).update(members)
    sys.modules[name] = made
    return made


def of_types(*names):
    return {name: TYPES[name] for name in names}


def truncated(a, b):
    """Division toward zero."""
    return (a - np.fmod(a, b)) // b


COMMON = "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 complex128"


# --- PyTorch: tensors have reshape(*shape) and to(dtype), not astype; transpose exchanges two axes ---------------------


class Tensor(np.ndarray):
    def to(self, dtype):
        return np.ndarray.astype(self, dtype)

    def astype(self, *_):
        raise AttributeError("a tensor of PyTorch has no astype")

    def unsqueeze(self, dim):
        return np.expand_dims(self, dim)

    def squeeze(self, dim):
        return np.ndarray.squeeze(self, dim)

    def permute(self, *dims):
        return np.ndarray.transpose(self, dims)

    def transpose(self, dim0, dim1):
        return np.swapaxes(self, dim0, dim1)


def tensor(values, dtype):
    return np.array(values, dtype=dtype).view(Tensor)


def torch_full(size, value, *, dtype):
    assert isinstance(size, tuple)
    return np.full(size, value, dtype=dtype).view(Tensor)


def torch_div(a, b, *, rounding_mode=None):
    assert rounding_mode == "trunc"
    return truncated(a, b).view(Tensor)


def torch_function(function):
    # PyTorch takes only tensors here.
    def checked(*tensors):
        assert all(isinstance(each, Tensor) for each in tensors)
        return np.asanyarray(function(*tensors)).view(Tensor)

    return checked


module(
    "torch",
    **of_types(*COMMON.split(), "float8_e4m3fn", "float8_e5m2"),
    arange=lambda *bounds, dtype=np.int64: np.arange(*bounds).astype(dtype).view(Tensor),
    tensor=tensor,
    full=torch_full,
    broadcast_to=lambda a, shape: np.broadcast_to(a, shape, subok=True),
    broadcast_shapes=np.broadcast_shapes,
    broadcast_tensors=lambda *tensors: list(np.broadcast_arrays(*tensors, subok=True)),
    div=torch_div,
    **{
        name: torch_function(getattr(np, name))
        for name in "fmod maximum minimum logical_and logical_or logical_xor where square".split()
    },
)

# --- TensorFlow: functions alone --------------------------------------------------------------------------------------


class Static(tuple):
    """A TensorShape."""


def tf_range(*bounds, dtype=np.int32):
    return np.arange(*bounds, dtype=dtype)


def tf_fill(dims, value):
    # The value is a scalar tensor, which has its own type.
    assert isinstance(dims, tuple) and isinstance(value, np.ndarray) and value.ndim == 0
    return np.full(dims, value)


module(
    "tensorflow",
    **of_types(*COMMON.split()),
    range=tf_range,
    constant=lambda values, dtype: np.array(values, dtype=dtype),
    fill=tf_fill,
    cast=lambda a, dtype: np.asarray(a).astype(dtype),
    reshape=np.reshape,
    squeeze=lambda a, axis: np.squeeze(a, axis=tuple(axis)),
    transpose=lambda a, perm=None: np.transpose(a, perm),
    broadcast_to=np.broadcast_to,
    broadcast_static_shape=lambda a, b: np.broadcast_shapes(tuple(a), tuple(b)),
    TensorShape=Static,
    truncatediv=truncated,
    truncatemod=np.fmod,
    maximum=np.maximum,
    minimum=np.minimum,
    logical_and=np.logical_and,
    logical_or=np.logical_or,
    math=types.SimpleNamespace(logical_xor=np.logical_xor),
    bitwise=types.SimpleNamespace(
        bitwise_and=np.bitwise_and,
        bitwise_or=np.bitwise_or,
        bitwise_xor=np.bitwise_xor,
        left_shift=np.left_shift,
        right_shift=np.right_shift,
    ),
    where=np.where,
    square=np.square,
)
