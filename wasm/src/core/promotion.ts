// Common element types, by the core's rules of promotion.

import { FormFault, unsupported } from '../types/fault.js';
import type { DType, WeakKind } from '../types/vocabulary.js';

/**
 * The core's function: takes a set of element types (bit i stands for the type of row i) and the widest kind of scalars
 * without a type (0 none, 1 bool, 2 int, 3 float); returns the row of the common type, or -1 where there is none.
 */
export type AskResultType = (dtypes: number, weak: number) => number;

// The core's WeakKind, in its order.
const WEAK_KINDS: readonly (WeakKind | undefined)[] = [undefined, 'bool', 'int', 'float'];

/** What promotion needs to know of an operand: its element type, or the kind of a scalar without one. */
export type Promoted = { readonly dtype: DType } | { readonly weak: WeakKind };

/** Promotion, as a core computes it. */
export class Promotion {
  readonly #dtypes: readonly DType[];
  readonly #bits: ReadonlyMap<DType, number>;
  readonly #ask: AskResultType;

  /** @param dtypes In the order of their rows. */
  constructor(dtypes: readonly DType[], ask: AskResultType) {
    this.#dtypes = dtypes;
    this.#bits = new Map(dtypes.map((dtype, row) => [dtype, 1 << row]));
    this.#ask = ask;
  }

  /**
   * The common type of operands, by NumPy 2's rules (NEP 50): that of the types, then of it and the scalars. The order of
   * the operands does not matter.
   *
   * @throws FormFault `dtype`, detail `mixed`, where there is none: it names the first two operands without a common type.
   * @example
   * promotion.resultType([{ dtype: 'i8' }, { dtype: 'u8' }]); // 'i16'
   * promotion.resultType([{ dtype: 'f32' }, { weak: 'float' }]); // 'f32'
   * promotion.resultType([{ dtype: 'i32' }, { weak: 'float' }]); // 'f64'
   */
  resultType(operands: readonly Promoted[]): DType {
    const common = this.#common(operands);
    if (common !== undefined) return common;
    if (operands.length === 0) {
      throw new FormFault(
        { code: 'arity', extent: 0, otherExtent: 1 },
        operands,
        'Give at least one element type or array.',
      );
    }
    for (let operand = 1; operand < operands.length; ++operand) {
      for (let otherOperand = 0; otherOperand < operand; ++otherOperand) {
        const pair = [operands[operand] as Promoted, operands[otherOperand] as Promoted] as const;
        if (this.#common(pair) !== undefined) continue;
        const [dtype, otherDtype] = pair.map((one) => ('dtype' in one ? one.dtype : null)) as [
          DType | null,
          DType | null,
        ];
        const message = `${name(pair[0])} and ${name(pair[1])} have no common type: convert one of them.`;
        throw new FormFault(
          { code: 'dtype', detail: 'mixed', operand, otherOperand, dtype, otherDtype },
          undefined,
          message,
        );
      }
    }
    throw unsupported(operands, `${operands.map(name).join(', ')} have no common type: convert some of them.`);
  }

  #common(operands: readonly Promoted[]): DType | undefined {
    let set = 0;
    let weak = 0;
    for (const operand of operands) {
      if ('dtype' in operand) set |= this.#bits.get(operand.dtype) as number;
      else weak = Math.max(weak, WEAK_KINDS.indexOf(operand.weak));
    }
    return this.#dtypes[this.#ask(set, weak)];
  }
}

function name(operand: Promoted): string {
  return 'dtype' in operand ? operand.dtype : `a scalar of kind ${operand.weak}`;
}
