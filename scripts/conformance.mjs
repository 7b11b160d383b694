// Runs conformance records against one of two backends and judges the answers.
//
//   node scripts/conformance.mjs native [PATH...]    the C++ library
//   node scripts/conformance.mjs wasm [PATH...]      the npm package `broadloom`
//
// PATH is a .jsonl file or a folder of them; without one, tests/conformance.
// The last line is `N passed, N failed, N disputed`. No records, a record with
// anything unknown, and an id that occurs twice are failures too.
// tests/conformance/README.md describes the fields. Both backends are judged by
// the same code.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ARRAYS } from '../tests/reference/arrays.mjs';

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

/** How many failures are printed in full. */
const MOST_LISTED = 20;
/** A record without an answer after this time has failed, in milliseconds. */
const PATIENCE_MS = 30_000;

// --- Reading ------------------------------------------------------------------

/** A malformed record, file or answer. */
export class Malformed extends Error {}

const COMMON = [
  'id',
  'kind',
  'rule',
  'inputs',
  'axis',
  'target_shape',
  'axes_mapping',
  'expect',
  'origin',
  'oracles',
  'note',
  'status',
  'observed',
];
const FIELDS = {
  shape: [...COMMON, 'dtype'],
  elementwise: [...COMMON, 'op', 'attrs', 'undefined', 'compare'],
  broadcast: [...COMMON, 'op'],
};
/** The operators that move data, by the systems' names for them. */
const MOVERS = ['Broadcast', 'Broadcast-1', 'Broadcast-3', 'Expand', 'broadcast_to', 'broadcast_arrays'];
const DIRECTIONS = ['left', 'right'];

function need(condition, message) {
  if (!condition) throw new Malformed(message);
}

function onlyFields(object, known, where) {
  need(object !== null && typeof object === 'object' && !Array.isArray(object), `${where} is not an object`);
  for (const name of Object.keys(object)) need(known.includes(name), `${where}: unknown field "${name}"`);
}

/** Whole numbers that are exact in JSON: those below 2^53, and powers of two. */
function exact(value) {
  if (Number.isSafeInteger(value)) return true;
  return Number.isInteger(value) && Number.isInteger(Math.log2(Math.abs(value)));
}

function needIntegers(value, where) {
  need(Array.isArray(value) && value.every(exact), `${where} is not a list of exact whole numbers`);
}

function count(shape) {
  return shape.reduce((product, extent) => product * extent, 1);
}

function needTensor(tensor, vocabulary, where) {
  onlyFields(tensor, ['dtype', 'shape', 'b64'], where);
  const dtype = vocabulary.dtypes.get(tensor.dtype);
  need(dtype, `${where}: unknown dtype "${tensor.dtype}"`);
  needIntegers(tensor.shape, `${where}: shape`);
  need(
    tensor.shape.every((extent) => extent >= 0),
    `${where}: a negative extent`,
  );
  need(
    typeof tensor.b64 === 'string' && Buffer.from(tensor.b64, 'base64').toString('base64') === tensor.b64,
    `${where}: not base64`,
  );
  const bytes = Math.ceil((count(tensor.shape) * dtype.bits) / 8);
  const held = Buffer.byteLength(tensor.b64, 'base64');
  need(held === bytes, `${where}: ${held} bytes where its shape needs ${bytes}`);
}

function needExpectation(record, vocabulary) {
  const { expect } = record;
  need(expect !== null && typeof expect === 'object', 'expect is not an object');
  if ('error' in expect) {
    onlyFields(expect, ['error', 'detail'], 'expect');
    need(vocabulary.errors.has(expect.error), `expect: unknown error class "${expect.error}"`);
  } else if (record.kind === 'shape') {
    onlyFields(expect, ['shape'], 'expect');
    needIntegers(expect.shape, 'expect: shape');
  } else if (record.kind === 'elementwise') {
    needTensor(expect, vocabulary, 'expect');
  } else {
    onlyFields(expect, ['outputs'], 'expect');
    need(Array.isArray(expect.outputs) && expect.outputs.length > 0, 'expect: outputs is not a list of tensors');
    expect.outputs.forEach((tensor, i) => needTensor(tensor, vocabulary, `expect: output ${i}`));
  }
}

