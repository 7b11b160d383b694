// The results of operators, one element after the other, in plain numbers and by NumPy's rule. Shares no code with the
// package.

/** The extents to which the shapes broadcast, as bigints; null if they conflict. */
export function broadcast(shapes) {
  const rank = Math.max(0, ...shapes.map((shape) => shape.length));
  const result = new Array(rank).fill(1n);
  for (const shape of shapes) {
    for (let i = 0; i < shape.length; ++i) {
      const axis = rank - shape.length + i;
      const extent = BigInt(shape[i]);
      if (extent === 1n || extent === result[axis]) continue;
      if (result[axis] !== 1n) return null;
      result[axis] = extent;
    }
  }
  return result;
}

export const countOf = (shape) => shape.reduce((count, extent) => count * extent, 1);

/** The row-major number of an operand's element that feeds the cell `index`. */
export function feeding(shape, index) {
  let at = 0;
  for (let i = 0; i < shape.length; ++i) {
    at = at * shape[i] + (shape[i] === 1 ? 0 : index[index.length - shape.length + i]);
  }
  return at;
}

/** Calls `visit` with each index of a box, row by row. The index is one list, which is changed between calls. */
export function eachIndex(box, visit) {
  if (box.some(({ begin, end }) => begin >= end)) return;
  const index = box.map(({ begin }) => begin);
  for (;;) {
    visit(index);
    let axis = box.length - 1;
    while (axis >= 0 && ++index[axis] === box[axis].end) {
      index[axis] = box[axis].begin;
      --axis;
    }
    if (axis < 0) return;
  }
}

export const wholeOf = (shape) => shape.map((end) => ({ begin: 0, end }));

const STORED = { f32: Math.fround, f64: (x) => x, i32: (x) => x | 0, u8: (x) => x & 255, bool: Number };

/** The operators known here; those with `isList` take any number of operands. */
export const OPERATORS = [
  { name: 'Add', method: 'add', of: (a, b) => a + b },
  { name: 'Sub', method: 'sub', of: (a, b) => a - b },
  { name: 'Mul', method: 'mul', of: (a, b, dtype) => (dtype === 'i32' ? Math.imul(a, b) : a * b) },
  { name: 'Max', method: 'max', isList: true, of: (a, b) => Math.max(a, b) },
  { name: 'Min', method: 'min', isList: true, of: (a, b) => Math.min(a, b) },
  { name: 'Equal', method: 'equal', result: 'bool', of: (a, b) => a === b },
  { name: 'Less', method: 'less', result: 'bool', of: (a, b) => a < b },
];

/** The elements of a box of an operator's result; the operands are `{shape, values}`, of type `dtype`. */
export function compute({ of, result = null }, dtype, operands, box) {
  const store = STORED[result ?? dtype];
  const values = [];
  eachIndex(box, (index) => {
    const [first, ...rest] = operands.map(({ shape, values }) => values[feeding(shape, index)]);
    values.push(rest.reduce((sum, value) => store(of(sum, value, dtype)), first));
  });
  return values;
}

/** The result of Where; the condition comes first. */
export function select([condition, x, y], box) {
  const values = [];
  eachIndex(box, (index) => {
    const chosen = condition.values[feeding(condition.shape, index)] ? x : y;
    values.push(chosen.values[feeding(chosen.shape, index)]);
  });
  return values;
}

/** The sums of an array to a shape that broadcasts to its own. */
export function sumTo({ shape, values }, target, dtype) {
  const sums = new Array(countOf(target)).fill(0);
  eachIndex(wholeOf(shape), (index) => {
    sums[feeding(target, index)] += values[feeding(shape, index)];
  });
  return sums.map(STORED[dtype]);
}
