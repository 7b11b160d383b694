// Whatever a caller gives to `broadloom/models`: a ModelError with a sentence, or an answer; never another error of the package.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isBroadcastError } from 'broadloom';
import { auditModel, ModelError, readLayer, withExplanations } from 'broadloom/models';
import { bl, bytesOf } from './models.mjs';

/** What callers throw themselves: it has to arrive as it is. */
class Own extends Error {}
const own = () => {
  throw new Own('mine');
};
const everyTrap = Object.fromEntries(
  Object.getOwnPropertyNames(Reflect)
    .filter((name) => typeof Reflect[name] === 'function')
    .map((name) => [name, own]),
);
const revoked = (target) => {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
};
const withGetter = (...names) =>
  Object.defineProperties({}, Object.fromEntries(names.map((name) => [name, { get: own, enumerable: true }])));
const detached = () => {
  const bytes = new Uint8Array(8);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
};
class Odd extends Uint8Array {
  get [Symbol.toStringTag]() {
    return own();
  }
}
class Far extends Uint8Array {
  get byteLength() {
    return 2 ** 40;
  }
}

/** Values of every kind, among them those whose use throws. */
const values = () => [
  undefined,
  null,
  true,
  0,
  -1,
  NaN,
  2 ** 53,
  1n,
  2n ** 70n,
  '',
  'text',
  '<net/>',
  '\u0000\ud800',
  Symbol('s'),
  () => undefined,
  async () => undefined,
  class {},
  own,
  {},
  Object.create(null),
  [],
  [[]],
  new Array(5),
  new Array(2 ** 32 - 1),
  [null],
  [{}],
  [withGetter('kind', 'message', 'system')],
  new Date(NaN),
  new Map(),
  new Error('given'),
  Promise.resolve(null),
  new Uint8Array(0),
  new Uint8Array([8, 8]),
  new Float64Array(3),
  new DataView(new ArrayBuffer(8)),
  new SharedArrayBuffer(8),
  new ArrayBuffer(8),
  detached(),
  detached().buffer,
  new Odd(8),
  new Far(8),
  new Proxy({}, everyTrap),
  new Proxy([], everyTrap),
  new Proxy(() => null, everyTrap),
  new Proxy([], {}),
  new Proxy(new Uint8Array(8), {}),
  new Proxy(new ArrayBuffer(8), {}),
  revoked({}),
  revoked([]),
  revoked(() => null),
  { toString: own, valueOf: own, [Symbol.toPrimitive]: own },
  { length: -1 },
  { length: 2 ** 40 },
  { size: 2 ** 53 - 1, read: () => null },
  { size: 100, read: (begin, length) => new Uint8Array(length) },
  { size: 100, read: (begin, length) => new Uint8Array(length + 1) },
  { size: 2 ** 40, read: (begin, length) => new Uint8Array(length).fill(255) },
  withGetter('size', 'read', 'length', 'then'),
  { fits: true, shape: 'abc', verdict: '' },
  { fits: true, shape: [-1, {}], verdict: '' },
  { fits: true, shape: null, verdict: null },
  { fits: null, shape: [2n, 'N', 3], verdict: 'Mine.' },
  { fits: false, shape: [1, 2, 3, 4], verdict: 'No.', conditions: {} },
  withGetter('fits', 'shape', 'verdict', 'conditions'),
  { kind: 1, message: 2 },
  [{ kind: 'a', message: 'b', system: 'c' }],
  [{ system: 'a', systems: withGetter('length'), message: 'b' }],
  globalThis,
];

/** Runs a call with a hostile value. Its own errors may come through, where it was asked to run the caller's code. */
function survives(title, call) {
  for (const [i, value] of values().entries()) {
    try {
      call(value);
    } catch (error) {
      // A class, or a revoked function, throws an error of its own where it is called.
      if (error instanceof Own || (typeof value === 'function' && error instanceof TypeError)) continue;
      const isKnown = error instanceof ModelError || isBroadcastError(error);
      assert.ok(isKnown, `${title}, value ${i}: ${error?.stack}`);
      assert.ok(error.message.length < 400 && /[.?]$/.test(error.message), `${title}, value ${i}: ${error.message}`);
      assert.doesNotMatch(error.message, /undefined is|is not a function|Cannot/, `${title}, value ${i}`);
    }
  }
}

