"""Boxes of a result and what feeds them: input regions, costs, plans of boxes, chunks, and plans as text."""

from __future__ import annotations

import itertools
import json
import pickle
from typing import Any

import numpy as np
import pytest
from forms import DTYPES, in_form, random_array, random_shapes

import broadloom


def random_box(rng: np.random.Generator, shape: tuple[int, ...]) -> list[tuple[int, int]]:
    box = []
    for extent in shape:
        begin = int(rng.integers(0, extent + 1))
        box.append((begin, int(rng.integers(begin, extent + 1))))
    return box


def part(ranges: Any) -> tuple[Any, ...]:
    return (*(slice(begin, end) for begin, end in ranges), ...)


def read_by(result: np.ndarray, box: list[tuple[int, int]]) -> set[int]:
    """The elements that a box is computed from, where each element of `result` is the number of the one that it reads."""
    return set(result[part(box)].reshape(-1).tolist())


def test_regions_are_the_elements_that_are_read() -> None:
    rng = np.random.default_rng(1)
    for _ in range(80):
        result, shapes = random_shapes(rng)
        plan = broadloom.plan("Add", "numpy", shapes, ["f32", "f32"])
        box = random_box(rng, result)
        for shape, region in zip(shapes, plan.input_regions(box), strict=True):
            numbers = np.arange(np.prod(shape, dtype=np.int64)).reshape(shape)
            wanted = read_by(np.broadcast_to(numbers, result), box)
            if shape or wanted:
                assert set(numbers[part(region)].reshape(-1).tolist()) == wanted


def test_a_result_computed_in_boxes_is_the_whole() -> None:
    rng = np.random.default_rng(2)
    for _ in range(40):
        name = str(rng.choice(["f32", "f64", "i8", "bf16"]))
        result, shapes = random_shapes(rng)
        plan = broadloom.plan("Mul", "numpy", shapes, [name, name])
        arrays = [random_array(rng, shape, DTYPES[name], small=True) for shape in shapes]
        whole = plan.run(arrays)
        cuts = [sorted({0, extent, *map(int, rng.integers(0, extent + 1, 2))}) for extent in result]
        made = np.zeros_like(whole)
        boxes = list(itertools.product(*(itertools.pairwise(cut) for cut in cuts)))
        for i in rng.permutation(len(boxes)):
            box = boxes[i]
            blocks = [in_form(rng, array[part(region)].copy()) for array, region in zip(arrays, plan.input_regions(box), strict=True)]
            of_box = plan.within(box)
            again = pickle.loads(pickle.dumps(of_box))
            result_of_box = of_box.run(blocks)
            assert again.run(blocks).tobytes() == result_of_box.tobytes()
            assert result_of_box.tobytes() == plan.run_region(box, arrays).tobytes()
            made[part(box)] = result_of_box
            cost = plan.cost(box)
            assert cost.written == result_of_box.nbytes
            if result_of_box.size:
                assert cost.operands == tuple(block.nbytes for block in blocks)
                assert cost.read == sum(cost.operands) and cost.peak == cost.read + cost.written
        assert made.tobytes() == whole.tobytes()


def test_pdpd_and_explicit_axes_are_mapped() -> None:
    plan = broadloom.plan("Add", "pdpd", [(4, 6, 8), (6, 1)], ["f32", "f32"], axis=1)
    assert plan.input_regions([(1, 3), (2, 5), (0, 8)]) == (((1, 3), (2, 5), (0, 8)), ((2, 5), (0, 1)))
    moved = broadloom.plan("Broadcast", "explicit", [(6, 1)], ["i4"], target_shape=(4, 6, 8), axes_mapping=[1, 2])
    assert moved.input_regions([(1, 3), (2, 5), (0, 8)]) == (((2, 5), (0, 1)),)
    data = np.arange(6).astype(np.int8).astype(DTYPES["i4"]).reshape(6, 1)
    assert (moved.within([(0, 1), (2, 5), (0, 2)]).run([data[2:5]]).astype(int) == [[[2, 2], [3, 3], [4, 4]]]).all()


