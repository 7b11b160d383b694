// The expected result of a case, element by element: simple code from the text of the rules, which shares nothing with the
// package or with the JavaScript loops.
import { numpyForm } from '../cases.mjs';
import { arrayFor, bitsOf, bytesIn, elementCount, isFloat, resultType } from './elements.mjs';
import { Failure } from '../../fail.mjs';
import { mostUlps } from '../../../tests/reference/accuracy.mjs';

// --- Shapes -----------------------------------------------------------------------------------------------------------

// The result's shape, and each operand's strides along the result's axes, in elements; 0 where the operand repeats.
export function layoutOf(item) {
  const { shapes, target } = numpyForm(item);
  const all = target && item.rule === 'bidirectional' ? [...shapes, target] : shapes;
  const rank = Math.max(...all.map((shape) => shape.length), target?.length ?? 0);
  const shape = target && item.rule !== 'bidirectional' ? target : Array(rank).fill(1);
  const extentOf = (one, axis) => one[axis - rank + one.length] ?? 1;
  if (shape !== target) {
    for (const one of all) {
      for (let axis = 0; axis < rank; ++axis) if (shape[axis] === 1) shape[axis] = extentOf(one, axis);
    }
  }
  const strides = shapes.map((one) => {
    const own = Array(rank).fill(0);
    let stride = 1;
    for (let axis = rank - 1; axis >= rank - one.length; --axis) {
      const extent = extentOf(one, axis);
      if (extent !== 1 && extent !== shape[axis])
        throw new Failure(`the shapes do not fit: axis ${axis} has ${extent} and ${shape[axis]}`);
      own[axis] = extent === 1 ? 0 : stride;
      stride *= extent;
    }
    return own;
  });
  return { shape, strides };
}

// --- Elements ---------------------------------------------------------------------------------------------------------

const word = new Uint32Array(1);
const asFloat = new Float32Array(word.buffer);

function fromHalf(bits) {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return sign * (exponent ? 2 ** (exponent - 15) * (1 + fraction / 1024) : 2 ** -14 * (fraction / 1024));
}

// Rounds to nearest, ties to even.
function toHalf(value) {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size >= 65520) return sign | 0x7c00;
  const exponent = Math.max(Math.floor(Math.log2(size)), -14);
  const unit = 2 ** ((size === 0 ? -14 : exponent) - 10);
  const whole = Math.floor(size / unit);
  const rest = size / unit - whole;
  const rounded = (whole + (rest > 0.5 || (rest === 0.5 && whole & 1) ? 1 : 0)) * unit;
  if (rounded < 2 ** -14) return sign | Math.round(rounded / 2 ** -24);
  const place = Math.floor(Math.log2(rounded));
  return sign | ((place + 15) << 10) | ((rounded / 2 ** place - 1) * 1024);
}

function fromBrain(bits) {
  word[0] = bits << 16;
  return asFloat[0];
}

function toBrain(value) {
  asFloat[0] = value;
  if (Number.isNaN(value)) return 0x7fc0;
  // Rounded to f32 towards 0, and a rest makes the last bit 1, so that only the second rounding counts.
  const rounded = asFloat[0];
  if (Math.abs(rounded) > Math.abs(value)) --word[0];
  if (rounded !== value) word[0] |= 1;
  return (word[0] + 0x7fff + ((word[0] >>> 16) & 1)) >>> 16;
}

// Integers are computed as bigints, which are exact; storing them wraps.
const same = (value) => value;
const codecs = {
  f16: [fromHalf, toHalf],
  bf16: [fromBrain, toBrain],
  f32: [same, same],
  f64: [same, same],
  bool: [(value) => value !== 0, Number],
  i64: [same, (value) => BigInt.asIntN(64, value)],
  u64: [same, (value) => BigInt.asUintN(64, value)],
};
const codecOf = (dtype) => codecs[dtype] ?? [BigInt, (value) => Number(BigInt.asIntN(32, value))];

// --- Operators --------------------------------------------------------------------------------------------------------

const compared = {
  Equal: (x, y) => x === y,
  NotEqual: (x, y) => x !== y,
  Less: (x, y) => x < y,
  LessOrEqual: (x, y) => x <= y,
  Greater: (x, y) => x > y,
  GreaterOrEqual: (x, y) => x >= y,
};

// `round` rounds to the type in which the operator computes.
const floats = (round, fmod) => ({
  ...compared,
  Add: (x, y) => round(x + y),
  Sub: (x, y) => round(x - y),
  Mul: (x, y) => round(x * y),
  Div: (x, y) => round(x / y),
  Max: Math.max,
  Min: Math.min,
  Mod: fmod ? (x, y) => x % y : undefined,
  SquaredDifference: (x, y) => round(round(x - y) ** 2),
  Sum: (x, y) => round(x + y),
  Mean: (x, y) => round(x + y),
  PRelu: (x, y) => (x < 0 ? round(x * y) : x),
});

