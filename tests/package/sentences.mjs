// Random questions, and a parser of sentences: the statements about an alignment are compared with its cells. It shares
// no code with the code that writes the sentences. BROADLOOM_SEED=N selects other questions; a failure prints its seed.
import { load } from 'broadloom';

export const seed = Number(process.env.BROADLOOM_SEED ?? 20261122);

const bl = await load();
export const rules = Object.values(bl.vocabulary.rules);

/** Random numbers, the same in every run: mulberry32. */
export function drawing(from) {
  let state = from;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}

/** A question: `{rule, shapes, target, axis, mapping}`; missing options are undefined. */
export function questions(from) {
  const draw = drawing(from);
  const oneIn = (n) => draw(n) === 0;
  const extent = () => (oneIn(50) ? 2 ** 40 : [0, 1, 1, 1, 2, 3, 3, 4][draw(8)]);
  const relative = (shape) => {
    const right = oneIn(2);
    const cut = draw(shape.length + 1);
    const kept = shape
      .filter((_, i) => (right ? i >= cut : !oneIn(3)))
      .map((own) => (oneIn(3) ? 1 : oneIn(9) ? extent() : own));
    if (oneIn(6)) kept.push(1);
    if (oneIn(12)) kept.unshift(extent());
    return kept.slice(0, 6);
  };
  return () => {
    const row = rules[draw(rules.length)];
    const base = Array.from({ length: draw(7) }, extent);
    const most = Math.min(8, row.mostOperands ?? 8);
    const count = row.leastOperands + draw(most - row.leastOperands + 1);
    const shapes = Array.from({ length: count }, (_, i) =>
      (i === 0 && oneIn(2)) || (!row.stretches && !oneIn(3)) ? base : relative(base),
    );
    const question = { rule: row.name, shapes };
    if (row.takesTarget) {
      question.target = oneIn(2) ? base : relative(base);
      if (oneIn(12)) question.target = [...question.target, -1];
    }
    if (row.takesAxis && !oneIn(3)) question.axis = draw(9) - 2;
    if (row.takesMapping && !oneIn(8)) {
      let next = 0;
      question.mapping = shapes[0].map(() => {
        next += draw(3) === 0 ? 1 : 0;
        return oneIn(20) ? draw(8) - 1 : next++;
      });
      if (oneIn(10)) question.mapping.push(next);
    }
    return question;
  };
}

export const textOf = (shape) => `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;

export const titleOf = ({ rule, shapes, target, axis, mapping }) =>
  `BROADLOOM_SEED=${seed} ${rule} ${shapes.map(textOf).join(' ')}${target ? ` to ${textOf(target)}` : ''}${
    axis === undefined ? '' : ` axis ${axis}`
  }${mapping ? ` mapping [${mapping}]` : ''}`;

export const optionsOf = ({ target, axis, mapping }) => ({
  ...(target ? { targetShape: target } : {}),
  ...(axis === undefined ? {} : { axis }),
  ...(mapping ? { axesMapping: mapping } : {}),
});

export const aligned = (question) => bl.align(question.rule, question.shapes, optionsOf(question));

/** The result's shape; null if the shapes do not fit, or the rule cannot be applied. */
export function shapeOf(question) {
  try {
    return aligned(question).shape;
  } catch {
    return null;
  }
}

/** Whether a rule takes the question with any option; found by trying all. */
export function takes({ shapes, target }, { name: rule, takesAxis, takesMapping, takesTarget }) {
  if (takesTarget !== (target !== undefined)) return false;
  const fits = (options) => shapeOf({ rule, shapes, target, ...options }) !== null;
  if (takesAxis) return [-1, ...Array((shapes[0]?.length ?? 0) + 1).keys()].some((axis) => fits({ axis }));
  if (!takesMapping) return fits({});
  const all = Array.from({ length: 2 ** target.length }, (_, chosen) =>
    target.flatMap((_, i) => ((chosen >> i) & 1 ? [i] : [])),
  );
  return all.some((mapping) => mapping.length === shapes[0].length && fits({ mapping }));
}

// --- Reading ---------------------------------------------------------------------------------------------------------

const one = '(?:[A-Z]|[Tt]he target)';
const list = `(${one}(?:, ${one})*(?: and ${one})?)`;
const namesIn = (text) => text.match(/\b[A-Z]\b|target/g) ?? [];

const isRepeated = ({ relation }, extent) =>
  (relation === 'stretch' || relation === 'insert') && Number(extent) !== 1 && Number(extent) >= 0;

/** The rows of an axis: each operand by its letter, and the target. */
const rowsOf = ({ cells, target }) =>
  new Map([...cells.map((cell, i) => [String.fromCharCode(65 + i), cell]), ...(target ? [['target', target]] : [])]);

/** What is false in the sentence that explains an axis. */
export function faultsInWhy(axis, text) {
  const rows = rowsOf(axis);
  const faults = [];
  const told = new Set();
  const speakOf = (name) => {
    if (!rows.has(name)) faults.push(`there is no ${name}`);
    if (told.has(name)) faults.push(`${name} twice`);
    told.add(name);
    return rows.get(name);
  };
  const has = (name, what) => {
    const cell = speakOf(name);
    if (!cell) return;
    const own = cell.sourceAxis === null ? 'no such axis' : String(cell.extent);
    if (own !== what) faults.push(`${name} has ${own}, not ${what}`);
  };
  const repeated = (name, times) => {
    const cell = rows.get(name);
    if (!cell) return;
    if (isRepeated(cell, axis.extent) !== (times !== undefined)) faults.push(`${name} is repeated, or not`);
    else if (times !== undefined && times !== String(axis.extent)) faults.push(`${name}: ${times} times`);
  };
  const clash = /^Mismatch: (.*)\.$/.exec(text);
  let m;
  if (clash) {
    // With one extent besides the first operand's, a comma parts both; else semicolons do.
    for (const part of clash[1].split(clash[1].includes(';') ? '; ' : /(?<=^[^,]*), /)) {
      if (!(m = new RegExp(`^${list} (?:(?:is|are) (?=-?\\d)|(?:has|have) (?=no))(-?\\d+|no such axis)$`).exec(part)))
        faults.push(`unread: ${part}`);
      else for (const name of namesIn(m[1])) has(name, m[2]);
    }
    if (![...rows].every(([name, { relation }]) => told.has(name) || relation !== 'conflict'))
      faults.push('not all are named');
  } else if ((m = /^The target asks for (-\d+)\.$/.exec(text))) {
    has('target', m[1]);
    return faults;
  } else if ((m = /^(A is|Both are|All are) (-?\d+)\.$/.exec(text))) {
    if (m[1] !== (['A is', 'Both are'][rows.size - 1] ?? 'All are')) faults.push('another number of operands');
    for (const name of rows.keys()) has(name, m[2]);
  } else {
    for (const sentence of text.split(/(?<=\.) /)) {
      if ((m = new RegExp(`^${list} (?:has|have) no place yet\\.$`).exec(sentence))) {
        for (const name of namesIn(m[1])) if (speakOf(name)?.sourceAxis !== null) faults.push(`${name} has its place`);
      } else if (
        (m = /^B's trailing 1 is ignored(?:, so B has no such axis and is repeated (\d+) times?)?\.$/.exec(sentence))
      ) {
        has('B', '1');
        repeated('B', m[1]);
      } else if (
        (m = new RegExp(`^${list} ha(?:s|ve) no such axis; it counts as 1(?: and stretches to (\\d+))?\\.$`).exec(
          sentence,
        ))
      ) {
        for (const name of namesIn(m[1])) {
          has(name, 'no such axis');
          repeated(name, m[2]);
        }
      } else if (
        (m =
          new RegExp(`^(${one})'s 1 stretches to (\\d+)\\.$`).exec(sentence) ??
          new RegExp(`^The 1s of ${list} stretch to (\\d+)\\.$`).exec(sentence))
      ) {
        for (const name of namesIn(m[1])) {
          has(name, '1');
          repeated(name, m[2]);
        }
      } else faults.push(`unread: ${sentence}`);
    }
    for (const [name, { relation }] of rows)
      if (!told.has(name) && relation !== 'match') faults.push(`${name} is not spoken of`);
  }
  if ((clash !== null) !== axis.conflict) faults.push('a clash, or none');
  return faults;
}

