"""The tensors of the runs: each element is computed from its index, so any chunk can be checked by itself."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from numpy.typing import NDArray

import broadloom.dask._boxes as boxes

Ranges = tuple[tuple[int, int], ...]


def _range(bounds: tuple[int, int]) -> NDArray[np.int64]:
    return np.arange(*bounds, dtype=np.int64)


def volume(box: Ranges) -> NDArray[np.float32]:
    """Whole numbers below 2^20, which a float of 32 bits holds, also after another such number is added."""
    i, j, k = (_range(bounds) for bounds in box)
    outer = ((i[:, None] * 1_000_003 + j * 7_919) % (1 << 20)).astype(np.int32)
    inner = (k * 104_729 % (1 << 20)).astype(np.int32)
    return ((outer[:, :, None] + inner) & ((1 << 20) - 1)).astype(np.float32)


def matrix(box: Ranges) -> NDArray[np.float32]:
    """Whole numbers below 1,000."""
    i, j = (_range(bounds) for bounds in box)
    return ((i[:, None] * 31 + j * 17) % 1_000).astype(np.float32)


def total(box: Ranges) -> NDArray[np.float32]:
    """What volume + matrix is under PDPD with axis 0, by index arithmetic."""
    i, j, k = (_range(bounds) for bounds in box)
    outer = (i[:, None] * 1_000_003 + j * 7_919) % (1 << 20)
    inner = k * 104_729 % (1 << 20)
    added = (i[:, None] * 31 + j * 17) % 1_000
    return (((outer[:, :, None] + inner) & ((1 << 20) - 1)) + added[:, :, None]).astype(np.float32)


def _make(where: tuple[Any, Ranges], function: Any) -> NDArray[np.float32]:
    return function(where[1])


def lazily(function: Any, shape: tuple[int, ...], chunk: tuple[int, ...]) -> da.Array:
    """A tensor as a Dask array whose chunks the workers compute."""
    chunks = da.core.normalize_chunks(chunk, shape)
    axes = tuple(range(len(shape)))
    meta = np.empty((0,) * len(shape), np.float32)
    return da.blockwise(_make, axes, boxes.ChunkBoxes(chunks), axes, function, None, dtype=np.float32, meta=meta, align_arrays=False)
