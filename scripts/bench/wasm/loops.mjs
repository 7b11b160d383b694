// The fastest JavaScript for a case: careful hand-written loops for its pattern of shapes, on raw typed arrays, and the built-in
// fill, set and copyWithin where they suffice.
//
// There are several ways to write a loop; the bench measures which is the fastest. Arrays, extents and the operator are
// constants of the closures that `write` returns, like top-level constants of a program. V8 inlines them, which makes loops
// twice as fast, but only while a closure is the only one created at its place in the source. So this module is loaded again
// for each loop (import './loops.mjs?NAME').
import { bitsOf, isFloat } from './elements.mjs';
import { layoutOf } from './reference.mjs';

// --- The pattern ------------------------------------------------------------------------------------------------------

// The loops of a case, outermost first: {n, step: [one for each operand]}. Neighbouring axes are joined where all operands
// allow it, and axes of extent 1 are dropped; the result is written in order. Innermost steps are 1 or 0.
export function loopsOf(item) {
  const { shape, strides } = layoutOf(item);
  const loops = [];
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    const n = shape[axis];
    if (n === 1) continue;
    const step = strides.map((own) => own[axis]);
    const inner = loops[0];
    if (inner?.step.every((stride, i) => stride * inner.n === step[i])) inner.n *= n;
    else loops.unshift({ n, step });
  }
  if (loops.length === 0) loops.push({ n: 1, step: strides.map(() => 1) });
  // Complex numbers are two entries each.
  if (item.op === 'Broadcast' && /^c/.test(item.dtypes[0])) {
    for (const loop of loops) loop.step = loop.step.map((stride) => 2 * stride);
    const inner = loops.at(-1);
    if (inner.step[0] === 2) Object.assign(inner, { n: 2 * inner.n, step: [1] });
    else loops.push({ n: 2, step: [1] });
  }
  return loops;
}

// --- Operators --------------------------------------------------------------------------------------------------------

// Booleans are converted to numbers by `+`: choosing between 1 and 0 would be a branch, which is often mispredicted.
const compared = {
  Equal: (x, y) => +(x === y),
  NotEqual: (x, y) => +(x !== y),
  Less: (x, y) => +(x < y),
  LessOrEqual: (x, y) => +(x <= y),
  Greater: (x, y) => +(x > y),
  GreaterOrEqual: (x, y) => +(x >= y),
};

// Storing into the typed array rounds or wraps.
const arithmetic = { ...compared, Add: (x, y) => x + y, Sub: (x, y) => x - y };
const floats = {
  ...arithmetic,
  Mul: (x, y) => x * y,
  Div: (x, y) => x / y,
  Max: Math.max,
  Min: Math.min,
  Pow: (x, y) => x ** y,
  Mod: (x, y) => x % y,
  Sum: (x, y) => x + y,
  PRelu: (x, y) => (x < 0 ? x * y : x),
};
const integers = {
  ...arithmetic,
  Mul: (x, y) => Math.imul(x, y),
  Div: (x, y) => (x / y) | 0, // 0 also for y = 0
  Max: (x, y) => (x > y ? x : y),
  Min: (x, y) => (x < y ? x : y),
  SquaredDifference: (x, y) => Math.imul(x - y, x - y),
  BitwiseAnd: (x, y) => x & y,
  BitwiseOr: (x, y) => x | y,
  BitwiseXor: (x, y) => x ^ y,
};
const bigints = { ...integers, Mul: (x, y) => x * y, Div: undefined, SquaredDifference: (x, y) => (x - y) * (x - y) };
const bigFloats = { ...floats, SquaredDifference: (x, y) => (x - y) * (x - y) };
const truths = {
  Equal: (x, y) => +((x !== 0) === (y !== 0)),
  NotEqual: (x, y) => +((x !== 0) !== (y !== 0)),
  And: (x, y) => +(x !== 0) & +(y !== 0),
  Or: (x, y) => +((x | y) !== 0),
  Xor: (x, y) => +(x !== 0) ^ +(y !== 0),
};

// Undefined for cases that are not written as loops in JavaScript: 16-bit floats, which would need decoding, and rare operators.
function operator({ op, dtypes: [dtype] }) {
  if (dtype === 'f16' || dtype === 'bf16') return undefined;
  if (dtype === 'u32' && op === 'Div') return (x, y) => (x / y) >>> 0;
  if (dtype === 'bool') return truths[op];
  if (dtype === 'f64') return bigFloats[op];
  return (isFloat(dtype) ? floats : bitsOf(dtype) === 64 ? bigints : integers)[op];
}

// --- Ways of writing --------------------------------------------------------------------------------------------------

// The names of the ways, for `write`.
export const namesOf = (item) => Object.keys(item.op === 'Broadcast' ? copies : computations);

