"""What `npm run scale` does, with 64 MiB: a cluster of two processes, Zarr in and out, a worker killed half-way."""

from __future__ import annotations

from pathlib import Path

import cluster
import compare
import numpy as np
import psutil
import pytest
import tensor
import zarr


def test_a_worker_is_killed_and_the_result_is_right(tmp_path: Path) -> None:
    done = cluster.run(64 << 20, tmp_path, side=256, rows=4)
    assert done.chunks == done.checked == 64
    assert done.killed_at is not None and done.killed_at >= 32
    assert psutil.Process().children() == [] or all(
        "resource_tracker" in " ".join(child.cmdline()) for child in psutil.Process().children()
    )


def test_the_check_finds_a_wrong_element(tmp_path: Path) -> None:
    shape, chunk = (8, 16, 16), (4, 16, 16)
    box = tuple((0, extent) for extent in shape)
    right = tensor.total(box)
    array = zarr.create_array(tmp_path / "a", shape=shape, chunks=chunk, dtype="f4")
    array[...] = right
    assert cluster.check(tmp_path / "a", shape, chunk) == 2
    array[7, 15, 15] += np.float32(1)
    with pytest.raises(AssertionError, match="wrong"):
        cluster.check(tmp_path / "a", shape, chunk)


def test_tensors_are_what_their_sum_says() -> None:
    for box in (((0, 3), (5, 9), (0, 7)), ((100, 104), (1000, 1003), (900, 1024))):
        x, y, z = tensor.volume(box), tensor.matrix(box[:2]), tensor.total(box)
        assert (x.astype(np.int64) + y.astype(np.int64)[:, :, None] == z).all() and z.max() < 1 << 24


def test_both_ways_give_the_same(tmp_path: Path) -> None:
    compare.prepare(tmp_path, 1 << 20, side=64, rows=8)
    for way in compare.WAYS:
        _, peak = compare.measure(tmp_path, way)
        assert peak > 0
    compare.check_equal(tmp_path)
