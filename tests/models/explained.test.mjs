// What explanations add to an audit: conditions, warnings, differences, links.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { load } from 'broadloom';
import { linkTo } from 'broadloom/link';
import { auditModel, withExplanations } from 'broadloom/models';
import { bl, bytesOf, initializer, model, names, node, number, part } from './models.mjs';

const BASE = 'http://localhost:8080/';
const explained = withExplanations(bl, { link: BASE });
const weightsOf = (name) => (name.endsWith('.xml') ? { weights: bytesOf(name.replace('.xml', '.bin')) } : {});
const both = names.map((name) => ({
  name,
  plain: auditModel(bl, bytesOf(name), weightsOf(name)).nodes,
  nodes: auditModel(bl, bytesOf(name), { ...explained, ...weightsOf(name) }).nodes,
}));
const only = (name) => both.find((each) => each.name === name).nodes[0];

/** A graph's input of type f32: a name and its dimensions, numbers or names. */
const input = (name, dims) => {
  const dim = (value) => part(1, typeof value === 'number' ? number(1, value) : part(2, value));
  const shape = part(2, Buffer.concat(dims.map(dim)));
  const tensor = part(1, Buffer.concat([number(1, 1), shape]));
  return part(11, Buffer.concat([part(1, name), part(2, tensor)]));
};
const nodesOf = (dims) => {
  const inputs = dims.map((each, i) => input(`x${i}`, each));
  const graph = [
    node(
      'Max',
      dims.map((_, i) => `x${i}`),
      ['y'],
    ),
    ...inputs,
  ];
  return auditModel(bl, model(Buffer.concat(graph)), explained).nodes;
};

test('answers are those without explanations, and open ones have conditions', () => {
  let open = 0;
  for (const { name, plain, nodes } of both) {
    assert.equal(nodes.length, plain.length);
    nodes.forEach((node, i) => {
      const title = `${name}: ${node.name}: ${node.verdict}`;
      const { fits, shape, error } = plain[i];
      if (fits !== null) assert.deepEqual([node.fits, node.shape, node.error], [fits, shape, error], title);
      const isKnown = [...node.operands.map((each) => each.shape), node.targetShape ?? []].every(
        (each) => each !== null,
      );
      const hasTarget = bl.vocabulary.rules[node.rule].takesTarget;
      if (node.fits !== null || !isKnown || (hasTarget && node.targetShape === null)) {
        assert.equal(node.conditions, null, title);
        return;
      }
      ++open;
      assert.match(node.verdict, /^Fits if /, title);
      assert.ok(node.conditions.plain.length > 0 && node.conditions.python.startsWith, title);
    });
  }
  assert.ok(open >= 5, open);
  const [{ verdict, fits, shape }] = nodesOf([
    ['N', 3],
    ['a b', 3],
    ['?', 3],
  ]);
  assert.deepEqual([fits, shape], [null, ['?', 3]]);
  assert.match(verdict, /N="a b"/);
  assert.match(verdict, /C\[0\]/);
  assert.equal(
    nodesOf([
      ['x', 'None'],
      [3, 1],
    ])[0].verdict,
    'Fits if "x"=3 or "x"=1.',
  );
  const [own] = nodesOf([
    ['batch', '?'],
    ['batch', '?'],
  ]);
  assert.deepEqual([own.fits, own.shape], [null, ['batch', '?']]);
  assert.equal(own.verdict, 'Fits if A[1]=B[1] or A[1]=1 or B[1]=1. Each ? is an unknown extent of its own.');
  const [same] = nodesOf([
    ['None', 3],
    ['None', 3],
  ]);
  assert.deepEqual([same.fits, same.shape], [true, ['None', 3]]);
});

test('warnings and differences are those of the alignment', () => {
  for (const { name, nodes } of both) {
    for (const { op, rule, operands, axis, targetShape, axesMapping, warnings, differs } of nodes) {
      const shapes = operands.map(({ shape }) => shape);
      if (![...shapes, targetShape ?? []].every((shape) => shape?.every((extent) => typeof extent === 'number')))
        continue;
      if (bl.vocabulary.rules[rule].takesTarget && targetShape === null) continue;
      const options = {
        op: Object.hasOwn(bl.vocabulary.ops, op) ? op : { Multiply: 'Mul', Subtract: 'Sub', Select: 'Where' }[op],
        ...(axis === null ? {} : { axis }),
        ...(targetShape === null ? {} : { targetShape }),
        ...(axesMapping === null ? {} : { axesMapping }),
      };
      const own = bl.align(rule, shapes, options).warnings();
      const others = own.filter(({ kind }) => kind === 'other_systems');
      assert.deepEqual(
        differs.map(({ message }) => message),
        others.map(({ message }) => message),
        name,
      );
      assert.ok(differs.every(({ system }) => /^(openvino|onnxruntime|paddlepaddle|numpy|sonnx|other)$/.test(system)));
      const rest = own.filter(({ kind }) => kind !== 'other_systems');
      assert.deepEqual(
        warnings.filter(({ kind }) => kind !== 'declared'),
        rest,
        name,
      );
    }
  }
  assert.deepEqual(
    only('clash-of-prelu.onnx').differs.map(({ system }) => system),
    ['onnxruntime'],
  );
  // An outer sum is no mistake by itself.
  assert.deepEqual(only('fits.onnx').warnings, []);
  assert.deepEqual(
    nodesOf([[32, 1], [32]])[0].warnings.map(({ kind }) => kind),
    ['outer'],
  );
  // Of unknown extents nothing is known but this.
  assert.deepEqual(
    nodesOf([
      ['N', 1],
      [1, 'N'],
    ])[0].warnings.map(({ kind }) => kind),
    ['both_grow'],
  );
});

