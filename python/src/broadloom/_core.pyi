# Made by generate_stubs.py, in part from the core's table of operators; not to be changed by hand.
from collections.abc import Iterable, Sequence
from typing import Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from ._names import DTypeName, OpName, RuleName
from ._plans import RegionCost, UnifiedChunks
from .types import Box, DType, Names, Operand, Out, Policy, Promote, Shapes

__all__ = [
    "Plan",
    "add",
    "and_",
    "apply",
    "bit_shift",
    "bitwise_and",
    "bitwise_or",
    "bitwise_xor",
    "broadcast",
    "broadcast_to",
    "cast",
    "div",
    "dtype_name",
    "dtypes",
    "equal",
    "format_operand",
    "format_shape",
    "get_threads",
    "greater",
    "greater_or_equal",
    "infer_shape",
    "less",
    "less_or_equal",
    "max",
    "mean",
    "min",
    "mod",
    "mul",
    "not_equal",
    "numpy_dtype",
    "operators",
    "or_",
    "plan",
    "pow",
    "prelu",
    "promoted_types",
    "read_plan",
    "result_type",
    "rules",
    "set_threads",
    "squared_difference",
    "sub",
    "sum",
    "sum_to",
    "target",
    "where",
    "xor",
]

@overload
def add(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def add(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def sub(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def sub(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def mul(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def mul(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def div(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def div(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def mod(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
    fmod: int = 0,
) -> NDArray[Any]: ...
@overload
def mod(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
    fmod: int = 0,
) -> Out: ...
@overload
def pow(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def pow(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def squared_difference(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def squared_difference(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def max(
    operands: Sequence[Operand],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def max(
    operands: Sequence[Operand],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def min(
    operands: Sequence[Operand],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def min(
    operands: Sequence[Operand],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def sum(
    operands: Sequence[Operand],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def sum(
    operands: Sequence[Operand],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def mean(
    operands: Sequence[Operand],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def mean(
    operands: Sequence[Operand],
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def equal(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[np.bool_]: ...
@overload
def equal(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def not_equal(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[np.bool_]: ...
@overload
def not_equal(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def less(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[np.bool_]: ...
@overload
def less(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def less_or_equal(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[np.bool_]: ...
@overload
def less_or_equal(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def greater(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[np.bool_]: ...
@overload
def greater(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def greater_or_equal(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[np.bool_]: ...
@overload
def greater_or_equal(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def and_(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[np.bool_]: ...
@overload
def and_(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def or_(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[np.bool_]: ...
@overload
def or_(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def xor(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[np.bool_]: ...
@overload
def xor(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def bitwise_and(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def bitwise_and(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def bitwise_or(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def bitwise_or(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def bitwise_xor(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def bitwise_xor(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def bit_shift(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
    direction: Literal["left", "right"] | None = None,
) -> NDArray[Any]: ...
@overload
def bit_shift(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
    direction: Literal["left", "right"] | None = None,
) -> Out: ...
@overload
def prelu(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def prelu(
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def where(
    condition: Operand,
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
) -> NDArray[Any]: ...
@overload
def where(
    condition: Operand,
    a: Operand,
    b: Operand,
    /,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
) -> Out: ...
@overload
def cast(
    a: Operand,
    /,
    to: DType,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: None = None,
    promote: Promote = "strict",
    saturate: int = 0,
) -> NDArray[Any]: ...
@overload
def cast(
    a: Operand,
    /,
    to: DType,
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    out: Out,
    promote: Promote = "strict",
    saturate: int = 0,
) -> Out: ...

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
