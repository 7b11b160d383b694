"""Exceptions: their fields, their text, and that nothing was written."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import broadloom


def caught(function: object, *arguments: object, **options: object) -> broadloom.BroadcastError:
    with pytest.raises(broadloom.BroadcastError) as info:
        function(*arguments, **options)  # type: ignore[operator]
    return info.value


def test_fields_and_text() -> None:
    out = np.full((2, 4), 7.0)
    error = caught(broadloom.add, np.zeros((2, 4)), np.zeros(3), out=out)
    assert (out == 7).all()
    assert isinstance(error, ValueError)
    assert (error.error_class, error.rule, error.clause, error.op) == (
        "incompatible",
        "onnx_multidirectional",
        "onnx.multi.2",
        "Add",
    )
    assert (error.operand, error.other_operand, error.axis) == (1, 0, 1)
    assert (error.operand_axis, error.other_axis, error.extent, error.other_extent) == (0, 1, 3, 4)
    assert error.detail is None and error.dtype is None and error.span is None
    text = str(error)
    assert text.startswith("Axis 1: B has 3 (its axis 0) but A has 4 (its axis 1).")
    assert "B       - insert 3 conflict" in text and "result  2        ?" in text


def test_it_is_explained_under_the_rule_of_the_call() -> None:
    error = caught(broadloom.add, np.zeros((2, 3)), np.zeros(2), rule="pdpd", axis=1)
    assert error.question == {"rule": "pdpd", "shapes": ((2, 3), (2,)), "op": "Add", "axis": 1}
    assert "axis=0" in str(error)


def test_a_policy_is_part_of_the_question() -> None:
    error = caught(broadloom.add, np.zeros((2, 3)), np.zeros(3), policy=["match", "stretch"])
    assert error.question is not None and error.question["policy"] == ["match", "stretch"]
    assert "A" in str(error.explanation)
    named = caught(
        broadloom.infer_shape, "numpy", [(2, 3), (3,)], policy="same_names", names=[["batch", "head"], ["batch"]]
    )
    assert named.question is not None and named.question["names"] == [["batch", "head"], ["batch"]]
    assert named.explanation is not None


def test_errors_about_other_things_have_no_alignment() -> None:
    mixed = caught(broadloom.add, np.zeros(2), np.zeros(2, np.int8))
    assert mixed.question is None and mixed.explanation is None and str(mixed) == mixed.message


def test_errors_travel() -> None:
    error = caught(broadloom.add, np.zeros((2, 4)), np.zeros(3))
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error) and str(other) == str(error) and other.axis == error.axis
    mixed = caught(broadloom.add, np.zeros(2), np.zeros(2, np.int8))
    assert isinstance(mixed, broadloom.DTypeError) and isinstance(mixed, TypeError)
    assert isinstance(pickle.loads(pickle.dumps(mixed)), broadloom.DTypeError)


def test_every_class_is_documented() -> None:
    classes = broadloom._core.error_rows()
    assert {"incompatible", "dtype", "overlap", "allocation"} <= set(classes)


def test_spans() -> None:
    error = caught(broadloom.read_shapes, "(2, x!")
    assert error.error_class == "parse" and error.span is not None
