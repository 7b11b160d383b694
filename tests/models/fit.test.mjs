// Answers about unknown extents are sound: they are compared with what the core says for every small value of them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fitter } from '../../build/package-sources/models/fit.js';
import { withExplanations } from 'broadloom/models';
import { bl } from './models.mjs';

const NAMES = ['N', 'M', 'K'];
/** Extents that unknown ones may have: 0, 1, those that occur in questions, and others. */
const VALUES = [0, 1, 2, 3, 5];

/** Numbers from 0 to `most` - 1, the same in each run. */
function randomFrom(seed) {
  let state = seed;
  return (most) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

function assignments(names) {
  let all = [{}];
  for (const name of names) all = all.flatMap((one) => VALUES.map((value) => ({ ...one, [name]: value })));
  return all;
}

const known = (shape, values) => shape.map((extent) => (typeof extent === 'string' ? values[extent] : extent));

/** What is wrong with an answer; null where nothing is. `isTight`: whether it could not have been more definite. */
function check(question, fit) {
  const shapes = [...question.shapes, question.targetShape ?? []];
  const names = [...new Set(shapes.flat().filter((extent) => typeof extent === 'string'))];
  const results = assignments(names).map((values) => {
    const options = {
      ...(question.axis === undefined ? {} : { axis: question.axis }),
      ...(question.targetShape ? { targetShape: known(question.targetShape, values) } : {}),
      ...(question.axesMapping ? { axesMapping: question.axesMapping } : {}),
    };
    const { shape } = bl.align(
      question.rule,
      question.shapes.map((shape) => known(shape, values)),
      options,
    );
    return { values, shape };
  });
  const fitting = results.filter(({ shape }) => shape !== null);
  const truth = fitting.length === results.length ? true : fitting.length === 0 ? false : null;
  if (fit.fits !== null && fit.fits !== truth) return { wrong: `fits is ${fit.fits}, not ${truth}` };
  for (const { values, shape } of fit.shape === null ? [] : fitting) {
    if (shape.length !== fit.shape.length) return { wrong: `rank ${shape.length}, not ${fit.shape.length}` };
    const bad = fit.shape.findIndex((extent, axis) => {
      const value = typeof extent === 'string' ? values[extent] : extent;
      return value !== undefined && value !== shape[axis];
    });
    if (bad >= 0) return { wrong: `axis ${bad} is ${shape[bad]} for ${JSON.stringify(values)}` };
  }
  return { isTight: fit.fits === truth };
}

const { ask } = withExplanations(bl);
for (const [rule, asked] of Object.keys(bl.vocabulary.rules).flatMap((name) => [
  [name, undefined],
  [name, ask],
])) {
  test(`unknown extents under ${rule}${asked ? ', with explanations' : ''}`, () => {
    const row = bl.vocabulary.rules[rule];
    const random = randomFrom(rule.length);
    const extent = () => (random(3) === 0 ? NAMES[random(NAMES.length)] : [1, 1, 2, 3, 0][random(5)]);
    const shape = (most) => Array.from({ length: random(most + 1) }, extent);
    let loose = 0;
    let unknown = 0;
    for (let i = 0; i < 600; ++i) {
      const count = row.mostOperands ?? 2 + random(2);
      const question = { rule, shapes: Array.from({ length: count }, () => shape(3)) };
      if (row.takesAxis) question.axis = random(4) - 1;
      if (row.takesTarget) question.targetShape = shape(3);
      if (row.takesMapping) question.axesMapping = question.shapes[0].map((_, axis) => axis);
      const fit = new Fitter(bl, asked).answer(question);
      const { wrong, isTight } = check(question, fit);
      assert.equal(wrong, undefined, `${JSON.stringify(question)}: ${wrong}`);
      if (!isTight) loose += 1;
      unknown += fit.fits === null ? 1 : 0;
      if (asked && fit.fits === null) {
        assert.match(fit.verdict, /^Fits if \S/);
        assert.ok(fit.conditions.plain.length > 2 && fit.conditions.python.length > 2, fit.verdict);
      }
    }
    // With explanations every open answer is open, and has conditions.
    if (asked) assert.equal(loose, 0);
    // An extent on two axes, whose conditions exclude each other, is all that axis by axis cannot see.
    assert.ok(loose <= 6, `${loose} of ${unknown} open answers could be definite`);
  });
}

test('answers are the same when questions about like axes were answered before', () => {
  const fitter = new Fitter(bl);
  const random = randomFrom(7);
  const extent = () => [...NAMES, '?1', '?2', 1, 2, 3][random(8)];
  for (let i = 0; i < 500; ++i) {
    const shapes = [0, 1].map(() => Array.from({ length: 2 }, extent));
    const { verdict, fits, shape } = fitter.answer({ rule: 'numpy', shapes });
    const alone = new Fitter(bl).answer({ rule: 'numpy', shapes });
    const shown = (list) => list?.map((each) => (/^\?\d{3}/.test(each) ? '?' : each)) ?? null;
    assert.deepEqual([verdict, fits, shape?.length], [alone.verdict, alone.fits, alone.shape?.length]);
    const named = (list) =>
      shown(list)?.map((each) => (NAMES.includes(each) || typeof each === 'number' ? each : '?')) ?? null;
    assert.deepEqual(named(shape), named(alone.shape));
  }
});

test('huge extents and many unknown ones are answered in bounded time', () => {
  const fitter = new Fitter(bl);
  const most = 2n ** 62n;
  const wide = fitter.answer({
    rule: 'numpy',
    shapes: [
      [most, 'N'],
      [1, 1],
    ],
  });
  assert.deepEqual([wide.fits, wide.shape], [true, [most, 'N']]);
  const many = Array.from({ length: 20 }, (_, i) => `N${i}`);
  const others = many.map((name) => `M${name}`);
  for (const rule of ['numpy', 'pdpd']) {
    const options = rule === 'pdpd' ? { axis: 0 } : {};
    const fit = fitter.answer({ rule, shapes: [many, others], ...options });
    assert.equal(fit.fits, null);
    assert.equal(fit.shape.length, 20);
  }
});
