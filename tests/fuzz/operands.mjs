// Operands in every form that the package takes, and in forms that it must reject. Each is `{given, dtype, shape,
// values}`: the argument, and what it means. `isSure` if the package must read it exactly so; else only the class of
// the outcome is checked. `weak` ones are numbers and lists, which take the others' type.
import { countOf, eachIndex, wholeOf } from './oracle.mjs';

export const TYPES = { f32: Float32Array, f64: Float64Array, i32: Int32Array, u8: Uint8Array, bool: Uint8Array };
const NAMES = { f32: 'float32', f64: 'float64', i32: 'int32', u8: 'uint8', bool: 'bool' };
const OTHERS = [
  'i8',
  'i16',
  'i64',
  'u16',
  'u32',
  'u64',
  'f16',
  'bf16',
  'f8e4m3',
  'f8e5m2',
  'c64',
  'c128',
  'i4',
  'u4',
  'u1',
];
const HELD = {
  i8: Int8Array,
  i16: Int16Array,
  i64: BigInt64Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  c64: Float32Array,
  c128: Float64Array,
};
const VALUES = {
  f32: [0, 1, -0, 2, 0.5, NaN, 3, Infinity, -1, -Infinity, 16777216, 3e38, 1e-45, 5, 7, -9].map(Math.fround),
  f64: [0, 1, -0, 2, 0.1, NaN, 3, Infinity, -1, -Infinity, 2 ** 53, 1e308, 5e-324, 5, 7, -9],
  i32: [0, 1, -1, 2, 3, 2147483647, -2147483648, 5, 65537, -7],
  u8: [0, 1, 2, 3, 255, 128, 5, 7],
  bool: [0, 1, 1, 0, 255],
};
// Represented by every type, and with exact sums.
const SMALL = [0, 1, 2, 3, 5, 7];

/** Beyond what numbers represent exactly, beyond 64 bits, and invalid extents. */
export const HUGE = [2 ** 31, 2 ** 32, 2 ** 53 - 1, 2n ** 31n, 2n ** 53n, 2n ** 62n, 2n ** 63n - 1n];
export const NO_EXTENTS = [
  2 ** 53,
  2n ** 63n,
  2n ** 64n,
  -1,
  -1n,
  0.5,
  NaN,
  Infinity,
  '2',
  null,
  undefined,
  true,
  {},
  [2],
];
export const NO_ARRAYS = [
  null,
  undefined,
  'x',
  {},
  { data: [1], shape: [1] },
  { data: new Float32Array(2) },
  { shape: [2], read: () => 1 },
  new Float32Array(3),
  new ArrayBuffer(4),
  Symbol('x'),
  () => 1,
  new Map(),
  { type: 'string', data: ['a'], dims: [1] },
  { type: 'float32', data: new Float32Array(1), dims: 5 },
  [[1], 2],
  [1, 'x'],
  [[1, 2], [3]],
  [1n, 0.5],
  Object.create(Float32Array.prototype),
  new DataView(new ArrayBuffer(8)),
  new Date(NaN),
  /x/,
];

const EXTENTS = [1, 2, 3, 0, 4, 5, 7];

/** A small shape; rarely one of many axes, of rows that are moved as one, or of more elements than a block holds. */
export function chooseShape(choices) {
  const kind = choices.byte();
  if (kind === 255 && choices.below(4) === 0) return choices.flag() ? [24000] : [2, 1, 12000];
  if (kind >= 252) return new Array(20 + choices.below(40)).fill(1);
  if (kind >= 224) return [2 + choices.below(3), 48 + choices.below(20)];
  const shape = [];
  for (let axis = choices.below(4); axis > 0; --axis) shape.push(choices.pick(EXTENTS));
  return shape;
}

/** A shape that broadcasts to `shape`, rarely one that does not. */
export function chooseOperandShape(choices, shape) {
  const stretched = choices.byte();
  let operand = shape.map((extent, axis) => ((stretched >> (axis % 6)) & 1 ? 1 : extent));
  for (let dropped = choices.below(3); dropped > 0 && operand[0] === 1; --dropped) operand = operand.slice(1);
  if (stretched >> 6 === 3 && operand.length > 0) operand[0] = choices.pick(EXTENTS);
  return operand;
}

