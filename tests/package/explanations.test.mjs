// What explains: loading it, and what it answers through the package.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { isBroadcastError, load, LoadError } from 'broadloom';
import { load as loadInline } from 'broadloom/inline';
import { compiled, compiledExplain, startInside } from './inside.mjs';
import { optionsOf, questions, seed, titleOf } from './sentences.mjs';

const file = new URL('../../wasm/dist/broadloom-explain.wasm', import.meta.url);
const bytes = readFileSync(file);
const bl = await load({ explanations: true });

/** A new instance: `load` keeps one for each module. */
const fresh = () => load({ wasm: new WebAssembly.Module(readFileSync(new URL('broadloom-core.wasm', file))) });
const first = (instance) => instance.align('numpy', [[2, 3], [2]]).repairs()[0].shape;
const isNotLoaded = (error) => isBroadcastError(error) && error.code === 'not_loaded' && /loadExplanations/.test(error);

test('explanations are loaded from every source, once', async () => {
  for (const wasm of [undefined, file, file.href, bytes, compiledExplain, new Response(bytes)]) {
    const instance = await fresh();
    assert.equal(await instance.loadExplanations({ wasm }), instance);
    assert.deepEqual(first(instance), [2, 1]);
  }
  const instance = await fresh();
  await Promise.all([instance.loadExplanations(), instance.loadExplanations()]);
  assert.deepEqual(first(instance), [2, 1]);
  assert.deepEqual(first(await load({ explanations: { wasm: bytes } })), [2, 1]);
});

test('broadloom/inline embeds them', async () => {
  for (const wasm of [undefined, bytes, compiledExplain]) {
    const instance = loadInline({ wasm: new WebAssembly.Module(readFileSync(new URL('broadloom-core.wasm', file))) });
    assert.equal(await instance.loadExplanations({ wasm }), instance);
    assert.deepEqual(first(instance), [2, 1]);
  }
});

test('before they are loaded, asking for them is an error, and nothing else is', async () => {
  const instance = await fresh();
  const alignment = instance.align('numpy', [[2, 3], [2]], { expect: ['outer'], op: 'Add', expressions: ['x', 'y'] });
  for (const ask of [
    () => alignment.cause,
    () => alignment.repairs(),
    () => alignment.warnings(),
    () => alignment.code('numpy'),
    () => alignment.document(),
    () => instance.readPasted('(2,3)'),
    () => instance.readShapes('(2,3)'),
  ]) {
    assert.throws(ask, isNotLoaded);
  }
  assert.equal({ ...alignment }.error.code, 'incompatible');
  assert.match(JSON.stringify(alignment), /"incompatible"/);
  await instance.loadExplanations();
  assert.equal(alignment.cause.kind, 'missing_axis');
});

