"""The strict mode: warnings about operators that broadcast, and perhaps should not."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterable
from types import FrameType, TracebackType
from typing import Any

from ._alignment import explain
from ._hook.chain import is_of_program
from ._hook.judgement import mistakes_in
from ._hook.values import Shape

__all__ = ["BroadcastWarning", "strict"]


class BroadcastWarning(UserWarning):
    """Shapes fit, and the result may still not be what was meant."""


class strict:
    """Warns inside a `with` block of operators whose shapes fit by a silent mistake.

    These are: both operands grow, as (32, 1) with (32,) does, which gives (32, 32); and an operand fits by accident, since two
    sizes happen to be equal. `expect` lists kinds of warnings that are meant, such as "outer".

    Tensors of PyTorch are watched by a TorchFunctionMode, in whatever code computes them, in this thread, if PyTorch is
    imported when the block begins. NumPy has no such hook: for its arrays, and those of JAX and TensorFlow, the block is traced
    instruction by instruction, and the operators in the program's own files are looked at, just before they run. An operand
    is known if it is a name, an attribute, an item, what a function of the program returned, or an expression of those
    whose shape follows from theirs; an operator with another operand is not judged. Tracing makes loops over numbers 100 to 300
    times as slow; operations on large arrays take as long as before. Where a debugger or a coverage tool traces the thread
    already, it goes on, and only tensors of PyTorch are watched.

    A program runs as without it, unless the warning is made an error: `warnings.simplefilter("error",
    broadloom.BroadcastWarning)`.

    >>> import warnings
    >>> import numpy as np, broadloom
    >>> predicted, wanted = np.ones((32, 1)), np.ones(32)
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warnings.simplefilter("always")
    ...     with broadloom.strict():
    ...         error = predicted - wanted
    >>> print(caught[0].message)
    predicted - wanted: (32, 1) with (32,) gives (32, 32): ...
    """

    def __init__(self, *, expect: Iterable[str] = ()) -> None:
        self._expect = tuple(expect)
        explain("numpy", ((1,),), expect=self._expect)  # refuses kinds that do not exist
        self._entered: list[tuple[Any, Any]] = []

    def __enter__(self) -> strict:
        tracer = mode = None
        if sys.gettrace() is None or _is_ours(sys.gettrace()):
            from ._hook.tracing import Tracer

            tracer = Tracer(self._warn)
        torch = sys.modules.get("torch")
        if torch is not None:
            from ._hook.torch_mode import make_mode

            mode = make_mode(self._warn)
            mode.__enter__()
        self._entered.append((tracer, mode))
        if tracer is not None:
            tracer.start(sys._getframe(1))
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        tracer, mode = self._entered.pop()
        if tracer is not None:
            tracer.stop()
        if mode is not None:
            mode.__exit__(kind, error, trace)

    def _warn(self, frame: FrameType, op: str | None, text: Callable[[], str], shapes: tuple[Shape, ...]) -> None:
        """Warns at the program's line, as often as the filters of `warnings` say."""
        mistakes = mistakes_in(op, shapes, self._expect)
        if not mistakes:
            return
        place: FrameType | None = frame
        while place is not None and not is_of_program(place):
            place = place.f_back
        place = frame if place is None else place
        for mistake in mistakes:
            warnings.warn_explicit(
                f"{text()}: {mistake}",
                BroadcastWarning,
                place.f_code.co_filename,
                place.f_lineno,
                place.f_globals.get("__name__", "?"),
                place.f_globals.setdefault("__warningregistry__", {}),
            )


def _is_ours(trace: Any) -> bool:
    return type(getattr(trace, "__self__", None)).__module__ == "broadloom._hook.tracing"
