// Input: what to make of the bytes (a file as given, a header with elements, an archive, or an array to write),
// followed by its parts.
//
// The result of parseNpy is compared with a reader in this file, which knows only the format, and so is what the
// command reads without the elements (readNpySource). Both read what formatNpy writes. For any input, only errors of
// the package may be thrown, with a message, and nothing may stay allocated in the module's memory.

import { deflateRawSync, crc32 } from 'node:zlib';
import { Failure, formatFailure } from '../../build/package-sources/cli/failure.js';
import { inMemory, readNpySource } from '../../build/package-sources/cli/source.js';
import { readZip } from '../../build/package-sources/cli/zip.js';
import { formatNpy, NpyError, parseNpy } from '../../build/package-sources/npy.js';
import { Fault, faultIn } from './choices.mjs';
import { chooseOperandShape, chooseShape } from './operands.mjs';
import { countOf } from './oracle.mjs';
import { inWorld } from './world.mjs';

export function faultOf(bytes, note = () => {}) {
  return faultIn(() => inWorld(bytes, note, (world) => KINDS[world.choices.name('kind', NAMES)](world)));
}

/** NumPy's types: the package's name, bytes of a number, numbers of an element. */
const TYPES = {
  b1: ['bool', 1, 1],
  i1: ['i8', 1, 1],
  i2: ['i16', 2, 1],
  i4: ['i32', 4, 1],
  i8: ['i64', 8, 1],
  u1: ['u8', 1, 1],
  u2: ['u16', 2, 1],
  u4: ['u32', 4, 1],
  u8: ['u64', 8, 1],
  f2: ['f16', 2, 1],
  f4: ['f32', 4, 1],
  f8: ['f64', 8, 1],
  c8: ['c64', 4, 2],
  c16: ['c128', 8, 2],
};
const CODES = new Set([
  'input',
  'magic',
  'version',
  'header',
  'shape',
  'dtype',
  'truncated',
  'trailing',
  'length',
  'allocation',
]);

const fail = (message) => {
  throw new Fault(message);
};

/** `{result}`, or `{error}` if it is one of the package's errors. */
function attempt(world, name, call) {
  try {
    const result = call();
    world.choices.note(`${name} gives`);
    return { result };
  } catch (error) {
    const isOurs =
      error instanceof NpyError ? CODES.has(error.code) : error instanceof Failure && !name.includes('Npy');
    if (!isOurs) fail(`${name} throws ${error?.stack ?? error}`);
    if (!/\S/.test(error.message) || error.message.length > 1000)
      fail(`${name} throws too much: ${error.message.slice(0, 200)}`);
    const lines = error instanceof Failure ? formatFailure(error) : [error.message];
    if (lines.some((line) => /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(line))) {
      fail(`${name} throws control characters: ${JSON.stringify(lines)}`);
    }
    world.choices.note(`${name} throws ${error.code ?? 'a failure'}`);
    return { error };
  }
}

// --- The plain reader -------------------------------------------------------------------------------------------------

/** `{dtype, shape, elements}` of a valid file, the elements as bytes: row-major, little-endian. */
function readPlainly(file) {
  const isFirst = file[6] === 1;
  const begin = isFirst ? 10 : 12;
  const view = new DataView(file.buffer, file.byteOffset);
  const end = begin + (isFirst ? view.getUint16(8, true) : view.getUint32(8, true));
  // A Python dict as JSON.
  const text = Array.from(file.subarray(begin, end), (byte) => String.fromCharCode(byte))
    .join('')
    .replace(/\s+/g, ' ')
    .replace(/'/g, '"')
    .replace(/\(/g, '[')
    .replace(/\)/g, ']')
    .replace(/(\d)L/g, '$1')
    .replace(/(^|[^\d.])(-?)0+(?=\d)/g, '$1$2')
    .replace('True', 'true')
    .replace('False', 'false')
    .replace(/, ?(?=[\]}])/g, '');
  const { descr, fortran_order: isFortran, shape: extents } = JSON.parse(text);
  const shape = extents.map((extent) => extent + 0);
  const [dtype, width, parts] = TYPES[descr.slice(1)];
  const count = countOf(shape);
  const itemBytes = width * parts;
  const elements = new Uint8Array(count * itemBytes);
  const index = new Array(shape.length).fill(0);
  for (let i = 0; i < count; ++i) {
    let at = i;
    if (isFortran) {
      at = 0;
      for (let axis = shape.length - 1; axis >= 0; --axis) at = at * shape[axis] + index[axis];
    }
    for (let byte = 0; byte < itemBytes; ++byte) {
      const within = byte % width;
      const from = descr[0] === '>' ? byte - within + (width - 1 - within) : byte;
      elements[i * itemBytes + byte] = file[end + at * itemBytes + from];
    }
    for (let axis = shape.length - 1; axis >= 0 && ++index[axis] === shape[axis]; --axis) index[axis] = 0;
  }
  if (file.length !== end + elements.length)
    fail(`parseNpy takes a file of ${file.length} bytes, not ${end + elements.length}`);
  return { dtype, shape, elements };
}