test('a question as code: what is usual, what is given', () => {
  const lines = (asked, options) => asked.code('numpy', options).text.split('\n').slice(2, -1);
  assert.deepEqual(lines(bl.align('numpy', [[2, 3], [3]], { op: 'Sub', expressions: ['x', 'x mean'] })), [
    'x = np.arange(1, 7, dtype=np.float32).reshape(2, 3)',
    'x_mean = np.arange(1, 4, dtype=np.float32)',
    'out = x - x_mean  # shape (2, 3)',
  ]);
  const operands = [
    { name: 'mask', values: [true, false] },
    { dtype: 'i8', values: { all: [-1] } },
    { values: [2, 3] },
  ];
  assert.deepEqual(lines(bl.align('numpy', [[2], [2, 1], [2]], { op: 'Where' }), { operands }), [
    'mask = np.array([True, False], dtype=np.bool_)',
    'b = np.full((2, 1), -1, dtype=np.int8)',
    'c = np.array([2, 3], dtype=np.int8)',
    'out = np.where(mask, b, c)  # shape (2, 2)',
  ]);
  // The operator is the first that takes the rule, with its usual types.
  for (const [rule, { takesTarget }] of Object.entries(bl.vocabulary.rules)) {
    const asked = bl.align(rule, takesTarget ? [[2]] : [[2], [2]], {
      ...(takesTarget ? { targetShape: [2] } : {}),
      ...(rule === 'explicit' ? { axesMapping: [0] } : {}),
    });
    assert.equal(asked.error, null, rule);
    assert.equal(asked.code('broadloom-cpp').reason, null, rule);
  }
  for (const [op, { types, leastOperands, attribute, defaultRule }] of Object.entries(bl.vocabulary.ops)) {
    const shapes = Array.from({ length: leastOperands }, () => [2]);
    const target = op === 'Broadcast' ? { targetShape: [2] } : {};
    const attrs = attribute === 'direction' ? { direction: 'left' } : attribute === 'to' ? { to: 'i32' } : {};
    const { text, reason } = bl.align(defaultRule, shapes, { op, ...target }).code('broadloom-js', { attrs });
    assert.ok(text !== null && reason === null, `${op} ${types} ${reason}`);
  }
  const narrow = bl
    .align('broadcast_numpy', [[2]], { targetShape: [2] })
    .code('numpy', { operands: [{ dtype: 'u1' }] });
  assert.deepEqual(narrow, { text: null, reason: 'NumPy has no element type u1.' });
  const huge = bl.align('numpy', [[2n ** 40n], [1]], { op: 'Add' });
  assert.match(huge.code('jax').text, /1099511627777/);
  const long = { operands: [{ values: new Float64Array(1001) }] };
  assert.match(bl.align('numpy', [[1001], [1]]).code('numpy', long).reason, /1001 values .* up to 1000 are/);
});

test('a question as code: mistakes', () => {
  const two = bl.align('numpy', [[2], [2]]);
  const cases = [
    [() => bl.align('numpy', [[2, 3], [2]]).code('numpy'), 'incompatible', /Axis 1/],
    [() => bl.align('numpy', [[2], [1]], { policy: 'no_stretching' }).code('numpy'), 'policy', /stretch/i],
    [() => two.code('fortran'), 'unknown', /no system "fortran"\. There are: numpy, /],
    [() => two.code(), 'unknown', /no system undefined/],
    [() => two.code('numpy', 5), 'attribute', /Options/],
    [() => two.code('numpy', { operand: [] }), 'unknown', /operands/],
    [() => two.code('numpy', { operands: [{ value: [] }] }), 'unknown', /values/],
    [() => two.code('numpy', { operands: [{ dtype: 'f31' }] }), 'unknown', /f31/],
    [() => two.code('numpy', { operands: [{ dtype: 'bool' }] }), 'dtype', /bool/],
    [() => two.code('numpy', { operands: [{}, { values: [1] }] }), 'extent', /B has fewer values than elements/],
    [() => two.code('numpy', { operands: [{ values: { step: 0 } }] }), 'extent', /A has .* or its step is below 1/],
    [() => two.code('numpy', { operands: [{ values: { first: 0.5 } }] }), 'attribute', /0\.5 is no whole number/],
    [() => two.code('numpy', { operands: [{ dtype: 'i8', values: [0.5, 1] }] }), 'attribute', /0\.5 is no value of i8/],
    [() => two.code('numpy', { operands: [{ dtype: 'i8', values: ['1', 1] }] }), 'attribute', /no value of i8/],
    [() => two.code('numpy', { attrs: { fmod: 1 } }), 'attribute', /fmod/],
    [() => bl.align('numpy', [[2], [2]], { op: 'BitShift' }).code('numpy'), 'attribute', /direction/],
    [
      () => bl.align('numpy', [[2], [2]], { op: 'Broadcast' }).code('numpy'),
      'unknown',
      /Broadcast does not take the rule/,
    ],
    [() => bl.align('numpy', [[2]], { op: 'Add' }).code('numpy'), 'arity', /Add/],
  ];
  for (const [work, code, message] of cases) {
    assert.throws(
      work,
      (error) => isBroadcastError(error) && error.code === code && message.test(error.message),
      `${work}`,
    );
  }
});

