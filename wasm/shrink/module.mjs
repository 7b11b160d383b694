// A WebAssembly module as its functions: read to instructions, and written again with other bodies or in another order.

import { leb } from './leb.mjs';

// Sections, and kinds of imports.
const TYPES = 1;
const IMPORTS = 2;
const FUNCTIONS = 3;
const EXPORTS = 7;
const START = 8;
const ELEMENTS = 9;
const CODE = 10;
const EXPORTED_FUNCTION = 0;
const END = 0x0b; // the last instruction of a constant
const IMPORTED_FUNCTION = 0;
const IMPORTED_MEMORY = 2;

// What follows an operator.
const byte = (reader) => reader.byte();
const number = (reader) => reader.number();
const callee = (reader) => reader.functionIndex();
const numbers = (reader) => reader.list(() => reader.number());
const bytes = (count) => (reader) => reader.skip(count);
// Alignment and offset; `hint` is where the first one is.
const address = (reader) => {
  reader.hint = reader.at;
  reader.number();
  reader.number();
};

// The first and the last operator of each row, and what follows. Reading and writing locals is not among them.
const ONE_BYTE = [
  [0x00, 0x01], // unreachable, nop
  [0x02, 0x04, number], // block, loop, if
  [0x05, 0x05], // else
  [0x0b, 0x0b], // end
  [0x0c, 0x0d, number], // br, br_if
  [0x0e, 0x0e, numbers, number], // br_table
  [0x0f, 0x0f], // return
  [0x10, 0x10, callee], // call
  [0x11, 0x11, number, number], // call_indirect
  [0x12, 0x12, callee], // return_call
  [0x13, 0x13, number, number], // return_call_indirect
  [0x1a, 0x1b], // drop, select
  [0x1c, 0x1c, numbers], // select of given types
  [0x23, 0x26, number], // globals, tables
  [0x28, 0x3e, address], // loads, stores
  [0x3f, 0x40, number], // memory.size, memory.grow
  [0x41, 0x42, number], // i32.const, i64.const
  [0x43, 0x43, bytes(4)], // f32.const
  [0x44, 0x44, bytes(8)], // f64.const
  [0x45, 0xc4], // arithmetic, comparisons, conversions
  [0xd0, 0xd0, number], // ref.null
  [0xd1, 0xd1], // ref.is_null
  [0xd2, 0xd2, callee], // ref.func
];
// Operators of two parts, by the first one.
const TWO_PARTS = {
  0xfc: [
    [0, 7], // conversions
    [8, 8, number, number], // memory.init
    [9, 9, number], // data.drop
    [10, 10, number, number], // memory.copy
    [11, 11, number], // memory.fill
    [12, 12, number, number], // table.init
    [13, 13, number], // elem.drop
    [14, 14, number, number], // table.copy
    [15, 17, number], // table.grow, table.size, table.fill
  ],
  // Vectors.
  0xfd: [
    [0, 11, address], // loads, a store
    [12, 13, bytes(16)], // a constant; a shuffle, with its indices
    [14, 20], // swizzle, splats
    [21, 34, byte], // a lane is read or replaced
    [35, 83], // comparisons, bits
    [84, 91, address, byte], // a lane is loaded or stored
    [92, 93, address], // the first lane is loaded
    [94, 275], // arithmetic
  ],
  // Atomic ones, whose alignment is no hint.
  0xfe: [
    [0, 2, number, number], // notify, wait
    [3, 3, byte], // fence
    [16, 78, number, number], // loads, stores, exchanges
  ],
};

/**
 * Reads a module's own `functions`. Each has `parameters`, how many of its locals those are; `locals`, the types of all;
 * `instructions`; and `bytes`, its body. An instruction has `bytes`; one that reads or writes a local has `operator` and
 * `local` instead.
 * Loads and stores say that they are not aligned: the alignment is a hint, which engines do not need, and without it more
 * functions are alike.
 *
 * `write(bodies)` returns the module with these bodies, and `inOrder(order)` with the functions in another order, given by
 * their indices in `functions`.
 */
export function readModule(module) {
  const reader = new Reader(module);
  const types = [];
  const typeOf = [];
  const functions = [];
  const sections = [];
  let imported = 0;
  reader.at = 8;
  while (reader.at < module.length) {
    const id = reader.byte();
    const end = reader.number() + reader.at;
    const begin = reader.at;
    reader.indices = [];
    if (id === TYPES) reader.list(() => types.push(reader.parametersOfType()));
    else if (id === IMPORTS) reader.list(() => (imported += reader.isImportedFunction()));
    else if (id === FUNCTIONS) reader.list(() => typeOf.push(reader.number()));
    else if (id === EXPORTS) reader.list(() => reader.export());
    else if (id === START) reader.functionIndex();
    else if (id === ELEMENTS) reader.list(() => reader.elements());
    else if (id === CODE) reader.list(() => functions.push(reader.function(types[typeOf[functions.length]])));
    sections.push({ id, part: { begin, end, indices: reader.indices } });
    reader.at = end;
  }
  const written = (contentOf) =>
    Buffer.concat([
      module.subarray(0, 8),
      ...sections.flatMap(({ id, part }) => {
        const content = contentOf(id, part) ?? module.subarray(part.begin, part.end);
        return [Buffer.from([id, ...leb(content.length)]), content];
      }),
    ]);
  const code = (bodies) => listOf(bodies.map((body) => Buffer.concat([Buffer.from(leb(body.length)), body])));
  return {
    functions,
    write: (bodies) => written((id) => (id === CODE ? code(bodies) : undefined)),
    inOrder: (order) => {
      const places = new Map(order.map((index, place) => [imported + index, imported + place]));
      const placeOf = (index) => places.get(index) ?? index;
      return written((id, part) => {
        if (id === FUNCTIONS) return listOf(order.map((index) => Buffer.from(leb(typeOf[index]))));
        if (id === CODE) return code(order.map((index) => withIndices(module, functions[index].part, placeOf)));
        return withIndices(module, part, placeOf);
      });
    },
  };
}

