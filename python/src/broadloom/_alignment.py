"""Alignments and explanations, made from the core's documents."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from . import _core
from ._errors import BroadcastError, refusal
from .types import DType, Names, OpName, Policy, RuleName

__all__ = [
    "AlignedAxis",
    "Alignment",
    "Cause",
    "Cell",
    "Conflict",
    "Explanation",
    "Repair",
    "Warning",
    "align",
    "explain",
    "read_pasted",
    "read_shapes",
]

#: Rows of more axes are shortened where they are printed: the last ones stay.
MOST_PRINTED_AXES = 24


@dataclass(frozen=True)
class Cell:
    """One operand along one axis of the result."""

    #: The operand's axis; None where it has no such axis.
    source_axis: int | None
    #: "match", "stretch", "insert" or "conflict".
    relation: str
    #: The clause that governs it.
    clause: str
    #: The operand's extent; 1 where it has no such axis.
    extent: int
    #: The stride of a dense operand along the axis, in elements; None where there is none.
    stride: int | None


@dataclass(frozen=True)
class AlignedAxis:
    """One axis of the result."""

    axis: int
    #: The result's extent; None along a conflict.
    extent: int | None
    conflict: bool
    #: One for each operand.
    cells: tuple[Cell, ...]
    #: The target shape's cell; None without a target.
    target: Cell | None
    #: A sentence on how the operands come to this extent; None from the 1025th axis on.
    why: str | None


@dataclass(frozen=True)
class Conflict:
    """Two operands whose extents conflict along one axis of the result. Operand -2 is the target shape."""

    axis: int
    operand: int
    other_operand: int
    operand_axis: int
    other_axis: int
    extent: int
    other_extent: int
    clause: str


@dataclass(frozen=True)
class Cause:
    """The likeliest cause of shapes that do not fit."""

    kind: str
    #: The operand that is probably to be changed; -2 for the target; None where none is likelier than the others.
    operand: int | None
    axis: int | None
    #: Whether there is little evidence.
    is_thin: bool
    text: str


@dataclass(frozen=True)
class Repair:
    """A change with which the shapes fit."""

    kind: str
    operand: int | None
    shape: tuple[int, ...] | None
    axes: tuple[int, ...]
    rule: str
    axis: int | None
    axes_mapping: tuple[int, ...] | None
    #: "certain", "likely" or "only_if_meant".
    grade: str
    meaning: str
    #: The result's shape after the change.
    result: tuple[int, ...]
    needs_new_array: bool
    #: The line of code for each system by its id, such as "numpy"; None where it has none.
    code: dict[str, str | None]


@dataclass(frozen=True)
class Warning:
    """A reason to doubt shapes that fit."""

    kind: str
    axes: tuple[int, ...]
    message: str
    systems: tuple[str, ...]


class Alignment:
    """What a rule says about shapes: for each operand and each axis of the result a cell. `str()` of it is a table.

    >>> import broadloom
    >>> print(broadloom.align("numpy", [(2, 1, 4), (3, 1)]))
            axis 0    axis 1    axis 2
    A       2 match   1 stretch 4 match
    B       - insert  3 match   1 stretch
    result  2         3         4
    """

    rule: RuleName
    op: OpName | None
    #: The shapes, as they were given.
    operands: tuple[tuple[int, ...], ...]
    axis: int | None
    target_shape: tuple[int, ...] | None
    axes_mapping: tuple[int, ...] | None
    #: Whether the shapes fit.
    fits: bool
    #: The result's shape; None if they do not.
    shape: tuple[int, ...] | None
    axes: tuple[AlignedAxis, ...]
    conflicts: tuple[Conflict, ...]
    #: Whether there are several operands and each is repeated along some axis.
    grows_both: bool
    #: A sentence: which operands are repeated, or what is wrong.
    verdict: str
    #: The first error in the order of the rules; None if the shapes fit.
    error: BroadcastError | None

    def __init__(
        self,
        document: dict[str, Any],
        core_map: _core.AlignmentMap,
        error: BroadcastError | None,
        question: dict[str, Any],
    ) -> None:
        self._map = core_map
        self._question = question
        self.error = error
        self.rule = document["rule"]
        self.op = document["op"]
        self.operands = tuple(_integers(operand["shape"]) for operand in document["operands"])
        self.axis = _integer(document["axis"])
        self.target_shape = _optional_integers(document["targetShape"])
        self.axes_mapping = _optional_integers(document["axesMapping"])
        self.fits = document["fits"]
        self.shape = _optional_integers(document["shape"])
        self.axes = tuple(
            AlignedAxis(
                axis=axis["axis"],
                extent=_integer(axis["extent"]),
                conflict=axis["conflict"],
                cells=tuple(_cell(cell) for cell in axis["cells"]),
                target=None if axis["target"] is None else _cell(axis["target"]),
                why=axis["why"],
            )
            for axis in document["axes"]
        )
        self.conflicts = tuple(
            Conflict(**{**_snake(conflict), "extent": int(conflict["extent"]), "other_extent": int(conflict["otherExtent"])})
            for conflict in document["conflicts"]
        )
        self.grows_both = document["growsBoth"]
        self.verdict = document["verdict"]

    def source_of(self, operand: int, index: Sequence[int]) -> tuple[int, ...]:
        """Which element of an operand the result's element at `index` is computed from.

        >>> import broadloom
        >>> broadloom.align("numpy", [(2, 1, 4), (3, 1)]).source_of(1, (1, 2, 3))
        (2, 0)
        """
        return self._map.source_of(operand, index)

    def fan_out(self, operand: int, index: Sequence[int]) -> tuple[tuple[int, int], ...]:
        """Which elements of the result read an operand's element: a box, as (begin, end) for each axis.

        >>> import broadloom
        >>> broadloom.align("numpy", [(2, 1, 4), (3, 1)]).fan_out(1, (2, 0))
        ((0, 2), (2, 3), (0, 4))
        """
        return self._map.fan_out(operand, index)

    def __reduce__(self) -> tuple[Any, ...]:
        return _align, (self._question,)

    def __eq__(self, other: object) -> bool:
        return self._question == other._question if isinstance(other, Alignment) else NotImplemented

    def __hash__(self) -> int:
        return hash((self.rule, self.operands))

    def __repr__(self) -> str:
        return f"<Alignment {self.rule} {', '.join(map(_core.format_shape, self.operands))}: {self.verdict}>"

    def __str__(self) -> str:
        return "\n".join(_table(self))


@dataclass(frozen=True)
class Explanation:
    """Everything that is known about shapes under a rule. `str()` of it is a text for people."""

    alignment: Alignment
    cause: Cause | None
    repairs: tuple[Repair, ...]
    warnings: tuple[Warning, ...]
    #: The address that opens the playground at the question; None without `link_base`, or where it cannot be shown.
    link: str | None
    why_no_link: str | None

    @property
    def details(self) -> str:
        """The text without the verdict: the table, the cause, what would work, warnings and the link."""
        lines = [str(self.alignment)]
        if self.cause is not None:
            lines += ["", f"{'Perhaps' if self.cause.is_thin else 'Likely cause'}: {self.cause.text}"]
        for warning in self.warnings:
            lines += ["", f"Warning ({warning.kind}): {warning.message}"]
        if self.repairs:
            changes = [_change(repair, self.alignment) for repair in self.repairs]
            width = max(map(len, changes))
            lines += ["", "What would work:"]
            for change, repair in zip(changes, self.repairs, strict=True):
                # A line for another rule or axis would place the operands, which the option does by itself.
                line = None if repair.operand is None else repair.code.get("numpy")
                lines.append(
                    f"  {change:{width}}  gives {_core.format_shape(repair.result)}" + ("" if line is None else f": {line}")
                )
        if self.link is not None:
            lines += ["", f"Open: {self.link}"]
        return "\n".join(lines)

    def __str__(self) -> str:
        return f"{self.alignment.verdict}\n\n{self.details}"


def align(
    rule: RuleName,
    shapes: Iterable[Any],
    *,
    axis: int | None = None,
    target_shape: Sequence[int] | None = None,
    axes_mapping: Sequence[int] | None = None,
    dtype: DType | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    op: OpName | None = None,
) -> Alignment:
    """Applies a rule to shapes. Shapes that do not fit are no error of this call: the alignment has an `error`.

    Arrays stand for their shapes.

    >>> import broadloom
    >>> alignment = broadloom.align("numpy", [(2, 3), (4,)])
    >>> alignment.fits, alignment.error.error_class
    (False, 'incompatible')
    >>> [cell.relation for cell in alignment.axes[1].cells]
    ['conflict', 'conflict']
    """
    return _align(_question(locals()))


#: The arguments of `align`, and of `explain` as well: the question.
_QUESTION = ("rule", "shapes", "axis", "target_shape", "axes_mapping", "dtype", "policy", "names", "op")


def _question(arguments: dict[str, Any]) -> dict[str, Any]:
    return {name: arguments[name] for name in _QUESTION}


def _align(question: dict[str, Any]) -> Alignment:
    """The alignment of the arguments of `align`; also what pickle calls, in this process or another."""
    core_map, error, question = _map(question)
    return Alignment(_document(question, mode="alignment"), core_map, error, question)


def _map(question: dict[str, Any]) -> tuple[_core.AlignmentMap, BroadcastError | None, dict[str, Any]]:
    """The core's alignment, and the question as the core has read it: iterators and arrays are read once."""
    options = dict(question)
    return _core.align_map(options.pop("rule"), options.pop("shapes"), **options)


