// A WebAssembly module as its functions: read to instructions, and written again with other bodies.

import { leb } from './leb.mjs';

// Sections, and kinds of imports.
const TYPES = 1;
const IMPORTS = 2;
const FUNCTIONS = 3;
const CODE = 10;
const IMPORTED_FUNCTION = 0;
const IMPORTED_MEMORY = 2;

/**
 * Reads a module: `imported` functions, whose indices come first, and its own `functions`. Each has `parameters`, how many
 * of its locals those are; `locals`, the types of all; `instructions`; and `bytes`, its body. An instruction has `bytes`;
 * one that reads or writes a local has `operator` and `local` instead.
 *
 * `write(bodies)` returns the module with these bodies.
 */
export function readModule(module) {
  const reader = new Reader(module);
  const types = [];
  const typeOf = [];
  const functions = [];
  let imported = 0;
  let code;
  reader.at = 8;
  while (reader.at < module.length) {
    const begin = reader.at;
    const section = reader.byte();
    const end = reader.number() + reader.at;
    if (section === TYPES) reader.list(() => types.push(reader.parametersOfType()));
    else if (section === IMPORTS) reader.list(() => (imported += reader.isImportedFunction()));
    else if (section === FUNCTIONS) reader.list(() => typeOf.push(reader.number()));
    else if (section === CODE) {
      code = { begin, end };
      reader.list(() => functions.push(reader.function(types[typeOf[functions.length]])));
    }
    reader.at = end;
  }
  const write = (bodies) => {
    const content = [leb(bodies.length), ...bodies.flatMap((body) => [leb(body.length), body])];
    const length = content.reduce((sum, { length }) => sum + length, 0);
    const before = module.subarray(0, code.begin);
    return Buffer.concat([before, [CODE], leb(length), ...content, module.subarray(code.end)].map(asBytes));
  };
  return { imported, functions, write };
}

/**
 * A function's body if local `i` has the number `numbers[i]`, and `types` has the type of each number. The alignment of
 * loads and stores is only a hint; engines for processors that need none ignore it, and without it more functions are alike.
 */
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

const asBytes = (part) => (Buffer.isBuffer(part) ? part : Buffer.from(part));

class Reader {
  at = 0;

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
    while (this.at < end) instructions.push(this.instruction());
    return { parameters: parameters.length, locals, instructions, bytes: this.module.subarray(begin, end) };
  }

  instruction() {
    const begin = this.at;
    const operator = this.byte();
    if (operator >= 0x20 && operator <= 0x22) return { operator, local: this.number() };
    const unaligned = this.operands(operator);
    const bytes = Buffer.from(this.module.subarray(begin, this.at));
    if (unaligned !== undefined) bytes[unaligned - begin] = 0;
    return { bytes };
  }

  // Reads what follows the operator. Returns where the alignment is, if it is only a hint.
  operands(operator) {
    const isBetween = (least, most) => operator >= least && operator <= most;
    if (operator === 0x0e) this.list(() => this.number()); // br_table, which has one more
    if (isBetween(0x28, 0x3e)) return this.address();
    if (isBetween(0x0c, 0x0e) || operator === 0x10 || isBetween(0x23, 0x24) || isBetween(0x41, 0x42)) {
      this.number(); // br, br_if, call, global, const
    } else if (isBetween(0x02, 0x04) || isBetween(0x3f, 0x40)) {
      this.number(); // block, loop, if; memory.size, memory.grow
    } else if (operator === 0x11) {
      this.number(); // call_indirect
      this.number();
    } else if (isBetween(0x43, 0x44)) {
      this.skip(operator === 0x43 ? 4 : 8);
    } else if (operator === 0xfc) {
      this.bulkOperands(this.number());
    } else if (operator === 0xfd) {
      return this.vectorOperands(this.number());
    } else if (operator === 0xfe) {
      if (this.number() === 0x03)
        this.byte(); // atomic.fence
      else this.address();
    } else if (!isBetween(0x00, 0x01) && ![0x05, 0x0b, 0x0f, 0x1a, 0x1b].includes(operator) && !isBetween(0x45, 0xc4)) {
      throw new Error(`The module has an instruction that this script does not know: ${operator}.`);
    }
  }

  bulkOperands(operator) {
    if (operator <= 7) return; // conversions
    this.number(); // memory.init and data.drop: the data; memory.copy and memory.fill: the memory, 0
    if (operator === 8 || operator === 10) this.number(); // memory.init, memory.copy: another memory
    if (operator > 11) {
      throw new Error(`The module has an instruction that this script does not know: 252, ${operator}.`);
    }
  }

  vectorOperands(operator) {
    const isBetween = (least, most) => operator >= least && operator <= most;
    if (isBetween(0, 11) || isBetween(92, 93)) return this.address();
    if (isBetween(84, 91)) {
      const alignment = this.address();
      this.byte(); // the lane
      return alignment;
    }
    if (isBetween(12, 13)) this.skip(16); // a constant, indices of a shuffle
    if (isBetween(21, 34)) this.byte(); // a lane
  }

  // Returns where the alignment is.
  address() {
    const alignment = this.at;
    this.number();
    this.number();
    return alignment;
  }
}
