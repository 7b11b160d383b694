import type { Engine } from '../engine/engine';
import { opened } from '../gallery/opened';
import { keysOpen } from '../store/keys';
import { toFragment } from '../state/state';
import { isLarge } from '../model/picture';
import { model } from '../store/store';
import { AlignmentTable } from './alignment-table';
import { Controls } from './controls';
import { Header } from './header';
import { lazily } from '../parts/lazy';
import { Loom } from './loom';
import { LinkNotice } from './notices';
import { OnPaper } from './on-paper';
import { Verdict } from './verdict';

const Malformed = lazily(() => import('./no-cloth').then((part) => part.Malformed));
const EmptyCloth = lazily(() => import('./no-cloth').then((part) => part.EmptyCloth));
const Oversize = lazily(() => import('./no-cloth').then((part) => part.Oversize));
const Repairs = lazily(() => import('./rules-more').then((part) => part.Repairs));
const RulesTable = lazily(() => import('./rules-more').then((part) => part.RulesTable));
const Gallery = lazily(() => import('./gallery').then((part) => part.Gallery));
const Predict = lazily(() => import('./predict').then((part) => part.Predict));
const KeysList = lazily(() => import('./keys-list').then((part) => part.KeysList));
const FromGallery = lazily(() => import('./gallery').then((part) => part.FromGallery));
const Code = lazily(() => import('./code').then((part) => part.Code));

export function App({ core }: { core: Engine }) {
  const now = model.value;
  if (!now) return null;
  const state = now.failure ? 'fails' : now.empty ? 'empty' : now.oversize ? 'oversize' : 'fits';
  return (
    <>
      <Header />
      <LinkNotice />
      {keysOpen.value && <KeysList />}
      {now.state.view === 'gallery' ? (
        <Gallery core={core} />
      ) : now.state.view === 'predict' ? (
        <Predict core={core} />
      ) : (
        <div class="columns">
          <Controls core={core} model={now} />
          <main
            id="answer"
            class={now.cloth && isLarge(now.cloth) ? 'vast' : ''}
            data-state={state}
            data-shows={toFragment(now.state)}
          >
            {opened.value && <FromGallery core={core} />}
            <OnPaper model={now} />
            <Verdict core={core} model={now} />
            {now.state.view === 'rules' && <RulesTable core={core} model={now} />}
            {now.alignment && <AlignmentTable core={core} alignment={now.alignment} model={now} />}
            <Loom model={now} />
            {now.failure && (now.alignment ? <Repairs core={core} model={now} /> : <Malformed model={now} />)}
            {now.empty && now.alignment && <EmptyCloth alignment={now.alignment} />}
            {now.oversize && now.elements !== null && <Oversize elements={now.elements} />}
            <Code core={core} model={now} />
          </main>
        </div>
      )}
    </>
  );
}
