// Input: how much memory there is, then up to four calls of the package, each with its operands and options, a callback
// of the caller that runs during the call, and the destination of the result.
//
// The meaning of the operands is known (operands.mjs), and so is their result (oracle.mjs). A correct call must return
// that result, and a wrong call must fail. For any input, only the package's own errors are thrown, an error leaves
// `out` unchanged, and no memory of the module stays allocated (world.mjs).

import { readFileSync } from 'node:fs';
import { formatNpy, parseNpy } from '../../build/package-sources/npy.js';
import { Plan } from '../../build/package-sources/plans/plan.js';
import { faultIn } from './choices.mjs';
import {
  bufferOf,
  lengthOf,
  chooseOperandShape,
  chooseShape,
  HUGE,
  NO_ARRAYS,
  NO_EXTENTS,
  TYPES,
} from './operands.mjs';
import { broadcast, compute, countOf, feeding, OPERATORS, select, sumTo, wholeOf } from './oracle.mjs';
import { inWorld } from './world.mjs';

export function faultOf(bytes, note = () => {}) {
  return faultIn(() =>
    inWorld(bytes, note, (world) => {
      for (let calls = 1 + world.choices.below(4); calls > 0; --calls) CALLS[world.choices.name('call', NAMES)](world);
    }),
  );
}

const NUMBERS = ['f32', 'f64', 'i32', 'u8'];
/** The expected outcome of a call whose result is not known. */
const ERROR = { isError: true };
/** Typed arrays with the same number of bytes per element. */
const OTHER_CLASS = { f32: Int32Array, i32: Float32Array, f64: BigInt64Array, u8: Int8Array, bool: Int8Array };
/** The same, without types that share a class. */
const OTHER_TYPE = { ...OTHER_CLASS, u8: Uint8Array, bool: Uint8Array };

const equals = (a, b) => Object.is(a, b) || (a === 0 && b === 0);
const show = (values) => {
  const list = Array.from(values, String);
  return `${list.slice(0, 12)}${list.length > 12 ? `, ... ${list.length}` : ''}`;
};

// --- What is expected -------------------------------------------------------------------------------------------------

/** The type in which operands are computed; null if they have no common type. */
function typeOf(operands) {
  const typed = operands.filter(({ weak }) => !weak);
  if (typed.length === 0) return 'f64';
  return typed.every(({ dtype }) => dtype === typed[0].dtype) ? typed[0].dtype : null;
}

/** The result of an operator: `{dtype, shape, values}`, ERROR, or null if it is not known. */
function expectation(operator, operands) {
  if (operands.some(({ isSure }) => !isSure)) return null;
  const isWhere = operator === WHERE;
  if (isWhere && operands[0].dtype !== 'bool') return null;
  const dtype = typeOf(isWhere ? operands.slice(1) : operands);
  if (dtype === 'bool' && isWhere) return null; // numbers that are not bools may or may not be accepted
  if (dtype === null || dtype === 'bool') return ERROR;
  const extents = broadcast(operands.map(({ shape }) => shape));
  if (extents === null) return ERROR;
  const shape = extents.map(Number);
  const box = wholeOf(shape);
  return {
    dtype: operator.result ?? dtype,
    shape,
    count: countOf(shape),
    valuesOf: (part = box) => (isWhere ? select(operands, part) : compute(operator, dtype, operands, part)),
  };
}

const WHERE = { name: 'Where', method: 'where' };

/** Compares the outcome of a call with the expected one. */
function settle(world, name, outcome, expected, { out = null, operands = [], box } = {}) {
  const { result, error } = outcome;
  if (error !== undefined) {
    checkUntouched(world, name, out, operands, true);
    if (expected === null || expected.isError || world.isDisturbed || out?.isRight === false || out?.isRight === null)
      return;
    if (error.code === 'allocation' && world.isShort) return;
    world.fail(`${name} refuses what is right: ${error.message}`);
  }
  checkUntouched(world, name, out, operands, false);
  const { shape, dtype } = result;
  const isTensor = 'disposed' in result;
  const data = isTensor ? (result.disposed ? null : read(world, result)) : result.data;
  if (world.isDisturbed) return;
  if (expected?.isError) world.fail(`${name} takes what is wrong, and gives ${show(data)} of ${dtype}, [${shape}]`);
  if (out?.isRight === false) world.fail(`${name} takes an out that is wrong: ${out.kind}`);
  if (data === null) return; // memory was refused
  if (!isTensor && out === null && world.isModules(data)) world.fail(`${name} gives the module's own memory`);
  if (!isTensor && out === null && operands.some((operand) => operand.place?.buffer === bufferOf.call(data))) {
    world.fail(`${name} gives an operand's memory`);
  }
  if (expected === null) return;
  // Of an `out` in which one element lies apart, the result is a view.
  const isView = out?.kind === 'strided' && countOf(shape) < 2;
  if (out !== null && out.isRight && out.given !== result && out.data !== data && !isView) {
    world.fail(`${name} does not give out`);
  }
  if (dtype !== expected.dtype) world.fail(`${name} gives ${dtype}, not ${expected.dtype}`);
  const wanted = box === undefined ? expected.shape : box.map(({ begin, end }) => end - begin);
  if (String(shape) !== String(wanted) || shape.length !== wanted.length) {
    world.fail(`${name} gives the shape [${shape}], not [${wanted}]`);
  }
  if (expected.count > 3000 && world.choices.below(8) !== 0) return; // rarely, since it takes long
  const values = expected.valuesOf(box);
  const places = result.strides === undefined ? null : placesOf(result);
  const got = places === null ? data : places.map((place) => data[place]);
  if (places !== null && out?.kind === 'strided') {
    const written = new Set(places);
    const all = Array.from(new TYPES[dtype](bufferOf.call(data)));
    if (all.some((value, i) => !written.has(i) && Number(value) !== 3))
      world.fail(`${name} writes between the elements of out`);
  }
  if (
    (places ?? { length: lengthOf.call(data) }).length !== values.length ||
    values.some((value, i) => !equals(value, got[i]))
  ) {
    const at = values.findIndex((value, i) => !equals(value, got[i]));
    world.fail(`${name} of ${dtype}, [${shape}] gives ${show(got)}, not ${show(values)}: at ${at}`);
  }
}

