// The answer to shapes with unknown extents: for each case the alignment, what must hold with an example for each way, and the
// same as code; then the picture of one example.

import { useMemo } from 'preact/hooks';
import { useSignal } from '@preact/signals';
import { targetOperand } from '../engine/engine';
import { shortName } from '../model/axis-names';
import { ModelContext, useEngine, useModel } from '../context/context';
import { CopyButton } from '../components/copy-button';
import { Scroll } from '../components/scroll';
import { Grids } from '../grids/grids';
import { drawn, exampleCase, update } from '../store/store';
import { type Change, changesFor } from './changes';
import { SymbolicRules } from './symbolic-rules';
import { SymbolicTable } from './symbolic-table';
import {
  type Alternative,
  alternativeText,
  type Axis,
  type Case,
  caseTitle,
  fitTexts,
  termText,
  witnessText,
} from '../model/symbolic-terms';
import { shownWitness, stateFor } from './witness';
import './symbolic.css';

/** At most so many cases, axes of a case, and alternatives of an axis are listed. */
const mostCases = 16;
const mostListed = 24;
const mostWays = 12;

export function SymbolicAnswer() {
  const model = useModel();
  const cases = model.symbolic?.cases ?? [];
  const shown = cases[exampleCase.value] ? exampleCase.value : 0;
  return (
    <>
      {model.state.view === 'rules' && <SymbolicRules />}
      {cases.length === 1 && cases[0] ? (
        <section class="symbolic" aria-labelledby="symbolic-title">
          <h2 id="symbolic-title">How the axes line up</h2>
          {caseTitle(model, cases[0]) !== '' && <p class="note">{caseTitle(model, cases[0])}.</p>}
          <CaseAnswer found={cases[0]} />
        </section>
      ) : (
        <section class="symbolic" aria-labelledby="symbolic-title">
          <h2 id="symbolic-title">{cases.length} cases</h2>
          <p class="note">How the axes line up depends on the unknown extents.</p>
          <ol class="cases">
            {cases.slice(0, mostCases).map((found, i) => (
              <li key={i}>
                <button type="button" class="case" aria-expanded={i === shown} onClick={() => (exampleCase.value = i)}>
                  <span>{caseTitle(model, found) || `Case ${i + 1}`}:</span>{' '}
                  <b class="mono">{shortName(found.shape, 120)}</b>{' '}
                  <span class="gives">{fitTexts[found.fit].text}</span>
                </button>
                {i === shown && <CaseAnswer found={found} />}
              </li>
            ))}
          </ol>
          {cases.length > mostCases && (
            <p class="note">{cases.length - mostCases} more cases are not shown: give a rank, or more extents.</p>
          )}
        </section>
      )}
      {cases[shown] && <Example found={cases[shown]} />}
    </>
  );
}

function CaseAnswer({ found }: { found: Case }) {
  const model = useModel();
  const open = found.axes.flatMap((axis, number) =>
    axis.always || axis.mustCheck || found.fit === 'never' ? [] : [{ axis, number }],
  );
  const symbols = model.symbolic?.symbols ?? [];
  const unnamed = symbols.find(({ name }) => name === '');
  return (
    <>
      <SymbolicTable found={found} />
      {model.symbolic?.fit === 'never' && <Changes found={found} />}
      {open.length > 0 && (
        <div class="conditions">
          <h3>What must hold</h3>
          <ul>
            {open.slice(0, mostListed).map(({ axis, number }) => (
              <Condition key={number} axis={axis} number={number} found={found} />
            ))}
          </ul>
          {open.length > mostListed && (
            <p class="note">{open.length - mostListed} more axes have conditions: the code below has all.</p>
          )}
          {unnamed && (
            <p class="note">
              <code>{termText(model, { symbol: symbols.indexOf(unnamed) })}</code> is the extent of{' '}
              {unnamed.operand === targetOperand ? 'the target' : model.operands[unnamed.operand]?.name} on{' '}
              {unnamed.axis < 0 ? 'its last axis' : `its axis ${unnamed.axis}`}.
            </p>
          )}
          {model.symbolic?.notes.map((note) => (
            <p class="note" key={note}>
              {note}
            </p>
          ))}
        </div>
      )}
      {found.conditions.python.trim() !== '' && found.fit !== 'never' && <AsCode found={found} />}
    </>
  );
}

/** `with 4 or 1 in A, or with 3 or 1 in B` */
const changeText = ({ each, all }: Change): string =>
  all === null
    ? each.map(({ name, extents }) => `with ${extents.join(' or ')} in ${name}`).join(', or ')
    : `with ${all} in each of them`;

