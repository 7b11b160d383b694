// The comparison: the shapes at hand under every rule, with results or reasons, the elements that equal results are made of,
// and the clauses that say so. It can be filtered by system, and taken away as Markdown or CSV.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useEngine, useModel } from '../context/context';
import { shapeText } from '../text/format';
import { download } from '../page/download';
import { focusNext } from '../page/focus';
import { type Compared, compareRules, type Line, noteOn, rulesText, systemNamed, takersText } from './compared';
import { citedBy, comparisonCsv, comparisonMarkdown } from './comparison-texts';
import { addressOf, guides, referenceOf, type System, systems, titleOfSystem, usedAs } from './references';
import { link, update } from '../store/store';
import '../components/toggles.css';
import './rules-table.css';
import { hueOf } from '../components/chip';
import { capital, Words } from '../components/words';

/** Screens on which the answer lies below the fields. */
const narrow = '(max-width: 860px)';

export function RulesTable() {
  const core = useEngine();
  const model = useModel();
  const { state } = model;
  const compared = useMemo(() => compareRules(core, model), [core, model]);
  const only = systemNamed(state.only);
  const section = useRef<HTMLElement>(null);
  // It was asked for, by a button or a link, and would open out of sight.
  useEffect(() => {
    if (!matchMedia(narrow).matches) return;
    section.current?.scrollIntoView();
    section.current?.querySelector<HTMLElement>('#all-rules-title')?.focus({ preventScroll: true });
  }, []);
  const lines = compared?.lines.filter(({ rule }) => only === null || only in usedAs[rule.name]) ?? [];
  return (
    <section class="all-rules" aria-labelledby="all-rules-title" ref={section}>
      <div class="head">
        <h2 id="all-rules-title" tabIndex={-1}>
          {compared
            ? compared.operands.map(({ name, shape }, i) => (
                <span key={i}>
                  {i > 0 && ' and '}
                  {name} <b class={`mono ${hueOf(name === 'the target' ? -2 : i)}`}>{shape}</b>
                </span>
              ))
            : 'These shapes'}{' '}
          under {rulesText(only)}
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
      {compared ? (
        <>
          <p class="takers" role="status">
            {takersText(lines, only)} {noteOn(compared, lines)}
          </p>
          <div class="tools">
            <fieldset class="systems toggles pills">
              <legend>Rules of</legend>
              {[['', 'all systems'] as const, ...systems].map(([id, title]) => (
                <label key={id}>
                  <input
                    type="radio"
                    name="system"
                    value={id}
                    checked={(only ?? '') === id}
                    onChange={() => update({ ...state, only: id })}
                  />
                  <span class="face">{title}</span>
                </label>
              ))}
            </fieldset>
            <Export compared={compared} lines={lines} only={only} />
          </div>
          <table>
            <thead>
              <tr>
                <th scope="col">rule</th>
                <th scope="col">result, or why there is none</th>
                <th scope="col">clauses</th>
                <th scope="col">
                  <span class="unseen">use it</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {lines.map((line, i) => (
                <Row key={`${line.rule.name} ${i}`} line={line} only={only} />
              ))}
            </tbody>
          </table>
          <Clauses lines={lines} />
          {only && <Differences compared={compared} lines={lines} only={only} />}
        </>
      ) : (
        <p class="note">A shape cannot be read. Once all can, every rule has its line here.</p>
      )}
    </section>
  );
}

function Row({ line, only }: { line: Line; only: System | null }) {
  const { rule, first, asked, option, shape, reason, message, sources, clauses, next, inUse, whole } = line;
  const differences = only ? line.systems.filter((one) => one.systems.includes(only)) : line.systems;
  const used = only && first ? usedAs[rule.name][only] : undefined;
  const title = asked ? `${rule.title}, ${asked}` : rule.title;
  return (
    <tr
      data-rule={rule.name}
      data-ruling={shape ? 'fits' : 'refuses'}
      data-whole={whole}
      data-row={line.row ? '' : undefined}
      class={`${inUse ? 'chosen' : ''} ${first ? 'first' : 'more'}`}
    >
      <th scope="row">
        <span class={first ? '' : 'unseen'}>{rule.title}</span>
        {asked && (
          <span class="aside">
            <span class="unseen">, </span>
            <Words text={first ? asked : option} />
          </span>
        )}
        {used && (
          <span class="aside">
            <Words text={used} />
          </span>
        )}
      </th>
      <td class="answered">
        {shape ? (
          <span class="gives">
            <span class="mark" aria-hidden="true">
              ✓{' '}
            </span>
            <b class="mono">{shapeText(shape)}</b>
          </span>
        ) : (
          <span class="refusal" title={message}>
            <span class="mark" aria-hidden="true">
              ✕{' '}
            </span>
            <Words text={reason} />
          </span>
        )}
        {sources && <span class={sources.same ? 'same' : 'differs'}>{sources.says}</span>}
        {differences.map(({ title: what, message: says }) => (
          <span class="elsewhere-note" key={what}>
            {says || what}
          </span>
        ))}
      </td>
      <td class="cited">
        {clauses.map((name) => (
          <ClauseLink key={name} name={name} />
        ))}
      </td>
      <td>
        {inUse ? (
          <span class="in-use" tabIndex={-1} data-takes-focus>
            in use
          </span>
        ) : (
          next && (
            <button type="button" aria-label={`Use ${title}`} onClick={() => update({ ...next, view: 'rules' })}>
              Use
            </button>
          )
        )}
      </td>
    </tr>
  );
}

