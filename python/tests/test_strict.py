"""The strict mode: which operators it warns of, and that a program runs as without it."""

from __future__ import annotations

import asyncio
import importlib
import linecache
import subprocess
import sys
import textwrap
import threading
import warnings
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import broadloom
from broadloom._hook import positions, watching
from broadloom._hook.judgement import mistakes_in


@contextmanager
def recorded() -> Iterator[list[str]]:
    """Messages of warnings, as they come."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        messages: list[str] = []
        yield messages
    messages += [str(each.message) for each in caught if each.category is broadloom.BroadcastWarning]


#: Whether blocks are watched by sys.monitoring, and not by sys.settrace.
IS_MONITORED = sys.version_info >= (3, 12)


def is_watched() -> bool:
    """Whether a block is open, as Python knows of it."""
    if sys.version_info >= (3, 12):
        return "broadloom.strict" in [sys.monitoring.get_tool(tool) for tool in range(6)]
    return sys.gettrace() is not None


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
    assert messages == [] and not is_watched()
    with recorded() as messages:
        try:
            with broadloom.strict():
                raise KeyError
        except KeyError:
            pass
        COLUMN - ROW
    assert messages == [] and not is_watched()


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
    """Only sys.monitoring watches beside it."""
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
    assert len(messages) == IS_MONITORED and events


SQUARE, CUBE = np.ones((8, 8)), np.ones((4, 4, 4))

#: Operators with a reduction of the other operand, and whether they are warned of.
REDUCED: dict[str, tuple[Callable[[], object], bool]] = {
    "SQUARE - SQUARE.mean(axis=1)": (lambda: SQUARE - SQUARE.mean(axis=1), True),
    "SQUARE / SQUARE.sum(axis=1)": (lambda: SQUARE / SQUARE.sum(axis=1), True),
    "SQUARE.max(1) < SQUARE": (lambda: SQUARE.max(1) < SQUARE, True),
    "SQUARE - np.mean(SQUARE, axis=-1)": (lambda: SQUARE - np.mean(SQUARE, axis=-1), True),
    "np.subtract(SQUARE, SQUARE.mean(1))": (lambda: np.subtract(SQUARE, SQUARE.mean(1)), True),
    "(SQUARE - 1) / SQUARE.std(axis=1)": (lambda: (SQUARE - 1) / SQUARE.std(axis=1), True),
    "(2 * SQUARE) - (2 * SQUARE).mean(axis=1)": (lambda: (2 * SQUARE) - (2 * SQUARE).mean(axis=1), True),
    "CUBE - CUBE.mean(axis=1)": (lambda: CUBE - CUBE.mean(axis=1), True),
    "CUBE - CUBE.mean(axis=(1, 2))": (lambda: CUBE - CUBE.mean(axis=(1, 2)), True),
    "SQUARE - SQUARE.mean(axis=0)": (lambda: SQUARE - SQUARE.mean(axis=0), False),
    "SQUARE - SQUARE.mean()": (lambda: SQUARE - SQUARE.mean(), False),
    "SQUARE - SQUARE.mean(axis=1, keepdims=True)": (lambda: SQUARE - SQUARE.mean(axis=1, keepdims=True), False),
    "CUBE - CUBE.mean(axis=0)": (lambda: CUBE - CUBE.mean(axis=0), False),
    "CUBE - CUBE.mean(axis=(0, 1))": (lambda: CUBE - CUBE.mean(axis=(0, 1)), False),
    "SQUARE - (SQUARE @ SQUARE).mean(axis=1)": (lambda: SQUARE - (SQUARE @ SQUARE).mean(axis=1), False),
    "SQUARE - ROW[:8]": (lambda: SQUARE - ROW[:8], False),
}


@pytest.mark.parametrize("text", REDUCED)
def test_reductions_of_the_other_operand(text: str) -> None:
    """They have the axes that are left, which lie where the shapes put them."""
    run, is_warned = REDUCED[text]
    with recorded() as messages, broadloom.strict():
        run()
    assert [message.startswith(text) for message in messages] == [True] * is_warned, messages
    with recorded() as messages, broadloom.strict(expect=["accidental_match"]):
        run()
    assert messages == []


#: What the README lists: operator, shapes, and whether they are warned of.
LISTED = [
    ("Div", ((8, 8), (8,)), True), ("Sub", ((8, 8), (8,)), False), ("Mul", ((8, 5, 8), (8,)), True), ("Add", ((8, 5, 8), (8,)), False),
    ("Add", ((3, 8, 5, 8), (8,)), True), ("Add", ((8, 8, 3), (8, 1)), True), ("Add", ((2, 5, 8, 8), (8, 8)), False),
    ("Add", ((8, 8, 8), (8, 8)), True), ("Mul", ((8, 8), (8, 1)), True), ("Add", ((8, 8), (8, 1)), False), ("Add", ((6, 8, 8), (1, 8, 8)), True),
    ("Sub", ((6, 8, 8), (1, 8, 8)), False), ("And", ((8, 8), (8,)), True), ("Where", ((8,), (8, 8), (8, 8)), True), ("Div", ((8, 8), (8, 1)), False),
]  # fmt: skip


@pytest.mark.parametrize(("op", "shapes", "is_warned"), LISTED)
def test_listed_kinds(op: str, shapes: tuple[tuple[int, ...], ...], is_warned: bool) -> None:
    assert bool(mistakes_in(op, shapes, ())) == is_warned


def test_blocks_that_overlap() -> None:
    """Those of coroutines and generators need not end in the order in which they began."""

    async def work(name: str, delays: list[float]) -> None:
        await asyncio.sleep(delays[0])
        with broadloom.strict():
            await asyncio.sleep(delays[1])
            COLUMN - ROW
            await asyncio.sleep(delays[1])
        await asyncio.sleep(delays[1])

    async def both(first: list[float], second: list[float]) -> None:
        await asyncio.gather(work("a", first), work("b", second))

    for first, second in (([0, 0.02], [0.01, 0.03]), ([0.01, 0.01], [0, 0.03]), ([0, 0.01], [0, 0.01])):
        with recorded() as messages:
            asyncio.run(both(first, second))
            COLUMN - ROW
        assert len(messages) == 2 and not is_watched()

    def block() -> Generator[None]:
        with broadloom.strict():
            yield
            COLUMN - ROW

    rng = np.random.default_rng(9)
    for _ in range(30):
        running = [block() for _ in range(5)]
        with recorded() as messages:
            for each in running:
                next(each)
            for index in rng.permutation(5):
                assert is_watched()
                if rng.random() < 0.5:
                    running[index].close()
                else:
                    next(running[index], None)
        assert not is_watched() and sys._getframe().f_trace is None


def test_a_block_that_ends_in_another_thread() -> None:
    def block() -> Iterator[None]:
        with broadloom.strict():
            yield

    running = block()
    next(running)
    thread = threading.Thread(target=lambda: next(running, None))
    thread.start()
    thread.join()
    len([1 for _ in range(3)])  # the next event
    (lambda: None)()
    assert not is_watched()


def test_one_object_for_several_blocks() -> None:
    watched = broadloom.strict()

    def block() -> Iterator[None]:
        with watched:
            yield

    first, second = block(), block()
    next(first), next(second), next(first, None)
    assert is_watched()
    next(second, None)
    assert not is_watched()


def test_after_a_recursion_error() -> None:
    """It ends settrace; then it is said, and goes on at the end of an inner block."""

    def forever() -> None:
        forever()

    with recorded() as messages, broadloom.strict():
        with pytest.raises(RecursionError):
            forever()
        COLUMN * ROW
    assert len(messages) == 1
    assert messages[0].startswith("COLUMN * ROW" if IS_MONITORED else "strict() did not see the end of the block")
    with recorded() as messages, broadloom.strict():
        with broadloom.strict():
            with pytest.raises(RecursionError):
                forever()
        COLUMN - ROW
    assert len(messages) == (1 if IS_MONITORED else 2) and messages[-1].startswith("COLUMN - ROW"), messages
    assert not is_watched()


def test_a_file_is_parsed_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    parsed: list[str] = []
    read = positions.read_source

    def counted(filename: str, module_globals: Any = None) -> Any:
        parsed.append(filename)
        return read(filename, module_globals)

    monkeypatch.setattr(watching, "read_source", counted)
    file = tmp_path / "watched.py"
    for text in ("COLUMN - ROW", "COLUMN * ROW"):
        file.write_text(f"import broadloom\ndef f():\n    with broadloom.strict():\n        {text} # {len(text)}{text}\n")
        linecache.checkcache(str(file))
        names: dict[str, Any] = {"COLUMN": COLUMN, "ROW": ROW}
        exec(compile(file.read_text(), str(file), "exec"), names)
        for _ in range(3):
            with recorded() as messages:
                names["f"]()
            assert len(messages) == 1 and messages[0].startswith(text)
        linecache.clearcache()
    assert parsed.count(str(file)) == 2


def test_as_an_error() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error", broadloom.BroadcastWarning)
        with pytest.raises(broadloom.BroadcastWarning, match="grow"), broadloom.strict():
            COLUMN - ROW
    assert not is_watched()


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


COMPREHENSIONS = """
import numpy as np, broadloom
COLUMN, ROW = np.ones((32, 1)), np.ones(32)
a, b = COLUMN, ROW
def function():
    a = b = COLUMN
    with broadloom.strict():
        [a - b for a in [COLUMN]]
        [a - b for a in [ROW]]  # warns
        [a - b for a in [a] for b in [COLUMN]]
        {c.size: (lambda: c) and c - b for c in [COLUMN] for b in [COLUMN]}
        a - b
