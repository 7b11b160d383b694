#!/usr/bin/env python3
"""Writes tests/conformance/additional.jsonl: answers of NumPy, ONNX and OpenVINO for cases missing in the given corpora.

The tests need only the file, not this script. To make it again:

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 ml_dtypes==0.6.0 onnx==1.23.2 openvino==2026.4.1
    venv/bin/python scripts/generate-reference-answers.py

A system is named in a record's `oracles` when it gave the very answer that the record expects. NumPy answers first; what
another system says otherwise is printed, and docs/divergences.md tells it.
"""

import base64
import json
import pathlib
import sys

import ml_dtypes
import numpy as np
import onnx
import onnx.reference
import openvino as ov
from openvino import opset13 as ops
from openvino import passes

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent / "tests" / "conformance" / "additional.jsonl"

NUMPY = f"numpy {np.__version__}"
ML_DTYPES = f"ml_dtypes {ml_dtypes.__version__}"
ONNX = f"onnx-reference {onnx.__version__}"
OPENVINO = "openvino " + ov.__version__.split("-")[0]

TYPES = {
    "bool": np.dtype(np.bool_),
    "i8": np.dtype(np.int8), "i16": np.dtype(np.int16), "i32": np.dtype(np.int32), "i64": np.dtype(np.int64),
    "u8": np.dtype(np.uint8), "u16": np.dtype(np.uint16), "u32": np.dtype(np.uint32), "u64": np.dtype(np.uint64),
    "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32), "f64": np.dtype(np.float64),
    "f8e4m3": np.dtype(ml_dtypes.float8_e4m3fn), "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "c64": np.dtype(np.complex64), "c128": np.dtype(np.complex128),
}
# One value per byte here; OpenVINO's Convert packs them when a record is written.
PACKED = {"i4": ov.Type.i4, "u4": ov.Type.u4, "u1": ov.Type.u1}
RANGES = {"i4": (-8, 8), "u4": (0, 16), "u1": (0, 2)}

INTEGERS = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"]
FLOATS = ["f16", "bf16", "f32", "f64"]

# Pairs of operand shapes; the last ones fill whole vectors and a remainder.
PAIRS = [
    [[], []], [[3], []], [[2, 3], [3]], [[4, 1], [3]], [[2, 1, 3], [1, 4, 1]], [[1, 5], [2, 1, 1]],
    [[0, 3], [1]], [[3, 67], [67]], [[3, 67], [3, 1]], [[67, 3], [3]], [[131], [131]],
]

rng = np.random.default_rng(20261121)
core = ov.Core()
records = []
disagreements = []


# --- Packed types, in OpenVINO's layout ---------------------------------------------


def openvino_folds(node):
    """Returns the bytes of the result that OpenVINO computes for a graph of constants."""
    model = ov.Model([ops.result(node)], [], "folded")
    manager = passes.Manager()
    manager.register_pass(passes.ConstantFolding())
    manager.run_passes(model)
    folded = model.get_results()[0].input_value(0).get_node()
    assert folded.get_type_name() == "Constant", folded.get_type_name()
    return np.asarray(folded.data)


