#!/usr/bin/env python3
"""Writes tests/conformance/cast.jsonl: Cast from every type to every other, as NumPy and ml_dtypes answer.

The tests need only the file, not this script. To generate it again:

    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 ml_dtypes==0.6.0
    venv/bin/python scripts/generate-cast-answers.py

The expected elements are computed here with fractions, from the definition: integers wrap or saturate, floats are truncated
to integers and saturate, NaN becomes 0, floats are rounded once to nearest even. A record's `oracles` names a system if it
gave the same answer for all elements. Elements for which no system defines the answer (floats outside the range of an
integer type, and NaN) are in a separate record, whose note says so. Elements that a system rounds twice (ml_dtypes from f64
and wide integers to bf16) are in a separate record as well.
"""

import base64
import json
import math
import pathlib
import struct
import sys
import warnings
from fractions import Fraction

import ml_dtypes
import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
OUT = HERE.parent / "tests" / "conformance" / "cast.jsonl"
NUMPY = f"numpy {np.__version__}"
ML_DTYPES = f"ml_dtypes {ml_dtypes.__version__}"

TYPES = {
    "bool": np.dtype(np.bool_),
    "i8": np.dtype(np.int8), "i16": np.dtype(np.int16), "i32": np.dtype(np.int32), "i64": np.dtype(np.int64),
    "u8": np.dtype(np.uint8), "u16": np.dtype(np.uint16), "u32": np.dtype(np.uint32), "u64": np.dtype(np.uint64),
    "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32), "f64": np.dtype(np.float64),
}
# Numbers of exponent bits and of fraction bits.
FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}
INTEGERS = [name for name in TYPES if name[0] in "iu"]

rng = np.random.default_rng(20261122)


def limits(name):
    info = np.iinfo(TYPES[name])
    return int(info.min), int(info.max)


def width(name):
    return 1 + sum(FORMATS[name]) if name in FORMATS else 8 * TYPES[name].itemsize


# --- Floats by their bits -----------------------------------------------------------


def decode(name, bits):
    """Returns a Fraction, or "nan", "inf", "-inf", "-0"."""
    exponent_bits, fraction_bits = FORMATS[name]
    sign = -1 if bits >> (exponent_bits + fraction_bits) else 1
    exponent = bits >> fraction_bits & (1 << exponent_bits) - 1
    fraction = bits & (1 << fraction_bits) - 1
    bias = (1 << exponent_bits - 1) - 1
    if exponent == (1 << exponent_bits) - 1:
        return "nan" if fraction else "inf" if sign > 0 else "-inf"
    if exponent == 0 and fraction == 0:
        return Fraction(0) if sign > 0 else "-0"
    whole = fraction + (1 << fraction_bits if exponent else 0)
    return sign * whole * Fraction(2) ** (max(exponent, 1) - bias - fraction_bits)


def encode(name, value):
    """Returns the bits of a number, rounded to nearest even."""
    exponent_bits, fraction_bits = FORMATS[name]
    bias = (1 << exponent_bits - 1) - 1
    infinity = (1 << exponent_bits) - 1 << fraction_bits
    minus = 1 << exponent_bits + fraction_bits
    if isinstance(value, str):
        return {"nan": infinity | 1 << fraction_bits - 1, "inf": infinity, "-inf": minus | infinity, "-0": minus}[value]
    sign, size = (minus if value < 0 else 0), abs(value)
    if size == 0:
        return sign
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    exponent = max(exponent, 1 - bias)
    units = size / Fraction(2) ** (exponent - fraction_bits)
    rounded = round(units)  # ties to even
    return sign | min((exponent + bias - 1 << fraction_bits) + rounded, infinity)


# --- Cast ---------------------------------------------------------------------------


def cast(source, target, bits, saturate):
    """Returns the bits of the cast element, and whether any system defines them."""
    if source in FORMATS:
        value = decode(source, bits)
    else:
        value = Fraction(bits - (1 << width(source)) if source[0] == "i" and bits >> width(source) - 1 else bits)
    if target == "bool":
        return int(value != "-0" and value != 0), True
    if source == target:
        return bits, True
    if target in FORMATS:
        return encode(target, value), True
    low, high = limits(target)
    known = True
    if source in FORMATS:
        known = not isinstance(value, str) or value == "-0"
        if isinstance(value, str):
            whole = {"nan": 0, "-0": 0, "inf": high, "-inf": low}[value]
        else:
            whole = math.trunc(value)
            known = low <= whole <= high
            whole = min(max(whole, low), high)
    else:
        whole = int(value)
        if saturate:
            whole = min(max(whole, low), high)
    return whole & (1 << width(target)) - 1, known


def answer(source, target, elements, saturate):
    """Returns the systems' answer."""
    if saturate:
        low, high = limits(target)
        elements = np.array([min(max(int(x), low), high) for x in elements], TYPES[target])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return elements.astype(TYPES[target])


def bits_of(array):
    return [int(x) for x in array.view(f"u{array.dtype.itemsize}")]


def same(name, a, b):
    return a == b or (name in FORMATS and decode(name, a) == decode(name, b) == "nan")


# --- Elements -----------------------------------------------------------------------


