// What is said beside an operand of its Zarr array. While it is there, the array is open.

import type { OperandValues } from '../values/operand-values';
import { ZarrArrays } from './arrays';

export const ZarrNote = ({ given: { note } }: { given: OperandValues }) => (
  <>
    <ZarrArrays />
    {note && (
      <p class="note" role="status">
        {note}
      </p>
    )}
  </>
);
