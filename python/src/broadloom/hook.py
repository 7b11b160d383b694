"""Importing this module explains shape errors below their tracebacks.

    import broadloom.hook

When NumPy, PyTorch, JAX, TensorFlow, ONNX Runtime or OpenVINO raises a shape error that the program does not catch, this is
printed to the standard error stream, after the traceback: what happened, the operands' names and shapes, how their axes line
up, the line to change, and a link to the playground. In IPython and Jupyter: `%load_ext broadloom`.

A program runs as without it. Names and shapes are read from the frame that failed; nothing is evaluated again, and no code of
the program is called. The traceback is printed by whatever printed it before. Until something fails, it costs nothing.
"""

from __future__ import annotations

import os
import sys
import threading
from types import TracebackType
from typing import Any

__all__ = ["explain_error", "install", "install_in_ipython", "link_base", "uninstall"]

#: The address of the playground, to which links lead: the one that `npm start` serves, or the environment variable
#: BROADLOOM_PLAYGROUND. None: no links.
link_base: str | None = os.environ.get("BROADLOOM_PLAYGROUND", "http://localhost:8080/") or None

_is_active = False
_previous_hook: Any = None
_previous_thread_hook: Any = None


def explain_error(error: BaseException) -> str | None:
    """What would be printed below an exception's traceback; None if it is not about shapes.

    >>> import numpy
    >>> try:
    ...     numpy.ones((2, 3)) + numpy.ones(2)
    ... except ValueError as error:
    ...     print(explain_error(error).splitlines()[1])
    broadloom: Axis 1: B has 2 (its axis 0) but A has 3 (its axis 1). ...
    """
    from ._hook.report import report_of

    return report_of(error, link_base)


def install() -> None:
    """Explains the errors of the main thread and of other threads, or of IPython's cells. Importing the module calls it.

    The hooks that are there are called first.
    """
    global _is_active, _previous_hook, _previous_thread_hook
    _is_active = True
    if _previous_thread_hook is None:
        _previous_thread_hook = threading.excepthook
        threading.excepthook = _thread_hook
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    if shell is not None:
        install_in_ipython(shell)
    elif _previous_hook is None:
        _previous_hook = sys.excepthook
        sys.excepthook = _hook


def install_in_ipython(shell: Any) -> None:
    """Explains the errors of the cells of an IPython shell, after IPython has printed their tracebacks."""
    global _is_active
    _is_active = True
    if _after_cell not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", _after_cell)


def uninstall() -> None:
    """Explains nothing any more."""
    global _is_active, _previous_hook, _previous_thread_hook
    _is_active = False
    # Hooks that were set later may call this one: then it stays, and calls the one before.
    if sys.excepthook is _hook:
        sys.excepthook, _previous_hook = _previous_hook, None
    if threading.excepthook is _thread_hook:
        threading.excepthook, _previous_thread_hook = _previous_thread_hook, None


def _hook(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    _previous_hook(kind, error, trace)
    _print_explanation(error)


def _thread_hook(args: Any) -> None:
    _previous_thread_hook(args)
    _print_explanation(args.exc_value)


def _after_cell(result: Any) -> None:
    if result.error_in_exec is not None and sys.stdout is not None:
        sys.stdout.flush()  # IPython prints tracebacks there
    _print_explanation(result.error_in_exec)


def _print_explanation(error: BaseException | None) -> None:
    """Whatever goes wrong in here must not add to the program's errors."""
    # An interrupt or exit is no error. Code compiled here would also change a program's exit code after an interrupt:
    # Python forgets then that it was interrupted.
    if not _is_active or not isinstance(error, Exception):
        return
    try:
        text = explain_error(error)
    except BaseException as own:
        text = f"broadloom.hook: failed, with {type(own).__name__}\n"
    if text is None:
        return
    try:
        sys.stderr.write(text)
        sys.stderr.flush()
    except BaseException:
        pass  # the stream is closed or absent


install()