def integers(name):
    low, high = limits(name)
    some = {0, 1, 2, 3, 7, 100, 127, 128, 255, 256, 300, -1, -2, -127, -128, -129, -300, low, low + 1, high, high - 1}
    for power in range(8, 64):
        if power in (8, 11, 15, 16, 24, 25, 31, 32, 53, 54, 62, 63):
            some |= {2**power + off for off in (-1, 0, 1)} | {-(2**power) + off for off in (-1, 0, 1)}
    # Next to the midpoint of two floats, closer than f32 and f64 can represent.
    for fraction in (7, 10, 23):
        for power in (31, 40, 62, 63):
            middle = 2**power + 2 ** (power - fraction - 1)
            some |= {middle + off for off in (-1, 0, 1)} | {-middle + off for off in (-1, 0, 1)}
            some |= {middle + 2 ** (power - fraction) + off for off in (-1, 0, 1)}
    some |= {int(x) >> int(s) for x, s in zip(rng.integers(low, high, 30, dtype=TYPES[name]), rng.integers(0, 40, 30))}
    return [x & (1 << width(name)) - 1 for x in sorted(some) if low <= x <= high]


def floats(name):
    numbers = [Fraction(0), "-0", "inf", "-inf", "nan"]
    for x in (0.25, 0.5, 0.75, 1, 1.5, 2.5, 3, 99.9, 127, 127.5, 128, 128.5, 255, 255.5, 256, 300, 1000.7, 32767.5, 32768,
              65503, 65504, 65519, 65520, 65535.5, 65536, 1e5, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**53, 1e15, 2**62,
              2**63, 2**64, 1e30, 3e38, 1e300):
        numbers += [Fraction(x), -Fraction(x)]
    # Midpoints of two floats of a narrower type, and numbers next to them: normal, subnormal and largest floats.
    for narrow in ("f16", "bf16", "f32"):
        exponent_bits, fraction_bits = FORMATS[narrow]
        top = (1 << exponent_bits) - 1 << fraction_bits
        for code in (0, 1, 2, (1 << fraction_bits) - 1, 1 << fraction_bits, top // 2, top // 2 + 1, top - 2, top - 1):
            ulp = decode(narrow, code + 1 if code + 1 < top else code)
            below = ulp - decode(narrow, code) if code + 1 < top else decode(narrow, code) - decode(narrow, code - 1)
            middle = decode(narrow, code) + below / 2
            for near in (middle, middle * (1 + Fraction(2) ** -45), middle * (1 - Fraction(2) ** -45),
                         middle * (1 + Fraction(2) ** -20), middle * (1 - Fraction(2) ** -20)):
                numbers += [near, -near]
    codes = [encode(name, x) for x in numbers] + [1, 2]
    codes += [int(x) for x in rng.integers(0, 1 << width(name), 20, dtype=np.uint64, endpoint=False)] if width(
        name) < 64 else [int(x) for x in rng.integers(0, 2**64 - 1, 20, dtype=np.uint64)]
    return list(dict.fromkeys(codes))


def elements_of(name):
    if name == "bool":
        return [0, 1, 1, 0, 1]
    return floats(name) if name in FORMATS else integers(name)


# --- Records ------------------------------------------------------------------------

records = []
twice = {}


def tensor(name, codes, shape):
    data = b"".join(code.to_bytes(TYPES[name].itemsize, "little") for code in codes)
    return {"dtype": name, "shape": shape, "b64": base64.b64encode(data).decode()}


def emit(source, target, pairs, saturate, oracles, note=None):
    if not pairs:
        return
    shape = [len(pairs)] if len(pairs) % 3 else [3, len(pairs) // 3]
    record = {
        "id": f"cast-{len(records) + 1:03d}", "kind": "elementwise", "op": "Cast", "rule": "numpy",
        "attrs": {"to": target, **({"saturate": 1} if saturate else {})},
        "inputs": [tensor(source, [a for a, _ in pairs], shape)], "expect": tensor(target, [b for _, b in pairs], shape),
        "origin": "random" if oracles else "spec", "oracles": oracles,
    }
    records.append({**record, "note": note} if note else record)


def make(source, target, saturate):
    codes = elements_of(source)
    got = bits_of(answer(source, target, np.array(codes, f"u{TYPES[source].itemsize}").view(TYPES[source]), saturate))
    agreed, differing, unknown = [], [], []
    for code, theirs in zip(codes, got):
        wanted, known = cast(source, target, code, saturate)
        if not known:
            unknown.append((code, wanted))
        elif same(target, wanted, theirs):
            agreed.append((code, wanted))
        else:
            differing.append((code, wanted))
    oracles = [NUMPY] + ([ML_DTYPES] if "bf16" in (source, target) else [])
    emit(source, target, agreed, saturate, oracles)
    emit(source, target, differing, saturate, [], f"{' with '.join(oracles)} rounds twice here")
    emit(source, target, unknown, saturate, [], "NumPy and ONNX leave undefined what is beyond the type, and NaN")
    if differing:
        twice[f"{source} to {target}"] = len(differing)


for source in TYPES:
    for target in TYPES:
        make(source, target, False)
        if source in INTEGERS and target in INTEGERS:
            low, high = limits(target)
            if any(not low <= x <= high for x in limits(source)):
                make(source, target, True)

with OUT.open("w", encoding="utf-8") as out:
    for record in records:
        out.write(json.dumps(record, separators=(",", ":")) + "\n")
print(f"{len(records)} records in {OUT}")
for pair, number in twice.items():
    print(f"rounded otherwise: {pair} ({number} elements)", file=sys.stderr)
