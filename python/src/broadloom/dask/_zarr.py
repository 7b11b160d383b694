"""Zarr arrays, read and written chunk by chunk. A chunk that is missing or damaged is an error, and so is an array that was
not written to its end."""

from __future__ import annotations

import itertools
import os
import uuid
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

import dask.array as da
import numpy as np
from dask.base import tokenize
from numpy.typing import NDArray

from .._core import show
from .._errors import refusal
from ._boxes import ChunkBoxes
from ._errors import Box, ChunkError
from ._given_chunks import read_chunks

#: The attribute of a Zarr array that says whether it was written to its end.
ATTRIBUTE = "broadloom"


def from_zarr(
    path: str | os.PathLike[str], *, chunks: Any = None, missing: Literal["error", "fill"] = "error"
) -> da.Array:
    """A Zarr array as a Dask array. `path` is a folder or an address that every worker can read.

    `chunks` are those of the Dask array, in any form that Dask takes: -1 and None are the whole axis. By default they are
    those in which the Zarr array is stored. Each task reads its chunk by itself: nothing is sent from one worker to another,
    and a task that computes with the chunk reads it in the same step.

    A stored chunk that is missing is an error, since nobody knows whether it was lost. Zarr itself takes the fill value;
    pass missing="fill" for arrays that were written without chunks of fill values alone, as Zarr writes them by default.

    The Dask array is that of the stored array which was opened. If it is removed and another one is written at its place,
    reading is refused: `to_zarr` gives each array an id, and of arrays of other programs the metadata is compared.

    Errors: class `attribute` for a path at which no Zarr array can be opened (Zarr's error is the cause); `extent` for
    chunks that do not fit the array; `length` for an array that `to_zarr` has not written to its end; `ChunkError` (class
    `length`) while it is computed, for a chunk that is missing or cannot be read, or is one of another array. It has the
    stored chunk and its box.

    >>> import tempfile
    >>> import dask.array as da
    >>> import broadloom.dask
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     stored = broadloom.dask.to_zarr(da.arange(6, chunks=2), folder + "/a.zarr")
    ...     broadloom.dask.from_zarr(folder + "/a.zarr").sum().compute().item()
    15
    """
    if not isinstance(missing, str) or missing not in ("error", "fill"):
        raise refusal(f"missing is 'error' or 'fill', not {show(missing)}.", "attribute")
    path = _read_path(path)
    try:
        array = _open(path, "r")
    except Exception as error:
        raise refusal(
            f"{path} cannot be opened as a Zarr array ({_told(error)}): give the folder or the address of one array.",
            "attribute",
        ) from error
    if _mark_of(array).get("complete", True) is not True:
        raise refusal(
            f"{path} was not written to its end, so some of its chunks are missing: remove it, and write it again.", "length"
        )
    cut = read_chunks(_stored_chunks(array) if chunks is None else chunks, array.shape, array.dtype, path)
    version = _version_of(array)
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

    Elements whose bytes are in the other order than this machine's are converted to its own.

    Errors: class `extent` for chunks of unknown or uneven sizes, which Zarr does not have; `dtype` for element types that
    Zarr does not store; `attribute` for compressors and places that it refuses; `overlap` where there is an array already;
    `ChunkError` while it is computed, for a block that does not fit its chunk or cannot be written. Nothing is made at
    `path` before all but the last is checked.
    """
    import zarr
    from zarr.codecs import Crc32cCodec

    if not isinstance(array, da.Array):
        raise refusal(f"to_zarr writes a Dask array, not {type(array).__name__}: dask.array.from_array makes one.", "attribute")
    path = _read_path(path)
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
    if compressors is None:
        compressors = [Crc32cCodec()]
    _check_storable(array, compressors)
    array = array.astype(array.dtype.newbyteorder("="))
    identity = uuid.uuid4().hex
    try:
        stored = zarr.create_array(
            path,
            shape=array.shape,
            chunks=tuple(max(*sizes, 1) for sizes in array.chunks),
            dtype=array.dtype,
            compressors=compressors,
            fill_value=0,
            attributes={ATTRIBUTE: {"complete": False, "id": identity}},
        )
    except (zarr.errors.ContainsArrayError, zarr.errors.ContainsGroupError) as error:
        raise refusal(f"There is an array or a group at {path} already: remove it, or choose another place.", "overlap") from error
    except Exception as error:
        raise refusal(f"Zarr makes no array at {path} ({_told(error)}): choose another place.", "attribute") from error
    axes = tuple(range(array.ndim))
    written = da.blockwise(
        _Writer(path, _with_id(identity), array.name),
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


def _read_path(path: Any) -> str:
    try:
        read = os.fspath(path)
    except Exception:
        read = None
    if not isinstance(read, str) or not read:
        raise refusal(f"The path is a text (str) or a pathlib.Path, the folder or the address of an array, not {show(path)}.", "attribute")
    return read


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _mark_of(array: Any) -> dict[str, Any]:
    """What `to_zarr` has written beside an array; empty for one of another program."""
    mark = array.attrs.get(ATTRIBUTE)
    return mark if isinstance(mark, dict) else {}


def _with_id(identity: str) -> str:
    return f"id {identity}"


def _version_of(array: Any) -> str:
    """What another array at the same place would not have: the array's id, or the token of its metadata."""
    identity = _mark_of(array).get("id")
    return _with_id(identity) if isinstance(identity, str) else f"metadata {tokenize(array.metadata.to_dict())}"