/** The places of the elements of a result in an `out` whose elements lie apart. */
function placesOf({ shape, strides, offset }) {
  return Array.from({ length: countOf(shape) }, (_, i) => {
    let rest = i;
    return strides.reduceRight((at, stride, axis) => {
      const index = rest % shape[axis];
      rest = (rest - index) / shape[axis];
      return at + index * stride;
    }, offset);
  });
}

/** A tensor's elements; null if there is no memory for them. */
function read(world, tensor) {
  const { result, error } = world.attempt('read', () => tensor.read());
  if (error === undefined) return result;
  world.fail(`read throws ${error.message}`);
}

/** Checks that operands are unchanged, and `out` too if the call failed. */
function checkUntouched(world, name, out, operands, isRefused) {
  if (world.isDisturbed) return;
  for (const { place, before } of operands) {
    if (place === null || before === undefined) continue;
    if (!isRefused && out !== null && out.buffer === place.buffer) continue;
    if (Buffer.compare(before, new Uint8Array(place.buffer)) !== 0) world.fail(`${name} writes into its operands`);
  }
  if (isRefused && out?.before && Buffer.compare(out.before, new Uint8Array(out.buffer)) !== 0) {
    world.fail(`${name} is refused, but has written into out`);
  }
}

const copyOf = (buffer) => new Uint8Array(buffer).slice();

/** Keeps a copy of the operands before a call. */
function remember(operands) {
  for (const operand of operands) {
    if (operand.place !== null && operand.place.buffer.byteLength < 5000) operand.before = copyOf(operand.place.buffer);
  }
}

// --- Where results go -------------------------------------------------------------------------------------------------

const OUTS = ['', '', '', '', 'new', 'tensor', 'operand', 'shifted', 'type', 'shape', 'strided', 'values', 'wild'];
/** Options known to be right or wrong. */
const OUTS_OF_MANY = ['new', 'new', 'new', 'new', 'new', 'new', 'tensor', 'tensor', 'type', 'shape'];

/** Operands that the fast path takes, or must leave to the other path. */
const OUTS_OF_PLAIN = ['', '', 'new', 'new', 'type', 'type', 'operand', 'shape'];

/** A destination for the result, or null: `isRight` is null if that is not known. */
function chooseOut(world, operands, expected, kinds = OUTS) {
  const { choices } = world;
  const kind = choices.pick(kinds);
  if (kind === '') return null;
  const { dtype, shape } = expected?.shape === undefined ? { dtype: 'f32', shape: [2] } : expected;
  const isRight = expected === null || expected.isError ? null : true;
  choices.note(`out ${kind}`);
  const made = (data, fields, own = isRight) => {
    const buffer = bufferOf.call(data);
    world.buffers.push(buffer);
    const given = world.operands.guise({ data, shape: world.operands.extents(shape), dtype, ...fields });
    return { kind, given, data, buffer, before: buffer.byteLength < 5000 ? copyOf(buffer) : null, isRight: own };
  };
  const Type = TYPES[dtype];
  const count = countOf(shape);
  switch (kind) {
    case 'tensor': {
      const { tensor } = world.tensorOf({ dtype, shape, values: new Array(count).fill(3) });
      if (tensor !== null) world.forget(tensor);
      return tensor === null ? null : { kind, given: tensor, isRight };
    }
    case 'operand': {
      const operand = choices.pick(operands);
      world.forget(operand.tensor);
      return ofOperand(operand, dtype, shape, isRight);
    }
    case 'shifted': {
      // Next to an operand's elements in the same buffer, or overlapping them.
      const { place } = choices.pick(operands);
      const size = Type.BYTES_PER_ELEMENT;
      if (place === null || count === 0) return null;
      const begin = (Math.floor(place.begin / size) + 1) * size;
      if (begin + count * size > place.buffer.byteLength) return null;
      if (operands.some(({ isDense = true }) => !isDense)) return null; // the result may be in a part of them
      const meets = operands.some((operand) => {
        const other = operand.place;
        return (
          other?.buffer === place.buffer && begin < other.begin + other.bytes && other.begin < begin + count * size
        );
      });
      return made(new Type(place.buffer, begin, count), {}, meets ? isRight && false : isRight);
    }
    case 'type': {
      const other = { u8: 'bool', bool: 'u8' }[dtype];
      return made(new OTHER_TYPE[dtype](count).fill(dtype === 'f64' ? 3n : 3), { dtype: other }, isRight && false);
    }
    case 'shape':
      return made(new Type(2 * count + 1).fill(3), { shape: [...shape, 2] }, isRight && false);
    case 'strided': {
      // Every second element; or strides by which elements may be written twice.
      const data = new Type(4 * count + 4).fill(3);
      if (choices.below(4) === 0) return made(data, { stride: shape.map(() => 2), offset: 1 }, null);
      const stride = shape.map((_, axis) => 2 * countOf(shape.slice(axis + 1)));
      return made(data, { stride, offset: 1 });
    }
    case 'values':
      return { kind, given: choices.pick([[1, 2], 3, [[1]], true, 2n]), isRight: isRight && false };
    case 'wild':
      return { kind, given: world.operands.makeWild().given, isRight: null };
    default:
      return made(new Type(count).fill(3), {});
  }
}

