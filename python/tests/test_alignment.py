"""infer_shape, align, explain: what they say, and how it is printed."""

from __future__ import annotations

import itertools
import pickle
from typing import Any

import numpy as np
import pytest
from forms import random_shapes

import broadloom


def test_shapes_are_numpys() -> None:
    rng = np.random.default_rng(1)
    for _ in range(300):
        _, shapes = random_shapes(rng, int(rng.integers(1, 6)))
        expected = np.broadcast_shapes(*shapes)
        assert broadloom.infer_shape("numpy", shapes) == expected
        assert broadloom.broadcast_shapes(*map(list, shapes)) == expected
        alignment = broadloom.align("numpy", shapes)
        assert alignment.fits and alignment.shape == expected and alignment.error is None
        assert tuple(axis.extent for axis in alignment.axes) == expected


def test_arrays_stand_for_their_shapes() -> None:
    assert broadloom.infer_shape("numpy", [np.zeros((2, 1)), (3,), np.zeros(())]) == (2, 3)


def test_source_of_and_fan_out_are_inverse() -> None:
    shapes = [(2, 1, 4), (3, 1)]
    alignment = broadloom.align("numpy", shapes)
    for operand, shape in enumerate(shapes):
        array = np.arange(np.prod(shape)).reshape(shape)
        result = np.broadcast_to(array, (2, 3, 4))
        for index in itertools.product(range(2), range(3), range(4)):
            source = alignment.source_of(operand, index)
            assert array[source] == result[index]
            box = alignment.fan_out(operand, source)
            assert all(begin <= i < end for i, (begin, end) in zip(index, box, strict=True))
    for wrong in [(2, (0, 0, 0)), (-1, (0, 0, 0)), (0, (0, 0)), (0, (0, 0, 4)), (0.5, (0, 0, 0)), (0, "abc")]:
        with pytest.raises(broadloom.BroadcastError):
            alignment.source_of(*wrong)


def test_table() -> None:
    assert str(broadloom.align("pdpd", [(2, 3, 4), (3,)], axis=1)).splitlines() == [
        "        axis 0   axis 1  axis 2",
        "A       2 match  3 match 4 match",
        "B       - insert 3 match - insert",
        "result  2        3       4",
    ]
    assert str(broadloom.align("broadcast_numpy", [(3,)], target_shape=(2, 3))).splitlines()[-2:] == [
        "the target  2 match  3 match",
        "result      2        3",
    ]
    assert str(broadloom.align("numpy", [(), ()])).splitlines()[-1].split() == ["result", "()"]
    conflict = broadloom.align("numpy", [(2, 4), (3,)])
    assert str(conflict).splitlines()[-1].split() == ["result", "2", "?"]
    assert "2 more axes are not shown" in str(broadloom.align("numpy", [(2,) * 26]))


def test_conflicts_and_error() -> None:
    alignment = broadloom.align("numpy", [(2, 4), (3, 3)])
    assert not alignment.fits and alignment.shape is None
    assert [(conflict.axis, conflict.extent, conflict.other_extent) for conflict in alignment.conflicts] == [
        (0, 3, 2),
        (1, 3, 4),
    ]
    assert isinstance(alignment.error, broadloom.BroadcastError)
    assert alignment.verdict.startswith(alignment.error.message)
    with pytest.raises(broadloom.BroadcastError) as caught:
        broadloom.align("pdpd", [(2, 3)])
    assert caught.value.error_class == "arity"


def test_policies() -> None:
    def refused(detail: str, shapes: list[Any], **options: Any) -> None:
        with pytest.raises(broadloom.BroadcastError) as caught:
            broadloom.infer_shape("numpy", shapes, **options)
        assert (caught.value.error_class, caught.value.detail) == ("policy", detail)

    refused("no_rank_promotion", [(2, 3), (3,)], policy="no_rank_promotion")
    refused("no_stretching", [(2, 3), (2, 1)], policy="no_stretching")
    refused("no_stretching", [(2, 3), (2, 1)], policy=["match", "insert"])
    refused("same_names", [(2, 3), (3,)], policy="same_names", names=[["batch", "head"], ["batch"]])
    assert broadloom.infer_shape("numpy", [(2, 3), (3,)], policy="same_names", names=[["a", "b"], ["b"]]) == (2, 3)
    for wrong in ("no", 5, ["conflict"], [5], object()):
        with pytest.raises(broadloom.BroadcastError, match="policy is"):
            broadloom.infer_shape("numpy", [(2,)], policy=wrong)
    for names in (5, "ab", [5], [[5]], [["a", "b"]]):
        with pytest.raises(broadloom.BroadcastError):
            broadloom.infer_shape("numpy", [(2,)], policy="same_names", names=names)


def test_explanation() -> None:
    told = broadloom.explain(
        "numpy",
        [(32, 10), (32,)],
        op="Sub",
        expressions=["x", "x.mean(axis=1)"],
        link_base="http://localhost:8080/",
    )
    text = str(told)
    assert text.startswith("Axis 1: B has 32")
    assert "Likely cause: B's 32 was probably meant for axis 0 of A (32, 10)" in text
    assert "reshape B to (32, 1)" in text and "x.mean(axis=1, keepdims=True)" in text
    assert text.endswith("Open: http://localhost:8080/#v=1&rule=numpy&op=Sub&type=f32&in=(32,10)&in=(32,)")
    assert told.repairs[0].operand == 1 and told.repairs[0].result == (32, 10)


