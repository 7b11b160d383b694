"""Every public function with every kind of bad value in every place: nothing but the package's own errors comes out."""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable, Iterator
from typing import Any

import dask
import dask.array as da
import numpy as np
import pytest

import broadloom
import broadloom.dask as bd

PLAN = broadloom.plan("Add", "numpy", [(2, 3), (3,)], ["f64", "f64"])
ALIGNMENT = broadloom.align("numpy", [(2, 3), (3,)])
A, B = np.ones((2, 3)), np.ones(3)


class Raising:
    """Whatever is asked of it, it raises."""

    def _refuse(self, *arguments: Any, **options: Any) -> Any:
        raise RuntimeError("no")

    __iter__ = __len__ = __getitem__ = __index__ = __int__ = __float__ = __bool__ = __str__ = __repr__ = _refuse
    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = __contains__ = __array__ = __dlpack__ = __dlpack_device__ = _refuse
    __fspath__ = _refuse
    __hash__ = object.__hash__
    shape = dtype = __array_interface__ = property(_refuse)


class RaisingList(list):  # type: ignore[type-arg]
    def __iter__(self) -> Iterator[Any]:
        raise RuntimeError("no")


class Device:
    """A tensor whose device is no device."""

    def __init__(self, device: Any) -> None:
        self._device = device

    def __dlpack_device__(self) -> Any:
        return self._device

    def __dlpack__(self, **options: Any) -> Any:
        return None


def recursive() -> list[Any]:
    values: list[Any] = [1]
    values.append(values)
    return values


def failing() -> Iterator[int]:
    yield 1
    raise KeyError("no")


BAD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "int": lambda: -7,
    "large int": lambda: 2**80,
    "bool": lambda: True,
    "nan": lambda: float("nan"),
    "complex": lambda: 1j,
    "text": lambda: "text",
    "empty text": lambda: "",
    "surrogate": lambda: "\ud800",
    "zero byte": lambda: "a\0b",
    "bytes": lambda: b"\xff",
    "dict": lambda: {"a": 1},
    "set": lambda: {1, "a"},
    "generator": lambda: (i for i in (1, 2)),
    "failing generator": failing,
    "object": object,
    "recursive list": recursive,
    "list of surrogates": lambda: ["\ud800"],
    "nested surrogates": lambda: [["\ud800"]],
    "list of None": lambda: [None],
    "list of objects": lambda: [object(), Raising()],
    "list of lists": lambda: [[], [[1.5]]],
    "raising": Raising,
    "list of raising": lambda: [Raising()],
    "raising list": lambda: RaisingList([1, 2]),
    "slice": lambda: slice(Raising(), 2),
    "list of slices": lambda: [slice(0, 2, Raising()), slice(None)],
    "type": lambda: int,
    "function": lambda: len,
    "structured dtype": lambda: np.dtype([("a", "f8")]),
    "array of objects": lambda: np.array([None, 1]),
    "array of texts": lambda: np.array("x"),
    "device x": lambda: Device("x"),
    "device pair": lambda: Device(("x", 0)),
    "device raising": lambda: Device((Raising(), 0)),
    "device large": lambda: Device((2**70, 0)),
}

def right_operands(op: str, row: dict[str, Any]) -> list[Any]:
    types = [names[-1] if "f64" not in names else "f64" for names in row["types"]]
    operands: list[Any] = [A.astype(broadloom.numpy_dtype(name)) for name in (*types, types[-1])]
    if row["most_operands"] == 0:
        return [operands[:2]]
    return operands[: row["most_operands"]] + ["f32"] * (op == "Cast")


#: A right call of each function: arguments and keywords, each of which is replaced in turn.
CALLS: dict[str, tuple[Callable[..., Any], list[Any], dict[str, Any]]] = {
    "apply": (broadloom.apply, ["Add", [A, B]], {}),
    "infer_shape": (broadloom.infer_shape, ["numpy", [(2, 3), (3,)]], {}),
    "align": (broadloom.align, ["numpy", [(2, 3), (3,)]], {}),
    "explain": (broadloom.explain, ["numpy", [(2, 3), (3,)]], {}),
    "plan": (broadloom.plan, ["Add", "numpy", [(2, 3), (3,)], ["f64", "f64"]], {}),
    "read_plan": (broadloom.read_plan, [PLAN.to_json()], {}),
    "read_pasted": (broadloom.read_pasted, ["text"], {}),
    "read_shapes": (broadloom.read_shapes, ["(2,)"], {}),
    "broadcast_to": (broadloom.broadcast_to, [B, (2, 3)], {}),
    "broadcast": (broadloom.broadcast, [B, (2, 3)], {}),
    "sum_to": (broadloom.sum_to, [A, (3,)], {}),
    "broadcast_shapes": (broadloom.broadcast_shapes, [(2, 3), (3,)], {}),
    "broadcast_arrays": (broadloom.broadcast_arrays, [A, B], {"rule": "sonnx"}),
    "result_type": (broadloom.result_type, ["f32", B], {}),
    "promoted_types": (broadloom.promoted_types, ["Add", "f32", B], {}),
    "numpy_dtype": (broadloom.numpy_dtype, ["f32"], {}),
    "dtype_name": (broadloom.dtype_name, [np.float32], {}),
    "format_shape": (broadloom.format_shape, [(2,)], {}),
    "format_operand": (broadloom.format_operand, [1], {}),
    "set_threads": (broadloom.set_threads, [1], {}),
    "Plan.run": (PLAN.run, [[A, B]], {"out": np.empty((2, 3))}),
    "Plan.run_region": (PLAN.run_region, [[(0, 1), (0, 3)], [A, B]], {"out": np.empty((1, 3))}),
    "Plan.input_regions": (PLAN.input_regions, [[(0, 1), (0, 3)]], {}),
    "Plan.within": (PLAN.within, [[(0, 1), (0, 3)]], {}),
    "Plan.cost": (PLAN.cost, [[(0, 1), (0, 3)]], {}),
    "Plan.unify_chunks": (
        PLAN.unify_chunks,
        [[[(1, 1), (3,)], [(3,)]]],
        {"memory_bytes": 100, "most_chunks": 9, "task_bytes": 1},
    ),
    "Plan.__eq__": (PLAN.__eq__, [PLAN], {}),
    "Alignment.source_of": (ALIGNMENT.source_of, [0, (1, 2)], {}),
    "Alignment.fan_out": (ALIGNMENT.fan_out, [0, (1, 2)], {}),
    **{
        name: (
            getattr(broadloom, name),
            right_operands(op, row),
            {"BitShift": {"direction": "left"}, "Mod": {"fmod": 1}}.get(op, {}),
        )
        for op, name in broadloom.operators.items()
        if op != "Broadcast"
        for row in [broadloom._core.op_rows()[op]]
    },
}

