// What to do about a result that is far larger than what goes into it.

import '../styles/blow-up.css';
import type { Alignment } from '../engine';
import { bytesText, timesText } from '../format';
import type { Model } from '../model';

export function BlowUp({ model, alignment }: { model: Model; alignment: Alignment }) {
  const { bytes, bytesIn, op } = model;
  if (bytes === null || bytesIn === null) return null;
  return (
    <p class="blow-up">
      <span aria-hidden="true">⚠ </span>
      <b>A library that computes all of it allocates {bytesText(bytes)}</b>
      {bytesIn > 0n && bytes >= 2n * bytesIn && `, ${timesText(bytes, bytesIn)} times what goes in`}.{' '}
      {alignment.growsBoth
        ? 'If elements were meant to meet one by one, drop an axis: (n, 1) with (n,) is n × n.'
        : op?.name === 'Broadcast'
          ? 'These are copies alone: a view (broadcast_to, expand) shows the same without the memory.'
          : 'If only its sum or maximum is needed, reduce slice by slice instead of keeping it.'}
    </p>
  );
}
