#!/usr/bin/env python3
"""Writes NumPy's promoted types: tests/promotion/numpy.txt has the answers of result_type for lists of element types,
tests/promotion/operators.txt of which type the results of its operators are.

The tests need only the files, not this script. To make it again:

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 ml_dtypes==0.6.0
    venv/bin/python scripts/generate-promotion-answers.py

Each list is asked in all its orders: NumPy's own types never make a difference, those of ml_dtypes do.
"""

import itertools
import pathlib

import ml_dtypes
import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent.parent / "tests" / "promotion"
OUT = FOLDER / "numpy.txt"

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
# Kinds of Python scalars. True is not among them, because NumPy gives it the type bool.
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
    # With more ml_dtypes types in the list, NumPy's answer depends on the order of the list.
    for name in [name for name in TYPES if name not in own]:
        section(weak, [name], [scalar])
assert answer([TYPES["u8"], True]) == "u8" and answer([True, 1]) == "i64" and answer([1, 1.5]) == "f64"
OUT.parent.mkdir(exist_ok=True)
OUT.write_text(HEAD + "\n".join(rows) + "\n")

OPERATORS = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Div": np.divide, "Max": np.maximum, "Min": np.minimum,
    "Pow": np.power, "Mod": np.remainder, "Equal": np.equal, "NotEqual": np.not_equal, "Less": np.less,
    "LessOrEqual": np.less_equal, "Greater": np.greater, "GreaterOrEqual": np.greater_equal,
    "BitwiseAnd": np.bitwise_and, "BitwiseOr": np.bitwise_or, "BitwiseXor": np.bitwise_xor,
}
OPERATORS_HEAD = HEAD.splitlines()[0].replace("np.result_type gives", "NumPy's operators give") + """
# A row: an operator, the type of its first operand, then that of the result with each second operand, in the order of the
# row that begins with `types`: arrays, and the Python scalars 1 and 1.5. `-`: it takes no such operands.
"""


def result(operator, a, b):
    try:
        return NAMES[operator(a, b).dtype]
    except TypeError:
        return "-"


seconds = {**{name: np.ones(1, dtype) for name, dtype in TYPES.items()}, **WEAK}
rows = [" ".join(["types", *seconds])]
for op, operator in OPERATORS.items():
    for a, dtype in TYPES.items():
        rows.append(" ".join([op, a, *(result(operator, np.ones(1, dtype), b) for b in seconds.values())]))
(FOLDER / "operators.txt").write_text(OPERATORS_HEAD + "\n".join(rows) + "\n")