/** In place of an operand, which is right if that has the result's type and shape. */
function ofOperand(operand, dtype, shape, isRight) {
  const { given, tensor, place, weak } = operand;
  const kind = 'operand';
  const isAlike =
    operand.dtype === dtype && String(operand.shape) === String(shape) && operand.shape.length === shape.length;
  if (weak) return { kind, given, isRight: isRight && false };
  if (tensor !== null) return { kind, given, isRight: isRight && isAlike };
  if (place === null || operand.raw === undefined) return { kind, given, isRight: null };
  const isKnown = operand.isSure && operand.isDense;
  const before = place.buffer.byteLength < 5000 ? copyOf(place.buffer) : null;
  return {
    kind,
    given: operand.raw,
    data: operand.data,
    buffer: place.buffer,
    before,
    isRight: isKnown ? isRight && isAlike : null,
  };
}

/** Options, some of them invalid. Their effect is not known unless they have the default value. */
function chooseOptions(world, out) {
  const { choices } = world;
  const options = {};
  let isUsual = true;
  const kind = choices.below(12);
  if (kind === 1) options.rule = 'numpy';
  if (kind === 2) options.promote = 'strict';
  if (kind === 3) options.as = 'array';
  if (kind > 8) {
    isUsual = false;
    const name = choices.name('option', Object.keys(OPTIONS));
    options[name] = choices.pick(OPTIONS[name]);
  }
  if (out !== null) options.out = out.given;
  const isNone = Object.keys(options).length === 0 && choices.below(8) !== 0;
  if (kind === 4 && isNone && choices.below(16) === 0) {
    return {
      options: choices.pick([null, 5, 'x', [], world.operands.revoked(), Symbol('x'), new Date()]),
      isUsual: false,
    };
  }
  return { options: isNone ? undefined : world.operands.guise(options), isUsual, as: options.as };
}

const { rules } = JSON.parse(readFileSync(new URL('../reference/vocabulary.json', import.meta.url), 'utf8'));
const RULES = [...Object.keys(rules), 'numpi', '\u0007\u009b', 5, null, 'toString'];
const INTEGERS = [0, 1, -1, 2, 5, 2n, 2 ** 53, 2n ** 63n, -(2n ** 63n), 0.5, NaN, '1', null];
const OPTIONS = {
  rule: RULES,
  promote: ['numpy2', 'numpy1', 5],
  as: ['first', 'nested', 'strided', 'zarr', 'stdlib', 'onnx', 'x', 5],
  axis: INTEGERS,
  targetShape: [
    [2, 3],
    [1],
    [],
    [2n ** 63n],
    [2 ** 53 - 1, 2 ** 32],
    [0.5],
    5,
    'x',
    Int32Array.of(2),
    Float32Array.of(2),
  ],
  axesMapping: [[0], [0, 1], [1, 0], [-1], [5], [2 ** 40], 5, 'x'],
  attrs: [
    {},
    { fmod: 1 },
    { fmod: 2 },
    { direction: 'left' },
    { direction: 'up' },
    { to: 'u8' },
    { to: 'x', saturate: 1 },
    5,
  ],
  unknown: [1],
  'r\u0085le': [1],
  data: [new Float32Array(1)],
  shape: [[1]],
};

// --- Calls ------------------------------------------------------------------------------------------------------------

/** Operands that usually broadcast to a shape. */
function chooseOperands(world, dtypes, options) {
  const { choices, operands } = world;
  const shape = chooseShape(choices);
  const made = dtypes.map((dtype) => operands.make(dtype, chooseOperandShape(choices, shape), options));
  if (choices.below(12) === 0) made[choices.below(made.length)] = operands.makeWild();
  else if (made.length > 1 && choices.below(10) === 0) {
    // The same object twice, which is then read twice.
    const [{ given, raw = given }] = made;
    made[0] = { ...made[0], given: raw };
    made[1] = made[0];
  }
  return made;
}

/** The number of operands in a list: rarely more than the core has room for without allocating. */
function chooseCount(choices) {
  const count = choices.byte();
  return count >= 240 ? 6 : 1 + (count % 4);
}

function operate(world) {
  const { choices, bl } = world;
  const isWhere = choices.below(6) === 0;
  const operator = isWhere ? WHERE : choices.pick(OPERATORS);
  choices.note(`operator ${operator.name}`);
  const dtype = choices.pick(NUMBERS);
  const dtypes = isWhere ? ['bool', dtype, dtype] : new Array(operator.isList ? chooseCount(choices) : 2).fill(dtype);
  if (choices.below(12) === 0) dtypes[dtypes.length - 1] = choices.pick(NUMBERS);
  const asked = choices.below(4) === 0 ? { readsOnce: false } : {};
  world.arm(asked);
  const operands = chooseOperands(world, dtypes);
  let expected = expectation(operator, operands);
  const out = chooseOut(world, operands, expected);
  const { options, isUsual, as } =
    asked.readsOnce === false ? { ...chooseOptions(world, out) } : withoutForms(world, out);
  if (!isUsual) expected = null;
  remember(operands);
  const givens = operands.map(({ given }) => given);
  const way = choices.name('way', ['method', 'apply', 'list']);
  const list = way === 'list' ? world.operands.guise(givens) : givens;
  const outcome = world.attempt(operator.name, () => {
    if (way !== 'method') return bl.apply(operator.name, list, options);
    return operator.isList ? bl[operator.method](list, options) : bl[operator.method](...givens, options);
  });
  if (outcome.error === undefined && (!isUsual || (as !== undefined && as !== 'array'))) return; // in any form
  settle(world, operator.name, outcome, expected, { out, operands });
}

/** Options without the form of the result: an object that is returned in its own form is asked again for its class. */
function withoutForms(world, out) {
  const chosen = chooseOptions(world, out);
  if (chosen.options === undefined || chosen.as === undefined) return chosen;
  return { options: out === null ? undefined : { out: out.given }, isUsual: true };
}