class _AnotherArray(Exception):
    """The array at a path is not the one that was opened there."""


class _Kept:
    """An array that a process has opened."""

    def __init__(self, path: str, mode: Literal["r", "r+"], version: str) -> None:
        self._path, self._version = path, version
        self.array = _open(path, mode)
        self._documents = self._read_documents()
        if _version_of(self.array) != version:
            raise _AnotherArray

    def check(self) -> None:
        """Raises `_AnotherArray` if another array has taken the place since. Asked after a chunk is read, it holds for the
        chunk: an array that was removed does not come back."""
        documents = self._read_documents()
        if documents != self._documents:
            # An attribute may have been added.
            if _version_of(_open(self._path, "r")) != self._version:
                raise _AnotherArray
            self._documents = documents

    def _read_documents(self) -> list[bytes | None]:
        from zarr.core.sync import sync

        names = ("zarr.json",) if self.array.metadata.zarr_format == 3 else (".zarray", ".zattrs")
        found = [sync((self.array.store_path / name).get()) for name in names]
        return [None if one is None else one.to_bytes() for one in found]


@lru_cache(maxsize=64)
def _kept(path: str, mode: Literal["r", "r+"], version: str) -> _Kept:
    return _Kept(path, mode, version)


def _check_storable(array: da.Array, compressors: Any) -> None:
    """Stores an element in memory, as Zarr would on the disk."""
    import zarr

    dtype = array.dtype.newbyteorder("=")
    element = np.zeros(1, dtype)
    for given, error_class in ((None, "dtype"), (compressors, "attribute")):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # the array itself will give them
                stored = zarr.create_array(
                    zarr.storage.MemoryStore(), shape=(1,), chunks=(1,), dtype=dtype, compressors=given, fill_value=0
                )
                stored[...] = element
                read = np.asarray(stored[...])
            if read.dtype == dtype and read.tobytes() == element.tobytes():
                continue
            reason, cause = f"it gives {read.dtype} back", None
        except Exception as error:
            reason, cause = _told(error), error
        if error_class == "dtype":
            message = (
                f"{array.name}: Zarr does not store elements of {dtype} ({reason}). Convert the array first: bfloat16 and 8-bit "
                f"floats by broadloom.dask.apply('Cast', x, to='f32'), or keep their bits by x.view('u2') or x.view('u1')."
            )
        else:
            message = f"Zarr cannot use these compressors for elements of {dtype}: {show(compressors)} ({reason})."
        raise refusal(message, error_class) from cause


def _stored_chunks(array: Any) -> tuple[int, ...]:
    """The chunks that are stored as a whole: of a sharded array its shards."""
    return tuple(array.shards or array.chunks)


@dataclass(frozen=True)
class _Reader:
    path: str
    version: str
    checks_missing: bool

    def __call__(self, where: tuple[tuple[int, ...], Box]) -> NDArray[Any]:
        chunk, box = where
        try:
            kept = _kept(self.path, "r", self.version)
            array = kept.array
            if self.checks_missing:
                for stored, stored_box in _chunks_within(array, box):
                    if not _exists(array, stored):
                        kept.check()
                        raise ChunkError(
                            self.path,
                            stored,
                            stored_box,
                            "the stored chunk is missing. Restore it, or pass missing='fill' if the array was written without "
                            "chunks that have the fill value alone.",
                            "length",
                        )
            read = np.asarray(array[_slices(box)])
            kept.check()
            return read
        except ChunkError:
            raise
        except _AnotherArray as error:
            raise self._another(chunk, box) from error
        except Exception as error:
            raise self._located(chunk, box, error) from error

    def _another(self, chunk: tuple[int, ...], box: Box) -> ChunkError:
        reason = "the array at this place is another one than that which was opened. Open it anew: from_zarr(path)."
        return ChunkError(self.path, chunk, box, reason, "length")

    # The first stored chunk of the box that cannot be read by itself.
    def _located(self, chunk: tuple[int, ...], box: Box, error: Exception) -> ChunkError:
        found, found_box = chunk, box
        try:
            kept = _kept(self.path, "r", self.version)
            kept.check()
            for stored, stored_box in _chunks_within(kept.array, box):
                found, found_box = stored, stored_box
                np.asarray(kept.array[_slices(stored_box)])
            found, found_box = chunk, box
        except _AnotherArray:
            return self._another(chunk, box)
        except Exception as first:
            error = first
        reason = f"the stored chunk cannot be read ({_told(error)}). Restore it, or write the array again."
        return ChunkError(self.path, found, found_box, reason, "length")


@dataclass(frozen=True)
class _Writer:
    path: str
    version: str
    name: str

    def __call__(self, where: tuple[tuple[int, ...], Box], block: Any) -> NDArray[Any]:
        chunk, box = where
        shape = tuple(end - begin for begin, end in box)
        try:
            array = _kept(self.path, "r+", self.version).array
        except Exception as error:
            reason = f"the array at {self.path} cannot be opened ({_told(error)}): it was removed or replaced while it was written."
            raise ChunkError(self.name, chunk, box, reason, "length") from error
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
            reason = f"the chunk cannot be written to {self.path} ({_told(error)})."
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
