"""Zarr arrays, read and written chunk by chunk. A chunk that is missing or damaged is an error, and so is an array that was
not written to its end."""

from __future__ import annotations

import itertools
import os
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import dask.array as da
import numpy as np
from dask.array.core import normalize_chunks
from dask.base import tokenize
from numpy.typing import NDArray

from ._boxes import ChunkBoxes
from ._errors import Box, ChunkError, refusal

#: The attribute of a Zarr array that says whether it was written to its end.
ATTRIBUTE = "broadloom"


def from_zarr(
    path: str | os.PathLike[str], *, chunks: Any = None, missing: Literal["error", "fill"] = "error"
) -> da.Array:
    """A Zarr array as a Dask array. `path` is a folder or an address that every worker can read.

    `chunks` are those of the Dask array, by default those in which the Zarr array is stored. Each task reads its chunk by
    itself: nothing is sent from one worker to another, and a task that computes with the chunk reads it in the same step.

    A stored chunk that is missing is an error, since nobody knows whether it was lost. Zarr itself takes the fill value;
    pass missing="fill" for arrays that were written without chunks of fill values alone, as Zarr writes them by default.

    Errors: class `length` for an array that `to_zarr` has not written to its end; `ChunkError` (class `length`) while it is
    computed, for a chunk that is missing or cannot be read. It has the stored chunk and its box.

    >>> import tempfile
    >>> import dask.array as da
    >>> import broadloom.dask
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stored = broadloom.dask.to_zarr(da.arange(6, chunks=2), folder + "/a.zarr")
    ...     broadloom.dask.from_zarr(folder + "/a.zarr").sum().compute().item()
    15
    """
    if missing not in ("error", "fill"):
        raise refusal(f"missing is 'error' or 'fill', not {missing!r}.", "attribute")
    path = os.fspath(path)
    array = _open(path, "r")
    if array.attrs.get(ATTRIBUTE, {}).get("complete", True) is not True:
        raise refusal(
            f"{path} was not written to its end, so some of its chunks are missing: remove it, and write it again.", "length"
        )
    cut = normalize_chunks(_stored_chunks(array) if chunks is None else chunks, array.shape, dtype=array.dtype)
    version = tokenize(array.metadata.to_dict())
    axes = tuple(range(array.ndim))
    return da.blockwise(
        _Reader(path, version, missing == "error"),
        axes,
        ChunkBoxes(cut),
        axes,
        name=f"from-zarr-{tokenize(path, version, cut, missing)}",
        dtype=array.dtype,
        meta=np.empty((0,) * array.ndim, array.dtype),
        align_arrays=False,
    )


def to_zarr(array: da.Array, path: str | os.PathLike[str], *, compressors: Any = None) -> da.Array:
    """Computes a Dask array into a new Zarr array of the same chunks, and returns that as a Dask array.

    `path` is a folder or an address that every worker can write. Until the last chunk is written, the Zarr array is marked
    as incomplete, and `from_zarr` refuses it: a run that failed or was stopped is never taken for a result. A chunk that
    is written again, since a worker was lost, replaces the first. `compressors` are Zarr's; by default chunks are not
    compressed, but have a checksum (`Crc32cCodec`).

    Errors: class `extent` for chunks of unknown or uneven sizes, which Zarr does not have; `overlap` where there is an
    array already; `ChunkError` while it is computed, for a block that does not fit its chunk or cannot be written.
    """
    import zarr
    from zarr.codecs import Crc32cCodec

    if not isinstance(array, da.Array):
        raise refusal(f"to_zarr writes a Dask array, not {type(array).__name__}: dask.array.from_array makes one.", "attribute")
    path = os.fspath(path)
    for axis, sizes in enumerate(array.chunks):
        if any(np.isnan(size) for size in sizes):
            raise refusal(
                f"{array.name}: the sizes of the chunks along axis {axis} are not known. Call compute_chunk_sizes() first.",
                "extent",
                axis=axis,
            )
        if len(set(sizes[:-1])) > 1 or sizes[-1] > sizes[0]:
            raise refusal(
                f"{array.name}: the chunks along axis {axis} have uneven sizes {_some(sizes)}, and Zarr's are equal but for "
                f"the last: rechunk({{{axis}: {max(sizes)}}}) makes them so.",
                "extent",
                axis=axis,
            )
    identity = uuid.uuid4().hex
    try:
        stored = zarr.create_array(
            path,
            shape=array.shape,
            chunks=tuple(max(*sizes, 1) for sizes in array.chunks),
            dtype=array.dtype,
            compressors=[Crc32cCodec()] if compressors is None else compressors,
            fill_value=0,
            attributes={ATTRIBUTE: {"complete": False, "id": identity}},
        )
    except (zarr.errors.ContainsArrayError, zarr.errors.ContainsGroupError) as error:
        raise refusal(f"There is an array or a group at {path} already: remove it, or choose another place.", "overlap") from error
    axes = tuple(range(array.ndim))
    written = da.blockwise(
        _Writer(path, identity, array.name),
        axes,
        ChunkBoxes(array.chunks),
        axes,
        array,
        axes,
        name=f"to-zarr-{identity}",
        dtype=np.bool_,
        meta=np.empty((0,) * array.ndim, np.bool_),
        adjust_chunks={axis: lambda _: 1 for axis in axes},
        align_arrays=False,
    )
    # What fails raises here, and leaves the mark as it is.
    done = np.asarray(written.compute())
    if done.size != array.npartitions or not done.all():
        raise refusal(f"{path}: {array.npartitions - int(done.sum())} chunks were not written.", "length")
    stored.update_attributes({ATTRIBUTE: {"complete": True, "id": identity}})
    return from_zarr(path)