/** Any operator, on two operands of which little is known. */
function operateAny(world) {
  const { choices, bl } = world;
  world.arm();
  const { result: vocabulary } = world.attempt('vocabulary', () => bl.vocabulary);
  const names = Object.keys(vocabulary?.ops ?? { Add: true });
  const name =
    choices.below(16) === 0 ? choices.pick(['Plus', '', null, 5, '\u001b[0m', 'constructor']) : choices.pick(names);
  choices.note(`any ${String(name)}`);
  const operands = [];
  const shape = chooseShape(choices);
  for (let i = choices.below(4); i > 0; --i) {
    const isWild = choices.below(3) === 0;
    operands.push(isWild ? world.operands.makeWild() : world.operands.make(choices.pick(NUMBERS), shape));
  }
  const { options } = withoutForms(world, null);
  const list =
    choices.below(16) === 0 ? choices.pick(NO_ARRAYS) : world.operands.guise(operands.map(({ given }) => given));
  world.attempt('apply', () => bl.apply(name, list, options));
}

const FORMS = ['array', 'nested', 'strided', 'zarr', 'stdlib', 'onnx', 'first'];

/** Operands of any types, promoted, and the result in any form, with the same elements. */
function mix(world) {
  const { choices, bl } = world;
  world.arm({ readsOnce: false });
  const shape = chooseShape(choices);
  const operands = [0, 1].map(() => {
    const own = chooseOperandShape(choices, shape);
    if (choices.flag()) return world.operands.makeOther(own);
    if (choices.below(4) === 0)
      return choices.pick([2.5, 3, 300, -1, 2n ** 40n, true, NaN, 1e300, [1.5, 2], [[7n]], []]);
    return world.operands.make(choices.pick(NUMBERS), own, { small: true }).given;
  });
  const options = { promote: choices.below(8) === 0 ? 'strict' : 'numpy2', as: choices.name('as', FORMS) };
  const [a, b] = operands;
  const name = choices.pick(['mul', 'max', 'less', 'pow', 'div', 'equal']);
  const given = world.operands.guise(options);
  const call = (own) => (name === 'max' ? bl.max([a, b], own) : bl[name](a, b, own));
  const { result } = world.attempt(`${name} mixed`, () => call(given));
  if (result === undefined || world.isDisturbed || world.isShort) return;
  const { result: plain } = world.attempt(`${name} mixed`, () => call({ promote: options.promote }));
  if (plain === undefined || 'disposed' in plain) return;
  const { data } =
    options.as === 'nested' ? { data: [result].flat(Infinity) } : typeof result === 'object' ? result : {};
  if (data === undefined || plain.dtype.startsWith('c') || plain.data.length > 3000) return;
  const [values, wanted] = [Array.from(data, Number), Array.from(plain.data, Number)];
  // Small floats are bits there, and numbers in lists.
  const isBits = ['f16', 'bf16', 'f8e4m3', 'f8e5m2'].includes(plain.dtype) && options.as !== 'array';
  if (values.length !== wanted.length || (!isBits && values.some((value, i) => !equals(value, wanted[i])))) {
    world.fail(`${name} as ${options.as} gives ${show(values)}, not ${show(wanted)} of ${plain.dtype}`);
  }
}

function cast(world) {
  const { choices, bl } = world;
  const dtype = choices.pick(NUMBERS);
  world.arm();
  const [operand] = chooseOperands(world, [dtype]);
  const to =
    choices.below(3) === 0
      ? dtype
      : choices.pick([
          'bool',
          'i8',
          'u16',
          'i64',
          'u64',
          'f16',
          'bf16',
          'f8e4m3',
          ...NUMBERS,
          'c64',
          'u4',
          'float32',
          5,
        ]);
  const isSame = operand.isSure && !operand.weak && to === operand.dtype;
  const { shape, values } = operand;
  const expected = isSame ? { dtype, shape, count: values.length, valuesOf: () => values } : null;
  const out = chooseOut(world, [operand], expected);
  const options = out === null ? undefined : { out: out.given, saturate: choices.pick([true, undefined]) };
  remember([operand]);
  const outcome = world.attempt('cast', () => bl.cast(operand.given, to, options));
  settle(world, 'cast', outcome, expected, { out, operands: [operand] });
}

function sum(world) {
  const { choices, bl } = world;
  const dtype = choices.pick(NUMBERS);
  world.arm();
  const [operand] = chooseOperands(world, [dtype], { small: true });
  const isKnown = operand.isSure;
  const target = chooseOperandShape(choices, operand.shape);
  let expected = null;
  if (isKnown) {
    const type = operand.weak ? 'f64' : operand.dtype;
    const isRight = String(broadcast([target, operand.shape])) === String(operand.shape.map(BigInt));
    const whole = () => sumTo(operand, target, type);
    expected = isRight ? { dtype: type, shape: target, count: operand.values.length, valuesOf: whole } : ERROR;
  }
  const isWild = choices.below(10) === 0;
  if (isWild) expected = null;
  const shape = isWild ? wildShape(world) : world.operands.extents(target);
  const out = chooseOut(world, [operand], expected);
  // A sum has no elements to replace: if an operand has as many elements, it may or may not be in its place.
  if (out?.kind === 'operand') out.isRight = null;
  const options = out === null ? undefined : { out: out.given };
  remember([operand]);
  const outcome = world.attempt('sumTo', () => bl.sumTo(operand.given, shape, options));
  settle(world, 'sumTo', outcome, expected, { out, operands: [operand] });
}

/** A shape with extents that are huge or invalid. */
function wildShape(world) {
  const { choices, operands } = world;
  const shape = chooseShape(choices).slice(0, 3);
  shape.push(choices.pick(choices.flag() ? HUGE : NO_EXTENTS));
  choices.note('shape wild');
  if (choices.below(8) === 0)
    return choices.pick([null, 5, 'x', {}, operands.revoked(), Float32Array.of(2), new Array(3), { length: 2 }]);
  return operands.guise(shape);
}

/** A shape for which no result can be allocated: it has too many elements, or none. */
function hugeShape(world) {
  const shape = chooseShape(world.choices).slice(0, 3);
  shape.push(world.choices.pick([2 ** 53 - 1, 2n ** 62n, 2n ** 63n - 1n]), world.choices.pick([1, 2, 0]));
  return shape;
}

