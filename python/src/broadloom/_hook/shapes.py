"""The shape of an expression in a frame, from the shapes of its names: nothing is evaluated."""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable, Mapping
from types import FrameType, ModuleType
from typing import Any

import numpy as np

from .. import _core
from .._errors import BroadcastError
from .positions import Source, class_around, comprehension_around
from .values import MISSING, SYSTEMS, Shape, attribute_of, item_of, package_of, shape_of, system_of

#: A deeper expression is not looked into.
MOST_LEVELS = 40

# Functions and methods with the shape of their first operand.
ELEMENTWISE = frozenset(
    "abs absolute arccos arcsin arctan astype ceil clip clone contiguous copy cos cpu cuda deepcopy detach double exp exp2 "
    "expm1 float floor half log log10 log1p log2 negative positive relu round rsqrt sigmoid sign sin softmax sqrt square tan "
    "tanh to type".split()
)
# Functions and methods that drop axes, or with keepdims leave extents of 1.
REDUCTIONS = frozenset(
    "all amax amin any argmax argmin count_nonzero logsumexp max mean median min nanmax nanmean nanmin nansum prod std sum var "
    "reduce_all reduce_any reduce_max reduce_mean reduce_min reduce_prod reduce_sum".split()
)
# Of PyTorch, these return two tensors if an axis is given.
PAIRS = frozenset(("max", "median", "min"))
# Functions that make an array of the shape that they are given.
MAKERS = frozenset("empty full ones rand randn zeros".split())

# From Python 3.12 on, comprehensions run in the frame around them.
_HAS_OWN_FRAMES = sys.version_info < (3, 12)
# That of f_locals in functions.
_Locals = type((lambda: sys._getframe().f_locals)())
_COMPREHENSIONS = frozenset(("<listcomp>", "<setcomp>", "<dictcomp>"))