function needAttributes(record, vocabulary) {
  const known = vocabulary.ops.get(record.op).attributes;
  onlyFields(record.attrs, known, `attrs of ${record.op}`);
  const { fmod, direction, to, saturate } = record.attrs;
  need(fmod === undefined || fmod === 0 || fmod === 1, 'attrs: fmod is neither 0 nor 1');
  need(direction === undefined || DIRECTIONS.includes(direction), 'attrs: direction is neither left nor right');
  need(to === undefined || vocabulary.dtypes.has(to), 'attrs: to is no dtype');
  need(saturate === undefined || saturate === 0 || saturate === 1, 'attrs: saturate is neither 0 nor 1');
}

function needComparison(record) {
  if (record.compare !== undefined) {
    onlyFields(record.compare, ['ulp', 'zero_sign'], 'compare');
    const { ulp, zero_sign: zeroSign } = record.compare;
    need(ulp === undefined || (Number.isSafeInteger(ulp) && ulp >= 0), 'compare: ulp is not a whole number');
    need(zeroSign === undefined || typeof zeroSign === 'boolean', 'compare: zero_sign is not a boolean');
  }
  if (record.undefined !== undefined) {
    needIntegers(record.undefined, 'undefined');
    need(!('error' in record.expect), 'undefined beside an expected error');
    const size = count(record.expect.shape);
    need(
      record.undefined.every((index) => index >= 0 && index < size),
      'undefined: an index out of range',
    );
  }
}

/** Throws Malformed unless every field of the record is known and valid. */
function needRecord(record, vocabulary) {
  need(record !== null && typeof record === 'object' && !Array.isArray(record), 'not an object');
  need(typeof record.id === 'string' && record.id !== '', 'no id');
  need(Object.hasOwn(FIELDS, record.kind), `unknown kind "${record.kind}"`);
  onlyFields(record, FIELDS[record.kind], 'record');
  need(vocabulary.rules.has(record.rule), `unknown rule "${record.rule}"`);
  need(record.status === undefined || record.status === 'disputed', `unknown status "${record.status}"`);
  need(record.axis === undefined || exact(record.axis), 'axis is not a whole number');
  if (record.target_shape !== undefined) needIntegers(record.target_shape, 'target_shape');
  if (record.axes_mapping !== undefined) needIntegers(record.axes_mapping, 'axes_mapping');
  need(Array.isArray(record.inputs) && record.inputs.length > 0, 'inputs is not a list');
  if (record.kind === 'shape') {
    record.inputs.forEach((shape, i) => needIntegers(shape, `input ${i}`));
    need(record.dtype === undefined || vocabulary.dtypes.has(record.dtype), `unknown dtype "${record.dtype}"`);
  } else {
    record.inputs.forEach((tensor, i) => needTensor(tensor, vocabulary, `input ${i}`));
  }
  needExpectation(record, vocabulary);
  if (record.kind === 'elementwise') {
    need(vocabulary.ops.has(record.op), `unknown op "${record.op}"`);
    if (record.attrs !== undefined) needAttributes(record, vocabulary);
    needComparison(record);
  } else if (record.kind === 'broadcast') {
    need(MOVERS.includes(record.op), `unknown op "${record.op}"`);
    need(vocabulary.rules.get(record.rule).moves, `the rule ${record.rule} moves no data`);
  }
}

/** Every .jsonl file at or below `place`, sorted by name. */
function filesAt(place) {
  if (!existsSync(place)) throw new Malformed('no such file or folder');
  if (!statSync(place).isDirectory()) return [place];
  return readdirSync(place, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) return filesAt(path.join(place, entry.name));
      return entry.name.endsWith('.jsonl') ? [path.join(place, entry.name)] : [];
    });
}

/** The records at `places`: a list of {where, record}, or {where, problem} for a record that cannot be read. */
function readRecords(places, vocabulary) {
  const entries = [];
  const seenFiles = new Set();
  const seenIds = new Map();
  for (const place of places) {
    const before = entries.length;
    let files = [];
    try {
      files = filesAt(place);
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      entries.push({ where: place, problem: error.message });
      continue;
    }
    let known = false;
    for (const file of files) {
      const real = realpathSync(file);
      if (seenFiles.has(real)) known = true;
      else readFile(file, entries, seenIds, vocabulary);
      seenFiles.add(real);
    }
    if (entries.length === before && !known) entries.push({ where: place, problem: 'no records' });
  }
  if (entries.length === 0) entries.push({ where: '(nowhere)', problem: 'no records' });
  return entries;
}

