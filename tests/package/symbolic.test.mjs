// Shapes with unknown extents: every answer compared with the rule's own for all numbers of a small domain.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBroadcastError, load } from 'broadloom';
import { drawing, seed } from './sentences.mjs';

const bl = await load({ explanations: true });
const rules = Object.values(bl.vocabulary.rules);

test('the examples of the documentation', () => {
  assert.equal(bl.alignSymbolic('numpy', ['(N, 1, C)', '(H, C)']).cases[0].shape, '(N, H, C)');
  const { fit, cases } = bl.alignSymbolic('numpy', [
    ['N', 3],
    ['M', 3],
  ]);
  assert.deepEqual([fit, cases[0].shape, cases[0].conditions.plain], ['if', '(N or M, 3)', 'N=M or N=1 or M=1\n']);
  assert.deepEqual(
    cases[0].axes[0].alternatives.map(({ example }) => example),
    ['N=2, M=2', 'N=1, M=4', 'N=2, M=1'],
  );
  assert.equal(cases[0].conditions.python, 'N = a.shape[0]\nM = b.shape[0]\nassert N == M or N == 1 or M == 1\n');
  assert.match(cases[0].conditions.torch, /^torch\._check\(\(N == M\) \| \(N == 1\) \| \(M == 1\)\)$/m);
  assert.match(cases[0].conditions.jax, /^"N == M",$/m);
});

test('shapes are texts, or lists of numbers and texts', () => {
  const shape = (rule, shapes, options) => bl.alignSymbolic(rule, shapes, options).cases.map((each) => each.shape);
  assert.deepEqual(shape('numpy', ['2..8, 3', [1, 3]]), ['(2..8, 3)']);
  assert.deepEqual(
    shape('numpy', [
      ['2..8', '?'],
      [1n, 1n],
    ]),
    ['(2..8, ?)'],
  );
  assert.deepEqual(shape('numpy', ['torch.Size([2, -1])', 'a.shape = (2, 1)']), ['(2, ?)']);
  assert.deepEqual(shape('numpy', [[2n ** 62n], ['N']]), ['(4611686018427387904,)']);
  assert.deepEqual(shape('numpy', ['...', [2, 3]]), ['(2, 3)', '(2, 3)', '(2, 3)', '(..., 2, 3)']);
  assert.deepEqual(shape('numpy', ['row=2, column=N', 'column=N, row=?'], { byName: true }), ['(row=2, column=N)']);
  assert.deepEqual(shape('numpy', [['row=2', 'column=N'], ['column=3']], { byName: true }), ['(row=2, column=3)']);
  assert.deepEqual(shape('explicit', ['(N, 3)'], { targetShape: ['?', 4, 3], axesMapping: [0, 2] }), ['(?, 4, 3)']);
  assert.deepEqual(shape('pdpd', ['(N, 3, 4)', '(N)'], { axis: 0 }), ['(N, 3, 4)']);
  const { operands, targetShape, axesMapping, rule, kind } = bl.alignSymbolic('explicit', ['x=8'], {
    targetShape: '(8, N)',
    axesMapping: [0],
  });
  assert.deepEqual(
    { operands, targetShape, axesMapping, rule, kind },
    {
      operands: [{ name: 'A', shape: '(x=8,)' }],
      targetShape: '(8, N)',
      axesMapping: [0],
      rule: 'explicit',
      kind: 'symbolic',
    },
  );
});

// --- Against the rules -----------------------------------------------------------------------------------------------

const DOMAIN = [0, 1, 2, 3];

/** An extent: a number, a name, `?` or a range. */
function extentOf(next) {
  const names = ['N', 'M', '2*K'];
  const kind = next(10);
  if (kind < 4) return [1, 1, 2, 3, 0][next(5)];
  if (kind < 8) return names[next(names.length)];
  return kind === 8 ? '?' : ['1..2', '2..3', '0..1', '2..'][next(4)];
}

function questionOf(next, rule) {
  const shapeOf = (most) => Array.from({ length: next(most + 1) }, () => extentOf(next));
  const count = rule.mostOperands ?? 2 + next(2);
  const shapes = Array.from({ length: count }, () => shapeOf(rule.takesMapping ? 2 : 3));
  const options = {};
  if (rule.takesTarget) options.targetShape = shapeOf(3);
  if (rule.takesMapping) {
    const rank = options.targetShape.length;
    options.axesMapping = Array.from({ length: rank }, (_, i) => i)
      .filter(() => next(3) > 0)
      .slice(0, shapes[0].length);
    shapes[0] = shapes[0].slice(0, options.axesMapping.length);
  }
  if (rule.takesAxis && next(2) === 0) options.axis = next(3);
  return { rule: rule.name, shapes, options };
}

/** All ways to give the symbols values of the domain. */
function* assignments(symbols) {
  const domains = symbols.map(({ least, most }) => DOMAIN.filter((n) => n >= least && (most === null || n <= most)));
  const values = [];
  yield* from(0);
  function* from(at) {
    if (at === symbols.length) yield values;
    else for (values[at] of domains[at]) yield* from(at + 1);
  }
}