with broadloom.strict():
    [a - b for a in [ROW]]
    [a - b for a in [COLUMN]]  # warns
    [[a - b for a in [COLUMN]] for b in [COLUMN]]
    [c - b for c in [ROW] if (lambda: c - ROW)().all()]
    class Body:
        b = COLUMN
        [a - b for a in [ROW]]
        [b - a for a in [COLUMN] for b in [COLUMN]]
        [a for a in [COLUMN - ROW]]  # warns
        {a.size: b for a in [ROW]}
function()
"""


def test_comprehensions(tmp_path: Path) -> None:
    """From Python 3.12 on, they run in the frame around them, where their names are others."""
    file = tmp_path / "comprehensions.py"
    file.write_text(COMPREHENSIONS)
    run = subprocess.run([sys.executable, "-W", "always", file], capture_output=True, text=True)
    warned = {int(line.split(":")[1]) for line in run.stderr.splitlines() if "BroadcastWarning: " in line}
    assert run.returncode == 0, run.stderr
    lines = enumerate(COMPREHENSIONS.splitlines(), 1)
    assert warned == {number for number, line in lines if line.endswith("# warns")}, run.stderr


#: Programs that must run as without blocks: `block()` is a generator that is inside of one, `other` a thread that is.
PROGRAMS = {
    "a generator ends in another thread": """
        running = block()
        next(running)
        in_thread(lambda: next(running, None))
    """,
    "a generator of a block goes on where none is": """
        def numbers():
            for i in range(9):
                yield i + 1
        with broadloom.strict():
            running = numbers(), numbers()
            [next(each) for each in running]
        in_thread(lambda: list(running[0]))
        list(running[1])
    """,
    "a generator is closed in another thread, and thrown into": """
        running = block(), block()
        [next(each) for each in running]
        in_thread(running[0].close)
        try:
            in_thread(lambda: running[1].throw(KeyError))
        except KeyError:
            pass
    """,
    "a generator is collected": """
        def collected():
            running = block()
            cycle = [running]
            cycle.append(cycle)
            next(running)
        collected()
        in_thread(gc.collect)
        collected()
        gc.collect()
    """,
    "a thread ends inside of a block": """
        running = block()
        in_thread(lambda: next(running))
        in_thread(lambda: COLUMN - ROW)
        next(running, None)
    """,
    "the recursion is too deep": """
        def forever():
            return forever() + 1
        with broadloom.strict():
            for _ in range(3):
                try:
                    forever()
                except RecursionError:
                    1 + 1
        1 + 1
    """,
    "a warning is an error": """
        warnings.simplefilter("error", broadloom.BroadcastWarning)
        with broadloom.strict():
            try:
                COLUMN - ROW
            except broadloom.BroadcastWarning:
                1 + 1
    """,
    "the program ends the tracing": """
        with broadloom.strict():
            sys.settrace(None)
            1 + 1
    """,
    "the program traces": """
        def trace(frame, event, argument):
            frame.f_trace_opcodes = True
            return trace
        with broadloom.strict():
            sys.settrace(trace)
            loop(5)
        loop(5)
        running = block()
        next(running)
        sys.settrace(None)
        next(running, None)
    """,
    "a debugger begins": """
        import bdb
        debugger = bdb.Bdb()
        with broadloom.strict():
            debugger.runcall(loop, 5)
        debugger.runcall(lambda: next(block()))
    """,
    "tasks overlap": """
        async def work(delay):
            with broadloom.strict():
                for _ in range(5):
                    await asyncio.sleep(delay)
                    1 + 1
        async def all():
            tasks = [asyncio.create_task(work(i / 1000)) for i in range(5)]
            await asyncio.sleep(0.003)
            tasks[4].cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        asyncio.run(all())
    """,
    "a task is in several threads": """
        async def work():
            with broadloom.strict():
                await asyncio.to_thread(loop, 50)
                loop(5)
        asyncio.run(work())
    """,
    "threads open and end blocks": """
        def work():
            for _ in range(100):
                with broadloom.strict():
                    loop(3)
                loop(3)
        threads = [threading.Thread(target=work) for _ in range(4)]
        [each.start() for each in threads]
        [each.join() for each in threads]
    """,
    "a handler of a signal raises": """
        import signal
        def raises(*_):
            raise TimeoutError
        signal.signal(signal.SIGALRM, raises)
        caught = 0
        for i in range(20):
            try:
                with broadloom.strict():
                    signal.setitimer(signal.ITIMER_REAL, 0.001 + i / 10000)
                    while True:
                        COLUMN * 2 - COLUMN[1:].T
            except TimeoutError:
                caught += 1
        assert caught == 20
    """,
    "other tools monitor": """
        if sys.version_info >= (3, 12):
            tools = sys.monitoring
            seen = []
            with broadloom.strict():
                tools.use_tool_id(1, "other")
                tools.register_callback(1, tools.events.LINE, lambda *_: seen.append(1) or tools.DISABLE)
                tools.register_callback(1, tools.events.INSTRUCTION, lambda *_: seen.append(1))
                tools.set_events(1, tools.events.LINE | tools.events.INSTRUCTION)
                loop(5)
            loop(5)
            tools.set_events(1, 0)
            assert seen
            for tool in (3, 4):
                if tools.get_tool(tool) is None:
                    tools.use_tool_id(tool, "other")
            with broadloom.strict():
                loop(5)
    """,
    "the program ends the monitoring": """
        if sys.version_info >= (3, 12):
            tools = sys.monitoring
            with broadloom.strict(), broadloom.strict():
                tools.set_events(4, 0)
                tools.free_tool_id(4)
                loop(5)
            with broadloom.strict():
                loop(5)
    """,
    "a process forks": """
        with broadloom.strict():
            child = os.fork()
            if child == 0:
                loop(5)
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0
    """,
}

BEFORE = """
import asyncio, gc, os, sys, threading, warnings
import numpy as np
import broadloom

