"""Plans as plain values, from which they are made anew."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _core


def make_plan(
    op: Any, rule: Any, shapes: Sequence[Sequence[int]], dtypes: Sequence[Any], options: dict[str, Any]
) -> _core.Plan:
    """The plan of these arguments: what pickle calls, in this process or another."""
    return _core.plan(op, rule, shapes, dtypes, **options)