// The loop of a case as a function run(to), which writes into `out`, or into `to` if there is no `out`. Undefined if this way
// does not fit the case.
export function write(name, item, [a, b], out) {
  const loops = loopsOf(item);
  if (bitsOf(item.dtypes[0]) < 8 || loops.some(({ n }) => n === 0)) return undefined;
  if (item.op === 'Broadcast') return copies[name](loops, a, out);
  const f = operator(item);
  return f && computations[name](divided(loops), f, a, b, out);
}

const sizeOf = (loops) => loops.reduce((size, { n }) => size * n, 1);

// Whether an operand's elements are in the same order as the result's over these loops.
function isInStep(loops, operand) {
  let size = 1;
  return loops.toReversed().every(({ n, step }) => {
    const fits = step[operand] === size;
    size *= n;
    return fits;
  });
}

// The same loops, with a long outermost loop split into two: V8 treats a function's arguments as constants only if it inlines
// the function into a loop that calls it.
function divided(loops) {
  const [{ n, step }, ...rest] = loops;
  for (let part = 4096; n > 4096 && part >= 256; --part) {
    if (n % part === 0) return [{ n: n / part, step: step.map((stride) => stride * part) }, { n: part, step }, ...rest];
  }
  return loops;
}

// Returns a function that calls body(result, o, i, j) for each index of the loops, where o, i and j are indices into the result
// and the operands. The result is `out`, or else the argument of the returned function.
function outside(outer, size, body, out) {
  const { n, step } = outer.at(-1) ?? { n: 1, step: [0, 0] };
  const [stepA, stepB = 0] = step;
  const turn = out
    ? (o, i, j) => {
        for (let r = 0; r < n; ++r, o += size, i += stepA, j += stepB) body(out, o, i, j);
      }
    : (o, i, j, to) => {
        for (let r = 0; r < n; ++r, o += size, i += stepA, j += stepB) body(to, o, i, j);
      };
  if (outer.length <= 1) return (to) => turn(0, 0, 0, to);
  // An odometer over the other loops.
  const further = outer.slice(0, -1);
  const extents = further.map((loop) => loop.n);
  const stepsA = further.map((loop) => loop.step[0]);
  const stepsB = further.map((loop) => loop.step[1] ?? 0);
  const turns = sizeOf(further);
  const index = new Int32Array(further.length);
  return (to) => {
    for (let r = 0, o = 0, i = 0, j = 0; r < turns; ++r, o += n * size) {
      turn(o, i, j, to);
      for (let axis = index.length - 1; axis >= 0; --axis) {
        i += stepsA[axis];
        j += stepsB[axis];
        if (++index[axis] < extents[axis]) break;
        i -= stepsA[axis] * extents[axis];
        j -= stepsB[axis] * extents[axis];
        index[axis] = 0;
      }
    }
  };
}

const computations = {
  // A row at a time. An operand in the same order as the result shares its index; a repeated element is read before the row.
  rows(loops, f, a, b, out) {
    const { n, step } = loops.at(-1);
    const index = (operand) => (isInStep(loops, operand) ? 'o' : step[operand]);
    const body = {
      oo: (result, o, i, j) => {
        for (const end = o + n; o < end; ++o) result[o] = f(a[o], b[o]);
      },
      o1: (result, o, i, j) => {
        for (const end = o + n; o < end; ++o, ++j) result[o] = f(a[o], b[j]);
      },
      o0: (result, o, i, j) => {
        const y = b[j];
        for (const end = o + n; o < end; ++o) result[o] = f(a[o], y);
      },
      '1o': (result, o, i, j) => {
        for (const end = o + n; o < end; ++o, ++i) result[o] = f(a[i], b[o]);
      },
      '0o': (result, o, i, j) => {
        const x = a[i];
        for (const end = o + n; o < end; ++o) result[o] = f(x, b[o]);
      },
      11: (result, o, i, j) => {
        for (const end = o + n; o < end; ++o, ++i, ++j) result[o] = f(a[i], b[j]);
      },
      10: (result, o, i, j) => {
        const y = b[j];
        for (const end = o + n; o < end; ++o, ++i) result[o] = f(a[i], y);
      },
      '01': (result, o, i, j) => {
        const x = a[i];
        for (const end = o + n; o < end; ++o, ++j) result[o] = f(x, b[j]);
      },
      '00': (result, o, i, j) => result.fill(f(a[i], b[j]), o, o + n),
    }[`${index(0)}${index(1)}`];
    return outside(loops.slice(0, -1), n, body, out);
  },

  // The same, with indices relative to the first element of each row.
  offsets(loops, f, a, b, out) {
    const { n, step } = loops.at(-1);
    const body = {
      11: (result, o, i, j) => {
        for (let k = 0; k < n; ++k) result[o + k] = f(a[i + k], b[j + k]);
      },
      10: (result, o, i, j) => {
        const y = b[j];
        for (let k = 0; k < n; ++k) result[o + k] = f(a[i + k], y);
      },
      '01': (result, o, i, j) => {
        const x = a[i];
        for (let k = 0; k < n; ++k) result[o + k] = f(x, b[j + k]);
      },
    }[step.join('')];
    return body && outside(loops.slice(0, -1), n, body, out);
  },

  // Rows of two to four, written out; all rows of one loop in one.
  unrolled(loops, f, a, b, out) {
    const middle = loops.at(-2);
    const { n, step } = loops.at(-1);
    if (middle === undefined || n > 4) return undefined;
    const rows = middle.n;
    const [stepA, stepB] = middle.step;
    const [kA, kB] = step;
    const body = {
      2: (result, o, i, j) => {
        for (const end = o + 2 * rows; o < end; o += 2, i += stepA, j += stepB) {
          result[o] = f(a[i], b[j]);
          result[o + 1] = f(a[i + kA], b[j + kB]);
        }
      },
      3: (result, o, i, j) => {
        for (const end = o + 3 * rows; o < end; o += 3, i += stepA, j += stepB) {
          result[o] = f(a[i], b[j]);
          result[o + 1] = f(a[i + kA], b[j + kB]);
          result[o + 2] = f(a[i + 2 * kA], b[j + 2 * kB]);
        }
      },
      4: (result, o, i, j) => {
        for (const end = o + 4 * rows; o < end; o += 4, i += stepA, j += stepB) {
          result[o] = f(a[i], b[j]);
          result[o + 1] = f(a[i + kA], b[j + kB]);
          result[o + 2] = f(a[i + 2 * kA], b[j + 2 * kB]);
          result[o + 3] = f(a[i + 3 * kA], b[j + 3 * kB]);
        }
      },
    }[n];
    return outside(loops.slice(0, -2), n * rows, body, out);
  },
};

