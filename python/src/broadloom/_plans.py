"""What plans return, and how they are unpickled."""

from __future__ import annotations

import copyreg
from typing import Any, NamedTuple

from . import _core
from .types import Box

__all__ = ["RegionCost", "UnifiedChunks"]


class RegionCost(NamedTuple):
    """What it takes to compute a box of a plan's result, in bytes."""

    #: Of all input regions together; each element counts once.
    read: int
    #: Of the results.
    written: int
    #: The most memory that is in use at once.
    peak: int
    #: Of the input region of each operand.
    operands: tuple[int, ...]


class UnifiedChunks(NamedTuple):
    """Chunks with which each chunk of the result is computed from one chunk of each operand, and what that costs."""

    #: For each axis of the result the extents of its chunks.
    result: tuple[tuple[int, ...], ...]
    #: For each operand, for each of its axes, the extents of the chunks that it has to have.
    operands: tuple[tuple[tuple[int, ...], ...], ...]
    #: For each operand whether these differ from its own chunks.
    rechunks: tuple[bool, ...]
    #: For each operand the bytes of new chunks that are joined of several pieces.
    moved_of: tuple[int, ...]
    #: The chunks of the result, and the parts into which the operands' old chunks are cut.
    chunks: int
    pieces: int
    #: Of all operands.
    moved: int
    #: The most memory that is in use at once while a chunk of the result is computed.
    peak: int


def make_plan(text: str, boxes: tuple[Box, ...]) -> _core.Plan:
    """The plan of a text, or of boxes of it: what pickle calls, in this process or another."""
    plan = _core.read_plan(text)
    for box in boxes:
        plan = plan.within(box)
    return plan


def _reduce_method(method: Any) -> tuple[Any, ...]:
    return getattr, (method.__self__, method.__name__)


# So that pool.map(plan.input_regions, boxes) works: bound methods of the extension module's classes cannot be pickled else.
copyreg.pickle(type(_core.plan("Max", None, [()], ["f32"]).run), _reduce_method)