function readFile(file, entries, seenIds, vocabulary) {
  const text = readFileSync(file, 'utf8');
  if (text.includes('\uFFFD')) entries.push({ where: file, problem: 'not UTF-8' });
  text.split('\n').forEach((line, i) => {
    if (line.trim() === '') return;
    const where = `${file}:${i + 1}`;
    let record;
    try {
      try {
        record = JSON.parse(line);
      } catch (error) {
        throw new Malformed(`malformed JSON (${error.message})`);
      }
      needRecord(record, vocabulary);
      need(!seenIds.has(record.id), `duplicate id, first at ${seenIds.get(record.id)}`);
      seenIds.set(record.id, where);
      entries.push({ where, record });
    } catch (error) {
      if (!(error instanceof Malformed)) throw error;
      entries.push({ where, id: record?.id, problem: error.message });
    }
  });
}

// --- Judging --------------------------------------------------------------------

/** The bits of element `index` of a tensor as an integer; u1 is stored high bit first, i4 and u4 low half first. */
function bitsAt(bytes, bits, index) {
  if (bits === 1) return BigInt((bytes[index >> 3] >> (7 - (index & 7))) & 1);
  if (bits === 4) return BigInt((bytes[index >> 1] >> (4 * (index & 1))) & 15);
  let value = 0n;
  for (let i = bits / 8 - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[(index * bits) / 8 + i]);
  return value;
}

/** The number of fraction bits of each float type that is compared as numbers. */
const FRACTION = { f16: 10n, bf16: 7n, f32: 23n, f64: 52n };

/** A description of the difference between two elements, or null. `compare` is given only for elementwise records. */
function differenceOf(bits, dtypeName, want, got, compare) {
  if (want === got) return null;
  const fraction = FRACTION[dtypeName];
  if (compare === undefined || fraction === undefined) return 'other bits';
  const sign = 1n << BigInt(bits - 1);
  const infinity = (sign - 1n) & ~((1n << fraction) - 1n);
  const isNaN_ = (value) => (value & (sign - 1n)) > infinity;
  if (isNaN_(want) || isNaN_(got)) return isNaN_(want) && isNaN_(got) ? null : 'NaN against a number';
  const magnitude = (value) => value & (sign - 1n);
  if (magnitude(want) === 0n && magnitude(got) === 0n) return compare.zero_sign === false ? null : 'the sign of zero';
  const line = (value) => (value & sign ? -magnitude(value) : magnitude(value));
  const distance = line(want) > line(got) ? line(want) - line(got) : line(got) - line(want);
  return distance <= BigInt(compare.ulp ?? 0) ? null : `${distance} ulp`;
}

const showShape = (shape) => `(${shape.map(String).join(', ')}${shape.length === 1 ? ',' : ''})`;
const sameShape = (a, b) => a.length === b.length && a.every((extent, i) => BigInt(extent) === BigInt(b[i]));

/** The first difference between two tensors, as {expected, got}, or null. */
function judgeTensor(want, got, vocabulary, record, name) {
  const described = (tensor) => `${name}${tensor.dtype} ${showShape(tensor.shape)}`;
  if (got.dtype !== want.dtype || !sameShape(want.shape, got.shape)) {
    return { expected: described(want), got: described(got) };
  }
  const { bits } = vocabulary.dtypes.get(want.dtype);
  const size = count(want.shape);
  const bytes = Buffer.from(want.b64, 'base64');
  if (got.bytes.length !== bytes.length) {
    return { expected: `${described(want)} in ${bytes.length} bytes`, got: `${got.bytes.length} bytes` };
  }
  const skipped = new Set(record.undefined);
  const compare = record.kind === 'elementwise' ? (record.compare ?? {}) : undefined;
  for (let i = 0; i < size; i++) {
    if (skipped.has(i)) continue;
    const wanted = bitsAt(bytes, bits, i);
    const given = bitsAt(got.bytes, bits, i);
    const difference = differenceOf(bits, want.dtype, wanted, given, compare);
    if (difference) {
      return {
        expected: `${described(want)}, element ${i} 0x${wanted.toString(16)}`,
        got: `0x${given.toString(16)} (${difference})`,
      };
    }
  }
  return null;
}