def pack(values, name):
    """Packs one value per byte with OpenVINO's Convert."""
    if values.size == 0:
        return b""
    wide = ops.constant(values.astype(np.int32 if name == "i4" else np.uint8))
    data = openvino_folds(ops.convert(wide, name))
    bits = 1 if name == "u1" else 4
    packed = data.tobytes()[: (values.size * bits + 7) // 8]
    assert np.array_equal(unpack(packed, values.shape, name), values), (name, values, packed)
    return packed


def unpack(packed, shape, name):
    """Unpacks to one value per byte with OpenVINO's Convert."""
    tensor = ov.Tensor(np.frombuffer(packed, dtype=np.uint8).copy(), ov.Shape(list(shape)), PACKED[name])
    data = openvino_folds(ops.convert(ops.constant(tensor), "i8" if name == "i4" else "u8"))
    return np.asarray(data).reshape(shape)


# --- Records ------------------------------------------------------------------------


def tensor(array, name):
    data = pack(array, name) if name in PACKED else np.ascontiguousarray(array).tobytes()
    return {"dtype": name, "shape": list(array.shape), "b64": base64.b64encode(data).decode()}


def emit(prefix, record):
    number = sum(r["id"].startswith(prefix + "-") for r in records) + 1
    records.append({"id": f"{prefix}-{number:03d}", **record})


def same(a, b):
    """Compares bit for bit, except that all NaNs are equal."""
    a, b = np.asarray(a), np.asarray(b)
    if a.shape != b.shape or a.dtype != b.dtype:
        return False
    if a.dtype.kind in "biu":
        return np.array_equal(a, b)
    nan = np.isnan(a.astype(np.float64)) & np.isnan(b.astype(np.float64))
    width = np.dtype(f"u{a.dtype.itemsize}")
    return bool(np.all(nan | (np.ascontiguousarray(a).view(width) == np.ascontiguousarray(b).view(width))))


def values(name, shape):
    """Ordinary and special values: extremes, zeros of both signs, infinities, NaN."""
    size = int(np.prod(shape, dtype=np.int64))
    if name in RANGES:
        return rng.integers(*RANGES[name], size).astype(np.int8 if name == "i4" else np.uint8).reshape(shape)
    dtype = TYPES[name]
    if name == "bool":
        return rng.integers(0, 2, size).astype(np.bool_).reshape(shape)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        near = rng.integers(-5 if dtype.kind == "i" else 0, 6, size).astype(dtype)
        far = rng.integers(info.min, info.max, size, dtype=dtype, endpoint=True)
        odd = rng.choice(np.array([info.min, info.max, 0, 1], dtype=dtype), size)
        return np.choose(rng.integers(0, 3, size), [near, far, odd]).astype(dtype).reshape(shape)
    if name in ("f8e4m3", "f8e5m2"):
        return rng.integers(0, 256, size).astype(np.uint8).view(dtype).reshape(shape)
    if name in ("c64", "c128"):
        part = np.float32 if name == "c64" else np.float64
        odd = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 1.5, -2.25, 1e-30], dtype=part)
        pairs = np.stack([rng.choice(odd, size), rng.choice(odd, size)], axis=-1)
        return np.ascontiguousarray(pairs).view(dtype).reshape(shape)
    whole = rng.integers(-3, 4, size).astype(np.float32).astype(dtype)
    real = rng.normal(0, 100, size).astype(dtype)
    odd = rng.choice(np.array([0.0, -0.0, np.inf, -np.inf, np.nan], dtype=np.float32).astype(dtype), size)
    chosen = rng.integers(0, 4, size)
    result = np.where(chosen == 0, odd, np.where(chosen == 1, whole, real))
    return np.asarray(result, dtype=dtype).reshape(shape)


def onnx_says(op, inputs, opset=18, **attributes):
    names = [f"x{i}" for i in range(len(inputs))]
    node = onnx.helper.make_node(op, names, ["y"], **attributes)
    elem = [onnx.helper.np_dtype_to_tensor_dtype(x.dtype) for x in inputs]
    graph = onnx.helper.make_graph(
        [node], "g", [onnx.helper.make_tensor_value_info(n, e, x.shape) for n, e, x in zip(names, elem, inputs)],
        [onnx.helper.make_tensor_value_info("y", elem[0], None)])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
    return onnx.reference.ReferenceEvaluator(model).run(None, dict(zip(names, inputs)))[0]


def openvino_says(make, inputs):
    parameters = [ops.parameter(list(x.shape), x.dtype) for x in inputs]
    model = ov.Model([ops.result(make(*parameters))], parameters, "m")
    compiled = core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    return compiled(inputs)[0]


def agree(who, ask, expected, what):
    """Returns [who] if that system gives the expected answer; else [], and the difference is reported."""
    try:
        answer = ask()
    except Exception as error:  # A type that the system does not have is no disagreement.
        return []
    if same(np.asarray(answer), expected):
        return [who]
    disagreements.append(f"{who}: {what}")
    return []


