// Warns of a result that is far larger than its operands, and says what to do.

import './blow-up.css';
import { useModel } from '../context/context';
import { expects } from '../state/state';
import { Intended } from './intended';
import type { Alignment } from '../engine/engine';
import { bytesText, timesText } from '../text/format';

export function BlowUp({ alignment }: { alignment: Alignment }) {
  const { state, bytes, bytesIn, op } = useModel();
  if (bytes === null || bytesIn === null) return null;
  const expected = expects(state, 'large_result');
  return (
    <div class={`blow-up ${expected ? 'expected' : ''}`} data-warning="large_result">
      <p>
        <span aria-hidden="true">{expected ? '✓ ' : '⚠ '}</span>
        <b>The whole result takes {bytesText(bytes)}</b>
        {bytesIn > 0n && bytes >= 2n * bytesIn && `, ${timesText(bytes, bytesIn)} times its operands`}.{' '}
        {alignment.growsBoth
          ? 'Wanted element by element? Give both the shape (n,).'
          : op?.name === 'Broadcast'
            ? 'Every element is copied: a view (broadcast_to, expand) needs no copies.'
            : 'If only its sum or maximum is needed, reduce it slice by slice.'}
      </p>
      <Intended kind="large_result" />
    </div>
  );
}