test('a failure to load is a LoadError, and the next call tries again', async () => {
  const instance = await fresh();
  const wrong = [
    { wasm: new URL('nothing.wasm', file) },
    { wasm: new Uint8Array(4) },
    { wasm: compiled },
    { wasm: 5 },
    { wasn: bytes },
    5,
  ];
  for (const options of wrong) {
    await assert.rejects(instance.loadExplanations(options), (error) => error instanceof LoadError);
    assert.throws(() => first(instance), isNotLoaded);
  }
  await instance.loadExplanations();
  assert.deepEqual(first(instance), [2, 1]);
});

// The document is written in C++; alignments are made in JavaScript from other words.
test('a document has what the alignment has, for random questions', () => {
  const next = questions(seed);
  let fits = 0;
  for (let i = 0; i < 3000; ++i) {
    const question = next();
    const { rule, shapes } = question;
    const options = optionsOf(question);
    const title = titleOf(question);
    let alignment;
    try {
      alignment = bl.align(rule, shapes, options);
    } catch {
      continue;
    }
    const { error } = alignment;
    const document = alignment.document();
    fits += document.fits;
    const whole = (value) => (typeof value === 'bigint' ? String(value) : value);
    const plain = (value) => JSON.parse(JSON.stringify(value, (_, each) => whole(each)));
    assert.deepEqual(
      document,
      plain({
        version: 1,
        kind: 'alignment',
        rule,
        op: null,
        operands: shapes.map((shape, operand) => ({ name: bl.formatOperand(operand), shape })),
        axis: options.axis ?? null,
        targetShape: options.targetShape ?? null,
        axesMapping: options.axesMapping ?? null,
        fits: error === null,
        shape: alignment.shape,
        axes: alignment.axes.map((axis) => ({ ...axis, extent: axis.conflict ? null : axis.extent, why: axis.why })),
        conflicts: alignment.conflicts,
        growsBoth: alignment.growsBoth,
        verdict: alignment.verdict,
        error: error && Object.fromEntries(Object.keys(document.error).map((name) => [name, error[name]])),
        cause: alignment.cause,
        repairs: alignment.repairs(),
        warnings: alignment.warnings(),
      }),
      title,
    );
    assert.equal(document.cause === null, document.fits, title);
    if (document.fits) assert.deepEqual(document.repairs, [], title);
    for (const repair of alignment.repairs()) {
      assert.ok(bl.vocabulary.repairs.includes(repair.kind), title);
      assert.ok(repair.result.every((extent) => extent >= 0) && repair.meaning.length > 0, title);
    }
  }
  assert.ok(fits > 300, String(fits));
});

test('names of axes, the operator and expressions reach the explanations', () => {
  const shapes = [[8, 8], [8]];
  const named = bl.align('numpy', shapes, { names: [['batch', 'heads'], ['batch']] }).warnings();
  assert.equal(named[0].kind, 'axis_names');
  assert.match(named[0].message, /"heads" of A lies on "batch" of B/);
  assert.deepEqual(bl.align('numpy', shapes, { names: [['batch', 'heads'], ['heads']] }).warnings(), []);
  const expressions = ['x', 'x.mean(axis=1)'];
  const { code } = bl.align('numpy', [[8, 3], [8]], { expressions, names: [['a', 'b'], []] }).repairs()[0];
  assert.equal(code.numpy, 'x.mean(axis=1, keepdims=True)');
  assert.equal(bl.align('numpy', [[8, 3], [8]], { op: 'Sub' }).document().op, 'Sub');
  assert.throws(() => bl.align('numpy', [[1]], { op: 'Plus' }), { code: 'unknown', detail: 'op' });
});

test('code for more values than are written says so, however many there are', () => {
  for (const count of [1001, 1_000_000]) {
    const alignment = bl.align('numpy', [[count], [1]], { op: 'Add' });
    const { text, reason } = alignment.code('numpy', { operands: [{ values: new Array(count).fill(1) }, {}] });
    assert.equal(text, null);
    assert.match(reason, new RegExp(`^A has ${count} values that would have to be written one by one`));
  }
});

test('warnings that are expected are left out', () => {
  const outer = [[32, 1], [32]];
  assert.deepEqual(
    bl
      .align('numpy', outer)
      .warnings()
      .map(({ kind }) => kind),
    ['outer'],
  );
  assert.deepEqual(bl.align('numpy', outer, { expect: ['outer', 'mask_axis'] }).warnings(), []);
  assert.throws(() => bl.align('numpy', outer, { expect: ['inner'] }).warnings(), /There is no warning "inner"/);
});

