"""How operands are cut so that each chunk of the result is computed from one chunk of each, and what that costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import dask.array as da
from dask.array.core import normalize_chunks
from dask.array.rechunk import plan_rechunk

from .. import _core
from ._block import Place
from ._operands import Chunks, Source

#: A result has at most this many times the chunks that its operands and its size ask for; Dask only warns of as many.
MOST_GROWTH = 10.0


@dataclass(frozen=True)
class Cost:
    """What a call will cost. `str()` of it is a sentence.

    >>> import dask.array as da
    >>> import broadloom.dask
    >>> rows, columns = da.ones((400, 1), chunks=(10, 1)), da.ones((1, 400), chunks=(1, 10))
    >>> cost = broadloom.dask.cost("Add", rows, columns, threads=4)
    >>> cost.operand_chunks, cost.chunks, cost.moved, cost.peak
    ((40, 40), 1600, 0, 960)
    >>> print(cost)
    40 chunks become 1,600; nothing is moved; peak 3.8 KB per worker with 4 threads
    """

    #: The chunks of each operand, as it is given.
    operand_chunks: tuple[int, ...]
    #: The chunks of the result: a task each.
    chunks: int
    #: Bytes of operands whose chunks are joined of several, which Dask moves between workers.
    moved: int
    #: Bytes that the largest task has in memory at once. A task that computes has a chunk of the result and the blocks that
    #: feed it: of moved operands twice, as pieces and joined; of operands that are only cut also the old chunk, of which the
    #: block is a view. A task that cuts has the whole old chunk and its pieces; Dask may do so by way of larger chunks,
    #: which are counted. What Dask keeps between tasks is not counted: see `kept`.
    peak: int
    #: Bytes that Dask keeps between tasks, at most, in all workers together: pieces of old chunks wait for those with which
    #: they are joined or computed. In one process they are views, which keep whole chunks. Workers write them to disk when
    #: memory is short; a single process has them in memory, beside `peak`.
    kept: int
    #: Tasks that a worker computes at once.
    threads: int
    #: By how much the chunks become more than the operands' chunks and the result's size ask for: 1 is no growth.
    growth: float

    @property
    def peak_per_worker(self) -> int:
        """`peak` of as many tasks as the worker has threads."""
        return self.peak * self.threads

    def __str__(self) -> str:
        most = max(self.operand_chunks, default=1)
        number = f"{most:,} {'chunk' if most == 1 else 'chunks'}"
        verb = "stays" if most == 1 else "stay"
        change = f"{number} {verb} {self.chunks:,}" if most == self.chunks else f"{number} become {self.chunks:,}"
        moved = f"{format_bytes(self.moved)} are moved" if self.moved else "nothing is moved"
        if self.kept:
            moved += f", up to {format_bytes(self.kept)} of pieces are kept"
        threads = f"{self.threads} {'thread' if self.threads == 1 else 'threads'}"
        return f"{change}; {moved}; peak {format_bytes(self.peak_per_worker)} per worker with {threads}"


def format_bytes(count: int) -> str:
    """A number of bytes with two digits and a unit of powers of 1,000."""
    for unit, size in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if count >= size:
            return f"{count / size:.2g} {unit}" if count < 9.95 * size else f"{count / size:,.0f} {unit}"
    return f"{count} bytes"


@dataclass(frozen=True)
class Layout:
    """Chunks of the result, and of each operand the chunks from which they are computed."""

    result: Chunks
    operands: tuple[Chunks, ...]
    cost: Cost


def lay_out(
    plan: _core.Plan,
    sources: Sequence[Source],
    places: Sequence[Place],
    threads: int,
    most_growth: float,
    task_bytes: int | None,
) -> Layout:
    """Cuts the result as the core finds cheapest; axes on which no operand lies by Dask's size of chunks."""
    shape = plan.shape
    asked = _asked(shape, sources)
    most_chunks = int(min(most_growth * asked, 2.0**62))
    unified = plan.unify_chunks([source.chunks for source in sources], most_chunks=most_chunks, task_bytes=task_bytes)
    lain_on = {axis for place in places for axis in place.axes}
    # Dask divides by the number of elements to choose a size.
    free = "auto" if math.prod(shape) else -1
    wanted = tuple(sizes if axis in lain_on else free for axis, sizes in enumerate(unified.result))
    dtypes = [_core.numpy_dtype(name) for name in plan.result_dtypes]
    result: Chunks = normalize_chunks(wanted, shape, dtype=max(dtypes, key=lambda dtype: dtype.itemsize))
    chunks = math.prod(map(len, result))
    computing = _largest(result) * sum(dtype.itemsize for dtype in dtypes)
    cutting = 0
    kept_of_joined = 0
    kept_of_cut: list[int] = []
    for number, (source, cut) in enumerate(zip(sources, unified.operands, strict=True)):
        width = places[number].dtype.itemsize
        block, nbytes = _largest(cut) * width, math.prod(source.shape) * width
        computing += block
        if not unified.rechunks[number] or not isinstance(source.array, da.Array) or nbytes == 0:
            continue
        # Dask may cut an array by way of other chunks. Each step cuts what the one before has joined.
        steps = plan_rechunk(source.chunks, cut, width)
        cutting = max(cutting, *(2 * width * _largest(chunks) for chunks in (source.chunks, *steps)))
        if unified.moved_of[number]:
            computing += block
            kept_of_joined += len(steps) * nbytes
        else:
            computing += _largest(source.chunks) * width  # a piece is a view of it
            kept_of_cut.append(nbytes)
    # The pieces of the one operand that is cut are used as soon as they are cut; of several, pieces wait for each other.
    kept = kept_of_joined + (sum(kept_of_cut) if len(kept_of_cut) > 1 else 0)
    cost = Cost(
        operand_chunks=_counts(sources),
        chunks=chunks,
        moved=unified.moved,
        peak=max(computing, cutting),
        kept=kept,
        threads=threads,
        growth=max(1.0, chunks / asked),
    )
    return Layout(result, unified.operands, cost)


def _counts(sources: Sequence[Source]) -> tuple[int, ...]:
    return tuple(math.prod(map(len, source.chunks)) for source in sources)


# How many chunks the operands, and the size of the result beside theirs, ask for.
def _asked(shape: tuple[int, ...], sources: Sequence[Source]) -> int:
    largest = max((_largest(source.chunks) for source in sources), default=1)
    return max(*_counts(sources), 1, math.prod(shape) // max(largest, 1))


def _largest(chunks: Chunks) -> int:
    return math.prod(max(sizes, default=0) for sizes in chunks)