/** A nested list with `values`. */
function nest(values, shape) {
  let items = values;
  for (let axis = shape.length - 1; axis >= 0; --axis) {
    const outer = countOf(shape.slice(0, axis));
    const within = items;
    items = Array.from({ length: outer }, (_, i) => within.slice(i * shape[axis], (i + 1) * shape[axis]));
  }
  return items[0];
}

/** A class that scijs makes for each number of axes: its arguments are data, the extents, the strides and the offset. */
const VIEWS = Array.from({ length: 5 }, (_, rank) => {
  return class View {
    constructor(data, ...numbers) {
      this.data = data;
      this.shape = numbers.slice(0, rank);
      this.stride = numbers.slice(rank, 2 * rank);
      this.offset = numbers[2 * rank];
      this.dimension = rank;
      this.dtype = NAMES[Object.keys(TYPES).find((dtype) => TYPES[dtype] === data.constructor)] ?? 'generic';
    }
  };
});

/** Makes operands for one call; `world` decides what callbacks do. */
export class Operands {
  #world;
  #choices;
  /** Whether the call has a tensor. */
  #isResident = false;

  constructor(world) {
    this.#world = world;
    this.#choices = world.choices;
  }

  /** Starts another call. */
  begin() {
    this.#isResident = false;
  }

  /** An operand of `dtype` and `shape`; `small` values can be represented in every type. */
  make(dtype, shape, { small = false, plain = false } = {}) {
    const choices = this.#choices;
    const isWeak = !plain && countOf(shape) <= 5000 && choices.below(5) === 0;
    const values = this.#values(isWeak || small ? SMALL : VALUES[dtype], countOf(shape));
    if (isWeak) return this.#weak(dtype, shape, values);
    const operand = { dtype, shape, values, weak: false, isSure: true, tensor: null, place: null };
    if (!plain && this.#isTensor()) return this.#tensor(operand);
    this.#typed(operand, plain);
    if (plain) return operand;
    if (choices.below(10) === 0) this.#spoil(operand);
    operand.given = this.guise(operand.given);
    return operand;
  }

  /** Something that no call takes, or takes only by chance. */
  makeWild() {
    const choices = this.#choices;
    choices.note('operand wild');
    const base = { shape: [], values: [], weak: false, isSure: false, dtype: 'f32', tensor: null, place: null };
    const kind = choices.below(8);
    if (kind === 0) return { ...base, given: this.revoked() }; // which cannot be wrapped
    if (kind === 1) return { ...base, given: this.#world.foreign };
    if (kind === 2) return { ...base, given: this.makeOther(chooseShape(choices)) };
    if (kind === 3) return { ...base, ...this.#deep() };
    if (kind === 4) return { ...base, given: this.#lyingList() };
    return { ...base, given: this.guise(choices.pick(NO_ARRAYS)) };
  }

  /** A list with a wrong length. */
  #lyingList() {
    this.#choices.note('operand lying list');
    const length = this.#choices.pick([0.5, -1, NaN, 'x', 2 ** 32, -0, null, undefined, 3n, Symbol('x'), 1, 7]);
    const list = this.#choices.pick([
      [1, 2],
      [
        [1, 2],
        [3, 4],
      ],
      [],
    ]);
    return new Proxy(list, { get: (target, name) => (name === 'length' ? length : target[name]) });
  }

  #values(pool, count) {
    const from = this.#choices.byte();
    const step = this.#choices.byte() | 1;
    const values = [];
    for (let i = 0; i < count; ++i) values.push(pool[(from + i * step) % pool.length]);
    return values;
  }

