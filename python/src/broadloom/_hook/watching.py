"""Judges the operators of a block just before they run. `monitoring` or `tracing` calls this for each instruction."""

from __future__ import annotations

import ast
import dis
import functools
import inspect
import linecache
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, ModuleType
from typing import NamedTuple
from weakref import WeakKeyDictionary

from .chain import is_of_program, is_of_signal
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

SUSPENDS = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

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
    """The operators in the code of a frame; None without a source, or if it is not of the program."""
    if not is_of_program(frame):
        return None
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


def frames_from(frame: FrameType) -> Iterator[FrameType]:
    """A frame and its callers."""
    each: FrameType | None = frame
    while each is not None:
        yield each
        each = each.f_back


class Known(NamedTuple):
    """A piece of code, and what `operators_of` says of it."""

    code: CodeType
    operators: Operators | None


class KnownCode:
    """The code that runs in blocks.

    It is found by its id: its hash goes through all of its instructions, and the same code in two files is equal.
    """

    def __init__(self) -> None:
        self._known: dict[int, Known] = {}

    def __contains__(self, code: CodeType) -> bool:
        return id(code) in self._known

    def get(self, code: CodeType) -> Operators | None:
        known = self._known.get(id(code))
        return None if known is None else known.operators

    def add(self, code: CodeType, operators: Operators | None) -> None:
        self._known[id(code)] = Known(code, operators)

    def clear(self) -> list[CodeType]:
        """Forgets all code. Returns that of the program."""
        codes = [code for code, operators in self._known.values() if operators is not None]
        self._known = {}
        return codes


class Watcher:
    """What is known of the frames of a thread, and the blocks that are open in it.

    Blocks need not end in the order in which they began, as those of coroutines do not: of those that are open, the one that
    began last is warned of.
    """

    def __init__(self, known: KnownCode) -> None:
        self.known = known
        #: What to call before an operator, for each block.
        self.warnings: list[Warn] = []
        #: For each frame, by its id while it runs, the shapes that calls in it returned, by the offset of the call.
        self._returned: dict[int, dict[int, Shape]] = {}

    def forget(self, frame: FrameType | None = None) -> None:
        """Forgets what calls in a frame returned, or in all."""
        if frame is None:
            self._returned.clear()
        else:
            self._returned.pop(id(frame), None)

    def keep(self, frame: FrameType, result: object) -> None:
        """Remembers the shape that a function returned, for an operator in its caller."""
        caller = frame.f_back
        operators = None if caller is None else self.known.get(caller.f_code)
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

    def look(self, frame: FrameType, operators: Operators) -> None:
        """Warns of the operator at a frame's instruction, if there is one, and it is suspicious."""
        node = operators.nodes.get(frame.f_lasti)
        if node is None:
            return
        if isinstance(node, ast.Call):
            # Until it returns, what it returned before is not its result.
            self._returned.get(id(frame), {}).pop(frame.f_lasti, None)
            if not isinstance(node.func, ast.Attribute):
                return  # no function of a system, which are called by the name of their module
        try:
            found = self._operands(frame, node, operators)
        except Exception as error:
            if is_of_signal(error):
                raise
            return  # nothing is judged
        if found is not None:
            op, shapes, names = found
            text = functools.partial(_text_of, operators.source, node)
            for warn in self.warnings[-1:]:  # none, if another thread has ended the block meanwhile
                warn(frame, op, text, shapes, names)

    def _operands(self, frame: FrameType, node: Operator, operators: Operators) -> Watched | None:
        """The operator, with the shapes of its operands, and names of their axes if it is known which are the same; None if the
        shapes are not known, or the operands no arrays of a system.
        """
        view = View(frame, operators.source, is_running=True)
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
        if isinstance(node, ast.AugAssign) and view.systems <= {"numpy"} and not _fits_into(shapes[1], shapes[0]):
            return None  # an error
        return op, tuple(shapes), _axis_names(operands, shapes, view)


def _fits_into(shape: Shape, result: Shape) -> bool:
    """Whether an operand can be added to an array in place: the array does not grow."""
    return len(shape) <= len(result) and all(a in (1, b) for a, b in zip(shape[::-1], result[::-1], strict=False))


def _text_of(source: Source, node: Operator) -> str:
    if isinstance(node, ast.AugAssign):
        return f"{source.text_of(node.target)} {SIGNS[type(node.op)]}= {source.text_of(node.value)}"
    return source.text_of(node)


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
