"""Which exceptions and frames to look at, after an exception that was not caught."""

from __future__ import annotations

import os
import sysconfig
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Any, NamedTuple

from .._errors import BroadcastError
from .values import SYSTEMS, attribute_of, package_of, system_of

# Of longer chains and larger groups the rest is not looked at.
MOST_ERRORS = 64
# Longer messages are read from their end.
MOST_CHARACTERS = 64 << 10

_STANDARD_LIBRARY = os.path.join(sysconfig.get_path("stdlib"), "")


class Failed(NamedTuple):
    """The place in the program at which a library failed."""

    frame: FrameType
    #: The offset of the instruction.
    instruction: int
    line: int
    #: The frame that it called, of the library; None for a library that is not in Python.
    callee: FrameType | None
    #: Whether the place is in an installed package, not in the program.
    is_installed: bool
    #: The program's line that led there, if the place is in an installed package: file and number.
    called_from: tuple[str, int] | None


def errors_in(error: BaseException) -> Iterator[BaseException]:
    """An exception, those of a group, and those that led to it, in the order from the end of Python's traceback."""
    waiting: list[BaseException] = [error]
    seen: set[int] = set()
    while waiting and len(seen) < MOST_ERRORS:
        each = waiting.pop()
        if id(each) in seen or not isinstance(each, Exception):
            continue
        seen.add(id(each))
        yield each
        cause = _field(each, "__cause__")
        if cause is None and not _field(each, "__suppress_context__"):
            cause = _field(each, "__context__")
        if cause is not None:
            waiting.append(cause)
        if isinstance(each, BaseExceptionGroup):
            members = BaseExceptionGroup.exceptions.__get__(each)
            waiting += list(members)[:MOST_ERRORS][::-1]


def message_of(error: BaseException) -> str | None:
    """What Python prints for an exception, made without its class's code; None if it has no text, or explains itself."""
    kind = type(error)
    if isinstance(error, BroadcastError):
        return None
    texts = [text for text in _field(error, "args") if type(text) is str]
    if not texts and system_of(error) == "tensorflow":  # its errors have no args
        text = attribute_of(error, "_message")
        texts = [text] if type(text) is str else []
    if not texts:
        return None
    # Half a character of UTF-16, which a file's name may have, has no place in UTF-8.
    return f"{kind.__name__}: " + "\n".join(texts)[-MOST_CHARACTERS:].encode(errors="replace").decode()


def failed_in(error: BaseException) -> Failed | None:
    """The innermost frame of an exception that is neither of the libraries that fail nor of Python's own."""
    entries = []
    trace: TracebackType | None = _field(error, "__traceback__")
    while trace is not None:
        entries.append(trace)
        trace = trace.tb_next
    for index in range(len(entries) - 1, -1, -1):
        trace = entries[index]
        if _is_library(trace.tb_frame):
            continue
        is_installed = _is_installed(trace.tb_frame)
        called_from = None
        if is_installed:
            outer = [each for each in entries[:index] if not _is_library(each.tb_frame) and not _is_installed(each.tb_frame)]
            called_from = (outer[-1].tb_frame.f_code.co_filename, outer[-1].tb_lineno) if outer else None
        callee = entries[index + 1].tb_frame if index + 1 < len(entries) else None
        return Failed(trace.tb_frame, trace.tb_lasti, trace.tb_lineno, callee, is_installed, called_from)
    return None


def is_remote(error: BaseException) -> bool:
    """Whether an exception comes from another process, whose traceback is the text of a cause: its frames are not here."""
    cause = _field(error, "__cause__")
    return cause is not None and type(cause).__name__.endswith("RemoteTraceback")


def _field(error: BaseException, name: str) -> Any:
    """A field of an exception as Python has it, whatever its class defines."""
    return getattr(BaseException, name).__get__(error)


def is_of_signal(error: BaseException) -> bool:
    """Whether an exception, caught in the package, comes from the program, whose handlers of signals run anywhere."""
    trace: TracebackType | None = error.__traceback__
    while trace is not None:
        if not _is_library(trace.tb_frame):
            return True
        trace = trace.tb_next
    return False


def _is_library(frame: FrameType) -> bool:
    names = frame.f_globals
    package = package_of(names.get("__name__")) if type(names) is dict else ""
    filename = frame.f_code.co_filename
    is_standard = filename.startswith(("<frozen ", _STANDARD_LIBRARY)) and not _is_installed(frame)
    return package in SYSTEMS or package == "broadloom" or is_standard


def _is_installed(frame: FrameType) -> bool:
    parts = frame.f_code.co_filename.replace("\\", "/").split("/")
    # TensorFlow runs functions of a graph in copies that it has rewritten.
    return "site-packages" in parts or "dist-packages" in parts or parts[-1].startswith("__autograph_generated_file")


def is_of_program(frame: FrameType) -> bool:
    """Whether a frame runs code that is neither installed nor Python's own."""
    return not _is_library(frame) and not _is_installed(frame)
