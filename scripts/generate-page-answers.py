#!/usr/bin/env python3
"""Answers the questions of tests/browser/value-questions.mjs independently of the core and the page.

The elements of operands are generated as the page describes them (counting, random, a constant, a list) and converted to
their types with exact fractions. Integers are computed with Python's integers, floats with NumPy and, for bfloat16 and 8-bit
floats, with ml_dtypes. Where the core differs from NumPy, its documentation is followed: integer Div truncates and x / 0 is
0, Max and Min distinguish the zeros, PRelu is x where not x < 0, f16 and bf16 are computed in f32 and rounded once.

    node tests/browser/value-questions.mjs > build/questions.json
    python3 -m venv venv && venv/bin/pip install numpy==2.4.6 ml_dtypes==0.6.0
    venv/bin/python scripts/generate-page-answers.py build/questions.json > tests/browser/value-answers.txt

Each line answers one question, in fields separated by tabs: id, digest, the elements of each operand, the elements of the
result, and, for each operand, the number of the element that feeds the selected cell. Elements are the base64 text of their
bits, highest byte first; types of less than a byte take one byte.
"""

import base64
import functools
import json
import math
import re
import sys
from fractions import Fraction

import ml_dtypes
import numpy as np

# --- Element types ------------------------------------------------------------------

FLOATS = {
    "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32), "f64": np.dtype(np.float64),
    "f8e4m3": np.dtype(ml_dtypes.float8_e4m3fn), "f8e5m2": np.dtype(ml_dtypes.float8_e5m2),
}
COMPLEX = {"c64": "f32", "c128": "f64"}
# Bits of the significand including its leading one, the least exponent of its last place, the largest finite number.
FORMS = {
    "f16": (11, -24, Fraction(65504)), "bf16": (8, -133, Fraction(255) * Fraction(2) ** 120),
    "f32": (24, -149, Fraction(2**24 - 1) * Fraction(2) ** 104),
    "f64": (53, -1074, Fraction(2**53 - 1) * Fraction(2) ** 971),
    "f8e4m3": (4, -9, Fraction(448)), "f8e5m2": (3, -16, Fraction(57344)),
}


def integer(name):
    """Returns (signed, bits) for an integer type, else None."""
    match = re.fullmatch(r"([iu])(\d+)", name)
    return match and (match[1] == "i", int(match[2]))


def wrapped(value, name):
    signed, bits = integer(name)
    value &= 2**bits - 1
    return value - 2**bits if signed and value >> (bits - 1) else value


def limits(name):
    signed, bits = integer(name)
    return (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)


def rounded(value, name):
    """Returns the nearest float, ties to even, as a Python float; too large a number becomes infinity or NaN."""
    overflow = math.nan if name == "f8e4m3" else math.inf
    if math.isnan(value):
        return math.nan
    if math.isinf(value):
        return math.copysign(overflow, value)
    if value == 0:
        return float(value)
    digits, last, largest = FORMS[name]
    exact = abs(Fraction(value))
    exponent = exact.numerator.bit_length() - exact.denominator.bit_length()
    if exact < Fraction(2) ** exponent:
        exponent -= 1
    place = Fraction(2) ** max(exponent - digits + 1, last)
    nearest = round(exact / place) * place  # Python rounds ties to even
    return math.copysign(overflow if nearest > largest else float(nearest), value)


def element(value, name):
    """Converts a typed value to an element: int, bool, float (exact in its type) or a pair of floats."""
    if name == "bool":
        return bool(value)
    if integer(name):
        return wrapped(int(value), name)
    if name in COMPLEX:
        parts = value if isinstance(value, tuple) else (value, 0.0)
        return tuple(rounded(float(part), COMPLEX[name]) for part in parts)
    # Numbers are first read as doubles, as in every system.
    return rounded(float(value), name)


