// The verdict: the result's shape in large type, whether the shapes fit, and why. A failure takes the same places: the clash
// stands where the shape would.

import type { FunctionComponent } from 'preact';
import { useRef } from 'preact/hooks';
import './verdict.css';
import { useEngine, useModel } from '../context/context';
import { type Alignment, type Conflict, type Engine, type Extent, targetOperand } from '../engine/engine';
import { bytesText, countText, timesText } from '../text/format';
import { fieldText } from '../text/symbolic-text';
import { nameAlong, resultNames, shortName } from '../model/axis-names';
import { blowsUp, type Model } from '../model/model';
import { lazily } from '../components/lazy';
import { BlowUp } from './blow-up';
import { keepsAnswer } from '../model/stage-names';
import { focusNext } from '../page/focus';
import { expects, firstState } from '../state/state';
import { explains, explanations, update } from '../store/store';
import { doubtsOf } from './doubts';
import { sentences, Words } from '../components/words';

export const Warnings = lazily(async () => {
  await explanations();
  return (await import('./warnings')).Warnings;
});

const nameIn = (model: Model, operand: number): string =>
  operand === targetOperand ? 'the target' : (model.operands[operand]?.name ?? '');

function conflictText(model: Model, conflict: Conflict): string {
  const { axis, operand, otherOperand, operandAxis, otherAxis, extent, otherExtent } = conflict;
  const along = model.alignment?.axes[axis];
  const name = along ? shortName(nameAlong(along, model.operands), 24) : '';
  const has = (which: number, own: number, what: Extent): string =>
    `${nameIn(model, which)} has ${own < 0 ? 'no such axis' : what}`;
  return `Axis ${axis}${name && ` (${name})`}: ${has(otherOperand, otherAxis, otherExtent)}, ${has(operand, operandAxis, extent)}`;
}

/** Adds to the headline which axes of the operands clash, and what the rule asks for. */
function conflictReason(core: Engine, model: Model, conflict: Conflict): string {
  const { axis, operand, otherOperand, operandAxis, otherAxis, clause } = conflict;
  const own = [
    { who: otherOperand, where: otherAxis },
    { who: operand, where: operandAxis },
  ]
    .filter(({ where }) => where >= 0 && where !== axis)
    .map(({ who, where }) => {
      const name = model.operands[who]?.names?.[where];
      return `axis ${where}${name ? ` (${shortName(name, 24)})` : ''} of ${nameIn(model, who)}`;
    });
  const place = own.length > 0 ? `Axis ${axis} of the result is ${own.join(' and ')}. ` : '';
  const says = core.vocabulary.clauses.get(clause)?.text;
  return says ? `${place}${model.rule?.title ?? ''}: ${says}.` : place;
}

/** Says which field cannot be read; an empty text if all can. */
function unreadable(model: Model): string {
  const operand = model.operands.find(({ failure }) => failure !== null);
  const shape = operand ?? (model.target.failure ? model.target : null);
  const name = operand?.name ?? 'The target';
  // The message about a limit of the page is complete by itself.
  if (model.failure?.class === 'limit') return '';
  if (shape) return shape.failure?.class === 'parse' ? `${name} cannot be read` : `${name} is not a shape`;
  const unfit = model.operands.find(({ given }) => given?.failure === model.failure);
  if (unfit?.given?.failure) return `The values of ${unfit.name} do not fit`;
  if (model.mapping.failure) return 'axes_mapping cannot be read';
  if (model.axis.failure) return 'axis cannot be read';
  return '';
}

function Failed() {
  const core = useEngine();
  const model = useModel();
  const { failure, alignment } = model;
  if (!failure) return null;
  const conflicts = alignment?.conflicts ?? [];
  const first = conflicts[0];
  const clashes = failure.class === 'incompatible' && first;
  const unread = unreadable(model);
  const [said, rest] = sentences(failure.message);
  const headline = clashes ? conflictText(model, first) : unread || said.replace(/\.$/, '');
  const because = clashes ? conflictReason(core, model, first) : unread ? failure.message : rest;
  const more = clashes ? new Set(conflicts.map(({ axis }) => axis)).size - 1 : 0;
  return (
    <>
      <p class="headline">
        <span class={`outcome ${headline.length > 40 ? 'long' : ''}`}>
          <Words text={headline} />
        </span>
        <span class="badge fails">
          <span aria-hidden="true">✕ </span>
          {clashes ? 'does not fit' : 'not possible'}
        </span>
      </p>
      <p class="because">
        <Words text={because} />
        {more > 0 && ` ${more === 1 ? 'One more axis clashes' : `${more} more axes clash`}.`}{' '}
        <span class="note" title="The package and the command report the error under this code">
          error code{' '}
          <span class="code">
            {failure.class}
            {failure.detail && ` · ${failure.detail}`}
          </span>
        </span>
      </p>
    </>
  );
}

