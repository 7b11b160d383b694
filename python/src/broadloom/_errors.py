"""Errors: exceptions with fields, which print the explanation."""

from __future__ import annotations

from typing import Any

__all__ = ["BroadcastError", "DTypeError", "OutOfMemoryError"]


class BroadcastError(ValueError):
    """What a caller can get wrong, and what the system cannot give.

    A call that raises one has written nothing. `error_class` and `detail` are stable, the message is not. Operands and axes
    count from 0; operand -2 is the target shape, -3 the result.

    >>> import broadloom
    >>> try:
    ...     broadloom.infer_shape("numpy", [(2, 3), (4,)])
    ... except broadloom.BroadcastError as error:
    ...     print(error.error_class, error.operand, error.axis, error.extent, error.other_extent)
    incompatible 1 1 4 3
    """

    #: The class of the error: a key of `broadloom.error_classes()`.
    error_class: str
    #: What exactly, within the class; None where there is nothing more to say.
    detail: str | None
    #: The rule that was applied, and the clause of its document that was broken.
    rule: str | None
    clause: str | None
    #: The operator that was asked for.
    op: str | None
    #: The operand at fault, and the operand with which it conflicts.
    operand: int | None
    other_operand: int | None
    #: The axis of the result, of the operand, and of the other operand.
    axis: int | None
    operand_axis: int | None
    other_axis: int | None
    #: What conflicts: extents, ranks, numbers of operands, lengths in bytes. 0 where there is none.
    extent: int
    other_extent: int
    #: For class `dtype`: the operand's element type, and the one with which it conflicts.
    dtype: str | None
    other_dtype: str | None
    #: For class `parse`: the bytes (begin, end) of the text.
    span: tuple[int, int] | None
    #: One or two sentences: what is wrong, and what would work.
    message: str
    #: The arguments of `explain` for the question that was refused: rule, shapes and options; None for other errors.
    question: dict[str, Any] | None

    def __init__(self, message: str, fields: dict[str, Any], question: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.question = question
        for name in _FIELDS:
            setattr(self, name, fields[name])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, {name: getattr(self, name) for name in _FIELDS}, self.question)

    def __str__(self) -> str:
        explanation = self.explanation
        return self.message if explanation is None else f"{self.message}\n\n{explanation}"

    @property
    def explanation(self) -> str | None:
        """The alignment as a table, the likeliest cause and what would work; None for errors about other things.

        >>> import broadloom
        >>> try:
        ...     broadloom.add([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], [1.0, 2.0, 3.0])
        ... except broadloom.BroadcastError as error:
        ...     print(error.explanation.splitlines()[-2].strip())
        reshape B to (3, 1)  gives (3, 2): b[:, None]
        """
        if self.question is None:
            return None
        from ._alignment import explain

        asked = dict(self.question)
        try:
            return explain(asked.pop("rule"), asked.pop("shapes"), **asked).details
        except (BroadcastError, MemoryError):
            return None  # a question that has no alignment


class DTypeError(BroadcastError, TypeError):
    """Element types that do not go together, or that the operator does not take: class `dtype`."""


class OutOfMemoryError(BroadcastError, MemoryError):
    """The system has no memory for the result: class `allocation`."""


# What an error of the core has; the others are made here.
_FIELDS = tuple(name for name in BroadcastError.__annotations__ if name not in ("message", "question"))

_CLASSES: dict[str, type[BroadcastError]] = {"dtype": DTypeError, "allocation": OutOfMemoryError}


def make_error(message: str, fields: dict[str, Any], question: dict[str, Any] | None) -> BroadcastError:
    """The exception for an error of the core, which calls this."""
    return _CLASSES.get(fields["error_class"], BroadcastError)(message, fields, question)


def fields(error_class: str, **given: Any) -> dict[str, Any]:
    """The fields of an error: those that are not given say nothing."""
    return {name: 0 if name in ("extent", "other_extent") else None for name in _FIELDS} | {
        "error_class": error_class,
        **given,
    }


def refusal(message: str, error_class: str, **given: Any) -> BroadcastError:
    """An error about arguments that only Python can get wrong."""
    return make_error(message, fields(error_class, **given), None)
