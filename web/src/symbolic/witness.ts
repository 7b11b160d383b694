// Questions with numbers for unknown extents: those that a witness gives.

import { type Engine, type Extent, targetOperand } from '../engine/engine';
import { compute, type Field, type Model } from '../model/model';
import { isLarge } from '../model/picture';
import type { OperandSpec, State } from '../state/state';
import { pickRule } from '../store/store';
import { writtenShape } from '../text/symbolic-text';
import type { Alternative, Case } from '../model/symbolic-terms';

type Witness = Alternative['witness'];

/** An extent in JSON as the page has it. */
const exact = (whole: number | string): Extent => (typeof whole === 'number' ? whole : BigInt(whole));

/** The extents of an operand, or of the target, for a witness; null if it does not give all of them. */
function extentsFor(model: Model, field: Field, operand: number, { ranks }: Case, witness: Witness) {
  if (field.values) return field.values;
  const symbols = model.symbolic?.symbols ?? [];
  const valueOf = (found: number): Extent | null => {
    const value = witness[found];
    return value === undefined ? null : exact(value);
  };
  const given = field.unknown?.extents ?? null;
  const rank = given?.length ?? ranks.find((each) => each.operand === operand)?.rank ?? 0;
  const extents = Array.from({ length: rank }, (_, axis): Extent | null => {
    const extent = given?.[axis];
    if (extent !== undefined && typeof extent !== 'object') return extent;
    const name = extent?.name ?? null;
    return valueOf(
      symbols.findIndex((symbol) =>
        name === null
          ? symbol.name === '' && symbol.operand === operand && (symbol.axis === axis || symbol.axis === axis - rank)
          : symbol.name === name,
      ),
    );
  });
  return extents.some((extent) => extent === null) ? null : extents.flatMap((extent) => extent ?? []);
}

/** Values that fit any shape: a list, a file or a Zarr array fits its own alone. */
const anyShape = (spec: OperandSpec): OperandSpec =>
  ['list', 'file', 'zarr'].includes(spec.values.kind) ? { ...spec, values: { kind: 'counting', text: '' } } : spec;

/** The question with a witness' numbers in its fields; null if there is no witness. */
export function stateFor(model: Model, found: Case, witness: Witness): State | null {
  const { state, operands, target, rule } = model;
  const filled = operands.map((operand, i): OperandSpec | null => {
    const extents = extentsFor(model, operand, i, found, witness);
    const spec = state.operands[i];
    if (!extents || !spec) return null;
    return operand.unknown ? { ...anyShape(spec), shape: writtenShape({ extents, names: operand.names }) } : spec;
  });
  if (filled.some((spec) => spec === null)) return null;
  const goal = rule?.takesTarget && target.unknown ? extentsFor(model, target, targetOperand, found, witness) : [];
  if (!goal) return null;
  return {
    ...state,
    operands: [...filled.flatMap((spec) => spec ?? []), ...state.operands.slice(filled.length)],
    target: target.unknown ? writtenShape({ extents: goal, names: target.names }) : state.target,
    pin: null,
  };
}

/** The witness that is shown of a case: where an axis has a choice, the last one, which mostly repeats an operand. */
export function shownWitness({ axes }: Case): Witness | null {
  const open = axes.find(({ always, alternatives }) => !always && alternatives.length > 0);
  const shown = open?.alternatives.findLast(({ witness }) => witness.length > 0) ?? axes[0]?.alternatives[0];
  return shown?.witness ?? null;
}

/** The question whose picture stands for a case: with numbers and, where axes are matched by name, each in its place. */
function pictured(core: Engine, model: Model, found: Case, witness: Witness): State | null {
  const next = stateFor(model, found, witness);
  if (!next || model.state.byName === '') return next;
  const names = found.axes.map(({ name }) => name ?? null);
  const operands = next.operands.slice(0, model.operands.length).map((spec, i): OperandSpec | null => {
    const field = model.operands[i];
    const own = field && extentsFor(model, field, i, found, witness);
    if (!own) return null;
    const extents = names.map((_, axis): Extent => {
      const source = found.sources[i]?.[axis] ?? null;
      return source === null ? 1 : (own[source] ?? 1);
    });
    return { ...anyShape(spec), shape: writtenShape({ extents, names }) };
  });
  if (operands.some((spec) => spec === null)) return null;
  return { ...pickRule(core, next, 'numpy'), byName: '', operands: operands.flatMap((spec) => spec ?? []) };
}

/** The model of the question whose picture is shown; null if there is none, or if it is too large to be an example. */
export function exampleOf(core: Engine, model: Model, found: Case): Model | null {
  const witness = found.fit === 'never' ? null : shownWitness(found);
  const next = witness && pictured(core, model, found, witness);
  const example = next && compute(core, next);
  if (!example?.result || example.failure || isLarge(example.result)) return null;
  // What is looked at is kept in the question's own state.
  return { ...example, state: model.state };
}
