// The same operands under every rule: the result or the reason why there is none, and whether an equal shape is made of other
// elements.

import { useEngine, useModel } from '../context/context';
import { shapeText } from '../text/format';
import { focusNext } from '../page/focus';
import { compareRules, type Ruled, type Ruling, shortReason, takersText } from './rule-diff';
import type { State } from '../state/state';
import { update } from '../store/store';
import './rules-table.css';
import { capital, Words } from '../components/words';

export function RulesTable() {
  const core = useEngine();
  const model = useModel();
  const { state } = model;
  const ruled = compareRules(core, model);
  return (
    <section class="all-rules" aria-labelledby="all-rules-title">
      <div class="head">
        <h2 id="all-rules-title" tabIndex={-1}>
          The same operands under every rule
        </h2>
        <button
          type="button"
          class="quiet"
          id="close-rules"
          onClick={() => {
            focusNext('#compare-rules');
            update({ ...state, view: '' });
          }}
        >
          Close
        </button>
      </div>
      {ruled ? (
        <>
          <p class="takers" role="status">
            {takersText(ruled, model)}
          </p>
          <table>
            <thead>
              <tr>
                <th scope="col">rule</th>
                <th scope="col">result, or why there is none</th>
                <th scope="col">
                  <span class="unseen">use it</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {ruled.map((one) => (
                <Line key={one.rule.name} ruled={one} />
              ))}
            </tbody>
          </table>
        </>
      ) : (
        <p class="note">A shape cannot be read. Once all can, every rule has its line here.</p>
      )}
    </section>
  );
}

function Line({ ruled }: { ruled: Ruled }) {
  const { rule, ruling, asked, whole, instead, next } = ruled;
  const chosen = rule.name === useModel().state.rule;
  return (
    <tr data-rule={rule.name} data-ruling={ruling.kind} data-whole={whole} class={chosen ? 'chosen' : ''}>
      <th scope="row">
        {rule.title}
        {(asked || instead) && (
          <span class="aside">
            {asked}
            {asked && instead && ', '}
            {instead && `with ${instead}`}
          </span>
        )}
      </th>
      <td>
        <Says ruling={ruling} />
        {ruling.kind === 'refuses' && ruling.instead && (
          <p class="otherwise">
            With {ruling.instead.option} it gives <b class="mono">{shapeText(ruling.instead.alignment.output)}</b>.{' '}
            <Take title={`${rule.title} with ${ruling.instead.option}`} next={ruling.instead.next} />
          </p>
        )}
      </td>
      <td>
        {chosen ? (
          <span class="in-use" tabIndex={-1} data-takes-focus>
            in use
          </span>
        ) : (
          <Take title={rule.title} next={next} />
        )}
      </td>
    </tr>
  );
}

function Take({ title, next }: { title: string; next: State }) {
  return (
    <button type="button" aria-label={`Use ${title}`} onClick={() => update({ ...next, view: 'rules' })}>
      Use
    </button>
  );
}

function Says({ ruling }: { ruling: Ruling }) {
  const core = useEngine();
  if (ruling.kind === 'lacks') {
    return (
      <span class="lacks">
        <Words text={`needs ${ruling.fields.join(' and ')}`} />
      </span>
    );
  }
  if (ruling.kind === 'fits') {
    const { alignment, likeness } = ruling;
    return (
      <>
        <span class="gives">
          <span class="mark" aria-hidden="true">
            ✓{' '}
          </span>
          <b class="mono">{shapeText(alignment.output)}</b>
        </span>
        {likeness?.differs ? (
          <span class="differs">
            <strong>same shape, other elements</strong>
            {likeness.of && ` of ${likeness.of}`} than under {likeness.to.title}: {likeness.differs}.
          </span>
        ) : (
          likeness && (
            <span class="same">
              every element {likeness.of && `of ${likeness.of} `}where {likeness.to.title} puts it
            </span>
          )
        )}
      </>
    );
  }
  const { failure, alignment } = ruling;
  const whys = alignment?.axes.filter(({ conflict }) => conflict).slice(0, 24) ?? [];
  const clauses = [...new Set(alignment?.conflicts.map(({ clause }) => clause))];
  return (
    <details>
      <summary>
        <span class="mark" aria-hidden="true">
          ✕{' '}
        </span>
        <Words text={shortReason(ruling)} />
      </summary>
      <p>
        <Words text={failure.message} />
      </p>
      {whys.length > 1 && (
        <ul>
          {whys.map(({ axis, why }) => (
            <li key={axis}>{`Axis ${axis}: ${why}`}</li>
          ))}
        </ul>
      )}
      {clauses.map((name) => {
        const clause = core.vocabulary.clauses.get(name);
        return (
          clause && (
            <p key={name}>
              <code>{name}</code> <Words text={capital(clause.text)} />.{' '}
              <cite>{core.vocabulary.documents.get(clause.document)}</cite>, {clause.place}
            </p>
          )
        );
      })}
    </details>
  );
}
