// Element types as typed arrays, and the operands of a case: the same numbers in every process, without values that make
// operators slow.
import { readFileSync } from 'node:fs';
import { Failure } from '../../fail.mjs';
import { ARRAYS } from '../../../tests/reference/arrays.mjs';

const { dtypes: types, ops } = JSON.parse(
  readFileSync(new URL('../../../tests/reference/vocabulary.json', import.meta.url), 'utf8'),
);

export const isFloat = (dtype) => ['f16', 'bf16', 'f32', 'f64'].includes(dtype);
export const isNumber = (dtype) => /^[iu](8|16|32|64)$/.test(dtype) || isFloat(dtype);

export function bitsOf(dtype) {
  if (!Object.hasOwn(types, dtype)) throw new Failure(`no element type ${dtype}`);
  return types[dtype].bits;
}

const bytesOf = (count, dtype) => Math.ceil((count * bitsOf(dtype)) / 8);
export const elementCount = (shape) => shape.reduce((count, extent) => count * extent, 1);
// The type of a case's result; of an unknown operator, which the library will refuse, that of its first operand.
export const resultType = ({ op, dtypes, to }) =>
  ({ bool: 'bool', second: dtypes[1], to })[ops[op]?.result] ?? dtypes[0];

// A typed array for `count` elements.
export function arrayFor(count, dtype) {
  const Held = ARRAYS[dtype];
  return new Held(bytesOf(count, dtype) / Held.BYTES_PER_ELEMENT);
}

export const bytesIn = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

// Copies arrays into one buffer, each beginning 256 bytes further into its page than the one before. Otherwise arrays read and
// written at the same pace may have equal low address bits. Processors compare those bits first to decide whether a load
// depends on an earlier store, and a loop can take 1.5 times as long.
export function spread(arrays) {
  const page = 4096;
  const places = [];
  let end = 0;
  arrays.forEach(({ byteLength }, number) => {
    places.push(Math.ceil(end / page) * page + ((number * 256) % page));
    end = places.at(-1) + byteLength;
  });
  const buffer = new ArrayBuffer(end);
  return arrays.map((array, number) => {
    const copy = new array.constructor(buffer, places[number], array.length);
    copy.set(array);
    return copy;
  });
}

// The operands of a case: {data, shape, dtype}. Elements are random bits, masked so that they are ordinary values.
export function makeOperands({ op, dtypes, shapes }) {
  return shapes.map((shape, operand) => {
    const dtype = dtypes[operand];
    const count = elementCount(shape);
    if (!Number.isSafeInteger(count) || bytesOf(count, dtype) > 2 ** 33)
      throw new Failure(`an operand of ${shape.join(' x ')} elements does not fit in an array`);
    const data = arrayFor(count, dtype);
    fill(bytesIn(data), bits(op, dtype, operand), operand);
    return { data, shape, dtype };
  });
}

// Masks for a number of `width` bits: which random bits to keep, and which bits to set. Floats are between 1 and 2, of either
// sign.
function bits(op, dtype, operand) {
  const few = op === 'Equal' || op === 'NotEqual'; // few values, so that some are equal
  const positive = op === 'Pow' && operand === 0; // a power of a negative number is mostly NaN
  // A complex number is two floats.
  const width = /^c/.test(dtype) ? bitsOf(dtype) / 2 : bitsOf(dtype);
  const all = (1n << BigInt(Math.min(width, 64))) - 1n;
  const float = (fraction, some, one) => ({
    keep: few ? some : fraction | (positive ? 0n : 1n << BigInt(width - 1)),
    set: one,
    width,
  });
  switch (dtype) {
    case 'bool':
      return { keep: 1n, set: 0n, width };
    case 'f16':
      return float(0x03ffn, 0x0300n, 0x3c00n);
    case 'bf16':
      return float(0x007fn, 0x0060n, 0x3f80n);
    case 'f32':
    case 'c64':
      return float(0x007fffffn, 0x00600000n, 0x3f800000n);
    case 'f64':
    case 'c128':
      return float(0x000fffffffffffffn, 0x000c000000000000n, 0x3ff0000000000000n);
  }
  if (!isNumber(dtype)) return { keep: all, set: 0n, width };
  if (few) return { keep: 3n, set: 0n, width };
  if (op === 'Pow') return { keep: operand === 0 ? 15n : 7n, set: 0n, width };
  if (op === 'BitShift' && operand === 1) return { keep: BigInt(width - 1), set: 0n, width };
  return { keep: all, set: (op === 'Div' || op === 'Mod') && operand === 1 ? 1n : 0n, width };
}

function fill(bytes, { keep, set, width }, operand) {
  for (; width < 64; width *= 2) {
    const shift = BigInt(width);
    keep |= keep << shift;
    set |= set << shift;
  }
  const half = (value) => [Number(value & 0xffffffffn) | 0, Number((value >> 32n) & 0xffffffffn) | 0];
  const [keepHalves, setHalves] = [half(keep), half(set)];
  // Whole 32-bit words; the array may end within the last one.
  const words = new Int32Array(Math.ceil(bytes.length / 4));
  let state = Math.imul(0x9e3779b9, operand + 1);
  for (let i = 0; i < words.length; ++i) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    words[i] = (Math.imul(state, 0x2545f491) & keepHalves[i & 1]) | setHalves[i & 1];
  }
  bytes.set(new Uint8Array(words.buffer, 0, bytes.length));
}
