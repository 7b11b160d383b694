// Links that programs write: those of C++ equal those of the package, and the page reads each as the same question.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { isBroadcastError, load } from 'broadloom';
import { linkTo } from 'broadloom/link';
import { inRoot } from '../../scripts/paths.mjs';
import { imported } from '../browser/modules.mjs';
import { drawing, optionsOf, questions, seed } from '../package/sentences.mjs';

const bl = await load({ explanations: true });
const { rules, ops, dtypes } = bl.vocabulary;
// The page's store asks these as it is loaded.
globalThis.document ??= { documentElement: { dataset: {} } };
globalThis.location ??= { hash: '', href: 'http://localhost/' };
globalThis.localStorage ??= { getItem: () => null, setItem() {} };
const page = await imported('../../tests/browser/page-model.ts');
const engine = await page.loadEngine();

const BASE = 'http://localhost:8080/';

// A question for the session, in tests/conformance/session.cc.
function lineOf(given, base) {
  const list = (values) => (values === undefined ? '-' : `[${values.join(',')}]`);
  const { rule, shapes, axis, target, mapping, op, dtype, types, attrs = {}, expect, policy } = given;
  const attributes = Object.entries(attrs).map(([name, value]) => `${name}=${value}`);
  return [
    'link',
    Buffer.from(base).toString('base64') || '-',
    rule,
    axis ?? '-',
    list(target),
    list(mapping),
    op ?? '-',
    dtype ?? '-',
    types?.join(',') ?? '-',
    attributes.join(',') || '-',
    expect?.join(',') || '-',
    policy ?? '-',
    ...shapes.map(list),
  ].join(' ');
}

function fromCpp(all, base = BASE) {
  const { status, stdout } = spawnSync(inRoot('build/native/tests/broadloom_session'), {
    input: all.map((given) => `${lineOf(given, base)}\n`).join(''),
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
  });
  assert.equal(status, 0);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [kind, text] = line.split(' ');
      assert.ok(kind === 'link' || kind === 'none', line);
      return { [kind]: Buffer.from(text, 'base64').toString() };
    });
}

const POLICIES = { i: ['match', 'stretch'], s: 'no_stretching' };

/** The link of an alignment, or of the error in its place. */
function fromPackage(given, base = BASE) {
  const { rule, shapes, op, dtype, expect, policy } = given;
  const options = { ...optionsOf(given), op, dtype, expect, policy: POLICIES[policy] };
  let linked;
  try {
    linked = bl.align(rule, shapes, options);
  } catch (error) {
    if (!isBroadcastError(error)) throw error;
    linked = error;
  }
  return attempt(() => linked.link(base));
}

function attempt(write) {
  try {
    return { link: write() };
  } catch (error) {
    assert.ok(isBroadcastError(error), error);
    assert.equal(error.code, 'link');
    return { none: error.message };
  }
}

/** The page asks the core exactly what was asked: shapes, rule and options; and the operator, where one was given. */
function assertReads(given, link) {
  const { rule, shapes, op, expect, dtype } = given;
  const state = page.fromFragment(new URL(link, BASE).hash);
  const model = page.compute(engine, state);
  const title = `${JSON.stringify(given)}\n${link}`;
  const numbers = (list) => list?.map(BigInt);
  assert.equal(model.rule?.name, rule, title);
  const spelled = (list) => list.map((shape) => shape.map(String).join());
  assert.deepEqual(
    state.operands.map(({ shape }) => bl.parseIntegers(shape, { bigint: true }).values.join()),
    spelled(shapes),
    title,
  );
  // A negative extent is an error on the page, too.
  if (shapes.flat().some((extent) => extent < 0)) return assert.equal(model.failure?.class, 'extent', title);
  assert.equal(model.operands.length, shapes.length, title);
  assert.equal(state.expect, expect?.join() ?? '', title);
  assert.deepEqual(model.axis.values?.map(Number), given.axis === undefined ? undefined : [given.axis], title);
  const target = model.target.values ?? undefined;
  assert.deepEqual(target && numbers(target), numbers(given.target), title);
  const mapping = model.mapping.values ?? undefined;
  assert.deepEqual(mapping && numbers(mapping), numbers(given.mapping), title);
  if (op !== undefined && takes(ops[op], rule, shapes.length)) assert.equal(model.op?.name, op, title);
  let own = null;
  try {
    own = bl.align(rule, shapes, optionsOf(given));
  } catch (error) {
    assert.equal(model.failure?.class, error.code, title);
    return;
  }
  if (own.error !== null && !isCounted(own.error)) {
    assert.equal(model.failure?.message, own.error.message, title);
    return;
  }
  assert.deepEqual(numbers(model.alignment?.output), numbers(own.axes.map(({ extent }) => extent)), title);
  if (own.error === null && (dtype === undefined || dtypes[dtype].bits <= 8)) {
    assert.equal(model.failure, null, `${title}\n${model.failure?.message}`);
  }
}
const takes = ({ rules, leastOperands, mostOperands }, rule, count) =>
  rules.includes(rule) && leastOperands <= count && count <= (mostOperands ?? count);
