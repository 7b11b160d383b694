// Elements of Zarr arrays, which are read chunk by chunk when they are shown. States and links hold an array's address.

import type { Source } from './sources';
import type { OperandValues, ValuesRequest } from './operand-values';

/**
 * Gives the values of a Zarr array that an operand of so many elements asks for; null before the array is open. `fine` and `wrong`
 * make them of its elements, or of a message that says why there are none. Set by what reads arrays, which is loaded with the
 * first of them. Whenever more is known, it sets `files` (files.ts) anew, so that answers are computed again.
 */
export const zarrValues: {
  of?: (
    asked: ValuesRequest,
    elements: bigint | null,
    fine: (source: Source, shape: readonly number[]) => OperandValues,
    wrong: (code: 'length', message: string, span: null, shape: readonly number[] | null) => OperandValues,
  ) => OperandValues | null;
} = {};
