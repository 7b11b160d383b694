// Predict: a question without its answer. The learner says what the result is, or what clashes; then the core says why.

import { useSignal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import '../components/whole-view.css';
import './predict.css';
import { useEngine } from '../context/context';
import { targetOperand } from '../engine/engine';
import { focusNext } from '../page/focus';
import { shapeText } from '../text/format';
import { stateOf } from '../gallery/example';
import { faultsIn, placingField } from './field-faults';
import { asksEntry, asksOperand, asksRank, judge, type Judgement, type Prediction } from './judge';
import { drawQuestion, exampleOf, levelAt, levels, type Question } from './questions';
import { after, perLevel, session } from './session';
import { state, update } from '../store/store';
import { Chip, hueOf } from '../components/chip';
import { AxesTable } from './axes-table';
import { capital, Words } from '../components/words';

const mostSeeds = 1e9;
const someSeed = (): number => 1 + Math.floor(Math.random() * mostSeeds);

export function Predict() {
  const core = useEngine();
  const { level, seed } = state.value;
  const asked = level > 0 && seed > 0;
  // Opened without a question: the learner goes on at the level of the last one.
  useEffect(() => {
    if (!asked) update({ ...state.value, level: level || session.value.level, seed: seed || someSeed() });
  }, [asked, level, seed]);
  const question = useMemo(() => (asked ? drawQuestion(core, level, seed) : null), [core, asked, level, seed]);
  return (
    <main
      class="predict whole-view"
      id="answer"
      data-state="predict"
      data-level={question?.level}
      data-seed={question?.seed}
    >
      <Heading level={levelAt(level)} />
      {question && <Asking key={`${question.level} ${question.seed}`} question={question} />}
    </main>
  );
}

const go = (level: number): void => update({ ...state.value, level, seed: (state.value.seed % mostSeeds) + 1 });

function Heading({ level }: { level: number }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), []);
  const { streak, best } = session.value;
  return (
    <>
      <header class="heading">
        <h2 tabIndex={-1} ref={heading}>
          What comes out?
        </h2>
        <label class="level">
          Level{' '}
          <select id="level" value={level} onChange={({ currentTarget }) => go(Number(currentTarget.value))}>
            {levels.map(({ title }, i) => (
              <option key={title} value={i + 1}>
                {i + 1}. {title}
              </option>
            ))}
          </select>
        </label>
        <p class="streak" id="streak">
          <b>{streak}</b> in a row{best > streak && <span class="note"> · best {best}</span>}
        </p>
      </header>
      <p class="note">
        {levels[level - 1]?.says}
        {level < levels.length && ` Right ${perLevel} times in a row, and the next level begins.`}
      </p>
    </>
  );
}

function Asking({ question }: { question: Question }) {
  const core = useEngine();
  const { alignment, level } = question;
  const hints = useSignal(0);
  const said = useSignal<{ readonly prediction: Prediction; readonly judgement: Judgement } | null>(null);
  const raised = useSignal(false);
  const rank = alignment.axes.length;
  const say = (prediction: Prediction): void => {
    const judgement = judge(core, question, prediction);
    const next = after(session.value, level, judgement.right, hints.value > 0);
    raised.value = next.level > level;
    session.value = next;
    said.value = { prediction, judgement };
  };
  return (
    <>
      <section class="asked" aria-labelledby="asked-title">
        <h3 class="unseen" id="asked-title">
          The question
        </h3>
        <Operands question={question} />
      </section>
      {said.value ? (
        <Feedback question={question} said={said.value} raised={raised.value} />
      ) : (
        <Answering question={question} onSay={say} onHint={hints.value < rank ? () => ++hints.value : null} />
      )}
      <div class="shown" aria-live="polite">
        {hints.value > 0 && !said.value && (
          <p class="note">
            {hints.value === rank
              ? 'All axes are shown.'
              : `The last ${hints.value === 1 ? 'axis' : `${hints.value} axes`} first.`}{' '}
            With hints a right answer is not counted.
          </p>
        )}
        {(hints.value > 0 || said.value) && (
          <AxesTable question={question} shown={said.value ? rank : hints.value} said={said.value} />
        )}
      </div>
    </>
  );
}

