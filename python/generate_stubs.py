"""Writes src/broadloom/_core.pyi, the types of the extension module's functions, of which those of operators are made from
the core's table, and src/broadloom/_names.py, the names that the core knows. With --check it writes nothing, and fails where
a file differs.

    build/python/venv/bin/python python/generate_stubs.py [--check]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from broadloom import _core

FOLDER = Path(__file__).parent / "src" / "broadloom"

HEAD = '''\
# Made by generate_stubs.py, in part from the core's table of operators; not to be changed by hand.
from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from ._names import DTypeName, OpName, RuleName
from ._plans import RegionCost, UnifiedChunks
from .types import Box, DType, Names, Operand, Out, Policy, Promote, Shapes

__all__ = [
{public}
]
'''

NAMES = '''\
"""The names that the core knows. Made by generate_stubs.py; not to be changed by hand."""

from typing import Literal, TypeAlias

RuleName: TypeAlias = Literal[
{rules}
]
OpName: TypeAlias = Literal[
{ops}
]
DTypeName: TypeAlias = Literal[
{dtypes}
]
'''

TAIL = '''
def apply(
    op: OpName,
    operands: Sequence[Operand],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    target_shape: Sequence[int] | None = None,
    axes_mapping: Sequence[int] | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Any = None,
    promote: Promote = "strict",
    fmod: int | None = None,
    direction: Literal["left", "right"] | None = None,
    to: DType | None = None,
    saturate: int | None = None,
) -> Any: ...
@overload
def broadcast_to(
    array: Operand,
    shape: Sequence[int],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    axes_mapping: Sequence[int] | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
) -> NDArray[Any]: ...
@overload
def broadcast_to(
    array: Operand,
    shape: Sequence[int],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    axes_mapping: Sequence[int] | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
) -> Out: ...
@overload
def broadcast(
    array: Operand,
    target_shape: Sequence[int],
    /,
    *,
    mode: Literal["numpy", "bidirectional", "explicit"] = "numpy",
    axes_mapping: Sequence[int] | None = None,
    out: None = None,
) -> NDArray[Any]: ...
@overload
def broadcast(
    array: Operand,
    target_shape: Sequence[int],
    /,
    *,
    mode: Literal["numpy", "bidirectional", "explicit"] = "numpy",
    axes_mapping: Sequence[int] | None = None,
    out: Out,
) -> Out: ...
@overload
def sum_to(
    array: Operand,
    shape: Sequence[int],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    axes_mapping: Sequence[int] | None = None,
    out: None = None,
) -> NDArray[Any]: ...
@overload
def sum_to(
    array: Operand,
    shape: Sequence[int],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    axes_mapping: Sequence[int] | None = None,
    out: Out,
) -> Out: ...
def infer_shape(
    rule: RuleName,
    shapes: Shapes,
    /,
    *,
    axis: int | None = None,
    target_shape: Sequence[int] | None = None,
    axes_mapping: Sequence[int] | None = None,
    dtype: DType | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
) -> tuple[int, ...]: ...
def plan(
    op: OpName,
    rule: RuleName | None,
    shapes: Shapes,
    dtypes: Sequence[DType],
    /,
    *,
    axis: int | None = None,
    target_shape: Sequence[int] | None = None,
    axes_mapping: Sequence[int] | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    fmod: int | None = None,
    direction: Literal["left", "right"] | None = None,
    to: DType | None = None,
    saturate: int | None = None,
) -> Plan: ...

class Plan:
    @property
    def op(self) -> OpName: ...
    @property
    def rule(self) -> RuleName: ...
    @property
    def shapes(self) -> tuple[tuple[int, ...], ...]: ...
    @property
    def dtypes(self) -> tuple[DTypeName, ...]: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def result_dtypes(self) -> tuple[DTypeName, ...]: ...
    def run(self, inputs: Sequence[Operand], out: Any = None) -> Any: ...
    def run_region(self, box: Box, inputs: Sequence[Operand], out: Any = None) -> Any: ...
    def input_regions(self, box: Box) -> tuple[tuple[tuple[int, int], ...], ...]: ...
    def within(self, box: Box) -> Plan: ...
    def cost(self, box: Box) -> RegionCost: ...
    def unify_chunks(
        self,
        chunks: Sequence[Sequence[Sequence[int]]],
        *,
        memory_bytes: int | None = None,
        most_chunks: int | None = None,
        task_bytes: int | None = None,
    ) -> UnifiedChunks: ...
    def to_json(self) -> str: ...
    def __reduce__(self) -> tuple[Any, ...]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def read_plan(text: str, /) -> Plan: ...
def result_type(*operands: DType | Operand) -> DTypeName: ...
def promoted_types(op: OpName, /, *operands: DType | Operand) -> tuple[DTypeName | None, ...]: ...
def numpy_dtype(dtype: DType, /) -> np.dtype[Any]: ...
def dtype_name(dtype: DType, /) -> DTypeName: ...
def format_shape(shape: Sequence[int], /) -> str: ...
def format_operand(operand: int, /) -> str: ...
def show(value: object, /) -> str: ...
def set_threads(threads: int, /) -> int: ...
def get_threads() -> int: ...

operators: dict[OpName, str]
dtypes: tuple[DTypeName, ...]
rules: tuple[RuleName, ...]
target: str

# --- What the package's own Python builds on --------------------------------------------------------------------------

class AlignmentMap:
    def source_of(self, operand: int, index: Sequence[int]) -> tuple[int, ...]: ...
    def fan_out(self, operand: int, index: Sequence[int]) -> tuple[tuple[int, int], ...]: ...

def map_axes(
    shape: Sequence[int],
    target_shape: Sequence[int],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    axes_mapping: Sequence[int] | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
) -> tuple[int, ...]: ...
def settled_types(op: OpName, promote: bool, /, *operands: Operand) -> tuple[DTypeName, ...]: ...
def align_map(
    rule: RuleName,
    shapes: Shapes,
    /,
    *,
    axis: int | None = None,
    target_shape: Sequence[int] | None = None,
    axes_mapping: Sequence[int] | None = None,
    dtype: DType | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    op: OpName | None = None,
) -> tuple[AlignmentMap, Any, dict[str, Any]]: ...
def document(
    rule: RuleName,
    shapes: Shapes,
    /,
    *,
    axis: int | None = None,
    target_shape: Sequence[int] | None = None,
    axes_mapping: Sequence[int] | None = None,
    dtype: DType | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    op: OpName | None = None,
    expect: Iterable[str] | None = None,
    expressions: Iterable[str] | None = None,
    link_base: str | None = None,
    pasted: Sequence[str] | None = None,
    mode: str | None = None,
) -> str: ...
def read_pasted(text: str, /) -> str: ...
def read_shapes(text: str, /) -> str: ...
def op_rows() -> dict[str, dict[str, Any]]: ...
def rule_rows() -> dict[str, dict[str, Any]]: ...
def error_rows() -> dict[str, str]: ...
'''

COMPARED = {"Equal", "NotEqual", "Less", "LessOrEqual", "Greater", "GreaterOrEqual", "And", "Or", "Xor"}


def operands_of(op: str, row: dict[str, Any]) -> list[str]:
    if row["most_operands"] == 0:
        return ["operands: Sequence[Operand]"]
    names = ["condition", "a", "b"] if row["most_operands"] == 3 else ["a", "b"]
    return [f"{name}: Operand" for name in names[: row["most_operands"]]]


def attributes_of(row: dict[str, Any]) -> tuple[list[str], list[str]]:
    """Positional arguments and keywords of an operator's attribute."""
    match row["attribute"]:
        case "fmod":
            return [], ["fmod: int = 0"]
        case "direction":
            return [], ['direction: Literal["left", "right"] | None = None']
        case "to":
            return ["to: DType"], ["saturate: int = 0"]
        case _:
            return [], []


