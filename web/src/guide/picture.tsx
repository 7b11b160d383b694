// The picture of a step: the alignment and the cells, side by side, with a text in their place for screen readers.

import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { useEngine } from '../context/context';
import type { Engine } from '../engine/engine';
import { type Example, stateOf } from '../gallery/example';
import { compute } from '../model/model';
import { type Spelled, spelledCell } from '../model/spelled';
import { firstState } from '../state/state';
import { hueOf } from '../components/chip';
import { AxisBoxes } from './axis-boxes';
import { CellBoxes } from './cell-boxes';
import { type Answered, pictureText } from './drawing';
import type { Look } from './steps';

/** The core's answer to an example; null if it has no alignment. */
function answerTo(core: Engine, example: Example): Answered | null {
  const model = compute(core, stateOf(core, example, firstState));
  return model.alignment && { model, alignment: model.alignment };
}

/** The core's answers to these examples. */
export function useAnswers(examples: readonly Example[]): readonly (Answered | null)[] {
  const core = useEngine();
  return useMemo(() => examples.map((example) => answerTo(core, example)), [core, ...examples]);
}

export function Picture({ of, look }: { of: Answered; look: Look }) {
  const { model, alignment } = of;
  const pointed = useSignal<readonly number[] | null>(null);
  const { result } = model;
  const index = pointed.value?.length === result?.shape.length ? pointed.value : null;
  const hand = result && look.answered ? (index ?? result.at) : null;
  const spelled =
    result && hand
      ? spelledCell(
          model,
          result,
          hand,
          model.operands.map((_, i) => alignment.sourceOf(i, hand)),
        )
      : null;
  const text = spelled
    ? ` ${spelled.cell} = ${spelled.values?.map((term) => (typeof term === 'string' ? term : term.text)).join('')} = ${spelled.value}.`
    : '';
  return (
    <div class="guide-picture" role="img" aria-label={`${pictureText(of, look)}${text}`}>
      <AxisBoxes of={of} look={look} />
      <div class="cells-and-sum">
        <CellBoxes of={of} look={look} hand={hand} onPoint={(at) => (pointed.value = at)} />
        <p class="guide-sum">
          {spelled && <Sum spelled={spelled} of={of} />}
          {alignment.failure && look.answered && <span class="none">{sumOf(of)}: no result</span>}
        </p>
      </div>
    </div>
  );
}

/** `A + B` */
const sumOf = ({ model: { operands } }: Answered): string => operands.map(({ name }) => name).join(' + ');

/** `A + B: 1 + 30 = 31` */
const Sum = ({ spelled: { values, value }, of }: { spelled: Spelled; of: Answered }) => (
  <>
    {`${sumOf(of)}: `}
    {values?.map((term) =>
      typeof term === 'string' ? (
        term
      ) : (
        <span key={term.operand} class={`term ${hueOf(term.operand)}`}>
          {term.text}
        </span>
      ),
    )}
    {' = '}
    <b>{value}</b>
  </>
);