class View:
    """The names of a frame, and the shapes of expressions in it."""

    def __init__(self, frame: FrameType, source: Source, is_running: bool = False) -> None:
        self._frame = frame
        self._source = source
        #: Whether the frame is at the expression, and has not left it by an exception.
        self._is_running = is_running
        self._locals: Mapping[str, Any] | None = None
        self._has_locals = True
        #: Shapes of expressions that were measured otherwise.
        self.known: dict[ast.expr, Shape] = {}
        #: The systems whose arrays occurred in what was looked at.
        self.systems: set[str] = set()

    def text_of(self, node: ast.expr | None) -> str:
        """The source of an expression."""
        return "" if node is None else self._source.text_of(node)

    # --- Values -------------------------------------------------------------------------------------------------------

    def value(self, node: ast.expr, levels: int = MOST_LEVELS) -> Any:
        """The value of a constant, a name, an attribute or an item; MISSING if code would have to run for it."""
        if levels == 0:
            return MISSING
        match node:
            case ast.Constant():
                return node.value
            case ast.Name():
                return self._name(node)
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(number))) if type(number) is int:
                return -number
            case ast.Attribute():
                owner = self.value(node.value, levels - 1)
                return MISSING if owner is MISSING else attribute_of(owner, self._mangled(node, node.attr))
            case ast.Subscript():
                owner = self.value(node.value, levels - 1)
                return MISSING if owner is MISSING else item_of(owner, self.value(node.slice, levels - 1))
            case ast.Tuple() | ast.List():
                items = [self.value(item, levels - 1) for item in node.elts]
                return MISSING if any(item is MISSING for item in items) else tuple(items)
        return MISSING

    def names(self) -> list[tuple[str, Any]]:
        """The global and the local names with their values: of equal ones, the local is the last."""
        names = self._frame.f_globals
        outer = list(names.items()) if type(names) is dict else []
        inner = self._local_names()
        return [item for item in [*outer, *([] if inner is None else inner.items())] if type(item[0]) is str]

    def _name(self, node: ast.Name) -> Any:
        name, code = self._mangled(node, node.id), self._frame.f_code
        around = None if _HAS_OWN_FRAMES or code.co_name in _COMPREHENSIONS else comprehension_around(self._source, node)
        if around is not None and name in around.bound:
            # An exception has set the name back to what it was before. Python 3.13.0 crashes where such a name is also that
            # of a closure. The body of a class may have a mapping of the program's, which Python would copy.
            if not self._is_running or name in code.co_cellvars or around.is_in_class:
                return MISSING
            return self._frame.f_locals.get(name, MISSING)
        # A comprehension does not see the names of the class around it.
        if around is None or not around.is_in_class:
            names = self._local_names()
            if names is None:
                return MISSING
            if name in names:
                return names[name]
        outer = self._frame.f_globals
        return outer.get(name, MISSING) if type(outer) is dict else MISSING

    def _local_names(self) -> Mapping[str, Any] | None:
        """The local names; None in the body of a class that has them in a mapping that the program defines."""
        if self._locals is None and self._has_locals:
            found = self._frame.f_locals
            self._has_locals = type(found) in (dict, _Locals)
            self._locals = found if self._has_locals else None
        return self._locals

    def _mangled(self, node: ast.expr, name: str) -> str:
        if not name.startswith("__") or name.endswith("__"):
            return name
        around = (class_around(self._source, node) or "").lstrip("_")
        return f"_{around}{name}" if around else name

    # --- Shapes -------------------------------------------------------------------------------------------------------

    def shape(self, node: ast.expr, levels: int = MOST_LEVELS) -> Shape | None:
        """The shape of an expression; None if it is not known without running code."""
        if node in self.known:
            return self.known[node]
        if levels == 0:
            return None
        value = self.value(node)
        if type(value) is int or type(value) is float:
            return ()
        if value is not MISSING:
            system = system_of(value)
            if system is not None:
                self.systems.add(system)
            return shape_of(value)
        try:
            return self._computed(node, levels - 1)
        except BroadcastError:
            return None

    def _computed(self, node: ast.expr, levels: int) -> Shape | None:
        match node:
            case ast.Attribute(attr="T" | "mT"):
                shape = self.shape(node.value, levels)
                if shape is None or (node.attr == "mT" and len(shape) < 2):
                    return None
                return shape[::-1] if node.attr == "T" else (*shape[:-2], shape[-1], shape[-2])
            case ast.Attribute(attr="data" | "grad" | "real" | "imag"):
                return self.shape(node.value, levels)
            case ast.UnaryOp() if not isinstance(node.op, ast.Not):
                return self.shape(node.operand, levels)
            case ast.BinOp():
                pair = self._shapes([node.left, node.right], levels)
                if pair is None:
                    return None
                return _product(*pair) if isinstance(node.op, ast.MatMult) else _broadcast(pair)
            case ast.Compare(ops=[ast.Lt() | ast.LtE() | ast.Gt() | ast.GtE() | ast.Eq() | ast.NotEq()]):
                pair = self._shapes([node.left, *node.comparators], levels)
                return None if pair is None else _broadcast(pair)
            case ast.Subscript():
                shape = self.shape(node.value, levels)
                return None if shape is None else self._indexed(shape, node.slice)
            case ast.NamedExpr():
                return self.shape(node.value, levels)
            case ast.Call(func=ast.Attribute() as function):
                return self._called(node, function, levels)
        return None

    def _shapes(self, nodes: list[ast.expr], levels: int) -> list[Shape] | None:
        shapes = [shape for node in nodes if (shape := self.shape(node, levels)) is not None]
        return shapes if len(shapes) == len(nodes) else None

    def _indexed(self, shape: Shape, index: ast.expr) -> Shape | None:
        items = list(index.elts) if isinstance(index, ast.Tuple) else [index]
        parts = [item if isinstance(item, ast.Slice) else self._index(item) for item in items]
        if any(part is MISSING for part in parts):
            return None
        taken = sum(part is not None and part is not Ellipsis for part in parts)
        if taken > len(shape) or sum(part is Ellipsis for part in parts) > 1:
            return None
        if Ellipsis not in [part for part in parts if not isinstance(part, ast.Slice)]:
            parts.append(Ellipsis)
        left = list(shape)
        result: list[int] = []
        for part in parts:
            if part is None:
                result.append(1)
            elif part is Ellipsis:
                count = len(shape) - taken
                result += left[:count]
                del left[:count]
            elif isinstance(part, ast.Slice):
                bounds = [None if bound is None else self.value(bound) for bound in (part.lower, part.upper, part.step)]
                if any(bound is not None and type(bound) is not int for bound in bounds) or bounds[2] == 0:
                    return None
                result.append(len(range(*slice(*bounds).indices(left.pop(0)))))
            elif not -left[0] <= part < left.pop(0):
                return None
        return tuple(result)

    def _index(self, node: ast.expr) -> Any:
        """An index that is a number, None or an ellipsis."""
        value = self.value(node)
        return value if value is None or value is Ellipsis or type(value) is int else MISSING

    def _called(self, node: ast.Call, function: ast.Attribute, levels: int) -> Shape | None:
        if any(isinstance(argument, ast.Starred) for argument in node.args):
            return None
        options = {keyword.arg: keyword.value for keyword in node.keywords}
        if None in options:
            return None
        name, arguments = function.attr, list(node.args)
        owner = self.value(function.value)
        if type(owner) is ModuleType:
            package = package_of(vars(owner).get("__name__"))
            if package not in SYSTEMS:
                return None
            self.systems.add(package)
            if name in MAKERS:
                return self._made(name, arguments, options)
            called = attribute_of(owner, name)
            if type(called) is np.ufunc and called.signature is None and called.nout == 1 and len(arguments) == called.nin:
                operands = self._shapes(arguments, levels)
                return None if operands is None else _broadcast(operands)
            if not arguments:
                return None
            operand = arguments.pop(0)
        else:
            operand = function.value
        if name not in ELEMENTWISE and name not in REDUCTIONS and name not in _MOVES:
            return None
        if type(owner) is not ModuleType and owner is not MISSING and system_of(owner) is None:
            return None  # a method of something else
        shape = self.shape(operand, levels)
        if shape is None:
            return None
        if name in ELEMENTWISE:
            return shape
        if name in _MOVES:
            if options.keys() - {"axis", "dim", "shape"}:
                return None
            given = [*arguments, *options.values()]
            return _MOVES[name](shape, [self.value(argument) for argument in given])
        reduction = self._reduction(name, arguments, options)
        return None if reduction is None else _reduced(shape, *reduction)

    def kept_axes(self, node: ast.expr) -> tuple[ast.expr, tuple[int, ...]] | None:
        """Of a reduction without keepdims, `x.mean(axis=1)` or `np.mean(x, axis=1)`: `x`, and its axes that are left."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in REDUCTIONS:
            return None
        if node in self.known or self.shape(node) is None:
            return None
        options = {keyword.arg: keyword.value for keyword in node.keywords}
        arguments = list(node.args)
        is_function = type(self.value(node.func.value)) is ModuleType
        operand = arguments.pop(0) if is_function else node.func.value
        shape = self.shape(operand)
        reduction = self._reduction(node.func.attr, arguments, options)
        if shape is None or reduction is None:
            return None
        axes, keeps = reduction
        if axes is None or keeps:
            return None
        dropped = [_axis(axis, len(shape)) for axis in (axes if type(axes) is tuple else (axes,))]
        return operand, tuple(axis for axis in range(len(shape)) if axis not in dropped)

    def _reduction(self, name: str, arguments: list[ast.expr], options: Mapping[str | None, ast.expr]) -> tuple[Any, bool] | None:
        """The axes of a reduction, and whether it keeps them; None if that is not known."""
        if options.keys() - {"axis", "dim", "keepdims", "keepdim", "dtype", "ddof", "correction", "unbiased"}:
            return None
        axis_node = arguments[0] if arguments else options.get("axis", options.get("dim"))
        axes = None if axis_node is None else self.value(axis_node)
        if name in PAIRS and axes is not None and "torch" in self.systems:
            return None
        # PyTorch's second argument by position is keepdim, NumPy's is not.
        keeps_node = options.get("keepdims", options.get("keepdim"))
        if keeps_node is None and len(arguments) > 1:
            if "torch" not in self.systems or len(arguments) > 2:
                return None
            keeps_node = arguments[1]
        keeps = False if keeps_node is None else self.value(keeps_node)
        return (axes, keeps) if type(keeps) is bool else None

    def _made(self, name: str, arguments: list[ast.expr], options: Mapping[str | None, ast.expr]) -> Shape | None:
        if "shape" in options or "size" in options or not arguments:
            return None
        values = [self.value(argument) for argument in arguments]
        if type(values[0]) is tuple:
            extents = values[0]
        elif name == "full" or len(values) > 1 and type(values[1]) is not int:
            extents = (values[0],)
        else:
            extents = tuple(values)
        return extents if all(type(extent) is int and extent >= 0 for extent in extents) else None


def _broadcast(shapes: list[Shape]) -> Shape:
    return _core.infer_shape("numpy", shapes)


def _product(a: Shape, b: Shape) -> Shape | None:
    if not a or not b or a[-1] != b[-2 if len(b) > 1 else 0]:
        return None
    batch = _broadcast([a[:-2], b[:-2]])
    return (*batch, *a[-2:-1], *(b[-1:] if len(b) > 1 else ()))


def _axis(axis: object, rank: int) -> int | None:
    return axis % rank if type(axis) is int and -rank <= axis < rank else None


def _reduced(shape: Shape, axes: object, keeps: bool) -> Shape | None:
    if axes is None:
        return (1,) * len(shape) if keeps else ()
    dropped = [_axis(axis, len(shape)) for axis in (axes if type(axes) is tuple else (axes,))]
    if any(axis is None for axis in dropped):
        return None
    kept = [1 if axis in dropped else extent for axis, extent in enumerate(shape) if keeps or axis not in dropped]
    return tuple(kept)


def _reshaped(shape: Shape, values: list[Any]) -> Shape | None:
    extents = values[0] if len(values) == 1 and type(values[0]) is tuple else tuple(values)
    if not all(type(extent) is int and extent >= -1 for extent in extents) or extents.count(-1) > 1:
        return None
    count, rest = math.prod(shape), math.prod(extent for extent in extents if extent != -1)
    if -1 not in extents:
        return extents if rest == count else None
    return None if rest == 0 or count % rest else tuple(count // rest if extent == -1 else extent for extent in extents)


def _with_axis(shape: Shape, values: list[Any]) -> Shape | None:
    axis = _axis(values[0], len(shape) + 1) if len(values) == 1 else None
    return None if axis is None else (*shape[:axis], 1, *shape[axis:])


def _flattened(shape: Shape, values: list[Any]) -> Shape | None:
    return None if values else (math.prod(shape),)


# Functions and methods that move elements: the result's shape, from that of the operand and the other arguments.
_MOVES: dict[str, Callable[[Shape, list[Any]], Shape | None]] = {
    "expand_dims": _with_axis,
    "flatten": _flattened,
    "ravel": _flattened,
    "reshape": _reshaped,
    "unsqueeze": _with_axis,
    "view": _reshaped,
}