def _document(question: dict[str, Any], **more: Any) -> dict[str, Any]:
    options = dict(question)
    document: dict[str, Any] = json.loads(_core.document(options.pop("rule"), options.pop("shapes"), **options, **more))
    return document


def explain(
    rule: RuleName,
    shapes: Iterable[Any],
    *,
    axis: int | None = None,
    target_shape: Sequence[int] | None = None,
    axes_mapping: Sequence[int] | None = None,
    dtype: DType | None = None,
    policy: Policy | None = None,
    names: Names | None = None,
    op: OpName | None = None,
    expressions: Sequence[str] | None = None,
    expect: Sequence[str] | None = None,
    link_base: str | None = None,
    pasted: dict[str, Any] | None = None,
) -> Explanation:
    """Why shapes do not fit and what would work, or what to doubt where they fit.

    `expressions` are what the operands are called in the code, `expect` the kinds of warnings that are meant, `link_base`
    the address of the playground. `pasted` is the question of `read_pasted`, if this is one: repairs that are of no use after
    that error are left out.

    >>> import broadloom
    >>> told = broadloom.explain("numpy", [(32, 10), (32,)], op="Sub", expressions=["x", "x.mean(axis=1)"])
    >>> told.cause.text
    "B's 32 was probably meant for axis 0 of A (32, 10): B would need a 1 under axis 1 (10). ..."
    >>> told.repairs[0].code["numpy"]
    'x.mean(axis=1, keepdims=True)'
    """
    if pasted is not None and not isinstance(pasted, dict):
        raise refusal(f"pasted is the dict of read_pasted()['question'], not {_core.show(pasted)}.", "attribute")
    core_map, error, question = _map(_question(locals()))
    document = _document(
        question,
        expressions=expressions,
        expect=expect,
        link_base=link_base,
        pasted=None if pasted is None else [name for name, value in pasted.items() if value is True],
    )
    cause = document["cause"]
    return Explanation(
        alignment=Alignment(document, core_map, error, question),
        cause=None if cause is None else Cause(**_snake(cause)),
        repairs=tuple(_repair(repair) for repair in document["repairs"]),
        warnings=tuple(
            Warning(**{**_snake(warning), "axes": tuple(warning["axes"]), "systems": tuple(warning["systems"])})
            for warning in document["warnings"]
        ),
        link=document.get("link"),
        why_no_link=document.get("whyNoLink"),
    )


