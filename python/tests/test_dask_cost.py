"""What `cost` claims: the memory of a run, and how tasks and moving are weighed."""

from __future__ import annotations

import tracemalloc
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest

import broadloom
import broadloom.dask as bd


def made(shape: tuple[int, ...], chunks: Any) -> da.Array:
    """An array whose tasks make whole chunks, and nothing beside them."""
    return da.map_blocks(
        lambda block_info: np.ones(block_info[None]["chunk-shape"]),
        chunks=da.core.normalize_chunks(chunks, shape),
        dtype=np.float64,
        meta=np.empty((0,) * len(shape)),
    )


def measured(x: da.Array, y: da.Array, **options: Any) -> int:
    """The most memory while one thread computes chunk after chunk, and keeps no result."""
    result = bd.apply("Add", x, y, **options)
    one = tuple((1,) * len(sizes) for sizes in result.chunks)
    used = result.map_blocks(lambda block: np.zeros((1,) * block.ndim), chunks=one, meta=np.empty((0,) * result.ndim))
    with dask.config.set(scheduler="sync"):
        tracemalloc.start()
        used.compute()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    return peak


@pytest.mark.parametrize(
    ("shapes", "chunks", "options"),
    [
        ([(64, 250, 250)] * 2, [(4, 250, 250), (64, 250, 5)], {}),
        ([(64, 250, 250)] * 2, [(4, 250, 250), (64, 250, 5)], {"task_bytes": 0, "most_growth": 100}),
        ([(64, 200, 200)] * 2, [(4, 200, 200), (64, 200, 10)], {"most_growth": 1}),
        ([(1000, 1000)] * 2, [(10, 1000), (1000, 10)], {"most_growth": 1}),
        ([(1200, 1000)] * 2, [(100, 1000), (250, 1000)], {"most_growth": 1}),
        ([(1200, 1000)] * 2, [(300, 1000), (50, 1000)], {}),
        ([(1200, 1000)] * 2, [(300, 200), (200, 300)], {"task_bytes": 0}),
        ([(2000, 1000), (1000,)], [(500, 300), 170], {}),
        ([(2000, 1000), (1000,)], [(2000, 50), 30], {}),
    ],
)
def test_memory_is_at_most_what_cost_claims(shapes: Any, chunks: Any, options: dict[str, Any]) -> None:
    x, y = (made(shape, cut) for shape, cut in zip(shapes, chunks, strict=True))
    told = bd.cost("Add", x, y, **options)
    used = measured(x, y, **options)
    # The graph's own objects are in it: some KB for each task.
    assert used <= 1.05 * (told.peak + told.kept) + 4000 * told.chunks + 100_000, (told, used)
    # And the claim is of the size of what is used.
    assert used >= 0.15 * (told.peak + told.kept), (told, used)


def test_the_bytes_that_count_as_a_task() -> None:
    x, y = da.ones((64, 500, 500), chunks=(4, 500, 500)), da.ones((64, 500, 500), chunks=(64, 500, 10))
    moving = bd.cost("Add", x, y, most_growth=100)
    cutting = bd.cost("Add", x, y, most_growth=100, task_bytes=0)
    assert (moving.chunks, moving.moved) == (50, x.nbytes) and (cutting.chunks, cutting.moved) == (16 * 50, 0)
    assert f"up to {x.nbytes * 2 // 10**6} MB of pieces are kept" in str(moving)
    assert bd.apply("Add", x, y, most_growth=100, task_bytes=0).npartitions == 800
    small = da.ones(6, chunks=2)
    assert bd.broadcast_to(small, (6, 6), task_bytes=0).shape == (6, 6)
    for wrong in (-1, 0.5, "1MiB", 2**64):
        with pytest.raises(broadloom.BroadcastError, match="task_bytes") as caught:
            bd.apply("Add", x, y, task_bytes=wrong)  # type: ignore[arg-type]
        assert caught.value.error_class == "attribute"


def test_threads_are_whole_numbers_from_1() -> None:
    x = da.ones((4, 4), chunks=2)
    for wrong in (-1, 0, 1.5, None, True, "2", float("nan"), []):
        with pytest.raises(broadloom.BroadcastError, match="threads is a whole number of at least 1") as caught:
            bd.cost("Add", x, x, threads=wrong)  # type: ignore[arg-type]
        assert caught.value.error_class == "attribute"
    assert bd.cost("Add", x, x, threads=np.int64(3)).peak_per_worker == 3 * bd.cost("Add", x, x).peak
