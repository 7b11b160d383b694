"""Errors about chunks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .._core import format_operand
from .._errors import BroadcastError, fields

Box = tuple[tuple[int, int], ...]


class ChunkError(BroadcastError):
    """A chunk that is not what it has to be, found while it is read, computed or written.

    >>> import dask.array as da
    >>> import numpy as np
    >>> import broadloom.dask
    >>> wrong = da.ones(2).map_blocks(lambda block: block[:1], dtype=float)  # still says that its chunk has 2
    >>> try:
    ...     broadloom.dask.apply("Add", wrong, 1.0).compute(scheduler="sync")
    ... except broadloom.dask.ChunkError as error:
    ...     print(error.chunk, error.box)
    ...     print(error.message)
    (0,) ((0, 2),)
    A (lambda-...), chunk (0,), box [0:2]: the block has shape (1,), not (2,). ...
    """

    #: The name of the array: the operand's letter and Dask's name of it, or the address of a Zarr array.
    array: str
    #: Which of the array's chunks, one number for each axis.
    chunk: tuple[int, ...]
    #: The chunk's place in the array: (begin, end) for each axis.
    box: Box
    #: What is wrong, and what would help.
    reason: str

    def __init__(
        self, array: str, chunk: Sequence[int], box: Box, reason: str, error_class: str, operand: int | None = None
    ) -> None:
        self.array, self.chunk, self.box, self.reason = array, tuple(chunk), box, reason
        place = ", ".join(f"{begin}:{end}" for begin, end in box)
        message = f"{array}, chunk {self.chunk}, box [{place}]: {reason}"
        super().__init__(message, fields(error_class, operand=operand))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.array, self.chunk, self.box, self.reason, self.error_class, self.operand)


def array_name(operand: int, name: str) -> str:
    """What errors call an operand: its letter, and the array's own name."""
    return f"{format_operand(operand)} ({name})"
