// The state of the page: all that a link restores, as one immutable value, and pure functions from one state to the next. Texts
// are kept as typed, even if they cannot be read: model.ts asks the core what they mean.

import { escapeText, MOST_AXES, MOST_OPERANDS, LONGEST_TEXT, questionFields } from '../engine/engine';

/** Where an operand's values come from. */
export interface ValuesSpec {
  readonly kind: ValuesKind;
  /**
   * The seed, the constant, or the list, as typed; the file's name in `files.ts`; the Zarr array's address.
   * Counting has none.
   */
  readonly text: string;
}
export const valuesKinds = ['counting', 'random', 'constant', 'list', 'file', 'zarr'] as const;
export type ValuesKind = (typeof valuesKinds)[number];

/** One operand as the user gives it. */
export interface OperandSpec {
  /** An empty text stands for the core's letter. */
  readonly name: string;
  /** The shape as typed. */
  readonly shape: string;
  /** The operand's own element type; an empty text stands for that of the question. */
  readonly dtype: string;
  readonly values: ValuesSpec;
}

/** A cell that is held in hand: of the result, or of an operand. */
export type Pin =
  | { readonly kind: 'result'; readonly index: readonly number[] }
  | { readonly kind: 'source'; readonly operand: number; readonly index: readonly number[] };

/** The view of a large result. */
export interface Look {
  /** The first row and column in sight; 4995.25 if a quarter of it is out of sight. */
  readonly row: number;
  readonly column: number;
  /** The number of rows in the height of one with digits; 1 is the closest. */
  readonly scale: number;
}

export interface State {
  readonly rule: string;
  readonly op: string;
  /** The element type of all operands that have none of their own. */
  readonly dtype: string;
  /** The type that was chosen, and the one that an operator which does not take it has in its place. Links do not hold it. */
  readonly replaced: { readonly dtype: string; readonly by: string } | null;
  /** How mixed types are promoted; an empty text is "not at all". */
  readonly promote: string;
  /** A rule that takes fewer uses the first ones. */
  readonly operands: readonly OperandSpec[];
  /** Fields of the rules that take them; an empty text is "not given". */
  readonly axis: string;
  readonly target: string;
  readonly mapping: string;
  /** '1' where axes are matched by name, as in xarray, in place of the rule. In links it is `byname`. */
  readonly byName: string;
  /** Attributes of the operators that take one. */
  readonly fmod: string;
  readonly direction: string;
  readonly to: string;
  readonly saturate: string;
  /** The index of the cell in hand; it is moved into the shape where it is used. */
  readonly at: readonly number[];
  /** Axes of the result on rows and columns; null is the last two. */
  readonly rows: number | null;
  readonly columns: number | null;
  /** The axis whose slices stand side by side; null is none. In links it is `tiles`. */
  readonly slices: number | null;
  /** The view of a large result; null shows the cell in hand with digits. */
  readonly look: Look | null;
  /** The operand shown in a large result's place, if there is no room beside it; null is the result. */
  readonly shown: number | null;
  /** The cell that stays lit whatever is pointed at. It is ignored if the question has no such cell. */
  readonly pin: Pin | null;
  /** The number of the result that is shown; SONNX returns one for each operand. */
  readonly output: number;
  /** Kinds of warnings that were acknowledged, separated by commas. */
  readonly expect: string;
  /** The step of the alignment, as model/stage-names.ts names it; an empty text is the last one. */
  readonly step: string;
  /**
   * The view that is open: `rules` compares all rules beside the answer; `guide`, `gallery` and `predict` take the answer's
   * place; an empty text is the answer alone.
   */
  readonly view: string;
  /** What is listed: in the gallery a rule, `fits` or `fails`, tags and words, separated by commas; of all rules a system. */
  readonly only: string;
  /** Predict's level, and the question's number in it; 0 is "none". */
  readonly level: number;
  readonly seed: number;
}

const counting: ValuesSpec = { kind: 'counting', text: '' };

/** An operand with a shape and defaults. */
export const shaped = (shape: string): OperandSpec => ({ name: '', shape, dtype: '', values: counting });