def elementwise(prefix, op, rule, arrays, names, expected, expected_name, oracles, origin, attrs=None):
    record = {"kind": "elementwise", "op": op, "rule": rule}
    if attrs:
        record["attrs"] = attrs
    record["inputs"] = [tensor(a, n) for a, n in zip(arrays, names)]
    record["expect"] = tensor(expected, expected_name)
    record["origin"] = origin
    record["oracles"] = oracles
    emit(prefix, record)


def make_elementwise():
    for name in ["bool"] + INTEGERS + FLOATS:
        for a_shape, b_shape in PAIRS:
            a, b = values(name, a_shape), values(name, b_shape)
            expected = np.asarray(a != b)
            oracles = [NUMPY] + ([ML_DTYPES] if name == "bf16" else [])
            oracles += agree(OPENVINO, lambda: openvino_says(ops.not_equal, [a, b]), expected, f"NotEqual {name}")
            elementwise("add-ne", "NotEqual", "numpy", [a, b], [name] * 2, expected, "bool", oracles, "random")
    for name in INTEGERS + FLOATS:
        for a_shape, b_shape in PAIRS[1:]:
            a, b = values(name, a_shape), values(name, b_shape)
            with np.errstate(all="ignore"):
                if name in ("f16", "bf16"):  # widened, computed, rounded once
                    difference = a.astype(np.float32) - b.astype(np.float32)
                    expected = np.asarray(difference * difference).astype(TYPES[name])
                else:
                    difference = a - b
                    expected = np.asarray(difference * difference, dtype=TYPES[name])
            oracles = [NUMPY] + ([ML_DTYPES] if name == "bf16" else [])
            oracles += agree(OPENVINO, lambda: openvino_says(ops.squared_difference, [a, b]), expected,
                             f"SquaredDifference {name}")
            elementwise("add-sd", "SquaredDifference", "numpy", [a, b], [name] * 2, expected, name, oracles, "random")
    bitwise = {
        "BitwiseAnd": (np.bitwise_and, ops.bitwise_and),
        "BitwiseOr": (np.bitwise_or, ops.bitwise_or),
        "BitwiseXor": (np.bitwise_xor, ops.bitwise_xor),
    }
    for op, (with_numpy, with_openvino) in bitwise.items():
        for name in INTEGERS:
            for a_shape, b_shape in PAIRS[2:9]:
                a, b = values(name, a_shape), values(name, b_shape)
                expected = np.asarray(with_numpy(a, b))
                oracles = [NUMPY]
                oracles += agree(ONNX, lambda: onnx_says(op, [a, b]), expected, f"{op} {name}")
                oracles += agree(OPENVINO, lambda: openvino_says(with_openvino, [a, b]), expected, f"{op} {name}")
                elementwise("add-bw", op, "onnx_multidirectional", [a, b], [name] * 2, expected, name, oracles, "random")
    for direction, with_numpy in {"left": np.left_shift, "right": np.right_shift}.items():
        for name in ["u8", "u16", "u32", "u64"]:
            for a_shape, b_shape in PAIRS[2:]:
                a = values(name, a_shape)
                width = TYPES[name].itemsize * 8
                b = np.asarray(rng.integers(0, width + 2, b_shape)).astype(TYPES[name])
                if b.size > 3:
                    b.flat[1] = np.iinfo(TYPES[name]).max
                    b.flat[2] = width
                expected = np.asarray(with_numpy(a, b))
                oracles = [NUMPY]
                oracles += agree(ONNX, lambda: onnx_says("BitShift", [a, b], direction=direction.upper()), expected,
                                 f"BitShift {name}")
                elementwise("add-bs", "BitShift", "onnx_multidirectional", [a, b], [name] * 2, expected, name, oracles,
                            "random", {"direction": direction})
    for name in ["f8e4m3", "f8e5m2", "c64", "c128", "i4", "u4", "u1"]:
        for a_shape, b_shape in PAIRS[2:]:
            condition = values("bool", a_shape if rng.integers(0, 2) else b_shape)
            a, b = values(name, a_shape), values(name, b_shape)
            expected = np.where(condition, a, b)
            oracles = [NUMPY] + ([ML_DTYPES] if name.startswith("f8") else [])
            oracles += [OPENVINO + " (packing)"] if name in PACKED else []
            elementwise("add-wh", "Where", "onnx_multidirectional", [condition, a, b], ["bool", name, name], expected,
                        name, oracles, "random")