def bits_of(value, name):
    """Returns the element's bits as bytes, highest first."""
    if name == "bool":
        return bytes([value])
    if integer(name):
        _, bits = integer(name)
        return (value % 2**bits).to_bytes(max(1, bits // 8), "big")
    if name in COMPLEX:
        return b"".join(bits_of(part, COMPLEX[name]) for part in value)
    dtype = FLOATS[name]
    return np.array(value, dtype=np.float64).astype(dtype).tobytes()[::-1]


# --- Operands -----------------------------------------------------------------------


def word(text):
    """One typed value."""
    known = {"true": True, "false": False, "nan": math.nan, "inf": math.inf, "-inf": -math.inf}
    if text.lower() in known:
        return known[text.lower()]
    if re.fullmatch(r"[+-]?\d+", text) and text != "-0":
        return int(text)
    if text.endswith("j"):
        parsed = complex(text)
        return (parsed.real, parsed.imag)
    return float(text)


def listed(text):
    inner = re.sub(r"^[\w.\s=]*\(|,\s*dtype=\w+\)$|\)$", "", text) if re.match(r"[a-z].*\(", text) else text
    return [word(item) for item in re.split(r"[\s,;()\[\]{}]+", inner) if item]


def counted(flat, name, operand):
    """0, 1, 2 ... for the first operand; 10, 20 ..., 100, 200 ... and so on for the others."""
    if name == "bool":
        return flat // 2 ** (operand % 3) % 2 == 1
    if operand == 0:
        value = flat
    else:
        step = 10**operand if operand < 4 else 1000 * (operand - 2)
        small = integer(name) is not None and integer(name)[1] < 8
        value = step // 10 + flat if small else step + flat * step
    return (value, 1) if name in COMPLEX else value


def stirred(number):
    """The finaliser of MurmurHash3."""
    number ^= number >> 16
    number = number * 0x85EBCA6B % 2**32
    number ^= number >> 13
    number = number * 0xC2B2AE35 % 2**32
    return number ^ number >> 16


def drawn(flat, name, operand, seed):
    start = stirred(operand + 1)
    for letter in seed:
        start = stirred(start ^ ord(letter))

    def below(at, most):
        return stirred(start ^ stirred(at)) * most // 2**32

    form = integer(name)
    if name == "bool":
        return below(flat, 2) == 1
    if name == "u1":
        return below(flat, 2)
    if name == "i4":
        return below(flat, 16) - 8
    if form:
        return below(flat, 19) - 9 if form[0] else below(flat, 10)
    if name in COMPLEX:
        return tuple((below(2 * flat + part, 201) - 100) / 100 for part in (0, 1))
    return (below(flat, 201) - 100) / 100


def elements_of(number, operand):
    name, kind, text = operand["dtype"], operand["kind"], operand["text"]
    total = math.prod(operand["shape"])
    if kind == "list":
        values = listed(text)
        assert len(values) == total, (text, total)
    elif kind == "constant":
        values = [word(text)] * total
    elif kind == "counting":
        values = [counted(flat, name, number) for flat in range(total)]
    else:
        values = [drawn(flat, name, number, text) for flat in range(total)]
    return [element(value, name) for value in values]


# --- Sources of elements ------------------------------------------------------------


def numbered(question):
    """For each operand, an array of the result's shape with the number of the element that feeds each cell."""
    rule, shapes = question["rule"], [operand["shape"] for operand in question["operands"]]
    numbers = [np.arange(math.prod(shape)).reshape(shape) for shape in shapes]
    target = question["target"]
    if rule == "pdpd":
        first, *others = shapes
        return [numbers[0]] + [
            np.broadcast_to(n.reshape([*n.shape, *[1] * (len(first) - int(question["axis"]) - n.ndim)]), first)
            for n in numbers[1:]
        ]
    if rule == "explicit":
        mapping = json.loads(question["mapping"])
        lying = [1] * len(target)
        for axis, extent in zip(mapping, shapes[0]):
            lying[axis] = extent
        return [np.broadcast_to(numbers[0].reshape(lying), target)]
    if rule == "broadcast_numpy":
        return [np.broadcast_to(numbers[0], target)]
    if rule == "bidirectional":
        return [np.broadcast_to(numbers[0], np.broadcast_shapes(shapes[0], target))]
    if rule == "onnx_unidirectional":
        return [np.broadcast_to(n, shapes[0]) for n in numbers]
    if rule == "none":
        assert all(shape == shapes[0] for shape in shapes)
        return numbers
    assert rule in ("numpy", "onnx_multidirectional", "sonnx"), rule
    return list(np.broadcast_arrays(*numbers))


# --- Operators ----------------------------------------------------------------------


def computes_in(name):
    return np.float64 if name == "f64" else np.float32


def in_floats(work):
    """Wraps an operator that NumPy computes in f64, or in f32 with one rounding at the end."""

    def cell(name, *values):
        wide = computes_in(name)
        with np.errstate(all="ignore"):
            result = work(*(wide(value) for value in values))
            return float(np.asarray(result, dtype=wide).astype(FLOATS[name]))

    return cell


def in_integers(work):
    return lambda name, *values: wrapped(work(*values), name)


def quotient(a, b):
    return 0 if b == 0 else (abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a, b):
    return 0 if b == 0 else a - b * quotient(a, b)


def is_less(a, b):
    """Whether a is less than b, with -0 less than 0."""
    return a < b or (a == b == 0 and math.copysign(1, a) < math.copysign(1, b))


def extreme(picks):
    def cell(name, *values):
        if any(math.isnan(value) for value in values if isinstance(value, float)):
            return math.nan
        return functools.reduce(lambda a, b: b if picks(a, b) else a, values)

    return cell


def power(question, a, b):
    name, exponent = (operand["dtype"] for operand in question["operands"])
    if not integer(name):
        # 64 bits of significand; the remaining error is within Pow's tolerance.
        with np.errstate(all="ignore"):
            real = np.power(np.longdouble(a), np.longdouble(b))
            if not np.isfinite(real):
                return float(real)
            return rounded(float(real), name) if name != "f64" else float(real)
    if integer(exponent):
        if b >= 0:
            return wrapped(pow(a, b, 2**64), name)
        return {1: 1, -1: -1 if b % 2 else 1}.get(a, 0)
    with np.errstate(all="ignore"):
        real = float(np.power(np.float64(a), np.float64(b)))
    low, high = limits(name)
    return 0 if math.isnan(real) else high if real >= high else low if real <= low else int(real)


def left_to_right(name, values):
    wide = computes_in(name)
    with np.errstate(all="ignore"):
        return functools.reduce(lambda a, b: wide(a + b), (wide(value) for value in values))


def summed(name, *values):
    return in_floats(lambda *_: left_to_right(name, values))(name, *values)


def averaged(name, *values):
    wide = computes_in(name)
    return in_floats(lambda *_: left_to_right(name, values) / wide(len(values)))(name, *values)


def shifted(question):
    _, bits = integer(question["dtype"])

    def cell(a, b):
        if b >= bits:
            return 0
        return a << b if question["direction"] == "left" else a >> b

    return cell


def modulo(question):
    name = question["dtype"]
    if not integer(name):
        return in_floats(np.fmod)
    if question["fmod"] == "1":
        return in_integers(remainder)
    return in_integers(lambda a, b: 0 if b == 0 else a - b * (a // b))


def both(integers, floats):
    return lambda question: (in_integers if integer(computed_type(question)) else in_floats)(
        integers if integer(computed_type(question)) else floats
    )


def plain(work):
    return lambda question: lambda name, *values: work(*values)


def sloped(question):
    product = both(lambda a, b: a * b, lambda a, b: a * b)(question)
    return lambda name, a, b: product(name, a, b) if a < 0 else a


def same(work):
    return both(work, work)


def cast(question):
    """Rounds at most once; integers wrap or saturate, floats saturate to integers, NaN gives 0."""
    to = question["to"]

    def cell(name, a):
        if to == "bool":
            return a != 0
        if not integer(to):
            return rounded(a if isinstance(a, float) else int(a), to)
        low, high = limits(to)
        if isinstance(a, float):
            if math.isnan(a):
                return 0
            return low if a <= low else high if a >= high else math.trunc(a)
        return max(low, min(high, int(a))) if question.get("saturate") else wrapped(int(a), to)

    return cell


OPERATORS = {
    "Add": same(lambda a, b: a + b),
    "Sub": same(lambda a, b: a - b),
    "Mul": same(lambda a, b: a * b),
    "Div": both(quotient, lambda a, b: a / b),
    "Mod": modulo,
    "Pow": lambda question: lambda name, a, b: power(question, a, b),
    "SquaredDifference": same(lambda a, b: (a - b) * (a - b)),
    "Max": lambda question: extreme(is_less),
    "Min": lambda question: extreme(lambda a, b: is_less(b, a)),
    "Sum": lambda question: summed,
    "Mean": lambda question: averaged,
    "Equal": plain(lambda a, b: a == b),
    "NotEqual": plain(lambda a, b: a != b),
    "Less": plain(lambda a, b: a < b),
    "LessOrEqual": plain(lambda a, b: a <= b),
    "Greater": plain(lambda a, b: a > b),
    "GreaterOrEqual": plain(lambda a, b: a >= b),
    "And": plain(lambda a, b: a and b),
    "Or": plain(lambda a, b: a or b),
    "Xor": plain(lambda a, b: a != b),
    "BitwiseAnd": same(lambda a, b: a & b),
    "BitwiseOr": same(lambda a, b: a | b),
    "BitwiseXor": same(lambda a, b: a ^ b),
    "BitShift": lambda question: in_integers(shifted(question)),
    "PRelu": sloped,
    "Cast": cast,
    "Where": plain(lambda condition, a, b: a if condition else b),
}


def computed_type(question):
    """The type in which the operands are computed."""
    return question.get("computed") or question["dtype"]


def answer(question):
    operands = [elements_of(i, operand) for i, operand in enumerate(question["operands"])]
    numbers = numbered(question)
    types = [operand["dtype"] for operand in question["operands"]]
    if question["op"] == "Broadcast":
        name = types[question["output"]]
        result = [operands[question["output"]][at] for at in numbers[question["output"]].flat]
    else:
        name = computed_type(question)
        if "computed" in question:
            fed = [[element(value, name) for value in operand] for operand in operands]
        else:
            fed = operands
        if question["op"] not in OPERATORS:
            raise SystemExit(f"{question['op']} has no independent answers yet: write them here, among OPERATORS")
        work = OPERATORS[question["op"]](question)
        cells = zip(*(number.flat for number in numbers))
        known = {}
        result = []
        for cell in cells:
            if cell not in known:
                known[cell] = work(name, *(values[at] for values, at in zip(fed, cell)))
            result.append(known[cell])
        if "to" in question:
            name = question["to"]
        elif question["result"] == "bool":
            name, result = "bool", [bool(value) for value in result]
    hand = [int(number[tuple(question["at"])]) for number in numbers]

    def encoded(values, name):
        return base64.b64encode(b"".join(bits_of(value, name) for value in values)).decode()

    return [
        question["id"], question["digest"],
        ",".join(encoded(values, type_) for values, type_ in zip(operands, types)),
        encoded(result, name), ",".join(map(str, hand)),
    ]


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        questions = json.load(file)
    for question in questions:
        print("\t".join(answer(question)))


main()
