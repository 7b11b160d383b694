// One operand: the field of its shape, and a button that opens its type, values and name.

import { useModel } from '../context/context';
import { mixedTypes } from '../model/model';
import type { Field, Model, Operand } from '../model/model';
import { compares, stageOf } from '../model/stage-names';
import { changeOperand, removeOperand } from '../state/state';
import { fileFault, update } from '../store/store';
import { Chip, hueOf } from '../components/chip';
import { lazily } from '../components/lazy';
import { type Mark, ShapeField } from './shape-field';

const ZarrNote = lazily(() => import('../zarr/zarr-note').then(({ ZarrNote }) => ZarrNote));
const Details = lazily(() => import('./operand-details').then(({ OperandDetails }) => OperandDetails));

/** The marks in a field: the token at fault, or the extents that clash. */
export function marksOf(field: Field, operand: number, model: Model): readonly Mark[] {
  if (field.failure?.isPending) return [];
  if (field.failure) return field.failure.span ? [{ ...field.failure.span, kind: 'bad' }] : [];
  const clashing = new Set<number>();
  for (const conflict of (compares(stageOf(model)) && model.alignment?.conflicts) || []) {
    if (conflict.operand === operand) clashing.add(conflict.operandAxis);
    if (conflict.otherOperand === operand) clashing.add(conflict.otherAxis);
  }
  return field.spans.flatMap((span, axis) => (clashing.has(axis) ? [{ ...span, kind: 'clash' as const }] : []));
}

/** What is wrong with a field; nothing while it waits for what reads it. */
export const saidOf = ({ failure }: Field): string | null => (failure?.isPending ? null : (failure?.message ?? null));

/** The values of an operand in a few words. */
export function valuesText({ values }: Model['state']['operands'][number]): string {
  switch (values.kind) {
    case 'random':
      return `random, seed ${values.text}`;
    case 'constant':
      return `all ${values.text}`;
    case 'list':
      return 'typed in';
    case 'file':
    case 'zarr':
      return values.text;
    default:
      return values.kind;
  }
}

interface Props {
  operand: Operand;
  number: number;
  open: boolean;
  /** Whether a file is dragged over it. */
  dropping: boolean;
  toggle: () => void;
  onRemove: () => void;
}

export function OperandRow({ operand, number: i, open, dropping, toggle, onRemove }: Props) {
  const model = useModel();
  const { state, arity, operands } = model;
  const spec = state.operands[i];
  if (!spec) return null;
  const fewest = operands.length <= arity.least;
  const failure = operand.given?.failure ?? null;
  const fault = fileFault.value?.operand === i ? fileFault.value.message : (failure?.message ?? null);
  return (
    <div class={`operand ${dropping ? 'dropping' : ''}`} data-operand={i}>
      <Chip operand={i}>{operand.name}</Chip>
      <ShapeField
        id={`operand-${i}`}
        label={`Shape of ${operand.name}`}
        text={operand.text}
        hue={hueOf(i)}
        marks={marksOf(operand, i, model)}
        message={saidOf(operand)}
        shownByVerdict={operand.failure === model.failure}
        onText={(text) => update(changeOperand(state, i, { shape: text }), `shape ${i}`)}
      />
      <button
        type="button"
        class="remove"
        disabled={fewest}
        aria-label={`Remove ${operand.name}`}
        title={fewest ? 'The rule and operator need this operand' : `Remove ${operand.name}`}
        onClick={() => {
          onRemove();
          update(removeOperand(state, i));
        }}
      >
        ×
      </button>
      <div class="more">
        <button
          type="button"
          class={`summary ${fault || (mixedTypes(model) && spec.dtype !== '') ? 'wrong' : ''}`}
          id={`details-${i}`}
          aria-expanded={open}
          aria-label={`${operand.name}: ${operand.dtype}, ${valuesText(spec)}. Type, values and name`}
          onClick={toggle}
        >
          <span class="words">
            {operand.dtype}
            <span class="said-values"> · {valuesText(spec)}</span>
          </span>
        </button>
        {operand.typeNote && <p class="note">{operand.typeNote}</p>}
        {operand.given?.kind === 'zarr' && <ZarrNote given={operand.given} />}
        {fault && (
          <p
            class={`message ${fault === failure?.message && failure === model.failure ? 'shown-by-verdict' : ''}`}
            id={`values-message-${i}`}
          >
            {fault}
          </p>
        )}
      </div>
      {open && <Details operand={operand} number={i} spec={spec} />}
    </div>
  );
}