function repeat(world) {
  const { choices, bl } = world;
  const shape = chooseShape(choices);
  world.arm();
  const operand =
    choices.below(12) === 0
      ? world.operands.makeWild()
      : world.operands.make(choices.pick(NUMBERS), chooseOperandShape(choices, shape));
  const isHuge = choices.below(8) === 0;
  const target = isHuge ? hugeShape(world) : shape;
  const dtype = operand.weak ? 'f64' : operand.dtype;
  let expected = null;
  if (operand.isSure && !isHuge) {
    const extents = broadcast([operand.shape, target]);
    const isRight = extents !== null && String(extents) === String(target.map(BigInt));
    const whole = () => compute({ of: (a) => a }, dtype, [operand], wholeOf(target));
    expected = isRight ? { dtype, shape: target, count: countOf(target), valuesOf: whole } : ERROR;
  }
  remember([operand]);
  const given = isHuge ? target : world.operands.extents(target);
  const way = choices.name('way', ['broadcastTo', 'broadcast', 'bidirectional', 'explicit']);
  const outcome = world.attempt(way, () => {
    if (way === 'broadcastTo') return bl.broadcastTo(operand.given, given);
    if (way === 'broadcast') return bl.broadcast(operand.given, { targetShape: given });
    if (way === 'bidirectional') return bl.broadcast(operand.given, { mode: way, targetShape: given });
    const axesMapping = operand.shape.map((_, axis) => axis + target.length - operand.shape.length);
    return bl.broadcast(operand.given, { mode: way, targetShape: given, axesMapping });
  });
  if (way === 'bidirectional' || way === 'explicit') expected = null;
  settle(world, way, outcome, expected, { operands: [operand] });
}

function repeatAll(world) {
  const { choices, bl } = world;
  const count = choices.byte();
  const dtypes = Array.from({ length: count === 0 ? 2 : count % 4 }, () => choices.pick(NUMBERS));
  if (dtypes.length === 0) {
    world.arm();
    world.attempt('broadcastArrays', () => bl.broadcastArrays());
    return;
  }
  world.arm();
  const operands = chooseOperands(world, dtypes);
  const extents = operands.every(({ isSure }) => isSure) ? broadcast(operands.map(({ shape }) => shape)) : undefined;
  const givens = operands.map(({ given }) => given);
  if (extents && !choices.flag() && operands.every(({ weak }) => !weak)) {
    repeatInto(world, operands, extents.map(Number));
    return;
  }
  remember(operands);
  const outcome = world.attempt('broadcastArrays', () => bl.broadcastArrays(...givens));
  if (outcome.error !== undefined) {
    settle(world, 'broadcastArrays', outcome, extents === undefined ? null : extents === null ? ERROR : {}, {
      operands,
    });
    return;
  }
  if (extents === undefined || extents === null) {
    if (extents === null && !world.isDisturbed) world.fail('broadcastArrays takes shapes that clash');
    return;
  }
  const shape = extents.map(Number);
  outcome.result.forEach((result, i) => {
    const operand = operands[i];
    const valuesOf = () => compute({ of: (a) => a }, operand.dtype, [operand], wholeOf(shape));
    const dtype = operand.weak ? result.dtype : operand.dtype;
    settle(world, 'broadcastArrays', { result }, { dtype, shape, count: countOf(shape), valuesOf }, { operands });
  });
}

/** The same with destinations from the caller: all are written, or none if one is wrong. */
function repeatInto(world, operands, shape) {
  const { bl } = world;
  const [count, box] = [countOf(shape), wholeOf(shape)];
  const expected = operands.map((operand) => ({
    dtype: operand.dtype,
    shape,
    count,
    valuesOf: () => compute({ of: (a) => a }, operand.dtype, [operand], box),
  }));
  const outs = expected.map((one) => chooseOut(world, operands, one, OUTS_OF_MANY));
  const isRight = outs.every((out) => out?.isRight);
  remember(operands);
  const list = world.operands.guise(outs.map((out) => out?.given));
  const givens = operands.map(({ given }) => given);
  const outcome = world.attempt('sonnx', () => bl.apply('Broadcast', givens, { rule: 'sonnx', out: list }));
  outs.forEach((out, i) => {
    const { error, result } = outcome;
    const own = out && { ...out, isRight };
    settle(world, 'sonnx', { error, result: result?.[i] }, isRight ? expected[i] : ERROR, { out: own, operands });
  });
}