/** What to do where nothing fits: the extents with which an axis would. */
function Changes({ found }: { found: Case }) {
  const core = useEngine();
  const model = useModel();
  const changes = useMemo(() => changesFor(core, model, found), [core, model, found]);
  return changes.length > 0 ? (
    <p class="changes">
      {changes
        .map((change) => `${found.axes[change.axis]?.name ?? change.axis} would fit ${changeText(change)}`)
        .map((text) => `Axis ${text}.`)
        .join(' ')}
    </p>
  ) : null;
}

/** The ways in which an axis fits, each with a button that opens an example. */
function Condition({ axis, number, found }: { axis: Axis; number: number; found: Case }) {
  const model = useModel();
  const { alternatives } = axis;
  return (
    <li>
      <p>
        {axis.name ? `Axis ${axis.name}` : `Axis ${number}`} of the result fits
        {alternatives.length > 1 ? ' if one of these holds:' : ' if'}
      </p>
      <ul class="ways">
        {alternatives.slice(0, mostWays).map((alternative, i) => (
          <Way key={i} alternative={alternative} found={found} model={model} />
        ))}
      </ul>
      {alternatives.length > mostWays && (
        <p class="note">{alternatives.length - mostWays} more ways: the code below has all.</p>
      )}
    </li>
  );
}

function Way({
  alternative,
  found,
  model,
}: {
  alternative: Alternative;
  found: Case;
  model: ReturnType<typeof useModel>;
}) {
  const { equal, result, witness } = alternative;
  const next = stateFor(model, found, witness);
  const numbers = witnessText(model, found, witness);
  return (
    <li>
      <code class="holds">{alternativeText(model, equal)}</code>
      <span class="gives">
        gives <code>{termText(model, result)}</code>
      </span>
      {next && numbers !== '' ? (
        <button
          type="button"
          class="quiet witness"
          title="Fills the fields with these numbers; undo brings the names back"
          onClick={() => update(next)}
        >
          Try {numbers}
        </button>
      ) : (
        <span class="note">No example was found.</span>
      )}
    </li>
  );
}

const forms = [
  { id: 'python', title: 'Python assert' },
  { id: 'torch', title: 'torch._check' },
  { id: 'jax', title: 'JAX constraints' },
] as const;

function AsCode({ found }: { found: Case }) {
  const chosen = useSignal<(typeof forms)[number]['id']>('python');
  const text = found.conditions[chosen.value].trimEnd();
  return (
    <div class="as-code">
      <div class="head">
        <h3>As code</h3>
        <div class="forms" role="group" aria-label="Form of the code">
          {forms.map(({ id, title }) => (
            <button
              key={id}
              type="button"
              class="quiet"
              aria-pressed={chosen.value === id}
              onClick={() => (chosen.value = id)}
            >
              {title}
            </button>
          ))}
        </div>
        <CopyButton text={`${text}\n`} id="copy-conditions">
          Copy
        </CopyButton>
      </div>
      <Scroll label="The conditions as code, scrolling">
        <pre id="conditions-code">
          <code>{text}</code>
        </pre>
      </Scroll>
      {chosen.value === 'jax' && (
        <p class="note">
          For <code>jax.export.symbolic_shape(…, constraints=[…])</code>.
        </p>
      )}
    </div>
  );
}

/** The picture of an example, which stands for all extents. */
function Example({ found }: { found: Case }) {
  const core = useEngine();
  const model = useModel();
  const example = drawn.value;
  const witness = found.fit === 'never' ? null : shownWitness(found);
  if (!witness) return null;
  const numbers = witnessText(model, found, witness);
  const next = stateFor(model, found, witness);
  const byName = model.state.byName !== '';
  const rule = core.vocabulary.rules.find(({ name }) => name === 'numpy')?.title;
  return (
    <div class="example">
      <div class="head">
        <p>
          <b>An example</b>
          {numbers !== '' && `, for ${numbers}`}
          {byName && `: the axes in the result’s order, with 1 where one is missing, as ${rule} takes them`}
          {!example && '. Its picture does not fit here: open it to see its elements.'}
        </p>
        {next && numbers !== '' && (
          <button type="button" class="quiet" id="open-example" onClick={() => update(next)}>
            Open as a question
          </button>
        )}
      </div>
      {example && (
        <ModelContext.Provider value={example}>
          <Grids />
        </ModelContext.Provider>
      )}
    </div>
  );
}
