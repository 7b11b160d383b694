// Judges how a pasted text was read: by the replay of recorded texts, and by the recorder of new ones.

/** The answer of the session, or null if it read nothing. */
export function readAnswer(line) {
  if (!line.startsWith('paste ')) throw new Error(line);
  return JSON.parse(line.slice('paste '.length));
}

const unknown = new Set(['None', '-1', 'nan']);
const asRead = (shape) => shape.map((extent) => (unknown.has(extent) ? '?' : extent));

/** What is wrong with an answer to a record, or null. */
export function faultOf(record, answer) {
  const expected = (record.text_shapes ?? []).map(({ role, shape }) => ({ role, shape: asRead(shape) }));
  if (answer === null) {
    return record.text_shapes === null && !record.partial ? null : 'nothing was read';
  }
  // Expressions without shapes have no shape.
  const shapes = answer.shapes.filter(({ shape }) => shape !== null).map(({ role, shape }) => ({ role, shape }));
  if (JSON.stringify(shapes) !== JSON.stringify(expected)) {
    return `the shapes are ${JSON.stringify(shapes)}, not ${JSON.stringify(expected)}`;
  }
  if (answer.system !== record.system && !answer.also.split(' ').includes(record.system)) {
    return `the system is ${answer.system}, not ${record.system}`;
  }
  // Without shapes, some rules are not in the text.
  if (record.text_shapes !== null && answer.rule !== record.rule) {
    return `the rule is ${answer.rule}, not ${record.rule}`;
  }
  const { sizes, axis, sorted } = record.partial ?? {};
  if (sizes !== undefined) {
    const read = sorted ? answer.sizes.toSorted((a, b) => a - b) : answer.sizes;
    if (JSON.stringify(read) !== JSON.stringify(sizes)) return `the sizes are ${answer.sizes}, not ${sizes}`;
  }
  if (axis !== undefined && answer.axis !== axis) return `the axis is ${answer.axis}, not ${axis}`;
  return null;
}
