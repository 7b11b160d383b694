"""Every operator and element type that NumPy has with the same meaning, on random shapes in random forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from forms import DTYPES, FLOATS, INTEGERS, Array, in_form, random_array, random_shapes, repeated

import broadloom

ROWS = broadloom._core.op_rows()
SMALL_FLOATS = ("f16", "bf16")


def widened(function: Callable[..., Any]) -> Callable[..., Any]:
    """Computes f16 and bf16 in f32 and rounds once, as Broadloom does."""

    def compute(*operands: Array) -> Array:
        dtype = operands[0].dtype
        if dtype not in (DTYPES["f16"], DTYPES["bf16"]):
            return function(*operands)
        return function(*(operand.astype(np.float32) for operand in operands)).astype(dtype)

    return compute


def total(*operands: Array) -> Array:
    result = operands[0]
    for operand in operands[1:]:
        result = result + operand
    return result


#: By operator: its meaning in NumPy, the types for which it is the same, the options, whether operands must be small.
CASES: list[tuple[str, Callable[..., Any], list[str], dict[str, Any], bool]] = [
    ("Add", widened(np.add), INTEGERS + FLOATS, {}, False),
    ("Sub", widened(np.subtract), INTEGERS + FLOATS, {}, False),
    ("Mul", widened(np.multiply), INTEGERS + FLOATS, {}, False),
    ("Div", widened(np.divide), FLOATS, {}, False),
    ("Mod", np.mod, INTEGERS, {}, False),
    ("Mod", np.fmod, INTEGERS, {"fmod": 1}, False),
    ("Mod", widened(np.fmod), FLOATS, {"fmod": 1}, False),
    ("Pow", np.power, INTEGERS, {}, True),
    ("SquaredDifference", widened(lambda a, b: np.square(a - b)), INTEGERS + FLOATS, {}, False),
    ("Max", np.maximum, INTEGERS + FLOATS, {}, False),
    ("Min", np.minimum, INTEGERS + FLOATS, {}, False),
    ("Sum", widened(total), FLOATS, {}, False),
    ("Mean", widened(lambda *operands: total(*operands) / operands[0].dtype.type(len(operands))), FLOATS, {}, False),
    ("Equal", np.equal, ["bool", *INTEGERS, *FLOATS], {}, True),
    ("NotEqual", np.not_equal, ["bool", *INTEGERS, *FLOATS], {}, True),
    ("Less", np.less, INTEGERS + FLOATS, {}, False),
    ("LessOrEqual", np.less_equal, INTEGERS + FLOATS, {}, True),
    ("Greater", np.greater, INTEGERS + FLOATS, {}, False),
    ("GreaterOrEqual", np.greater_equal, INTEGERS + FLOATS, {}, True),
    ("And", np.logical_and, ["bool"], {}, False),
    ("Or", np.logical_or, ["bool"], {}, False),
    ("Xor", np.logical_xor, ["bool"], {}, False),
    ("BitwiseAnd", np.bitwise_and, INTEGERS, {}, False),
    ("BitwiseOr", np.bitwise_or, INTEGERS, {}, False),
    ("BitwiseXor", np.bitwise_xor, INTEGERS, {}, False),
    ("BitShift", np.left_shift, [t for t in INTEGERS if t[0] == "u"], {"direction": "left"}, True),
    ("BitShift", np.right_shift, [t for t in INTEGERS if t[0] == "u"], {"direction": "right"}, True),
    (
        "PRelu",
        widened(lambda a, b: np.where(a < 0, a * b, a)),
        ["i32", "i64", "u32", "u64", *FLOATS],
        {"rule": "numpy"},
        False,
    ),
]


def call(op: str, operands: list[Any], **options: Any) -> Any:
    function = getattr(broadloom, broadloom.operators[op])
    return function(operands, **options) if ROWS[op]["most_operands"] == 0 else function(*operands, **options)


def assert_same(result: Array, expected: Array) -> None:
    assert isinstance(result, np.ndarray)
    assert result.dtype == expected.dtype
    assert result.shape == expected.shape
    if result.dtype == DTYPES["bf16"]:  # NumPy's assertion does not know that its NaN are equal
        result, expected = result.astype(np.float32), expected.astype(np.float32)
    np.testing.assert_array_equal(result, expected)


def test_every_operator_has_a_case() -> None:
    computed = {op for op, *_ in CASES} | {"Where", "Cast", "Broadcast"}
    assert computed == set(ROWS)
    for op, row in ROWS.items():
        tested = {dtype for name, _, dtypes, *_ in CASES if name == op for dtype in dtypes}
        if op in ("Where", "Cast", "Broadcast"):
            continue
        left_out = set(row["types"][0]) - tested
        # NumPy's integer division is another operator: the conformance records have Div's. Pow of floats is not exact.
        assert left_out == {"Div": set(INTEGERS), "Pow": set(FLOATS)}.get(op, set()), op


@pytest.mark.parametrize("case", range(len(CASES)), ids=[f"{case[0]}-{i}" for i, case in enumerate(CASES)])
def test_as_numpy(case: int) -> None:
    op, function, dtypes, options, small = CASES[case]
    for dtype_name in dtypes:
        dtype = DTYPES[dtype_name]
        rng = np.random.default_rng([case, len(dtype_name), dtype.num])
        for _ in range(12):
            count = int(rng.integers(1, 6)) if op in ("Sum", "Mean") else 2
            _, shapes = random_shapes(rng, count)
            plain = [random_array(rng, shape, dtype, small) for shape in shapes]
            plain = [repeated(rng, array) if rng.random() < 0.1 else array for array in plain]
            operands = [array if 0 in array.strides else in_form(rng, array) for array in plain]
            with np.errstate(all="ignore"):
                expected = np.asarray(function(*plain))
            if expected.dtype != np.bool_:
                expected = expected.astype(dtype)
            assert_same(call(op, operands, **options), expected)


@pytest.mark.parametrize("dtype_name", FLOATS)
def test_pow_of_floats_is_near_numpys(dtype_name: str) -> None:
    dtype = DTYPES[dtype_name]
    rng = np.random.default_rng(5)
    for _ in range(20):
        _, shapes = random_shapes(rng)
        base = np.abs(rng.standard_normal(shapes[0])).astype(dtype)
        exponent = rng.uniform(-3, 3, shapes[1]).astype(dtype)
        with np.errstate(over="ignore", divide="ignore"):
            expected = np.power(base.astype(np.float64), exponent.astype(np.float64)).astype(dtype).astype(np.float64)
        result = broadloom.pow(base, exponent).astype(np.float64)
        np.testing.assert_allclose(result, expected, rtol=8 * float(ml_dtypes.finfo(dtype).eps))


@pytest.mark.parametrize("dtype_name", list(DTYPES))
def test_where_of_every_type(dtype_name: str) -> None:
    rng = np.random.default_rng(6)
    for _ in range(12):
        _, shapes = random_shapes(rng, 3)
        condition = rng.random(shapes[0]) < 0.5
        a, b = (random_array(rng, shape, DTYPES[dtype_name]) for shape in shapes[1:])
        result = broadloom.where(in_form(rng, condition), in_form(rng, a), in_form(rng, b))
        expected = np.where(condition, a, b)
        assert result.dtype == expected.dtype and result.tobytes() == expected.tobytes()


def test_cast_between_all_types() -> None:
    computed = ["bool", *INTEGERS, *FLOATS]
    rng = np.random.default_rng(7)
    for source in computed:
        for target in computed:
            array = random_array(rng, (5, 7), DTYPES[source], small=source in FLOATS)
            with np.errstate(all="ignore"):
                expected = array.astype(DTYPES[target])
            if DTYPES[target] in (np.dtype(np.float16), DTYPES["bf16"]) and source == "f64":
                continue  # astype of ml_dtypes rounds twice
            assert_same(broadloom.cast(in_form(rng, array), target), expected)
            assert_same(broadloom.cast(array, DTYPES[target]), expected)
            assert_same(broadloom.cast(array, to=DTYPES[target].type), expected)


def test_cast_saturates_on_request() -> None:
    array = np.array([-5, 300], np.int32)
    assert broadloom.cast(array, "u8").tolist() == [251, 44]
    assert broadloom.cast(array, "u8", saturate=1).tolist() == [0, 255]


def test_apply_is_the_operator() -> None:
    a, b = np.arange(6.0).reshape(2, 3), np.arange(2.0)
    for op in ("Add", "SquaredDifference", "Less"):
        assert_same(broadloom.apply(op, [a, b], rule="pdpd", axis=0), call(op, [a, b], rule="pdpd", axis=0))


def test_pdpd_lines_up_with_the_axis() -> None:
    rng = np.random.default_rng(8)
    for _ in range(50):
        shape = tuple(int(extent) for extent in rng.integers(1, 5, int(rng.integers(1, 5))))
        axis = int(rng.integers(0, len(shape)))
        end = int(rng.integers(axis, len(shape) + 1))
        of_b = tuple(1 if rng.random() < 0.2 else extent for extent in shape[axis:end])
        a, b = rng.standard_normal(shape), rng.standard_normal(of_b)
        placed = b.reshape((1,) * axis + of_b + (1,) * (len(shape) - end))
        # A B of trailing 1s without other axes is a scalar, which lies anywhere.
        assert_same(broadloom.add(in_form(rng, a), in_form(rng, b), rule="pdpd", axis=axis), a + placed)


def test_out_in_every_form() -> None:
    rng = np.random.default_rng(9)
    for _ in range(200):
        result, shapes = random_shapes(rng)
        a, b = (random_array(rng, shape, DTYPES["f32"]) for shape in shapes)
        form = in_form(rng, np.zeros(result, np.float32))
        if rng.random() < 0.05:
            form = repeated(rng, form)
        # Elements that are written twice are refused.
        is_once = all(stride != 0 for extent, stride in zip(form.shape, form.strides, strict=True) if extent > 1)
        if form.flags.writeable and is_once:
            with np.errstate(all="ignore"):
                expected = a + b
            returned = broadloom.add(in_form(rng, a), in_form(rng, b), out=form)
            assert returned is form
            np.testing.assert_array_equal(form, expected)
        elif form.size:
            with pytest.raises(broadloom.BroadcastError):
                broadloom.add(a, b, out=form)


def test_results_have_the_operands_order_of_axes() -> None:
    rng = np.random.default_rng(10)
    for _ in range(100):
        shape = tuple(int(extent) for extent in rng.integers(2, 5, int(rng.integers(1, 5))))
        order = rng.permutation(len(shape))
        a = np.ascontiguousarray(rng.standard_normal(shape).transpose(order)).transpose(np.argsort(order))
        b = rng.standard_normal(shape[-1:])
        assert_same(broadloom.add(a, b), np.add(a, b))
        assert broadloom.add(a, b).strides == np.add(a, b).strides
        assert broadloom.less(a, b).flags.owndata
    assert broadloom.add(np.broadcast_to(1.0, (2, 3)), 1).flags.c_contiguous


def test_out_may_be_an_operand_but_not_overlap_it() -> None:
    data = np.arange(10, dtype=np.float32)
    a = data[:5]
    assert broadloom.add(a, a, out=a) is a
    assert data.tolist() == [0, 2, 4, 6, 8, 5, 6, 7, 8, 9]
    before = data.copy()
    with pytest.raises(broadloom.BroadcastError, match="overlap") as caught:
        broadloom.add(data[:5], data[:5], out=data[1:6])
    assert caught.value.error_class == "overlap"
    assert (data == before).all()
    # Two columns of one array do not overlap.
    table = np.arange(12.0).reshape(4, 3)
    broadloom.mul(table[:, 0], 2, out=table[:, 2])
    assert table[:, 2].tolist() == [0, 6, 12, 18]


def test_functions_can_be_pickled() -> None:
    import pickle

    for name in broadloom.operators.values():
        function = getattr(broadloom, name)
        assert pickle.loads(pickle.dumps(function)) is function
        assert function.__module__ == "broadloom"
