// The running page: one signal holds the state, and all else is computed from it.

import { computed, signal } from '@preact/signals';
import { awaited } from '../components/awaited';
import type { Engine } from '../engine/engine';
import { light, type Hot, sameHot } from '../model/lit';
import { begin, pause, redo as forward, step, type StepHistory, travel, undo as back } from '../state/history';
import { arityOf, compute, type Model } from '../model/model';
import {
  chooseOperator,
  chooseRule,
  firstState,
  leftOutOfLink,
  type Look,
  readLink,
  type ReadLink,
  sameQuestion,
  type State,
  toFragment,
} from '../state/state';

export const engine = signal<Engine | null>(null);
/** The link in the address as it was read; null after the first change of the state. */
export const linkRead = signal<ReadLink | null>(readLink(location.hash));
const steps = signal(begin<State>(linkRead.peek()?.state ?? firstState));
/** Closes the notice about a link; the address stays. */
export function keepLink(): void {
  const read = linkRead.peek();
  if (read) linkRead.value = { ...read, fault: null };
}
export const state = computed(() => steps.value.now);
/** The state that stays as it was, since what was pasted is not judged; null where there is no such text. */
export const unanswered = signal<State | null>(null);
/** Whether the page still shows it: then nothing that it shows is about what was pasted. */
export const isUnanswered = computed(() => unanswered.value !== null && sameQuestion(unanswered.value, state.value));
/** Whether the explanations are loaded. */
export const explains = signal(false);
export const model = computed(() => {
  // The explanations' parser reads more shapes than the core.
  void explains.value;
  return engine.value ? compute(engine.value, state.value) : null;
});

/** Of a question with unknown extents, the one whose picture is drawn; set by what shows such questions. */
export const exampleOf = signal<((of: Model) => Model | null) | null>(null);
/** The case that is open, if the answer has several. */
export const exampleCase = signal(0);
/** The model whose grids are drawn. */
export const drawn = computed(() => {
  const now = model.value;
  return now?.symbolic ? (exampleOf.value?.(now) ?? null) : now;
});

/** The cell under the pointer or the focus; null is the cell in hand. */
export const hot = signal<Hot | null>(null);
export const lit = computed(() => {
  const now = drawn.value;
  return now?.result && now.alignment ? light(now.alignment, now.result, now.state.pin, hot.value) : null;
});

/** Goes to the next state. Steps of one `kind`, as letters typed into one field, are undone together. */
export function update(next: State, kind: string | null = null): void {
  const { now } = steps.value;
  // A warning that was acknowledged was about the question before.
  const isKept = sameQuestion(now, next) || next.expect !== now.expect;
  goTo(isKept ? next : { ...next, expect: '' }, kind);
}

/** Goes to a state exactly as it is given: that of a link. */
function goTo(next: State, kind: string | null): void {
  hot.value = null;
  fileFault.value = null;
  linkRead.value = null;
  // Moving about in an answer is one step for undo.
  const looks = sameQuestion(steps.value.now, next);
  steps.value = step(steps.value, next, looks ? 'look' : kind, performance.now(), looks ? Infinity : pause);
}

/**
 * Keeps the view of a large result. That is no step for undo, as scrolling is none; undoing a step restores the view of that
 * time.
 */
export function lookAt(look: Look): void {
  const { now } = steps.value;
  steps.value = { ...steps.value, now: { ...now, look } };
}

/** Pins a cell, so that it stays lit; unpins it if it is pinned. */
export function pin(cell: Hot | null): void {
  const now = state.value;
  const held = cell && !sameHot(now.pin, cell) ? cell : null;
  if (held !== now.pin) update({ ...now, ...(held?.kind === 'result' ? { at: held.index } : {}), pin: held });
}

export const canUndo = computed(() => steps.value.past.length > 0);
export const canRedo = computed(() => steps.value.future.length > 0);

function travelTo(there: StepHistory<State>): void {
  hot.value = null;
  fileFault.value = null;
  linkRead.value = null;
  steps.value = there;
}

export const undo = (): void => travelTo(back(steps.value));
export const redo = (): void => travelTo(forward(steps.value));

/** Loads the explanations; the parts of the page that use them wait. */
export async function explanations(): Promise<void> {
  const core = engine.peek();
  if (core) await awaited(core.loadExplanations());
  explains.value = true;
}

// --- Files -------------------------------------------------------------------

/** Why a file could not be read, beside the operand that it was for. */
export const fileFault = signal<{ readonly operand: number; readonly message: string } | null>(null);

// --- The address bar ---------------------------------------------------------

/** Whether the address is a link of another version, or no link of this page. */
let foreign = linkRead.peek()?.fault != null;
let pending: ReturnType<typeof setTimeout> | undefined;
let written = location.hash;
/** What the browser keeps with each entry of its history that this page has written or read. */
const seen = 'broadloom';
/** The view and filter of the present entry in the browser's history: another one gets an entry of its own. */
let place = placeOf(state.value);
function placeOf({ view, only }: State): string {
  return `${view} ${only}`;
}