const bytesOf = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);

function compare(name, { data, shape, dtype }, wanted) {
  if (dtype !== wanted.dtype) fail(`${name} gives ${dtype}, not ${wanted.dtype}`);
  if (shape.length !== wanted.shape.length || shape.some((extent, i) => !Object.is(extent, wanted.shape[i]))) {
    fail(`${name} gives the shape [${shape}], not [${wanted.shape}]`);
  }
  const got = bytesOf(data);
  if (Buffer.compare(got, wanted.elements) !== 0) {
    const at = wanted.elements.findIndex((byte, i) => byte !== got[i]);
    fail(`${name} of ${dtype}, [${shape}] gives ${got.length} bytes, not ${wanted.elements.length}: first at ${at}`);
  }
}

// --- Files ------------------------------------------------------------------------------------------------------------

/** Gives a file, in some kind of memory, to everything that reads files. */
function read(world, file) {
  const before = file.slice();
  const { result, error } = attempt(world, 'parseNpy', () => parseNpy(inMemoryOf(world, file)));
  readSource(world, inMemory(file), file, result, error);
  if (error !== undefined) return;
  const wanted = readPlainly(file);
  compare('parseNpy', result, wanted);
  if (Buffer.compare(before, file) !== 0) fail('parseNpy writes into the file');

  const written = formatNpy(result);
  if (written.buffer.byteLength !== written.length) fail('formatNpy gives a part of its memory');
  const plain = readPlainly(written);
  const asTold = wanted.dtype === 'bool' ? wanted.elements.map((byte) => Number(byte !== 0)) : wanted.elements;
  compare('parseNpy of formatNpy', parseNpy(written), { ...wanted, elements: asTold });
  if (Buffer.compare(plain.elements, asTold) !== 0 || (written.length - plain.elements.length) % 64 !== 0) {
    fail('formatNpy writes another file');
  }
  if (Buffer.compare(formatNpy(parseNpy(written)), written) !== 0) fail('formatNpy writes something else again');
}

/** The file in its own ArrayBuffer, or part of another, or shared, or as some view. */
function inMemoryOf(world, file) {
  const { choices } = world;
  const begin = choices.below(5);
  const into = (buffer) => {
    new Uint8Array(buffer, begin).set(file);
    return buffer;
  };
  switch (choices.name('memory', ['own', 'buffer', 'shared', 'part', 'view', 'tracking', 'floats'])) {
    case 'buffer':
      return file.slice().buffer;
    case 'shared':
      return new Uint8Array(into(new SharedArrayBuffer(begin + file.length)), begin);
    case 'part':
      return new Uint8Array(into(new ArrayBuffer(begin + file.length + 9)), begin, file.length);
    case 'view':
      return new DataView(into(new ArrayBuffer(begin + file.length)), begin);
    case 'tracking':
      return new Uint8Array(
        into(new ArrayBuffer(begin + file.length, { maxByteLength: begin + file.length + 64 })),
        begin,
      );
    case 'floats':
      return file.length % 4 === 0 ? new Float32Array(file.slice().buffer) : file;
    default:
      return file;
  }
}