const copies = {
  rows(whole, a, out) {
    const loops = divided(whole);
    const { n, step } = loops.at(-1);
    const body =
      step[0] === 0
        ? (result, o, i, j) => {
            const value = a[i];
            for (const end = o + n; o < end; ++o) result[o] = value;
          }
        : (result, o, i, j) => {
            for (const end = o + n; o < end; ++o, ++i) result[o] = a[i];
          };
    return outside(loops.slice(0, -1), n, body, out);
  },

  // fill for rows of one value, set for rows of many.
  fill(loops, a, out) {
    const { n, step } = loops.at(-1);
    if (step[0] !== 0) return undefined;
    return outside(loops.slice(0, -1), n, (result, o, i) => result.fill(a[i], o, o + n), out);
  },
  set(loops, a, out) {
    const { n, step } = loops.at(-1);
    if (step[0] === 0) return undefined;
    if (n === a.length) return outside(loops.slice(0, -1), n, (result, o) => result.set(a, o), out);
    return outside(loops.slice(0, -1), n, (result, o, i) => result.set(a.subarray(i, i + n), o), out);
  },

  // A repeated part is written once and then copied, in lengths that double until they fill a cache.
  copyWithin(loops, a, out) {
    const cache = 65536 / a.BYTES_PER_ELEMENT;
    const writeAll = loops.reduceRight((inner, { n, step }, depth) => {
      const size = sizeOf(loops.slice(depth + 1));
      if (inner === undefined) {
        return step[0] === 0
          ? (result, o, i) => result.fill(a[i], o, o + n)
          : (result, o, i) => result.set(n === a.length ? a : a.subarray(i, i + n), o);
      }
      if (step[0] !== 0) {
        return (result, o, i) => {
          for (let r = 0; r < n; ++r, o += size, i += step[0]) inner(result, o, i);
        };
      }
      const most = Math.max(1, Math.floor(cache / size)) * size;
      return (result, o, i) => {
        inner(result, o, i);
        const end = o + n * size;
        for (let filled = o + size; filled < end;) {
          const part = Math.min(filled - o, most, end - filled);
          result.copyWithin(filled, o, o + part);
          filled += part;
        }
      };
    }, undefined);
    return (to) => writeAll(out ?? to, 0, 0);
  },

  // Rows of two to four, written out; all rows of one loop in one.
  unrolled(whole, a, out) {
    const loops = divided(whole);
    const middle = loops.at(-2);
    const { n, step } = loops.at(-1);
    if (middle === undefined || n > 4) return undefined;
    const rows = middle.n;
    const [stepA] = middle.step;
    const [k] = step;
    const body = {
      2: (result, o, i, j) => {
        for (const end = o + 2 * rows; o < end; o += 2, i += stepA) {
          result[o] = a[i];
          result[o + 1] = a[i + k];
        }
      },
      3: (result, o, i, j) => {
        for (const end = o + 3 * rows; o < end; o += 3, i += stepA) {
          result[o] = a[i];
          result[o + 1] = a[i + k];
          result[o + 2] = a[i + 2 * k];
        }
      },
      4: (result, o, i, j) => {
        for (const end = o + 4 * rows; o < end; o += 4, i += stepA) {
          result[o] = a[i];
          result[o + 1] = a[i + k];
          result[o + 2] = a[i + 2 * k];
          result[o + 3] = a[i + 3 * k];
        }
      },
    }[n];
    return outside(loops.slice(0, -2), n * rows, body, out);
  },
};