/** A clause's name, as a link to its document. */
function ClauseLink({ name }: { name: string }) {
  const clause = useEngine().vocabulary.clauses.get(name);
  if (!clause) return null;
  const { place, address } = referenceOf(clause);
  return (
    <a href={address} rel="noopener" target="_blank" title={`${place}: ${clause.text}`}>
      {name.split(/(?<=[._])/).map((part, i) => (
        <>
          {i > 0 && <wbr />}
          {part}
        </>
      ))}
    </a>
  );
}

/** Each clause that is cited: its place, and what it says in a line. */
function Clauses({ lines }: { lines: readonly Line[] }) {
  const { clauses, documents } = useEngine().vocabulary;
  const cited = citedBy(lines, clauses);
  const titles = [...new Set(cited.map(({ document }) => document))];
  const rules = new Set(lines.map(({ rule }) => rule.name));
  return (
    <div class="clause-list">
      <h3>Clauses cited</h3>
      {titles.map((document) => (
        <div key={document}>
          <p class="from">
            <a href={addressOf(document)} rel="noopener" target="_blank">
              <cite>{documents.get(document)}</cite>
            </a>
          </p>
          <ul>
            {cited
              .filter((clause) => clause.document === document)
              .map((clause) => {
                const { place, address } = referenceOf(clause);
                return (
                  <li key={clause.name}>
                    <code>{clause.name}</code>{' '}
                    <a href={address} rel="noopener" target="_blank">
                      {place}
                    </a>
                    : <Words text={clause.text} />.
                  </li>
                );
              })}
          </ul>
        </div>
      ))}
      {Object.entries(guides).map(
        ([rule, guide]) =>
          rules.has(rule as Line['rule']['name']) && (
            <p class="from" key={rule}>
              See also{' '}
              <a href={guide.address} rel="noopener" target="_blank">
                {guide.title}
              </a>
            </p>
          ),
      )}
    </div>
  );
}

/** Where a system is known to differ: with these shapes, and otherwise. */
function Differences({ compared, lines, only }: { compared: Compared; lines: readonly Line[]; only: System }) {
  const title = titleOfSystem(only);
  const all = compared.differences.filter((one) => one.systems.includes(only));
  const met = new Set(lines.flatMap((line) => line.systems));
  const groups = [...new Set(all.map(({ section }) => section))];
  return (
    <div class="differences">
      <h3>Where {title} is known to differ</h3>
      {all.length === 0 && <p class="note">No difference is known.</p>}
      {groups.map((group) => (
        <div key={group}>
          <p class="from">{group}</p>
          <ul>
            {all
              .filter(({ section, message }) => section === group && message !== '')
              .map((one) => (
                <li key={one.title} class={met.has(one) ? 'met' : ''}>
                  {met.has(one) && <strong>With these shapes: </strong>}
                  <b>{capital(one.title)}.</b> {one.message}
                </li>
              ))}
            {/* Those that depend on the elements. */}
            {all
              .filter(({ section, message }) => section === group && message === '' && group !== all[0]?.section)
              .map(({ title: what }) => (
                <li key={what}>{capital(what)}.</li>
              ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function Export({ compared, lines, only }: { compared: Compared; lines: readonly Line[]; only: System | null }) {
  const { clauses, documents } = useEngine().vocabulary;
  const said = useSignal('');
  const texts = {
    Markdown: () => comparisonMarkdown(compared, lines, only, clauses, documents, link()),
    CSV: () => comparisonCsv(compared, lines, clauses),
  };
  const say = (what: string): void => {
    said.value = what;
    setTimeout(() => (said.value = ''), 2400);
  };
  const copy = (kind: keyof typeof texts): void =>
    void navigator.clipboard.writeText(texts[kind]()).then(
      () => say(`${kind} copied`),
      () => say('The browser refuses to copy: download it.'),
    );
  const save = (kind: keyof typeof texts): void => {
    const [type, name] = kind === 'CSV' ? ['text/csv', 'comparison.csv'] : ['text/markdown', 'comparison.md'];
    download(new Blob([texts[kind]()], { type: `${type};charset=utf-8` }), name);
  };
  return (
    <span class="export" role="group" aria-label="Export the table">
      {(['Markdown', 'CSV'] as const).map((kind) => (
        <>
          <button type="button" class="quiet" key={kind} id={`copy-${kind.toLowerCase()}`} onClick={() => copy(kind)}>
            Copy {kind}
          </button>
          <button
            type="button"
            class="quiet file"
            key={`${kind} file`}
            id={`save-${kind.toLowerCase()}`}
            aria-label={`Download ${kind}`}
            title={`Download ${kind}`}
            onClick={() => save(kind)}
          >
            <span aria-hidden="true">↓</span>
          </button>
        </>
      ))}
      <span class="note" role="status">
        {said.value}
      </span>
    </span>
  );
}
