"""What a chunk costs beside Dask's own operator: the same additions of tiny chunks, in turn, in one thread.

    build/python/venv/bin/python python/scale/per_chunk.py [--chunks 10,100,1000,10000] [--rounds 5]

Each line has the time to make the array, and that to compute it (Dask's optimization and scheduler included), divided by the
number of chunks. Chunks have one element, so nearly all of it is overhead.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import time
from collections.abc import Callable

import dask.array as da
import numpy as np

import broadloom.dask


def seconds(make: Callable[[], da.Array]) -> tuple[float, float]:
    """To make the array, and to compute it."""
    gc.collect()
    start = time.process_time()
    array = make()
    made = time.process_time()
    array.compute(scheduler="sync")
    return made - start, time.process_time() - made


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--chunks", default="10,100,1000,10000")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    print(f"{'':>9} {'Dask, us per chunk':>20} {'Broadloom':>20} {'more':>8}")
    print(f"{'chunks':>9} {'make':>10}{'compute':>10} {'make':>10}{'compute':>10} {'in all':>8}")
    for chunks in map(int, options.chunks.split(",")):
        x = da.from_array(np.arange(float(chunks)), chunks=1)
        y = da.from_array(np.ones(1), chunks=1)
        ways: list[Callable[[], da.Array]] = [lambda: x + y, lambda: broadloom.dask.apply("Add", x, y)]
        assert (ways[0]().compute(scheduler="sync") == ways[1]().compute(scheduler="sync")).all()
        times = [[seconds(way) for way in ways] for _ in range(options.rounds)]
        micro = [
            [statistics.median(round_[way][part] for round_ in times) / chunks * 1e6 for part in range(2)] for way in range(2)
        ]
        more = sum(micro[1]) - sum(micro[0])
        print(f"{chunks:>9,} {micro[0][0]:>10.1f}{micro[0][1]:>10.1f} {micro[1][0]:>10.1f}{micro[1][1]:>10.1f} {more:>8.1f}")


if __name__ == "__main__":
    main()
