import { existsSync } from 'node:fs';
import { isBroadcastError, type Broadloom, type ParsedIntegers } from '../index.js';
import { NpyError } from '../npy.js';
import { Failure } from './failure.js';
import { inMemory, readNpySource, readStandardInput, withFile, type Bytes, type Source } from './source.js';
import { readZip } from './zip.js';

/** A shape that was typed, or an array in a file. */
export interface Operand {
  /** Its name in sentences. */
  readonly name: string;
  readonly shape: readonly bigint[];
  /** The names of its axes, of a shape such as `batch=8, heads=8`; null for none. */
  readonly names: readonly (string | null)[] | null;
  readonly file: string | null;
  /** The array, whose elements are read only when something is computed; null for a shape that was typed. */
  readonly source: Source | null;
  /** The element type: of an array, or beside a shape that was typed, as in `f64[2,3]`; null for none. */
  readonly dtype: string | null;
  /** A type beside the shape that is none of Broadloom's, as it was typed. */
  readonly unknownType?: string | null;
  /** What a pasted text calls it, as in the lines of code. */
  readonly expression?: string | null;
}

/**
 * Reads an operand: `-` is standard input, `FILE.npy` a file, `FILE.npz:NAME` an array in an archive, any other text a
 * shape.
 *
 * @throws Failure where the text is no shape, with the wrong token marked, or the file cannot be read as an array.
 */
export function readOperand(bl: Broadloom, text: string, operand: number): Operand {
  const name = bl.formatOperand(operand);
  const found = findSource(text);
  if (found === null || typeof found === 'string') {
    const typed = found ?? text;
    if (found === null && isFile(bl, text)) {
      throw new Failure(
        `${text}: this file is named neither .npy nor .npz; broadloom - < FILE reads it as a .npy file.`,
      );
    }
    const numbers = readNumbers(bl, typed);
    if (numbers !== null) return { name, ...numbers, file: null, source: null };
    const shape = readText(typed, name, () => bl.parseShape(typed, { operand, bigint: true }));
    return { name, shape, names: null, file: null, source: null, dtype: null };
  }
  return { name, shape: found.shape, names: null, file: text, source: found, dtype: found.dtype };
}

/**
 * A shape of numbers that is written in another way than the core reads: with names of axes, `(batch=8, heads=8)`, with a
 * type, `f64[2,3]`, or with exponents, `(1e3, 3)`; null for any other text.
 */
export function readNumbers(
  bl: Broadloom,
  text: string,
): Pick<Operand, 'shape' | 'names' | 'dtype' | 'unknownType'> | null {
  if (/^[\d\s,()[\]]*$/.test(text)) return null;
  try {
    const [operand, ...more] = bl.alignSymbolic('numpy', [text]).operands;
    const [read, ...others] = bl.readShapes(text);
    if (operand === undefined || more.length > 0 || others.length > 0 || !read?.extents) return null;
    if (read.extents.some((extent) => typeof extent === 'object')) return null;
    return {
      shape: read.extents.map((extent) => BigInt(extent as number | bigint)),
      names: read.names,
      dtype: read.dtype,
      unknownType: read.dtype === null ? read.elementType : null,
    };
  } catch (error) {
    if (isBroadcastError(error)) return null;
    throw error;
  }
}

/** Whether the text is not a shape but the name of a file. */
function isFile(bl: Broadloom, text: string): boolean {
  try {
    bl.parseIntegers(text);
    return false;
  } catch {
    return existsSync(text);
  }
}

/** The elements of an operand. @throws Failure where they cannot be read. */
export function readElements({ file, source }: Operand) {
  return source === null ? null : told(file ?? '', () => source.read());
}

/** The array that `text` names; from standard input perhaps the text of a shape; null where `text` names no array. */
function findSource(text: string): Source | string | null {
  if (text === '-') return told('standard input', readInput);
  const [, archive, member] = /^([^]*?\.npz)(?::([^]*))?$/i.exec(text) ?? [];
  if (archive !== undefined) return told(text, () => withFile(archive, (file) => readMember(file, archive, member)));
  if (/\.npy$/i.test(text)) {
    const all = () => withFile(text, (file) => file.read(0, file.size));
    return told(text, () => withFile(text, (file) => readNpySource(file, all)));
  }
  return null;
}

// The array or the text of a shape that was read from standard input.
let input: Source | string | undefined;
function readInput(): Source | string {
  if (input !== undefined) throw new Failure('it can stand for one operand alone.');
  const bytes = readStandardInput();
  if (bytes[0] === 0x50 && bytes[1] === 0x4b) throw new Failure('it is an archive: give the name of the .npz file.');
  const isText = bytes.length > 0 && bytes[0] !== 0x93;
  input = isText ? new TextDecoder().decode(bytes).trim() : readNpySource(inMemory(bytes), () => bytes);
  return input;
}

function readMember(file: Bytes, archive: string, wanted: string | undefined): Source {
  const members = readZip(file).filter(({ name }) => /\.npy$/i.test(name));
  const names = members.map(({ name }) => name.replace(/\.npy$/i, ''));
  const at = wanted === undefined && names.length === 1 ? 0 : names.indexOf((wanted ?? '').replace(/\.npy$/i, ''));
  const member = members[at];
  if (member === undefined) {
    const what = wanted === undefined ? 'It holds several arrays' : `It holds no array ${JSON.stringify(wanted)}`;
    const first = names.slice(0, 20).map((name) => `${archive}:${name}`);
    const more = names.length > 20 ? ', ...' : '';
    throw new Failure(names.length === 0 ? 'It holds no array.' : `${what}: name one of ${first.join(', ')}${more}.`);
  }
  const bytes: Bytes = { size: member.size, read: (begin, length) => member.begin(begin + length).subarray(begin) };
  const all = () =>
    withFile(archive, (again) => (readZip(again).find(({ name }) => name === member.name) ?? member).read());
  return readNpySource(bytes, all);
}

/** Runs `read`; the message of its error is prefixed with the file's name. */
function told<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isOurs = error instanceof NpyError || error instanceof Failure;
    throw new Failure(`${name}: ${isOurs ? error.message : reasonOf(error)}`);
  }
}

/** Reads the value of an option that is a list of integers. Negative ones are allowed: the rules report them. */
export function readIntegers(bl: Broadloom, option: string, text: string): bigint[] {
  return readText(text, option, () => bl.parseIntegers(text, { bigint: true }));
}

/** Reads the value of an option that is one integer. */
export function readInteger(bl: Broadloom, option: string, text: string): bigint {
  const [value] = /^\s*[-+]?\d+\s*$/.test(text) ? readIntegers(bl, option, text) : [];
  if (value !== undefined) return value;
  throw new Failure(`${option} takes one whole number.`, { text, begin: 0, end: text.length });
}

function readText(text: string, name: string, parse: () => ParsedIntegers<bigint>): bigint[] {
  try {
    return [...parse().values];
  } catch (error) {
    if (!isBroadcastError(error)) throw error;
    const { code, span, message } = error;
    // The messages about extents begin with the operand's name already.
    const told = code === 'extent' && message.startsWith(name) ? message : `${name}: ${message}`;
    throw new Failure(told, span === null ? undefined : { text, ...span });
  }
}

/** The reason of a file error as a sentence: Node's message without the code before it and the call after it. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return `${/^[A-Z]+: ([^]+?), [a-z]+(?: '[^]*')?$/.exec(message)?.[1] ?? message}.`;
}
