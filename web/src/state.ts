// Everything that a link restores, as one immutable value, and the pure steps
// from one state to the next. Texts are kept as they were typed, malformed ones
// included: what they mean is the core's to say (model.ts asks it).

export interface State {
  readonly rule: string;
  readonly op: string;
  readonly dtype: string;
  /** Shapes as typed. A rule that takes fewer uses the first ones. */
  readonly operands: readonly string[];
  /** Fields of the rules that take them; an empty text is "not given". */
  readonly axis: string;
  readonly target: string;
  readonly mapping: string;
  /** Attributes of the operators that take one. */
  readonly fmod: string;
  readonly direction: string;
  /** The cell in hand: an index into the result. Clamped where it is used. */
  readonly at: readonly number[];
  /** Axes of the result on rows and columns; null is the last two. */
  readonly rows: number | null;
  readonly columns: number | null;
  /** Of several results (SONNX returns one for each operand): which is shown. */
  readonly output: number;
}

/** What a first visitor sees: a column and a row make a cloth. */
export const firstState: State = {
  rule: 'numpy',
  op: 'Add',
  dtype: 'f32',
  operands: ['(4, 1)', '(6,)'],
  axis: '',
  target: '',
  mapping: '',
  fmod: '',
  direction: '',
  at: [1, 2],
  rows: null,
  columns: null,
  output: 0,
};

/** Bounds for what a link may ask for, so that no link can stall the page. */
export const mostOperands = 64;
export const longestText = 4000;

// --- The fragment ------------------------------------------------------------
// Readable, versioned: #v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&at=1,2
// A reader of version 1 must stay when version 2 comes: links are for ever.

const escapes = /[%&#+\u0000-\u001f\u007f-\u{10ffff}]/gu;
/** Half a letter, as cutting a text may leave it: no link can hold it. */
const halves = /\p{Surrogate}/gu;

function escape(text: string): string {
  return text
    .replace(halves, '\ufffd')
    .replace(escapes, (letter) => encodeURIComponent(letter))
    .replace(/ /g, '+');
}

function unescape(text: string): string {
  const spaced = text.replace(/\+/g, ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced; // a stray % in a link typed by hand
  }
}

export function toFragment(state: State): string {
  const parts = ['v=1', `rule=${escape(state.rule)}`, `op=${escape(state.op)}`, `type=${escape(state.dtype)}`];
  for (const text of state.operands) parts.push(`in=${escape(text)}`);
  for (const key of ['axis', 'target', 'mapping', 'fmod', 'direction'] as const) {
    if (state[key] !== '') parts.push(`${key}=${escape(state[key])}`);
  }
  if (state.at.length > 0) parts.push(`at=${state.at.join(',')}`);
  if (state.rows !== null) parts.push(`rows=${state.rows}`);
  if (state.columns !== null) parts.push(`columns=${state.columns}`);
  if (state.output !== 0) parts.push(`output=${state.output}`);
  return parts.join('&');
}

const wholeNumber = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;

/** The state that a fragment describes; null when it is not one of ours. */
export function fromFragment(fragment: string): State | null {
  const fields = new Map<string, string[]>();
  for (const part of fragment.replace(/^#/, '').split('&')) {
    const cut = part.indexOf('=');
    if (cut < 0) continue;
    const key = part.slice(0, cut);
    const value = unescape(part.slice(cut + 1)).slice(0, longestText);
    fields.set(key, [...(fields.get(key) ?? []), value]);
  }
  const one = (key: string): string | undefined => fields.get(key)?.[0];
  if (one('v') !== '1') return null;
  const at = one('at') ?? '';
  return {
    rule: one('rule') ?? firstState.rule,
    op: one('op') ?? firstState.op,
    dtype: one('type') ?? firstState.dtype,
    operands: (fields.get('in') ?? ['']).slice(0, mostOperands),
    axis: one('axis') ?? '',
    target: one('target') ?? '',
    mapping: one('mapping') ?? '',
    fmod: one('fmod') ?? '',
    direction: one('direction') ?? '',
    at:
      at === ''
        ? []
        : at
            .split(',')
            .slice(0, 1000)
            .map((text) => wholeNumber(text) ?? 0),
    rows: wholeNumber(one('rows')),
    columns: wholeNumber(one('columns')),
    output: wholeNumber(one('output')) ?? 0,
  };
}

/** Whether two states ask the same, whatever part of the answer is looked at. */
export const sameQuestion = (a: State, b: State): boolean => questionOf(a) === questionOf(b);

/** What is asked, without where one looks: a key for its answer. */
export const questionOf = (state: State): string =>
  toFragment({ ...state, at: [], rows: null, columns: null, output: 0 });

// --- Steps -------------------------------------------------------------------

/** How many operands a rule and an operator take together; most: null is any number. */
export interface Arity {
  readonly least: number;
  readonly most: number | null;
}

export const operandsInUse = (state: State, arity: Arity): readonly string[] =>
  arity.most === null ? state.operands : state.operands.slice(0, arity.most);

/** A scalar fits everything: what a rule or operator lacks is filled with it. */
const filled = (operands: readonly string[], least: number): readonly string[] =>
  operands.length >= least ? operands : [...operands, ...Array<string>(least - operands.length).fill('()')];

export function typeOperand(state: State, operand: number, text: string): State {
  return { ...state, operands: state.operands.map((old, i) => (i === operand ? text : old)) };
}

export function addOperand(state: State, arity: Arity): State {
  const inUse = operandsInUse(state, arity);
  return { ...state, operands: [...inUse, inUse.at(-1) ?? '()'] };
}

export function removeOperand(state: State, operand: number): State {
  return {
    ...state,
    operands: state.operands.filter((_, i) => i !== operand),
    output: Math.min(state.output, Math.max(0, state.operands.length - 2)),
  };
}

/** What choosing a rule brings with it, as the vocabulary says. */
export interface RuleChoice {
  readonly rule: string;
  readonly op: string;
  readonly dtype: string;
  readonly arity: Arity;
  readonly takesTarget: boolean;
  readonly takesMapping: boolean;
}

export function chooseRule(state: State, choice: RuleChoice): State {
  const operands = filled(state.operands, choice.arity.least);
  // The second shape is what a newcomer means by "the target".
  const target =
    choice.takesTarget && state.target === '' ? (state.operands[1] ?? state.operands[0] ?? '') : state.target;
  return {
    ...state,
    rule: choice.rule,
    op: choice.op,
    dtype: choice.dtype,
    operands,
    target,
    // A mapping left over from another rule would be an error that nobody made.
    mapping: choice.takesMapping ? state.mapping : '',
    rows: null,
    columns: null,
    output: 0,
  };
}

export function chooseOperator(state: State, op: string, dtype: string, arity: Arity): State {
  return { ...state, op, dtype, operands: filled(state.operands, arity.least), output: 0 };
}