/** What the command reads before the elements: the same, or an error of the same class. */
function readSource(world, bytes, file, result, error) {
  const outcome = attempt(world, 'readNpySource', () => readNpySource(bytes, () => file));
  if (error !== undefined) {
    if (outcome.error === undefined) fail(`readNpySource takes what parseNpy refuses: ${error.message}`);
    if (outcome.error.code !== error.code) fail(`readNpySource throws ${outcome.error.code}, parseNpy ${error.code}`);
    return;
  }
  if (outcome.error !== undefined) fail(`readNpySource refuses what parseNpy takes: ${outcome.error.message}`);
  const source = outcome.result;
  if (source.dtype !== result.dtype || String(source.shape) !== String(result.shape)) {
    fail(`readNpySource gives ${source.dtype}, [${source.shape}], not ${result.dtype}, [${result.shape}]`);
  }
  compare('read of readNpySource', source.read(), { ...result, elements: bytesOf(result.data) });
}

/** The bytes as given. */
function raw(world) {
  read(world, Uint8Array.from(world.choices.rest()));
}

const SPACES = ['', ' ', '  ', '\n', '\t ', '\u00a0', '\f'];
const WRONG = [
  '',
  "'",
  '"',
  '\\',
  '}',
  '{',
  '(',
  ')',
  ',',
  ':',
  '\n',
  '\u0000',
  '\u0085',
  "'x': 1,",
  'None',
  '-',
  '1e5',
  '[',
  'L',
];
const DESCRS = [
  '|O',
  '<V2',
  '|V1',
  '<f16',
  '<U5',
  '<M8[s]',
  '<c32',
  'f4',
  '=f4',
  '<f',
  '|f4',
  '<x9',
  '\u009b31m',
  '',
  '<i4\u2028',
];
const EXTENTS = [0, 1, 2, 3, 4, 5, 7, 1, 2, 9, 16, 2 ** 31, 2 ** 53 - 1];
const FAR = ['9007199254740992', '18446744073709551616', '9'.repeat(400), '-1', '-0', '007', '3L', '1.5', '٣'];

/** A header made of parts, followed by elements; rarely with something wrong. */
function build(world) {
  const { choices } = world;
  const space = () => (choices.below(4) === 0 ? choices.pick(SPACES) : '');
  const isWrong = choices.below(4) === 0;
  const code = choices.pick(Object.keys(TYPES));
  const descr =
    isWrong && choices.below(4) === 0 ? choices.pick(DESCRS) : `${choices.pick(['<', '>', '|', '<'])}${code}`;
  const extents = chooseExtents(choices);
  const shape = extents.map((extent) => (isWrong && choices.below(8) === 0 ? choices.pick(FAR) : String(extent)));
  const tuple = `(${space()}${shape.join(`,${space()}`)}${shape.length === 1 || choices.flag() ? ',' : ''}${space()})`;
  const quote = choices.pick(["'", "'", '"']);
  const fields = [
    ['descr', `${quote}${descr}${quote}`],
    ['fortran_order', choices.pick(['False', 'True'])],
    ['shape', shape.length === 0 ? `(${space()})` : tuple],
  ];
  if (choices.flag()) fields.reverse();
  if (isWrong && choices.below(4) === 0)
    fields.push(choices.pick([fields[0], ['x', '1'], ['__proto__', '1'], ['\u009b', '1']]));
  if (isWrong && choices.below(6) === 0) fields.pop();
  const body = fields.map(([key, value]) => `${quote}${key}${quote}${space()}:${space()}${value}${space()}`);
  let text = `${space()}{${space()}${body.join(`,${space()}`)}${choices.flag() ? ', ' : ''}}${' '.repeat(choices.below(70))}\n`;
  if (isWrong && choices.flag()) {
    const at = choices.number() % (text.length + 1);
    text = text.slice(0, at) + choices.pick(WRONG) + text.slice(at + choices.below(4));
  }
  const needed = countOf(extents) * Number(code.slice(1));
  const length = Math.max(0, (needed < 20000 ? needed : 40) + (isWrong && choices.flag() ? choices.below(5) - 2 : 0));
  const rest = choices.rest();
  const elements = Uint8Array.from({ length }, (_, i) => (rest.length > 0 ? rest[i % rest.length] : i * 37));
  read(
    world,
    fileOf(
      text,
      elements,
      isWrong ? choices.below(8) : 1 + choices.below(3),
      isWrong && choices.below(8) === 0 ? choices.byte() - 128 : 0,
    ),
  );
}