/** A part of the module, from `begin` to `end`, with other numbers in place of its `indices` of functions. */
function withIndices(module, { begin, end, indices }, placeOf) {
  const pieces = [];
  let at = begin;
  for (const index of indices) {
    pieces.push(module.subarray(at, index.begin), Buffer.from(leb(placeOf(index.value))));
    at = index.end;
  }
  return Buffer.concat([...pieces, module.subarray(at, end)]);
}

const listOf = (items) => Buffer.concat([Buffer.from(leb(items.length)), ...items]);

/** A function's body if local `i` has the number `numbers[i]`, and `types` has the type of each number. */
export function bodyOf({ parameters, instructions }, numbers, types) {
  const groups = [];
  for (const type of types.slice(parameters)) {
    if (groups.at(-1)?.type === type) ++groups.at(-1).count;
    else groups.push({ type, count: 1 });
  }
  const body = [...leb(groups.length), ...groups.flatMap(({ count, type }) => [...leb(count), type])];
  for (const { bytes, operator, local } of instructions) {
    if (local === undefined) body.push(...bytes);
    else body.push(operator, ...leb(numbers[local]));
  }
  return Buffer.from(body);
}

class Reader {
  at = 0;
  indices = []; // of functions, in what is read

  constructor(module) {
    this.module = module;
  }

  byte() {
    return this.module[this.at++];
  }

  number() {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  }

  skip(length) {
    this.at += length;
  }

  functionIndex() {
    const begin = this.at;
    const value = this.number();
    this.indices.push({ begin, end: this.at, value });
  }

  list(read) {
    for (let left = this.number(); left > 0; --left) read();
  }

  parametersOfType() {
    this.skip(1);
    const count = this.number();
    const parameters = [...this.module.subarray(this.at, this.at + count)];
    this.skip(count);
    this.skip(this.number());
    return parameters;
  }

  isImportedFunction() {
    this.skip(this.number());
    this.skip(this.number());
    const kind = this.byte();
    if (kind === IMPORTED_FUNCTION) {
      this.number();
    } else if (kind === IMPORTED_MEMORY) {
      const hasMost = this.byte() & 1;
      this.number();
      if (hasMost) this.number();
    } else {
      throw new Error('The module imports something that is neither a function nor a memory.');
    }
    return kind === IMPORTED_FUNCTION;
  }

  export() {
    this.skip(this.number());
    if (this.byte() === EXPORTED_FUNCTION) this.functionIndex();
    else this.number();
  }

  // Functions of the first table, from a constant place on.
  elements() {
    if (this.number() !== 0) throw new Error('The module has elements that are not functions of its first table.');
    while (this.instruction().bytes[0] !== END);
    this.list(() => this.functionIndex());
  }

  function(parameters) {
    const end = this.number() + this.at;
    const begin = this.at;
    const locals = [...parameters];
    this.list(() => {
      const count = this.number();
      const type = this.byte();
      for (let i = 0; i < count; ++i) locals.push(type);
    });
    const instructions = [];
    this.indices = [];
    while (this.at < end) instructions.push(this.instruction());
    if (this.at !== end) throw new Error('The module has a function that does not end where its body ends.');
    const part = { begin, end, indices: this.indices };
    return { parameters: parameters.length, locals, instructions, part, bytes: this.module.subarray(begin, end) };
  }

  instruction() {
    const begin = this.at;
    const operator = this.byte();
    if (operator >= 0x20 && operator <= 0x22) return { operator, local: this.number() };
    this.hint = undefined;
    if (TWO_PARTS[operator]) this.operands(TWO_PARTS[operator], this.number(), `${operator}, `);
    else this.operands(ONE_BYTE, operator);
    const bytes = Buffer.from(this.module.subarray(begin, this.at));
    if (this.hint !== undefined) bytes[this.hint - begin] = 0;
    return { bytes };
  }

  // Reads what follows an operator.
  operands(table, operator, prefix = '') {
    const row = table.find(([first, last]) => operator >= first && operator <= last);
    if (!row) throw new Error(`The module has an instruction that this script does not know: ${prefix}${operator}.`);
    for (const read of row.slice(2)) read(this);
  }
}
