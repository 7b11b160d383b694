// Question and answer in sentences, for alternative texts, titles and messages. The reasons are the core's.

import { shapeText } from '../text/format';
import type { DrawnResult, Model } from '../model/model';
import { draw, type Picture } from '../model/picture';
import { spelledCell, type Term } from '../model/spelled';
import { answerText, shapesText } from '../model/symbolic-terms';
import { withoutTurns } from '../state/state';
import { fieldText, writtenShape } from '../text/symbolic-text';
import { rangeText } from '../text/cell-range';

/** More operands than this are counted, not named. */
const mostNamed = 8;

function listed(items: readonly string[]): string {
  const named =
    items.length > mostNamed ? [...items.slice(0, mostNamed - 1), `${items.length - mostNamed + 1} more`] : items;
  return named.length < 2 ? (named[0] ?? '') : `${named.slice(0, -1).join(', ')} and ${named.at(-1)}`;
}

/** `A (4, 1) and B (6,)`, with the target if the rule takes one. Texts that are no shape are quoted. */
export function operandsText(model: Model): string {
  const written = ({ values, names, unknown, text }: Model['target']): string =>
    values
      ? fieldText(values, names)
      : unknown
        ? withoutTurns(writtenShape(unknown).slice(0, 200))
        : `“${withoutTurns(text.slice(0, 80))}”`;
  const operands = model.operands.map((operand) => `${operand.name} ${written(operand)}`);
  return listed(model.rule?.takesTarget ? [...operands, `the target ${written(model.target)}`] : operands);
}

export const ruleText = (model: Model): string =>
  model.symbolic?.byName ? 'names' : (model.rule?.title ?? model.state.rule);

/** `Add, NumPy` */
export const questionText = (model: Model): string => `${model.state.op}, ${ruleText(model)}`;

/** Why: what is repeated if the shapes fit, else what is wrong. */
export const reasonText = (model: Model): string =>
  model.symbolic ? answerText(model) : (model.failure?.message ?? model.alignment?.verdict ?? '');

/** The result's shape, or that there is none. */
export function outcomeText(model: Model): string {
  const { failure, alignment } = model;
  if (model.symbolic) return shapesText(model);
  if (!failure && alignment) return shapeText(alignment.output);
  return failure?.class === 'incompatible' && alignment?.conflicts.length ? 'does not fit' : 'not possible';
}

/** One line: `A (4, 1) and B (6,) under NumPy: (4, 6)`. */
export const titleText = (model: Model): string =>
  `${operandsText(model)} under ${ruleText(model)}: ${outcomeText(model)}`;

/**
 * The answer as alternative text.
 *
 * @example
 * 'A (4, 1) and B (6,) broadcast under NumPy to (4, 6). A is repeated 6 times along axis 1; B is repeated 4 times along axis 0.'
 */
export function alignmentAlt(model: Model): string {
  const { failure, alignment, symbolic } = model;
  if (symbolic) return `${operandsText(model)} under ${ruleText(model)}: ${outcomeText(model)}. ${reasonText(model)}`;
  const several = model.operands.length > 1 || model.rule?.takesTarget === true;
  const fits = !failure && alignment;
  const verb = fits ? (several ? 'broadcast' : 'broadcasts') : several ? 'do not broadcast' : 'does not broadcast';
  const gives = fits ? ` to ${shapeText(alignment.output)}` : '';
  return `${operandsText(model)} ${verb} under ${ruleText(model)}${gives}. ${reasonText(model)}`.trim();
}

/** The answer with its grid as alternative text: the part that is drawn, and one cell as an example. */
export function gridAlt(model: Model, result: DrawnResult, picture: Picture): string {
  const parts = [rangeText(picture.rows, 'rows'), rangeText(picture.columns, 'columns')].filter(Boolean);
  const drawn = parts.length > 0 ? ` Drawn are ${parts.join(' and ')}.` : '';
  const beside = result.slices === null ? '' : ` Slices along axis ${result.slices} stand below it.`;
  return `${alignmentAlt(model)}${drawn}${beside} ${model.state.op} gives, for example, ${cellText(model, result)}.`;
}

/** The answer as alternative text, with its grid if there is one. */
export const answerAlt = (model: Model): string =>
  model.alignment && model.result
    ? gridAlt(model, model.result, draw(model.alignment, model, model.result))
    : alignmentAlt(model);

/** The cell in hand, spelled out: `out[1, 2] = A[1, 0] + B[2] = 1 + 30 = 31`. */
export function cellText(model: Model, result: DrawnResult): string {
  const fed = result.operands.map((_, operand) => model.alignment?.sourceOf(operand, result.at) ?? null);
  const { cell, sources, values, value } = spelledCell(model, result, result.at, fed);
  const written = (terms: readonly Term[]): string =>
    terms.map((term) => (typeof term === 'string' ? term : term.text)).join('');
  return [cell, written(sources), ...(values ? [written(values)] : []), value].join(' = ');
}