const integers = (bits, fmod, direction) => ({
  ...compared,
  Add: (x, y) => x + y,
  Sub: (x, y) => x - y,
  Mul: (x, y) => x * y,
  Div: (x, y) => (y === 0n ? 0n : x / y),
  Max: (x, y) => (x > y ? x : y),
  Min: (x, y) => (x < y ? x : y),
  Mod: (x, y) => (y === 0n ? 0n : fmod ? x % y : ((x % y) + y) % y),
  SquaredDifference: (x, y) => BigInt.asIntN(bits, x - y) ** 2n,
  PRelu: (x, y) => (x < 0n ? x * y : x),
  BitwiseAnd: (x, y) => x & y,
  BitwiseOr: (x, y) => x | y,
  BitwiseXor: (x, y) => x ^ y,
  BitShift: (x, y) => (y >= BigInt(bits) ? 0n : direction === 'left' ? x << y : x >> y),
});

const truths = {
  ...compared,
  And: (x, y) => x && y,
  Or: (x, y) => x || y,
  Xor: (x, y) => x !== y,
};

// Wrapped to 64 bits at each step; a negative exponent gives the truncated real value, and 0 of 0.
function integerPower(base, exponent) {
  if (exponent < 0n) {
    if (base === 1n) return 1n;
    return base === -1n ? (exponent % 2n === 0n ? 1n : -1n) : 0n;
  }
  let result = 1n;
  for (let square = base; exponent > 0n; exponent >>= 1n) {
    if (exponent & 1n) result = BigInt.asIntN(64, result * square);
    square = BigInt.asIntN(64, square * square);
  }
  return result;
}

const roundingOf = (dtype) => (dtype === 'f64' ? same : Math.fround);

const mean = ({ dtypes }) => {
  const round = roundingOf(dtypes[0]);
  return (sum) => round(sum / dtypes.length);
};

// A number as an integer of a type: whole, within its range, and 0 for NaN.
function saturated(value, dtype) {
  if (Number.isNaN(value)) return 0n;
  const bits = BigInt(bitsOf(dtype));
  const isSigned = dtype.startsWith('i');
  const [least, most] = isSigned ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n] : [0n, 2n ** bits - 1n];
  if (value <= Number(least)) return least;
  return value >= Number(most) ? most : BigInt(Math.trunc(value));
}

// Converts a value as it was decoded from one type to what the other type encodes.
function converter(from, to) {
  if (to === 'bool') return from === 'bool' ? same : isFloat(from) ? (x) => x !== 0 : (x) => x !== 0n;
  if (isFloat(to)) return Number;
  return isFloat(from) ? (x) => saturated(x, to) : BigInt;
}

// A power of any two types; exponents of more than 53 bits are rounded.
function power([base, exponent]) {
  if (!isFloat(base) && !isFloat(exponent)) return integerPower;
  if (isFloat(base)) return (x, y) => roundingOf(base)(x ** Number(y));
  return (x, y) => saturated(Number(x) ** y, base);
}

function operator({ op, dtypes: [dtype], fmod, direction }) {
  const table = isFloat(dtype)
    ? floats(roundingOf(dtype), fmod)
    : dtype === 'bool'
      ? truths
      : integers(bitsOf(dtype), fmod, direction);
  if (!Object.hasOwn(table, op) || table[op] === undefined) throw new Failure(`no operator ${op} of ${dtype}`);
  return table[op];
}

// --- Results ----------------------------------------------------------------------------------------------------------

const mostSamples = 10_000;

// The result of a case: {data, shape, dtype}. With `got`, a result in question, only some of its elements are computed, and all
// others are its own.
export function reference(item, operands, got) {
  const { shape, strides } = layoutOf(item);
  const dtype = resultType(item);
  const cells = elementCount(shape);
  const data = got && `${got.shape}` === `${shape}` ? got.data.slice() : arrayFor(cells, dtype);
  const write = writer(item, data, operands);
  // An odd number, so that no place of a row is left out.
  const step = got ? Math.ceil(cells / mostSamples) | 1 : 1;
  const rank = shape.length;
  const at = strides.map(() => 0);
  for (let cell = 0; cell < cells; cell += step) {
    at.fill(0);
    for (let axis = rank - 1, left = cell; axis >= 0; --axis) {
      const place = left % shape[axis];
      left = (left - place) / shape[axis];
      for (let i = 0; i < at.length; ++i) at[i] += strides[i][axis] * place;
    }
    write(cell, at);
  }
  return { data, shape, dtype };
}

