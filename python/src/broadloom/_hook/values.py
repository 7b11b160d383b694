"""The shapes of values, and values of attributes and items, read without running the program's code."""

from __future__ import annotations

import sys
from collections import OrderedDict
from collections.abc import Callable, Mapping
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any

import numpy as np

Shape = tuple[int, ...]

#: The packages whose errors are explained, and of whose types the attribute `shape` is read.
SYSTEMS = frozenset(("numpy", "torch", "jax", "jaxlib", "tensorflow", "keras", "onnxruntime", "openvino"))

#: What a look-up returns that finds nothing, or would have to run code.
MISSING: Any = object()

# Longer lists and dictionaries are not searched.
MOST_ITEMS = 100_000
# Lists of more numbers are not measured.
MOST_NUMBERS = 10_000


def package_of(module: object) -> str:
    """The package of a module's name: "jax" of "jax._src.core"."""
    return module.partition(".")[0] if type(module) is str else ""


# The fields of a class as Python has them: by `kind.__mro__`, a metaclass of the program could be called.
_module_of: Callable[[type], object] = type.__dict__["__module__"].__get__
_bases_of: Callable[[type], tuple[type, ...]] = type.__dict__["__mro__"].__get__
_names_of: Callable[[type], Mapping[str, Any]] = type.__dict__["__dict__"].__get__


def system_of(value: object) -> str | None:
    """The system whose array, tensor or node a value is; None for everything else, numbers and lists included."""
    for base in _bases_of(type(value)):
        package = package_of(_module_of(base))
        if package in SYSTEMS:
            return "jax" if package == "jaxlib" else package
    return None


def shape_of(value: object) -> Shape | None:
    """The shape of an array, a tensor, a number, or a list of numbers; None for another value.

    Elements are not read: an array may be on another device.

    >>> import numpy
    >>> shape_of(numpy.ones((2, 3))), shape_of(5), shape_of([[1, 2, 3]]), shape_of("text")
    ((2, 3), (), (1, 3), None)
    """
    kind = type(value)
    if kind in (bool, int, float, complex):
        return ()
    if kind is list or kind is tuple:
        return _shape_of_list(value, [MOST_NUMBERS])
    bases = _bases_of(kind)
    if np.ndarray in bases:
        return np.ndarray.shape.__get__(value)  # type: ignore[no-any-return]
    if np.generic in bases:
        return ()
    # Of a class that the program derived, the attribute `shape` might be the program's code.
    package = package_of(_module_of(kind))
    if package not in SYSTEMS:
        return _shape_of_derived_tensor(value)
    try:
        if package == "openvino" and hasattr(value, "get_output_partial_shape"):
            return _extents(value.get_output_partial_shape(0).to_shape())
        shape: Any = getattr(value, "shape", None)
        return None if shape is None else _extents(shape)
    except Exception:
        return None  # of unknown rank, deleted, ...


def _extents(shape: Any) -> Shape | None:
    """A shape as numbers; None if an extent is not known."""
    if callable(shape):
        return None
    extents = [getattr(extent, "value", extent) for extent in shape]  # tf.compat.v1.Dimension has a value
    if not all(isinstance(extent, (int, np.integer)) for extent in extents):
        return None
    return tuple(int(extent) for extent in extents)


def _shape_of_derived_tensor(value: object) -> Shape | None:
    torch = sys.modules.get("torch")
    tensor = getattr(torch, "Tensor", None)
    if tensor is None or tensor not in _bases_of(type(value)):
        return None
    # Such a class may watch every attribute that is read.
    if _in_classes(type(value), "__torch_function__") is not _in_classes(tensor, "__torch_function__"):
        return None
    try:
        return _extents(tensor.shape.__get__(value))
    except Exception:
        return None


def _shape_of_list(value: Any, left: list[int]) -> Shape | None:
    left[0] -= len(value)
    if left[0] < 0:
        return None
    inner: Shape | None = None
    for item in value:
        kind = type(item)
        if kind is list or kind is tuple:
            shape = _shape_of_list(item, left)
        elif kind in (bool, int, float, complex):
            shape = ()
        else:
            shape = None
        if shape is None or (inner is not None and shape != inner):
            return None
        inner = shape
    return (len(value), *(inner or ()))


def attribute_of(owner: object, name: str) -> Any:
    """The value of `owner.name` if it is stored in the instance, in a slot, or in a class; MISSING if code would compute it.

    As inspect.getattr_static, which asks metaclasses, and so may call the program.
    """
    if type(owner) is ModuleType:
        return vars(owner).get(name, MISSING)
    of_class = _in_classes(type(owner), name)
    if _has(of_class, "__set__") or _has(of_class, "__delete__"):
        if type(of_class) is not MemberDescriptorType:  # of __slots__
            return MISSING
        try:
            return of_class.__get__(owner)
        except AttributeError:
            return MISSING
    own = _in_classes(owner, name) if isinstance(owner, type) else _in_instance(owner, name)
    if own is not MISSING:
        return MISSING if isinstance(owner, type) and _has(own, "__get__") else own
    if of_class is MISSING:
        return _registered(owner, name)
    return MISSING if _has(of_class, "__get__") else of_class


def class_with(kind: type, name: str) -> type | None:
    """The class, of `kind` and its bases, that defines a name."""
    return next((base for base in _bases_of(kind) if name in _names_of(base)), None)


def _in_classes(kind: type, name: str) -> Any:
    base = class_with(kind, name)
    return MISSING if base is None else _names_of(base)[name]


def _in_instance(owner: object, name: str) -> Any:
    place = _in_classes(type(owner), "__dict__")
    names = place.__get__(owner) if type(place) is GetSetDescriptorType else None
    return names.get(name, MISSING) if type(names) is dict else MISSING


def _has(value: object, method: str) -> bool:
    """Whether the class of a value has a method."""
    return _in_classes(type(value), method) is not MISSING


def _registered(owner: object, name: str) -> Any:
    """A parameter, buffer or submodule of PyTorch, which a module keeps in dictionaries of its own."""
    module = getattr(sys.modules.get("torch.nn"), "Module", None)
    if module is None or module not in _bases_of(type(owner)):
        return MISSING
    if _in_classes(type(owner), "__getattr__") is not _in_classes(module, "__getattr__"):
        return MISSING
    for registry in ("_parameters", "_buffers", "_modules"):
        kept = _in_instance(owner, registry)
        if type(kept) in (dict, OrderedDict) and name in kept:
            return dict.__getitem__(kept, name)
    return MISSING


def item_of(owner: object, key: object) -> Any:
    """The value of `owner[key]` for the lists, tuples and dictionaries of Python; MISSING otherwise."""
    if type(owner) is list or type(owner) is tuple:
        return owner[key] if type(key) is int and -len(owner) <= key < len(owner) else MISSING
    if type(owner) is not dict or type(key) not in (str, int, bool) or len(owner) > MOST_ITEMS:
        return MISSING
    # A look-up might compare the key with one whose comparison is the program's.
    for each, value in list(owner.items()):
        if type(each) is type(key) and each == key:
            return value
    return MISSING
