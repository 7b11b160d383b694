"""Plans that are kept: run, run in boxes, pickled."""

from __future__ import annotations

import multiprocessing
import pickle
from typing import Any

import numpy as np
import pytest
from forms import DTYPES, in_form, random_array, random_shapes

import broadloom


def test_a_plan_computes_what_the_operator_does() -> None:
    rng = np.random.default_rng(1)
    for _ in range(60):
        name = str(rng.choice(["f32", "f64", "i32", "u8", "bf16"]))
        _, shapes = random_shapes(rng)
        plan = broadloom.plan("Add", "numpy", shapes, [name, DTYPES[name]])
        assert (plan.op, plan.rule, plan.shapes, plan.dtypes) == ("Add", "numpy", tuple(shapes), (name, name))
        arrays = [random_array(rng, shape, DTYPES[name]) for shape in shapes]
        expected = broadloom.add(*arrays)
        assert plan.shape == expected.shape and plan.result_dtypes == (name,)
        for kept in (plan, pickle.loads(pickle.dumps(plan))):
            result = kept.run([in_form(rng, array) for array in arrays])
            assert result.dtype == expected.dtype and result.tobytes() == expected.tobytes()
            out = np.zeros_like(expected)
            assert kept.run(arrays, out) is out and out.tobytes() == expected.tobytes()


def test_boxes() -> None:
    rng = np.random.default_rng(2)
    for _ in range(60):
        result_shape, shapes = random_shapes(rng)
        plan = broadloom.plan("Mul", "numpy", shapes, ["f64", "f64"])
        arrays = [rng.standard_normal(shape) for shape in shapes]
        expected = plan.run(arrays)
        box: list[Any] = []
        for extent in result_shape:
            begin = int(rng.integers(0, extent + 1))
            end = int(rng.integers(begin, extent + 1))
            box.append((begin, end) if rng.random() < 0.5 else slice(begin, end))
        place = (*(slice(*part) if isinstance(part, tuple) else part for part in box), ...)
        wanted = expected[place]
        result = plan.run_region(box, [in_form(rng, array) for array in arrays])
        assert result.shape == wanted.shape and (result == wanted).all()
        whole = np.zeros_like(expected)
        view = whole[place]
        plan.run_region(box, arrays, view)
        assert (view == wanted).all() and np.count_nonzero(whole) == np.count_nonzero(wanted)


def test_options_are_pickled() -> None:
    plan = broadloom.plan("Mod", "pdpd", [(2, 3), np.zeros(2)], ["f32", np.float32], axis=np.int64(0), fmod=1)
    again = pickle.loads(pickle.dumps(plan))
    a, b = np.full((2, 3), 7, np.float32), np.array([4, -4], np.float32)
    assert (again.run([a, b]) == plan.run([a, b])).all()
    cast = pickle.loads(pickle.dumps(broadloom.plan("Cast", None, [(2,)], ["f64"], to=np.int8)))
    assert cast.run([[1.5, -1.5]]).tolist() == [1, -1]
    explicit = broadloom.plan("Broadcast", "explicit", [(2,)], ["i4"], target_shape=(2, 3), axes_mapping=[0])
    moved = pickle.loads(pickle.dumps(explicit)).run([np.array([1, -2], DTYPES["i4"])])
    assert moved.dtype == DTYPES["i4"] and moved.astype(int).tolist() == [[1] * 3, [-2] * 3]


def test_refusals() -> None:
    plan = broadloom.plan("Add", "numpy", [(2, 3), (3,)], ["f64", "f64"])
    a, b = np.zeros((2, 3)), np.zeros(3)

    def refused(error_class: str, function: Any, *arguments: Any) -> None:
        with pytest.raises(broadloom.BroadcastError) as caught:
            function(*arguments)
        assert caught.value.error_class == error_class

    refused("arity", plan.run, [a])
    refused("arity", plan.run, [a, b, b])
    refused("arity", plan.run, a)
    refused("dtype", plan.run, [a, b.astype(np.float32)])
    refused("incompatible", plan.run, [a, np.zeros(4)])
    refused("incompatible", plan.run, [a, b], np.zeros(3))
    refused("extent", plan.run_region, [(0, 1)], [a, b])
    refused("extent", plan.run_region, [(0, 3), (0, 3)], [a, b])
    refused("extent", plan.run_region, [(1, 0), (0, 3)], [a, b])
    refused("extent", plan.run_region, [(-1, 1), (0, 3)], [a, b])
    refused("extent", plan.run_region, [slice(0, 2, 2), (0, 3)], [a, b])
    refused("extent", plan.run_region, "ab", [a, b])
    refused("extent", plan.run_region, [(0, 1.5), (0, 3)], [a, b])
    refused("incompatible", broadloom.plan, "Add", "numpy", [(2,), (3,)], ["f64", "f64"])
    refused("dtype", broadloom.plan, "Add", "numpy", [(2,), (2,)], ["f64", "f32"])
    refused("arity", broadloom.plan, "Add", "numpy", [(2,), (2,)], ["f64"])
    refused("unknown", broadloom.plan, "Add", "numpy", [(2,), (2,)], ["f64", "f8"])
    refused("unknown", broadloom.plan, "Plus", "numpy", [(2,), (2,)], ["f64", "f64"])
    refused("unknown", broadloom.plan, "Add", "sonnx", [(2,), (2,)], ["f64", "f64"])


def test_plans_are_equal_by_question_and_boxes() -> None:
    plan = broadloom.plan("Mod", "pdpd", [(2, 3), (2,)], ["f32", "f32"], axis=0, fmod=1)
    box = [(0, 1), (1, 3)]
    for one in (plan, plan.within(box), plan.within(box).within([(0, 1), (0, 1)])):
        again = pickle.loads(pickle.dumps(one))
        assert again == one and hash(again) == hash(one) and not again != one
    others = [
        plan.within(box),
        plan.within([(0, 2), (0, 3)]),
        broadloom.plan("Mod", "pdpd", [(2, 3), (2,)], ["f32", "f32"], axis=0, fmod=1).within(box).within([(0, 1), (0, 1)]),
        broadloom.plan("Mod", "pdpd", [(2, 3), (2,)], ["f64", "f64"], axis=0, fmod=1),
        broadloom.plan("Mod", "pdpd", [(2, 3), (3,)], ["f32", "f32"], axis=1, fmod=1),
        broadloom.plan("Add", "pdpd", [(2, 3), (2,)], ["f32", "f32"], axis=0),
    ]
    for i, one in enumerate(others):
        assert one != plan and [one == other for other in others].count(True) == 1 and one == others[i]
    assert plan != 5 and plan != None and len({plan, *others}) == 1 + len(others)  # noqa: E711


def test_methods_of_plans_are_pickled() -> None:
    plan = broadloom.plan("Add", "numpy", [(2, 3), (3,)], ["f64", "f64"])
    boxes = [[(0, 1), (1, 3)], [(1, 2), (0, 3)]]
    regions = pickle.loads(pickle.dumps(plan.input_regions))
    assert list(map(regions, boxes)) == list(map(plan.input_regions, boxes))
    run = pickle.loads(pickle.dumps(plan.within(boxes[0]).run))
    assert run([np.ones((1, 2)), [1, 2]]).tolist() == [[2.0, 3.0]]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert pool.map(plan.input_regions, boxes) == [plan.input_regions(box) for box in boxes]