test('each node has the link of its alignment', () => {
  let links = 0;
  for (const { nodes } of both) {
    for (const { op, rule, operands, axis, targetShape, axesMapping, link } of nodes) {
      assert.ok(link.startsWith(`${BASE}#v=1&rule=${rule}&op=`), link);
      const shapes = operands.map(({ shape }) => shape);
      if (![...shapes, targetShape ?? []].every((shape) => shape?.every((extent) => typeof extent === 'number')))
        continue;
      if (!Object.hasOwn(bl.vocabulary.ops, op)) continue;
      if (bl.vocabulary.rules[rule].takesTarget && targetShape === null) continue;
      const options = {
        op,
        ...(axis === null ? {} : { axis }),
        ...(targetShape === null ? {} : { targetShape }),
        ...(axesMapping === null ? {} : { axesMapping }),
      };
      assert.equal(link, bl.align(rule, shapes, options).link(BASE));
      ++links;
    }
  }
  assert.ok(links > 20, links);
  assert.equal(auditModel(bl, bytesOf('fits.onnx'), withExplanations(bl)).nodes[0].link, undefined);
  for (const link of ['', 'here', 'javascript:alert(1)', 7]) {
    assert.throws(() => withExplanations(bl, { link }), { code: 'link' });
  }
});

test('links have no text of the file but names of extents', () => {
  const shapesIn = (dims) => new URL(nodesOf(dims)[0].link).hash.match(/in=[^&]*/g);
  assert.deepEqual(
    shapesIn([
      ['batch', 3],
      ['n_1', 3],
    ]),
    ['in=(batch,3)', 'in=(n_1,3)'],
  );
  const secret = 'S3CRET <img src=x> & # % \u202e';
  assert.deepEqual(
    shapesIn([
      [secret, 3],
      ['N', 3],
      [secret, 1],
    ]),
    ['in=(N1,3)', 'in=(N,3)', 'in=(N1,1)'],
  );
  assert.deepEqual(
    shapesIn([
      ['?', 3],
      ['?', 3],
    ]),
    ['in=(?,3)', 'in=(?,3)'],
  );
  assert.deepEqual(shapesIn([['x'.repeat(33), 3], [1]]), ['in=(N,3)', 'in=(1,)']);
  for (const { nodes } of both) {
    for (const { link, name, operands } of nodes) {
      assert.doesNotMatch(link, /[^!-~]|[<>"'\\]/);
      for (const text of [name, ...operands.map((each) => each.name)]) {
        if (text.length > 5) assert.ok(!link.includes(text), `${link} has ${text}`);
      }
    }
  }
  // Extents without a name that are equal stay equal.
  const chained = model(
    Buffer.concat([node('Relu', ['x'], ['y']), node('Add', ['x', 'y'], ['z']), input('x', ['?', 3])]),
  );
  const [sum] = auditModel(bl, chained, explained).nodes;
  assert.equal(sum.fits, true);
  assert.ok(sum.link.endsWith('&in=(N,3)&in=(N,3)'), sum.link);
});

test('a link of a node whose rank is unknown says so', () => {
  assert.ok(only('unknown-rank.onnx').link.includes('&in=...'));
  assert.equal(
    linkTo(BASE, { rule: 'numpy', op: 'Add', dtype: 'f32', operands: [{ shape: '...' }] }).slice(-6),
    'in=...',
  );
});

test('without explanations it says so', async () => {
  const other = await load({
    wasm: new Response(
      await (
        await import('node:fs/promises')
      ).readFile(new URL('../../wasm/dist/broadloom-core.wasm', import.meta.url)),
      { headers: { 'content-type': 'application/wasm' } },
    ),
  });
  assert.throws(() => withExplanations(other), { code: 'not_loaded' });
});

test('many nodes and many unknown extents are answered', () => {
  const many = Array.from({ length: 200 }, (_, i) => `N${i}`);
  const others = many.map((name) => `M${name}`);
  const [wide] = nodesOf([many, others]);
  assert.equal(wide.fits, null);
  assert.ok(wide.verdict.length < 400);
  assert.ok(wide.conditions.plain.split('\n').length > 200);
  const graph = Array.from({ length: 30_000 }, (_, i) => [
    initializer(`w${i}`, [i + 2, 1]),
    node('Add', [`w${i}`, 'x'], [`y${i}`]),
  ]);
  const { nodes } = auditModel(bl, model(Buffer.concat([...graph.flat(), input('x', ['N'])])), explained);
  assert.equal(nodes.length, 30_000);
});
