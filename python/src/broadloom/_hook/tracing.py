"""Watches the operators of a block by tracing it: plain arrays of NumPy have no other hook."""

from __future__ import annotations

import ast
import dis
import inspect
import sys
from collections.abc import Callable
from types import CodeType, FrameType, ModuleType
from typing import Any

from .chain import is_of_program
from .judgement import op_named
from .operands import SIGNS
from .positions import Source, node_at, read_source
from .shapes import REDUCTIONS, View
from .values import SYSTEMS, Shape, package_of, shape_of

#: What is called before an operator: with the frame, the operator, what returns its source, and the operands' shapes.
Warn = Callable[[FrameType, str | None, Callable[[], str], tuple[Shape, ...]], None]
Trace = Callable[[FrameType, str, Any], Any]

_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


Operator = ast.BinOp | ast.AugAssign | ast.Compare | ast.Call


class Operators:
    """The instructions of a piece of code that are operators or calls, by their offsets."""

    def __init__(self, code: CodeType, source: Source) -> None:
        self.source = source
        self.nodes: dict[int, Operator] = {}
        #: For each offset that a frame may have while a call runs, the offset of the call.
        self.calls: dict[int, int] = {}
        instructions = list(dis.get_instructions(code))
        for instruction, behind in zip(instructions, [*instructions[1:], None], strict=True):
            offset = instruction.offset
            if instruction.opname not in ("BINARY_OP", "COMPARE_OP", "CALL", "CALL_KW") or instruction.positions is None:
                continue
            node = node_at(source, instruction.positions)
            if isinstance(node, ast.Call):
                self.nodes[offset] = node
                # Behind an instruction are caches, which instructions of 2 bytes stand for.
                end = offset + 2 if behind is None else behind.offset
                self.calls.update({inside: offset for inside in range(offset, end, 2)})
            elif isinstance(node, ast.Compare):
                if len(node.ops) == 1 and type(node.ops[0]) in SIGNS:
                    self.nodes[offset] = node
            elif isinstance(node, (ast.BinOp, ast.AugAssign)) and not isinstance(node.op, ast.MatMult):
                self.nodes[offset] = node


