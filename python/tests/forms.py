"""Arrays for tests: random elements of any type, and every form in which NumPy may hold them."""

from __future__ import annotations

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]

#: Broadloom's types, and the dtypes that hold them.
DTYPES: dict[str, np.dtype] = {
    "bool": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "u8": np.dtype(np.uint8),
    "u16": np.dtype(np.uint16),
    "u32": np.dtype(np.uint32),
    "u64": np.dtype(np.uint64),
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "f8e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "c64": np.dtype(np.complex64),
    "c128": np.dtype(np.complex128),
    "i4": np.dtype(ml_dtypes.int4),
    "u4": np.dtype(ml_dtypes.uint4),
}
INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]


def random_shapes(rng: np.random.Generator, operands: int = 2) -> tuple[tuple[int, ...], list[tuple[int, ...]]]:
    """A result's shape, and shapes of operands that broadcast to it by the NumPy rule."""
    rank = int(rng.integers(0, 5))
    # Extents around the lengths of vectors; 0 seldom, since nothing is computed then.
    result = tuple(int(extent) for extent in rng.choice([1, 2, 3, 4, 5, 8, 17, 33], size=rank))
    if rank and rng.random() < 0.05:
        result = (*result[:-1], 0)
    shapes = []
    for operand in range(operands):
        shape = [1 if rng.random() < 0.3 else extent for extent in result]
        if operand == 0:
            shape = list(result)  # so that the result's shape is known
        elif rng.random() < 0.4:
            shape = shape[int(rng.integers(0, rank + 1)) :]
        shapes.append(tuple(shape))
    order = rng.permutation(operands)
    return result, [shapes[i] for i in order]


def random_array(rng: np.random.Generator, shape: tuple[int, ...], dtype: np.dtype, small: bool = False) -> Array:
    """Random elements: of integers any bits, or with `small` 0 to 9; of floats also infinities, NaN and both zeros."""
    count = int(np.prod(shape, dtype=np.int64))
    if dtype == np.bool_:
        return (rng.random(count) < 0.5).reshape(shape)
    if small:
        return rng.integers(0, 10, count).astype(dtype).reshape(shape)
    if dtype.kind in "iu":
        return np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).copy().reshape(shape)
    values = rng.standard_normal(count) * 10.0 ** rng.integers(-2, 3, count)
    special = rng.random(count)
    for i, value in enumerate((np.inf, -np.inf, np.nan, 0.0, -0.0)):
        values[(special > i * 0.01) & (special < (i + 1) * 0.01)] = value
    if dtype.name in ("int4", "uint4"):
        values = rng.integers(0, 8, count).astype(np.int8)
    with np.errstate(all="ignore"):
        return values.astype(dtype).reshape(shape)


def in_form(rng: np.random.Generator, array: Array) -> Array:
    """The same elements in a random form: strided, reversed, transposed, misaligned, read-only, a field of records."""
    form = int(rng.integers(0, 8))
    if form == 0 or array.ndim == 0:
        return array
    if form == 1:  # other order of axes
        order = rng.permutation(array.ndim)
        return np.ascontiguousarray(array.transpose(order)).transpose(np.argsort(order))
    if form == 2:  # reversed
        flips = tuple(slice(None, None, -1) if rng.random() < 0.5 else slice(None) for _ in array.shape)
        return np.ascontiguousarray(array[flips])[flips]
    if form == 3:  # every second or third element, with an offset
        steps = rng.integers(1, 4, array.ndim)
        holder = np.zeros([extent * step + 1 for extent, step in zip(array.shape, steps, strict=True)], array.dtype)
        view = holder[tuple(slice(1, 1 + extent * step, step) for extent, step in zip(array.shape, steps, strict=True))]
        view[...] = array
        return view
    if form == 4:  # misaligned
        data = np.zeros(array.nbytes + 1, np.uint8)
        view = data[1:].view(array.dtype).reshape(array.shape)
        view[...] = array
        return view
    if form == 5:  # read-only
        copy = array.copy()
        copy.flags.writeable = False
        return copy
    if form == 6:  # a field of records, whose strides are no multiples of the element's width
        records = np.zeros(array.shape, np.dtype([("other", np.uint8), ("value", array.dtype)]))
        records["value"] = array
        return records["value"]
    return np.asfortranarray(array)


def repeated(rng: np.random.Generator, array: Array) -> Array:
    """Its first element along a random axis, for the whole axis: a stride of 0."""
    if array.size == 0 or array.ndim == 0:
        return array
    axis = int(rng.integers(0, array.ndim))
    return np.broadcast_to(array.take([0], axis), array.shape)
