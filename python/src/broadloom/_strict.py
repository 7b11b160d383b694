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
from ._hook.watching import AxisNames

if sys.version_info >= (3, 12):
    from ._hook.monitoring import Block, watch
else:
    from ._hook.tracing import Block, watch

__all__ = ["BroadcastWarning", "strict"]


class BroadcastWarning(UserWarning):
    """Shapes fit, and the result may still not be what was meant."""


class strict:
    """Warns inside a `with` block of operators whose shapes fit by a silent mistake.

    These are: both operands grow, as (32, 1) with (32,) does, which gives (32, 32); and an operand fits by accident, since two
    sizes happen to be equal. The README lists when. `expect` lists kinds of warnings that are meant, such as "outer".

    Tensors of PyTorch are watched by a TorchFunctionMode, in whatever code computes them, in this thread, if PyTorch is
    imported when the block begins. NumPy has no such hook: for its arrays, and those of JAX and TensorFlow, the block is watched
    instruction by instruction, and the operators in the program's own files are looked at, just before they run. An operand
    is known if it is a name, an attribute, an item, what a function of the program returned, or an expression of those
    whose shape follows from theirs; an operator with another operand is not judged. Watching makes loops over numbers 100 to 300
    times as slow; operations on large arrays take as long as before. Threads that the block starts are not watched.

    From Python 3.12 on, a block is watched by sys.monitoring, beside debuggers and coverage tools. In Python 3.11 it is
    traced by sys.settrace: where a debugger or a coverage tool traces the thread already, it goes on, and only tensors of
    PyTorch are watched. There, Python ends the tracing after a RecursionError and after a warning that is raised as an error:
    the rest of the block is not watched. After a RecursionError, a warning at the end of the block says so.

    Blocks may overlap, as those of coroutines do: what they watch is the thread, and the one that began last warns.

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
        self._entered: list[tuple[FrameType, Block | None, Any]] = []
        self._has_raised = False

    def __enter__(self) -> strict:
        frame = sys._getframe(1)
        block = mode = None
        torch = sys.modules.get("torch")
        try:
            if torch is not None:
                from ._hook.torch_mode import make_mode

                mode = make_mode(self._warn)
                mode.__enter__()
            block = watch(frame, self._warn)
            self._entered.append((frame, block, mode))
        except BaseException:  # of a signal's handler: there will be no __exit__
            if block is not None:
                block.stop()
            if mode is not None:
                from ._hook.torch_mode import leave

                leave(mode)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        frame = sys._getframe(1)
        # Coroutines may share it, and leave in another order than they entered.
        own = [index for index, (of, _, _) in enumerate(self._entered) if of is frame]
        _, block, mode = self._entered.pop(own[-1] if own else -1)
        was_watched = block is None or block.stop()
        if mode is not None:
            from ._hook.torch_mode import leave

            leave(mode)
        if not was_watched and kind is None and not self._has_raised:
            self._warn_at(
                frame,
                "strict() did not see the end of the block: Python ended its tracing, as after a RecursionError, or something else "
                "did, by sys.settrace or sys.monitoring. The operators behind that are not judged.",
            )

    def _warn(
        self,
        frame: FrameType,
        op: str | None,
        text: Callable[[], str],
        shapes: tuple[Shape, ...],
        names: AxisNames | None,
    ) -> None:
        """Warns of what is suspicious about an operator."""
        for mistake in mistakes_in(op, shapes, self._expect, names):
            try:
                self._warn_at(frame, f"{text()}: {mistake}")
            except Warning:
                self._has_raised = True  # and Python 3.11 ends the tracing
                raise

    def _warn_at(self, frame: FrameType, message: str) -> None:
        """Warns at the program's line, as often as the filters of `warnings` say."""
        place: FrameType | None = frame
        while place is not None and not is_of_program(place):
            place = place.f_back
        place = frame if place is None else place
        warnings.warn_explicit(
            message,
            BroadcastWarning,
            place.f_code.co_filename,
            place.f_lineno,
            place.f_globals.get("__name__", "?"),
            place.f_globals.setdefault("__warningregistry__", {}),
        )
