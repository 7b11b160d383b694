// The verdict on shapes with unknown extents: the result's shape with their symbols, and how far the shapes fit.

import { useModel } from '../context/context';
import { Words } from '../components/words';
import { answerText, fitTexts, shapesText } from '../model/symbolic-terms';

const badges = { always: 'fits', if: 'check-it', must_check: 'check-it', never: 'fails' } as const;

export function SymbolicVerdict() {
  const model = useModel();
  const { symbolic } = model;
  if (!symbolic) return null;
  const { sign, text } = fitTexts[symbolic.fit];
  const shapes = shapesText(model);
  return (
    <>
      <p class="headline">
        <span class={`outcome ${shapes.length > 30 ? 'long' : ''}`} id="result-shape">
          {shapes}
        </span>
        <span class={`badge ${badges[symbolic.fit]}`}>
          <span aria-hidden="true">{sign} </span>
          {text}
        </span>
      </p>
      <p class="because">
        <Words text={answerText(model)} />
      </p>
    </>
  );
}
