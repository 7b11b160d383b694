"""The hook and the strict mode with PyTorch, JAX and TensorFlow, where they are installed: `npm run test:systems`."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from programs import run_program

import broadloom

NAMES = {
    "torch": "import torch as lib\nx, y, long = lib.ones(5, 4), lib.ones(5), lib.ones(6, 5, 4)\n",
    "jax": "import jax, jax.numpy as lib\nx, y, long = lib.ones((5, 4)), lib.ones(5), lib.ones((6, 5, 4))\n",
    "tensorflow": "import tensorflow as lib\nx, y, long = lib.ones((5, 4)), lib.ones(5), lib.ones((6, 5, 4))\n",
}
INSERTED = {"torch": "y.unsqueeze(1)", "jax": "y[:, None]", "tensorflow": "y[:, None]"}

each_system = pytest.mark.parametrize("system", NAMES)


@each_system
def test_an_operator(tmp_path: Path, system: str) -> None:
    pytest.importorskip(system)
    run = run_program(tmp_path, NAMES[system] + "def f(a, b):\n    return 2 * a + 1 - b\nf(x, y)\n", TF_CPP_MIN_LOG_LEVEL="3")
    assert "A is 2 * a + 1  (5, 4)" in run.explanation, run.output
    assert "B is b          (5,)" in run.explanation, run.output
    assert f"+ return 2 * a + 1 - {INSERTED[system].replace('y', 'b', 1)}" in run.explanation, run.output


@each_system
def test_a_function(tmp_path: Path, system: str) -> None:
    pytest.importorskip(system)
    function = {"torch": "add", "jax": "add", "tensorflow": "add"}[system]
    run = run_program(tmp_path, f"{NAMES[system]}r = lib.{function}(x, y)\n", TF_CPP_MIN_LOG_LEVEL="3")
    assert "A is x  (5, 4)" in run.explanation and "B is y  (5,)" in run.explanation, run.output


@each_system
def test_an_operand_that_is_computed(tmp_path: Path, system: str) -> None:
    pytest.importorskip(system)
    program = {
        "torch": "r = long[0] - long[0].mean(dim=1)",
        "jax": "r = long[0] - long[0].mean(axis=1)",
        "tensorflow": "r = long[0] - lib.reduce_mean(long[0], axis=1)",
    }[system]
    run = run_program(tmp_path, NAMES[system] + program, TF_CPP_MIN_LOG_LEVEL="3")
    assert "A is long[0]" in run.explanation and "(5, 4)" in run.explanation and "(5,)" in run.explanation, run.output
    assert "Change line 4 of program.py" in run.explanation, run.output


def test_parameters_of_modules(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    run = run_program(
        tmp_path,
        """
        import torch
        class Scale(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = torch.nn.Parameter(torch.ones(5))
                self.register_buffer("shift", torch.ones(5, 4))
                self.inner = torch.nn.Linear(4, 5)
            def forward(self, x):
                return self.shift * self.weight
        torch.nn.Sequential(Scale())(torch.ones(3))
        """,
    )
    assert "A is self.shift   (5, 4)" in run.explanation and "B is self.weight  (5,)" in run.explanation
    assert "+ return self.shift * self.weight.unsqueeze(1)" in run.explanation


def test_in_place_of_pytorch(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    run = run_program(tmp_path, NAMES["torch"] + "x -= y\n")
    assert "A is          y  (5,)" in run.explanation and "the target is x  (5, 4)" in run.explanation, run.output
    run = run_program(tmp_path, NAMES["torch"] + "y += x\n")
    assert run.explanation.startswith("\nbroadloom: "), run.output


def test_a_tensor_class_of_the_program(tmp_path: Path) -> None:
    """A class that watches its attributes is not asked."""
    pytest.importorskip("torch")
    run = run_program(
        tmp_path,
        """
        import torch
        class Watched(torch.Tensor):
            @classmethod
            def __torch_function__(cls, func, types, args=(), kwargs=None):
                print(func.__name__)
                return super().__torch_function__(func, types, args, kwargs or {})
        x = torch.ones(5, 4).as_subclass(Watched)
        x + torch.ones(5)
        """,
    )
    assert run.explanation.startswith("\nbroadloom: "), run.output


def test_under_jit(tmp_path: Path) -> None:
    pytest.importorskip("jax")
    run = run_program(tmp_path, NAMES["jax"] + "@jax.jit\ndef f(a, b):\n    return a * b\nf(x, y)\n")
    assert "A is a  (5, 4)" in run.explanation and "B is b  (5,)" in run.explanation, run.output


def test_in_a_graph(tmp_path: Path) -> None:
    pytest.importorskip("tensorflow")
    program = NAMES["tensorflow"] + "@lib.function\ndef f(a, b):\n    return a * b\nf(x, y)\n"
    run = run_program(tmp_path, program, TF_CPP_MIN_LOG_LEVEL="3")
    assert "Axis 1: B has 5 (its axis 0) but A has 4 (its axis 1)" in run.explanation, run.output
    assert "called from line 7 of program.py" in run.explanation, run.output


def test_a_list(tmp_path: Path) -> None:
    """TensorFlow takes lists, which have no subscripts of several axes."""
    pytest.importorskip("tensorflow")
    run = run_program(tmp_path, NAMES["tensorflow"] + "w = [1.0] * 5\nx * w\n", TF_CPP_MIN_LOG_LEVEL="3")
    assert run.explanation.startswith("\nbroadloom: ") and "None]" not in run.explanation, run.output


@each_system
def test_strict(system: str) -> None:
    pytest.importorskip(system)
    names: dict[str, object] = {}
    exec(NAMES[system], names)
    lib = importlib.import_module({"jax": "jax.numpy"}.get(system, system))
    column, row = lib.ones((32, 1)), lib.ones((32,))
    with pytest.warns(broadloom.BroadcastWarning, match="both grow") as caught, broadloom.strict():
        column - row
    assert len(caught) == 1 and caught[0].filename == __file__


def test_strict_in_pytorch_with_other_modes() -> None:
    """A block leaves its own mode, wherever it is among others."""
    torch = pytest.importorskip("torch")

    def block(expect: tuple[str, ...]) -> Iterator[None]:
        with broadloom.strict(expect=expect):
            yield

    first, second = block(("outer",)), block(())
    next(first)
    with torch.device("meta"):
        next(second)
        next(first, None)
        assert torch.ones(2).device.type == "meta"
        with pytest.warns(broadloom.BroadcastWarning):
            torch.ones(32, 1) - torch.ones(32)
        next(second, None)
        assert torch.ones(2).device.type == "meta"
    assert torch.ones(2).device.type == "cpu" and torch._C._len_torch_function_stack() == 0


def test_strict_in_pytorch() -> None:
    torch = pytest.importorskip("torch")
    column, row = torch.ones(32, 1), torch.ones(32)
    expected = torch.nn.functional.mse_loss(column, column)
    for call in (
        lambda: column.sub(row),
        lambda: torch.mul(column, other=row),
        lambda: row.__rsub__(column),
        lambda: torch.where(column > 0, column, row),
        lambda: torch.maximum(column, row),
    ):
        with pytest.warns(broadloom.BroadcastWarning), broadloom.strict():
            call()
    with pytest.warns(broadloom.BroadcastWarning, match="mse_loss"), broadloom.strict():
        torch.nn.functional.mse_loss(column, row)
    with broadloom.strict():
        assert torch.nn.functional.mse_loss(column, column) == expected
        torch.max(column, 0)
        column.sum(0)
        column * 2
