"""What a task computes: a chunk of the result, from one chunk of each operand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._core import format_shape
from .._errors import BroadcastError
from .._names import OpName
from ._errors import Box, ChunkError


@dataclass(frozen=True)
class Place:
    """Where an operand lies on the result."""

    #: What errors call it.
    name: str
    dtype: np.dtype[Any]
    #: For each axis of the operand the axis of the result on which it lies; None where its extent of 1 is used for all.
    axes: tuple[int | None, ...]


@dataclass(frozen=True)
class Block:
    """Computes chunks of a result. Called with a chunk's number and box, and with a block of each operand.

    The options are those of the whole, since a block of the operands is to its box what the operands are to the result;
    only a target shape becomes the box's.
    """

    op: OpName
    options: dict[str, Any] = field(hash=False)
    has_target: bool
    places: tuple[Place, ...]
    dtype: np.dtype[Any]

    def __call__(self, where: tuple[tuple[int, ...], Box], *blocks: Any) -> NDArray[Any]:
        chunk, box = where
        operands = [
            self._checked(number, block, chunk, box) for number, block in enumerate(blocks)
        ]
        shape = tuple(end - begin for begin, end in box)
        target: dict[str, Any] = {"target_shape": shape} if self.has_target else {}
        try:
            result: NDArray[Any] = _core.apply(self.op, operands, **target, **self.options)
        except BroadcastError as error:
            raise ChunkError("the result", chunk, box, error.message, error.error_class) from error
        if result.shape != shape or result.dtype != self.dtype:
            reason = f"{self.op} gave {result.dtype} of {result.shape}, not {self.dtype} of {shape}."
            raise ChunkError("the result", chunk, box, reason, "incompatible")
        return result

    def _checked(self, number: int, block: Any, chunk: Sequence[int], box: Box) -> NDArray[Any]:
        place = self.places[number]
        shape = tuple([1 if axis is None else box[axis][1] - box[axis][0] for axis in place.axes])
        if type(block) is np.ndarray and block.shape == shape and block.dtype == place.dtype:
            return block
        if isinstance(block, np.generic):  # what NumPy makes of an array without axes
            block = np.asarray(block)
        if type(block) is not np.ndarray:
            reason, error_class = f"the block is of {type(block).__qualname__}, not an array of NumPy", "attribute"
        elif block.shape != shape:
            reason = f"the block has shape {format_shape(block.shape)}, not {format_shape(shape)}"
            error_class = "incompatible"
        elif block.dtype != place.dtype:
            reason, error_class = f"the block has elements of {block.dtype}, not of {place.dtype}", "dtype"
        else:
            return block
        raise ChunkError(
            place.name,
            [0 if axis is None else chunk[axis] for axis in place.axes],
            tuple((0, 1) if axis is None else box[axis] for axis in place.axes),
            f"{reason}. What made it gives blocks that do not fit the array's chunks and dtype: correct it there.",
            error_class,
            number,
        )