/** The difference between an answer and the expected one, as {expected, got}, or null. */
export function judge(record, answer, vocabulary) {
  const { expect } = record;
  const got =
    answer.error !== undefined
      ? `error ${answer.error}${answer.detail ? ` (${answer.detail})` : ''}`
      : answer.shape !== undefined
        ? `shape ${showShape(answer.shape)}`
        : `${answer.outputs.map((tensor) => `${tensor.dtype} ${showShape(tensor.shape)}`).join(', ')}`;
  if ('error' in expect) {
    if (answer.error === expect.error) return null;
    return { expected: `error ${expect.error}${expect.detail ? ` (${expect.detail})` : ''}`, got };
  }
  if (record.kind === 'shape') {
    if (answer.shape !== undefined && sameShape(expect.shape, answer.shape)) return null;
    return { expected: `shape ${showShape(expect.shape)}`, got };
  }
  const wanted = record.kind === 'elementwise' ? [expect] : expect.outputs;
  if (answer.outputs === undefined || answer.outputs.length !== wanted.length) {
    return { expected: wanted.map((tensor) => `${tensor.dtype} ${showShape(tensor.shape)}`).join(', '), got };
  }
  for (let i = 0; i < wanted.length; i++) {
    const name = wanted.length > 1 ? `output ${i} ` : '';
    const wrong = judgeTensor(wanted[i], answer.outputs[i], vocabulary, record, name);
    if (wrong) return wrong;
  }
  return null;
}

/**
 * Asks `backend` about every record at `places`. Prints the failures and then the counts.
 * A backend has `vocabulary()` and `answer(record)`: {shape}, {outputs: [{dtype, shape, bytes}]} or {error, detail}.
 * Returns {passed, failed, disputed}.
 */
export async function runConformance(places, backend, print) {
  const vocabulary = await backend.vocabulary();
  const failures = [];
  let passed = 0;
  let disputed = 0;
  let otherDetails = 0;
  for (const { where, record, id, problem } of readRecords(places, vocabulary)) {
    if (problem !== undefined) {
      failures.push(`${id === undefined ? '' : `${id} `}at ${where}: ${problem}`);
      continue;
    }
    let wrong;
    try {
      const answer = await backend.answer(record);
      wrong = judge(record, answer, vocabulary);
      if (!wrong && record.expect.detail !== undefined && answer.detail !== record.expect.detail) otherDetails++;
    } catch (error) {
      wrong = { expected: 'an answer', got: error?.message ?? String(error) };
    }
    if (wrong) failures.push(`${record.id} at ${where}\n  expected ${wrong.expected}\n  got      ${wrong.got}`);
    else if (record.status === 'disputed') disputed++;
    else passed++;
  }
  for (const failure of failures.slice(0, MOST_LISTED)) print(`FAILED ${failure}`);
  if (failures.length > MOST_LISTED) print(`... and ${failures.length - MOST_LISTED} more`);
  if (otherDetails > 0) print(`note: ${otherDetails} errors of the right class have another detail than their record`);
  print(`${passed} passed, ${failures.length} failed, ${disputed} disputed`);
  return { passed, failed: failures.length, disputed };
}

// --- The native library -----------------------------------------------------------

const SESSION_PLACES = ['build/native/tests/broadloom_session', 'build/native/tests/broadloom_session.exe'];

/** Runs tests/conformance/session.cc. If it dies, the current record fails, and the next record starts a new session. */
export class NativeBackend {
  #program;
  #child;
  #waiting; // {resolve, reject} of the current question

  constructor(program) {
    this.#program = program;
  }