// Returns a function that writes an element of the result, from the index of each operand's element for it.
function writer(item, data, operands) {
  const { op } = item;
  if (op === 'Broadcast') return mover(operands[0].dtype, data, operands[0].data);
  if (op === 'Where') {
    const [condition, yes, no] = operands;
    const [moveYes, moveNo] = [yes, no].map((operand) => mover(operand.dtype, data, operand.data));
    return (cell, at) => (condition.data[at[0]] ? moveYes(cell, [at[1]]) : moveNo(cell, [at[2]]));
  }
  const decoders = operands.map(({ dtype }) => codecOf(dtype)[0]);
  const [, encode] = codecOf(resultType(item));
  const valueOf = (at, i) => decoders[i](operands[i].data[at[i]]);
  if (op === 'Cast') {
    const convert = converter(operands[0].dtype, item.to);
    return (cell, at) => (data[cell] = encode(convert(valueOf(at, 0))));
  }
  const compute = op === 'Pow' ? power(item.dtypes) : operator(item);
  const finish = op === 'Mean' ? mean(item) : same;
  return (cell, at) => {
    let value = compute(valueOf(at, 0), valueOf(at, 1));
    for (let i = 2; i < operands.length; ++i) value = compute(value, valueOf(at, i));
    data[cell] = encode(finish(value));
  };
}

// Moves elements without changing them: bytes, or bits for types of less than a byte.
function mover(dtype, data, from) {
  const bits = bitsOf(dtype);
  const [to, source] = [bytesIn(data), bytesIn(from)];
  if (bits >= 8) {
    const width = bits / 8;
    return (cell, [at]) => {
      for (let i = 0; i < width; ++i) to[cell * width + i] = source[at * width + i];
    };
  }
  const most = 8 / bits;
  const mask = (1 << bits) - 1;
  // i4 and u4 are stored low half first, u1 highest bit first.
  const shift = (element) => (bits === 4 ? 4 * (element & 1) : 7 - (element & 7));
  return (cell, [at]) => {
    const element = (source[Math.floor(at / most)] >> shift(at)) & mask;
    const byte = Math.floor(cell / most);
    to[byte] = (to[byte] & ~(mask << shift(cell))) | (element << shift(cell));
  };
}

// --- Comparing --------------------------------------------------------------------------------------------------------

// A description of the first element that differs from the expected result, or undefined. All NaNs of computing operators are
// equal; a power may differ by some units in the last place.
export function firstDifference(item, expected, got) {
  if (got === undefined || got.data === undefined) return 'no array';
  if (got.shape !== undefined && `${got.shape}` !== `${expected.shape}`) return `its shape is [${got.shape}]`;
  if (got.data.constructor !== expected.data.constructor) return `it is a ${got.data.constructor.name}`;
  if (got.data.length !== expected.data.length)
    return `it has ${got.data.length} elements, not ${expected.data.length}`;
  const [right, have] = [bytesIn(expected.data), bytesIn(got.data)];
  if (Buffer.compare(right, have) === 0) return undefined;
  const bits = bitsOf(expected.dtype);
  const forgiving = item.op !== 'Broadcast' && isFloat(expected.dtype);
  const most = mostUlps(item.op, expected.dtype);
  for (let byte = 0; byte < right.length; ++byte) {
    if (right[byte] === have[byte]) continue;
    let element = Math.floor((byte * 8) / bits);
    if (bits < 8) {
      const apart = right[byte] ^ have[byte];
      element += bits === 4 ? (apart & 15 ? 0 : 1) : Math.clz32(apart) - 24;
    } else if (forgiving && isNear(expected.dtype, expected.data, got.data, element, most)) {
      byte = (element + 1) * (bits / 8) - 1;
      continue;
    }
    const index = [];
    for (let axis = expected.shape.length - 1, left = element; axis >= 0; --axis) {
      index.unshift(left % expected.shape[axis]);
      left = Math.floor(left / expected.shape[axis]);
    }
    const [is, not] = [got, expected].map(({ data }) => spelled(expected.dtype, data, element));
    return `element [${index}] is ${is}, not ${not}`;
  }
  return undefined;
}

function isNear(dtype, expected, got, element, most) {
  const [decode] = codecOf(dtype);
  const [right, have] = [decode(expected[element]), decode(got[element])];
  if (Number.isNaN(right) || Number.isNaN(have)) return Number.isNaN(right) && Number.isNaN(have);
  const fraction = { f16: 10, bf16: 7, f32: 23, f64: 52 }[dtype];
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(right) || Number.MIN_VALUE)) - fraction);
  return right !== have && Math.abs(right - have) <= most * unit;
}

function spelled(dtype, data, element) {
  const bits = bitsOf(dtype);
  if (dtype in codecs && dtype !== 'bool') return codecs[dtype][0](data[element]).toString();
  if (bits >= 8 && /^[iub]/.test(dtype)) return data[element].toString();
  const first = Math.floor((element * bits) / 8);
  const bytes = bytesIn(data).subarray(first, first + Math.max(bits / 8, 1));
  return `0x${Buffer.from(bytes).reverse().toString('hex')}`;
}
