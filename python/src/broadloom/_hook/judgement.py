"""What is suspicious about shapes that fit."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from .._alignment import explain, read_pasted
from .._errors import BroadcastError
from .values import Shape

# Kinds of warnings about other systems and sizes: no mistakes of the program.
NOT_MISTAKES = ("empty_result", "large_result", "other_systems")


@lru_cache(1024)
def op_named(name: str) -> str | None:
    """Broadloom's operator for a sign, or a function of another system: "Sub" for "-", "subtract", "__rsub__" and "sub_".

    >>> [op_named(name) for name in ("-", "subtract", "__rsub__", "__isub__", "sub_", "frobnicate")]
    ['Sub', 'Sub', 'Sub', 'Sub', 'Sub', None]
    """
    bare = name.strip("_") if name.startswith("__") else name.rstrip("_")
    forms = [bare, bare[1:]] if name.startswith("__") and bare[:1] in ("r", "i") else [bare]
    for form in forms:
        written = f"np.{form}(a, b)" if form.isidentifier() else f"a {form} b" if not form[:1].isalnum() else ""
        message = f"    {written}\nValueError: operands could not be broadcast together with shapes (2,) (3,) "
        read = read_pasted(message) if written else None
        if read is not None and read["op"] is not None:
            return str(read["op"])
    return None


@lru_cache(4096)
def mistakes_in(
    op: str | None, shapes: tuple[Shape, ...], expect: tuple[str, ...], names: tuple[tuple[str, ...], ...] | None = None
) -> tuple[str, ...]:
    """Sentences on what may be a mistake where these shapes meet; none if they do not fit, which is an error anyway.

    `names` of axes are those of one array, of which an operand is a reduction: an axis that lies on another of it fits by
    accident.

    >>> mistakes_in("Sub", ((32, 1), (32,)), ())[0].split(":")[0]
    '(32, 1) with (32,) gives (32, 32)'
    >>> mistakes_in("Sub", ((8, 8), (8,)), (), (("axis 0", "axis 1"), ("axis 0",)))[0][:70]
    '(8, 8) with (8,) gives (8, 8): Along axis 1, "axis 1" of A lies on "ax'
    >>> mistakes_in("Sub", ((32, 1), (32,)), ("outer",)), mistakes_in("Sub", ((32, 10), (10,)), ())
    ((), ())
    """
    told = None
    asked: Any
    if "accidental_match" in expect:
        names = None
    for asked in (op, None):
        try:
            told = explain("numpy", shapes, op=asked, expect=[*expect, *NOT_MISTAKES], names=names)
            break
        except BroadcastError:
            continue  # the operator takes other operands
    if told is None or not told.alignment.fits or told.alignment.shape is None:
        return ()
    found = [warning.message for warning in told.warnings]
    if names is not None:
        del found[1:]  # the others are about the same axis
    if not found and told.alignment.grows_both and "outer" not in expect:
        found = [told.alignment.verdict]
    head = f"{' with '.join(map(str, shapes))} gives {told.alignment.shape}"
    return tuple(f"{head}: {message}" for message in found)
