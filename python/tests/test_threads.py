"""The interpreter is released while elements are computed, and threads change no bit."""

from __future__ import annotations

import threading

import numpy as np
import pytest
from forms import DTYPES, random_array

import broadloom


@pytest.fixture(autouse=True)
def one_thread_afterwards():  # type: ignore[no-untyped-def]
    yield
    broadloom.set_threads(1)


def test_numbers() -> None:
    assert broadloom.get_threads() == 1
    assert broadloom.set_threads(3) == broadloom.get_threads() == 3
    assert broadloom.set_threads(0) >= 1
    with pytest.raises(broadloom.BroadcastError) as caught:
        broadloom.set_threads(10**6)
    assert caught.value.error_class == "limit"
    with pytest.raises((TypeError, broadloom.BroadcastError)):
        broadloom.set_threads(-1)


def test_results_are_the_same_bits() -> None:
    rng = np.random.default_rng(1)
    a = random_array(rng, (600, 700), DTYPES["f32"], small=True)
    b = random_array(rng, (700,), DTYPES["f32"], small=True)
    calls = [lambda: broadloom.pow(a, b), lambda: broadloom.sum_to(a, (700,)), lambda: broadloom.broadcast_to(b, a.shape)]
    alone = [call() for call in calls]
    broadloom.set_threads(4)
    for one, call in zip(alone, calls, strict=True):
        assert one.tobytes() == call().tobytes()


def test_other_threads_run_meanwhile() -> None:
    # The other thread sees the result half written: only possible while the interpreter is released.
    a = np.full(4_000_000, 1.5)
    out = np.zeros_like(a)
    seen = threading.Event()
    stop = threading.Event()

    def watch() -> None:
        while not stop.is_set():
            if out[0] != 0 and out[-1] == 0:
                seen.set()

    watcher = threading.Thread(target=watch)
    watcher.start()
    try:
        for _ in range(50):
            out[:] = 0
            broadloom.pow(a, 1.25, out=out)
            if seen.is_set():
                break
    finally:
        stop.set()
        watcher.join()
    assert seen.is_set()


def test_many_threads_call_at_once() -> None:
    rng = np.random.default_rng(2)
    arrays = [rng.standard_normal((100, 700)) for _ in range(4)]
    broadloom.set_threads(2)
    failures: list[BaseException] = []

    def work(seed: int) -> None:
        try:
            for i in range(60):
                a, b = arrays[(seed + i) % 4], arrays[i % 4]
                assert (broadloom.add(a, b) == a + b).all()
                with pytest.raises(broadloom.BroadcastError):
                    broadloom.add(a, b[:, :3])
                if seed == 0:
                    broadloom.set_threads(1 + i % 3)
        except BaseException as failure:
            failures.append(failure)

    workers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures
