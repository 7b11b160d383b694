"""The conformance records of tests/conformance, whose answers are those of real systems."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from forms import DTYPES, Array, in_form

import broadloom

FOLDER = Path(__file__).parents[2] / "tests" / "conformance"
FILES = sorted(path.name for path in FOLDER.glob("*.jsonl"))


def holds(tensor: dict[str, Any]) -> bool:
    """Whether NumPy has the type: it has no u1."""
    return tensor["dtype"] in DTYPES


def read(tensor: dict[str, Any]) -> Array:
    data = np.frombuffer(base64.b64decode(tensor["b64"]), np.uint8)
    shape = tuple(tensor["shape"])
    dtype = DTYPES[tensor["dtype"]]
    if tensor["dtype"] in ("i4", "u4"):  # packed: two a byte, the low half first
        nibbles = np.stack([data & 15, data >> 4], 1).reshape(-1)[: int(np.prod(shape, dtype=np.int64))]
        values = nibbles.astype(np.int8)
        if tensor["dtype"] == "i4":
            values = (values ^ 8) - 8
        return values.astype(dtype).reshape(shape)
    return data.view(dtype).reshape(shape) if data.size else np.zeros(shape, dtype)


def options_of(record: dict[str, Any]) -> dict[str, Any]:
    options = {name: record[name] for name in ("axis", "target_shape", "axes_mapping") if name in record}
    return {**options, **record.get("attrs", {})}


def answer(record: dict[str, Any], rng: np.random.Generator) -> Any:
    """A shape, or a list of arrays."""
    if record["kind"] == "shape":
        options = options_of(record)
        if "dtype" in record:
            options["dtype"] = record["dtype"]
        return broadloom.infer_shape(record["rule"], record["inputs"], **options)
    op = record["op"] if record["kind"] == "elementwise" else "Broadcast"
    operands = [in_form(rng, read(tensor)) for tensor in record["inputs"]]
    result = broadloom.apply(op, operands, rule=record["rule"], **options_of(record))
    return result if isinstance(result, list) else [result]


def assert_bits(record: dict[str, Any], result: Array, expected: Array) -> None:
    assert result.dtype == expected.dtype and result.shape == expected.shape
    got, wanted = result.reshape(-1), expected.reshape(-1)
    kept = np.ones(got.size, bool)
    kept[record.get("undefined", [])] = False
    compare = record.get("compare", {})
    width = got.dtype.itemsize
    bits = np.dtype(f"u{min(width, 8)}")
    same = (got.view(bits) == wanted.view(bits)).reshape(got.size, -1).all(1) if got.size else kept
    if record["kind"] == "elementwise" and got.dtype.kind not in "biuc":
        same |= (got != got) & (wanted != wanted)
        if compare.get("zero_sign") is False:
            same |= (got == 0) & (wanted == 0)
        if "ulp" in compare:
            ordered = [ordered_bits(array, bits) for array in (got, wanted)]
            same |= abs(ordered[0] - ordered[1]) <= compare["ulp"]
    assert (same | ~kept).all(), (record["id"], got[~same & kept][:3], wanted[~same & kept][:3])


def ordered_bits(array: Array, bits: np.dtype) -> Any:
    """Numbers whose differences are units in the last place."""
    unsigned = array.view(bits).astype(object)
    sign = 1 << (8 * bits.itemsize - 1)
    return np.array([-(int(value) - sign) if value >= sign else int(value) for value in unsigned], object)


@pytest.mark.parametrize("name", FILES)
def test_records(name: str) -> None:
    rng = np.random.default_rng(1)
    judged = left_out = 0
    for line in (FOLDER / name).read_text().splitlines():
        record = json.loads(line)
        tensors = [tensor for tensor in record["inputs"] if isinstance(tensor, dict)]
        if not all(map(holds, tensors)):
            left_out += 1
            continue
        judged += 1
        expect = record["expect"]
        if "error" in expect:
            with pytest.raises(broadloom.BroadcastError) as caught:
                answer(record, rng)
            assert caught.value.error_class == expect["error"], record["id"]
        elif record["kind"] == "shape":
            assert answer(record, rng) == tuple(expect["shape"]), record["id"]
        else:
            results = answer(record, rng)
            outputs = expect.get("outputs", [expect])
            assert len(results) == len(outputs), record["id"]
            for result, output in zip(results, outputs, strict=True):
                assert_bits(record, result, read(output))
    assert judged > 10 * left_out
