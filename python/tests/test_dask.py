"""Dask arrays: the same bits as whole arrays, over random shapes, chunks, rules, operators and types; costs; bad input."""

from __future__ import annotations

import doctest
import importlib
import pickle
import shutil
from pathlib import Path
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest
import zarr
from forms import DTYPES, FLOATS, INTEGERS, Array, random_array, random_shapes

import broadloom
import broadloom.dask as bd

dask.config.set(scheduler="sync")

ROWS = broadloom._core.op_rows()


def random_chunks(rng: np.random.Generator, shape: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    chunks = []
    for extent in shape:
        cuts = sorted(set(rng.integers(0, extent + 1, int(rng.integers(0, 4))).tolist()) - {0, extent})
        chunks.append(tuple(int(size) for size in np.diff([0, *cuts, extent])))
    return tuple(chunks)


def chunked(rng: np.random.Generator, array: Array) -> da.Array:
    return da.from_array(array, chunks=random_chunks(rng, array.shape))


def assert_same_bits(result: Any, expected: Array) -> None:
    assert isinstance(result, da.Array) and result.shape == expected.shape and result.dtype == expected.dtype
    assert result._meta.shape == (0,) * expected.ndim and result._meta.dtype == expected.dtype
    computed = np.asarray(result.compute())
    assert computed.shape == expected.shape and computed.dtype == expected.dtype
    if expected.dtype.kind in "fc" or expected.dtype.name in ("bfloat16",):
        # A NaN that is computed from two may be either of them.
        is_nan = expected != expected
        assert ((computed != computed) == is_nan).all()
        computed, expected = computed[~is_nan], expected[~is_nan]
    assert np.ascontiguousarray(computed).tobytes() == np.ascontiguousarray(expected).tobytes()


def random_question(rng: np.random.Generator, rule: str, operands: int) -> tuple[list[tuple[int, ...]], dict[str, Any]]:
    """Shapes that fit under a rule of operators, and its options."""
    if rule in ("numpy", "onnx_multidirectional"):
        return random_shapes(rng, operands)[1], {}
    shape = random_shapes(rng)[0]
    if rule == "none":
        return [shape] * operands, {}
    other = [1 if rng.random() < 0.3 else extent for extent in shape]
    if rule == "onnx_unidirectional":
        return [shape, tuple(other[int(rng.integers(0, len(shape) + 1)) :])], {}
    start = int(rng.integers(0, len(shape) + 1))
    end = int(rng.integers(start, len(shape) + 1))
    other = other[start:end]
    # Units at the end of B are ignored, also where A has no axis left.
    other += [1] * int(rng.integers(0, start + 1) if rng.random() < 0.3 else 0)
    return [shape, tuple(other)], {"axis": start}


@pytest.mark.parametrize("rule", ["none", "numpy", "onnx_multidirectional", "onnx_unidirectional", "pdpd"])
def test_operators(rule: str) -> None:
    rng = np.random.default_rng(len(rule))
    compared = refused = 0
    for _ in range(250):
        op = str(rng.choice([name for name in ROWS if name != "Broadcast"]))
        dtypes = {"Cast": 1, "Where": 3}
        count = dtypes.get(op, 2)
        if count != 2 and rule in ("pdpd", "onnx_unidirectional"):
            continue
        shapes, options = random_question(rng, rule, count)
        name = str(rng.choice(["bool", *INTEGERS, *FLOATS]))
        arrays = [random_array(rng, shape, DTYPES[name], small=op == "Pow") for shape in shapes]
        if op == "Where":
            arrays[0] = random_array(rng, shapes[0], DTYPES["bool"])
        if op == "Cast":
            options["to"] = str(rng.choice(INTEGERS + FLOATS))
        if op == "BitShift":
            options["direction"] = "left"
        if op == "Mod" and name in FLOATS:
            options["fmod"] = 1
        try:
            expected = broadloom.apply(op, arrays, rule=rule, **options)
        except broadloom.BroadcastError as error:
            with pytest.raises(broadloom.BroadcastError) as caught:
                bd.apply(op, *(chunked(rng, array) for array in arrays), rule=rule, **options)
            assert caught.value.error_class == error.error_class
            refused += 1
            continue
        operands = [chunked(rng, array) if i == 0 or rng.random() < 0.8 else array for i, array in enumerate(arrays)]
        assert_same_bits(bd.apply(op, *operands, rule=rule, most_growth=1e9, **options), expected)
        compared += 1
    assert compared > 60 and refused > 5, (compared, refused)


@pytest.mark.parametrize("rule", ["broadcast_numpy", "bidirectional", "explicit", "numpy", "pdpd", "none"])
def test_broadcast_to(rule: str) -> None:
    rng = np.random.default_rng(len(rule) + 1)
    compared = 0
    for _ in range(60):
        shape, shapes = random_shapes(rng)
        name = str(rng.choice([name for name in DTYPES if name not in ("i4", "u4")]))
        options: dict[str, Any] = {"rule": rule}
        data = shapes[int(rng.integers(0, 2))]
        if rule == "explicit":
            mapping = sorted(rng.choice(len(shape), int(rng.integers(0, len(shape) + 1)), replace=False).tolist()) if shape else []
            options["axes_mapping"] = mapping
            data = tuple(1 if rng.random() < 0.3 else shape[axis] for axis in mapping)
        if rule == "pdpd":
            [shape, data], more = random_question(rng, rule, 2)
            options.update(more)
        array = random_array(rng, data, DTYPES[name])
        try:
            expected = broadloom.broadcast_to(array, shape, **options)
        except broadloom.BroadcastError as error:
            with pytest.raises(broadloom.BroadcastError) as caught:
                bd.broadcast_to(chunked(rng, array), shape, **options)
            assert caught.value.error_class == error.error_class
            continue
        with dask.config.set({"array.chunk-size": "64B"}):
            result = bd.broadcast_to(chunked(rng, array), shape, most_growth=1e9, **options)
        assert_same_bits(result, expected)
        compared += 1
    assert compared > 10


def test_sonnx_returns_each_operand() -> None:
    rng = np.random.default_rng(7)
    for _ in range(60):
        _, shapes = random_shapes(rng, int(rng.integers(1, 4)))
        arrays = [random_array(rng, shape, DTYPES[str(rng.choice(["i8", "f32", "bool", "c64"]))]) for shape in shapes]
        expected = broadloom.apply("Broadcast", arrays, rule="sonnx")
        results = bd.apply("Broadcast", *(chunked(rng, array) for array in arrays), rule="sonnx", most_growth=1e9)
        if len(arrays) == 1:
            results, expected = [results], [expected]
        assert len(results) == len(expected)
        for result, whole in zip(results, expected, strict=True):
            assert_same_bits(result, whole)


def test_numbers_lists_and_arrays_beside_dask_arrays() -> None:
    x = da.from_array(np.arange(6, dtype=np.uint8).reshape(2, 3), chunks=(1, 2))
    whole = x.compute()
    for other in (2, True, [1, 2, 3], [[1], [2]], np.full(3, 4, np.uint8), np.uint8(3)):
        assert_same_bits(bd.apply("Add", x, other), broadloom.apply("Add", [whole, other]))
        assert_same_bits(bd.apply("Sub", other, x), broadloom.apply("Sub", [other, whole]))
    assert_same_bits(bd.apply("Add", x, 0.5, promote="numpy2"), broadloom.add(whole, 0.5, promote="numpy2"))
    floats = np.ones((2, 3), np.float32)
    assert_same_bits(bd.apply("Div", x, floats, promote="numpy2"), broadloom.div(whole, floats, promote="numpy2"))
    assert_same_bits(bd.apply("Add", 1, [2, 3]), broadloom.apply("Add", [1, [2, 3]]))
    with pytest.raises(broadloom.DTypeError, match="300 is not held by u8"):
        bd.apply("Add", x, 300)
    with pytest.raises(broadloom.DTypeError):
        bd.apply("Add", x, floats)


def test_the_dtype_that_a_result_must_have() -> None:
    x = da.ones(4, chunks=2, dtype=np.float32)
    assert bd.apply("Add", x, x, dtype="f32").dtype == np.float32
    with pytest.raises(broadloom.DTypeError, match="elements of bool, not of f32"):
        bd.apply("Less", x, x, dtype=np.float32)


def test_labels_follow_the_alignment() -> None:
    x, y = da.ones((4, 6, 2), chunks=(2, 3, 2)), da.ones(6, chunks=3)
    result = bd.apply("Mul", x, y, rule="pdpd", axis=1)
    [layer] = [result.dask.layers[name] for name in result.dask.layers if name == result.name]
    assert dict(layer.indices)[y.name] == layer.output_indices[1:2]
    assert dict(layer.indices)[x.name] == layer.output_indices


def test_unit_axes_are_stretched_whatever_their_chunks() -> None:
    whole = np.arange(12.0).reshape(3, 4)
    column = np.arange(3.0).reshape(3, 1)
    for chunks in (((3,), (1,)), ((1, 1, 1), (1,)), ((2, 1), (0, 1)), ((2, 1), (1, 0))):
        made = da.from_array(column, chunks=((3,), (1,))).rechunk((chunks[0], (1,)))
        if chunks[1] != (1,):
            empty = da.zeros((3, 0), chunks=(chunks[0], (0,)))
            made = da.concatenate([empty, made] if chunks[1][0] == 0 else [made, empty], axis=1, allow_unknown_chunksizes=False)
        assert_same_bits(bd.apply("Add", da.from_array(whole, chunks=(2, 2)), made), whole + column)


def test_costs() -> None:
    x, y = da.ones((400, 400), chunks=(10, 400)), da.ones(400, chunks=20)
    told = bd.cost("Add", x, y, threads=2)
    assert told.operand_chunks == (40, 20) and told.threads == 2 and told.peak_per_worker == 2 * told.peak
    result = bd.apply("Add", x, y, most_growth=1e9)
    assert result.npartitions == told.chunks
    rows, columns = map(max, result.chunks)
    assert told.moved == y.nbytes  # y is small: it is joined, where cutting x at its bounds would make 800 tasks
    assert told.peak == 8 * (rows * columns + rows * columns + 2 * columns)
    for text in ("chunks", "peak", "per worker with 2 threads"):
        assert text in str(told)


def test_chunks_do_not_multiply() -> None:
    # Of (40, 40) chunks each has its own 1,600th of 12.8 GB: tasks cost less than moving it, but most_growth bounds them.
    x, y = da.ones((40_000, 40_000), chunks=(1000, 40_000)), da.ones((40_000, 40_000), chunks=(40_000, 1000))
    assert (bd.cost("Add", x, y, most_growth=1e9).chunks, bd.cost("Add", x, y, most_growth=1e9).moved) == (1600, 0)
    for most_growth in (1, 2, 10, 20.5):
        told = bd.cost("Add", x, y, most_growth=most_growth)
        assert 40 <= told.chunks <= 40 * most_growth and told.growth <= most_growth and told.moved > 0
        assert bd.apply("Add", x, y, most_growth=most_growth).npartitions == told.chunks
    # An outer product has as many chunks as its size asks for.
    assert bd.apply("Add", da.ones((400, 1), chunks=(10, 1)), da.ones((1, 400), chunks=(1, 10))).npartitions == 1600


def refused(error_class: str, match: str, *arguments: Any, **options: Any) -> None:
    with pytest.raises(broadloom.BroadcastError, match=match) as caught:
        bd.apply(*arguments, **options)
    assert caught.value.error_class == error_class


def test_bad_arguments() -> None:
    x = da.ones((4, 6), chunks=2)
    masked = x[x[:, 0] > 0]
    refused("extent", r"^A \(getitem.*axis 0.*compute_chunk_sizes", "Add", masked, x)
    refused("extent", r"^B \(getitem.*axis 0", "Add", x, masked)
    refused("incompatible", "Axis 1", "Add", x, da.ones(5, chunks=2))
    refused("attribute", "MaskedArray", "Add", da.ma.masked_array(x), x)
    refused("attribute", "numpy2", "Add", x, x, promote="numpy")
    refused("unknown", "Plus", "Plus", x, x)
    refused("unknown", "sonnx", "Add", x, x, rule="sonnx")
    refused("dtype", "i32", "Add", x, x.astype(np.int32))
    refused("dtype", "object", "Add", x, x.astype(object))


def test_blocks_that_do_not_fit() -> None:
    x = da.ones((4, 6), chunks=2)
    cases: list[tuple[Any, str, str]] = [
        (lambda block: block[:1], "incompatible", r"shape \(1, 2\), not \(2, 2\)"),
        (lambda block: block.astype(np.float32), "dtype", "float32, not of float64"),
        (lambda block: np.ma.masked_array(block), "attribute", "MaskedArray"),
        (lambda block: block.tolist(), "attribute", "list"),
        (lambda block: None, "attribute", "NoneType"),
        (lambda block: block.T[None], "incompatible", "shape"),
    ]
    for function, error_class, match in cases:
        wrong = x.map_blocks(function, dtype=float, meta=np.empty((0, 0)))
        with pytest.raises(bd.ChunkError, match=match) as caught:
            bd.apply("Add", da.ones((4, 6), chunks=2), wrong)[2:, 4:].compute()
        error = caught.value
        assert (error.error_class, error.operand, error.chunk, error.box) == (error_class, 1, (1, 2), ((2, 4), (4, 6)))
        assert error.array.startswith("B (lambda")
        again = pickle.loads(pickle.dumps(error))
        assert str(again) == str(error) and again.box == error.box and again.error_class == error.error_class


# --- Zarr -------------------------------------------------------------------------------------------------------------


def stored_chunk(path: Path, *chunk: int) -> Path:
    return path.joinpath("c", *map(str, chunk))


def test_zarr_keeps_the_bits(tmp_path: Path) -> None:
    rng = np.random.default_rng(3)
    for number in range(40):
        shape = random_shapes(rng)[0]
        array = random_array(rng, shape, DTYPES[str(rng.choice(["bool", "i8", "u64", "f16", "f32", "f64", "c64"]))])
        path = tmp_path / str(number)
        chunks = tuple(int(rng.integers(1, max(extent, 1) + 1)) for extent in shape)
        stored = bd.to_zarr(da.from_array(array, chunks=chunks or -1), path)
        for again in (stored, bd.from_zarr(path), bd.from_zarr(path, chunks=-1), da.from_array(zarr.open_array(path, mode="r"))):
            computed = np.asarray(again.compute())
            assert computed.dtype == array.dtype and computed.shape == shape and computed.tobytes() == array.tobytes()


def test_reading_and_computing_are_one_task(tmp_path: Path) -> None:
    x = bd.to_zarr(da.ones((8, 8), chunks=2), tmp_path / "x")
    y = bd.to_zarr(da.ones(8, chunks=2), tmp_path / "y")
    result = bd.apply("Mul", x, y, rule="pdpd", axis=0)
    assert len(dict(dask.optimize(result)[0].dask)) == result.npartitions


def test_missing_and_damaged_chunks(tmp_path: Path) -> None:
    path = tmp_path / "a"
    x = bd.to_zarr(da.arange(24.0, chunks=24).reshape(4, 6).rechunk(2), path)
    bad = stored_chunk(path, 1, 2)
    good = bad.read_bytes()
    for number, damage in enumerate((None, b"", good[:5], good[:-1], good + b"x", bytes([good[0] ^ 1]) + good[1:])):
        bad.unlink() if damage is None else bad.write_bytes(damage)
        for array in (x, bd.apply("Add", x, 1.0), bd.from_zarr(path, chunks=(4, 3))):
            with pytest.raises(bd.ChunkError, match="missing" if damage is None else "cannot be read") as caught:
                array.compute()
            error = caught.value
            assert (error.array, error.chunk, error.box) == (str(path), (1, 2), ((2, 4), (4, 6)))
        target = tmp_path / f"sum-{number}"
        with pytest.raises(bd.ChunkError):
            bd.to_zarr(bd.apply("Add", x, 1.0), target)
        with pytest.raises(broadloom.BroadcastError, match="not written to its end"):
            bd.from_zarr(target)
    bad.unlink()
    filled = bd.from_zarr(path, missing="fill").compute()
    assert (filled[2:, 4:] == 0).all() and filled[1, 1] == 7
    bad.write_bytes(good)
    assert (x.compute() == np.arange(24.0).reshape(4, 6)).all()


def test_chunks_of_fill_values_are_written(tmp_path: Path) -> None:
    zeros = bd.to_zarr(da.zeros((4, 4), chunks=2), tmp_path / "zeros")
    assert all(stored_chunk(tmp_path / "zeros", i, j).exists() for i in (0, 1) for j in (0, 1))
    assert (zeros.compute() == 0).all()


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    x = bd.to_zarr(da.ones(4, chunks=2), tmp_path / "x")
    with pytest.raises(broadloom.BroadcastError, match="remove it") as caught:
        bd.to_zarr(da.zeros(4, chunks=2), tmp_path / "x")
    assert caught.value.error_class == "overlap" and (x.compute() == 1).all()


def test_what_zarr_does_not_have(tmp_path: Path) -> None:
    x = da.ones(7, chunks=((1, 4, 2),))
    with pytest.raises(broadloom.BroadcastError, match=r"rechunk\({0: 4}\)"):
        bd.to_zarr(x, tmp_path / "x")
    with pytest.raises(broadloom.BroadcastError, match="compute_chunk_sizes"):
        bd.to_zarr(x[x > 0], tmp_path / "x")
    with pytest.raises(broadloom.BroadcastError, match="from_array"):
        bd.to_zarr(np.ones(3), tmp_path / "x")  # type: ignore[arg-type]
    wrong = da.ones(4, chunks=2).map_blocks(lambda block: block[:1], dtype=float)
    with pytest.raises(bd.ChunkError, match=r"chunk \(\d,\), box"):
        bd.to_zarr(wrong, tmp_path / "wrong")  # Zarr itself would repeat the one element
    with pytest.raises(broadloom.BroadcastError, match="not written to its end"):
        bd.from_zarr(tmp_path / "wrong")


def caught(error_class: str, match: str, function: Any, *arguments: Any, **options: Any) -> broadloom.BroadcastError:
    with pytest.raises(broadloom.BroadcastError, match=match) as info:
        function(*arguments, **options)
    assert info.value.error_class == error_class
    return info.value


def test_chunks_of_reading(tmp_path: Path) -> None:
    whole = np.arange(35.0).reshape(7, 5)
    path = tmp_path / "a"
    bd.to_zarr(da.from_array(whole, chunks=(3, 2)), path)
    good: list[tuple[Any, Any]] = [
        ((-1, 2), ((7,), (2, 2, 1))),
        ((None, -1), ((7,), (5,))),
        (-1, ((7,), (5,))),
        ({0: 4}, ((4, 3), (5,))),
        (((3, 4), (5,)), ((3, 4), (5,))),
        ((np.int64(4), 5), ((4, 3), (5,))),
        ("auto", ((7,), (5,))),
    ]
    for given, chunks in good:
        again = bd.from_zarr(path, chunks=given)
        assert again.chunks == chunks and (again.compute() == whole).all()
    for given, axis, size in [
        ((-3, 2), 0, "-3"),
        ((0, 2), 0, "0"),
        ((3, -2), 1, "-2"),
        (0, 0, "0"),
        ({1: -2}, 1, "-2"),
        (((-1, 8), (5,)), 0, "-1"),
        ((2.5, 2), 0, "2.5"),
        ((True, 2), 0, "True"),
        ((2, [1, object()]), 1, "object"),
        ((b"2", 2), 0, "b'2'"),
        ("x", None, "'x'"),
        ({5: 1}, None, "axis 5"),
        ({"a": 1}, None, "axis 'a'"),
        (((3, 3), (5,)), None, "add up"),
        ((1, 2, 3), None, "3 axes"),
        (float("nan"), 0, "nan"),
        (object(), 0, "object"),
    ]:
        error = caught("extent", f"{size}", bd.from_zarr, path, chunks=given)
        assert str(path) in str(error) and error.axis == axis and (axis is None or f"axis {axis}" in str(error))
    empty = tmp_path / "empty"
    bd.to_zarr(da.zeros((0, 3), chunks=(0, 2)), empty)
    for given in (None, -1, 2, (0, 2), "auto"):
        assert bd.from_zarr(empty, chunks=given).compute().shape == (0, 3)
    one = tmp_path / "one"
    bd.to_zarr(da.arange(7, chunks=3), one)
    assert bd.from_zarr(one, chunks=(3, 4)).chunks == ((3, 4),) and bd.from_zarr(one, chunks=(3,)).chunks == ((3, 3, 1),)


def test_an_array_that_takes_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "a"

    def replace(value: float, shape: tuple[int, ...] = (4, 4)) -> da.Array:
        shutil.rmtree(path, ignore_errors=True)
        return bd.to_zarr(da.full(shape, value, chunks=2), path)

    for is_read_before in (False, True):
        for shape in ((4, 4), (4, 6), (2, 2), (4,)):
            old = replace(1.0)
            if is_read_before:
                assert (old.compute() == 1).all()
            new = replace(2.0, shape)
            for array in (old, bd.apply("Add", old, 1.0)):
                with pytest.raises(bd.ChunkError, match="another one than that which was opened") as info:
                    array.compute()
                assert info.value.error_class == "length" and info.value.array == str(path)
            assert (new.compute() == 2).all()
    # Attributes may change.
    zarr.open_array(path, mode="r+").update_attributes({"note": "more"})
    assert (new.compute() == 2).all()
    # Arrays of other programs have no id: their metadata is compared.
    for version in (2, 3):
        def other(fill: int) -> None:
            shutil.rmtree(path, ignore_errors=True)
            array = zarr.create_array(path, shape=(4,), chunks=(2,), dtype="i4", fill_value=fill, zarr_format=version)
            array[...] = fill + 1

        other(1)
        read = bd.from_zarr(path)
        assert (read.compute() == 2).all()
        other(5)
        with pytest.raises(bd.ChunkError, match="another one"):
            read.compute()
        assert (bd.from_zarr(path).compute() == 6).all()
    shutil.rmtree(path)
    with pytest.raises(bd.ChunkError, match="missing|cannot be read"):
        new.compute()


def test_types_that_zarr_does_not_store(tmp_path: Path) -> None:
    path = tmp_path / "a"
    for array in (
        da.ones(4, chunks=2, dtype=DTYPES["bf16"]),
        da.ones(4, chunks=2, dtype=DTYPES["f8e4m3"]),
        da.from_array(np.array([None, 1, 2, 3]), chunks=2),
        da.ones(4, chunks=2, dtype=np.longdouble),
        da.from_array(np.zeros(4, "V3"), chunks=2),
    ):
        error = caught("dtype", "Zarr does not store elements of .* Convert", bd.to_zarr, array, path)
        assert isinstance(error, broadloom.DTypeError) and not path.exists()
    caught("attribute", "compressors", bd.to_zarr, da.ones(4, chunks=2), path, compressors=["zip"])
    assert not path.exists()
    for name in (">i4", ">f8", ">c16", ">u2"):
        whole = np.arange(4).astype(name)
        place = tmp_path / name[1:]
        stored = bd.to_zarr(da.from_array(whole, chunks=2), place)
        assert stored.dtype == whole.dtype.newbyteorder("=") and (stored.compute() == whole).all()
    halves = bd.apply("Cast", da.ones(4, chunks=2, dtype=DTYPES["bf16"]), to="f32")
    assert (bd.to_zarr(halves, path).compute() == 1).all()


def test_places_that_are_no_arrays(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    error = caught("attribute", str(missing), bd.from_zarr, missing)
    assert isinstance(error.__cause__, FileNotFoundError)
    zarr.create_group(tmp_path / "group")
    caught("attribute", "group", bd.from_zarr, tmp_path / "group")
    broken = tmp_path / "broken"
    bd.to_zarr(da.ones(4, chunks=2), broken)
    (broken / "zarr.json").write_text("{")
    caught("attribute", "broken.*JSON", bd.from_zarr, broken)
    (tmp_path / "file").write_text("")
    caught("attribute", "choose another place", bd.to_zarr, da.ones(4, chunks=2), tmp_path / "file" / "a")
    for wrong in (5, None, b"a", "", "\0", object(), ["a"]):
        caught("attribute", "path|opened", bd.from_zarr, wrong)
        caught("attribute", "path|place", bd.to_zarr, da.ones(4, chunks=2), wrong)
    # Another program's attribute of the same name is not ours.
    for number, mark in enumerate((None, 5, "x", [], {"complete": True}, {"id": 5})):
        place = tmp_path / f"mark-{number}"
        array = zarr.create_array(place, shape=(4,), chunks=(2,), dtype="i4", attributes={"broadloom": mark})
        array[...] = 3
        assert (bd.from_zarr(place).compute() == 3).all()


def test_random_bad_calls_raise_errors_of_the_package() -> None:
    """Whatever comes in, it is computed right or refused by a BroadcastError or TypeError."""
    rng = np.random.default_rng(11)
    pool: list[Any] = [
        da.ones((4, 6), chunks=2),
        da.ones(0, chunks=1),
        da.ones((), chunks=()),
        da.ones((2, 3), chunks=1)[da.ones(2, chunks=1) > 0],
        da.ones(6, chunks=((2, 0, 4),)),
        da.ones(3).astype("S3"),
        da.ones(3).astype("M8[s]"),
        np.ones((4, 6)),
        1,
        [1, 2, "x"],
        None,
        "text",
        float("nan"),
        {},
        object(),
    ]
    options: list[tuple[str, list[Any]]] = [
        ("rule", [*broadloom.rules, "other", 3]),
        ("axis", [-2, -1, 0, 1, 9, 2**70, "1"]),
        ("target_shape", [(4, 6), (), (-1,), (2**62, 2**62), "x", 3]),
        ("axes_mapping", [[0], [1, 0], [9], [], "x"]),
        ("promote", ["numpy2", "strict", 1]),
        ("to", ["f32", "i4", "u1", "other", 3]),
        ("dtype", ["f32", "other"]),
        ("policy", ["no_stretching", "same_names", "x"]),
        ("most_growth", [0, 1, 1e9]),
    ]
    computed = refusals = 0
    for _ in range(1500):
        op = str(rng.choice([*ROWS, "Other"]))
        operands = [pool[int(rng.integers(0, len(pool) if rng.random() < 0.4 else 3))] for _ in range(int(rng.integers(0, 4)))]
        given = {
            name: values[int(rng.integers(0, len(values)))]
            for name, values in options
            if rng.random() < 0.07
        }
        try:
            result = bd.apply(op, *operands, **given)
            for one in result if isinstance(result, list) else [result]:
                assert isinstance(one, da.Array)
                if one.nbytes < 1e6 and one.npartitions < 1000:
                    assert one.compute().shape == one.shape
            computed += 1
        except (broadloom.BroadcastError, TypeError):
            refusals += 1
    assert computed > 100 and refusals > 100


@pytest.mark.parametrize("name", ["", "._apply", "._errors", "._layout", "._zarr"])
def test_examples(name: str) -> None:
    flags = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
    result = doctest.testmod(importlib.import_module(f"broadloom.dask{name}"), optionflags=flags)
    assert result.failed == 0 and result.attempted > 2
