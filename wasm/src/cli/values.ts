import type { NdArray } from '../index.js';
import type { NpyDType } from '../npy.js';

/** An element as a JavaScript value; a complex number is a pair. */
export type Value = number | bigint | boolean | readonly [re: number, im: number];

/** The element of an array at a row-major index. */
export function valueAt({ data, dtype }: NdArray<NpyDType>, index: number): Value {
  if (dtype === 'c64' || dtype === 'c128') return [data[2 * index] as number, data[2 * index + 1] as number];
  const value = data[index] as number | bigint;
  if (dtype === 'bool') return value !== 0;
  if ((dtype as string) === 'bf16') return fromBfloat(value as number);
  return dtype === 'f16' && data instanceof Uint16Array ? fromHalf(value as number) : value;
}

/** The value whose bfloat16 bits these are: the upper half of binary32. */
function fromBfloat(bits: number): number {
  return new Float32Array(Uint32Array.of(bits << 16).buffer)[0] as number;
}

/** The value whose binary16 bits these are. */
function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}

/** Arrays of more elements are summarised, as NumPy does. */
const MOST_SHOWN = 1000;

/** Arrays of more axes are shown as one flat list: deeper nesting is unreadable. */
const MOST_NESTED = 16;

/**
 * The elements in nested brackets, one row in a line if it fits. A large array is shown by the first and last elements
 * along each axis; if these are still too many, by the first and last of all elements.
 */
export function formatValues(array: NdArray<NpyDType>, columns: number): string[] {
  const { shape } = array;
  const count = shape.reduce((product, extent) => product * extent, 1);
  if (shape.length === 0) return [formatValue(valueAt(array, 0), array.dtype)];
  if (count === 0) return ['[]'];
  const shown = (edge: number) => shape.reduce((product, extent) => product * Math.min(extent, 2 * edge), 1);
  const edge = count <= MOST_SHOWN ? Infinity : [3, 2, 1].find((width) => shown(width) <= MOST_SHOWN);
  const isNested = shape.length <= MOST_NESTED && edge !== undefined;
  const extents = isNested ? shape : [count];

  const texts = new Map<number, string>();
  const walk = (visit: (index: number) => void, axis = 0, index = 0): void => {
    if (axis === extents.length) return visit(index);
    for (const i of picked(extents[axis] as number, edge ?? 3)) {
      if (i !== null) walk(visit, axis + 1, index * (extents[axis] as number) + i);
    }
  };
  walk((index) => texts.set(index, formatValue(valueAt(array, index), array.dtype)));
  const width = [...texts.values()].reduce((most, { length }) => Math.max(most, length), 0);

  const nest = (axis: number, index: number): string[] => {
    const extent = extents[axis] as number;
    const items = picked(extent, edge ?? 3);
    if (axis === extents.length - 1) {
      const words = items.map((i) => (i === null ? '...' : (texts.get(index * extent + i) as string).padStart(width)));
      return fill(words, columns - 2 * extents.length);
    }
    const blocks = items.map((i) => (i === null ? ['...'] : nest(axis + 1, index * extent + i)));
    return bracketed(blocks.flatMap((lines, i) => (i < blocks.length - 1 ? withComma(lines) : lines)));
  };
  return nest(0, 0);
}

/** The indices of an axis that are shown; null stands for the omitted ones. */
function picked(extent: number, edge: number): (number | null)[] {
  if (extent <= 2 * edge) return Array.from({ length: extent }, (_, i) => i);
  const first = Array.from({ length: edge }, (_, i) => i);
  return [...first, null, ...first.map((i) => extent - edge + i)];
}

/** The words in brackets, separated by commas, in as few lines as possible. */
function fill(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  let line = '';
  words.forEach((word, i) => {
    const next = i < words.length - 1 ? `${word},` : word;
    if (line !== '' && line.length + 1 + next.length > columns) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? next : `${line} ${next}`;
  });
  return bracketed([...lines, line]);
}

function bracketed(lines: readonly string[]): string[] {
  const last = lines.length - 1;
  return lines.map((line, i) => `${i === 0 ? '[' : ' '}${line}${i === last ? ']' : ''}`);
}

function withComma(lines: readonly string[]): string[] {
  return lines.map((line, i) => (i === lines.length - 1 && line !== '...' ? `${line},` : line));
}

function formatValue(value: Value, dtype: NpyDType): string {
  if (typeof value === 'object') {
    const [re, im] = value.map((part) => formatFloat(part, dtype)) as [string, string];
    return `${re}${/^[-]/.test(im) ? '' : '+'}${im}i`;
  }
  return typeof value === 'number' ? formatFloat(value, dtype) : String(value);
}

/** The fewest digits that distinguish the value from all others of its type. */
function formatFloat(value: number, dtype: NpyDType): string {
  if (Object.is(value, -0)) return '-0';
  if (dtype === 'f16') return String(Number(value.toPrecision(5)));
  if ((dtype as string) === 'bf16') return String(Number(value.toPrecision(4)));
  if (dtype !== 'f32' && dtype !== 'c64') return String(value);
  for (let digits = 1; digits < 9; ++digits) {
    const text = Number(value.toPrecision(digits));
    if (Math.fround(text) === value) return String(text);
  }
  return String(Number(value.toPrecision(9)));
}
