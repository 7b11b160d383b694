"""Operators on Dask arrays."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any, Literal

import dask.array as da
import numpy as np

from .. import _core
from .._alignment import Alignment, align
from .._errors import refusal
from .._names import OpName, RuleName
from ..types import DType, Names, Policy, Promote
from ._block import Block, Place
from ._boxes import ChunkBoxes
from ._layout import MOST_GROWTH, Cost, Layout, lay_out
from ._operands import Source, read_operands


def apply(
    op: OpName,
    *operands: Any,
    rule: RuleName | None = None,
    axis: int | None = None,
    target_shape: Sequence[int] | None = None,
    axes_mapping: Sequence[int] | None = None,
    dtype: DType | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    promote: Promote = "strict",
    fmod: int | None = None,
    direction: Literal["left", "right"] | None = None,
    to: DType | None = None,
    saturate: int | None = None,
    most_growth: float = MOST_GROWTH,
    task_bytes: int | None = None,
) -> Any:
    """An operator on Dask arrays, under any rule: a Dask array, or under `sonnx` a list of
    them if there are several operands.

    Beside Dask arrays there may be arrays of NumPy, numbers and lists. The elements are those of `broadloom.apply` on
    whole arrays, bit for bit. All is checked here but the blocks themselves, which their tasks check: shapes, element
    types, attributes. `dtype` is the type that the result must have: another one is refused.

    Where operands are cut differently, the core chooses by cost: it cuts at every bound, or moves small operands to the
    chunks of large ones. The result has at most `most_growth` times the chunks that the operands and its own size ask
    for; `cost` says what is moved for that. `task_bytes` are the bytes of moving that count as much as a task, 1 MiB unless
    you give another number: with 0 nothing is moved as long as `most_growth` allows the chunks.

    Errors: those of `broadloom.apply`; class `extent` for chunks of unknown size, `attribute` for chunks that are not of
    NumPy; `ChunkError` while it is computed.

    >>> import dask.array as da
    >>> import broadloom.dask
    >>> x, y = da.ones((2, 3), chunks=(1, 3)), da.arange(2.0, chunks=1)
    >>> broadloom.dask.apply("Add", x, y, rule="pdpd", axis=0).compute().tolist()
    [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]
    """
    return _read(op, operands, _options(locals()), promote, dtype, 1, most_growth, task_bytes).results()


def cost(
    op: OpName,
    *operands: Any,
    rule: RuleName | None = None,
    axis: int | None = None,
    target_shape: Sequence[int] | None = None,
    axes_mapping: Sequence[int] | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    promote: Promote = "strict",
    fmod: int | None = None,
    direction: Literal["left", "right"] | None = None,
    to: DType | None = None,
    saturate: int | None = None,
    most_growth: float = MOST_GROWTH,
    task_bytes: int | None = None,
    threads: int = 1,
) -> Cost:
    """What `apply` with these arguments will cost, without making the array. `threads` is how many a worker has.

    Errors: those of `apply`; class `attribute` for `threads` that is not a whole number of at least 1.

    >>> import dask.array as da
    >>> import broadloom.dask
    >>> x, y = da.ones((400, 400), chunks=(10, 400)), da.ones((400, 400), chunks=(400, 10))
    >>> print(broadloom.dask.cost("Add", x, y))
    40 chunks stay 40; 1.3 MB are moved, up to 2.6 MB of pieces are kept; peak 2.6 MB per worker with 1 thread
    """
    return _read(op, operands, _options(locals()), promote, None, threads, most_growth, task_bytes).layout.cost


def broadcast_to(
    array: Any,
    shape: Sequence[int],
    *,
    rule: RuleName | None = None,
    axis: int | None = None,
    axes_mapping: Sequence[int] | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    most_growth: float = MOST_GROWTH,
    task_bytes: int | None = None,
) -> da.Array:
    """An array repeated into a shape, as `broadloom.broadcast_to` does.

    Axes along which it repeats get chunks of Dask's configured size (`array.chunk-size`).

    >>> import dask.array as da
    >>> import broadloom.dask
    >>> broadloom.dask.broadcast_to(da.arange(2, chunks=1), (2, 3), rule="explicit", axes_mapping=[0]).compute().tolist()
    [[0, 0, 0], [1, 1, 1]]
    """
    [source], _ = read_operands("Broadcast", [array], False)
    growth: dict[str, Any] = dict(most_growth=most_growth, task_bytes=task_bytes)
    options: dict[str, Any] = dict(axis=axis, axes_mapping=axes_mapping, policy=policy, names=names)
    row = _core.rule_rows().get(rule) if isinstance(rule, str) else None
    if row is None or row["takes_target"]:  # apply refuses a rule that does not exist
        return apply("Broadcast", array, rule=rule, target_shape=shape, **growth, **options)
    mapping = _core.map_axes(source.shape, shape, rule=rule, **options)
    placed = source.cut(source.chunks)[(slice(None),) * len(mapping) + (0,) * (len(source.shape) - len(mapping))]
    return apply(
        "Broadcast", placed, rule="explicit", target_shape=shape, axes_mapping=mapping, **growth
    )


#: Arguments that are options of the operator, and how they are called there.
_OPTIONS = ("rule", "axis", "target_shape", "axes_mapping", "policy", "names", "fmod", "direction", "to", "saturate")


def _options(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: arguments[name] for name in _OPTIONS if arguments.get(name) is not None}


@dataclass(frozen=True)
class _Call:
    """A call that is known to be right, and how it is cut into tasks."""

    plan: _core.Plan
    alignment: Alignment
    #: The options that the block of a task has as well.
    options: dict[str, Any]
    sources: list[Source]
    places: tuple[Place, ...]
    #: For each axis of each operand the axis of the result by whose chunks Dask finds the block.
    labels: list[tuple[int, ...]]
    layout: Layout

    def results(self) -> Any:
        rule = self.plan.rule
        row = _core.rule_rows()[rule]
        dtypes = [_core.numpy_dtype(name) for name in self.plan.result_dtypes]
        if not row["returns_each"]:
            options = {**self.options, "rule": rule}
            every = range(len(self.sources))
            return self._result(Block(self.plan.op, options, row["takes_target"], self.places, dtypes[0]), every)
        # Each result needs its own operand alone, placed on the axes that the alignment gives it.
        results = []
        for number, dtype in enumerate(dtypes):
            mapping = [it.axis for it in self.alignment.axes if it.cells[number].source_axis is not None]
            options = {"rule": "explicit", "axes_mapping": mapping}
            block = Block("Broadcast", options, True, (self.places[number],), dtype)
            results.append(self._result(block, [number]))
        return results[0] if len(results) == 1 else results  # as broadloom.apply does

    def _result(self, block: Block, operands: Sequence[int]) -> da.Array:
        axes = tuple(range(len(self.layout.result)))
        pairs: list[Any] = [ChunkBoxes(self.layout.result), axes]
        for number in operands:
            pairs += [self.sources[number].cut(self.layout.operands[number]), self.labels[number]]
        return da.blockwise(
            block,
            axes,
            *pairs,
            token=f"broadloom-{block.op.lower()}",
            dtype=block.dtype,
            meta=np.empty((0,) * len(axes), block.dtype),
            align_arrays=False,  # they are aligned
        )


def _read(
    op: OpName,
    operands: Sequence[Any],
    options: dict[str, Any],
    promote: Promote,
    dtype: DType | None,
    threads: int,
    most_growth: float,
    task_bytes: int | None,
) -> _Call:
    if not isinstance(promote, str) or promote not in ("strict", "numpy2"):
        raise refusal(f"promote is 'strict' or 'numpy2', not {_core.show(promote)}.", "attribute")
    if not isinstance(most_growth, (int, float)) or not most_growth >= 1:
        raise refusal(f"most_growth is a number of at least 1, not {_core.show(most_growth)}.", "attribute")
    if not isinstance(threads, Integral) or isinstance(threads, bool) or threads < 1:
        raise refusal(f"threads is a whole number of at least 1, not {_core.show(threads)}.", "attribute")
    sources, types = read_operands(op, operands, promote == "numpy2")
    shapes = [source.shape for source in sources]
    options = dict(options)
    rule = options.pop("rule", None)
    plan = _core.plan(op, rule, shapes, types, **options)
    if dtype is not None and _core.dtype_name(dtype) not in plan.result_dtypes:
        raise refusal(
            f"The result of {plan.op} has elements of {plan.result_dtypes[0]}, not of {_core.dtype_name(dtype)}: "
            f"convert it with Cast, or the operands before.",
            "dtype",
            op=plan.op,
            dtype=plan.result_dtypes[0],
            other_dtype=_core.dtype_name(dtype),
        )
    asked = {name: options[name] for name in ("axis", "target_shape", "axes_mapping") if name in options}
    alignment = align(plan.rule, shapes, **asked)
    places, labels = [], []
    for number, source in enumerate(sources):
        lies_on, label = _axes_of(alignment, number, len(source.shape))
        places.append(Place(source.name, _core.numpy_dtype(source.dtype), lies_on))
        labels.append(label)
    layout = lay_out(plan, sources, places, int(threads), most_growth, task_bytes)
    # What a policy allows is said of the whole.
    block_options = {key: value for key, value in options.items() if key not in ("target_shape", "policy", "names")}
    if promote == "numpy2":
        block_options["promote"] = promote
    return _Call(plan, alignment, block_options, sources, tuple(places), labels, layout)


def _axes_of(alignment: Alignment, operand: int, rank: int) -> tuple[tuple[int | None, ...], tuple[int, ...]]:
    lies_on: list[int | None] = [None] * rank
    labels: list[int | None] = [None] * rank
    for axis in alignment.axes:
        cell = axis.cells[operand]
        if cell.source_axis is None:
            continue
        labels[cell.source_axis] = axis.axis
        if cell.relation == "match":
            lies_on[cell.source_axis] = axis.axis
    # An axis of extent 1 without a place, which PDPD allows at B's end, has one block: any other axis finds it.
    unused = (axis.axis for axis in alignment.axes if axis.axis not in labels)
    return tuple(lies_on), tuple(next(unused) if label is None else label for label in labels)