def read_pasted(text: str) -> dict[str, Any] | None:
    """What an error text of another system says, or None. Nothing in the text is executed.

    >>> import broadloom
    >>> said = broadloom.read_pasted("operands could not be broadcast together with shapes (2,3) (2,)")
    >>> said["system"], [shape["extents"] for shape in said["shapes"]]
    ('numpy', [[2, 3], [2]])
    """
    read: dict[str, Any] | None = json.loads(_core.read_pasted(text), object_hook=_snake)
    return read


def read_shapes(text: str) -> list[dict[str, Any]]:
    """The shapes in a text, as people write them.

    >>> import broadloom
    >>> [shape["text"] for shape in broadloom.read_shapes("(2,3) and (N,)")]
    ['(2,3)', '(N,)']
    """
    read: list[dict[str, Any]] = json.loads(_core.read_shapes(text), object_hook=_snake)
    return read


# --- From documents ---------------------------------------------------------------------------------------------------


def _snake(fields: dict[str, Any]) -> dict[str, Any]:
    return {re.sub("[A-Z]", lambda letter: f"_{letter[0].lower()}", name): value for name, value in fields.items()}


# Numbers beyond 2^53 - 1 are texts in a document.
def _integer(value: int | str | None) -> int | None:
    return None if value is None else int(value)


