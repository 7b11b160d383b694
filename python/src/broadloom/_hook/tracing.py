"""Watches a block by sys.settrace, in Python 3.11.

Newer versions have `monitoring`. Python 3.12 crashes where a frame with f_trace_opcodes runs in a thread that is not traced,
while another thread is: so do generators that go on in another thread, and all frames of a thread after a RecursionError, which
ends the tracing.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from .chain import is_of_program
from .watching import SUSPENDS, KnownCode, Operators, Warn, Watcher, frames_from, operators_of

Trace = Callable[[FrameType, str, Any], Any]

_of_thread = threading.local()


class Block:
    """A block that is watched, from `watch` to `stop`."""

    def __init__(self, tracer: Tracer, frame: FrameType, warn: Warn) -> None:
        self._tracer = tracer
        #: Its callers as well: the block may be that of a function which opens it for them.
        self.frames = [each for each in frames_from(frame) if is_of_program(each)]
        self.warn = warn

    def stop(self) -> bool:
        """Ends it. Whether the thread was traced up to here."""
        return self._tracer.close(self)


def watch(frame: FrameType, warn: Warn) -> Block | None:
    """Traces the rest of a frame and of its callers, and what they call, until the block is stopped; None if something else
    traces the thread.
    """
    current = sys.gettrace()
    if current is not None and not isinstance(getattr(current, "__self__", None), Tracer):
        return None
    tracer: Tracer | None = getattr(_of_thread, "tracer", None)
    if tracer is None:
        tracer = _of_thread.tracer = Tracer()
    return tracer.open(frame, warn)


class Tracer:
    """Traces a thread while blocks are open in it."""

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._watcher = Watcher(KnownCode())
        self._thread = threading.get_ident()
        #: What the frames that blocks watch had for tracing before, and how many blocks watch them.
        self._frames: dict[FrameType, tuple[tuple[Any, bool, bool], int]] = {}
        self._traces: dict[Operators, Trace] = {}

    def open(self, frame: FrameType, warn: Warn) -> Block:
        block = Block(self, frame, warn)
        for each in block.frames:
            before, count = self._frames.get(each, ((each.f_trace, each.f_trace_lines, each.f_trace_opcodes), 0))
            self._frames[each] = before, count + 1
        self._blocks.append(block)
        self._watcher.warnings.append(warn)
        try:
            sys.settrace(self.trace)
            for each in block.frames:
                self.trace(each, "call", None)
        except BaseException:  # of a signal's handler
            self.close(block)
            raise
        return block

    def close(self, block: Block) -> bool:
        self._blocks.remove(block)
        self._watcher.warnings.remove(block.warn)
        for frame in block.frames:
            before, count = self._frames.pop(frame)
            if count > 1:
                self._frames[frame] = before, count - 1
            else:
                frame.f_trace, frame.f_trace_lines, frame.f_trace_opcodes = before
        if threading.get_ident() != self._thread:
            return True  # a generator ended elsewhere: the next event of the thread ends the tracing
        current = sys.gettrace()
        is_ours = getattr(current, "__self__", None) is self
        if not self._blocks:
            self._end(is_ours)
        elif current is None:
            sys.settrace(self.trace)
        return is_ours

    def _end(self, is_ours: bool) -> None:
        if is_ours:
            sys.settrace(None)
        self._watcher.forget()
        self._watcher.known.clear()
        self._traces.clear()

    def trace(self, frame: FrameType, event: str, argument: Any) -> Trace | None:
        """What Python calls for each new frame."""
        if not self._blocks:
            self._end(True)
            return None
        known = self._watcher.known
        if frame.f_code not in known:
            known.add(frame.f_code, operators_of(frame))
        operators = known.get(frame.f_code)
        if operators is None:
            return None
        trace = self._traces.get(operators)
        if trace is None:
            trace = self._traces[operators] = self._make_trace(frame.f_code, operators)
        frame.f_trace = trace
        frame.f_trace_lines = False
        frame.f_trace_opcodes = bool(operators.nodes)
        return trace

    def _make_trace(self, code: CodeType, operators: Operators) -> Trace:
        watcher, nodes = self._watcher, operators.nodes
        suspends = bool(code.co_flags & SUSPENDS)

        def trace(frame: FrameType, event: str, argument: Any) -> Trace:
            if not self._blocks:
                return trace  # of a frame that outlives the blocks
            if event == "opcode":
                if frame.f_lasti in nodes:
                    watcher.look(frame, operators)
            elif event == "return":
                watcher.forget(frame)
                if not suspends:
                    watcher.keep(frame, argument)
            return trace

        return trace
