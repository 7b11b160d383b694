"""The number and the box of each chunk, as an argument of tasks."""

from __future__ import annotations

from itertools import accumulate

from dask.layers import ArrayBlockwiseDep
from dask.tokenize import normalize_token

from ._errors import Box
from ._operands import Chunks


class ChunkBoxes(ArrayBlockwiseDep):
    """What Dask asks for (number, box) of a chunk when it makes the chunk's task."""

    def __init__(self, chunks: Chunks) -> None:
        super().__init__(chunks)
        self._bounds = [tuple(accumulate(sizes, initial=0)) for sizes in chunks]

    def __getitem__(self, chunk: tuple[int, ...]) -> tuple[tuple[int, ...], Box]:
        return chunk, tuple([(bounds[i], bounds[i + 1]) for bounds, i in zip(self._bounds, chunk, strict=True)])


@normalize_token.register(ChunkBoxes)
def _token(boxes: ChunkBoxes) -> tuple[str, Chunks]:
    return "broadloom.dask.ChunkBoxes", boxes.chunks
