// The check box that acknowledges a warning; the link keeps it.

import { useModel } from '../context/context';
import { expecting, expects } from '../state/state';
import { update } from '../store/store';

export function Intended({ kind }: { kind: string }) {
  const { state } = useModel();
  return (
    <label class="check intended">
      <input
        type="checkbox"
        checked={expects(state, kind)}
        onChange={({ currentTarget }) => update(expecting(state, kind, currentTarget.checked))}
      />
      <span>This is intended</span>
    </label>
  );
}
