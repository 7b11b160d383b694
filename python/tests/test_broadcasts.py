"""broadcast_to under every rule, broadcast and sum_to, against index arithmetic."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from forms import DTYPES, Array, in_form, random_array, random_shapes

import broadloom


def placed(array: Array, places: list[int], shape: tuple[int, ...]) -> Array:
    """Each element of `shape` from the element of the array at the indexes along `places`."""
    result = np.zeros(shape, array.dtype)
    for index in itertools.product(*map(range, shape)):
        source = tuple(0 if extent == 1 else index[place] for place, extent in zip(places, array.shape, strict=True))
        result[index] = array[source]
    return result


def random_target(rng: np.random.Generator) -> tuple[int, ...]:
    return tuple(int(extent) for extent in rng.choice([1, 2, 3, 4], size=int(rng.integers(0, 5))))


def stretched(rng: np.random.Generator, extents: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(1 if rng.random() < 0.3 else extent for extent in extents)


def check(rng: np.random.Generator, data: Array, places: list[int], target: tuple[int, ...], **options: Any) -> None:
    expected = placed(data, places, target)
    result = broadloom.broadcast_to(in_form(rng, data), target, **options)
    assert result.dtype == data.dtype and result.tobytes() == expected.tobytes()
    out = np.zeros(target, data.dtype)
    assert broadloom.broadcast_to(data, target, out=out, **options) is out
    assert out.tobytes() == expected.tobytes()
    if data.dtype.kind in "iu" and data.dtype.name not in ("int4", "uint4"):
        # The adjoint: each element is summed over the places that it was repeated to.
        sums = np.zeros(data.shape, data.dtype)
        gradient = random_array(rng, target, data.dtype)
        for index in itertools.product(*map(range, target)):
            source = tuple(0 if extent == 1 else index[place] for place, extent in zip(places, data.shape, strict=True))
            with np.errstate(over="ignore"):
                sums[source] += gradient[index]
        assert (broadloom.sum_to(in_form(rng, gradient), data.shape, **options) == sums).all()


@pytest.mark.parametrize("rule", ["broadcast_numpy", "numpy", "onnx_multidirectional", "onnx_unidirectional", "sonnx"])
def test_right_aligned(rule: str) -> None:
    rng = np.random.default_rng(1)
    for dtype in DTYPES.values():
        for _ in range(4):
            target = random_target(rng)
            begin = int(rng.integers(0, len(target) + 1))
            data = random_array(rng, stretched(rng, target[begin:]), dtype)
            check(rng, data, list(range(begin, len(target))), target, rule=rule)


def test_pdpd() -> None:
    rng = np.random.default_rng(2)
    for dtype in DTYPES.values():
        for _ in range(6):
            target = random_target(rng)
            begin = int(rng.integers(0, len(target) + 1))
            end = int(rng.integers(begin, len(target) + 1))
            shape = stretched(rng, target[begin:end])
            trailing = (1,) * int(rng.integers(0, 1 + len(target) - end))
            data = random_array(rng, shape + trailing, dtype)
            check(rng, data, list(range(begin, begin + data.ndim)), target, rule="pdpd", axis=begin)


def test_explicit() -> None:
    rng = np.random.default_rng(3)
    for dtype in DTYPES.values():
        for _ in range(4):
            target = random_target(rng)
            places = [axis for axis in range(len(target)) if rng.random() < 0.6]
            data = random_array(rng, stretched(rng, tuple(target[place] for place in places)), dtype)
            check(rng, data, places, target, rule="explicit", axes_mapping=places)
            result = broadloom.broadcast(data, target, mode="explicit", axes_mapping=places)
            assert result.tobytes() == placed(data, places, target).tobytes()


def test_none_and_bidirectional() -> None:
    rng = np.random.default_rng(4)
    data = random_array(rng, (2, 3), DTYPES["f32"])
    check(rng, data, [0, 1], (2, 3), rule="none")
    with pytest.raises(broadloom.BroadcastError):
        broadloom.broadcast_to(data, (1, 2, 3), rule="none")
    # The result may exceed the target.
    assert broadloom.broadcast_to(data, (4, 1, 1), rule="bidirectional").shape == (4, 2, 3)
    assert broadloom.broadcast(data, (4, 1, 1), mode="bidirectional").shape == (4, 2, 3)
    with pytest.raises(broadloom.BroadcastError, match="would itself be broadcast to 2"):
        broadloom.broadcast_to(data, (4, 1, 1), rule="numpy")
    with pytest.raises(broadloom.BroadcastError, match="no such axis"):
        broadloom.broadcast_to(data, (3,), rule="numpy")


def test_refusals() -> None:
    def refused(error_class: str, *arguments: Any, **options: Any) -> None:
        with pytest.raises(broadloom.BroadcastError) as caught:
            broadloom.broadcast_to(*arguments, **options)
        assert caught.value.error_class == error_class

    refused("incompatible", [1, 2, 3], (2,))
    refused("rank", [[1]], (1,))
    refused("negative_dim", [1], (-1,))
    refused("axes_mapping", [1], (1,), axes_mapping=[0])
    refused("axes_mapping", [1], (1,), rule="explicit")
    refused("axes_mapping", [1], (1,), rule="explicit", axes_mapping=[3])
    refused("attribute", [1], (1,), axis=0)
    refused("axis", [1, 2], (2, 1), rule="pdpd", axis=-2)
    refused("extent", [1], "12")
    refused("extent", [1], (1.5,))
    with pytest.raises(broadloom.BroadcastError, match="'numpy', 'bidirectional' or 'explicit'"):
        broadloom.broadcast([1], (1,), mode="pdpd")


def test_broadcast_arrays_keep_their_types() -> None:
    results = broadloom.broadcast_arrays(np.ones((2, 1), np.float32), np.ones(3, np.int8), True)
    assert [result.dtype for result in results] == [np.float32, np.int8, np.bool_]
    assert all(result.shape == (2, 3) for result in results)
    assert [result.tolist() for result in broadloom.broadcast_arrays([1, 2])] == [[1, 2]]
    outs = [np.zeros((2, 3)), np.zeros((2, 3))]
    assert broadloom.apply("Broadcast", [np.ones((2, 1)), np.arange(3.0)], rule="sonnx", out=outs)[1] is outs[1]
    assert outs[1].tolist() == [[0, 1, 2]] * 2
    with pytest.raises(broadloom.BroadcastError, match="one for each result"):
        broadloom.apply("Broadcast", [np.ones(2), np.ones(2)], rule="sonnx", out=outs[0][0])


def test_sums_of_floats() -> None:
    rng = np.random.default_rng(5)
    for name in ("f16", "bf16", "f32", "f64", "c64", "c128"):
        for _ in range(20):
            target, shapes = random_shapes(rng)
            gradient = rng.standard_normal(target).astype(DTYPES[name])
            for shape in shapes:
                wide = np.complex128 if name[0] == "c" else np.float64
                lacking = len(target) - len(shape)
                axes = (*range(lacking), *(lacking + axis for axis, extent in enumerate(shape) if extent == 1))
                expected = gradient.astype(wide).sum(axes, keepdims=True).reshape(shape)
                result = broadloom.sum_to(in_form(rng, gradient), shape)
                assert result.dtype == gradient.dtype and result.shape == shape
                if name in ("f32", "f16", "c64"):
                    np.testing.assert_allclose(result, expected.astype(DTYPES[name]), rtol=3e-7 if name != "f16" else 1e-3)
    for name in ("bool", "f8e4m3", "i4", "u4"):
        with pytest.raises(broadloom.DTypeError):
            broadloom.sum_to(np.zeros(3, DTYPES[name]), ())
    with pytest.raises(broadloom.BroadcastError) as caught:
        broadloom.sum_to(np.zeros((2, 3)), (2,))
    assert caught.value.question is not None and "axis 1" in str(caught.value)