/** The state of a first visit: a column and a row. */
export const firstState: State = {
  rule: 'numpy',
  op: 'Add',
  dtype: 'f32',
  replaced: null,
  promote: '',
  operands: [shaped('(4, 1)'), shaped('(6,)')],
  axis: '',
  target: '',
  mapping: '',
  byName: '',
  fmod: '',
  direction: '',
  to: '',
  saturate: '',
  at: [1, 2],
  rows: null,
  columns: null,
  slices: null,
  look: null,
  shown: null,
  pin: null,
  output: 0,
  // The first example is an outer sum on purpose.
  expect: 'outer',
  step: '',
  view: '',
  only: '',
  level: 0,
  seed: 0,
};

// Limits of a question, so that no link, paste or file can stall the page. A message names the limit that is exceeded; nothing
// is shortened to fit.
export const mostOperands = MOST_OPERANDS;
/** Axes of all operands and the target together: as many as 64 operands of 32 axes have. */
export const mostAxes = MOST_AXES;
/** Letters of a field. Longer texts are kept, but not read. */
export const longestText = LONGEST_TEXT;
/** Letters of values that are typed in. */
export const longestList = 200_000;
/** A typed list of more letters is left out of links, which many programs cut short. */
export const longestLinked = 1500;
export const longestName = 32;

// --- The fragment ------------------------------------------------------------
// Readable, versioned: #v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&at=1,2
// The package writes the question, and its link/question.ts describes those fields: programs write links, too.
// What is looked at: at=1,2 and rows=0&columns=1&tiles=2 (axes), output=1,
//   look=4995,6994.5,1     the first row and column in sight of a large result, and its scale
//   shown=0                operand 0 is shown in its place
//   pin=1,2 or pin=0:1,0   a cell of the result, or of operand 0
//   expect=outer           warnings that were acknowledged
//   step=aligned           the step of the alignment
//   view=rules             what is open beside the answer, or (guide, gallery, predict) in its place; #guide alone opens the guide
//   view=rules&only=openvino             the rules of that system alone
//   view=gallery&only=pdpd,fails,mask    the filter of its examples: rule, outcome, words
//   view=predict&level=3&seed=17         that question and no other
// When there is a version 2, version 1 must still be read: links are kept for ever.

/** Characters that change the direction of text; no name, shape or value needs them. */
const turns = /\p{Bidi_Control}/gu;
export const withoutTurns = (text: string): string => text.replace(turns, '');

function unescape(text: string): string {
  const spaced = text.replace(/\+/g, ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced; // a stray % in a link typed by hand
  }
}

/** Whether a link leaves out the operand's values: a list that is too long, or a file. */
export const leftOutOfLink = ({ values: { kind, text } }: OperandSpec): boolean =>
  kind === 'file' || (kind === 'list' && text.length > longestLinked);

function valuesText(operand: OperandSpec): string {
  const { kind, text } = operand.values;
  if (kind === 'counting') return '';
  return text === '' || (kind === 'list' && leftOutOfLink(operand)) ? kind : `${kind}:${text}`;
}

export function valuesFrom(text: string): ValuesSpec {
  const colon = text.indexOf(':');
  const name = colon < 0 ? text : text.slice(0, colon);
  const kind = valuesKinds.find((known) => known === name);
  return kind && kind !== 'counting' ? { kind, text: colon < 0 ? '' : text.slice(colon + 1) } : counting;
}

export function toFragment(state: State): string {
  const operands = state.operands.map((operand) => ({ ...operand, values: valuesText(operand) }));
  const parts = questionFields({ ...state, operands });
  if (state.at.length > 0) parts.push(`at=${state.at.join(',')}`);
  if (state.rows !== null) parts.push(`rows=${state.rows}`);
  if (state.columns !== null) parts.push(`columns=${state.columns}`);
  if (state.slices !== null) parts.push(`tiles=${state.slices}`);
  if (state.look) parts.push(`look=${state.look.row},${state.look.column},${state.look.scale}`);
  if (state.shown !== null) parts.push(`shown=${state.shown}`);
  if (state.pin) parts.push(`pin=${pinText(state.pin)}`);
  for (const key of ['output', 'expect', 'step', 'view', 'only', 'level', 'seed'] as const) {
    // A filter is kept while what it filters is open.
    if (state[key] && (key !== 'only' || state.view)) parts.push(`${key}=${escapeText(String(state[key]))}`);
  }
  return parts.join('&');
}

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

const pinText = (pin: Pin): string => `${pin.kind === 'source' ? `${pin.operand}:` : ''}${pin.index.join(',')}`;