/** Keeps the address up to date, with a delay: browsers refuse changes at every key stroke. */
export function followAddress(): void {
  state.subscribe((now) => {
    clearTimeout(pending);
    pending = setTimeout(() => writeAddress(now), 200);
  });
  markEntry();
  addEventListener('hashchange', () => {
    if (location.hash === written) return;
    clearTimeout(pending);
    const read = readLink(location.hash, state.value);
    written = location.hash;
    // The browser's back and forward buttons go along the steps of undo; a link makes a new step.
    const fragment = toFragment(read.state);
    const there = history.state === seen && travel(steps.value, (each) => toFragment(each) === fragment);
    if (there) travelTo(there);
    else goTo(read.state, null);
    // Of the state, not of the link, which leaves out the filter of a view that is closed.
    place = placeOf(state.peek());
    markEntry();
    foreign = read.fault !== null;
    linkRead.value = read;
  });
}

const markEntry = (): void => history.replaceState(seen, '');

function writeAddress(now: State): void {
  // Another address was opened, and its event is still to come: it must not be overwritten.
  if (location.hash !== written) return;
  // A first visit keeps its clean address, and a link that could not be read whole stays until the state changes.
  if ((location.hash === '' && now === firstState) || (foreign && linkRead.peek())) return;
  const there = placeOf(now);
  // The browser's back button leads to such a link, too.
  const replaces = there === place && !foreign;
  history[replaces ? 'replaceState' : 'pushState'](seen, '', `#${toFragment(now)}`);
  foreign = false;
  place = there;
  written = location.hash;
}

/** The address of the page without query and fragment. */
export const home = (): string => location.href.replace(/[?#].*$/, '');

export function link(): string {
  return `${home()}#${toFragment(state.value)}`;
}

/** Names of the operands whose values the link does not hold. */
export const leftOut = computed(() =>
  (model.value?.operands ?? []).flatMap(({ name }, i) => {
    const spec = state.value.operands[i];
    return spec && leftOutOfLink(spec) ? [name] : [];
  }),
);

// --- Choices that need the vocabulary ------------------------------------------

/** With the type that was chosen if the operator takes it, else a 32-bit one, else the first that it takes. */
export function withTypeFor(core: Engine, op: string, now: State): State {
  const { dtype: present, replaced } = now;
  const chosen = replaced?.by === present ? replaced.dtype : present;
  const types = core.dtypesFor(op, now);
  const other = (types.find(({ bits }) => bits === 32) ?? types[0])?.name ?? chosen;
  const dtype = types.some(({ name }) => name === chosen) ? chosen : other;
  return { ...now, dtype, replaced: dtype === chosen ? null : { dtype: chosen, by: dtype } };
}

/** The same, without operands' own types that the operator does not take. */
function withTypesFor(core: Engine, op: string, given: State): State {
  const now = withTypeFor(core, op, given);
  const takes = (operand: number, dtype: string): boolean =>
    core.operandTypes(op, operand, now).some(({ name }) => name === dtype);
  return {
    ...now,
    operands: now.operands.map((spec, i) =>
      spec.dtype === '' || takes(i, spec.dtype) ? spec : { ...spec, dtype: '' },
    ),
  };
}

export function pickRule(core: Engine, now: State, name: string): State {
  const rule = core.vocabulary.rules.find((entry) => entry.name === name);
  if (!rule) return { ...now, rule: name };
  const ops = core.opsFor(name);
  const op = ops.find((entry) => entry.name === now.op) ?? ops[0] ?? null;
  const opName = op?.name ?? now.op;
  return chooseRule(withTypesFor(core, opName, now), {
    rule: name,
    op: opName,
    arity: arityOf(rule, op),
    takesTarget: rule.takesTarget,
    takesMapping: rule.takesMapping,
  });
}

export function pickOperator(core: Engine, now: State, name: string): State {
  const op = core.vocabulary.ops.find((entry) => entry.name === name) ?? null;
  const rule = core.vocabulary.rules.find((entry) => entry.name === now.rule) ?? null;
  // A shift needs a direction, and Cast a type: one is chosen, which is shown and can be changed.
  const direction = op?.attribute === 'direction' && now.direction === '' ? 'left' : now.direction;
  const to = op?.attribute === 'to' && now.to === '' ? 'u8' : now.to;
  return chooseOperator({ ...withTypesFor(core, name, now), direction, to }, name, arityOf(rule, op));
}

// --- Light and dark ------------------------------------------------------------

export type Theme = 'auto' | 'light' | 'dark';
const themes: readonly Theme[] = ['auto', 'light', 'dark'];

function storedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem('broadloom.theme')) ?? 'auto';
  } catch {
    return 'auto'; // storage may be denied
  }
}

export const theme = signal<Theme>(storedTheme());
theme.subscribe((now) => {
  document.documentElement.dataset['theme'] = now;
  try {
    localStorage.setItem('broadloom.theme', now);
  } catch {
    // Storage is denied: the choice is kept while the page is open.
  }
});

export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? 'auto';
}
