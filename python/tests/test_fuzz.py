"""Random calls with random arguments, good and bad: each returns an array or raises BroadcastError or TypeError, and no
refused call has written anything. BROADLOOM_FUZZ_CALLS sets the number of calls."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import numpy as np
from forms import DTYPES, in_form, random_array

import broadloom

CALLS = int(os.environ.get("BROADLOOM_FUZZ_CALLS", "4000"))
OPS = list(broadloom.operators)


class Hostile:
    """Raises wherever it is asked, or lies."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.kind = int(rng.integers(0, 5))

    @property
    def __array_interface__(self) -> Any:
        if self.kind == 0:
            raise ValueError("no")
        if self.kind == 1:
            return {"shape": (2, -3), "typestr": "<f8", "data": (0, True), "version": 3}
        raise AttributeError

    @property
    def shape(self) -> Any:
        if self.kind == 2:
            raise RuntimeError("no")
        return (1 << 70,)

    def __index__(self) -> int:
        raise ValueError("no")

    def __dlpack__(self, **options: Any) -> Any:
        if self.kind == 3:
            raise RuntimeError("no")
        return None

    def __repr__(self) -> str:
        raise RuntimeError("no repr")


def odd(rng: np.random.Generator) -> Any:
    values: list[Callable[[], Any]] = [
        lambda: None,
        lambda: "text",
        lambda: "\udc80",
        lambda: b"bytes",
        lambda: 2**80,
        lambda: -(2**70),
        lambda: float("nan"),
        lambda: 1.5,
        lambda: True,
        lambda: 3 + 4j,
        lambda: [],
        lambda: [[1], 2],
        lambda: [[], []],
        lambda: (),
        lambda: {},
        lambda: object(),
        lambda: Hostile(rng),
        lambda: np.array("text"),
        lambda: np.array([None]),
        lambda: np.ones(2, ">i4"),
        lambda: np.ones(2, np.longdouble),
        lambda: np.float16(2),
        lambda: np.bool_(True),
        lambda: np.ma.ones(2),
        lambda: np.zeros((0, 3)),
        lambda: np.ones(3).__dlpack__(),
        lambda: memoryview(b"12345678").cast("d"),
        lambda: np.lib.stride_tricks.as_strided(np.ones(8), (3, 3), (8, 8)),
        lambda: np.broadcast_to(np.ones(1), (3, 3)),
        lambda: int,
        lambda: np.add,
    ]
    return values[int(rng.integers(0, len(values)))]()


def operand(rng: np.random.Generator) -> Any:
    if rng.random() < 0.15:
        return odd(rng)
    name = str(rng.choice(list(DTYPES))) if rng.random() < 0.3 else str(rng.choice(["f32", "i32"]))
    shape = tuple(int(extent) for extent in rng.choice([0, 1, 2, 3], int(rng.integers(0, 4)), p=[0.05, 0.3, 0.3, 0.35]))
    return in_form(rng, random_array(rng, shape, DTYPES[name]))


def integers(rng: np.random.Generator) -> Any:
    return odd(rng) if rng.random() < 0.1 else [int(i) for i in rng.integers(-1, 4, int(rng.integers(0, 4)))]


def options(rng: np.random.Generator) -> dict[str, Any]:
    chosen: dict[str, Any] = {}
    makers: dict[str, Callable[[], Any]] = {
        "rule": lambda: odd(rng) if rng.random() < 0.05 else str(rng.choice(broadloom.rules)),
        "axis": lambda: odd(rng) if rng.random() < 0.2 else int(rng.integers(-2, 4)),
        "target_shape": lambda: integers(rng),
        "axes_mapping": lambda: integers(rng),
        "policy": lambda: odd(rng) if rng.random() < 0.5 else ["match"],
        "names": lambda: odd(rng) if rng.random() < 0.5 else [["a"], ["b", None]],
        "promote": lambda: odd(rng) if rng.random() < 0.1 else "numpy2",
        "out": lambda: operand(rng),
        "fmod": lambda: odd(rng) if rng.random() < 0.5 else 1,
        "direction": lambda: odd(rng) if rng.random() < 0.2 else "left",
        "to": lambda: odd(rng) if rng.random() < 0.2 else str(rng.choice(list(DTYPES))),
        "saturate": lambda: odd(rng) if rng.random() < 0.5 else 1,
        "wrong": lambda: odd(rng),
    }
    for name, make in makers.items():
        if rng.random() < (0.3 if name in ("rule", "promote") else 0.06):
            chosen[name] = make()
    return chosen


def snapshot(value: Any) -> bytes | None:
    return value.tobytes() if isinstance(value, np.ndarray) and value.dtype != object else None


def one_call(rng: np.random.Generator) -> str:
    given = [operand(rng) for _ in range(int(rng.integers(0, 4)))]
    asked = options(rng)
    op = str(rng.choice(OPS))
    function = getattr(broadloom, broadloom.operators[op])
    calls: list[Callable[[], Any]] = [
        lambda: function(*given, **asked),
        lambda: function(*given[:2], **asked),
        lambda: function(given, **asked),
        lambda: broadloom.apply(op, given, **asked),
        lambda: broadloom.apply("Broadcast", given, **asked),
        lambda: broadloom.broadcast_to(given[0] if given else odd(rng), integers(rng), **asked),
        lambda: broadloom.sum_to(given[0] if given else odd(rng), integers(rng), **asked),
        lambda: broadloom.infer_shape(asked.pop("rule", "numpy"), given, **asked),
        lambda: str(broadloom.explain(asked.pop("rule", "numpy"), [integers(rng) for _ in given], **asked)),
        lambda: broadloom.plan(op, asked.pop("rule", None), given, ["f32"] * len(given), **asked).run(given),
        lambda: broadloom.plan("Add", None, [(2, 3), (3,)], ["f32"] * 2).run_region(odd(rng), given, operand(rng)),
        lambda: broadloom.result_type(*given, odd(rng)),
        lambda: broadloom.numpy_dtype(odd(rng)),
        lambda: broadloom.set_threads(odd(rng)) and broadloom.set_threads(1),
    ]
    out = asked.get("out")
    before = snapshot(out)
    try:
        calls[int(rng.integers(0, len(calls)))]()
    except broadloom.BroadcastError as error:
        assert str(error)
        assert snapshot(out) == before
        return error.error_class
    except (TypeError, MemoryError, ValueError, RuntimeError, OverflowError) as error:
        # TypeError for wrong arguments; the rest is what an object of the caller raised.
        assert isinstance(error, (TypeError, MemoryError)) or "no" in str(error), repr(error)
        assert snapshot(out) == before
        return type(error).__name__
    return "returned"


def test_random_calls() -> None:
    seed = int(os.environ.get("BROADLOOM_FUZZ_SEED", "1"))
    outcomes: dict[str, int] = {}
    for i in range(CALLS):
        outcome = one_call(np.random.default_rng([seed, i]))
        outcomes[outcome] = outcomes.get(outcome, 0) + 1
    # Both good and bad calls are made, and errors of many classes.
    assert outcomes["returned"] > CALLS / 50
    assert len(outcomes) > 8, outcomes
