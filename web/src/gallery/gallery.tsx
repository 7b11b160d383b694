// The gallery: examples as cards. A press on one opens it on the page.

import { useEffect, useMemo, useRef } from 'preact/hooks';
import { useEngine } from '../context/context';
import '../components/toggles.css';
import '../components/strip.css';
import '../components/whole-view.css';
import './gallery.css';
import type { Alignment, Engine } from '../engine/engine';
import { focusNext } from '../page/focus';
import { shapeText } from '../text/format';
import { type Example, stateOf } from './example';
import { alignmentOf, fitsButWrong, hasWords, type Section, sectionsOf, tagsOf } from './examples';
import { close, lastOpened, open, opened } from './opened';
import { firstState } from '../state/state';
import { state, update } from '../store/store';
import { hueOf } from '../components/chip';
import { sentences } from '../components/words';
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

interface Filter {
  readonly rule: string;
  readonly outcome: string;
  readonly tags: readonly string[];
  readonly words: string;
}

/** The longest text that is searched for. */
const longestSearch = 80;
const [tagged, finds] = ['tag:', 'find:'];

/** The filter that the link gives; unknown items are ignored. */
function asked(core: Engine, all: readonly Entry[]): Filter {
  const items = state.value.only.split(',');
  const after = (mark: string): readonly string[] =>
    items.flatMap((item) => (item.startsWith(mark) ? [item.slice(mark.length)] : []));
  const known = new Set(all.flatMap(({ example }) => tagsOf(example)));
  return {
    rule: core.vocabulary.rules.find(({ name }) => items.includes(name))?.name ?? '',
    outcome: outcomes.find(([name]) => name && items.includes(name))?.[0] ?? '',
    tags: [...known].filter((tag) => after(tagged).includes(tag)),
    words: (after(finds)[0] ?? '').replaceAll(';', ',').slice(0, longestSearch),
  };
}

function ask({ rule, outcome, tags, words }: Filter): void {
  // Commas separate the items of the link; between the extents of a shape they are put back.
  const items = [rule, outcome, ...tags.map((tag) => tagged + tag), words && finds + words.replaceAll(',', ';')];
  update({ ...state.value, only: items.filter((item) => item !== '').join(',') });
}

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

/** The tags of several examples, the most frequent first. */
function tagCounts(all: readonly Entry[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const { example } of all) for (const tag of tagsOf(example)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].filter(([, count]) => count > 1).sort(([, a], [, b]) => b - a);
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
  const all = useMemo(() => [...sections.values()].flat(), [sections]);
  const filter = asked(core, all);
  const { rule, outcome, tags, words } = filter;
  const seen = ({ example, fits }: Entry): boolean =>
    (rule === '' || example.rule === rule) &&
    (outcome === '' || (outcome === 'fits') === fits) &&
    tags.every((tag) => tagsOf(example).includes(tag)) &&
    hasWords(core, example, words);
  const shown = all.filter(seen).length;
  return (
    <main class="gallery whole-view" id="answer" data-state="gallery">
      <div class="shelf">
        <h2 tabIndex={-1} ref={heading}>
          Gallery
        </h2>
        <p class="note">Pick one: it opens on the page, where everything about it can be changed.</p>
        <form class="filters" onSubmit={(event) => event.preventDefault()} aria-label="Filter the gallery">
          <label>
            <span class="unseen">Search</span>
            <input
              type="search"
              id="search-gallery"
              placeholder="Search: mask, (8, 64)"
              value={words}
              maxLength={longestSearch}
              onInput={({ currentTarget }) => ask({ ...filter, words: currentTarget.value })}
            />
          </label>
          <label>
            Rule{' '}
            <select
              id="by-rule"
              value={rule}
              onChange={({ currentTarget }) => ask({ ...filter, rule: currentTarget.value })}
            >
              <option value="">all rules</option>
              {core.vocabulary.rules.map(({ name, title }) => (
                <option key={name} value={name}>
                  {title}
                </option>
              ))}
            </select>
          </label>
          <fieldset class="toggles either">
            <legend class="unseen">Outcome</legend>
            {outcomes.map(([value, words]) => (
              <label key={value}>
                <input
                  type="radio"
                  name="outcome"
                  value={value}
                  checked={outcome === value}
                  onChange={() => ask({ ...filter, outcome: value })}
                />
                <span class="face">{words}</span>
              </label>
            ))}
          </fieldset>
          <span class="note" role="status">
            {shown === all.length ? `${shown} examples` : `${shown} of ${all.length} examples`}
          </span>
          <fieldset class="tags toggles pills">
            <legend class="unseen">Tags</legend>
            {tagCounts(all).map(([tag]) => (
              <label key={tag}>
                <input
                  type="checkbox"
                  value={tag}
                  checked={tags.includes(tag)}
                  onChange={({ currentTarget: { checked } }) =>
                    ask({ ...filter, tags: checked ? [...tags, tag] : tags.filter((other) => other !== tag) })
                  }
                />
                <span class="face">{tag}</span>
              </label>
            ))}
          </fieldset>
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
      {shown === 0 && (
        <p class="shelf note">
          No example is like that.{' '}
          <button
            type="button"
            class="quiet"
            id="all-examples"
            onClick={() => {
              focusNext('#search-gallery');
              ask({ rule: '', outcome: '', tags: [], words: '' });
            }}
          >
            Show all
          </button>
        </p>
      )}
    </main>
  );
}

function Card({ card }: { card: Entry }) {
  const { example, alignment } = card;
  const core = useEngine();
  const { id, title, look, op, values } = example;
  const shaded = useMemo(() => (op && values ? stateOf(core, example, firstState) : null), [core, example, op, values]);
  return (
    <button type="button" class="card" id={`example-${id}`} onClick={() => show(core, example)}>
      {alignment && <Miniature alignment={alignment} shaded={shaded} low={!title} />}
      <span class="told">
        {title && <b class="title">{title}</b>}
        <Formula example={example} />
        <span class="look">{sentences(look)[0]}</span>
        <Outcome card={card} />
      </span>
    </button>
  );
}

function Outcome({ card: { example, alignment, fits } }: { card: Entry }) {
  if (!fits || !alignment) {
    return (
      <span class="badge fails">
        <span aria-hidden="true">✕ </span>does not fit
      </span>
    );
  }
  const wrong = tagsOf(example).includes(fitsButWrong);
  return (
    <span class={`badge ${wrong ? 'check-it' : 'fits'}`}>
      <span aria-hidden="true">{wrong ? '⚠ ' : '✓ '}</span>
      {wrong ? fitsButWrong : 'fits'}: {shapeText(alignment.output)}
    </span>
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
    <aside class="strip from-gallery" aria-label="From the gallery" tabIndex={-1} ref={note}>
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