/** Operands of a plan: only typed arrays, and everything else. */
function plan(world) {
  const { choices, bl } = world;
  const operator = choices.pick(OPERATORS);
  const kind = choices.byte();
  const dtype = NUMBERS[kind % NUMBERS.length];
  // Often operands that the fast path takes.
  const plain = kind >= 192;
  world.arm();
  const operands = chooseOperands(world, [dtype, dtype], { plain });
  const expected = expectation(operator, operands);
  const shapes = operands.map(({ shape }) =>
    choices.below(16) === 0 ? wildShape(world) : world.operands.extents(shape),
  );
  const rule = choices.below(10) === 0 ? choices.pick(RULES) : 'numpy';
  const dtypes = choices.below(16) === 0 ? choices.pick([[dtype], null, [dtype, 'x'], ['f32', 'i4']]) : [dtype, dtype];
  const options = choices.below(8) === 0 ? chooseOptions(world, null).options : undefined;
  const { result: made } = world.attempt('plan', () => bl.plan(operator.name, rule, shapes, dtypes, options));
  if (!(made instanceof Plan) || world.isDisturbed) return;
  for (let runs = 1 + choices.below(2); runs > 0; --runs) {
    const isKnown =
      rule === 'numpy' &&
      options === undefined &&
      expected !== null &&
      !expected.isError &&
      String(made.shape) === String(expected.shape) &&
      operands.every((operand, i) => operand.dtype === dtype && String(made.operands[i]) === String(operand.shape));
    let isTyped = true;
    let givens = operands.map((operand) => {
      if (!isBare(operand)) return operand.given;
      const kind = choices.byte();
      if (kind < 240) return kind % 2 === 1 ? operand.data : operand.given;
      isTyped = false;
      return new OTHER_CLASS[operand.dtype](operand.values.length);
    });
    const right = isTyped ? expected : ERROR;
    const wanted = isKnown ? right : null;
    // Numbers take the plan's own type.
    const own = wanted && {
      ...wanted,
      dtype: made.dtype,
      valuesOf: (box = wholeOf(wanted.shape)) => compute(operator, dtype, operands, box),
    };
    const box = choices.flag() ? undefined : chooseBox(world, made.shape);
    const isRight = box === undefined || box.isRight;
    const region =
      box && isRight ? box.map(({ begin, end }) => ({ begin: Number(begin), end: Number(end) })) : undefined;
    const out = chooseOut(
      world,
      operands,
      own && isRight ? { ...own, shape: region?.map(({ begin, end }) => end - begin) ?? own.shape } : null,
      plain ? OUTS_OF_PLAIN : OUTS,
    );
    remember(operands);
    if (choices.below(6) === 0) givens = world.operands.guise(givens);
    // A bare typed array has the type of its class.
    const isAlone = out?.kind === 'new' || (out?.kind === 'type' && !(out.data instanceof Uint8Array));
    const bare = out?.data !== undefined && choices.flag() && isAlone ? out.data : out?.given;
    const outcome = world.attempt('run', () =>
      box === undefined ? made.run(givens, bare) : made.runRegion(world.operands.guise(box), givens, bare),
    );
    settle(world, 'run', outcome, box !== undefined && !isRight ? null : own, { out, operands, box: region });
    // Objects that return each property only once have been read.
    if (world.isDisturbed || out !== null || operands.some(({ given, raw = given }) => raw !== given)) return;
    world.arm();
  }
}

function isBare({ isSure, tensor, weak, isDense, isLying }) {
  return isSure && tensor === null && !weak && isDense && !isLying;
}

function chooseBox(world, shape) {
  const { choices } = world;
  let isRight = true;
  const box = shape.map((extent) => {
    const begin = choices.below(Math.min(extent, 255) + 1);
    const end = begin + choices.below(Math.min(extent - begin, 255) + 1);
    if (choices.below(16) !== 0)
      return world.choices.flag() ? { begin, end } : { begin: BigInt(begin), end: BigInt(end) };
    isRight = false;
    return choices.pick([
      { begin: end + 1, end: begin },
      { begin: -1, end },
      { begin, end: 2n ** 63n - 1n },
      {},
      null,
      5,
      { begin: 0.5, end: 1 },
    ]);
  });
  if (choices.below(20) === 0) {
    isRight = false;
    box.push({ begin: 0, end: 1 });
  }
  const ranges = box.map((range) => (isRight ? range : world.operands.guise(range)));
  if (choices.below(32) === 0) ranges.pop();
  return Object.assign(ranges, { isRight: isRight && ranges.length === shape.length });
}

function keep(world) {
  const { choices, bl } = world;
  world.arm();
  const [operand] = chooseOperands(world, [choices.pick(NUMBERS)]);
  if (choices.below(12) === 0) operand.given = { data: new Uint8Array(1), shape: hugeShape(world), stride: [0] };
  const isKnown = operand.isSure && !Array.isArray(operand.given?.stride?.[1]) && operand.given?.data?.length !== 1;
  const { result: tensor, error } = world.attempt('tensor', () => bl.tensor(operand.given));
  if (error !== undefined || world.isDisturbed) return;
  const values = read(world, tensor);
  if (
    isKnown &&
    (values.length !== operand.values.length || operand.values.some((value, i) => !equals(value, values[i])))
  ) {
    world.fail(`tensor holds ${show(values)}, not ${show(operand.values)}`);
  }
}

/** One of the existing tensors. */
function chooseTensor(world) {
  if (world.tensors.length > 0) return world.choices.pick(world.tensors);
  const values = [1, 2, 3, 4];
  return world.tensorOf({ dtype: 'f32', shape: [2, 2], values });
}

/** Calls view on a tensor, with a callback that misbehaves. */
function view(world) {
  const { choices, bl } = world;
  const known = chooseTensor(world);
  const { tensor, values } = known;
  if (tensor === null) return;
  world.arm();
  let lent = null;
  const own = new Error('thrown in view');
  const inner = choices.name('inner', [
    'nothing',
    'dispose',
    'view',
    'calls',
    'harm',
    'throw',
    'promise',
    'write',
    'no function',
  ]);
  // Tensors of the same size, which would replace one that was released too early.
  const grab = (length) => {
    const array = {
      data: new (TYPES[tensor.dtype] ?? Float32Array)(length).fill(9),
      shape: [length],
      dtype: tensor.dtype,
    };
    for (let i = 0; i < 4; ++i) world.attempt('tensor', () => bl.tensor(array));
  };
  const use = (data) => {
    lent = data;
    const before = Array.from(data);
    switch (inner) {
      case 'dispose':
        tensor.dispose();
        grab(before.length);
        break;
      case 'view': {
        const other = chooseTensor(world);
        if (other.tensor === null) break;
        const useOther = () => {
          other.tensor.dispose();
          if (choices.flag()) tensor.dispose();
        };
        world.attempt('view', () => other.tensor.view(useOther));
        grab(before.length);
        break;
      }
      case 'calls':
        world.callWithin();
        grab(before.length);
        break;
      case 'harm':
        world.touch();
        break;
      case 'throw':
        throw own;
      case 'promise':
        return { then: 'x', get constructor() { return world.touch(); } }; // prettier-ignore
      case 'write':
        if (data.length > 0) data[0] = typeof data[0] === 'bigint' ? 1n : 1;
        return undefined;
      default:
    }
    if (before.some((value, i) => !equals(value, data[i]))) world.fail('what view lends has changed meanwhile');
    return before.length;
  };
  const given =
    inner === 'no function'
      ? choices.pick([null, 5, async () => 1, async function* () {}, {}, revokedFunction()])
      : use;
  const outcome = world.attempt('view', () => tensor.view(given), {
    letsThrough: (error) => error === own || isHarm(world, inner),
  });
  if (inner === 'write' && values !== null && values.length > 0) known.values = [1, ...values.slice(1)];
  if (outcome.error === undefined && lent !== null && lent.length !== 0)
    world.fail('what view has lent is still there');
}