  #weak(dtype, shape, numbers) {
    const choices = this.#choices;
    const isBool = dtype === 'bool';
    const values = isBool ? numbers.map((value) => Number(value > 1)) : numbers;
    const wrap = isBool ? Boolean : choices.below(8) === 7 ? BigInt : (value) => value;
    let given = nest(values.map(wrap), shape);
    choices.note(`operand ${Array.isArray(given) ? 'nested' : 'scalar'}`);
    const raw = given;
    if (Array.isArray(given)) given = this.guise(given);
    const isSure = wrap !== BigInt && !values.includes(undefined);
    // A list without an entry at some level has no further axes.
    const shapeGiven = shape.includes(0) ? shape.slice(0, shape.indexOf(0) + 1) : shape;
    return { given, raw, dtype, shape: shapeGiven, values, weak: true, isSure, tensor: null, place: null };
  }

  /** Tensors come together: a call with one tensor has others. */
  #isTensor() {
    const choice = this.#choices.byte();
    this.#isResident = choice % 6 === 0 || (this.#isResident && choice % 2 === 0);
    return this.#isResident;
  }

  #tensor(operand) {
    const { tensor } = this.#world.tensorOf(operand);
    this.#choices.note('operand tensor');
    if (tensor !== null) return { ...operand, given: tensor, tensor };
    this.#typed(operand, true); // memory was refused
    return operand;
  }

  /** Entries for `count` elements, in memory of some kind; bytes before and after are not the operand's. */
  #memory(dtype, count, plain) {
    const Type = TYPES[dtype];
    const size = Type.BYTES_PER_ELEMENT;
    const bytes = count * size;
    const kind = plain ? 'own' : this.#choices.name('memory', MEMORIES);
    const data = (() => {
      switch (kind) {
        case 'part':
          return new Type(new ArrayBuffer(bytes + 8 * size), 4 * size, count);
        case 'shared':
          return new Type(new SharedArrayBuffer(bytes));
        case 'growable':
          return new Type(new SharedArrayBuffer(bytes, { maxByteLength: bytes + 64 }));
        case 'resizable':
          return new Type(new ArrayBuffer(bytes, { maxByteLength: bytes + 64 }), 0, count);
        case 'tracking':
          return new Type(new ArrayBuffer(bytes, { maxByteLength: bytes + 64 }));
        case 'lying':
          return this.#lying(Type, count);
        default:
          return new Type(count);
      }
    })();
    this.#world.buffers.push(data.buffer);
    return data;
  }

  /** A typed array whose own properties and methods are wrong. */
  #lying(Type, count) {
    const world = this.#world;
    class Lying extends Type {
      static get [Symbol.species]() {
        world.touch();
        return Array;
      }
      subarray() {
        world.touch();
        return [];
      }
    }
    const data = new Lying(count);
    const wrong = { get: () => (world.touch(), 1e9), configurable: true };
    for (const name of ['length', 'byteLength', 'byteOffset', 'constructor', Symbol.toStringTag]) {
      Object.defineProperty(data, name, wrong);
    }
    return data;
  }

  #typed(operand, plain) {
    const { dtype, shape, values } = operand;
    const choices = this.#choices;
    const form = plain ? 'array' : choices.name('form', FORMS);
    const isDense = form === 'array' || form === 'typed' || form === 'onnx' || values.length === 0;
    const { strides, offset, entries } = isDense
      ? { strides: [], offset: 0, entries: values.length }
      : this.#strided(shape);
    const data = this.#memory(dtype, entries, plain);
    const fill = Object.getPrototypeOf(Uint8Array.prototype).fill;
    fill.call(data, 1);
    if (isDense) {
      for (let i = 0; i < values.length; ++i) data[i] = values[i];
    } else {
      let i = 0;
      eachIndex(wholeOf(shape), (index) => {
        let place = offset;
        for (let axis = 0; axis < shape.length; ++axis) place += index[axis] * strides[axis];
        data[place] = values[i++];
      });
    }
    // Strides of an empty array: as many as axes.
    const steps = isDense ? shape.map(() => 1) : strides;
    const extents = plain ? shape : this.extents(shape);
    const bytes = entries * TYPES[dtype].BYTES_PER_ELEMENT;
    operand.data = data;
    operand.copy = TYPES[dtype].from(values);
    operand.isDense = form === 'array' || form === 'typed' || form === 'onnx';
    operand.place = { buffer: bufferOf.call(data), begin: byteOffsetOf.call(data), bytes };
    operand.given = this.#object(form, dtype, data, extents, steps, offset);
    operand.raw = operand.given;
  }

  #object(form, dtype, data, shape, stride, offset) {
    const named = dtype === 'bool' ? { dtype: 'bool' } : {};
    switch (form) {
      case 'typed':
        return { data, shape, dtype };
      case 'onnx':
        return { type: NAMES[dtype], data, dims: shape };
      case 'stride':
        return { data, shape, stride, offset, ...named };
      case 'strides':
        // Defaults may be omitted.
        if (isRowMajor(stride, shape)) return { data, shape, offset, dtype: NAMES[dtype] };
        return { data, shape, strides: stride, offset, dtype: NAMES[dtype] };
      case 'zarr':
        return offset === 0 ? { data, shape, stride, ...named } : { data, shape, stride, offset, ...named };
      case 'stdlib':
        return { data, shape, strides: stride, offset, order: 'row-major', dtype: { toString: () => NAMES[dtype] } };
      case 'view':
        if (dtype === 'bool' || stride.length > 4) return { data, shape, stride, offset, ...named };
        return new VIEWS[stride.length](data, ...shape, ...stride, offset);
      default:
        return { data, shape, ...named };
    }
  }

  /** Axes in another order, with gaps, and with negative steps. */
  #strided(shape) {
    const choices = this.#choices;
    const strides = new Array(shape.length);
    let offset = choices.below(3);
    let step = 1 + choices.below(2);
    let reach = 0;
    const order = shape.map((_, axis) => axis);
    if (choices.flag()) order.reverse();
    for (const axis of order) {
      const last = shape[axis] - 1;
      strides[axis] = step;
      reach += step * last;
      if (choices.flag()) {
        strides[axis] = -step;
        offset += step * last;
      }
      step = step * (last + 1) + choices.below(2);
    }
    return { strides, offset, entries: reach + 1 + offset };
  }

  /** Extents in a form that the package takes. */
  extents(shape) {
    switch (this.#choices.below(6)) {
      case 1:
        return shape.map(BigInt);
      case 2:
        return Int32Array.from(shape);
      case 3:
        return BigInt64Array.from(shape, BigInt);
      case 4:
        return Object.freeze(shape.slice());
      default:
        return shape.slice();
    }
  }

  /** Makes one part of it wrong. */
  #spoil(operand) {
    const choices = this.#choices;
    operand.isSure = false;
    const { given, data } = operand;
    const name = choices.name('spoilt', SPOILT);
    const shape = Array.from(given.shape ?? given.dims, Number);
    const extents = given.dims === undefined ? 'shape' : 'dims';
    switch (name) {
      case 'extent':
        given[extents] = [...shape.slice(1), choices.pick(NO_EXTENTS)];
        break;
      case 'huge':
        given[extents] = [...shape, choices.pick(HUGE)];
        break;
      case 'empty':
        given[extents] = [...shape, choices.pick(HUGE), 0];
        break;
      case 'stretched':
        // So many elements, of which only one exists: the result is too large to allocate in any case.
        Object.assign(given, { shape: [choices.pick(HUGE.slice(4)), 2], stride: [0, 0], offset: 0 });
        break;
      case 'shape':
        given[extents] = choices.pick(NO_EXTENTS);
        break;
      case 'length':
        given[extents] = [...shape, 2];
        break;
      case 'dtype':
        given.dtype = choices.pick([
          'float33',
          '',
          null,
          5,
          {},
          'f64',
          'bool',
          'i4',
          'toString',
          '\u0000\u001b[31m',
          Symbol('x'),
        ]);
        break;
      case 'stride':
        given.stride = choices.pick([
          [1],
          [],
          5,
          [0.5, 1],
          [2 ** 53 - 1, 1],
          [1n, 2n ** 70n],
          new Float32Array(2),
          null,
          ['1'],
        ]);
        break;
      case 'offset':
        given.offset = choices.pick([-1, 1000, 2 ** 53, 0.5, '1', 2n ** 64n, NaN, null]);
        break;
      case 'data':
        given.data = choices.pick([
          null,
          [1],
          'x',
          new DataView(new ArrayBuffer(4)),
          new ArrayBuffer(4),
          data.buffer,
          {},
        ]);
        break;
      default:
        given.data = new (choices.pick([Uint8ClampedArray, BigInt64Array, Int8Array, Uint16Array, Float64Array]))(3);
    }
  }

  /** An array of a type that the oracle does not know. */
  makeOther(shape) {
    const choices = this.#choices;
    const dtype = choices.name('dtype', OTHERS);
    const Type = HELD[dtype] ?? Uint8Array;
    const entries = Math.min(countOf(shape), 500) * (dtype.startsWith('c') ? 2 : 1);
    const packed = { i4: 2, u4: 2, u1: 8 }[dtype] ?? 1;
    const data = new Type(Math.ceil(entries / packed));
    const part = Type.name.startsWith('Big') ? BigInt : Number;
    data.forEach((_, i) => (data[i] = part((i * 37 + choices.byte()) % 256)));
    this.#world.buffers.push(data.buffer);
    // Packed ones, which have no strides, are rejected with them.
    const stride = choices.below(3) === 0 ? { stride: shape.map(() => choices.below(2)) } : {};
    return this.guise({ data, shape, dtype, ...stride });
  }

  /** Nested lists, deeper than any other operand; rarely one that contains itself. */
  #deep() {
    const choices = this.#choices;
    const value = choices.byte() % 4;
    let list = [value];
    const depth = 60 + choices.below(40) * (choices.below(16) === 0 ? 30 : 1);
    choices.note(depth > 64 ? 'operand deep' : 'operand shallow');
    if (choices.below(64) === 63) {
      list.push(list);
      return { given: [list] };
    }
    for (let i = 0; i < depth; ++i) list = [list];
    const shape = new Array(depth + 1).fill(1);
    return { given: list, shape, values: [value], weak: true, isSure: value < 2, dtype: 'f64' };
  }

  revoked() {
    this.#choices.note('guise revoked');
    const { proxy, revoke } = Proxy.revocable([], {});
    revoke();
    return proxy;
  }

  /** The same object behind getters or a proxy, which run code and return each property only once. */
  guise(given) {
    if (!isOpen(given) || this.#choices.below(3) !== 0) return given;
    const world = this.#world;
    const kind = this.#choices.name('guise', ['getters', 'proxy', 'class', 'nested']);
    if (kind === 'nested') {
      const copy = Array.isArray(given) ? [] : Object.create(Object.getPrototypeOf(given));
      for (const name of Object.keys(given)) copy[name] = isList(given[name]) ? this.#proxy(given[name]) : given[name];
      return copy;
    }
    if (kind === 'proxy' || Array.isArray(given)) return this.#proxy(given);
    const own = kind === 'class' ? Object.create(Object.getPrototypeOf(given)) : {};
    for (const name of Object.keys(given)) {
      const get = () => world.give(own, name, given[name]);
      Object.defineProperty(own, name, { get, enumerable: true, configurable: true });
    }
    return kind === 'class' ? Object.create(own) : own;
  }

  #proxy(given) {
    const world = this.#world;
    const proxy = new Proxy(given, {
      get: (target, name) => world.give(proxy, name, target[name]),
      has: (target, name) => (world.touch(), name in target),
      ownKeys: (target) => (world.touch(), Reflect.ownKeys(target)),
      getPrototypeOf: (target) => (world.touch(), Reflect.getPrototypeOf(target)),
      getOwnPropertyDescriptor: (target, name) => (world.touch(), Reflect.getOwnPropertyDescriptor(target, name)),
    });
    return proxy;
  }
}

/** Whether strides lead from each element to the next. */
function isRowMajor(strides, shape) {
  let step = 1;
  for (let axis = strides.length - 1; axis >= 0; --axis) {
    if (strides[axis] !== step) return false;
    step *= Number(shape[axis]);
  }
  return true;
}

/** Whether it is an object whose properties are its own and can be read. */
function isOpen(given) {
  try {
    return typeof given === 'object' && given !== null && !ArrayBuffer.isView(given) && Object.keys(given).length > 0;
  } catch {
    return false;
  }
}

function isList(value) {
  return isOpen(value) && Array.isArray(value);
}

const MEMORIES = ['own', 'part', 'shared', 'growable', 'resizable', 'tracking', 'lying'];
const FORMS = ['array', 'typed', 'onnx', 'stride', 'strides', 'zarr', 'stdlib', 'view'];
const SPOILT = ['extent', 'huge', 'empty', 'stretched', 'shape', 'length', 'dtype', 'stride', 'offset', 'data', 'type'];

const intrinsic = (name) => Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), name).get;
export const bufferOf = intrinsic('buffer');
export const byteOffsetOf = intrinsic('byteOffset');
export const lengthOf = intrinsic('length');
