#!/usr/bin/env python3
"""Writes tests/promotion/numpy.txt: what NumPy's result_type gives for lists of element types.

The tests need only the file, not this script. To make it again:

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 ml_dtypes==0.6.0
    venv/bin/python scripts/generate-promotion-answers.py

Each list is asked in all its orders: NumPy's own types never make a difference, those of ml_dtypes do.
"""

import itertools
import pathlib

import ml_dtypes
import numpy as np

OUT = pathlib.Path(__file__).resolve().parent.parent / "tests" / "promotion" / "numpy.txt"

TYPES = {
    "bool": np.bool_,
    "i8": np.int8, "i16": np.int16, "i32": np.int32, "i64": np.int64,
    "u8": np.uint8, "u16": np.uint16, "u32": np.uint32, "u64": np.uint64,
    "f16": np.float16, "bf16": ml_dtypes.bfloat16, "f32": np.float32, "f64": np.float64,
    "f8e4m3": ml_dtypes.float8_e4m3fn, "f8e5m2": ml_dtypes.float8_e5m2,
    "c64": np.complex64, "c128": np.complex128,
}
TYPES = {name: np.dtype(dtype) for name, dtype in TYPES.items()}
NAMES = {dtype: name for name, dtype in TYPES.items()}
# Kinds of Python scalars. True is none of them: NumPy takes it for one of type bool.
WEAK = {"int": 1, "float": 1.5}

HEAD = f"""\
# What np.result_type gives (numpy {np.__version__}, ml_dtypes {ml_dtypes.__version__}); made by \
scripts/generate-promotion-answers.py.
# A row: the kind of the Python scalar that is in the list, two types, then the answer with each third type, in the order of
# the last row that begins with `types`. `-`: none; `-|f32`: it depends on the order of the list.
"""


def answer(operands):
    found = set()
    for order in itertools.permutations(operands):
        try:
            found.add(NAMES[np.result_type(*order)])
        except TypeError:  # DTypePromotionError is one
            found.add("-")
    return "|".join(sorted(found))


def section(weak, types, scalars=()):
    rows.append(" ".join(["types", *types]))
    for a, b in itertools.combinations_with_replacement(types, 2):
        rows.append(" ".join([weak, a, b, *(answer([TYPES[a], TYPES[b], TYPES[c], *scalars]) for c in types)]))


own = [name for name, dtype in TYPES.items() if dtype.num < 256]
rows = []
section("none", list(TYPES))
for weak, scalar in WEAK.items():
    section(weak, own, [scalar])
    # With more of its own types NumPy's answer for these is one of many, by the list's order.
    for name in [name for name in TYPES if name not in own]:
        section(weak, [name], [scalar])
assert answer([TYPES["u8"], True]) == "u8" and answer([True, 1]) == "i64" and answer([1, 1.5]) == "f64"
OUT.parent.mkdir(exist_ok=True)
OUT.write_text(HEAD + "\n".join(rows) + "\n")
