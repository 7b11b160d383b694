// The guide: broadcasting in a minute, step by step, in the place of question and answer. Loaded when it is first opened.

import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import '../components/whole-view.css';
import './guide.css';
import { useEngine } from '../context/context';
import { stateOf } from '../gallery/example';
import { focusNext } from '../page/focus';
import { shapeText } from '../text/format';
import { state, update } from '../store/store';
import type { Answered } from './drawing';
import { followKeys } from './guide-keys';
import { decline } from './offer';
import { Picture, useAnswers } from './picture';
import { at, begin, lastStep, pick, picked } from './progress';
import { plainText, Said } from './said';
import { answered, type Choice, lastExample, type Step, steps } from './steps';

/** How long a text is shown while playing, in milliseconds: for each word, and besides. */
const perWord = 260;
const besides = 1500;

/** Whether a guess is right, by the core's answer: its shapes fit, or it is the result's shape. */
const isRight = ({ example, text }: Choice, answer: Answered | null): boolean =>
  answer?.alignment.failure === null && (example !== undefined || text === shapeText(answer.alignment.output));

const close = (): void => update({ ...state.value, view: '' });

function tryOwn(): void {
  focusNext('#operand-0');
  close();
}

export function Guide() {
  useMemo(begin, []);
  useLayoutEffect(decline, []);
  const step = steps[at.value];
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => heading.current?.focus(), []);
  return (
    <main class="guide whole-view" id="answer" data-state="guide" data-step={step?.name}>
      <header class="guide-head">
        <h2 tabIndex={-1} ref={heading}>
          Broadcasting in a minute
        </h2>
        <button type="button" class="quiet" id="leave-guide" title="Esc" onClick={close}>
          {at.value < lastStep ? 'Skip' : 'Close'}
        </button>
      </header>
      {step && <Shown step={step} />}
    </main>
  );
}

function Shown({ step }: { step: Step }) {
  const choices = step.guess?.choices ?? [];
  const [asked, ...answers] = useAnswers([step.example, ...choices.map(({ example }) => example ?? step.example)]);
  const playing = useSignal(false);
  const rights = choices.map((choice, i) => isRight(choice, answers[i] ?? null));
  const chosen = picked.value[at.value] ?? null;
  const choice = chosen === null ? null : (choices[chosen] ?? null);
  const isGuessed = chosen !== null && rights[chosen] === true;
  const waits = rights.includes(true) && !isGuessed;

  const go = (to: number): void => void (at.value = Math.min(lastStep, Math.max(0, to)));
  /** On; where a guess is still to be made, to the answer. */
  const onward = (): void => (waits ? pick(rights.indexOf(true)) : go(at.value + 1));
  const byHand = (move: () => void): void => {
    playing.value = false;
    move();
  };
  const play = (): void => {
    if (!playing.value && at.value === lastStep && !waits) go(0);
    playing.value = !playing.value;
  };

  const feedback =
    choice && chosen !== null ? `${choice.text} is ${rights[chosen] ? 'right' : 'wrong'}. ${choice.says}` : '';
  const said = [step.says, ...(waits && step.guess ? [step.guess.asks] : []), feedback].filter((each) => each !== '');
  const text = plainText(said.join(' '));
  const isOn = playing.value;
  useLayoutEffect(() => {
    // A guess is waited for.
    if (!isOn || waits) return;
    const timer = setTimeout(
      () => {
        if (at.value === lastStep) playing.value = false;
        else go(at.value + 1);
      },
      besides + perWord * text.split(' ').length,
    );
    return () => clearTimeout(timer);
  }, [isOn, waits, text]);
  const doings = useRef({ back: () => {}, onward: () => {}, play: () => {}, choose: (_: number) => {} });
  doings.current = {
    back: () => byHand(() => go(at.value - 1)),
    onward: () => byHand(onward),
    play,
    choose: (i) => i < choices.length && pick(i),
  };
  // Below a long answer the next step would begin out of sight.
  const begins = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => begins.current?.scrollIntoView({ block: 'nearest' }), [step]);
  useLayoutEffect(() => followKeys(() => doings.current), []);

  const of = choice?.example && chosen !== null ? answers[chosen] : asked;
  return (
    <>
      <div class="guide-controls" role="group" aria-label="The steps of the guide">
        <button type="button" id="guide-back" aria-disabled={at.value === 0} onClick={doings.current.back}>
          ‹ Back
        </button>
        <button type="button" id="guide-play" onClick={play}>
          <span aria-hidden="true">{isOn ? '❚❚ ' : '▶ '}</span>
          {isOn ? 'Pause' : 'Play'}
        </button>
        <button
          type="button"
          class="main"
          id="guide-on"
          aria-disabled={at.value === lastStep && !waits}
          onClick={doings.current.onward}
        >
          {waits ? 'Show me' : 'Next ›'}
        </button>
        <span class="note" aria-hidden="true">
          {at.value + 1} of {steps.length}
        </span>
      </div>
      <p class="unseen" role="status">
        {`Step ${at.value + 1} of ${steps.length}. ${step.title}. ${text}`}
      </p>
      <div class="step-text" ref={begins}>
        <h3>{step.title}</h3>
        <p>
          <Said text={step.says} />
        </p>
      </div>
      {of && (
        <Picture key={step.example.shapes[0]} of={of} look={isGuessed || choice?.example ? answered : step.look} />
      )}
      {step.guess && (
        <div class="guess" role="group" aria-label={step.guess.asks}>
          <p class="asks">{step.guess.asks}</p>
          <p class="guess-choices">
            {step.guess.choices.map(({ text: words }, i) => (
              <button
                key={words}
                type="button"
                class={chosen === i ? (rights[i] ? 'right' : 'wrong') : ''}
                aria-pressed={chosen === i}
                onClick={() => pick(i)}
              >
                {chosen === i && <span aria-hidden="true">{rights[i] ? '✓ ' : '✕ '}</span>}
                {words}
              </button>
            ))}
          </p>
          <p class="feedback">{feedback && <Said text={feedback} />}</p>
        </div>
      )}
      {at.value === lastStep && <End known={!waits} />}
    </>
  );
}

/** The ways from the end of the guide; the last example is offered once its answer is known. */
function End({ known }: { known: boolean }) {
  const core = useEngine();
  const { shapes, rule, axis } = lastExample;
  const title = core.vocabulary.rules.find(({ name }) => name === rule)?.title ?? rule;
  return (
    <p class="guide-end">
      <button type="button" class="main" id="try-own" onClick={tryOwn}>
        Try your own shapes
      </button>
      {known && (
        <button type="button" id="open-last" onClick={() => update(stateOf(core, lastExample, state.value))}>
          Open {shapes.join(' + ')} with {title}, axis {axis}
        </button>
      )}
    </p>
  );
}