  #start() {
    const child = spawn(this.#program, [], { stdio: ['pipe', 'pipe', 'inherit'] });
    const settle = (how, value) => {
      if (this.#child !== child) return;
      const waiting = this.#waiting;
      this.#waiting = undefined;
      waiting?.[how](value);
    };
    child.on('error', (error) => settle('reject', error));
    child.on('close', (code, signal) => {
      settle('reject', new Error(`the session ended (${signal ?? `code ${code}`})`));
      if (this.#child === child) this.#child = undefined;
    });
    child.stdin.on('error', () => {}); // 'close' reports it
    createInterface({ input: child.stdout }).on('line', (line) => settle('resolve', line));
    this.#child = child;
  }

  /** The session's unparsed answer to one question. */
  async ask(line) {
    if (this.#child === undefined) this.#start();
    let timer;
    try {
      return await new Promise((resolve, reject) => {
        this.#waiting = { resolve, reject };
        timer = setTimeout(() => {
          const child = this.#child;
          this.#child = undefined;
          child?.kill('SIGKILL');
          reject(new Error(`no answer after ${PATIENCE_MS / 1000} s`));
        }, PATIENCE_MS);
        this.#child.stdin.write(`${line}\n`);
      });
    } finally {
      clearTimeout(timer);
    }
  }

  async vocabulary() {
    const [head, ...rows] = (await this.ask('vocabulary')).split(' ');
    need(head === 'vocabulary' && rows.length > 0, 'the session does not know its vocabulary');
    const vocabulary = { dtypes: new Map(), ops: new Map(), rules: new Map(), errors: new Set() };
    for (const row of rows) {
      const [what, name, ...rest] = row.split(':');
      if (what === 'dtype') vocabulary.dtypes.set(name, { bits: Number(rest[0]) });
      else if (what === 'op') vocabulary.ops.set(name, { attributes: rest });
      else if (what === 'rule') vocabulary.rules.set(name, { moves: rest.includes('moves') });
      else vocabulary.errors.add(name);
    }
    return vocabulary;
  }

  async answer(record) {
    const list = (values) => (values === undefined ? '-' : `[${values.map((value) => BigInt(value)).join(',')}]`);
    const options = `${record.axis ?? '-'} ${list(record.target_shape)} ${list(record.axes_mapping)}`;
    if (record.kind === 'shape') {
      const shapes = record.inputs.map(list).join(' ');
      return parseAnswer(await this.ask(`shape ${record.rule} ${options} ${record.dtype ?? '-'} ${shapes}`));
    }
    const op = record.kind === 'broadcast' ? 'Broadcast' : record.op;
    const attributes =
      Object.entries(record.attrs ?? {})
        .map(([name, value]) => `${name}=${value}`)
        .join(',') || '-';
    const tensors = record.inputs.map(({ dtype, shape, b64 }) => `${dtype} ${list(shape)} ${b64}`).join(' ');
    return parseAnswer(await this.ask(`apply ${op} ${record.rule} ${options} ${attributes} ${tensors}`));
  }

  close() {
    this.#child?.stdin.end();
  }
}

function parseAnswer(line) {
  const [head, ...words] = line.split(' ');
  const list = (word) => (word === '[]' ? [] : word.slice(1, -1).split(',').map(BigInt));
  if (head === 'error') return { error: words[0], detail: words[1] === '-' ? undefined : words[1] };
  if (head === 'shape') return { shape: list(words[0]) };
  need(head === 'tensors' && words.length % 3 === 0, `the session says: ${line.slice(0, 200)}`);
  const outputs = [];
  for (let i = 0; i < words.length; i += 3) {
    outputs.push({ dtype: words[i], shape: list(words[i + 1]), bytes: Buffer.from(words[i + 2], 'base64') });
  }
  return { outputs };
}

// --- The package --------------------------------------------------------------------

const MODES = { broadcast_numpy: 'numpy', bidirectional: 'bidirectional', explicit: 'explicit' };

/** Asks the public API of the package; `bl` is the result of its load(). */
export class PackageBackend {
  #bl;

  constructor(bl) {
    this.#bl = bl;
  }

  async vocabulary() {
    const { dtypes, ops, rules, errors } = this.#bl.vocabulary;
    const attributes = ({ attribute }) =>
      attribute === 'to' ? ['to', 'saturate'] : attribute === null ? [] : [attribute];
    return {
      dtypes: new Map(Object.values(dtypes).map((row) => [row.name, { bits: row.bits }])),
      ops: new Map(Object.values(ops).map((row) => [row.name, { attributes: attributes(row) }])),
      rules: new Map(Object.values(rules).map((row) => [row.name, { moves: row.takesTarget || row.returnsEach }])),
      errors: new Set(Object.keys(errors)),
    };
  }

  async answer(record) {
    try {
      return this.#answer(record);
    } catch (error) {
      // Only the package's own errors are answers; any other error is a bug in the package or in this script.
      if (error?.name !== 'BroadcastError') throw error;
      return { error: error.code, detail: error.detail || undefined };
    }
  }

  #answer(record) {
    const bl = this.#bl;
    const options = given({
      axis: record.axis,
      targetShape: shapeOf(record.target_shape),
      axesMapping: record.axes_mapping,
    });
    if (record.kind === 'shape') {
      // If one extent is not a safe integer, all are passed as bigints.
      const unsafe = [...record.inputs, record.target_shape ?? []]
        .flat()
        .some((extent) => !Number.isSafeInteger(extent));
      const cross = (shape) => (unsafe ? shape?.map(BigInt) : shape);
      return {
        shape: [
          ...bl.inferShape(record.rule, record.inputs.map(cross), {
            ...options,
            ...given({ targetShape: cross(record.target_shape), dtype: record.dtype }),
          }),
        ],
      };
    }
    const inputs = record.inputs.map(arrayOf);
    let results;
    if (record.kind === 'elementwise') {
      results = [bl.apply(record.op, inputs, { ...options, rule: record.rule, ...given({ attrs: record.attrs }) })];
    } else if (record.rule === 'sonnx') {
      results = bl.apply('Broadcast', inputs, { rule: 'sonnx' });
    } else if (record.op === 'broadcast_to' && record.rule === 'broadcast_numpy') {
      results = [bl.broadcastTo(inputs[0], record.target_shape)];
    } else {
      results = [bl.broadcast(inputs[0], { ...options, mode: MODES[record.rule] })];
    }
    return { outputs: results.map(tensorOf) };
  }
}

/** The options without undefined values. */
function given(options) {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
}

function shapeOf(shape) {
  return shape === undefined ? undefined : [...shape];
}

function arrayOf({ dtype, shape, b64 }) {
  const bytes = new Uint8Array(Buffer.from(b64, 'base64')); // copied, so that it starts at offset 0 of its buffer
  const ArrayType = ARRAYS[dtype];
  return { data: new ArrayType(bytes.buffer), shape, dtype };
}

function tensorOf({ data, shape, dtype }) {
  return { dtype, shape: [...shape], bytes: Buffer.from(data.buffer, data.byteOffset, data.byteLength) };
}

// --- The command ---------------------------------------------------------------------

/** The session of the native build. */
export async function nativeBackend() {
  const program = SESSION_PLACES.map((place) => path.join(root, place)).find(existsSync);
  need(program, 'build/native has no broadloom_session yet; make it by: npm run build -- native');
  return new NativeBackend(program);
}

async function packageBackend() {
  let module;
  try {
    module = await import('broadloom');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    const built = path.join(root, 'wasm/dist/index.js');
    need(existsSync(built), 'the package `broadloom` is not built yet; make it by: npm run build -- package');
    module = await import(pathToFileURL(built));
  }
  return new PackageBackend(await module.load());
}

/** A path relative to the folder in which the command was typed: npm changes the folder and sets INIT_CWD. */
function resolve(place) {
  const typedIn = process.env.INIT_CWD;
  if (typedIn && existsSync(path.resolve(typedIn, place))) return path.resolve(typedIn, place);
  return path.resolve(place);
}

async function main([name, ...places]) {
  const backends = { native: nativeBackend, wasm: packageBackend };
  if (!Object.hasOwn(backends, name ?? '')) {
    console.error('usage: node scripts/conformance.mjs native|wasm [PATH...]');
    return 2;
  }
  let backend;
  try {
    backend = await backends[name]();
    const paths = places.length > 0 ? places.map(resolve) : [path.join(root, 'tests/conformance')];
    const { failed } = await runConformance(paths, backend, (line) => console.log(line));
    return failed === 0 ? 0 : 1;
  } catch (error) {
    console.error(error instanceof Malformed ? `conformance: ${error.message}` : error);
    return 2;
  } finally {
    backend?.close?.();
  }
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  process.exitCode = await main(process.argv.slice(2));
}
