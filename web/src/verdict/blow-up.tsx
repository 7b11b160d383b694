// Warns of a result that is far larger than its operands, and says what to do.

import './blow-up.css';
import { useModel } from '../context/context';
import type { Alignment } from '../engine/engine';
import { bytesText, timesText } from '../text/format';

export function BlowUp({ alignment }: { alignment: Alignment }) {
  const { bytes, bytesIn, op } = useModel();
  if (bytes === null || bytesIn === null) return null;
  return (
    <p class="blow-up">
      <span aria-hidden="true">⚠ </span>
      <b>As a whole it takes {bytesText(bytes)}</b>
      {bytesIn > 0n && bytes >= 2n * bytesIn && `, ${timesText(bytes, bytesIn)} times what goes in`}.{' '}
      {alignment.growsBoth
        ? 'To pair elements, drop an axis: (n, 1) with (n,) is n × n.'
        : op?.name === 'Broadcast'
          ? 'These are copies: a view (broadcast_to, expand) does without.'
          : 'For its sum or maximum, reduce slice by slice.'}
    </p>
  );
}
