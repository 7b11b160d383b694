"""Watches functions of PyTorch."""

from __future__ import annotations

import sys
from typing import Any

from .judgement import op_named
from .values import Shape, shape_of
from .watching import Warn

# Losses subtract their operands, and broadcast them before.
LOSSES = frozenset("gaussian_nll_loss huber_loss l1_loss mse_loss poisson_nll_loss smooth_l1_loss".split())
# Functions that have the name of an operator and reduce one tensor.
OTHERS = frozenset("max mean min sum expand broadcast_to".split())


def make_mode(warn: Warn) -> Any:
    """A TorchFunctionMode that calls `warn` before each operator on tensors."""
    mode: Any = sys.modules["torch"].overrides.TorchFunctionMode  # no stubs of PyTorch are needed

    class StrictMode(mode):  # type: ignore[misc]
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            options = kwargs or {}
            found = _operands(func, args, options)
            if found is not None:
                op, shapes = found
                warn(sys._getframe(1), op, lambda: f"{func.__name__} of PyTorch", shapes, None)
            return func(*args, **options)

    return StrictMode()


def leave(mode: Any) -> None:
    """Leaves a mode, also if it is not the one that was entered last: blocks of coroutines may overlap with modes of others."""
    stack: Any = sys.modules["torch"]._C
    entered = [stack._get_function_stack_at(index) for index in range(stack._len_torch_function_stack())]
    if not any(each is mode for each in entered):
        return  # it was entered in another thread
    above: list[Any] = []
    while (last := stack._pop_torch_function_stack()) is not mode:
        above.append(last)
    for each in reversed(above):
        stack._push_on_torch_function_stack(each)


def _operands(func: Any, args: Any, options: Any) -> tuple[str | None, tuple[Shape, ...]] | None:
    """The operator, and the shapes of its operands; None for another function."""
    try:
        name = func.__name__
        op = "Sub" if name in LOSSES else None if name in OTHERS else op_named(name)
        if op is None:
            return None
        given = [*args, *(options[key] for key in ("input", "self", "other", "target") if key in options)]
        shapes = [shape_of(value) for value in given[: 3 if op == "Where" else 2]]
        if len(shapes) < 2 or any(shape is None for shape in shapes):
            return None
        if name.startswith("__r") and name not in ("__rshift__",):
            shapes.reverse()
        return op, tuple(shape for shape in shapes if shape is not None)
    except Exception:
        return None
