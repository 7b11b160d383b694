// What to do about a result that is far larger than what goes into it.

import '../styles/blow-up.css';
import type { Alignment } from '../engine';
import { bytesText, timesText } from '../format';
import type { Model } from '../model';

export function BlowUp({ model, alignment }: { model: Model; alignment: Alignment }) {
  const { bytes, bytesIn, op } = model;
  if (bytes === null || bytesIn === null) return null;
  const times = bytesIn > 0n ? ` out of ${bytesText(bytesIn)}: ${timesText(bytes, bytesIn)} times as much` : '';
  return (
    <p class="blow-up">
      <b>
        <span aria-hidden="true">⚠ </span>This is large.
      </b>{' '}
      A library that computes it whole allocates {bytesText(bytes)}
      {times}.{' '}
      {alignment.growsBoth ? (
        <>
          The operands stretch to each other, so every element meets every other. If you meant them one by one, one
          operand has an axis too many: (n, 1) with (n,) is n × n. Drop the axis with reshape or squeeze.
        </>
      ) : op?.name === 'Broadcast' ? (
        <>Nothing but copies: a view (broadcast_to, expand) shows the same without the memory.</>
      ) : (
        <>If only a sum or a maximum of it is needed, reduce slice by slice instead of keeping it.</>
      )}
    </p>
  );
}