test('the repairs of a pasted question are those of use to whoever saw the text', () => {
  const text = "ValueError: non-broadcastable output operand with shape (3,1) doesn't match the broadcast shape (3,4)";
  const { question, shapes } = bl.readPasted(text);
  assert.deepEqual([question.writesToTarget, question.writesOperand, question.keepsRule], [true, false, true]);
  const [operand, target] = [question.operands[0], question.target].map((i) => shapes[i].extents);
  const ask = (options) => bl.align(question.rule, [operand], { targetShape: target, ...options });
  assert.ok(
    ask({})
      .repairs()
      .every(({ needsNewArray }) => !needsNewArray),
  );
  const [first, ...rest] = ask({ pasted: question }).repairs();
  assert.deepEqual([first.kind, first.needsNewArray, first.code.numpy], ['change_target', true, null]);
  assert.ok(rest.every(({ rule }) => rule === question.rule));
  assert.deepEqual(ask({ pasted: question }).document().repairs[0].needsNewArray, true);
  // A text without a question has null.
  assert.deepEqual(ask({ pasted: null }).repairs(), ask({}).repairs());
});

test('pasted texts: spans are in UTF-16 offsets, extents as they are', () => {
  const text =
    'ü😀\n    x - x.mean(axis=1)\nValueError: operands could not be broadcast together with shapes (2,3) (2,)';
  const pasted = bl.readPasted(text);
  for (const { span, text: own, expression, expressionSpan } of pasted.shapes) {
    assert.equal(text.slice(span.begin, span.end), own);
    assert.equal(text.slice(expressionSpan.begin, expressionSpan.end), expression);
  }
  assert.equal(text.slice(pasted.sourceSpan.begin, pasted.sourceSpan.end), pasted.sourceLine);
  assert.deepEqual(
    pasted.shapes.map(({ extents }) => extents),
    [[2, 3], [2]],
  );
  assert.equal(bl.readPasted('nothing here'), null);
  assert.deepEqual(bl.readShapes('(4611686018427387904, N)')[0].extents, [
    4611686018427387904n,
    { name: 'N', least: 0, most: null },
  ]);
  assert.throws(() => bl.readShapes('(2 @ 3)'), { code: 'parse' });
});

// What takes more than linear time never comes to an end with these.
test('hostile texts are read in bounded time', () => {
  const megabyte = 2 ** 20;
  for (const text of [
    '('.repeat(megabyte),
    '(2,'.repeat(megabyte / 3),
    '\0'.repeat(megabyte),
    '\ud800'.repeat(1000),
    'ValueError: operands could not be broadcast together with shapes '.repeat(10_000),
    `${' '.repeat(megabyte)}(2,3) (2,)`,
    '😀'.repeat(megabyte / 4),
  ]) {
    for (const read of [() => bl.readPasted(text), () => bl.readShapes(text)]) {
      try {
        read();
      } catch (error) {
        assert.ok(isBroadcastError(error), String(error));
      }
    }
  }
  assert.deepEqual(first(bl), [2, 1]);
});

test('memory that is refused is an error, wherever it is refused', () => {
  const { bl: own, core } = startInside();
  const calls = [
    () => own.align('numpy', [[8, 64, 56, 56], [64]]).document(),
    () => own.readPasted('operands could not be broadcast together with shapes (2,3) (2,)'),
    () => own.readShapes(`(${Array(3000).fill(2)})`),
  ];
  for (const call of calls) {
    const expected = call();
    let refusals = 0;
    for (let allocations = 0; allocations < 1000; ++allocations) {
      core.explainer.refuseAfter(allocations);
      try {
        assert.deepEqual(call(), expected);
        break;
      } catch (error) {
        assert.equal(error.code, 'allocation', String(error.stack));
        ++refusals;
      } finally {
        core.explainer.refuseAfter(-1);
      }
    }
    assert.ok(refusals > 0);
    assert.deepEqual(call(), expected);
  }
});
