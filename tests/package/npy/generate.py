"""Writes the .npy files beside this script, and answers.json, which says what NumPy reads in them.

    python3 -m venv build/npy && build/npy/bin/pip install numpy==2.4.6 ml_dtypes==0.6.0
    build/npy/bin/python tests/package/npy/generate.py

The files are NumPy's own; the tests need neither Python nor the network.
"""

import json
import pathlib

import ml_dtypes
import numpy as np

here = pathlib.Path(__file__).parent
answers = {}
refusals = []


def save(name, array, version=None):
    with open(here / f"{name}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=version)


def answer(name, array, version=None):
    save(name, array, version)
    loaded = np.load(here / f"{name}.npy")
    little = np.ascontiguousarray(loaded).astype(loaded.dtype.newbyteorder("<"), copy=False)
    # ascontiguousarray would add an axis to a scalar.
    answers[name] = {"type": loaded.dtype.str[1:], "shape": list(loaded.shape), "hex": little.tobytes().hex()}


def refuse(name, array):
    save(name, array)
    refusals.append(name)


def integers(code):
    info = np.iinfo(code)
    return np.array([info.min, info.max, 0, 1, 2, 100], code)


def floats(code):
    bits = {"f2": "u2", "f4": "u4", "f8": "u8"}[code]
    values = np.array([0.1, -0.0, np.inf, -np.inf, np.finfo(code).tiny, 0], code)
    values.view(bits)[5] = np.array(np.nan, code).view(bits) + 5  # a NaN with something to say
    return values


def values(code):
    if code == "b1":
        return np.array([True, False, True, True, False, False])
    if code[0] == "c":
        part = f"f{int(code[1:]) // 2}"
        return np.stack([floats(part), floats(part)[::-1]], axis=1).reshape(-1).view(code)
    return floats(code) if code[0] == "f" else integers(code)


for code in "b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split():
    array = values(code).reshape(2, 3)
    answer(f"{code}", array)
    answer(f"{code}-fortran", np.asfortranarray(array))
    if array.dtype.itemsize > 1:
        answer(f"{code}-big", array.astype(array.dtype.newbyteorder(">")))
        answer(f"{code}-big-fortran", np.asfortranarray(array.astype(array.dtype.newbyteorder(">"))))

answer("scalar", np.array(2.5, "f4"))
answer("scalar-big", np.array(7, ">i8"))
answer("vector", np.arange(5, dtype="i2"))
answer("empty", np.zeros((3, 0, 2), "f8"))
answer("empty-vector", np.zeros(0, "i4"))
answer("one-axis-fortran", np.asfortranarray(np.arange(4, dtype="f4").reshape(1, 4, 1)))
answer("four-axes-fortran", np.asfortranarray(np.arange(2 * 1 * 3 * 4 * 2, dtype="u2").reshape(2, 1, 3, 4, 2)))
answer("version-2", np.arange(6, dtype="f4").reshape(3, 2), (2, 0))
answer("version-3", np.arange(6, dtype="f4").reshape(3, 2), (3, 0))
answer("thirty-two-axes", np.arange(4, dtype="u1").reshape((1,) * 30 + (2, 2)))

refuse("object", np.array([None, 1], object))
refuse("records", np.zeros(2, [("a", "f4"), ("b", "i2")]))
refuse("text", np.array(["a", "bc"]))
refuse("bytes", np.array([b"a", b"bc"]))
refuse("date", np.array(["2000-01-01"], "M8[D]"))
refuse("duration", np.array([3], "m8[s]"))
refuse("long-double", np.zeros(2, np.longdouble))
refuse("complex-long-double", np.zeros(2, np.clongdouble))
refuse("void", np.zeros(2, "V5"))
refuse("bfloat16", np.ones(2, ml_dtypes.bfloat16))
refuse("float8-e4m3", np.ones(2, ml_dtypes.float8_e4m3fn))
refuse("float8-e5m2", np.ones(2, ml_dtypes.float8_e5m2))
refuse("int4", np.ones(2, ml_dtypes.int4))

lines = [f"  {json.dumps(name)}: {json.dumps(row)}" for name, row in answers.items()]
text = '{\n "answers": {\n' + ",\n".join(lines) + "\n },\n" + f' "refusals": {json.dumps(refusals)}\n' + "}\n"
(here / "answers.json").write_text(text)
