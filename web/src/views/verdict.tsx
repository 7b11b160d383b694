// What comes out, large; whether it fits; and why, as a person would say it.
// A failure keeps the same places: what clashed stands where the result stood.

import { type Conflict, type Engine, targetOperand } from '../engine';
import { bytesText, countText, shapeText } from '../format';
import type { Model } from '../model';

const nameIn = (core: Engine, operand: number): string =>
  operand === targetOperand ? 'the target' : core.operandName(operand);

function conflictText(core: Engine, { axis, operand, otherOperand, extent, otherExtent }: Conflict): string {
  return `Axis ${axis}: ${nameIn(core, otherOperand)} has ${otherExtent}, ${nameIn(core, operand)} has ${extent}`;
}

/** The name of the field that cannot be read. */
function unreadable(model: Model): string {
  const operand = model.operands.find(({ failure }) => failure !== null);
  if (operand) return `${operand.name} cannot be read`;
  if (model.target.failure) return 'The target cannot be read';
  if (model.mapping.failure) return 'axes_mapping cannot be read';
  if (model.axis.failure) return 'axis cannot be read';
  return '';
}

function Failed({ core, model }: { core: Engine; model: Model }) {
  const { failure, alignment } = model;
  if (!failure) return null;
  const conflicts = alignment?.conflicts ?? [];
  const first = conflicts[0];
  const clashes = failure.class === 'incompatible' && first;
  const headline = clashes ? conflictText(core, first) : unreadable(model) || failure.message;
  const more = clashes ? new Set(conflicts.map(({ axis }) => axis)).size - 1 : 0;
  return (
    <>
      <p class="headline">
        <span class={`outcome ${headline.length > 40 ? 'long' : ''}`}>{headline}</span>
        <span class="badge fails">
          <span aria-hidden="true">✕ </span>
          {clashes ? 'does not fit' : 'not possible'}
        </span>
      </p>
      <p class="because">
        {headline === failure.message ? '' : failure.message}
        {more > 0 && ` ${more === 1 ? 'One more axis clashes' : `${more} more axes clash`}.`}{' '}
        <span class="code" title="The error's class, as the package reports it">
          {failure.class}
          {failure.detail && ` · ${failure.detail}`}
        </span>
      </p>
    </>
  );
}

export function Verdict({ core, model }: { core: Engine; model: Model }) {
  const { failure, alignment, elements, bytes } = model;
  return (
    <section
      class="verdict"
      id="verdict"
      aria-label="Result"
      data-fits={failure ? 'no' : 'yes'}
      data-error-class={failure?.class ?? ''}
      data-error-detail={failure?.detail ?? ''}
      data-shape={!failure && alignment ? alignment.output.join(',') : ''}
    >
      <div role="status" aria-live="polite">
        {failure || !alignment ? (
          <Failed core={core} model={model} />
        ) : (
          <>
            <p class="headline">
              <output class="outcome" id="result-shape">
                {shapeText(alignment.output)}
              </output>
              <span class="badge fits">
                <span aria-hidden="true">✓ </span>fits
              </span>
              {elements !== null && bytes !== null && (
                <span class="size">
                  {countText(elements)} {elements === 1n ? 'element' : 'elements'} · {bytesText(bytes)}
                </span>
              )}
            </p>
            <p class="because">{alignment.verdict}</p>
          </>
        )}
      </div>
    </section>
  );
}
