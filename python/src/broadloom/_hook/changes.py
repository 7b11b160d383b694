"""How operands are written after a repair: the program's own text, with what the core writes around it."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from types import ModuleType
from typing import NamedTuple

import numpy as np

from .._alignment import Explanation
from .operands import Operand, Site
from .shapes import View
from .values import MISSING, SYSTEMS, class_with, package_of, system_of

# Expressions behind which a subscript needs no brackets.
PRIMARIES = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.ListComp, ast.GeneratorExp)
# Those that need brackets also as an argument.
LOOSE = (ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Tuple, ast.Lambda)
# Methods of arrays that return none.
NO_ARRAYS = frozenset(("item", "tobytes", "tolist"))
# Beside integers, names and tuples: what the arguments of a reduction may consist of, for the core to read it.
PLAIN_ARGUMENTS = (ast.UnaryOp, ast.USub, ast.Load)
# Systems whose code for a repair takes no list, and that have no function like np.asarray for all that they take.
NEEDING_ARRAYS = frozenset(("jax", "onnxruntime", "tensorflow", "torch"))

#: The modules that the core's code names, by the name that it has for them.
MODULES = {
    "np": re.compile(r"numpy"),
    "jnp": re.compile(r"jax\.numpy"),
    "torch": re.compile(r"torch"),
    "tf": re.compile(r"tensorflow"),
    "ops": re.compile(r"openvino\.(runtime\.)?opset\d+"),
}


class StandIn(NamedTuple):
    """An operand with a name in place of its text: the core copies few forms of expressions, and names always."""

    #: What the core is given: the name, or a reduction of it, such as `name.mean(axis=1)`.
    handed: str
    name: str
    #: What the name stands for.
    text: str
    #: The expression of the text.
    node: ast.expr


def stand_in_for(index: int, operand: Operand, site: Site, system: str) -> StandIn | None:
    """What to hand to the core for an operand; None if its text is not sure."""
    if operand.node is None:
        return None
    text = site.source.expression_of(operand.node)
    if text is None:
        return None
    name = f"operand_{index}_"
    while any(name in line for line in site.source.lines):
        name += "_"
    tree = ast.parse(f"({text})", mode="eval").body
    part = _reduced_part(operand.node, tree, site.view, system)
    if part is not None and part.end_col_offset is not None:
        # The bracket in front of the text is no part of it.
        encoded = text.encode()
        begin, end = part.col_offset - 1, part.end_col_offset - 1
        before, inner, after = (piece.decode() for piece in (encoded[:begin], encoded[begin:end], encoded[end:]))
        return StandIn(before + name + after, name, inner, part)
    if system in NEEDING_ARRAYS and _is_no_array(operand.node, site.view):
        return None
    if system == "numpy" and not is_array(operand.node, site.view):
        module = module_name("np", site)
        if module is None:
            return None
        text = f"{module}.asarray({text if not isinstance(tree, LOOSE) else f'({text})'})"
        tree = ast.parse(text, mode="eval").body
    return StandIn(name, name, text, tree)


def with_texts(told: Explanation, stand_ins: list[StandIn | None], site: Site | None, system: str) -> Explanation:
    """An explanation whose repairs have the operands' own texts in their code for `system`, and no other code."""
    repairs = []
    for repair in told.repairs:
        code = None
        if repair.operand is not None and 0 <= repair.operand < len(stand_ins):
            stand_in = stand_ins[repair.operand]
            code = repair.code.get(system, repair.code.get("numpy"))
            code = None if code is None or stand_in is None or site is None else _restored(code, stand_in, site)
        repairs.append(replace(repair, code={system: code}))
    return replace(told, repairs=tuple(repairs))


def _restored(code: str, stand_in: StandIn, site: Site) -> str | None:
    """Code with the operand's text, and the modules' names in the frame; None if a name has no meaning there."""
    try:
        names = {node.id for node in ast.walk(ast.parse(code, mode="eval")) if isinstance(node, ast.Name)}
    except SyntaxError:
        return None
    if stand_in.name not in names:
        return None
    for name in names - {stand_in.name} - set(re.findall(r"\w+", stand_in.handed)):
        module = module_name(name, site)
        if module is None:
            return None
        code = re.sub(rf"(?<![\w.]){name}\.", f"{module}.", code)

    def put(found: re.Match[str]) -> str:
        is_subscripted = code[found.end() :].startswith(("[", "."))
        is_bracketed = stand_in.handed != stand_in.name
        if is_bracketed or isinstance(stand_in.node, PRIMARIES):
            return stand_in.text
        return f"({stand_in.text})" if is_subscripted or isinstance(stand_in.node, LOOSE) else stand_in.text

    return re.sub(rf"\b{stand_in.name}\b", put, code)