const indexFrom = (text: string): readonly number[] =>
  text === '' ? [] : text.split(',', mostAxes).map((item) => wholeNumber(item) ?? 0);

function pinFrom(text: string | undefined): Pin | null {
  if (text === undefined) return null;
  const colon = text.indexOf(':');
  const index = indexFrom(text.slice(colon + 1));
  return colon < 0
    ? { kind: 'result', index }
    : { kind: 'source', operand: wholeNumber(text.slice(0, colon)) ?? 0, index };
}

function lookFrom(text: string | undefined): Look | null {
  const part = '(\\d{1,16}(?:\\.\\d{1,6})?)';
  const [, ...parts] = new RegExp(`^${part},${part},${part}$`).exec(text ?? '') ?? [];
  const [row, column, scale] = parts.map(Number);
  return row === undefined || column === undefined || scale === undefined ? null : { row, column, scale };
}

/** What is wrong with a fragment: it is a link of another version, or no link of this page. */
export type LinkFault = { readonly kind: 'version'; readonly version: string } | { readonly kind: 'foreign' };

export interface ReadLink {
  /** The state as far as it could be read; the first state if nothing could. */
  readonly state: State;
  readonly fault: LinkFault | null;
  /** Whether any field was read. */
  readonly some: boolean;
}

/** Fields that links of other versions may have, too. */
const known = 'rule op type in n t x promote axis target mapping fmod direction view'.split(' ');

/**
 * Reads a fragment as far as possible, and says what is wrong with it. An empty fragment is no link; `#guide` opens the guide
 * beside the question at hand, `now`.
 */
export function readLink(fragment: string, now: State = firstState): ReadLink {
  if (fragment === '#guide') return { state: { ...now, view: 'guide' }, fault: null, some: false };
  if (/^#?$/.test(fragment)) return { state: firstState, fault: null, some: false };
  const fields = fieldsOf(fragment);
  const version = withoutTurns(unescape(fields.get('v')?.[0] ?? ''));
  const some = known.some((key) => fields.has(key));
  const fault: LinkFault | null =
    version === '1'
      ? null
      : version !== '' && version.length <= 20
        ? { kind: 'version', version }
        : { kind: 'foreign' };
  return { state: fault && !some ? firstState : stateFrom(fields), fault, some };
}

/** The state of a fragment; null if it is not a link of version 1. */
export function fromFragment(fragment: string): State | null {
  const fields = fieldsOf(fragment);
  return unescape(fields.get('v')?.[0] ?? '') === '1' ? stateFrom(fields) : null;
}

type LinkFields = ReadonlyMap<string, readonly string[]>;

function fieldsOf(fragment: string): LinkFields {
  const fields = new Map<string, string[]>();
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const equals = part.indexOf('=');
    if (equals < 0) continue;
    const key = part.slice(0, equals);
    const texts = fields.get(key);
    if (texts) texts.push(part.slice(equals + 1));
    else fields.set(key, [part.slice(equals + 1)]);
  }
  return fields;
}

function stateFrom(fields: LinkFields): State {
  const read = (text: string): string => withoutTurns(unescape(text));
  const all = (key: string): readonly string[] => (fields.get(key) ?? []).slice(0, mostOperands).map(read);
  const one = (key: string): string | undefined => all(key)[0];
  // Commas separate the items; commas within an item are escaped.
  const listOf = (key: string): readonly string[] => (fields.get(key)?.[0] ?? '').split(',', mostOperands).map(read);
  const [names, types, values] = [listOf('n'), listOf('t'), all('x')];
  const shapes = fields.has('in') ? all('in') : [''];
  return {
    rule: one('rule') ?? firstState.rule,
    op: one('op') ?? firstState.op,
    dtype: one('type') ?? firstState.dtype,
    replaced: null,
    promote: one('promote') ?? '',
    operands: shapes.map((shape, i) => ({
      name: (names[i] ?? '').slice(0, longestName),
      shape,
      dtype: types[i] ?? '',
      values: valuesFrom(values[i] ?? ''),
    })),
    axis: one('axis') ?? '',
    target: one('target') ?? '',
    mapping: one('mapping') ?? '',
    byName: one('byname') === '1' ? '1' : '',
    fmod: one('fmod') ?? '',
    direction: one('direction') ?? '',
    to: one('to') ?? '',
    saturate: one('saturate') ?? '',
    at: indexFrom(one('at') ?? ''),
    rows: wholeNumber(one('rows')),
    columns: wholeNumber(one('columns')),
    slices: wholeNumber(one('tiles')),
    look: lookFrom(one('look')),
    shown: wholeNumber(one('shown')),
    pin: pinFrom(one('pin')),
    output: wholeNumber(one('output')) ?? 0,
    expect: one('expect') ?? '',
    step: one('step') ?? '',
    view: one('view') ?? '',
    only: one('only') ?? '',
    level: wholeNumber(one('level')) ?? 0,
    seed: wholeNumber(one('seed')) ?? 0,
  };
}

