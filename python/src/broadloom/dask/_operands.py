"""Operands of a call: Dask arrays, and arrays, numbers and lists beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import dask.array as da
import numpy as np
from dask.base import tokenize
from numpy.typing import NDArray

from .. import _core
from .._errors import refusal
from .._names import DTypeName, OpName
from ._errors import array_name

#: The sizes of chunks along each axis.
Chunks: TypeAlias = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Source:
    """An operand that is cut into chunks, or can be."""

    name: str
    shape: tuple[int, ...]
    dtype: DTypeName
    #: An array in memory is one chunk.
    chunks: Chunks
    array: da.Array | NDArray[Any]

    def cut(self, chunks: Chunks) -> da.Array:
        """As a Dask array of these chunks."""
        if isinstance(self.array, da.Array):
            return self.array if chunks == self.chunks else self.array.rechunk(chunks)
        # Each chunk becomes a view in the graph, so that nothing has to be cut later.
        name = f"array-{tokenize(self.array, chunks)}"
        return da.from_array(self.array, chunks=chunks, name=name, inline_array=True)


def read_operands(op: OpName, values: Sequence[Any], promote: bool) -> tuple[list[Source], tuple[DTypeName, ...]]:
    """The operands, and the element type in which each is computed.

    An array's own type is that of its `Source`; promotion may compute it in another. Numbers and lists have the second
    from the start.
    """
    for number, value in enumerate(values):
        if isinstance(value, da.Array):
            _check(number, value)
    types = _core.settled_types(op, promote, *(_stand_in(value) for value in values))
    return [_source(number, value, types[number]) for number, value in enumerate(values)], types


def _check(number: int, array: da.Array) -> None:
    name = array_name(number, array.name)
    for axis, sizes in enumerate(array.chunks):
        if any(np.isnan(size) for size in sizes):
            raise refusal(
                f"{name}: the sizes of the chunks along axis {axis} are not known, as after indexing by a mask, so they "
                f"cannot be lined up with other chunks. Call compute_chunk_sizes() on the array first.",
                "extent",
                operand=number,
                operand_axis=axis,
            )
    if type(array._meta) is not np.ndarray:
        raise refusal(
            f"{name}: its chunks are of {type(array._meta).__module__}.{type(array._meta).__qualname__}, not arrays of "
            f"NumPy. Convert them first: map_blocks(numpy.asarray), or filled() of a masked array.",
            "attribute",
            operand=number,
        )


# What has the type of an operand: of an array nothing but its type matters.
def _stand_in(value: Any) -> Any:
    return np.empty(0, value.dtype) if isinstance(value, da.Array) else value


def _source(number: int, value: Any, dtype: DTypeName) -> Source:
    if isinstance(value, da.Array):
        own = _core.dtype_name(value.dtype)
        return Source(array_name(number, value.name), value.shape, own, value.chunks, value)
    if _has_type(value):
        array = np.asarray(value)
        own = _core.dtype_name(array.dtype)
    else:
        array, own = np.asarray(value, _core.numpy_dtype(dtype)), dtype
    return Source(array_name(number, type(value).__name__), array.shape, own, tuple((n,) for n in array.shape), array)


def _has_type(value: Any) -> bool:
    return not isinstance(value, (bool, int, float, complex, list, tuple))
