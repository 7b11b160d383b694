"""Chunks as a caller gives them: checked, since Dask takes some sizes that no chunk can have."""

from __future__ import annotations

import math
from collections.abc import Iterator
from numbers import Integral
from typing import Any

import numpy as np
from dask.array.core import normalize_chunks

from .._core import show
from .._errors import refusal
from ._operands import Chunks


def read_chunks(given: Any, shape: tuple[int, ...], dtype: np.dtype[Any], name: str) -> Chunks:
    """The sizes of chunks along each axis of an array of this shape, which messages call `name`.

    `given` is what Dask takes: a number, a text such as "auto" or "64MiB", -1 or None for the whole axis, a tuple with one of
    these or with all sizes for each axis, a dict by axis. Errors: class `extent`, with the axis and the size.
    """
    try:
        given = _plain(given)
    except Exception as error:  # lists that contain themselves, or raise
        raise refusal(f"{name}: chunks={show(given)} cannot be read ({error}).", "extent") from error
    for axis, size in _sizes(given, len(shape), name):
        if isinstance(size, tuple):
            for one in size:
                if not _is_whole(one) or one < 0:
                    raise _refused(name, axis, one, "each size is a whole number of at least 0")
        elif _is_whole(size) and size < 1 and size != -1 and not (size == 0 and shape[axis] == 0):
            raise _refused(name, axis, size, "a size is at least 1, or -1 for the whole axis")
        elif not _is_whole(size) and size is not None and not isinstance(size, str):
            raise _refused(name, axis, size, "a size is a whole number, a text as '64MiB', or a tuple of all sizes")
    if math.prod(shape) == 0:
        # Dask divides by sizes and by the number of elements: an empty axis has one chunk, and so have those of texts.
        entries = _sizes(given, len(shape), name)
        given = {axis: -1 if isinstance(size, str) or _is_whole(size) and size == 0 else size for axis, size in entries}
    try:
        read: Chunks = normalize_chunks(given, shape, dtype=dtype)
    except Exception as error:
        raise refusal(f"{name}: chunks={show(given)} do not fit shape {shape} ({error}).", "extent") from error
    for axis, (sizes, extent) in enumerate(zip(read, shape, strict=True)):
        if sum(sizes) != extent or min(sizes, default=0) < 0:
            raise _refused(name, axis, sizes, f"the sizes are not those of chunks of an axis of {extent}")
    return read


def _plain(given: Any) -> Any:
    """Lists and tuples as tuples."""
    if isinstance(given, dict):
        return {axis: _plain(size) for axis, size in given.items()}
    return tuple(map(_plain, given)) if isinstance(given, (tuple, list)) else given


def _sizes(given: Any, rank: int, name: str) -> Iterator[tuple[int, Any]]:
    """The size, or the sizes, that are given for each axis."""
    if isinstance(given, dict):
        for axis, size in given.items():
            if not _is_whole(axis) or not 0 <= axis < rank:
                raise refusal(f"{name}: chunks={show(given)} have a size for axis {show(axis)}: the axes are 0 to {rank - 1}.", "extent")
            yield axis, size
    elif not isinstance(given, tuple):
        yield from ((axis, given) for axis in range(rank))
    elif rank == 1 and len(given) > 1 and all(map(_is_whole, given)):
        yield 0, given  # the sizes of the one axis
    elif len(given) != rank:
        raise refusal(f"{name}: chunks={show(given)} are given for {len(given)} axes, but the array has {rank}.", "extent")
    else:
        yield from enumerate(given)


def _is_whole(value: Any) -> bool:
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))


def _refused(name: str, axis: int, size: Any, help: str) -> Exception:
    return refusal(f"{name}: chunks of size {show(size)} along axis {axis}: {help}.", "extent", axis=axis)
