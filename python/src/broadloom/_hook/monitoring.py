"""Watches a block by sys.monitoring, which Python has from 3.12 on."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from .chain import is_of_signal
from .watching import SUSPENDS, KnownCode, Warn, Watcher, frames_from, operators_of

# mypy, which also looks at this file for Python 3.11, stops here then.
assert sys.version_info >= (3, 12)

_monitoring = sys.monitoring
_events = _monitoring.events

NAME = "broadloom.strict"
# The identities that are not meant for debuggers, coverage tools, profilers or optimizers.
TOOLS = (4, 3)
# Those of all code, and those of code that has operators.
OF_ALL = _events.PY_START | _events.PY_RESUME | _events.PY_THROW | _events.PY_UNWIND
OF_PROGRAM = _events.INSTRUCTION | _events.PY_RETURN | _events.PY_YIELD

_of_thread = threading.local()


class Block:
    """A block that is watched, from `watch` to `stop`."""

    def __init__(self, watcher: Watcher, warn: Warn) -> None:
        self.watcher = watcher
        self.warn = warn

    def stop(self) -> bool:
        """Ends it, in any thread. Whether it was watched up to here."""
        return _monitor.close(self)


def watch(frame: FrameType, warn: Warn) -> Block | None:
    """Watches the rest of a frame and of its callers, and what the thread calls, until the block is stopped; None if two other
    tools watch.
    """
    return _monitor.open(frame, warn)


class Monitor:
    """Watches while blocks are open. Events come from all threads: those without a block ignore them."""

    def __init__(self) -> None:
        # The garbage collector, or a signal's handler, may end a block while the thread opens or ends another.
        self._lock = threading.RLock()
        self._blocks: list[Block] = []
        self._known = KnownCode()
        self._tool = TOOLS[0]
        self._callbacks: dict[int, Callable[..., object]] = {
            _events.PY_START: self._start,
            _events.PY_RESUME: self._start,
            _events.PY_THROW: self._leave_or_throw,
            _events.PY_UNWIND: self._leave_or_throw,
            _events.PY_YIELD: self._leave_or_throw,
            _events.PY_RETURN: self._return,
            _events.INSTRUCTION: self._instruction,
        }

    def open(self, frame: FrameType, warn: Warn) -> Block | None:
        watcher: Watcher | None = getattr(_of_thread, "watcher", None)
        if watcher is None:
            watcher = _of_thread.watcher = Watcher(self._known)
        block = Block(watcher, warn)
        try:
            with self._lock:
                if not self._blocks and not self._begin():
                    return None
                self._blocks.append(block)
                watcher.warnings.append(warn)
            # Its callers as well: the block may be that of a function which opens it for them.
            for each in frames_from(frame):
                self._add(each)
        except BaseException:  # of a signal's handler
            self._remove(block)
            raise
        return block

    def close(self, block: Block) -> bool:
        try:
            is_ours = self._is_ours() and _monitoring.get_events(self._tool) == OF_ALL
            self._remove(block)
        except BaseException:  # of a signal's handler
            self._remove(block)
            raise
        return is_ours

    def _remove(self, block: Block) -> None:
        """Forgets a block, and ends the events with the last one; also after a part of this."""
        watcher = block.watcher
        with self._lock:
            if block in self._blocks:
                self._blocks.remove(block)
            if block.warn in watcher.warnings:
                watcher.warnings.remove(block.warn)
            if not watcher.warnings:
                watcher.forget()
            if not self._blocks:
                self._end()

    def _is_ours(self) -> bool:
        return _monitoring.get_tool(self._tool) == NAME

    def _begin(self) -> bool:
        """Takes an identity; whether there is one."""
        for self._tool in TOOLS:
            if _monitoring.get_tool(self._tool) is None:
                _monitoring.use_tool_id(self._tool, NAME)
                for event, callback in self._callbacks.items():
                    _monitoring.register_callback(self._tool, event, callback)
                _monitoring.set_events(self._tool, OF_ALL)
                return True
        return False

    def _end(self) -> None:
        codes = self._known.clear()
        if not self._is_ours():
            return
        _monitoring.set_events(self._tool, 0)
        for code in codes:
            _monitoring.set_local_events(self._tool, code, 0)
        for event in self._callbacks:
            _monitoring.register_callback(self._tool, event, None)
        _monitoring.free_tool_id(self._tool)

    def _add(self, frame: FrameType) -> None:
        """Begins the events of a frame's code, if it is of the program."""
        code = frame.f_code
        if code in self._known:
            return
        try:
            operators = operators_of(frame)  # without the lock: reading a source may call the program's loader
        except Exception as error:
            if is_of_signal(error):
                raise
            return  # near the limit of recursions: the next frame of this code asks again
        with self._lock:
            # Another thread may have ended the last block meanwhile.
            if self._blocks and self._is_ours():
                self._known.add(code, operators)
                if operators is not None:
                    _monitoring.set_local_events(self._tool, code, OF_PROGRAM)

    # --- What Python calls, in the frame of an event ------------------------------------------------------------------

    def _start(self, code: CodeType, offset: int) -> None:
        watcher: Watcher | None = getattr(_of_thread, "watcher", None)
        if watcher is None or not watcher.warnings:
            return
        frame = sys._getframe(1)
        watcher.forget(frame)  # of another frame, which had this one's id
        if code not in self._known:
            self._add(frame)

    def _leave_or_throw(self, code: CodeType, offset: int, value: object) -> None:
        watcher: Watcher | None = getattr(_of_thread, "watcher", None)
        if watcher is not None and watcher.warnings:
            watcher.forget(sys._getframe(1))

    def _return(self, code: CodeType, offset: int, value: object) -> None:
        watcher: Watcher | None = getattr(_of_thread, "watcher", None)
        if watcher is None or not watcher.warnings:
            return
        frame = sys._getframe(1)
        watcher.forget(frame)
        if not code.co_flags & SUSPENDS:
            watcher.keep(frame, value)

    def _instruction(self, code: CodeType, offset: int) -> Any:
        operators = self._known.get(code)
        if operators is None:
            return None
        if offset not in operators.nodes:
            return _monitoring.DISABLE  # in all threads, until the events of the code are set again
        watcher: Watcher | None = getattr(_of_thread, "watcher", None)
        if watcher is not None and watcher.warnings:
            watcher.look(sys._getframe(1), operators)
        return None


_monitor = Monitor()
