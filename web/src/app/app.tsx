import { ModelContext } from '../context/context';
import { opened } from '../gallery/opened';
import { keysOpen } from '../store/keys';
import { toFragment } from '../state/state';
import { isLarge } from '../model/picture';
import { model } from '../store/store';
import { AlignmentTable } from '../alignment/alignment-table';
import { Controls } from '../controls/controls';
import { Header } from './header';
import { lazily } from '../components/lazy';
import { Grids } from '../grids/grids';
import { LinkNotice } from '../notices/notices';
import { OnPaper } from './on-paper';
import { Verdict } from '../verdict/verdict';

const Malformed = lazily(() => import('../grids/no-grids').then(({ Malformed }) => Malformed));
const EmptyResult = lazily(() => import('../grids/no-grids').then(({ EmptyResult }) => EmptyResult));
const Oversize = lazily(() => import('../grids/no-grids').then(({ Oversize }) => Oversize));
const Repairs = lazily(() => import('../rules/rules-more').then(({ Repairs }) => Repairs));
const RulesTable = lazily(() => import('../rules/rules-more').then(({ RulesTable }) => RulesTable));
const Gallery = lazily(() => import('../gallery/gallery').then(({ Gallery }) => Gallery));
const Predict = lazily(() => import('../predict/predict').then(({ Predict }) => Predict));
const KeysList = lazily(() => import('./keys-list').then(({ KeysList }) => KeysList));
const FromGallery = lazily(() => import('../gallery/gallery').then(({ FromGallery }) => FromGallery));
const Code = lazily(() => import('../code/code-panel').then(({ Code }) => Code));

export function App() {
  const now = model.value;
  if (!now) return null;
  const state = now.failure ? 'fails' : now.empty ? 'empty' : now.oversize ? 'oversize' : 'fits';
  return (
    <ModelContext.Provider value={now}>
      <Header />
      <LinkNotice />
      {keysOpen.value && <KeysList />}
      {now.state.view === 'gallery' ? (
        <Gallery />
      ) : now.state.view === 'predict' ? (
        <Predict />
      ) : (
        <div class="columns">
          <Controls />
          <main
            id="answer"
            class={now.result && isLarge(now.result) ? 'vast' : ''}
            data-state={state}
            data-shows={toFragment(now.state)}
          >
            {opened.value && <FromGallery />}
            <OnPaper />
            <Verdict />
            {now.state.view === 'rules' && <RulesTable />}
            {now.alignment && <AlignmentTable alignment={now.alignment} />}
            <Grids />
            {now.failure && (now.alignment ? <Repairs /> : <Malformed />)}
            {now.empty && now.alignment && <EmptyResult alignment={now.alignment} />}
            {now.oversize && now.elements !== null && <Oversize elements={now.elements} />}
            <Code />
          </main>
        </div>
      )}
    </ModelContext.Provider>
  );
}
