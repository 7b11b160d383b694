// The gallery: examples as cards. A press on one opens it on the page.

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useEngine } from '../context/context';
import './gallery.css';
import type { Alignment, Engine } from '../engine/engine';
import { focusNext } from '../page/focus';
import { shapeText } from '../text/format';
import { type Example, stateOf } from './example';
import { alignmentOf, type Section, sectionsOf } from './examples';
import { close, lastOpened, open, opened } from './opened';
import { firstState } from '../state/state';
import { state, update } from '../store/store';
import { hueOf } from '../components/chip';
import { Miniature } from './miniature';

interface Entry {
  readonly example: Example;
  readonly alignment: Alignment | null;
  readonly fits: boolean;
}

const outcomes = [
  ['', 'all'],
  ['fits', 'fits'],
  ['fails', 'does not fit'],
] as const;

/** The filter that the link gives; unknown items are ignored. */
function asked(core: Engine): { readonly rule: string; readonly outcome: string } {
  const items = state.value.only.split(',');
  return {
    rule: core.vocabulary.rules.find(({ name }) => items.includes(name))?.name ?? '',
    outcome: outcomes.find(([name]) => name && items.includes(name))?.[0] ?? '',
  };
}

const ask = (rule: string, outcome: string): void =>
  update({ ...state.value, only: [rule, outcome].filter((item) => item !== '').join(',') });

/** All examples with the core's answers, which are asked for once. */
let known: ReadonlyMap<Section, readonly Entry[]> | null = null;
function entries(core: Engine): ReadonlyMap<Section, readonly Entry[]> {
  known ??= new Map(
    sectionsOf(core).map((section) => [
      section,
      section.examples.map((example) => {
        const alignment = alignmentOf(core, example);
        return { example, alignment, fits: alignment?.failure === null };
      }),
    ]),
  );
  return known;
}

function show(core: Engine, example: Example): void {
  focusNext('.from-gallery');
  open(example.id, stateOf(core, example, state.value));
}

export function Gallery() {
  const core = useEngine();
  const sections = useMemo(() => entries(core), [core]);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const card = document.getElementById(`example-${lastOpened()}`);
    if (card) card.focus();
    else heading.current?.focus({ preventScroll: true });
  }, []);
  const { rule, outcome } = asked(core);
  const seen = ({ example, fits }: Entry): boolean =>
    (rule === '' || example.rule === rule) && (outcome === '' || (outcome === 'fits') === fits);
  const all = [...sections.values()].flat();
  const shown = all.filter(seen).length;
  return (
    <main class="gallery" id="answer" data-state="gallery">
      <div class="shelf">
        <h2 tabIndex={-1} ref={heading}>
          Gallery
        </h2>
        <p class="note">Pick one: it opens on the page, where everything about it can be changed.</p>
        <form class="filters" onSubmit={(event) => event.preventDefault()} aria-label="Filter the gallery">
          <label>
            Rule{' '}
            <select id="by-rule" value={rule} onChange={({ currentTarget }) => ask(currentTarget.value, outcome)}>
              <option value="">all rules</option>
              {core.vocabulary.rules.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <fieldset class="either">
            <legend class="unseen">Outcome</legend>
            {outcomes.map(([value, words]) => (
              <label key={value}>
                <input
                  type="radio"
                  name="outcome"
                  value={value}
                  checked={outcome === value}
                  onChange={() => ask(rule, value)}
                />
                <span class="face">{words}</span>
              </label>
            ))}
          </fieldset>
          <span class="note" role="status">
            {shown === all.length ? `${shown} examples` : `${shown} of ${all.length} examples`}
          </span>
        </form>
      </div>
      {[...sections].map(([section, cards]) => {
        const left = cards.filter(seen);
        return (
          left.length > 0 && (
            <section key={section.id} class="shelf" aria-labelledby={`shelf-${section.id}`}>
              <h3 id={`shelf-${section.id}`}>{section.title}</h3>
              <p class="note">{section.says}</p>
              <ul class="cards">
                {left.map((card) => (
                  <li key={card.example.id}>
                    <Card card={card} />
                  </li>
                ))}
              </ul>
            </section>
          )
        );
      })}
      {shown === 0 && <p class="shelf note">No example of this rule has that outcome.</p>}
    </main>
  );
}

function Card({ card: { example, alignment, fits } }: { card: Entry }) {
  const core = useEngine();
  const { id, title, look, op, values } = example;
  const shaded = useMemo(() => (op && values ? stateOf(core, example, firstState) : null), [core, example, op, values]);
  return (
    <button type="button" class="card" id={`example-${id}`} onClick={() => show(core, example)}>
      {alignment && <Miniature alignment={alignment} shaded={shaded} low={!title} />}
      <span class="told">
        {title && <b class="title">{title}</b>}
        <Formula example={example} />
        <span class="look">{look}</span>
        <span class={`badge ${fits ? 'fits' : 'fails'}`}>
          <span aria-hidden="true">{fits ? '✓ ' : '✕ '}</span>
          {fits && alignment ? `fits: ${shapeText(alignment.output)}` : 'does not fit'}
        </span>
      </span>
    </button>
  );
}

/** `(4, 1) with (6,)` in the operands' colours, and the rule. */
function Formula({ example }: { example: Example }) {
  const core = useEngine();
  const { shapes, target, mapping, axis, rule: name } = example;
  const title = core.vocabulary.rules.find((entry) => entry.name === name)?.title ?? name;
  return (
    <span class="formula">
      {shapes.map((shape, i) => (
        <>
          {i > 0 && ' with '}
          <b class={hueOf(i)}>{shape}</b>
        </>
      ))}
      {target !== undefined && (
        <>
          {' to '}
          <b class="hue-target">{target}</b>
        </>
      )}
      {mapping !== undefined && `, axes_mapping ${mapping}`}
      {axis !== undefined && `, axis ${axis}`}
      <i>{title}</i>
    </span>
  );
}

/** Above the answer, while an example is on the page: what to look at, and buttons to go on. */
export function FromGallery() {
  const core = useEngine();
  const all = [...entries(core).values()].flat();
  const at = all.findIndex(({ example }) => example.id === opened.value);
  const note = useRef<HTMLElement>(null);
  // The card that was pressed is gone: the focus moves here.
  useEffect(() => {
    if (document.activeElement === document.body) note.current?.focus({ preventScroll: true });
  }, [at]);
  const here = all[at];
  if (!here) return null;
  const next = all[(at + 1) % all.length];
  return (
    <aside class="from-gallery" aria-label="From the gallery" tabIndex={-1} ref={note}>
      <p>
        {here.example.title && <b>{here.example.title}. </b>}
        {here.example.look}
      </p>
      <span class="ways">
        {next && (
          <button type="button" class="quiet" id="next-example" onClick={() => show(core, next.example)}>
            Next
          </button>
        )}
        <button type="button" class="quiet" onClick={() => update({ ...state.value, view: 'gallery' })}>
          All
        </button>
        <button type="button" class="quiet" aria-label="Close this note" onClick={close}>
          <span aria-hidden="true">×</span>
        </button>
      </span>
    </aside>
  );
}