def keywords_of(function: Callable[..., Any]) -> list[str]:
    """The keywords that the signature has; methods of the extension module say nothing of theirs."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [parameter.name for parameter in parameters if parameter.kind is parameter.KEYWORD_ONLY]


def attempt(what: str, function: Callable[..., Any], arguments: list[Any], options: dict[str, Any]) -> bool:
    """Whether the call was refused."""
    try:
        function(*arguments, **options)
    except broadloom.BroadcastError as error:
        assert str(error), what
        return True
    except BaseException as error:
        raise AssertionError(f"{what}: {type(error).__name__}") from error
    return False


@pytest.mark.parametrize("name", CALLS)
def test_bad_values(name: str) -> None:
    function, arguments, given = CALLS[name]
    function(*arguments, **given)
    refused = calls = 0
    for kind, make in BAD.items():
        for place in range(len(arguments)):
            wrong = [make() if i == place else value for i, value in enumerate(arguments)]
            refused += attempt(f"{name}, argument {place}: {kind}", function, wrong, given)
            calls += 1
        # One level deeper: an item of a list.
        for place, value in enumerate(arguments):
            if isinstance(value, list):
                wrong = [[make(), *value[1:]] if i == place else value for i, value in enumerate(arguments)]
                refused += attempt(f"{name}, item of argument {place}: {kind}", function, wrong, given)
        for keyword in {*keywords_of(function), *given}:
            options = {**given, keyword: make()}
            refused += attempt(f"{name}, {keyword}: {kind}", function, arguments, options)
    broadloom.set_threads(1)
    assert refused > calls / 4 or name in ("Plan.__eq__",)


def test_every_public_function_is_called() -> None:
    public = {
        name
        for name, value in vars(broadloom).items()
        if callable(value) and not name.startswith("_") and not inspect.isclass(value)
    }
    # IPython calls these; they have no arguments of a user. The rest is in other tests.
    assert public - {"load_ipython_extension", "unload_ipython_extension", "get_threads"} <= set(CALLS)


def test_keywords_with_a_surrogate() -> None:
    for function in (broadloom.add, broadloom.apply, broadloom.plan):
        with pytest.raises(TypeError):
            function(A, B, **{"\ud800": 1})


def test_numbers_are_written_in_their_shortest_form() -> None:
    for dtype, value in (("f4", 1e300), ("f2", 70000.0), ("f2", -1.5e5), ("f4", 1e39)):
        with pytest.raises(broadloom.DTypeError) as caught:
            broadloom.add(np.zeros(1, dtype), value)
        assert f"B: {value!r} is not held by" in str(caught.value)


DASK: dict[str, tuple[Callable[..., Any], list[Any]]] = {
    "apply": (bd.apply, ["Add", da.ones((2, 3), chunks=1), 1.0]),
    "cost": (bd.cost, ["Add", da.ones((2, 3), chunks=1), 1.0]),
    "broadcast_to": (bd.broadcast_to, [da.ones(3, chunks=1), (2, 3)]),
    "from_zarr": (bd.from_zarr, ["{folder}/a"]),
    "to_zarr": (bd.to_zarr, [da.ones(3, chunks=1), "{folder}/new"]),
}


@pytest.mark.parametrize("name", DASK)
def test_bad_values_of_dask(name: str, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # a text may be a path that can be written
    bd.to_zarr(da.ones(3, chunks=1), tmp_path / "a")
    function, given = DASK[name]
    arguments = [value.format(folder=tmp_path) if isinstance(value, str) else value for value in given]
    made = 0
    with dask.config.set(scheduler="sync"):
        for kind, make in BAD.items():
            for place in range(len(arguments)):
                wrong = [make() if i == place else value for i, value in enumerate(arguments)]
                if name == "to_zarr" and place != 1:
                    made += 1
                    wrong[1] = os.fspath(tmp_path / f"new-{made}")
                attempt(f"{name}, argument {place}: {kind}", function, wrong, {})
            for keyword in keywords_of(function):
                right = list(arguments)
                if name == "to_zarr":
                    made += 1
                    right[1] = os.fspath(tmp_path / f"new-{made}")
                attempt(f"{name}, {keyword}: {kind}", function, right, {keyword: make()})