/** The operands in large type, and the rule with its description. */
function Operands({ question }: { question: Question }) {
  const core = useEngine();
  const { shapes, targetShape, axesMapping, axis, entry } = question;
  return (
    <>
      <p class="operands">
        {shapes.map((shape, i) => (
          <span key={i} class={hueOf(i)}>
            <Chip operand={i}>{core.operandName(i)}</Chip> <b>{shapeText(shape)}</b>
          </span>
        ))}
        {targetShape && (
          <span class="hue-target">
            <Chip operand={targetOperand}>to</Chip> <b>{shapeText(targetShape)}</b>
          </span>
        )}
      </p>
      <p class="by">
        under the rule <b>{entry.title}</b>
        {axis !== undefined && (
          <>
            {' with '}
            <code>axis {axis}</code>
          </>
        )}
        {axesMapping && (
          <>
            {' with '}
            <code>axes_mapping [{axesMapping.join(', ')}]</code>
          </>
        )}
        <span class="note">
          : <Words text={entry.doc} />
        </span>
      </p>
    </>
  );
}

interface AnsweringProps {
  question: Question;
  onSay: (prediction: Prediction) => void;
  onHint: (() => void) | null;
}

function Answering({ question, onSay, onHint }: AnsweringProps) {
  const core = useEngine();
  const fits = useSignal(true);
  const text = useSignal('');
  /** The axis that clashes; null for "too many axes"; a text for a fault of the field. */
  const cause = useSignal<number | string | null | undefined>(undefined);
  const operand = useSignal<number | null>(null);
  const entry = useSignal<number | null>(null);
  const lacks = useSignal('');
  const typed = useRef<HTMLInputElement>(null);
  const { alignment, shapes, targetShape, axesMapping = [] } = question;
  // The focus goes to the field of the new question.
  useEffect(() => {
    if (document.activeElement === document.body) typed.current?.focus();
  }, []);
  const operands = [...shapes.keys(), ...(targetShape ? [targetOperand] : [])];
  const field = levels[question.level - 1]?.fields ? placingField(question.entry) : null;
  const named = typeof cause.value === 'number' && asksOperand(question);
  const counted = typeof cause.value === 'string' && asksEntry(question, cause.value);

  const check = (event: Event): void => {
    event.preventDefault();
    if (fits.value) {
      const read = core.parseNumbers(text.value, 0);
      if (read.ok) onSay({ kind: 'shape', shape: read.value.values });
      else {
        lacks.value = read.failure.message;
        typed.current?.focus();
      }
    } else if (cause.value === undefined)
      lacks.value = field ? 'Choose what is at fault.' : 'Choose the axis that clashes.';
    else if (named && operand.value === null) lacks.value = 'Choose the operand at fault.';
    else if (counted && entry.value === null) lacks.value = 'Choose the entry at fault.';
    else if (typeof cause.value === 'string') onSay({ kind: 'field', detail: cause.value, entry: entry.value });
    else onSay({ kind: 'clash', axis: cause.value, operand: operand.value });
  };
  const choose = (value: boolean): void => {
    fits.value = value;
    lacks.value = '';
  };

  return (
    <form class="answering" onSubmit={check} noValidate>
      <fieldset class="either-way">
        <legend class="unseen">Your prediction</legend>
        <div class="way">
          <label class="pick">
            <input type="radio" name="way" value="fits" checked={fits.value} onChange={() => choose(true)} />
            <span>It fits, and gives</span>
          </label>
          <input
            type="text"
            id="prediction"
            ref={typed}
            aria-label="Shape of the result"
            aria-invalid={fits.value && lacks.value !== ''}
            aria-describedby="prediction-lacks"
            placeholder="(2, 3)"
            autocomplete="off"
            spellcheck={false}
            data-own-undo
            value={text.value}
            onFocus={() => {
              if (!fits.value) choose(true);
            }}
            onInput={({ currentTarget }) => {
              text.value = currentTarget.value;
              choose(true);
            }}
          />
        </div>
        <div class="way">
          <label class="pick">
            <input type="radio" name="way" value="clashes" checked={!fits.value} onChange={() => choose(false)} />
            <span>It does not fit</span>
          </label>
          {!fits.value && (
            <div class="where">
              <Choice
                name="axis"
                legend="because of"
                chosen={cause.value}
                choices={[
                  ...alignment.axes.map(({ axis }) => [axis, `axis ${axis}`] as const),
                  ...(asksRank(question) ? [[null, 'too many axes'] as const] : []),
                  ...Object.entries((field && faultsIn(field)) ?? {}),
                ]}
                onChoose={(chosen) => {
                  cause.value = chosen;
                  entry.value = null;
                  lacks.value = '';
                }}
              />
              {counted && (
                <Choice
                  name="entry"
                  legend="entry at fault"
                  chosen={entry.value ?? undefined}
                  choices={axesMapping.map((_, at) => [at, String(at)] as const)}
                  onChoose={(at) => {
                    entry.value = at;
                    lacks.value = '';
                  }}
                />
              )}
              {named && (
                <Choice
                  name="operand"
                  legend="operand at fault"
                  chosen={operand.value ?? undefined}
                  choices={operands.map((which) => [which, core.operandName(which)] as const)}
                  onChoose={(which) => {
                    operand.value = which;
                    lacks.value = '';
                  }}
                />
              )}
            </div>
          )}
        </div>
      </fieldset>
      <p class="message" id="prediction-lacks" role="status">
        {lacks.value}
      </p>
      <p class="doings">
        <button type="submit" class="main" id="check">
          Check
        </button>
        <button type="button" id="hint" aria-disabled={onHint === null} onClick={() => onHint?.()}>
          Hint: show one axis
        </button>
        <button type="button" id="skip" onClick={() => go(question.level)}>
          Another one
        </button>
      </p>
    </form>
  );
}

