"""What mypy --strict has to accept, and what it has to refuse: there, `type: ignore` is itself an error where it is not needed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import broadloom

a: NDArray[np.float32] = np.ones((2, 3), np.float32)
b = np.ones(3, np.float32)

total: NDArray[np.float32] = broadloom.add(a, b, rule="pdpd", axis=1)
less: NDArray[np.bool_] = broadloom.less(a, 1.0)
same: NDArray[np.float32] = broadloom.mul(a, b, out=a)
most: NDArray[np.float32] = broadloom.max([a, b, 3])
cast: NDArray[np.int8] = broadloom.cast(a, "i8", saturate=1)
chosen = broadloom.where(a > 0, a, [0.0, 1.0, 2.0])
shifted = broadloom.bit_shift(np.ones(2, np.uint8), 1, direction="left")
copy = broadloom.broadcast_to(b, (2, 3), rule="explicit", axes_mapping=[1])
sums = broadloom.sum_to(a, (3,))
shape: tuple[int, ...] = broadloom.infer_shape("pdpd", [(2, 3), a], axis=0)
buffer = broadloom.add(memoryview(b"123"), bytearray(3))

plan: broadloom.Plan = broadloom.plan("Add", "numpy", [(2, 3), (3,)], ["f32", np.float32])
result = plan.run([a, b])
part = plan.run_region([(0, 1), slice(0, 3)], [a, b])

alignment = broadloom.align("numpy", [(2, 3), (3,)])
relations: list[str] = [cell.relation for cell in alignment.axes[0].cells]
explanation = broadloom.explain("numpy", [(2, 3), (4,)], op="Add", expressions=["x", "y"])
cause: str | None = None if explanation.cause is None else explanation.cause.text
error: broadloom.BroadcastError | None = alignment.error
if error is not None:
    axis: int | None = error.axis

broadloom.add(a)  # type: ignore[call-overload]
broadloom.add(a, b, rule="nump")  # type: ignore[call-overload]
broadloom.add(a, b, fmod=1)  # type: ignore[call-overload]
broadloom.bit_shift(a, b, direction="up")  # type: ignore[call-overload]
broadloom.plan("Plus", "numpy", [], [])  # type: ignore[arg-type]