const isCounted = ({ code }) => code === 'overflow';

/** C++ and the package agree, and the page reads what they wrote; returns how many links there are. */
function compare(all, base = BASE) {
  const cpp = fromCpp(all, base);
  let links = 0;
  all.forEach((given, i) => {
    const own = fromPackage(given, base);
    assert.deepEqual(cpp[i], own, JSON.stringify(given));
    if (own.link === undefined) return;
    ++links;
    assertReads(given, own.link);
  });
  return links;
}

// Shapes that fit, and shapes that do not, for each rule.
const shapesFor = ({ name, takesTarget, takesMapping, takesAxis }) => [
  {
    rule: name,
    shapes: [
      [2, 3],
      [2, 3],
    ],
    ...(takesTarget ? { shapes: [[2, 3]], target: [2, 3] } : {}),
  },
  {
    rule: name,
    shapes: takesTarget ? [[3, 1]] : [[2, 3], [3]],
    ...(takesTarget ? { target: [2, 3, 4] } : {}),
    ...(takesMapping ? { mapping: [1, 2] } : {}),
    ...(takesAxis ? { axis: 1 } : {}),
  },
  { rule: name, shapes: takesTarget ? [[5, 7]] : [[5, 7], [4]], ...(takesTarget ? { target: [2] } : {}) },
];

test('every rule with every operator, element type and kind of warning', () => {
  const kinds = [...new Set(['outer', 'axis_names', 'mask_axis', 'other_systems', 'large_result'])];
  const all = Object.values(rules).flatMap((rule) =>
    shapesFor(rule).flatMap((question) => [
      question,
      ...Object.keys(ops).flatMap((op) => [
        { ...question, op },
        ...Object.keys(dtypes).map((dtype) => ({ ...question, op, dtype })),
      ]),
      ...Object.keys(dtypes).map((dtype) => ({ ...question, dtype })),
      ...kinds.map((kind) => ({ ...question, expect: [kind] })),
      { ...question, expect: kinds },
      { ...question, policy: 'i' },
      { ...question, policy: 's' },
      ...(rule.takesTarget ? [] : [{ ...question, shapes: [...question.shapes, [1], []] }]),
      { ...question, shapes: question.shapes.slice(0, 1) },
    ]),
  );
  assert.ok(all.length > 10_000);
  const links = compare(all);
  assert.ok(links > 0.8 * all.length, `${links} of ${all.length}`);
});

test(`4,000 random questions, of any rank and option (BROADLOOM_SEED=${seed})`, () => {
  const next = questions(seed);
  const draw = drawing(seed);
  const names = Object.keys(ops);
  compare(
    Array.from({ length: 4000 }, () => {
      const question = next();
      return draw(2) === 0 ? question : { ...question, op: names[draw(names.length)] };
    }),
  );
});