interface ChoiceProps<T> {
  name: string;
  legend: string;
  /** Undefined until one is chosen. */
  chosen: T | undefined;
  choices: readonly (readonly [value: T, words: string])[];
  onChoose: (value: T) => void;
}

function Choice<T extends number | string | null>({ name, legend, chosen, choices, onChoose }: ChoiceProps<T>) {
  return (
    <fieldset class="choice">
      <legend class="unseen">{legend}</legend>
      <span aria-hidden="true">{legend}</span>
      {choices.map(([value, words]) => (
        <label key={words}>
          <input
            type="radio"
            name={name}
            value={String(value)}
            checked={chosen === value}
            onChange={() => onChoose(value)}
          />
          <span class="face">{words}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface FeedbackProps {
  question: Question;
  said: { readonly prediction: Prediction; readonly judgement: Judgement };
  raised: boolean;
}

function Feedback({ question, said: { judgement }, raised }: FeedbackProps) {
  const core = useEngine();
  const next = useRef<HTMLButtonElement>(null);
  useEffect(() => next.current?.focus({ preventScroll: true }), []);
  const { alignment, level } = question;
  const { right, mistake } = judgement;
  const to = session.value.level;
  return (
    <section class="told-why" aria-labelledby="told-title">
      <div role="status" id="told">
        <h3 id="told-title" class={`badge ${right ? 'fits' : 'fails'}`}>
          <span aria-hidden="true">{right ? '✓ ' : '✕ '}</span>
          {right ? 'Correct' : 'Not quite'}
        </h3>
        {mistake && (
          <p class="mistake">
            <Words text={mistake} />
          </p>
        )}
        <p class="answer-is">
          {alignment.failure ? (
            'It does not fit. '
          ) : (
            <>
              It gives <b class="mono">{shapeText(alignment.output)}</b>.{' '}
            </>
          )}
          <Words text={capital(alignment.verdict)} />
        </p>
        {raised && (
          <p class="raised">
            {perLevel} in a row: on to level {to}. <span class="note">{levels[to - 1]?.says}</span>
          </p>
        )}
      </div>
      <p class="doings">
        <button
          type="button"
          class="main"
          id="next"
          aria-describedby="told"
          ref={next}
          onClick={() => {
            focusNext('#prediction');
            go(raised ? to : level);
          }}
        >
          Next
        </button>
        <button
          type="button"
          id="open-question"
          onClick={() => update(stateOf(core, exampleOf(question), state.value))}
        >
          Open on the page
        </button>
      </p>
    </section>
  );
}