/** Whether two states ask the same question, whatever part of the answer is looked at. */
export function sameQuestion(a: State, b: State): boolean {
  return (
    sameExcept(a, b, [
      'replaced',
      'at',
      'rows',
      'columns',
      'slices',
      'look',
      'shown',
      'pin',
      'output',
      'expect',
      'step',
      'view',
      'only',
      'level',
      'seed',
      'operands',
    ]) &&
    a.operands.length === b.operands.length &&
    a.operands.every((operand, i) => sameOperand(operand, b.operands[i]))
  );
}

const sameExcept = <T extends object>(a: T, b: T, except: readonly (keyof T)[]): boolean =>
  a === b || (Object.keys(a) as (keyof T)[]).every((key) => a[key] === b[key] || except.includes(key));

const sameOperand = (a: OperandSpec, b: OperandSpec | undefined): boolean =>
  b !== undefined && sameExcept(a, b, ['values']) && sameExcept(a.values, b.values, []);

// --- Warnings ---------------------------------------------------------------

/** Whether warnings of a kind were acknowledged. */
export const expects = ({ expect }: State, kind: string): boolean => expect.split(',').includes(kind);

/** Acknowledges warnings of a kind, or takes that back. */
export function expecting(state: State, kind: string, expected: boolean): State {
  const others = state.expect.split(',').filter((each) => each !== '' && each !== kind);
  return { ...state, expect: (expected ? [...others, kind] : others).join(',') };
}

// --- Steps -------------------------------------------------------------------

/** How many operands a rule and an operator take together; most: null is any number. */
export interface Arity {
  readonly least: number;
  readonly most: number | null;
}

export const operandsInUse = (state: State, arity: Arity): readonly OperandSpec[] =>
  arity.most === null ? state.operands : state.operands.slice(0, arity.most);

/** Adds operands that a rule or operator needs: scalars, which fit everything. */
const filled = (operands: readonly OperandSpec[], least: number): readonly OperandSpec[] =>
  operands.length >= least
    ? operands
    : [...operands, ...Array.from({ length: least - operands.length }, () => shaped('()'))];

/** Changes some fields of one operand. */
export function changeOperand(state: State, operand: number, change: Partial<OperandSpec>): State {
  return { ...state, operands: state.operands.map((old, i) => (i === operand ? { ...old, ...change } : old)) };
}

export function addOperand(state: State, arity: Arity): State {
  const inUse = operandsInUse(state, arity);
  return { ...state, operands: [...inUse, shaped(inUse.at(-1)?.shape ?? '()')] };
}

export function removeOperand(state: State, operand: number): State {
  return {
    ...state,
    operands: state.operands.filter((_, i) => i !== operand),
    shown: null,
    output: Math.min(state.output, Math.max(0, state.operands.length - 2)),
  };
}

/** A rule and what the vocabulary says of it, for a state in which it is chosen. */
export interface RuleChoice {
  readonly rule: string;
  readonly op: string;
  readonly arity: Arity;
  readonly takesTarget: boolean;
  readonly takesMapping: boolean;
}

export function chooseRule(state: State, choice: RuleChoice): State {
  const operands = filled(state.operands, choice.arity.least);
  // The second shape becomes the target, as a newcomer probably means it.
  const target =
    choice.takesTarget && state.target === '' ? ((state.operands[1] ?? state.operands[0])?.shape ?? '') : state.target;
  return {
    ...state,
    rule: choice.rule,
    op: choice.op,
    operands,
    target,
    // A mapping that was given for another rule would be an error here.
    mapping: choice.takesMapping ? state.mapping : '',
    rows: null,
    columns: null,
    slices: null,
    shown: null,
    output: 0,
  };
}

export function chooseOperator(state: State, op: string, arity: Arity): State {
  return { ...state, op, operands: filled(state.operands, arity.least), output: 0 };
}
