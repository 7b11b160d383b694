// The other rules that take the operands as they are, below the repairs. All rules have to be asked, which is done once
// nothing has changed for a while.

import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { useEngine, useModel } from '../context/context';
import type { Alignment } from '../engine/engine';
import { shapeText } from '../text/format';
import { focusNext } from '../page/focus';
import { compareRules, type Taker, takersOf } from './compared';
import { update } from '../store/store';
import './other-rules.css';

/** Milliseconds without a change before the rules are asked: longer than between two key strokes. */
const pause = 200;

export function OtherRules() {
  const core = useEngine();
  const model = useModel();
  const { state, alignment } = model;
  const asked = useSignal<{ readonly of: Alignment | null; readonly takers: readonly Taker[] } | null>(null);
  useEffect(() => {
    const ask = (): void => {
      const compared = compareRules(core, model);
      asked.value = { of: alignment, takers: compared ? takersOf(compared, model) : [] };
    };
    const asking = setTimeout(ask, pause);
    return () => clearTimeout(asking);
  }, [alignment]);
  // Rules found for other operands are not shown; their place is kept.
  const known = asked.value?.of === alignment ? asked.value.takers : null;
  const takers = known ?? [];
  return (
    <section class="other-rules" aria-label="Other rules" aria-busy={known === null}>
      <p class="note">
        {known &&
          (takers.length > 0
            ? 'These rules take the operands as they are:'
            : 'No other rule takes these operands as they are.')}
      </p>
      <p class="takes">
        {takers.map(({ rule, asked, output, next }) => (
          <button key={rule.name} type="button" onClick={() => update(next)}>
            <b>{rule.title}</b>
            {asked && ` (${asked})`} gives <b class="mono">{shapeText(output)}</b>
          </button>
        ))}
        <button
          type="button"
          class="quiet"
          onClick={() => {
            focusNext('#all-rules-title');
            update({ ...state, view: 'rules' });
          }}
        >
          Compare all rules
        </button>
      </p>
    </section>
  );
}