test('the ends: rank 255, large extents, many operands, options that a rule does not take', () => {
  const most = 2 ** 31;
  const long = Array.from({ length: 255 }, (_, i) => (i % 3 === 0 ? 1 : 2));
  const numpy = { rule: 'numpy' };
  const all = [
    { ...numpy, shapes: [Array(255).fill(1), [7]] },
    { ...numpy, shapes: [long.map((extent) => (extent === 2 ? 0 : 1)), long.map(() => 1)] },
    { rule: 'explicit', shapes: [Array(255).fill(1)], target: Array(255).fill(1), mapping: [...Array(255).keys()] },
    ...[1, 2, 3].flatMap((count) => [
      { ...numpy, shapes: Array(count).fill([most, most]) },
      { ...numpy, shapes: Array(count).fill([most, most / 2]) },
      { ...numpy, shapes: Array(count).fill([most, most / 8]) },
      { ...numpy, shapes: Array(count).fill([most, most / 2]), op: 'Max' },
    ]),
    { ...numpy, shapes: Array(64).fill([2, 3]) },
    { ...numpy, shapes: Array(65).fill([2, 3]) },
    { ...numpy, shapes: Array(64).fill(Array(32).fill(1)) },
    { ...numpy, shapes: Array(64).fill(Array(33).fill(1)) },
    { ...numpy, shapes: [Array(1000).fill(2 ** 53 - 1)] },
    { ...numpy, shapes: [Array(2000).fill(2 ** 53 - 1)] },
    { ...numpy, shapes: [[2], [3]], axis: 1 },
    { ...numpy, shapes: [[2], [3]], target: [3] },
    { ...numpy, shapes: [[2], [3]], mapping: [0] },
    { ...numpy, shapes: [[-1, 2], [3]] },
    { rule: 'pdpd', shapes: [[2, 3], [2]], axis: 0, mapping: [0] },
    { rule: 'pdpd', shapes: [[2, 3], [2], [1]], axis: 0 },
    { rule: 'bidirectional', shapes: [[2, 3], [2]], target: [2] },
    { ...numpy, shapes: [[2], [3], [4]], op: 'Add' },
    { ...numpy, shapes: [[2], [3]], op: 'Where' },
    { rule: 'bidirectional', shapes: [[2, 3]], target: [] },
    { rule: 'explicit', shapes: [[]], target: [2], mapping: [] },
    { rule: 'broadcast_numpy', shapes: [[2]], target: [-1] },
  ];
  const links = compare(all);
  assert.ok(links >= 18, links);
});

