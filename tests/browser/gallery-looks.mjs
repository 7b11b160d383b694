// Reads what the gallery's descriptions say of axes, and compares it with the alignment of the example.

const AXES = '(?:axis|axes) (-?\\d+(?:(?:, | and |, and )(?:axis )?\\d+)*)';
const numbersIn = (text) => (text.match(/-?\d+/g) ?? []).map(Number);

const operandOf = (letter) => letter.charCodeAt(0) - 65;
const isRepeated = ({ relation }) => relation === 'stretch' || relation === 'insert';
/** The axes of the result that lie under an operand's own, as numbers. */
const axesOf = ({ axes }, operand, passes) => axes.flatMap(({ axis, cells }) => (passes(cells[operand]) ? [axis] : []));
const same = (a, b) => a.join() === b.join();

// Each: what is said, and whether it is so. A letter is an operand.
const CLAIMS = [
  [`[Cc]lash(?:es)? (?:with \\S+ )?on ${AXES}`, ({ axes }, list) => same(numbersIn(list), clashesOf(axes))],
  ['[Aa]xis (\\d+) clashes', ({ axes }, axis) => clashesOf(axes).includes(Number(axis))],
  [
    `(\\d+) meets (\\d+) on ${AXES}`,
    ({ axes }, a, b, list) => numbersIn(list).every((axis) => meets(axes[axis], a, b)),
  ],
  [`([A-Z]) lacks ${AXES}`, (truth, letter, list) => lacks(truth, letter, list)],
  [`([A-Z]) stretches ${AXES}`, (truth, letter, list) => stretches(truth, letter, list)],
  [`([A-Z]) stretches ${AXES} and lacks ${AXES}`, (truth, letter, _, list) => lacks(truth, letter, list)],
  [`([A-Z]) lacks ${AXES} and stretches ${AXES}`, (truth, letter, _, list) => stretches(truth, letter, list)],
  [
    `repeated along ${AXES}`,
    (truth, list) => truth.operands.some((_, operand) => same(numbersIn(list), axesOf(truth, operand, isRepeated))),
  ],
  [
    `lies on ${AXES}`,
    // But for a trailing 1, which PDPD leaves out.
    (truth, list) =>
      same(
        numbersIn(list),
        axesOf(truth, 1, ({ relation, extent }) => relation === 'match' && extent !== 1),
      ),
  ],
  ['([A-Z]) starts at axis (\\d+)', ({ axes }, letter, axis) => axes[axis].cells[operandOf(letter)].sourceAxis === 0],
  [
    '[Aa]xis (\\d+) of the target is (\\d+), the data has (\\d+)',
    ({ axes }, axis, target, own) =>
      axes[axis].target.extent === Number(target) && axes[axis].cells[0].extent === Number(own),
  ],
  ['at axis (\\d+), where ([A-Z]) has the 1', (truth, axis, letter) => stretches(truth, letter, axis)],
  ['[Aa]xis (-?\\d+) (?:says|takes|lines)', (_, axis, { axis: given }) => axis === given],
  [`(?:goes|of the data) to ${AXES}`, (_, list, { mapping }) => same(numbersIn(list), numbersIn(mapping))],
];

const clashesOf = (axes) => axes.flatMap(({ axis, conflict }) => (conflict ? [axis] : []));
const meets = ({ conflict, cells }, a, b) =>
  conflict && [a, b].every((extent) => cells.some((cell) => cell.extent === Number(extent)));
const lacks = ({ axes }, letter, list) =>
  numbersIn(list).every((axis) => axes[axis].cells[operandOf(letter)].sourceAxis === null);
const stretches = ({ axes }, letter, list) =>
  numbersIn(list).every((axis) => axes[axis].cells[operandOf(letter)].relation === 'stretch');

/** What is false in an example's line, and every mention of an axis that none of the claims reads. */
export function faultsInLook(example, aligned) {
  const { look, rule, shapes, target, axis, mapping } = example;
  const truth = aligned({
    rule,
    shapes: shapes.map(numbersIn),
    ...(target === undefined ? {} : { target: numbersIn(target) }),
    ...(axis === undefined ? {} : { axis: Number(axis) }),
    ...(mapping === undefined ? {} : { mapping: numbersIn(mapping) }),
  });
  const faults = [];
  const read = new Set();
  let claims = 0;
  for (const [pattern, isSo] of CLAIMS) {
    for (const found of look.matchAll(new RegExp(pattern, 'g'))) {
      ++claims;
      for (let i = 0; i < found[0].length; ++i) read.add(found.index + i);
      if (!isSo(truth, ...found.slice(1), example)) faults.push(`not so: ${found[0]}`);
    }
  }
  for (const { index } of look.matchAll(/\b(?:axis|axes) -?\d+/gi)) {
    if (!read.has(index)) faults.push(`unread: ${look.slice(index)}`);
  }
  return { claims, faults };
}
