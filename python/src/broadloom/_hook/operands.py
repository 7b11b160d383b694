"""The operands of the expression that failed, by name and by shape."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from types import FrameType, ModuleType
from typing import Any

from .positions import Failing, Source
from .shapes import View
from .values import MISSING, SYSTEMS, Shape, attribute_of, package_of, shape_of, system_of

__all__ = ["Operand", "Site", "site_of"]

#: The operators as they are written.
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.BitAnd: "&",
    ast.BitOr: "|",
    ast.BitXor: "^",
    ast.LShift: "<<",
    ast.RShift: ">>",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
}

# Systems whose models take arrays.
MODEL_SYSTEMS = frozenset(("onnxruntime", "openvino"))

# Of more arguments the others are left out.
MOST_OPERANDS = 16


@dataclass
class Operand:
    """One operand of the expression that failed."""

    #: Where it is written; None for one that has no place of its own, such as an entry of a dictionary that has a name.
    node: ast.expr | None
    #: Its source, or its name.
    text: str
    #: None if it is not known.
    shape: Shape | None
    #: If it is a tuple of numbers: these, which may be a shape that is asked for.
    extents: Shape | None = None
    #: Whether it is an input of a model that is run.
    is_fed: bool = False
    #: The rank that the model declares for it; None if that is not known.
    declared_rank: int | None = None


@dataclass
class Site:
    """The expression that failed."""

    node: Failing
    source: Source
    operands: list[Operand]
    #: It with the operands' places in place of their texts: "operand0 - operand1".
    statement: str
    #: The sign of a binary operator; None for calls, items, and comparisons of three and more.
    sign: str | None
    #: The frame's names.
    view: View


def place_of(index: int) -> str:
    """What operand `index` is called in a site's statement."""
    return f"operand{index}"


def site_of(node: Failing, source: Source, frame: FrameType, callee: FrameType | None) -> Site | None:
    """The operator, call or assignment that `node` is part of.

    `callee` is the frame of the library's function that the expression called, if that is one in Python: its arguments are the
    operands, also where no name in the program has them.
    """
    view = View(frame, source)
    sign: str | None = None
    nodes: list[ast.expr]
    match node:
        case ast.BinOp() | ast.AugAssign():
            left, right = (node.left, node.right) if isinstance(node, ast.BinOp) else (node.target, node.value)
            sign = SIGNS.get(type(node.op))
            nodes = [left, right]
            statement = f"{place_of(0)} {sign}{'=' if isinstance(node, ast.AugAssign) else ''} {place_of(1)}"
        case ast.Compare():
            nodes = [node.left, *node.comparators]
            sign = SIGNS.get(type(node.ops[0])) if len(node.ops) == 1 else None
            statement = place_of(0)
            for index, op in enumerate(node.ops, 1):
                statement += f" {SIGNS.get(type(op), 'in')} {place_of(index)}"
        case ast.Subscript(ctx=ast.Store()):
            parent = source.parents.get(node)
            if not isinstance(parent, ast.Assign) or len(parent.targets) > 1:
                return None
            nodes = [node, parent.value]
            statement = f"{place_of(0)}[0] = {place_of(1)}"
        case ast.Subscript():
            nodes = [node.value, *(node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])]
            nodes = nodes[:MOST_OPERANDS]
            statement = f"{place_of(0)}[{', '.join(map(place_of, range(1, len(nodes))))}]"
        case ast.Call():
            return _call(node, source, view, callee)
    operands = [Operand(each, source.text_of(each), view.shape(each)) for each in nodes]
    if callee is not None and len(operands) == 2 and any(operand.shape is None for operand in operands):
        _take_from_callee(operands, callee)
    return Site(node, source, operands, statement, sign, view)


def takes_arrays(site: Site) -> bool:
    """Whether the expression gives its operands to a system, as they are: other functions may do anything with them."""
    if not isinstance(site.node, ast.Call):
        return True
    function = site.node.func
    if not isinstance(function, ast.Attribute):
        return system_of(site.view.value(function)) is not None
    owner = site.view.value(function.value)
    if type(owner) is ModuleType:
        return package_of(vars(owner).get("__name__")) in SYSTEMS
    return site.view.shape(function.value) is not None


def _take_from_callee(operands: list[Operand], callee: FrameType) -> None:
    """The shapes of a binary operator's operands, from the arguments of the library's function for it."""
    positional, _ = _arguments_of(callee)
    shapes = [shape_of(value) for value in positional]
    pair = [shape for shape in shapes if shape is not None]
    if len(pair) != 2 or len(shapes) > 3:
        return
    is_reflected = callee.f_code.co_name.startswith("__r") and callee.f_code.co_name not in ("__rshift__", "__repr__")
    ordered = pair[::-1] if is_reflected else pair
    # A function may have swapped them: those that are known decide.
    known = [operand.shape for operand in operands]
    for candidate in (ordered, ordered[::-1]):
        if all(have is None or have == want for have, want in zip(known, candidate, strict=True)):
            for operand, shape in zip(operands, candidate, strict=True):
                operand.shape = shape
            return


