// Targets, and mappings, that work, each as a button.

import './proposals.css';
import { Words } from '../components/words';
import { useEngine, useModel } from '../context/context';
import { update } from '../store/store';
import { proposalsFor } from './proposed';

export function Proposals() {
  const core = useEngine();
  const model = useModel();
  const found = proposalsFor(core, model);
  if (found.length === 0) return null;
  const what = model.rule?.takesMapping ? 'A target and a mapping that work' : 'Targets that work';
  return (
    <section class="proposals" aria-labelledby="proposals-title">
      <h2 id="proposals-title">{what}</h2>
      <ul>
        {found.map(({ target, mapping, result, next }) => (
          <li key={target}>
            <button type="button" onClick={() => update(next)}>
              <span>
                target <b class="mono">{target}</b>
                {mapping && (
                  <>
                    {', '}
                    <Words text={`axes_mapping ${mapping}`} />
                  </>
                )}
              </span>
              <span class="gives">
                gives <b class="mono">{result}</b>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