/** What is false in the verdict on shapes that fit. */
export function faultsInVerdict({ axes, operands, shape }, text) {
  const faults = [];
  const repeats = new Set(
    axes.flatMap(({ axis, cells, extent }) =>
      cells.flatMap((cell, i) =>
        isRepeated(cell, extent) ? [`${String.fromCharCode(65 + i)} ${extent} ${axis}`] : [],
      ),
    ),
  );
  const said = new Set();
  if (/nothing is repeated\.$/.test(text)) {
    const same = operands.every((own) => String(own) === String(shape));
    if (same === text.startsWith('Only axes of extent 1 are added')) faults.push('the shapes');
  } else {
    for (const piece of text.replace(/\.$/, '').split('; ')) {
      const [, names, rest] = new RegExp(`^${list} (?:is|are) repeated (.*)$`).exec(piece) ?? [];
      if (!names) faults.push(`unread: ${piece}`);
      for (const along of rest?.split(', ') ?? []) {
        const m = /^(\d+) times? along axis (\d+)( \(which is empty\))?$/.exec(along);
        if (!m) faults.push(`unread: ${along}`);
        else if ((m[1] === '0') !== (m[3] !== undefined)) faults.push('empty, or not');
        else for (const name of namesIn(names)) said.add(`${name} ${m[1]} ${m[2]}`);
      }
    }
  }
  for (const each of said) if (!repeats.has(each)) faults.push(`not so: ${each}`);
  for (const each of repeats) if (!said.has(each)) faults.push(`not told: ${each}`);
  return faults;
}

/** The extent that a cell is compared with: its own, or the 1 that a missing axis counts as; an empty text for neither. */
export function comparedExtent(cell, { target }) {
  if (cell.sourceAxis !== null) return String(cell.extent);
  return cell.relation === 'insert' && (cell.stride !== null || cell === target) ? '1' : '';
}

/** What is false in the text of a cell: `1, stretches to 4`, `no such axis, clashes`, `1, ignored`. */
export function faultsInCell(cell, { extent, target }, text) {
  const m = /^(-?\d+|no such axis|no place yet)(?:, (matches|clashes|stretches to (-?\d+)))?$/.exec(text);
  if (!m) return [`unread: ${text}`];
  const [, has, , times] = m;
  const faults = [];
  const unplaced = cell.relation === 'insert' && cell.stride === null && cell !== target;
  const own = unplaced ? 'no place yet' : cell.sourceAxis === null ? 'no such axis' : String(cell.extent);
  if (has !== own) faults.push(`it has ${own}`);
  if ((m[2] === 'clashes') !== (cell.relation === 'conflict')) faults.push('clashes, or not');
  if (m[2] === 'matches' && cell.relation !== 'match') faults.push('no match');
  if ((times !== undefined) !== (isRepeated(cell, extent) && !unplaced)) faults.push('repeated, or not');
  if (times !== undefined && times !== String(extent)) faults.push(`not to ${times}`);
  return faults;
}
