"""The expression that a frame was computing, from the positions that Python keeps for each instruction."""

from __future__ import annotations

import ast
import linecache
from itertools import islice
from types import CodeType
from typing import Any, NamedTuple

#: What can fail on account of shapes.
Failing = ast.BinOp | ast.Compare | ast.Call | ast.Subscript | ast.AugAssign
FAILING = (ast.BinOp, ast.Compare, ast.Call, ast.Subscript, ast.AugAssign)

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp)

# A longer source takes long to parse.
MOST_BYTES = 4 << 20

Position = tuple[int | None, int | None, int | None, int | None]


class Source(NamedTuple):
    """A file's syntax tree."""

    lines: list[str]
    #: The nodes of FAILING by where they begin and end.
    nodes: dict[Position, list[Failing]]
    #: The calls by where they end.
    calls: dict[tuple[int | None, int | None], list[ast.Call]]
    parents: dict[ast.AST, ast.AST]
    #: The names anywhere in comprehensions other than generators.
    in_comprehensions: set[ast.Name]

    def text_of(self, node: ast.expr) -> str:
        """The source of an expression on one line, at most 200 characters of it."""
        text = self.expression_of(node)
        if text is None:
            text = " ".join((ast.get_source_segment("".join(self.lines), node) or "").split())
        return text if len(text) <= 200 else text[:199] + "…"

    def expression_of(self, node: ast.expr) -> str | None:
        """The source of an expression on one line, which parses to the same; None if there is none."""
        try:
            wanted = ast.dump(node)
            if not isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
                wanted = wanted.removesuffix("ctx=Store())") + "ctx=Load())"
            # In formatted strings, Python 3.11 has other positions.
            for write in (self._segment_of, ast.unparse):
                text = write(node)
                if "\n" not in text and ast.dump(ast.parse(f"({text})", mode="eval").body) == wanted:
                    return text
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
        return None

    def _segment_of(self, node: ast.expr) -> str:
        if node.end_lineno != node.lineno or not 0 < node.lineno <= len(self.lines):
            return "\n"
        return self.lines[node.lineno - 1].encode()[node.col_offset : node.end_col_offset].decode(errors="replace")


def read_source(filename: str, module_globals: dict[str, Any] | None = None) -> Source | None:
    """The source of a file as Python prints it in tracebacks; None if there is none, or it is no Python."""
    lines = linecache.getlines(filename, module_globals)
    if not lines or sum(map(len, lines)) > MOST_BYTES:
        return None
    try:
        tree = ast.parse("".join(lines))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    source = Source(lines, {}, {}, {}, set())
    for parent in ast.walk(tree):
        for child in ast.iter_child_nodes(parent):
            source.parents[child] = parent
        if isinstance(parent, FAILING):
            source.nodes.setdefault(_position_of(parent), []).append(parent)
        if isinstance(parent, ast.Call):
            source.calls.setdefault(_position_of(parent)[1::2], []).append(parent)
        if isinstance(parent, COMPREHENSIONS):
            source.in_comprehensions.update(node for node in ast.walk(parent) if isinstance(node, ast.Name))
    return source


def _position_of(node: Failing) -> Position:
    return node.lineno, node.end_lineno, node.col_offset, node.end_col_offset


def position_at(code: CodeType, instruction: int) -> Position:
    """Line, last line, column and last column (in bytes) of the instruction at an offset, such as `tb_lasti`."""
    if instruction < 0:
        return None, None, None, None
    return next(islice(code.co_positions(), instruction // 2, None), (None, None, None, None))


def node_at(source: Source, position: Position) -> Failing | None:
    """The expression or statement that an instruction with this position computes; None if it is not clear."""
    found = source.nodes.get(position, [])
    # The instruction of a call of a method begins at the method's name.
    if not found and position[1] is not None:
        found = list(source.calls.get(position[1::2], []))
    return found[0] if len(found) == 1 else None


class Comprehension(NamedTuple):
    """The comprehensions around a node, up to the function, class or module that they stand in."""

    #: The names that they bind.
    bound: frozenset[str]
    is_in_class: bool


def comprehension_around(source: Source, node: ast.Name) -> Comprehension | None:
    """The comprehensions, other than generators, that a name is read in."""
    if node not in source.in_comprehensions:
        return None
    bound: list[str] = []
    is_inside = False
    inner: ast.AST = node
    parent: ast.AST | None
    while (parent := source.parents.get(inner)) is not None:
        if isinstance(parent, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef, ast.GeneratorExp)):
            break
        if isinstance(parent, ast.comprehension):
            around = source.parents.get(parent)
            # The first iterable is computed before the comprehension begins.
            is_first = isinstance(around, COMPREHENSIONS) and around.generators[0] is parent and parent.iter is inner
            parent = around if is_first else parent
        elif isinstance(parent, COMPREHENSIONS):
            is_inside = True
            targets = [name for each in parent.generators for name in ast.walk(each.target)]
            bound += [name.id for name in targets if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)]
        inner = parent  # type: ignore[assignment]
    return Comprehension(frozenset(bound), isinstance(parent, ast.ClassDef)) if is_inside else None


def class_around(source: Source, node: ast.AST) -> str | None:
    """The name of the class around a node: names such as `__weight` are mangled with it."""
    inner: ast.AST | None = node
    while (inner := source.parents.get(inner)) is not None:  # type: ignore[arg-type]
        if isinstance(inner, ast.ClassDef):
            return inner.name
    return None