/** Warnings are known once the explanations are loaded; that of a large result at once. */
function Fits() {
  const model = useModel();
  const { state } = model;
  const doubtful = blowsUp(model)
    ? !expects(state, 'large_result')
    : explains.value && doubtsOf(model).some(({ kind }) => !expects(state, kind));
  return doubtful ? (
    <span class="badge check-it">
      <span aria-hidden="true">⚠ </span>fits, but check
    </span>
  ) : (
    <span class="badge fits">
      <span aria-hidden="true">✓ </span>fits
    </span>
  );
}

/** In the answer's place while the steps lead to it. */
function KeptAnswer() {
  const { state } = useModel();
  const show = (): void => {
    focusNext('#verdict');
    update({ ...state, step: '' });
  };
  return (
    <p class="headline kept-answer">
      <span class="outcome" aria-hidden="true">
        ?
      </span>
      <span class="size">The answer comes last.</span>
      <button type="button" class="quiet" id="show-answer" onClick={show}>
        Show it
      </button>
    </p>
  );
}

/** @param beyond The verdict on shapes with unknown extents, which is loaded with the first of them. */
export function Verdict({ beyond: Beyond }: { beyond: FunctionComponent }) {
  const model = useModel();
  const { state, failure, alignment, elements, bytes, bytesIn, operands, resultType } = model;
  // The type is named if it is not an operand's: after promotion, and of comparisons.
  const { symbolic, pending } = model;
  const written = alignment ? fieldText(alignment.output, resultNames(alignment, operands)) : '';
  const turned = operands.some(({ dtype }) => dtype !== resultType);
  // The sentences about the steps are announced, and not the answer once more.
  const kept = keepsAnswer(model);
  const stepped = useRef<Alignment | null>(null);
  if (kept) stepped.current = alignment;
  const silent = stepped.current === alignment && alignment !== null;
  return (
    <section
      class="verdict"
      id="verdict"
      tabIndex={-1}
      data-takes-focus
      aria-label="Result"
      data-fits={symbolic ? symbolic.fit : failure ? 'no' : 'yes'}
      data-error-class={symbolic ? '' : (failure?.class ?? '')}
      data-error-detail={failure?.detail ?? ''}
      data-doubts={pending || (!failure && alignment && state !== firstState && !explains.value) ? 'pending' : 'known'}
      data-shape={!failure && alignment ? alignment.output.join(',') : ''}
    >
      {kept && <KeptAnswer />}
      <div class="answer" role={silent ? undefined : 'status'} aria-live={silent ? 'off' : 'polite'}>
        {symbolic || pending ? (
          <Beyond />
        ) : failure || !alignment ? (
          <Failed />
        ) : (
          <>
            <p class="headline">
              <span class={written.length > 30 ? 'outcome long' : 'outcome'} id="result-shape">
                {written}
              </span>
              <Fits />
              {elements !== null && bytes !== null && (
                <span class="size">
                  {countText(elements)} {elements === 1n ? 'element' : 'elements'}
                  {turned && ` of ${resultType}`} · {bytesText(bytes)}
                  {bytesIn ? `, ${timesText(bytes, bytesIn)} × the operands’ ${bytesText(bytesIn)}` : ''}
                </span>
              )}
            </p>
            <p class={`because ${alignment.verdict.length > 240 ? 'much' : ''}`}>{alignment.verdict}</p>
            {blowsUp(model) && <BlowUp alignment={alignment} />}
            {/* On a first visit only the answer's parts are loaded. */}
            {state !== firstState && <Warnings />}
          </>
        )}
      </div>
    </section>
  );
}