const onnx = bytesOf('unknown.onnx');
const ir = bytesOf('layers.xml');

test('readLayer', () => {
  survives('readLayer', (value) => readLayer(value));
  for (const value of values()) {
    if (typeof value !== 'string') assert.throws(() => readLayer(value), { name: 'ModelError', code: 'input' });
  }
});

test('an instance', () => {
  survives('auditModel', (value) => auditModel(value, onnx));
  survives('withExplanations', (value) => withExplanations(value));
  // What looks like one: private fields are not reached through a proxy.
  for (const fake of [
    new Proxy(bl, {}),
    Object.create(bl),
    { ...bl },
    { align: own, vocabulary: bl.vocabulary },
    { align: () => null, vocabulary: bl.vocabulary },
    { align: bl.align, vocabulary: { rules: {} } },
    { align: bl.align, vocabulary: bl.vocabulary },
  ])
    assert.throws(() => auditModel(fake, onnx), { name: 'ModelError', code: 'input' });
});

test('a model and its weights', () => {
  survives('model', (value) => auditModel(bl, value));
  survives('weights', (weights) => auditModel(bl, ir, { weights }));
  survives('what read returns', (value) => auditModel(bl, { size: 100, read: () => value }));
  // The source is used as it was when it was given.
  let reads = 0;
  const { nodes } = auditModel(bl, {
    get size() {
      if (++reads > 1) own();
      return onnx.length;
    },
    read: (begin, length) => onnx.subarray(begin, begin + length),
  });
  assert.equal(nodes.length, auditModel(bl, onnx).nodes.length);
  assert.throws(() => auditModel(bl, { size: 100, read: own }), Own);
  const real = {
    bytes: onnx,
    size: onnx.length,
    read(begin, length) {
      return this.bytes.subarray(begin, begin + length);
    },
  };
  assert.equal(auditModel(bl, real).nodes.length, nodes.length);
});

test('options, and what their functions return', () => {
  survives('options', (value) => auditModel(bl, onnx, value));
  survives('options of withExplanations', (value) => withExplanations(bl, value));
  survives('link', (link) => withExplanations(bl, { link }));
  const names = ['ask', 'warnings', 'differs', 'link'];
  for (const name of names) {
    survives(name, (value) => auditModel(bl, onnx, { [name]: value }));
    survives(`what ${name} returns`, (value) => auditModel(bl, onnx, { [name]: () => value }));
    assert.throws(() => auditModel(bl, onnx, { [name]: own }), Own);
    assert.throws(() => auditModel(bl, onnx, { [name]: () => 5 }), {
      name: 'ModelError',
      code: 'input',
      message: new RegExp(`^${name} has to return .*; it returned 5\\.$`),
    });
    assert.ok(auditModel(bl, onnx, { [name]: () => null }).nodes.length > 0);
  }
});

test('what functions return is read once and kept', () => {
  let reads = 0;
  const warning = {
    get kind() {
      return ++reads > 1 ? own() : 'mine';
    },
    message: 'Mine.',
    axes: [0],
  };
  const [first] = auditModel(bl, bytesOf('fits.onnx'), {
    warnings: () => [{ kind: 'mine', message: 'Mine.', axes: [0] }],
    differs: () => [{ system: 'openvino', message: 'So.' }],
    link: () => '/x',
  }).nodes;
  assert.deepEqual(first.warnings, [{ kind: 'mine', message: 'Mine.', axes: [0] }]);
  assert.deepEqual(first.differs, [{ system: 'openvino', systems: ['openvino'], message: 'So.' }]);
  assert.equal(first.link, '/x');
  const [once] = auditModel(bl, bytesOf('fits.onnx'), { warnings: () => [warning] }).nodes;
  assert.deepEqual(once.warnings, [{ kind: 'mine', message: 'Mine.', axes: [0] }]);
  const [asked] = auditModel(bl, onnx, { ask: () => ({ fits: null, shape: [2n, 'N'], verdict: 'Mine.' }) }).nodes;
  assert.deepEqual([asked.fits, asked.verdict], [null, 'Mine.']);
});
