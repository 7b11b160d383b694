"""The common shape of shapes, and arrays repeated into it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _core
from .types import Operand, RuleName

__all__ = ["broadcast_arrays", "broadcast_shapes"]


def broadcast_shapes(*shapes: Sequence[int]) -> tuple[int, ...]:
    """The common shape of any number of shapes by the NumPy rule.

    >>> import broadloom
    >>> broadloom.broadcast_shapes((2, 1, 4), (3, 1), (1,))
    (2, 3, 4)
    """
    return _core.infer_shape("numpy", shapes)


def broadcast_arrays(*arrays: Operand, rule: RuleName = "sonnx") -> list[Any]:
    """Copies of the arrays, each repeated into the common shape, in its own type.

    >>> import broadloom
    >>> [array.tolist() for array in broadloom.broadcast_arrays([1, 2], [[3], [4]])]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]
    """
    copies = _core.apply("Broadcast", arrays, rule=rule)
    return copies if isinstance(copies, list) else [copies]