/** What the document says for these values: the result's shape, or null. */
function predicted({ cases }, values) {
  const valueOf = (term) => (typeof term === 'object' ? values[term.symbol] : term);
  const hold = (equalities) => equalities.every(([left, right]) => valueOf(left) === valueOf(right));
  for (const { when, axes, error } of cases) {
    if (error !== null || !hold(when)) continue;
    const held = axes.map(({ alternatives }) => alternatives.find(({ equal }) => hold(equal)));
    if (held.includes(undefined)) return null;
    return held.map(({ result }) => valueOf(result));
  }
  return null;
}

/** What the rule says for these values. */
function judged({ rule, shapes, options }, symbols, values) {
  const concrete = (shape, operand) =>
    shape.map((extent, axis) => {
      if (typeof extent === 'number') return extent;
      const isName = /^[A-Z]|K/.test(extent);
      const place = symbols.findIndex((each) =>
        isName ? each.name === extent : each.name === '' && each.operand === operand && each.axis === axis,
      );
      return values[place];
    });
  const { targetShape: target, ...others } = options;
  const given = target === undefined ? others : { ...others, targetShape: concrete(target, -2) };
  try {
    return bl.inferShape(rule, shapes.map(concrete), given);
  } catch (error) {
    assert.ok(isBroadcastError(error), String(error));
    return null;
  }
}

for (const rule of rules) {
  test(`${rule.name}: sound and complete on small domains`, () => {
    const next = drawing(seed);
    const fits = { always: 0, if: 0, never: 0 };
    let compared = 0;
    for (let i = 0; i < 400; ++i) {
      const question = questionOf(next, rule);
      const title = `seed ${seed}: ${JSON.stringify(question)}`;
      const document = bl.alignSymbolic(question.rule, question.shapes, question.options);
      const { symbols, fit, cases } = document;
      if (fit === 'must_check' || symbols.length > 5) continue;
      ++fits[fit];
      let some = false;
      for (const values of assignments(symbols)) {
        const shape = judged(question, symbols, values);
        assert.deepEqual(predicted(document, values), shape, `${title} ${JSON.stringify({ symbols, values })}`);
        some ||= shape !== null;
        if (fit === 'always') assert.ok(shape !== null, title);
        if (fit === 'never') assert.equal(shape, null, title);
        ++compared;
      }
      for (const { axes } of cases) {
        for (const { witness } of axes.flatMap(({ alternatives }) => alternatives)) {
          if (fit === 'never' || witness.length === 0) continue;
          assert.ok(judged(question, symbols, witness) !== null, `${title} ${witness}`);
        }
      }
    }
    assert.ok(compared > 1000 && Object.values(fits).every((count) => count > 5), JSON.stringify({ compared, fits }));
  });
}

// --- Bad input -------------------------------------------------------------------------------------------------------

// What takes more than linear time never comes to an end with these.
test('hostile texts and lists are answered in bounded time', () => {
  const names = (count) => Array.from({ length: count }, (_, i) => `N${i}`);
  for (const shape of [
    names(10_000),
    names(10_000).join(','),
    `(${'N,'.repeat(10_000)})`,
    ['__proto__', 'constructor', 'hasOwnProperty'],
    ['<img src=x onerror=alert(1)>'],
    ['N), (M'],
    ['"N'],
    ['N\0'],
    ['\ud800'],
    ['x'.repeat(1e6)],
    '('.repeat(1e6),
    '8..2',
    [NaN],
    [2n ** 64n],
    [-(2n ** 63n)],
    [null],
    [{ toString: () => 'N' }],
  ]) {
    for (const { name, leastOperands, takesTarget, takesMapping } of rules) {
      const options = { ...(takesTarget && { targetShape: shape }), ...(takesMapping && { axesMapping: [0] }) };
      try {
        const document = bl.alignSymbolic(name, Array(leastOperands).fill(shape), options);
        assert.equal(document.version, 1);
      } catch (error) {
        assert.ok(isBroadcastError(error) && error.message.length < 700, String(error));
      }
    }
  }
  // As many symbols as there may be, all different.
  for (const byName of [false, true]) {
    const half = (from) => names(512).slice(from, from + 256);
    const shapes = [half(0), half(256)].map((list) => list.map((name, axis) => `a${axis}=${name}`));
    assert.equal(bl.alignSymbolic('numpy', shapes, { byName }).fit, 'if');
  }
  assert.equal(bl.alignSymbolic('numpy', ['(N,)', '(1,)']).fit, 'always');
});

test('names are kept as they are', () => {
  const { symbols, operands } = bl.alignSymbolic('numpy', [['__proto__', '2*N+1', 'constructor']]);
  assert.deepEqual(
    symbols.map(({ name }) => name),
    ['__proto__', '2*N+1', 'constructor'],
  );
  assert.equal(operands[0].shape, '(__proto__, 2*N+1, constructor)');
});