def _some(sizes: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, sizes[:6]))}{', ...' if len(sizes) > 6 else ''})"


def _open(path: str, mode: Literal["r", "r+"]) -> Any:
    import zarr

    # Without this, Zarr leaves out chunks of fill values alone: nobody could tell them from lost ones. It is no argument of
    # open_array, which passes it on only to an array that it creates.
    return zarr.open_array(path, mode=mode).with_config({"write_empty_chunks": True})


# A process opens an array once. `version` keeps one that was removed and written anew from being taken for the old one.
@lru_cache(maxsize=64)
def _kept(path: str, mode: Literal["r", "r+"], version: str) -> Any:
    return _open(path, mode)


def _stored_chunks(array: Any) -> tuple[int, ...]:
    """The chunks that are stored as a whole: of a sharded array its shards."""
    return tuple(array.shards or array.chunks)


@dataclass(frozen=True)
class _Reader:
    path: str
    version: str
    checks_missing: bool

    def __call__(self, where: tuple[tuple[int, ...], Box]) -> NDArray[Any]:
        _, box = where
        try:
            array = _kept(self.path, "r", self.version)
            if self.checks_missing:
                for chunk, chunk_box in _chunks_within(array, box):
                    if not _exists(array, chunk):
                        raise ChunkError(
                            self.path,
                            chunk,
                            chunk_box,
                            "the stored chunk is missing. Restore it, or pass missing='fill' if the array was written without "
                            "chunks that have the fill value alone.",
                            "length",
                        )
            return np.asarray(array[_slices(box)])
        except ChunkError:
            raise
        except Exception as error:
            raise self._located(box, error) from error

    # The first stored chunk of the box that cannot be read by itself.
    def _located(self, box: Box, error: Exception) -> ChunkError:
        found: tuple[int, ...] = ()
        found_box = box
        try:
            array = _kept(self.path, "r", self.version)
            for chunk, chunk_box in _chunks_within(array, box):
                found, found_box = chunk, chunk_box
                np.asarray(array[_slices(chunk_box)])
            found, found_box = (), box
        except Exception as first:
            error = first
        reason = f"the stored chunk cannot be read ({type(error).__name__}: {error}). Restore it, or write the array again."
        return ChunkError(self.path, found, found_box, reason, "length")


@dataclass(frozen=True)
class _Writer:
    path: str
    version: str
    name: str

    def __call__(self, where: tuple[tuple[int, ...], Box], block: Any) -> NDArray[Any]:
        chunk, box = where
        shape = tuple(end - begin for begin, end in box)
        array = _kept(self.path, "r+", self.version)
        block = np.asarray(block)
        # Zarr would repeat a smaller block, and convert another type.
        if block.shape != shape or block.dtype != array.dtype:
            reason = (
                f"the block is {block.dtype} of shape {block.shape}, not {array.dtype} of shape {shape}. What made it gives "
                f"blocks that do not fit the array's chunks and dtype: correct it there."
            )
            raise ChunkError(self.name, chunk, box, reason, "incompatible" if block.shape != shape else "dtype")
        try:
            if block.size:
                array[_slices(box)] = block
        except Exception as error:
            reason = f"the chunk cannot be written to {self.path} ({type(error).__name__}: {error})."
            raise ChunkError(self.name, chunk, box, reason, "length") from error
        return np.ones((1,) * len(box), np.bool_)


def _slices(box: Box) -> tuple[slice, ...]:
    return tuple(slice(begin, end) for begin, end in box)


def _chunks_within(array: Any, box: Box) -> Iterator[tuple[tuple[int, ...], Box]]:
    """The stored chunks that a box touches, and their boxes."""
    if any(begin == end for begin, end in box):
        return
    sizes = _stored_chunks(array)
    ranges = [range(begin // size, -(-end // size)) for (begin, end), size in zip(box, sizes, strict=True)]
    for chunk in itertools.product(*ranges):
        yield (
            chunk,
            tuple(
                (i * size, min((i + 1) * size, extent)) for i, size, extent in zip(chunk, sizes, array.shape, strict=True)
            ),
        )


def _exists(array: Any, chunk: tuple[int, ...]) -> bool:
    from zarr.core.sync import sync

    return bool(sync((array.store_path / array.metadata.encode_chunk_key(chunk)).exists()))
