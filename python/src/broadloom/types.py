"""Types of arguments, for annotations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias, TypeVar, Union

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ._names import DTypeName, OpName, RuleName

if TYPE_CHECKING:
    from typing_extensions import CapsuleType
else:
    CapsuleType = Any

__all__ = [
    "Box",
    "DType",
    "DTypeName",
    "Names",
    "OpName",
    "Operand",
    "Out",
    "Policy",
    "Promote",
    "RuleName",
    "Shapes",
]


class SupportsDLPack(Protocol):
    """A tensor of any library."""

    def __dlpack__(self) -> CapsuleType: ...


class SupportsArrayInterface(Protocol):
    """An array that describes its memory as NumPy does."""

    @property
    def __array_interface__(self) -> dict[str, Any]: ...


class SupportsArray(Protocol):
    """What NumPy makes an array of."""

    def __array__(self) -> NDArray[Any]: ...


class SupportsBuffer(Protocol):
    """Bytes, memoryview, array.array, mmap and others."""

    def __buffer__(self, flags: int, /) -> memoryview: ...


Number: TypeAlias = bool | int | float
Nested: TypeAlias = Union[Sequence[Number], Sequence["Nested"]]
#: Anything that can be an operand. Numbers and lists of them take the type of the other operands.
Operand: TypeAlias = (
    NDArray[Any]
    | np.generic
    | SupportsDLPack
    | SupportsArrayInterface
    | SupportsArray
    | SupportsBuffer
    | CapsuleType
    | Number
    | complex
    | Nested
)
#: What a result can be written into: the call returns it.
Out = TypeVar("Out", NDArray[Any], SupportsDLPack, SupportsArrayInterface, SupportsBuffer)
#: An element type: Broadloom's name of it, or NumPy's dtype.
DType: TypeAlias = DTypeName | DTypeLike
#: What a call refuses although its rule allows it; a list has the relations that are allowed.
Policy: TypeAlias = (
    Literal["no_rank_promotion", "no_stretching", "same_names"] | Sequence[Literal["match", "insert", "stretch"]]
)
#: Whether mixed element types are refused, or promoted as NumPy 2 does.
Promote: TypeAlias = Literal["strict", "numpy2"]
#: For each operand the names of its axes; None for an axis: it has none.
Names: TypeAlias = Sequence[Sequence[str | None] | None]
#: A range for each axis of the result.
Box: TypeAlias = Sequence[tuple[int, int] | slice]
#: Shapes, or arrays, which stand for their shapes.
Shapes: TypeAlias = Sequence[Any]