def module_name(name: str, site: Site) -> str | None:
    """What the frame calls a module that the core calls `name`; None if it has no name for it."""
    meant = MODULES.get(name)
    if meant is None:
        return None
    # The module whose function failed is the one to take.
    if isinstance(site.node, ast.Call) and isinstance(site.node.func, ast.Attribute):
        owner = site.view.value(site.node.func.value)
        if type(owner) is ModuleType and meant.fullmatch(_name_of(owner)):
            return site.view.text_of(site.node.func.value)
    modules = {each: _name_of(value) for each, value in site.view.names() if type(value) is ModuleType}
    found = sorted(each for each, full in modules.items() if meant.fullmatch(full) and each.isidentifier())
    if found:
        return name if name in found else found[0]
    if name == "jnp":
        return next((f"{each}.numpy" for each, full in sorted(modules.items()) if full == "jax"), None)
    return None


def _name_of(module: ModuleType) -> str:
    name = vars(module).get("__name__")
    return name if type(name) is str else ""


def is_array(node: ast.expr, view: View) -> bool:
    """Whether the value of an expression is surely an array, tensor or node of a system, which takes `[:, None]`."""
    value = view.value(node)
    if value is not MISSING:
        return system_of(value) is not None and not isinstance(value, np.matrix)
    match node:
        case ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()):
            return is_array(node.operand, view)
        case ast.BinOp():
            return is_array(node.left, view) or is_array(node.right, view)
        case ast.Compare(ops=[_]):
            return is_array(node.left, view) or is_array(node.comparators[0], view)
        case ast.Subscript() | ast.NamedExpr():
            return is_array(node.value, view)
        case ast.Attribute(attr="T" | "mT" | "real" | "imag" | "values" | "data" | "grad"):
            return is_array(node.value, view)
        case ast.Call(func=ast.Attribute() as function):
            owner = view.value(function.value)
            if type(owner) is ModuleType:
                return package_of(_name_of(owner)) in SYSTEMS
            if owner is not MISSING and not _is_systems_method(owner, function.attr):
                return False
            return function.attr not in NO_ARRAYS and is_array(function.value, view)
    return False


def _is_no_array(node: ast.expr, view: View) -> bool:
    """Whether the value of an expression is surely a list or another value of Python."""
    value = view.value(node)
    if value is not MISSING:
        return system_of(value) is None
    return isinstance(node, (ast.List, ast.Tuple, ast.ListComp, ast.GeneratorExp))


def _is_systems_method(owner: object, name: str) -> bool:
    kind = class_with(type(owner), name)
    return kind is not None and package_of(kind.__module__) in SYSTEMS


def _reduced_part(node: ast.expr, tree: ast.expr, view: View, system: str) -> ast.expr | None:
    """Of a reduction of an array by its system, such as `x.mean(axis=1)` or `np.mean(x, axis=1)`: `x` in `tree`.

    None for everything else: functions of the program need not take what those of a system do.
    """
    if isinstance(node, ast.Attribute) and isinstance(tree, ast.Attribute) and node.attr in ("values", "indices"):
        node, tree = node.value, tree.value
    if not isinstance(node, ast.Call) or not isinstance(tree, ast.Call):
        return None
    if not isinstance(node.func, ast.Attribute) or not isinstance(tree.func, ast.Attribute):
        return None
    owner = view.value(node.func.value)
    rest: list[ast.AST] = [*tree.args, *tree.keywords]
    if type(owner) is ModuleType:
        if package_of(_name_of(owner)) not in SYSTEMS | {"scipy"} or not tree.args or isinstance(tree.args[0], ast.Starred):
            return None
        part = tree.args[0]
        del rest[0]
    else:
        if owner is not MISSING:
            if not _is_systems_method(owner, node.func.attr):
                return None
            alike = {"numpy", "jax"} if system in ("numpy", "jax") else {system}
            if system_of(owner) not in alike:
                return None  # another system has other words
        if not is_array(node.func.value, view):
            return None
        part = tree.func.value
    return part if all(_is_plain(inner) for argument in rest for inner in ast.walk(argument)) else None


def _is_plain(node: ast.AST) -> bool:
    if isinstance(node, ast.Constant):
        return type(node.value) in (int, bool, type(None))
    if isinstance(node, ast.keyword):
        return node.arg is not None and node.arg.isascii()
    if isinstance(node, (ast.Name, ast.Attribute)):
        return (node.id if isinstance(node, ast.Name) else node.attr).isascii()
    if isinstance(node, (ast.Tuple, ast.List)):
        return bool(node.elts)
    return isinstance(node, PLAIN_ARGUMENTS)