function fileOf(text, elements, major, lie = 0) {
  const begin = major === 1 ? 10 : 12;
  const file = new Uint8Array(begin + text.length + elements.length);
  file.set([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, major, 0]);
  const view = new DataView(file.buffer);
  if (major === 1) view.setUint16(8, text.length + lie, true);
  else view.setUint32(8, text.length + lie, true);
  for (let i = 0; i < text.length; ++i) file[begin + i] = text.charCodeAt(i);
  file.set(elements, begin + text.length);
  return file;
}

/** Extents of few elements, rarely of more than possible; rarely very many extents. */
function chooseExtents(choices) {
  const kind = choices.below(64);
  if (kind === 63) {
    const count = choices.below(16) === 0 ? 8000 : 300;
    choices.note(`${count} axes`);
    return new Array(count).fill(choices.pick([1, 1, 9, 99999999]));
  }
  const extents = Array.from({ length: choices.below(5) }, () => choices.pick(EXTENTS));
  if (countOf(extents) < 3000 || choices.below(8) === 0) return extents;
  return extents.map((extent) => Math.min(extent, 3));
}

// --- Archives ---------------------------------------------------------------------------------------------------------

/** A zip archive of files, some bytes of which are changed. */
function archive(world) {
  const { choices } = world;
  const members = Array.from({ length: choices.below(4) }, (_, i) => {
    const array = { data: new Uint8Array(choices.below(40)).fill(i), shape: [] };
    const content = choices.flag()
      ? formatNpy({ ...array, shape: [array.data.length] })
      : new Uint8Array(choices.below(30)).fill(choices.byte());
    return { name: choices.pick(['a.npy', 'b', '\u009b31m.npy', 'ä.npy', '', 'x'.repeat(70)]), content };
  });
  const bytes = zipOf(choices, members);
  for (let changes = choices.below(4); changes > 0 && bytes.length > 0; --changes) {
    bytes[(bytes.length - 1 - (choices.number() % bytes.length)) % bytes.length] = choices.byte();
  }
  const cut = choices.below(16) === 0 ? choices.below(bytes.length + 1) : 0;
  unpack(world, bytes.subarray(choices.flag() ? cut : 0, bytes.length - cut));
}

