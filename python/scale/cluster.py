"""A tensor that is larger than the memory of the workers: Zarr in, x + y under PDPD with axis 0, Zarr out, a worker killed
half-way, every chunk of the result checked.

    build/python/venv/bin/python python/scale/cluster.py --bytes 8GiB --folder build/scale

x is ijk and y is ij, which Dask's own operators do not line up. The folder needs twice the tensor's bytes, and is removed.
"""

from __future__ import annotations

import argparse
import itertools
import shutil
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import zarr
from dask.utils import parse_bytes
from tensor import lazily, matrix, total, volume
from workers import MEMORY_LIMIT, two_workers, when

import broadloom.dask as bd

#: Rows of 1,024 columns of 1,024 elements of 4 bytes: a chunk of 4 rows has 16 MiB.
SIDE = 1024
CHUNK = (4, SIDE, SIDE)


@dataclass(frozen=True)
class Outcome:
    chunks: int
    checked: int
    #: Chunks that were written when the worker was killed; None where none was.
    killed_at: int | None
    #: The most memory of a worker, in bytes.
    peak: int
    make_seconds: float
    apply_seconds: float
    check_seconds: float
    cost: bd.Cost


def run(tensor_bytes: int, folder: Path, kill: bool = True, side: int = SIDE, rows: int = CHUNK[0]) -> Outcome:
    """Raises where any chunk of the result is wrong or missing."""
    shape = (tensor_bytes // (4 * side * side), side, side)
    chunk = (rows, side, side)
    killed: list[int] = []
    with two_workers(folder / "spill") as workers:
        start = time.perf_counter()
        x = bd.to_zarr(lazily(volume, shape, chunk), folder / "x.zarr")
        y = bd.to_zarr(lazily(matrix, shape[:2], chunk[:2]), folder / "y.zarr")
        made = time.perf_counter()
        cost = bd.cost("Add", x, y, rule="pdpd", axis=0)
        sums = bd.apply("Add", x, y, rule="pdpd", axis=0)
        written = folder / "sums.zarr" / "c"

        def count() -> int:
            return sum(1 for _ in written.glob("*/*/*[0-9]"))

        def kill_one() -> None:
            killed.append(count())
            workers.kill_one()

        killer = when(lambda: count() >= sums.npartitions // 2, kill_one) if kill else None
        bd.to_zarr(sums, folder / "sums.zarr")
        applied = time.perf_counter()
        if killer is not None:
            killer.join(timeout=10)
            if not killed:
                raise AssertionError("no worker was killed: the run was over before")
        peak = workers.peak
    checked = check(folder / "sums.zarr", shape, chunk)
    return Outcome(
        chunks=sums.npartitions,
        checked=checked,
        killed_at=killed[0] if killed else None,
        peak=peak,
        make_seconds=made - start,
        apply_seconds=applied - made,
        check_seconds=time.perf_counter() - applied,
        cost=cost,
    )


def check(path: Path, shape: tuple[int, ...], chunk: tuple[int, ...]) -> int:
    """Compares each chunk with index arithmetic, read by Zarr alone; returns how many there are."""
    array = zarr.open_array(path, mode="r")
    assert array.shape == shape and array.dtype == np.float32, (array.shape, array.dtype)
    grid = [range(0, extent, size) for extent, size in zip(shape, chunk, strict=True)]
    count = 0
    for begins in itertools.product(*grid):
        box = tuple((begin, min(begin + size, extent)) for begin, size, extent in zip(begins, chunk, shape, strict=True))
        if not (np.asarray(array[tuple(slice(*bounds) for bounds in box)]) == total(box)).all():
            raise AssertionError(f"the box {box} of {path} is wrong")
        count += 1
    return count


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", default="8GiB")
    parser.add_argument("--folder", type=Path, default=Path("build/scale"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="cluster-", dir=options.folder))
    try:
        done = run(parse_bytes(options.bytes), folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{options.bytes} + a matrix under pdpd, axis=0; 2 workers limited to {MEMORY_LIMIT >> 20} MiB each")
    print(f"planned: {done.cost}")
    print(f"a worker was killed when {done.killed_at} of {done.chunks} chunks were written")
    print(f"{done.checked} of {done.chunks} chunks checked: all are right")
    print(f"most memory of a worker: {done.peak / (1 << 20):.0f} MiB (RSS)")
    print(f"seconds: {done.make_seconds:.0f} to write the operands, {done.apply_seconds:.0f} to add, {done.check_seconds:.0f} to check")


if __name__ == "__main__":
    main()
