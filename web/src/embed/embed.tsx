// The page in a frame of a document: the answer and the parts of it that were asked for, without fields.

import { useEffect, useRef } from 'preact/hooks';
import { followHost } from './embed-host';
import { ModelContext, useModel } from '../context/context';
import { targetOperand } from '../engine/engine';
import { fieldText } from '../text/symbolic-text';
import { toFragment } from '../state/state';
import { lazily } from '../components/lazy';
import { isLarge } from '../model/picture';
import { keepsAnswer } from '../model/stage-names';
import { home, model as modelSignal } from '../store/store';
import './embed.css';
import { AlignmentTable } from '../alignment/alignment-table';
import { Chip } from '../components/chip';
import { Grids } from '../grids/grids';
import { EmptyResult, Oversize } from '../grids/no-grids';
import { LinkNotice } from '../notices/link-notice';
import { SymbolicAnswer, SymbolicVerdict } from '../symbolic/parts';
import { Verdict } from '../verdict/verdict';

const ZarrArrays = lazily(() => import('../zarr/arrays').then(({ ZarrArrays }) => ZarrArrays));

const asked = new URLSearchParams(location.search);
/** `?embed` shows alignment and grid, `?embed=alignment` and `?embed=grid` one of them, any other value the verdict alone. */
const part = asked.get('embed') ?? '';
const shows = (name: string): boolean => part === '' || part === name;

/** The theme that the document asks for; it is not stored. */
const ground = asked.get('theme');
document.documentElement.dataset['theme'] = ground === 'light' || ground === 'dark' ? ground : 'auto';

export function Embed() {
  const page = useRef<HTMLElement>(null);
  useEffect(() => (page.current ? followHost(page.current) : undefined), []);
  const model = modelSignal.value;
  if (!model) return null;
  const { alignment, result, failure, empty, oversize, elements } = model;
  const state = model.symbolic ? 'symbolic' : failure ? 'fails' : empty ? 'empty' : oversize ? 'oversize' : 'fits';
  return (
    <ModelContext.Provider value={model}>
      <main
        id="answer"
        class={['embed', shows('grid') && result && isLarge(result) && 'vast', keepsAnswer(model) && 'held']
          .filter(Boolean)
          .join(' ')}
        ref={page}
        data-state={state}
        data-shows={toFragment(model.state)}
      >
        <h1 class="unseen">Broadloom: how these tensors broadcast</h1>
        <LinkNotice />
        {model.operands.some(({ given }) => given?.kind === 'zarr') && <ZarrArrays />}
        <Question />
        <Verdict beyond={SymbolicVerdict} />
        {shows('alignment') && alignment && <AlignmentTable alignment={alignment} />}
        {model.symbolic || model.pending
          ? (shows('alignment') || shows('grid')) && <SymbolicAnswer />
          : shows('grid') && <Grids />}
        {shows('grid') && empty && alignment && <EmptyResult alignment={alignment} />}
        {shows('grid') && oversize && elements !== null && <Oversize elements={elements} />}
      </main>
    </ModelContext.Provider>
  );
}

/** The question, as there are no fields, and a link to the page itself. */
function Question() {
  const { operands, target, rule, state } = useModel();
  return (
    <header class="question">
      <p>
        {operands.map(({ name, values, names, text }, i) => (
          <span key={i} class="given">
            <Chip operand={i}>{name}</Chip> <code>{values ? fieldText(values, names) : text}</code>
          </span>
        ))}
        {rule?.takesTarget && (
          <span class="given">
            <Chip operand={targetOperand}>to</Chip>{' '}
            <code>{target.values ? fieldText(target.values, target.names) : target.text}</code>
          </span>
        )}
        <span class="given soft">
          {state.op} · {rule?.title ?? state.rule}
          {state.axis !== '' && rule?.takesAxis && ` · axis ${state.axis}`}
        </span>
      </p>
      <a id="open" href={`${home()}#${toFragment(state)}`} target="_blank" rel="noopener">
        Open in Broadloom
      </a>
    </header>
  );
}
