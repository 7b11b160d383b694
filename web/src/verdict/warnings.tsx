// What to check although the shapes fit, each with a check box that acknowledges it. Loaded with the explanations.

import './warnings.css';
import { useModel } from '../context/context';
import { Words } from '../components/words';
import { expects } from '../state/state';
import { doubtsOf } from './doubts';
import { Intended } from './intended';

export function Warnings() {
  const model = useModel();
  const { state } = model;
  const warnings = doubtsOf(model);
  if (warnings.length === 0) return null;
  return (
    <ul class="warnings" aria-label="Check this">
      {warnings.map(({ kind, message }) => {
        const expected = expects(state, kind);
        return (
          <li key={kind} class={expected ? 'expected' : ''} data-warning={kind}>
            <p>
              <span aria-hidden="true">{expected ? '✓ ' : '⚠ '}</span>
              <Words text={message} />
            </p>
            <Intended kind={kind} />
          </li>
        );
      })}
    </ul>
  );
}
