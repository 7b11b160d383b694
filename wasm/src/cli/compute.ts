import { closeSync, openSync, writeSync } from 'node:fs';
import type { Broadloom, NdArray } from '../index.js';
import { formatNpy, NpyError, type NpyDType } from '../npy.js';
import { Failure, printable } from './failure.js';
import { readElements, reasonOf } from './operands.js';
import { asked, type Question } from './question.js';
import { BLOCK } from './source.js';
import { formatValues } from './values.js';

/** A result, and the file that it was written to. */
export interface Computed {
  readonly array: NdArray<NpyDType>;
  readonly file: string | null;
}

/** Whether there is something to compute: an operator, and elements for each operand. */
export function isComputable({ op, operands }: Question): boolean {
  return op !== null && operands.every(({ source }) => source !== null);
}

/**
 * Applies the operator and writes the results to `files`, one for each result. If `files` is empty, nothing is written.
 *
 * @throws Failure where the operator refuses the arrays, or a file cannot be written.
 */
export function compute(bl: Broadloom, { op, rule, operands, options, attrs }: Question, files: readonly string[]) {
  if (op === null) throw new Failure('There is no operator.');
  const arrays = operands.map((operand) => readElements(operand));
  const given = { rule, ...options, ...(Object.keys(attrs).length > 0 ? { attrs } : {}) };
  const applied = asked(() => bl.apply(op.name, arrays as never, given as never) as NdArray | NdArray[]);
  // Files hold only types of NpyDType, so results have such a type, too. The exception is Cast to bf16, which formatNpy
  // refuses.
  const results = (Array.isArray(applied) ? applied : [applied]) as NdArray<NpyDType>[];
  if (files.length > 0 && files.length !== results.length) {
    throw new Failure(
      `${op.name} by ${rule} has ${count(results.length, 'result')}, not ${files.length}: give -o for each.`,
    );
  }
  return results.map((array, i): Computed => {
    const file = files[i] ?? null;
    if (file !== null) write(file, array);
    return { array, file };
  });
}

function write(file: string, array: NdArray<NpyDType>): void {
  try {
    const bytes = formatNpy(array);
    const descriptor = file === '-' ? 1 : openSync(file, 'w');
    try {
      for (let at = 0; at < bytes.length;) at += writeSome(descriptor, bytes, at);
    } finally {
      if (file !== '-') closeSync(descriptor);
    }
  } catch (error) {
    const reason = error instanceof NpyError ? error.message : reasonOf(error);
    throw new Failure(`${file === '-' ? 'The result' : file} cannot be written: ${reason}`);
  }
}

function writeSome(descriptor: number, bytes: Uint8Array, at: number): number {
  try {
    return writeSync(descriptor, bytes, at, Math.min(BLOCK, bytes.length - at));
  } catch (error) {
    if ((error as { readonly code?: string }).code === 'EAGAIN') return 0; // the pipe is full
    throw error;
  }
}

/** For each result the file that it was written to, or else its elements. */
export function formatComputed(bl: Broadloom, results: readonly Computed[], columns: number): string[] {
  return results.flatMap(({ array, file }) => {
    if (file === '-') return []; // standard output has the file's bytes and nothing else
    const told = `${array.dtype} ${bl.formatShape(array.shape)}`;
    return file === null ? [told, ...formatValues(array, columns)] : [`${printable(file)}: ${told}`];
  });
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? '' : 's'}`;
}