function zipOf(choices, members) {
  const pieces = [];
  const entries = [];
  let at = 0;
  const add = (list, values, ...more) => list.push(Uint8Array.from(values), ...more);
  const two = (value) => [value & 255, (value >> 8) & 255];
  const four = (value) => [...two(value), ...two(value >>> 16)];
  for (const { name, content } of members) {
    const isDeflated = choices.flag();
    const isWide = choices.below(4) === 0;
    const packed = isDeflated ? deflateRawSync(content) : content;
    const label = Buffer.from(name);
    const [method, flags] = [isDeflated ? 8 : choices.pick([0, 0, 0, 12]), choices.below(16) === 0 ? 1 : 0];
    const common = [...two(20), ...two(flags), ...two(method), 0, 0, 0, 0, ...four(crc32(content))];
    const sizes = [...four(packed.length), ...four(content.length)];
    add(pieces, [0x50, 0x4b, 3, 4, ...common, ...sizes, ...two(label.length), 0, 0], label, packed);
    const wide = isWide
      ? [1, 0, 24, 0, ...four(content.length), 0, 0, 0, 0, ...four(packed.length), 0, 0, 0, 0, ...four(at), 0, 0, 0, 0]
      : [];
    const most = four(0xffffffff);
    add(entries, [
      ...[0x50, 0x4b, 1, 2, 20, 0, ...common],
      ...(isWide ? [...most, ...most] : sizes),
      ...[...two(label.length), ...two(wide.length), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
      ...(isWide ? most : four(at)),
      ...label,
      ...wide,
    ]);
    at += 30 + label.length + packed.length;
  }
  const size = entries.reduce((sum, { length }) => sum + length, 0);
  const end = [];
  const isWide = choices.below(6) === 0;
  if (isWide) {
    const record = new Uint8Array(76);
    const view = new DataView(record.buffer);
    view.setUint32(0, 0x06064b50, true);
    view.setBigUint64(40, BigInt(size), true);
    view.setBigUint64(48, BigInt(at), true);
    view.setUint32(56, 0x07064b50, true);
    view.setBigUint64(64, BigInt(at + size), true);
    end.push(record);
  }
  const last = isWide ? [...four(0xffffffff), ...four(0xffffffff)] : [...four(size), ...four(at)];
  add(end, [0x50, 0x4b, 5, 6, 0, 0, 0, 0, 0, 0, 0, 0, ...last, 0, 0]);
  return Uint8Array.from(Buffer.concat([...pieces, ...entries, ...end]));
}

/** Bytes as an archive: the members' headers and contents. */
function unpack(world, bytes) {
  const { result: members } = attempt(world, 'readZip', () => readZip(inMemory(bytes)));
  if (members === undefined) return;
  for (const member of members.slice(0, 5)) {
    const { result: first } = attempt(world, 'begin', () => member.begin(100));
    const { result: whole } = attempt(world, 'read', () => member.read());
    if (whole === undefined) continue;
    if (whole.length !== member.size) fail(`a member of ${member.size} bytes has ${whole.length}`);
    if (first === undefined) fail('a member that can be read has no beginning');
    const length = Math.min(100, whole.length, first.length);
    if (
      first.length < Math.min(100, whole.length) ||
      Buffer.compare(first.subarray(0, length), whole.subarray(0, length)) !== 0
    ) {
      fail('a member begins with something else');
    }
    const { result, error } = attempt(world, 'parseNpy', () => parseNpy(whole));
    const source = {
      size: member.size,
      read: (begin, length) => member.begin(begin + length).subarray(begin, begin + length),
    };
    readSource(world, source, whole, result, error);
  }
}

function rawArchive(world) {
  unpack(world, Uint8Array.from(world.choices.rest()));
}

// --- Arrays -----------------------------------------------------------------------------------------------------------

const KNOWN = Object.fromEntries(Object.values(TYPES).map((type) => [type[0], type]));
const NO_BYTES = [null, undefined, 5, 'x', {}, [1], Symbol('x'), () => 1];

/** An array to write, in any form and of any type. */
function write(world) {
  const { choices } = world;
  world.arm();
  const dtype = choices.pick(['f32', 'f64', 'i32', 'u8', 'bool']);
  const operand =
    choices.below(8) === 0
      ? world.operands.makeWild()
      : world.operands.make(dtype, chooseOperandShape(choices, chooseShape(choices)));
  const { result: file, error } = world.attempt('formatNpy', () => formatNpy(operand.given));
  if (file === undefined) {
    if (operand.isSure && !world.isDisturbed && !world.isShort)
      fail(`formatNpy refuses what is right: ${error.message}`);
    return;
  }
  const plain = readPlainly(file);
  if (!operand.isSure || world.isDisturbed) return;
  const known = operand.weak ? plain.dtype : dtype;
  if (plain.dtype !== known) fail(`formatNpy writes ${plain.dtype}, not ${known}`);
  if (String(plain.shape) !== String(operand.shape)) fail(`formatNpy writes [${plain.shape}], not [${operand.shape}]`);
  const [, width] = KNOWN[known];
  const view = new DataView(plain.elements.buffer);
  const one = { f32: 'getFloat32', f64: 'getFloat64', i32: 'getInt32' }[known];
  operand.values.forEach((value, i) => {
    const got =
      one === undefined
        ? Number(known === 'i64' ? view.getBigInt64(i * 8, true) : plain.elements[i])
        : view[one](i * width, true);
    if (!Object.is(got, known === 'bool' ? Number(value !== 0) : value))
      fail(`formatNpy of ${dtype}, [${operand.shape}] writes ${got}, not ${value}, at ${i}`);
  });
  read(world, file);
}

/** Something that is not a file. */
function refuse(world) {
  const { choices } = world;
  const gone = new Float32Array(4);
  structuredClone(gone.buffer, { transfer: [gone.buffer] });
  const shrunk = new ArrayBuffer(16, { maxByteLength: 32 });
  const out = new Uint8Array(shrunk, 8, 8);
  shrunk.resize(4);
  attempt(world, 'parseNpy', () =>
    parseNpy(choices.pick([...NO_BYTES, gone, gone.buffer, out, world.operands.revoked()])),
  );
}

const KINDS = { raw, build, archive, rawArchive, write, refuse };
const NAMES = ['build', 'build', 'build', 'build', 'archive', 'write', 'raw', ...Object.keys(KINDS)];