def function(op: str, row: dict[str, Any], with_out: bool) -> str:
    positional, keywords = attributes_of(row)
    result = "NDArray[np.bool_]" if op in COMPARED else "NDArray[Any]"
    lines = [
        *operands_of(op, row),
        "/",
        *positional,
        "*",
        "rule: RuleName | None = None",
        "axis: int | None = None",
        "policy: Policy | None = None",
        "names: Names | None = None",
        "out: Out" if with_out else "out: None = None",
        'promote: Promote = "strict"',
        *keywords,
    ]
    body = "".join(f"    {line},\n" for line in lines)
    return f"@overload\ndef {row['function']}(\n{body}) -> {'Out' if with_out else result}: ...\n"


def lines_of(names: Any) -> str:
    return "\n".join(f'    "{name}",' for name in names)


def files() -> dict[str, str]:
    rows = _core.op_rows()
    functions = [
        function(op, row, with_out) for op, row in rows.items() if op != "Broadcast" for with_out in (False, True)
    ]
    names = NAMES.format(rules=lines_of(_core.rules), ops=lines_of(rows), dtypes=lines_of(_core.dtypes))
    stub = HEAD.format(public=lines_of(_core.__all__)) + "\n" + "".join(functions) + TAIL
    return {"_core.pyi": stub, "_names.py": names}


if __name__ == "__main__":
    for name, text in files().items():
        if "--check" not in sys.argv:
            (FOLDER / name).write_text(text)
        elif (FOLDER / name).read_text() != text:
            sys.exit(f"{name} differs from the core: run python/generate_stubs.py")