class Tracer:
    """Traces a thread from `start` to `stop`."""

    def __init__(self, warn: Warn) -> None:
        self._warn = warn
        self._sources: dict[str, Source | None] = {}
        self._traces: dict[CodeType, Trace | None] = {}
        self._operators: dict[CodeType, Operators] = {}
        #: For each frame, by its id while it runs, the shapes that calls in it returned, by the offset of the call.
        self._returned: dict[int, dict[int, Shape]] = {}

    def start(self, frame: FrameType) -> None:
        """Traces the rest of a frame, and what it calls, until `stop`."""
        self._frame = frame
        self._outer = sys.gettrace(), frame.f_trace, frame.f_trace_lines, frame.f_trace_opcodes
        self.trace(frame, "call", None)
        sys.settrace(self.trace)
        # Python 3.12 wants the frame's settings before settrace, and Python 3.13 after it.
        self.trace(frame, "call", None)

    def stop(self) -> None:
        """Goes back to what traced before."""
        outer, self._frame.f_trace, self._frame.f_trace_lines, self._frame.f_trace_opcodes = self._outer
        sys.settrace(outer)
        self._returned.clear()

    def trace(self, frame: FrameType, event: str, argument: Any) -> Trace | None:
        """What Python calls for each new frame."""
        code = frame.f_code
        if code not in self._traces:
            self._traces[code] = self._make_trace(frame)
        trace = self._traces[code]
        if trace is not None:
            # Before the instructions are asked for: Python 3.13 ignores that of a frame without.
            frame.f_trace = trace
            frame.f_trace_lines = False
            frame.f_trace_opcodes = bool(self._operators[code].nodes)
        return trace

    def _make_trace(self, frame: FrameType) -> Trace | None:
        code = frame.f_code
        if not is_of_program(frame):
            return None
        if code.co_filename not in self._sources:
            names = frame.f_globals
            self._sources[code.co_filename] = read_source(code.co_filename, names if type(names) is dict else None)
        source = self._sources[code.co_filename]
        if source is None:
            return None
        self._operators[code] = operators = Operators(code, source)
        nodes = operators.nodes
        suspends = bool(code.co_flags & _SUSPENDS)

        def trace(frame: FrameType, event: str, argument: Any) -> Trace:
            if event == "opcode":
                node = nodes.get(frame.f_lasti)
                if node is not None:
                    self._look(frame, node, operators)
            elif event == "return" and not suspends:
                self._returned.pop(id(frame), None)
                self._keep(frame, argument)
            return trace

        return trace

    def _keep(self, frame: FrameType, result: object) -> None:
        """Remembers the shape that a function returned, for an operator in its caller."""
        caller = frame.f_back
        operators = None if caller is None else self._operators.get(caller.f_code)
        if caller is None or operators is None:
            return
        offset = operators.calls.get(caller.f_lasti)
        node = None if offset is None else operators.nodes.get(offset)
        # A function of C may have called it: then the call returns something else.
        if not isinstance(node, ast.Call) or _name_of(node.func) != frame.f_code.co_name:
            return
        shape = shape_of(result)
        if shape is not None and offset is not None:
            self._returned.setdefault(id(caller), {})[offset] = shape

    def _look(self, frame: FrameType, node: Operator, operators: Operators) -> None:
        if isinstance(node, ast.Call):
            # Until it returns, what it returned before is not its result.
            self._returned.get(id(frame), {}).pop(frame.f_lasti, None)
            if not isinstance(node.func, ast.Attribute):
                return  # no function of a system, which are called by the name of their module
        try:
            found = self._operands(frame, node, operators)
        except Exception:
            return  # nothing is judged
        if found is not None:
            op, shapes = found
            expression = node if isinstance(node, ast.expr) else node.target
            self._warn(frame, op, lambda: operators.source.text_of(expression), shapes)

    def _operands(self, frame: FrameType, node: Operator, operators: Operators) -> tuple[str | None, tuple[Shape, ...]] | None:
        """The operator, and the shapes of its operands; None if they are not known, or no arrays of a system."""
        view = View(frame, operators.source)
        for offset, shape in self._returned.get(id(frame), {}).items():
            view.known[operators.nodes[offset]] = shape  # type: ignore[index]
        operands: list[ast.expr]
        match node:
            case ast.Call():
                op = _op_called(node, view)
                operands = node.args
                if op is None or len(operands) != (3 if op == "Where" else 2):
                    return None
            case ast.BinOp():
                op, operands = op_named(SIGNS[type(node.op)]), [node.left, node.right]
            case ast.AugAssign():
                op, operands = op_named(SIGNS[type(node.op)]), [node.target, node.value]
            case ast.Compare():
                op, operands = op_named(SIGNS[type(node.ops[0])]), [node.left, *node.comparators]
        shapes = []
        for operand in operands:
            measured = view.shape(operand)
            if measured is None:
                return None
            shapes.append(measured)
        # Lists of Python are joined by +; tensors of PyTorch are watched where they are computed.
        is_array = bool(view.systems) or any(operand in view.known for operand in operands)
        return (op, tuple(shapes)) if is_array and "torch" not in view.systems else None


def _name_of(function: ast.expr) -> str | None:
    if isinstance(function, ast.Name):
        return function.id
    return function.attr if isinstance(function, ast.Attribute) else None


def _op_called(node: ast.Call, view: View) -> str | None:
    """The operator that a function of a system computes."""
    function = node.func
    if not isinstance(function, ast.Attribute) or function.attr in REDUCTIONS:
        return None
    owner = view.value(function.value)
    if type(owner) is not ModuleType or package_of(vars(owner).get("__name__")) not in SYSTEMS - {"torch"}:
        return None
    op = op_named(function.attr)
    return None if op == "Broadcast" or (op == "Where") != (function.attr == "where") else op
