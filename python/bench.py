"""Times the package beside NumPy on the cases of tests/bench, and prints the ratios.

    build/python/venv/bin/python python/bench.py [--filter REGEX] [--rounds N] [--threads N] [--out] [--json FILE]

Both compute into a new array, or with --out into one that is there; broadcast_to is compared with a copy of NumPy's view. In
each round the two are measured in turn; a figure is the median of the rounds, a ratio the median of the rounds' ratios. The
last column says whether the aim is met: from 64 KiB no slower than NumPy (within 2 %, the noise of two equal programs), below
at most NumPy's time and 1 us. Every result is compared with NumPy's first.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter_ns
from typing import Any

import numpy as np

import broadloom

CASES = Path(__file__).parents[1] / "tests" / "bench"
#: From so many bytes of the result on the aim is a ratio.
LARGE = 64 << 10
#: Each measurement takes at least so long.
LEAST_NS = 3_000_000

#: What NumPy calls the operators of the cases. Its integer division rounds down, Div truncates: equal for positive operands.
NUMPY: dict[str, Callable[..., Any]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.floor_divide,
    "pow": np.power,
    "max": np.maximum,
    "less": np.less,
}


def elements(rng: np.random.Generator, shape: list[int], dtype: np.dtype) -> Any:
    return rng.integers(1, 5, shape).astype(dtype)


def places(case: dict[str, Any], rank: int, target: int) -> list[int]:
    """The axes of the result on which an operand's axes lie."""
    if "axes_mapping" in case:
        return list(case["axes_mapping"])
    begin = case["axis"] if case.get("rule") == "pdpd" else target - rank
    return list(range(begin, begin + rank))


def placed(array: Any, case: dict[str, Any], target: int) -> Any:
    """The array with axes of extent 1, so that NumPy's rule places it as the case's rule does."""
    shape = [1] * target
    for place, extent in zip(places(case, array.ndim, target), array.shape, strict=True):
        shape[place] = extent
    return array.reshape(shape)


def pair(case: dict[str, Any], with_out: bool) -> tuple[Callable[[], Any], Callable[[], Any]]:
    """The two calls of a case: Broadloom's and NumPy's."""
    rng = np.random.default_rng(1)
    dtype = broadloom.numpy_dtype(case["dtype"])
    if "target" in case:
        data, target = elements(rng, case["data"], dtype), tuple(case["target"])
        view = placed(data, case, len(target))
        options = {"axes_mapping": case["axes_mapping"], "rule": "explicit"} if "axes_mapping" in case else {}
        if with_out:
            ours, theirs = np.empty(target, dtype), np.empty(target, dtype)
            return (
                lambda: broadloom.broadcast_to(data, target, out=ours, **options),
                lambda: np.copyto(theirs, np.broadcast_to(view, target)) or theirs,
            )
        return (
            lambda: broadloom.broadcast_to(data, target, **options),
            lambda: np.broadcast_to(view, target).copy(),
        )
    a, b = elements(rng, case["a"], dtype), elements(rng, case["b"], dtype)
    options = {name: case[name] for name in ("rule", "axis") if name in case}
    of_b = placed(b, case, a.ndim) if "axis" in case else b
    function = getattr(broadloom, case["op"])
    operands = ([a, b],) if case["op"] == "max" else (a, b)
    reference = NUMPY[case["op"]]
    if with_out:
        expected = reference(a, of_b)
        ours, theirs = np.empty_like(expected), np.empty_like(expected)
        return lambda: function(*operands, out=ours, **options), lambda: reference(a, of_b, out=theirs)
    return lambda: function(*operands, **options), lambda: reference(a, of_b)


def check(case: dict[str, Any], ours: Any, theirs: Any) -> None:
    if case.get("op") == "pow":
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)
    elif ours.dtype != theirs.dtype or ours.tobytes() != theirs.tobytes():
        sys.exit(f"{case['name']}: the result is not NumPy's")


def repetitions(call: Callable[[], Any]) -> int:
    call()
    start = perf_counter_ns()
    call()
    return max(1, LEAST_NS // max(1, perf_counter_ns() - start))


def nanoseconds(call: Callable[[], Any], count: int) -> float:
    start = perf_counter_ns()
    for _ in range(count):
        call()
    return (perf_counter_ns() - start) / count


def measure(case: dict[str, Any], rounds: int, with_out: bool) -> dict[str, Any]:
    ours, theirs = pair(case, with_out)
    result = ours()
    check(case, result, theirs())
    size = result.nbytes
    del result
    count = repetitions(ours)
    our_times, their_times = [], []
    for _ in range(rounds):
        our_times.append(nanoseconds(ours, count))
        their_times.append(nanoseconds(theirs, count))
    ns, numpy_ns = statistics.median(our_times), statistics.median(their_times)
    ratio = statistics.median(one / other for one, other in zip(our_times, their_times, strict=True))
    difference = statistics.median(one - other for one, other in zip(our_times, their_times, strict=True))
    met = ratio <= 1.02 if size >= LARGE else difference <= 1000
    return {"name": case["name"], "bytes": size, "ns": ns, "numpy_ns": numpy_ns, "ratio": ratio, "met": met}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--filter", default="", metavar="REGEX", help="only cases whose names match")
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--threads", type=int, default=1, help="threads of Broadloom; NumPy has one")
    parser.add_argument("--out", action="store_true", help="compute into arrays that are there")
    parser.add_argument("--json", metavar="FILE", help="write the figures")
    options = parser.parse_args()
    broadloom.set_threads(options.threads)
    figures = []
    print(f"{'case':28}{'bytes':>12}{'Broadloom':>14}{'NumPy':>14}{'ratio':>8}")
    for name in ("cases.json", "cases-2.json"):
        lists = json.loads((CASES / name).read_text())
        for kind in ("elementwise", "broadcast"):
            for case in lists[kind]:
                if not re.search(options.filter, f"{kind}/{case['name']}"):
                    continue
                figure = {"kind": kind, **measure(case, options.rounds, options.out)}
                figures.append(figure)
                print(
                    f"{kind + '/' + figure['name']:28}{figure['bytes']:12,}{figure['ns']:11,.0f} ns"
                    f"{figure['numpy_ns']:11,.0f} ns{figure['ratio']:8.2f}{'' if figure['met'] else '  not met'}",
                    flush=True,
                )
    print(f"{sum(figure['met'] for figure in figures)} of {len(figures)} met")
    if options.json:
        Path(options.json).write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