def test_warnings() -> None:
    told = broadloom.explain("numpy", [(32, 1), (32,)])
    assert [warning.kind for warning in told.warnings] == ["outer"]
    assert "Warning (outer):" in str(told)
    assert broadloom.explain("numpy", [(32, 1), (32,)], expect=["outer"]).warnings == ()
    with pytest.raises(broadloom.BroadcastError, match="There are: outer"):
        broadloom.explain("numpy", [(1,)], expect=["inner"])


def test_every_rule_is_explained() -> None:
    rng = np.random.default_rng(2)
    for rule, row in broadloom._core.rule_rows().items():
        for _ in range(60):
            shapes = [tuple(int(e) for e in rng.integers(0, 4, int(rng.integers(0, 4)))) for _ in range(2)]
            options: dict[str, Any] = {}
            if row["takes_target"]:
                options["target_shape"] = shapes.pop()
            if row["takes_axis"]:
                options["axis"] = int(rng.integers(-2, 4))
            if row["takes_mapping"]:
                options["axes_mapping"] = [int(axis) for axis in rng.integers(0, 4, len(shapes[0]))]
            told = broadloom.explain(rule, shapes, **options)
            assert str(told) and repr(told.alignment)
            for repair in told.repairs:
                assert repair.grade in ("certain", "likely", "only_if_meant")
            if told.alignment.fits:
                assert told.alignment.shape == broadloom.infer_shape(rule, shapes, **options)
            else:
                with pytest.raises(broadloom.BroadcastError) as caught:
                    broadloom.infer_shape(rule, shapes, **options)
                assert told.alignment.error is not None
                assert caught.value.message == told.alignment.error.message
                assert caught.value.explanation is not None


def test_texts() -> None:
    assert broadloom.read_pasted("nothing") is None
    read = broadloom.read_pasted("ValueError: operands could not be broadcast together with shapes (2,3) (2,)")
    assert read is not None and read["system"] == "numpy" and read["lacks_shapes"] is False
    assert broadloom.read_shapes("[2, N]")[0]["extents"][1]["name"] == "N"
    with pytest.raises(broadloom.BroadcastError) as caught:
        broadloom.read_shapes("(2,")
    assert caught.value.error_class == "parse"


def test_large_extents() -> None:
    big = 2**62
    assert broadloom.infer_shape("numpy", [(big,), (1,)]) == (big,)
    alignment = broadloom.align("numpy", [(big,), (1,)])
    assert alignment.shape == (big,) and alignment.axes[0].extent == big
    for wrong in (2**63, -(2**63) - 1):
        with pytest.raises(broadloom.BroadcastError) as caught:
            broadloom.infer_shape("numpy", [(wrong,)])
        assert (caught.value.error_class, caught.value.detail) == ("extent", "unsafe")
    with pytest.raises(broadloom.BroadcastError) as caught:
        broadloom.infer_shape("numpy", [(2**61, 4)], dtype="f64")
    assert caught.value.error_class == "overflow"


def test_alignments_and_explanations_are_pickled() -> None:
    questions: list[tuple[Any, ...]] = [
        ("numpy", [(2, 1, 4), (3, 1)], {}),
        ("numpy", [(2, 4), (3, 3)], {"op": "Sub"}),
        ("pdpd", [(2, 3, 4), (3,)], {"axis": 1}),
        ("explicit", [(2,)], {"target_shape": (2, 3), "axes_mapping": [0]}),
        ("numpy", [(2, 3), (3,)], {"policy": "same_names", "names": [["a", None], ["b"]]}),
        ("numpy", [(2**61, 4)], {"dtype": "f64"}),
        ("numpy", [np.zeros((2, 3)), np.zeros(3)], {"policy": ["match", "insert"], "dtype": np.float32}),
    ]
    for rule, shapes, options in questions:
        alignment = broadloom.align(rule, shapes, **options)
        again = pickle.loads(pickle.dumps(alignment))
        assert again == alignment and hash(again) == hash(alignment) and str(again) == str(alignment)
        assert again.verdict == alignment.verdict and (again.error is None) == (alignment.error is None)
        if alignment.fits and alignment.axes:
            index = (0,) * len(alignment.axes)
            assert again.source_of(0, index) == alignment.source_of(0, index)
        told = broadloom.explain(rule, shapes, link_base="http://localhost/", **options)
        assert pickle.loads(pickle.dumps(told)) == told and str(pickle.loads(pickle.dumps(told))) == str(told)
    assert broadloom.align("numpy", [(2,), (1,)]) != broadloom.align("numpy", [(1,), (2,)])
    assert broadloom.align("numpy", [(2,)]) != broadloom.align("none", [(2,)])


def test_iterators_are_read_once() -> None:
    alignment = broadloom.align("explicit", iter([(2,)]), target_shape=iter((2, 3)), axes_mapping=iter([0]))
    assert alignment.shape == (2, 3) and alignment.source_of(0, (1, 2)) == (1,)
    told = broadloom.explain("explicit", iter([(2,)]), target_shape=iter((2, 3)), axes_mapping=iter([0]))
    assert told.alignment == alignment