def _arguments_of(frame: FrameType) -> tuple[list[Any], dict[str, Any]]:
    """What a function was called with, as its parameters are now: by position, and by name."""
    code, names = frame.f_code, frame.f_locals
    count = code.co_argcount
    positional = [names[name] for name in code.co_varnames[:count] if name in names]
    by_name = {name: names[name] for name in code.co_varnames[: count + code.co_kwonlyargcount] if name in names}
    at = count + code.co_kwonlyargcount
    if code.co_flags & 0x04:  # *args
        more = names.get(code.co_varnames[at])
        positional += more if type(more) is tuple else ()
        at += 1
    if code.co_flags & 0x08:  # **kwargs
        more = names.get(code.co_varnames[at])
        by_name |= more if type(more) is dict else {}
    return positional, by_name


def _call(node: ast.Call, source: Source, view: View, callee: FrameType | None) -> Site:
    positional, by_name = ([], {}) if callee is None else _arguments_of(callee)
    # A method's first parameter is not among the arguments.
    offset = 1 if len(positional) == len(node.args) + 1 else 0
    operands: list[Operand] = []

    def add(each: ast.expr, measured: Shape | None = None) -> str:
        shape = view.shape(each)
        value = view.value(each)
        extents = value if type(value) is tuple and all(type(item) is int for item in value) else None
        operands.append(Operand(each, source.text_of(each), measured if shape is None else shape, extents))
        return place_of(len(operands) - 1)

    function = node.func
    written = "call"
    if isinstance(function, ast.Attribute):
        written = function.attr
        if view.shape(function.value) is not None:
            written = f"{add(function.value)}.{written}"
        elif isinstance(function.value, (ast.Name, ast.Attribute)):
            written = source.text_of(function)
    elif isinstance(function, ast.Name):
        written = function.id
    arguments: list[str] = []
    for index, argument in enumerate(node.args[:MOST_OPERANDS]):
        if isinstance(argument, ast.Starred):
            arguments.append("*rest")
            continue
        value = positional[index + offset] if index + offset < len(positional) else None
        arguments.append(add(argument, None if value is None else shape_of(value)))
    for keyword in node.keywords[:MOST_OPERANDS]:
        if keyword.arg is None:
            arguments.append("**rest")
        elif isinstance(keyword.value, ast.Constant):
            arguments.append(f"{keyword.arg}={source.text_of(keyword.value)}")
        else:
            value = by_name.get(keyword.arg)
            arguments.append(f"{keyword.arg}={add(keyword.value, None if value is None else shape_of(value))}")
    site = Site(node, source, operands, f"{written}({', '.join(arguments)})", None, view)
    operands += _entries(node, view)
    return site


def _entries(node: ast.Call, view: View) -> Iterator[Operand]:
    """The arrays in lists and dictionaries that are passed: what a model of ONNX Runtime or OpenVINO is run with."""
    # A compiled model of OpenVINO can be called itself.
    called = [view.value(node.func), view.value(node.func.value) if isinstance(node.func, ast.Attribute) else MISSING]
    model = next((value for value in called if system_of(value) in MODEL_SYSTEMS), None)
    is_fed = model is not None
    ranks = _declared_ranks(model)
    for argument in [*node.args, *(keyword.value for keyword in node.keywords)]:
        entries: list[tuple[str | int, ast.expr | None, Shape | None]] = []
        if isinstance(argument, ast.Dict):
            for key, value in zip(argument.keys, argument.values, strict=True):
                if isinstance(key, ast.Constant) and type(key.value) is str:
                    entries.append((key.value, value, view.shape(value)))
        elif isinstance(argument, (ast.List, ast.Tuple)) and view.shape(argument) is None:
            entries = [(index, value, view.shape(value)) for index, value in enumerate(argument.elts)]
        elif isinstance(argument, (ast.Name, ast.Attribute)) and type(held := view.value(argument)) is dict:
            entries = [(key, None, shape_of(value)) for key, value in list(held.items())[:64] if type(key) is str]
        for name, where, shape in entries[:MOST_OPERANDS]:
            if shape is not None:
                text = str(name) if where is None else view.text_of(where)
                yield Operand(where, text, shape, is_fed=is_fed, declared_rank=ranks.get(name))


def _declared_ranks(model: object) -> dict[str | int, int | None]:
    """The ranks of the inputs that a model declares, by name or, for OpenVINO, by name and place; None for one of any rank."""
    ranks: dict[str | int, int | None] = {}
    if system_of(model) == "onnxruntime":
        inputs = attribute_of(model, "_inputs_meta")
        for each in inputs if type(inputs) is list else []:
            if system_of(each) == "onnxruntime":
                ranks[each.name] = None if each.shape is None else len(each.shape)
    elif system_of(model) == "openvino":
        try:
            inputs = getattr(model, "inputs", None) or getattr(model, "model_inputs", [])  # of an inference request
            for index, each in enumerate(inputs):
                rank = each.get_partial_shape().rank
                ranks.update(dict.fromkeys([index, *each.get_names()], rank.get_length() if rank.is_static else None))
        except Exception:
            pass  # the model has no inputs that can be asked for
    return ranks
