import { ModelContext } from '../context/context';
import { opened } from '../gallery/opened';
import { keysOpen } from '../store/keys';
import { toFragment } from '../state/state';
import { isLarge } from '../model/picture';
import { keepsAnswer } from '../model/stage-names';
import { explanations, isUnanswered, linkRead, model } from '../store/store';
import { AlignmentTable } from '../alignment/alignment-table';
import { Controls } from '../controls/controls';
import { GuideOffer } from '../guide/guide-offer';
import { isOffered } from '../guide/offer';
import { Header } from './header';
import { lazily } from '../components/lazy';
import { Grids } from '../grids/grids';
import { dragged } from '../models/follow-drops';
import { openModel, refusal, shownNode } from '../models/opened';
import { OnPaper } from './on-paper';
import { pasted, showsClash } from '../paste/follow-paste';
import { SymbolicAnswer, SymbolicVerdict } from '../symbolic/parts';
import { Verdict } from '../verdict/verdict';

const LinkNotice = lazily(() => import('../notices/link-notice').then(({ LinkNotice }) => LinkNotice));
const Malformed = lazily(() => import('../grids/no-grids').then(({ Malformed }) => Malformed));
const EmptyResult = lazily(() => import('../grids/no-grids').then(({ EmptyResult }) => EmptyResult));
const Oversize = lazily(() => import('../grids/no-grids').then(({ Oversize }) => Oversize));
const Repairs = lazily(async () => {
  await explanations();
  return (await import('../rules/rules-more')).Repairs;
});
const Proposals = lazily(async () => {
  await explanations();
  return (await import('../rules/rules-more')).Proposals;
});
const RulesTable = lazily(async () => {
  await explanations();
  return (await import('../rules/rules-more')).RulesTable;
});
const Guide = lazily(() => import('../guide/guide').then(({ Guide }) => Guide));
const Gallery = lazily(() => import('../gallery/gallery').then(({ Gallery }) => Gallery));
const Predict = lazily(() => import('../predict/predict').then(({ Predict }) => Predict));
const KeysList = lazily(() => import('./keys-list').then(({ KeysList }) => KeysList));
const FromGallery = lazily(() => import('../gallery/gallery').then(({ FromGallery }) => FromGallery));
const PastedNotice = lazily(() => import('../paste/pasted').then(({ PastedNotice }) => PastedNotice));
const Models = lazily(() => import('../models/models-more').then(({ Models }) => Models));
const DropHint = lazily(() => import('../models/drop-hint').then(({ DropHint }) => DropHint));
const FromModel = lazily(() => import('../models/models-more').then(({ FromModel }) => FromModel));
const Refusal = lazily(() => import('../models/models-more').then(({ Refusal }) => Refusal));
const ClashNotice = lazily(() => import('../paste/pasted').then(({ ClashNotice }) => ClashNotice));
const Code = lazily(() => import('../code/code-panel').then(({ Code }) => Code));

export function App() {
  const now = model.value;
  if (!now) return null;
  const state = now.symbolic
    ? 'symbolic'
    : now.failure
      ? 'fails'
      : now.empty
        ? 'empty'
        : now.oversize
          ? 'oversize'
          : 'fits';
  return (
    <ModelContext.Provider value={now}>
      <Header />
      {linkRead.value?.fault && <LinkNotice />}
      {refusal.value !== null && <Refusal />}
      {dragged.value && <DropHint />}
      {keysOpen.value && <KeysList />}
      {now.state.view === 'guide' ? (
        <Guide />
      ) : now.state.view === 'gallery' ? (
        <Gallery />
      ) : now.state.view === 'predict' ? (
        <Predict />
      ) : now.state.view === 'models' ? (
        <Models />
      ) : (
        <div class="columns">
          <Controls />
          <main
            id="answer"
            class={[
              now.result && isLarge(now.result) && 'vast',
              isUnanswered.value && 'unanswered',
              keepsAnswer(now) && 'held',
            ]
              .filter(Boolean)
              .join(' ')}
            data-state={state}
            data-shows={toFragment(now.state)}
          >
            {opened.value && <FromGallery />}
            {openModel.value && shownNode.value && <FromModel />}
            <OnPaper />
            {pasted.value && <PastedNotice />}
            {isUnanswered.value && (
              <p class="from-before" role="note">
                What follows is the question from before: it says nothing about what was pasted.
              </p>
            )}
            <Verdict beyond={SymbolicVerdict} />
            {isOffered.value && <GuideOffer />}
            {now.state.view === 'rules' && !now.symbolic && <RulesTable />}
            {now.alignment && <AlignmentTable alignment={now.alignment} />}
            {now.symbolic || now.pending ? <SymbolicAnswer /> : <Grids />}
            {now.failure && now.rule?.takesTarget && !now.symbolic && !now.pending && <Proposals />}
            {showsClash.value ? (
              <ClashNotice />
            ) : (
              now.failure && !now.symbolic && !now.pending && (now.alignment ? <Repairs /> : <Malformed />)
            )}
            {now.empty && now.alignment && <EmptyResult alignment={now.alignment} />}
            {now.oversize && now.elements !== null && <Oversize elements={now.elements} />}
            {!now.symbolic && !showsClash.value && <Code />}
          </main>
        </div>
      )}
    </ModelContext.Provider>
  );
}
