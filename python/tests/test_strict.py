"""The strict mode: which operators it warns of, and that a program runs as without it."""

from __future__ import annotations

import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import broadloom
from broadloom._hook.judgement import mistakes_in


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Messages of warnings, as they come."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        messages: list[str] = []
        yield messages
    messages += [str(each.message) for each in caught if each.category is broadloom.BroadcastWarning]


COLUMN, ROW, MATRIX = np.ones((32, 1)), np.ones(32), np.ones((32, 3))


class Layer:
    def __init__(self) -> None:
        self.column = COLUMN
        self.__hidden = COLUMN

    def forward(self, x: Any) -> Any:
        return x @ np.ones((3, 1))

    def compare(self) -> Any:
        return self.__hidden < ROW


def loss(predicted: Any, wanted: Any) -> Any:
    return ((predicted - wanted) ** 2).mean()


def generated() -> Iterator[Any]:
    yield COLUMN - ROW


LAYER = Layer()
HELD = {"column": [COLUMN]}

#: What is warned of, by the beginning of the message.
SUSPICIOUS: dict[str, Callable[[], object]] = {
    "COLUMN - ROW": lambda: COLUMN - ROW,
    "predicted - wanted": lambda: loss(COLUMN, ROW),
    "LAYER.forward(MATRIX) - ROW": lambda: LAYER.forward(MATRIX) - ROW,
    "LAYER.column * ROW": lambda: LAYER.column * ROW,
    "self.__hidden < ROW": lambda: LAYER.compare(),
    'HELD["column"][0] + ROW': lambda: HELD["column"][0] + ROW,
    "np.subtract(COLUMN, ROW)": lambda: np.subtract(COLUMN, ROW),
    "a + b": lambda: [a + b for a, b in [(COLUMN, ROW)]],
    "MATRIX.mean(axis=1, keepdims=True) - ROW": lambda: MATRIX.mean(axis=1, keepdims=True) - ROW,
    "-COLUMN - (ROW + 1)": lambda: -COLUMN - (ROW + 1),
    "COLUMN - ROW ": lambda: list(generated()),
    "COLUMN + np.ones(4)": lambda: COLUMN + np.ones(4),
}


@pytest.mark.parametrize("text", SUSPICIOUS)
def test_warnings(text: str) -> None:
    expected = SUSPICIOUS[text]()
    with recorded() as messages, broadloom.strict():
        result = SUSPICIOUS[text]()
    np.testing.assert_array_equal(result, expected)  # type: ignore[arg-type]
    assert len(messages) == 1 and messages[0].startswith(f"{text.strip()}: (32, "), messages
    assert " gives (32, " in messages[0]


def test_nothing_is_suspicious() -> None:
    with recorded() as messages, broadloom.strict():
        MATRIX - MATRIX.mean(axis=0)
        MATRIX - MATRIX.mean(axis=1, keepdims=True)
        MATRIX * 2 + COLUMN
        [1, 2] + [3]
        "a" + "b"
        5 + 6
        max([COLUMN, COLUMN], key=len)
        np.max(MATRIX, 0)
        sum([1, 2])
    assert messages == []


def test_the_block_alone_is_watched() -> None:
    with recorded() as messages:
        with broadloom.strict():
            pass
        COLUMN - ROW
    assert messages == [] and sys.gettrace() is None
    with recorded() as messages:
        try:
            with broadloom.strict():
                raise KeyError
        except KeyError:
            pass
        COLUMN - ROW
    assert messages == [] and sys.gettrace() is None


def test_blocks_in_blocks() -> None:
    with recorded() as messages, broadloom.strict():
        with broadloom.strict(expect=["outer"]):
            COLUMN - ROW
        COLUMN * ROW
    assert len(messages) == 1 and messages[0].startswith("COLUMN * ROW")


def test_expected_kinds() -> None:
    with recorded() as messages, broadloom.strict(expect=["outer"]):
        COLUMN - ROW
    assert messages == []
    with pytest.raises(broadloom.BroadcastError, match="There are: outer"):
        broadloom.strict(expect=["inner"])


def test_accidental_match() -> None:
    assert mistakes_in("Add", ((2, 8, 8, 16), (8, 16)), ()) == ()  # right uses are common
    found = [
        shapes
        for shapes in [((8, 8, 3), (8, 1)), ((4, 4, 10, 10), (4, 1, 1)), ((64, 64), (64, 1)), ((8, 12, 8), (8, 1))]
        if mistakes_in("Add", shapes, ())
    ]
    assert found
    a, b = map(np.ones, found[0])
    with recorded() as messages, broadloom.strict():
        a + b
    assert len(messages) == 1 and messages[0].startswith("a + b: ")


def test_results_of_calls_are_their_own() -> None:
    """A function that is called by one of C does not give that call's result, nor does an earlier call."""

    def column() -> Any:
        return COLUMN

    def call(function: Callable[[], Any]) -> Any:
        return function()

    with recorded() as messages, broadloom.strict():
        next(iter(map(lambda _: COLUMN, [1]))).ravel() - ROW
        sorted([1], key=lambda _: column().sum())[0] - ROW
        for function in (column, lambda: ROW, MATRIX.copy):
            call(function).ravel()[:32] - ROW
    assert messages == []


def test_another_tracer_goes_on() -> None:
    events: list[str] = []

    def own(frame: Any, event: str, argument: Any) -> Any:
        events.append(event)
        return own

    sys.settrace(own)
    try:
        with recorded() as messages, broadloom.strict():
            COLUMN - ROW
            assert sys.gettrace() is own
    finally:
        sys.settrace(None)
    assert messages == [] and events


def test_as_an_error() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", broadloom.BroadcastWarning)
        with pytest.raises(broadloom.BroadcastWarning, match="grow"), broadloom.strict():
            COLUMN - ROW
    assert sys.gettrace() is None


def test_no_code_of_the_program_runs() -> None:
    seen: list[str] = []

    class Spy:
        def __getattr__(self, name: str) -> Any:
            seen.append(name)
            return COLUMN

        def __getitem__(self, key: Any) -> Any:
            seen.append("item")
            return COLUMN

        @property
        def computed(self) -> Any:
            seen.append("computed")
            return COLUMN

        def __sub__(self, other: Any) -> Any:
            seen.append("sub")
            return COLUMN

    spy = Spy()

    def run() -> None:
        spy.anything - ROW
        spy[0] - ROW
        spy.computed - ROW
        (spy - ROW) - ROW

    run()
    without, seen[:] = list(seen), []
    with broadloom.strict():
        run()
    assert seen == without


def test_program(tmp_path: Path) -> None:
    """Tracing ends with the block, whatever ends it, and objects die when they would."""
    file = tmp_path / "program.py"
    file.write_text(
        """
import sys, broadloom, numpy as np
class Dies:
    def __del__(self): print("dies")
def work():
    held = Dies()
    return np.ones((3, 1)) - np.ones(3)
def early():
    with broadloom.strict():
        return work().shape
print(early())
for _ in range(2):
    with broadloom.strict():
        continue
print(sys.gettrace())
with broadloom.strict():
    print(work().shape)
    sys.exit(5)
"""
    )
    run = subprocess.run([sys.executable, file], capture_output=True, text=True)
    assert (run.returncode, run.stdout) == (5, "dies\n(3, 3)\nNone\ndies\n(3, 3)\n")
    assert run.stderr.count("BroadcastWarning") == 1 and "return np.ones((3, 1)) - np.ones(3)" in run.stderr