def _integers(values: Iterable[int | str]) -> tuple[int, ...]:
    return tuple(int(value) for value in values)


def _optional_integers(values: Iterable[int | str] | None) -> tuple[int, ...] | None:
    return None if values is None else _integers(values)


def _cell(cell: dict[str, Any]) -> Cell:
    return Cell(cell["sourceAxis"], cell["relation"], cell["clause"], int(cell["extent"]), _integer(cell["stride"]))


def _repair(repair: dict[str, Any]) -> Repair:
    fields = _snake(repair)
    return Repair(
        **{
            **fields,
            "shape": _optional_integers(fields["shape"]),
            "axes": _integers(fields["axes"] or ()),
            "axes_mapping": _optional_integers(fields["axes_mapping"]),
            "result": _integers(fields["result"]),
        }
    )


# --- As text ----------------------------------------------------------------------------------------------------------


def _table(alignment: Alignment) -> list[str]:
    if not alignment.axes:
        heads = ["no axes"]
        rows = [
            (_core.format_operand(operand), ["no place" if shape else "one element"])
            for operand, shape in enumerate(alignment.operands)
        ]
        result = ["()" if alignment.shape is not None else "?"]
    else:
        shown = alignment.axes[-MOST_PRINTED_AXES:]
        heads = [f"axis {axis.axis}" for axis in shown]
        rows = [
            (_core.format_operand(operand), [_cell_text(axis.cells[operand]) for axis in shown])
            for operand in range(len(alignment.operands))
        ]
        if alignment.target_shape is not None:
            rows.append((_core.format_operand(-2), [_cell_text(axis.target) for axis in shown]))
        # Shapes may not fit although no extents conflict. Then no axis of the result is known.
        is_placed = alignment.fits or bool(alignment.conflicts)
        result = ["?" if axis.extent is None or not is_placed else str(axis.extent) for axis in shown]
    rows.append(("result", result))
    label_width = max(len(label) for label, _ in rows)
    widths = [max(len(text) for text in column) for column in zip(heads, *(cells for _, cells in rows), strict=True)]
    lines = []
    for label, cells in [("", heads), *rows]:
        line = " ".join(f"{text:{width}}" for text, width in zip(cells, widths, strict=True))
        lines.append(f"{label:{label_width}}  {line}".rstrip())
    hidden = len(alignment.axes) - len(heads) if alignment.axes else 0
    if hidden > 0:
        lines.append(f"({hidden} more {'axis is' if hidden == 1 else 'axes are'} not shown: the first ones.)")
    return lines


def _cell_text(cell: Cell | None) -> str:
    if cell is None:
        return ""
    return f"{'-' if cell.source_axis is None else cell.extent} {cell.relation}"


def _change(repair: Repair, asked: Alignment) -> str:
    """A repair as an instruction."""
    whose = "" if repair.operand is None else _core.format_operand(repair.operand)
    shape = "" if repair.shape is None else _core.format_shape(repair.shape)
    match repair.kind:
        case "transpose":
            return f"transpose {whose} to {shape}"
        case "insert_axis" | "remove_axis" | "reshape":
            return f"reshape {whose} to {shape}"
        case "change_size":
            return f"give {whose} the extents {shape}"
        case "swap_operands":
            return "swap A and B"
        case "change_target":
            return f"target_shape={shape}"
    options = []
    if repair.rule != asked.rule:
        options.append(f"rule={repair.rule!r}")
    if repair.axis is not None:
        options.append(f"axis={repair.axis}")
    if repair.axes_mapping is not None:
        options.append(f"axes_mapping={list(repair.axes_mapping)}")
    dropped = [
        name
        for name, old, new in (
            ("axis", asked.axis, repair.axis),
            ("axes_mapping", asked.axes_mapping, repair.axes_mapping),
        )
        if old is not None and new is None
    ]
    if dropped:
        options.append(f"without {' and '.join(dropped)}")
    return ", ".join(options)