/** Whether view's own callback has thrown; its error is passed on unchanged. */
const isHarm = (world, inner) => inner === 'harm' && world.isDisturbed;

function revokedFunction() {
  const { proxy, revoke } = Proxy.revocable(() => 1, {});
  revoke();
  return proxy;
}

function useTensor(world) {
  const { choices } = world;
  const known = chooseTensor(world);
  const { tensor, values } = known;
  if (tensor === null) return;
  world.arm();
  const way = choices.name('way', ['read', 'write', 'dispose', 'foreign write']);
  if (way === 'dispose') {
    tensor.dispose();
    world.attempt('read', () => tensor.read());
    return;
  }
  if (way === 'read') {
    const { result } = world.attempt('read', () => tensor.read());
    if (result !== undefined && values !== null && values.some((value, i) => !equals(value, result[i]))) {
      world.fail(`read gives ${show(result)}, not ${show(values)}`);
    }
    return;
  }
  const data = way === 'write' && values !== null ? TYPES[known.dtype].from(values).fill(1) : choices.pick(NO_ARRAYS);
  const { error } = world.attempt('write', () => tensor.write(data));
  if (way === 'write' && error === undefined && values !== null) known.values = values.map(() => 1);
}

/** Only shapes, with extents up to 2^63. */
function inferShape(world) {
  const { choices, bl } = world;
  world.arm();
  const shape = chooseShape(choices).slice(0, 4);
  if (choices.below(3) === 0) shape.push(choices.pick(HUGE));
  let isSure = true;
  const shapes = Array.from({ length: choices.below(4) }, () => {
    if (choices.below(10) !== 0) return chooseOperandShape(choices, shape);
    isSure = false;
    return wildShape(world);
  });
  const rule = choices.below(3) === 0 ? choices.pick(RULES) : 'numpy';
  const usual = rule === 'numpy' || rule === 'onnx_multidirectional';
  const options = usual && choices.flag() ? undefined : shapeOptions(world);
  const given = world.operands.guise(
    shapes.map((extents) => (choices.below(4) === 0 ? world.operands.guise(extents) : extents)),
  );
  const way = choices.name('way', ['inferShape', 'broadcastShapes', 'align']);
  const outcome = world.attempt(way, () => {
    if (way === 'inferShape') return bl.inferShape(rule, given, options);
    return way === 'align' ? bl.align(rule, given, options) : bl.broadcastShapes(...shapes);
  });
  const isUsual =
    isSure &&
    !world.isDisturbed &&
    (way === 'broadcastShapes' || (usual && options === undefined)) &&
    shapes.length > 0;
  const extents = isUsual ? broadcast(shapes) : undefined;
  if (outcome.error !== undefined) {
    if (extents === undefined || extents === null) return;
    const { code } = outcome.error;
    if (code === 'allocation' && world.isShort) return;
    if (code === 'overflow' && extents.reduce((count, extent) => count * (extent || 1n), 1n) >= 2n ** 63n) return;
    world.fail(`${way} refuses [${shapes.join('], [')}]: ${outcome.error.message}`);
  }
  if (way === 'align') {
    examine(world, outcome.result, rule, options);
    return;
  }
  if (extents === undefined) return;
  if (extents === null) world.fail(`${way} takes shapes that clash: [${shapes.join('], [')}]`);
  if (String(outcome.result) !== String(extents)) world.fail(`${way} gives [${outcome.result}], not [${extents}]`);
}

function shapeOptions(world) {
  const { choices } = world;
  const options = {};
  if (choices.below(3) === 0) options.axis = choices.pick(INTEGERS);
  if (choices.below(3) === 0)
    options.targetShape = choices.flag() ? chooseShape(choices) : choices.pick(OPTIONS.targetShape);
  if (choices.below(3) === 0) options.axesMapping = choices.pick(OPTIONS.axesMapping);
  if (choices.below(6) === 0) options.dtype = choices.pick(['f64', 'i4', 'x', 5]);
  return world.operands.guise(options);
}