# --- Moved data ---------------------------------------------------------------------

TO_TARGET = [
    ([], [3]), ([1], [9]), ([3], [2, 3]), ([3, 1], [3, 5]), ([2, 1, 3], [2, 4, 3]), ([1, 1], [0, 4]), ([5], [5]),
    ([131], [3, 131]), ([67, 1], [67, 3]),
]
BIDIRECTIONAL = [([4, 1], [3]), ([2, 3], [1]), ([1, 3], [5, 2, 1]), ([], []), ([9, 1], [7])]
EXPLICIT = [([3], [2, 3, 4], [1]), ([2, 5], [2, 4, 5], [0, 2]), ([1, 3], [4, 2, 3], [0, 2]), ([], [2, 2], [])]
SONNX = [[[2, 1], [3]], [[5], [1, 5], []], [[3, 1, 2], [4, 1]], [[17], [3, 1], [1, 1]]]


def make_moved():
    for name in ["f8e4m3", "f8e5m2", "c64", "c128", "i4", "u4", "u1"]:
        oracles = [NUMPY] + ([ML_DTYPES] if name.startswith("f8") else [])
        oracles += [OPENVINO + " (packing)"] if name in PACKED else []

        def moved(op, rule, data, results, **extra):
            emit("add-bc", {
                "kind": "broadcast", "op": op, "rule": rule, "inputs": [tensor(d, name) for d in data], **extra,
                "expect": {"outputs": [tensor(r, name) for r in results]}, "origin": "random", "oracles": oracles})

        for shape, target in TO_TARGET:
            data = values(name, shape)
            moved("broadcast_to", "broadcast_numpy", [data], [np.broadcast_to(data, target)], target_shape=target)
        for shape, target in BIDIRECTIONAL:
            data = values(name, shape)
            result = np.broadcast_arrays(data, np.ones(target))[0]
            moved("Expand", "bidirectional", [data], [result], target_shape=target)
        for shape, target, mapping in EXPLICIT:
            data = values(name, shape)
            spread = [1] * len(target)
            for axis, place in enumerate(mapping):
                spread[place] = shape[axis]
            moved("Broadcast-3", "explicit", [data], [np.broadcast_to(data.reshape(spread), target)],
                  target_shape=target, axes_mapping=mapping)
        for shapes in SONNX:
            data = [values(name, shape) for shape in shapes]
            moved("Broadcast", "sonnx", data, np.broadcast_arrays(*data))


def check_packing():
    """Checks that OpenVINO's byte layout of packed elements is that of vocabulary.h."""
    assert list(unpack(b"\x21\x43", [4], "u4")) == [1, 2, 3, 4]
    assert list(unpack(b"\x21\xf8", [4], "i4")) == [1, 2, -8, -1]
    assert list(unpack(b"\xb0\x40", [10], "u1")) == [1, 0, 1, 1, 0, 0, 0, 0, 0, 1]
    assert pack(np.array([1, 2, 3], np.uint8), "u4")[:1] == b"\x21"
    assert pack(np.array([1, 0, 1, 1], np.uint8), "u1")[0] & 0xF0 == 0xB0


check_packing()
make_elementwise()
make_moved()
with OUT.open("w", encoding="utf-8") as out:
    for record in records:
        out.write(json.dumps(record, separators=(",", ":")) + "\n")
print(f"{len(records)} records in {OUT}")
for line in sorted(set(disagreements)):
    print(f"otherwise: {line} ({disagreements.count(line)} times)", file=sys.stderr)