COLUMN, ROW = np.ones((32, 1)), np.ones(32)
warnings.simplefilter("ignore")

def block():
    with broadloom.strict():
        yield 1 + 1
        yield 2 + 2

def loop(count):
    held = []
    for i in range(count):
        held += [COLUMN - ROW, i + 1, i < 5]
    return held

def in_thread(function):
    failed = []
    def run():
        try:
            function()
        except BaseException as error:
            failed.append(error)
    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    if failed:
        raise failed[0]

begun, ended = threading.Event(), threading.Event()
def hold():
    with broadloom.strict():
        begun.set()
        while not ended.wait(0.001):
            loop(2)
other = threading.Thread(target=hold, daemon=True)
"""


@pytest.mark.parametrize("is_beside_another", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_programs_run(name: str, is_beside_another: bool, tmp_path: Path) -> None:
    """Whatever ends a block, and whatever other threads do: Python 3.12 crashes where settrace would be used for this."""
    file = tmp_path / "program.py"
    beside = "other.start()\nbegun.wait()\n" if is_beside_another else ""
    after = "\nended.set()\nif other.ident: other.join()\nprint('ended')\n"
    file.write_text(BEFORE + beside + textwrap.dedent(PROGRAMS[name]) + after)
    run = subprocess.run([sys.executable, "-X", "faulthandler", file], capture_output=True, text=True, timeout=120)
    assert (run.returncode, run.stdout) == (0, "ended\n"), run.stderr


@contextmanager
def watched_by_helper() -> Iterator[None]:
    with broadloom.strict():
        yield


def test_blocks_that_a_function_opens_for_its_caller() -> None:
    with recorded() as messages, watched_by_helper():
        COLUMN - ROW
    assert len(messages) == 1 and messages[0].startswith("COLUMN - ROW")
    with recorded() as messages, ExitStack() as stack:
        stack.enter_context(broadloom.strict())
        COLUMN - ROW
    assert len(messages) == 1
    with recorded() as messages:
        COLUMN - ROW
    assert messages == [] and not is_watched()


def test_in_place_operators() -> None:
    """Those that fail are no silent mistakes; the text has the whole statement."""
    column, picture, mask = COLUMN.copy(), np.ones((8, 8, 3)), np.ones((8, 1))
    with recorded() as messages, broadloom.strict():
        with pytest.raises(ValueError, match="non-broadcastable"):
            column -= ROW
        picture *= mask
    assert len(messages) == 1 and messages[0].startswith("picture *= mask: (8, 8, 3) with (8, 1)")


def test_an_interrupt_while_a_block_begins(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no __exit__ then: nothing stays on."""
    module = importlib.import_module("broadloom._hook.monitoring" if IS_MONITORED else "broadloom._hook.tracing")

    operators_of = module.operators_of

    def interrupted(frame: object) -> None:
        module.operators_of = operators_of
        raise KeyboardInterrupt

    monkeypatch.setattr(module, "operators_of", interrupted)
    with pytest.raises(KeyboardInterrupt), broadloom.strict():
        pass
    assert not is_watched()
    with recorded() as messages, broadloom.strict():
        COLUMN - ROW
    assert len(messages) == 1 and not is_watched()
