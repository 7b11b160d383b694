"""a*x + b*y with x and y of lower rank, read from Zarr and written to Zarr: Broadloom's operators beside Dask's.

    build/python/venv/bin/python python/scale/compare.py --bytes 1GiB --folder build/scale

a and b are (time, row, column), x and y (row, column). Each way has a cluster of its own: two workers of 512 MiB.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import dask.array as da
import numpy as np
import zarr
from dask.utils import parse_bytes
from tensor import lazily, matrix, volume
from workers import two_workers

import broadloom.dask as bd

SIDE = 1024
ROWS = 4


def with_dask(folder: Path, target: Path) -> None:
    a, b, x, y = (da.from_zarr(str(folder / name)) for name in "abxy")
    da.to_zarr(a * x + b * y, str(target))


def with_broadloom(folder: Path, target: Path) -> None:
    a, b, x, y = (bd.from_zarr(folder / name) for name in "abxy")
    bd.to_zarr(bd.apply("Add", bd.apply("Mul", a, x), bd.apply("Mul", b, y)), target)


WAYS: dict[str, Callable[[Path, Path], None]] = {"Dask": with_dask, "Broadloom": with_broadloom}


def prepare(folder: Path, tensor_bytes: int, side: int = SIDE, rows: int = ROWS) -> None:
    shape = (tensor_bytes // (4 * side * side), side, side)
    with two_workers(folder / "spill"):
        for name in "ab":
            bd.to_zarr(lazily(volume, shape, (rows, side, side)), folder / name)
        for name in "xy":
            bd.to_zarr(lazily(matrix, shape[1:], (side, side)), folder / name)


def measure(folder: Path, way: str) -> tuple[float, int]:
    """Seconds, and the most memory of a worker in bytes."""
    target = folder / f"{way}.zarr"
    with two_workers(folder / "spill") as workers:
        start = time.perf_counter()
        WAYS[way](folder, target)
        return time.perf_counter() - start, workers.peak


def check_equal(folder: Path) -> None:
    arrays = [zarr.open_array(folder / f"{way}.zarr", mode="r") for way in WAYS]
    for begin in range(0, arrays[0].shape[0], ROWS):
        part = slice(begin, begin + ROWS)
        if not np.array_equal(arrays[0][part], arrays[1][part]):
            raise AssertionError(f"the results differ in rows {begin} to {begin + ROWS}")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--bytes", default="1GiB")
    parser.add_argument("--folder", type=Path, default=Path("build/scale"))
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    folder = Path(tempfile.mkdtemp(prefix="compare-", dir=options.folder))
    try:
        prepare(folder, parse_bytes(options.bytes))
        print(f"a*x + b*y, a and b of {options.bytes} each; 2 workers of 512 MiB")
        for way in WAYS:
            seconds, peak = measure(folder, way)
            print(f"{way:>10}: {seconds:6.1f} s, most memory of a worker {peak / (1 << 20):4.0f} MiB (RSS)", flush=True)
        check_equal(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