test('what was asked to be computed: types, attributes, and sums', () => {
  const typed = (dtype, shape) => {
    const count = shape.reduce((product, extent) => product * extent, 1);
    const name = { bool: 'Uint8Array', u8: 'Uint8Array', f32: 'Float32Array', i32: 'Int32Array', i64: 'BigInt64Array' }[
      dtype
    ];
    return { data: new globalThis[name](count), shape, dtype };
  };
  const fault = (compute) => {
    try {
      compute();
    } catch (error) {
      return error;
    }
    throw new Error('it fits');
  };
  const cases = [
    { op: 'Add', types: ['f32', 'f32'] },
    { op: 'Pow', types: ['f32', 'i32'] },
    { op: 'Pow', types: ['i64', 'f32'] },
    { op: 'Where', types: ['bool', 'i32', 'i32'] },
    { op: 'And', types: ['bool', 'bool'] },
    { op: 'Mod', types: ['f32', 'f32'], attrs: { fmod: 1 } },
    { op: 'Mod', types: ['i32', 'i32'] },
    { op: 'BitShift', types: ['u8', 'u8'], attrs: { direction: 'right' } },
    { op: 'Max', types: ['i64', 'i64', 'i64', 'i64'] },
  ].map((given) => ({ ...given, rule: 'numpy', shapes: given.types.map((_, i) => (i === 0 ? [2, 3] : [4])) }));
  const cpp = fromCpp(cases);
  cases.forEach(({ op, types, attrs, shapes }, i) => {
    const inputs = types.map((dtype, k) => typed(dtype, shapes[k]));
    const error = fault(() => bl.apply(op, inputs, { rule: 'numpy', attrs }));
    assert.deepEqual(cpp[i], { link: error.link(BASE) });
    const model = page.compute(engine, page.fromFragment(new URL(cpp[i].link).hash));
    assert.deepEqual(
      model.operands.map(({ dtype }) => dtype),
      types,
    );
    assert.equal(model.failure.message, error.message);
    assert.equal(model.state.fmod, attrs?.fmod === undefined ? '' : '1');
    assert.equal(model.state.direction, attrs?.direction ?? '');
  });
  const sum = fault(() => bl.sumTo(typed('f32', [2, 3]), [4]));
  assert.match(sum.link(BASE), /#v=1&rule=broadcast_numpy&op=Broadcast&type=f32&in=\(4,\)&target=\(2,3\)$/);
  // Errors about something else have no link, and none is printed with an error.
  assert.equal(fault(() => bl.add(1, 'x')).link, undefined);
  assert.equal(fault(() => bl.align('nampy', [[2]])).link, undefined);
  assert.equal(fault(() => bl.parseShape('(2')).link, undefined);
  assert.ok(!Object.keys(sum).includes('link'));
});

test('the address: URLs and paths alone', () => {
  const question = { rule: 'numpy', shapes: [[2, 3], [3]] };
  const good = [
    BASE,
    'https://example.test/play?x=1',
    'HTTP://example.test',
    'file:///a/index.html',
    '/',
    '/a/',
    './',
    '../a/',
  ];
  for (const base of good) {
    assert.equal(compare([question], base), 1, base);
    assert.equal(fromPackage(question, `${base}#v=1&in=9`).link, fromPackage(question, base).link);
  }
  assert.equal(bl.align('numpy', [[2]]).link(new URL('#old', BASE)), bl.align('numpy', [[2]]).link(BASE));
  const bad = [
    '',
    ' ',
    '#',
    'a',
    'a/b',
    'localhost:8080',
    'http:',
    'http://',
    'http:///x',
    'http://?',
    'file://',
    'file:///',
    'ftp://x/',
  ];
  bad.push(
    'javascript:alert(1)',
    'data:text/html,x',
    '/a b',
    '/\n',
    '/"x',
    "/'",
    '/<',
    '/\\',
    '/`',
    '/é',
    `/${'x'.repeat(2000)}`,
    '.',
    '..',
  );
  for (const base of bad) {
    const [cpp] = base === '' ? [{ none: fromPackage(question, base).none }] : fromCpp([question], base);
    assert.match(fromPackage(question, base).none, /^The base of a link is the address of the playground/, base);
    assert.deepEqual(cpp, fromPackage(question, base), base);
  }
  for (const base of [undefined, null, 7, {}, [], ['/'], () => '/', Symbol('x')]) {
    assert.match(attempt(() => bl.align('numpy', [[2]]).link(base)).none, /^The base of a link/);
    assert.throws(() => linkTo(base, { rule: 'numpy', op: 'Add', dtype: 'f32', operands: [] }), { code: 'link' });
  }
});

test('no link has a text of the program: names, expressions, pasted errors', () => {
  const secret = 'S3CRET <img src=x onerror=alert(1)> & % # " \u202e';
  const named = bl.align('numpy', [[32, 1], [32]], {
    expressions: [secret, `${secret}.mean(axis=1)`],
    names: [[secret, 'x'], [secret]],
  });
  assert.equal(named.link(BASE), bl.align('numpy', [[32, 1], [32]]).link(BASE));
  // Names of axes are part of a shape, if they are names.
  const batch = bl.align('numpy', [[32, 1], [32]], { names: [['batch', 'x'], ['n_1']] }).link(BASE);
  assert.ok(batch.endsWith('&in=(batch=32,x=1)&in=(n_1=32)'), batch);
  assert.deepEqual(bl.readShapes('(batch=32,x=1)')[0].names, ['batch', 'x']);
  assert.deepEqual(bl.readShapes('(n_1=32)')[0].names, ['n_1']);
  const text = [
    'Traceback (most recent call last):',
    `  File "/home/${secret}/train.py", line 3, in <module>`,
    `    y = S3CRET_a - S3CRET_b.mean(axis=1)  # ${secret}`,
    'ValueError: operands could not be broadcast together with shapes (32,10) (32,) ',
    secret,
  ].join('\n');
  const { rule, shapes } = bl.readPasted(text);
  const expressions = shapes.map(({ expression }) => expression ?? '');
  assert.match(expressions.join(), /S3CRET/);
  const link = bl
    .align(
      rule,
      shapes.map(({ extents }) => extents),
      { expressions },
    )
    .link(BASE);
  assert.equal(link, `${BASE}#v=1&rule=numpy&op=Add&type=f32&in=(32,10)&in=(32,)`);
});

test('linkTo writes the texts of fields so that the page reads them', () => {
  const texts = ['(2, 3)', 'a&b=c#d%41+e', '\u{1f9f5} é,中', '<script>', '"', ''];
  for (const text of texts) {
    const question = {
      rule: 'numpy',
      op: 'Mul',
      dtype: 'f32',
      operands: [{ shape: text, name: text.slice(0, 32), dtype: text, values: 'random:7' }, { shape: '()' }],
      axis: text,
      target: text,
      mapping: text,
    };
    const state = page.fromFragment(new URL(linkTo(BASE, question)).hash);
    const [{ shape, name, dtype, values }] = state.operands;
    assert.deepEqual([shape, name, dtype, values], [text, text, text, { kind: 'random', text: '7' }]);
    assert.deepEqual([state.axis, state.target, state.mapping], [text, text, text]);
  }
});
