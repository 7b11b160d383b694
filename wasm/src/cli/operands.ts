import { readFileSync } from 'node:fs';
import { isBroadcastError, type Broadloom, type NdArray, type ParsedIntegers } from '../index.js';
import { NpyError, parseNpy, type NpyDType } from '../npy.js';
import { Failure } from './failure.js';

/** A shape that was typed, or an array that lies in a file. */
export interface Operand {
  /** What sentences call it. */
  readonly name: string;
  readonly shape: readonly bigint[];
  readonly file: string | null;
  readonly array: NdArray<NpyDType> | null;
}

/**
 * Reads an operand: a `.npy` file where its name ends so, else a shape.
 *
 * @throws Failure with the bad token marked; where the file cannot be read, or is none.
 */
export function readOperand(bl: Broadloom, text: string, operand: number): Operand {
  const name = bl.formatOperand(operand);
  if (!/\.npy$/i.test(text)) {
    const shape = readText(text, name, () => bl.parseShape(text, { operand, bigint: true }));
    return { name, shape, file: null, array: null };
  }
  try {
    const array = parseNpy(readFileSync(text));
    return { name, shape: array.shape.map(BigInt), file: text, array };
  } catch (error) {
    throw new Failure(`${text}: ${error instanceof NpyError ? error.message : reasonOf(error)}`);
  }
}

/** Reads the value of an option that is a list of integers; negative ones are for the rules to judge. */
export function readIntegers(bl: Broadloom, option: string, text: string): bigint[] {
  return readText(text, option, () => bl.parseIntegers(text, { bigint: true }));
}

/** Reads the value of an option that is one integer. */
export function readInteger(bl: Broadloom, option: string, text: string): bigint {
  const [value, ...more] = readIntegers(bl, option, text);
  if (value !== undefined && more.length === 0) return value;
  throw new Failure(`${option} takes one whole number.`, { text, begin: 0, end: text.length });
}

function readText(text: string, name: string, parse: () => ParsedIntegers<bigint>): bigint[] {
  try {
    return [...parse().values];
  } catch (error) {
    if (!isBroadcastError(error)) throw error;
    const { code, span, message } = error;
    // Errors about an extent name the operand themselves.
    const told = code === 'extent' && message.startsWith(name) ? message : `${name}: ${message}`;
    throw new Failure(told, span === null ? undefined : { text, ...span });
  }
}

/** Why the system refused a file: Node puts a code before the words and the call behind them. */
export function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /^[A-Z]+: ([^]+?), [a-z]+(?: '[^]*')?$/.exec(message)?.[1] ?? message;
}
