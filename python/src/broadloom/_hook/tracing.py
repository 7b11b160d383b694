"""Watches the operators of a block by tracing it: plain arrays of NumPy have no other hook."""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import linecache
import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType, ModuleType
from typing import Any
from weakref import WeakKeyDictionary

from .chain import is_of_program
from .judgement import op_named
from .operands import SIGNS
from .positions import Source, node_at, read_source
from .shapes import REDUCTIONS, View
from .values import SYSTEMS, Shape, package_of, shape_of

#: Names of the axes of each operand.
AxisNames = tuple[tuple[str, ...], ...]
#: An operator, the shapes of its operands, and names of their axes if they are known.
Watched = tuple[str | None, tuple[Shape, ...], AxisNames | None]
#: What is called before an operator: with the frame, the operator, what returns its source, shapes, and names of axes.
Warn = Callable[[FrameType, str | None, Callable[[], str], tuple[Shape, ...], AxisNames | None], None]
Trace = Callable[[FrameType, str, Any], Any]

_SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_of_thread = threading.local()

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


class CodeFile:
    """A file of code, and the operators in it, which are kept from one block to the next: a long file takes long to parse."""

    def __init__(self, lines: list[str], source: Source | None) -> None:
        #: Those that linecache has: others after the file has changed.
        self.lines = lines
        self.source = source
        self.operators: WeakKeyDictionary[CodeType, Operators] = WeakKeyDictionary()


_files: dict[str, CodeFile] = {}
# Of more files the first are forgotten.
MOST_FILES = 64


def operators_of(frame: FrameType) -> Operators | None:
    """The operators in the code of a frame; None without a source."""
    code, names = frame.f_code, frame.f_globals
    module_globals = names if type(names) is dict else None
    lines = linecache.getlines(code.co_filename, module_globals)
    file = _files.get(code.co_filename)
    if file is None or file.lines is not lines:
        file = CodeFile(lines, read_source(code.co_filename, module_globals))
        while len(_files) >= MOST_FILES:
            _files.pop(next(iter(_files), ""), None)
        _files[code.co_filename] = file
    if file.source is None:
        return None
    operators = file.operators.get(code)
    if operators is None:
        operators = file.operators[code] = Operators(code, file.source)
    return operators


class Block:
    """A block that is watched, from `watch` to `stop`."""

    def __init__(self, tracer: Tracer, frame: FrameType, warn: Warn) -> None:
        self._tracer = tracer
        self.frame = frame
        self.warn = warn

    def stop(self) -> bool:
        """Ends it. Whether the thread was traced up to here."""
        return self._tracer.close(self)


def watch(frame: FrameType, warn: Warn) -> Block | None:
    """Traces the rest of a frame, and what it calls, until the block is stopped; None if something else traces the thread."""
    current = sys.gettrace()
    if current is not None and not isinstance(getattr(current, "__self__", None), Tracer):
        return None
    tracer: Tracer | None = getattr(_of_thread, "tracer", None)
    if tracer is None:
        tracer = _of_thread.tracer = Tracer()
    return tracer.open(frame, warn)


class Tracer:
    """Traces a thread while blocks are open in it.

    Blocks need not end in the order in which they began, as those of coroutines do not: of those that are open, the one that
    began last is warned of.
    """

    def __init__(self) -> None:
        self._blocks: list[Block] = []
        self._thread = threading.get_ident()
        #: What the frames of blocks had for tracing before, and how many blocks they have.
        self._frames: dict[FrameType, tuple[tuple[Any, bool, bool], int]] = {}
        self._traces: dict[CodeType, Trace | None] = {}
        self._operators: dict[CodeType, Operators] = {}
        #: For each frame, by its id while it runs, the shapes that calls in it returned, by the offset of the call.
        self._returned: dict[int, dict[int, Shape]] = {}

    def open(self, frame: FrameType, warn: Warn) -> Block:
        before, count = self._frames.get(frame, ((frame.f_trace, frame.f_trace_lines, frame.f_trace_opcodes), 0))
        self._frames[frame] = before, count + 1
        block = Block(self, frame, warn)
        self._blocks.append(block)
        self.trace(frame, "call", None)
        sys.settrace(self.trace)
        # Python 3.12 wants the frame's settings before settrace, and Python 3.13 after it.
        self.trace(frame, "call", None)
        return block

    def close(self, block: Block) -> bool:
        frame = block.frame
        self._blocks.remove(block)
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
        for kept in (self._returned, self._traces, self._operators):
            kept.clear()

    def trace(self, frame: FrameType, event: str, argument: Any) -> Trace | None:
        """What Python calls for each new frame."""
        if not self._blocks:
            self._end(True)
            return None
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
        operators = operators_of(frame) if is_of_program(frame) else None
        if operators is None:
            return None
        self._operators[code] = operators
        nodes = operators.nodes
        suspends = bool(code.co_flags & _SUSPENDS)

        def trace(frame: FrameType, event: str, argument: Any) -> Trace:
            if not self._blocks:
                return trace  # of a frame that outlives the blocks
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
            op, shapes, names = found
            expression = node if isinstance(node, ast.expr) else node.target
            text = functools.partial(operators.source.text_of, expression)
            self._blocks[-1].warn(frame, op, text, shapes, names)

    def _operands(self, frame: FrameType, node: Operator, operators: Operators) -> Watched | None:
        """The operator, with the shapes of its operands, and names of their axes if it is known which are the same; None if the
        shapes are not known, or the operands no arrays of a system.
        """
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
        if not is_array or "torch" in view.systems:
            return None
        return op, tuple(shapes), _axis_names(operands, shapes, view)


def _axis_names(operands: list[ast.expr], shapes: list[Shape], view: View) -> AxisNames | None:
    """Names of axes where one operand is a reduction of the other, as in `x - x.mean(axis=1)`: each axis of `x` has one."""
    for whole, reduced in ((0, 1), (1, 0)) if len(operands) == 2 else ():
        found = view.kept_axes(operands[reduced])
        if found is not None and view.shape(found[0]) == shapes[whole] and _has_operand(operands[whole], found[0]):
            names = tuple(f"axis {axis}" for axis in range(len(shapes[whole]))), tuple(f"axis {axis}" for axis in found[1])
            return names if whole == 0 else names[::-1]
    return None


def _has_operand(node: ast.expr, wanted: ast.expr) -> bool:
    """Whether an expression is another, or computed from it element by element."""
    if ast.dump(node) == ast.dump(wanted):
        return True
    if isinstance(node, ast.UnaryOp):
        return _has_operand(node.operand, wanted)
    if not isinstance(node, ast.BinOp) or isinstance(node.op, ast.MatMult):
        return False
    return _has_operand(node.left, wanted) or _has_operand(node.right, wanted)


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