/** Checks everything that an alignment can be asked for consistency. */
function examine(world, alignment, rule, options) {
  const { choices, bl } = world;
  const { axes, shape, operands, error } = alignment;
  const ask = (name, call) => world.attempt(name, call);
  if (choices.flag()) ask('verdict', () => alignment.verdict);
  if (axes.length > 0 && choices.flag()) ask('why', () => choices.pick(axes).why);
  const repairs = ask('repairs', () => alignment.repairs()).result ?? [];
  for (const repair of repairs) {
    if (error === null) world.fail('repairs where nothing is wrong');
    if (options !== undefined || world.isDisturbed || repair.axis !== null || repair.axesMapping !== null) continue;
    const swaps = repair.kind === 'swap_operands';
    const before = swaps ? operands.toReversed() : operands;
    const shapes = before.map((extents, i) => (i === repair.operand ? repair.shape : extents));
    const { result } = ask('inferShape', () => bl.inferShape(repair.rule, shapes));
    if (result !== undefined && repair.rule !== 'sonnx' && String(result) !== String(repair.result)) {
      world.fail(`a repair of [${operands.join('], [')}] gives [${result}], not [${repair.result}]`);
    }
  }
  const operand = choices.below(3);
  if (choices.below(6) === 0) {
    ask('sourceOf', () => alignment.sourceOf(choices.pick([...INTEGERS, operand]), wildShape(world)));
    ask('fanOut', () => alignment.fanOut(choices.pick([...INTEGERS, operand]), wildShape(world)));
    return;
  }
  if (shape === null || operand >= operands.length || shape.some((extent) => BigInt(extent) === 0n)) return;
  const index = shape.map((extent) => Number(BigInt(choices.number()) % BigInt(extent)));
  const { result: source } = ask('sourceOf', () => alignment.sourceOf(operand, index));
  if (source === undefined) return;
  const isUsual = rule === 'numpy' && shape.every((extent) => extent < 1000);
  if (isUsual && countOf(operands[operand].map(Number)) < 1e6) {
    const extents = operands[operand].map(Number);
    const at = source.reduce((sum, position, axis) => sum * extents[axis] + Number(position), 0);
    if (at !== feeding(extents, index)) world.fail(`sourceOf [${index}] of [${extents}] gives [${source}]`);
  }
  const { result: box } = ask('fanOut', () => alignment.fanOut(operand, source));
  if (box === undefined) return;
  if (!box.every(({ begin, end }, axis) => begin <= index[axis] && index[axis] < end)) {
    world.fail(`fanOut of sourceOf [${index}] does not hold it`);
  }
}

const TEXTS = [
  '(2, 3)',
  '2x3',
  '[2,3]',
  'torch.Size([2, 3])',
  '()',
  '(5,)',
  '1'.repeat(30),
  '9223372036854775807',
  '2 3',
  '-1',
];

function text(world) {
  const { choices, bl } = world;
  world.arm();
  let given = choices.pick(TEXTS);
  if (choices.flag()) given += String.fromCodePoint(choices.pick([0x2c, 0x28, 0, 0x7f, 0xa0, 0xd800, 0x1f600, 0x37]));
  for (let i = choices.below(8); i > 0; --i) given += String.fromCharCode(choices.byte());
  if (choices.below(16) === 0) given = choices.pick([null, 5, {}, [], undefined]);
  const options =
    choices.below(3) === 0
      ? world.operands.guise({ bigint: choices.flag(), operand: choices.pick(INTEGERS) })
      : undefined;
  const isShape = choices.flag();
  const { result } = world.attempt('parse', () =>
    isShape ? bl.parseShape(given, options) : bl.parseIntegers(given, options),
  );
  if (result === undefined || world.isDisturbed) return;
  const { values, spans } = result;
  if (values.length !== spans.length) world.fail('parse gives more values than spans');
  spans.forEach(({ begin, end }, i) => {
    const read = /^-?\d+$/.exec(given.slice(begin, end));
    if (read !== null && BigInt(read[0]) !== BigInt(values[i]))
      world.fail(`parse reads ${given.slice(begin, end)} as ${values[i]}`);
    if (begin >= end || end > given.length)
      world.fail(`parse gives the span ${begin} to ${end} of ${JSON.stringify(given)}`);
  });
  if (!isShape) return;
  const { result: formatted } = world.attempt('formatShape', () => bl.formatShape(values));
  if (formatted === undefined) return;
  const { result: again } = world.attempt('parse', () => bl.parseShape(formatted, { bigint: true }));
  if (again !== undefined && String(again.values) !== String(values))
    world.fail(`${formatted} is read as ${again.values}`);
}

/** The small calls. */
function ask(world) {
  const { choices, bl } = world;
  world.arm();
  const shape = choices.below(3) === 0 ? wildShape(world) : world.operands.guise(chooseShape(choices));
  const dtype = choices.pick(['f32', 'i4', 'c128', 'float32', '\u0085', 5, null, world.operands.revoked()]);
  const way = choices.name('way', [
    'countElements',
    'countBytes',
    'formatShape',
    'formatOperand',
    'resultType',
    'memory',
  ]);
  const operands = () => [choices.pick(['i8', 'u8', 'f16', 'x']), world.operands.makeWild().given, 2.5];
  const questions = {
    countElements: () => bl.countElements(shape),
    countBytes: () => bl.countBytes(shape, dtype),
    formatShape: () => bl.formatShape(shape),
    formatOperand: () => bl.formatOperand(choices.pick([...INTEGERS, -2, -3, 2 ** 31, undefined])),
    resultType: () => bl.resultType(...operands().slice(0, choices.below(4))),
    memory: () => bl.memory(),
  };
  world.attempt(way, questions[way]);
}

/** A .npy file of an operand, read back. */
function format(world) {
  const { choices } = world;
  world.arm();
  const [operand] = chooseOperands(world, [choices.pick([...NUMBERS, 'bool'])]);
  const { result: file, error } = world.attempt('formatNpy', () => formatNpy(operand.given));
  if (world.isDisturbed) return;
  if (file === undefined) {
    if (operand.isSure && !world.isShort) world.fail(`formatNpy refuses what is right: ${error.message}`);
    return;
  }
  if (!operand.isSure) return; // such as huge extents of an empty array, which numbers cannot hold
  const { data, shape, dtype } = parseNpy(file);
  const isAlike = operand.weak || dtype === operand.dtype;
  const values = dtype === 'bool' ? operand.values.map((value) => Number(value !== 0)) : operand.values;
  if (
    !isAlike ||
    String(shape) !== String(operand.shape) ||
    values.some((value, i) => !Object.is(value, Number(data[i])))
  ) {
    world.fail(`formatNpy of ${show(values)}, [${operand.shape}] gives ${show(data)}, [${shape}], ${dtype}`);
  }
}

const CALLS = {
  operate,
  operateAny,
  mix,
  cast,
  sum,
  repeat,
  repeatAll,
  plan,
  keep,
  view,
  useTensor,
  inferShape,
  text,
  ask,
  format,
};
// The first three are more frequent.
const NAMES = ['operate', 'operate', 'operate', 'plan', 'plan', ...Object.keys(CALLS)];
