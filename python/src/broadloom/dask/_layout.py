"""How operands are cut so that each chunk of the result is computed from one chunk of each, and what that costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from dask.array.core import common_blockdim, normalize_chunks
from dask.blockwise import broadcast_dimensions

from .. import _core
from ._block import Place
from ._errors import refusal
from ._operands import Chunks, Source

#: A result may have this many times the chunks that its operands and its size ask for; Dask only warns of as many.
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
    #: Bytes of operands that are cut anew, which Dask moves between chunks.
    moved: int
    #: Bytes that a task has in memory at once: the largest chunk of the result and the blocks that feed it.
    peak: int
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
    shape: tuple[int, ...], dtypes: Sequence[np.dtype], sources: Sequence[Source], places: Sequence[Place], threads: int
) -> Layout:
    """Cuts operands at each other's bounds, as Dask does; axes on which none lies by Dask's size of chunks."""
    given = {}
    labels = []
    for number, (source, place) in enumerate(zip(sources, places, strict=True)):
        lying = [(axis, sizes) for axis, sizes in zip(place.axes, source.chunks, strict=True) if axis is not None]
        labels.append((number, tuple(axis for axis, _ in lying)))
        given[number] = tuple(tuple(filter(None, sizes)) or (0,) for _, sizes in lying)
    common = broadcast_dimensions(labels, given, consolidate=common_blockdim)
    # Dask divides by the number of elements to choose a size.
    free = tuple(common.get(axis, "auto" if math.prod(shape) else -1) for axis in range(len(shape)))
    result: Chunks = normalize_chunks(free, shape, dtype=max(dtypes, key=lambda dtype: dtype.itemsize))
    operands = tuple(
        tuple((1,) if axis is None else result[axis] for axis in place.axes) for place in places
    )
    return Layout(result, operands, _cost(shape, dtypes, sources, places, result, operands, threads))


def _cost(
    shape: tuple[int, ...],
    dtypes: Sequence[np.dtype],
    sources: Sequence[Source],
    places: Sequence[Place],
    result: Chunks,
    operands: tuple[Chunks, ...],
    threads: int,
) -> Cost:
    chunks = math.prod(map(len, result))
    operand_chunks = tuple(math.prod(map(len, source.chunks)) for source in sources)
    largest = max((_largest(source.chunks) for source in sources), default=1)
    asked = max(*operand_chunks, 1, math.prod(shape) // max(largest, 1))
    blocks = sum(_largest(cut) * place.dtype.itemsize for cut, place in zip(operands, places, strict=True))
    return Cost(
        operand_chunks=operand_chunks,
        chunks=chunks,
        moved=sum(
            source.array.nbytes
            for source, cut in zip(sources, operands, strict=True)
            if cut != source.chunks and not isinstance(source.array, np.ndarray)
        ),
        peak=blocks + _largest(result) * sum(dtype.itemsize for dtype in dtypes),
        threads=threads,
        growth=max(1.0, chunks / asked),
    )


def _largest(chunks: Chunks) -> int:
    return math.prod(max(sizes, default=0) for sizes in chunks)


def check_growth(layout: Layout, sources: Sequence[Source], most_growth: float) -> None:
    """Refuses chunks that multiply. A warning would come when the graph is made, and the tasks would still be there."""
    if layout.cost.growth <= most_growth:
        return
    chunks = max(zip(layout.cost.operand_chunks, sources, layout.operands, strict=True), key=lambda it: it[0])
    raise refusal(
        f"The operands are cut so differently that {layout.cost}: {layout.cost.growth:.0f} times as many as they need. "
        f"Rechunk them alike before, such as the others to the chunks of {chunks[1].name}, or pass "
        f"most_growth={math.ceil(layout.cost.growth)} to allow it.",
        "limit",
        extent=layout.cost.chunks,
        other_extent=max(layout.cost.operand_chunks),
    )