def test_chunks() -> None:
    plan = broadloom.plan("Add", "numpy", [(6, 6), (6,)], ["f32", "f32"])
    unified = plan.unify_chunks([[(2, 2, 2), (6,)], [(3, 3)]])
    assert unified.result == ((2, 2, 2), (6,)) and unified.operands == (((2, 2, 2), (6,)), ((6,),))
    assert unified.rechunks == (False, True) and unified.moved_of == (0, 24)
    assert (unified.chunks, unified.moved) == (3, 24) and unified.peak > 0
    assert plan.unify_chunks([[(1,) * 6, (6,)], [(6,)]], most_chunks=2).chunks <= 2
    assert plan.unify_chunks([[(6,), (6,)], [(6,)]], memory_bytes=100).chunks > 1
    for error_class, chunks, options in [
        ("arity", [[(6,), (6,)]], {}),
        ("arity", 5, {}),
        ("extent", [[5], 6], {}),
        ("extent", [[(6,), (6,)], [5]], {}),
        ("extent", [[(-6,), (6,)], [(6,)]], {}),
        ("incompatible", [[(5,), (6,)], [(6,)]], {}),
        ("incompatible", [[(6,)], [(6,)]], {}),
        ("limit", [[(6,), (6,)], [(6,)]], {"memory_bytes": 1}),
        ("attribute", [[(6,), (6,)], [(6,)]], {"memory_bytes": -1}),
        ("attribute", [[(6,), (6,)], [(6,)]], {"task_bytes": "1"}),
    ]:
        with pytest.raises(broadloom.BroadcastError) as caught:
            plan.unify_chunks(chunks, **options)
        assert caught.value.error_class == error_class, chunks
    with pytest.raises(broadloom.BroadcastError, match=r"^The chunks of A along its axis 0 have 5 together, but the axis has 6\."):
        plan.unify_chunks([[(2, 3), (6,)], [(6,)]])
    with pytest.raises(broadloom.BroadcastError, match=r"^A has 2 axes, but chunks are given for 1: "):
        plan.unify_chunks([[(6,)], [(6,)]])


def test_plans_as_text() -> None:
    plan = broadloom.plan("Add", "pdpd", [(2, 3, 4), (3,)], ["f32", "f32"], axis=1)
    assert json.loads(plan.to_json()) == {
        "broadloom_plan": 1,
        "op": "Add",
        "rule": "pdpd",
        "shapes": [[2, 3, 4], [3]],
        "types": ["f32", "f32"],
        "axis": 1,
    }
    again = broadloom.read_plan(plan.to_json())
    assert again.to_json() == plan.to_json() and again.shape == (2, 3, 4)
    with pytest.raises(broadloom.BroadcastError, match="within"):
        plan.within([(0, 1), (0, 1), (0, 1)]).to_json()
    for text, error_class in [
        ("[]", "parse"),
        ("", "parse"),
        ("{" * 10000, "parse"),
        (plan.to_json().replace("Add", "Plus"), "parse"),
        (plan.to_json().replace("[3]", "[5]"), "incompatible"),
        (5, "attribute"),
        ("\udc80", "attribute"),
    ]:
        with pytest.raises(broadloom.BroadcastError) as caught:
            broadloom.read_plan(text)
        assert caught.value.error_class == error_class


def test_boxes_that_are_wrong() -> None:
    plan = broadloom.plan("Add", "numpy", [(2, 3), (3,)], ["f64", "f64"])
    for function in (plan.input_regions, plan.cost, plan.within):
        for box in ([(0, 1)], [(0, 3), (0, 3)], [(1, 0), (0, 3)], "ab", [(0, 2**70), (0, 1)], 5, [(0, 1, 2), (0, 1)]):
            with pytest.raises(broadloom.BroadcastError) as caught:
                function(box)  # type: ignore[operator]
            assert caught.value.error_class == "extent"
