// The fields of the question: operands, rule and operator.

import { type Signal, useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import './controls.css';
import { useEngine, useModel } from '../context/context';
import { type Engine, type OpEntry, targetOperand } from '../engine/engine';
import { type Field, mixedTypes, type Model } from '../model/model';
import { spell } from '../text/notation';
import type { TermName } from '../components/terms';
import { addOperand, mostOperands, type State } from '../state/state';
import { explanations, pickOperator, pickRule, state as current, withTypeFor, update } from '../store/store';
import { Chip, hueOf } from '../components/chip';
import { Explained } from '../components/explained';
import { lazily } from '../components/lazy';
import { Term } from '../components/term';
import { marksOf, OperandRow, saidOf } from './operand-row';
import { ShapeField } from './shape-field';
import { capital, Words } from '../components/words';

const wide = matchMedia('(min-width: 861px)');
const small = matchMedia('(max-width: 860px)');

export function Controls() {
  // On a small screen, rule and operator are folded under a line that names them.
  const open = useSignal(wide.matches);
  useEffect(() => {
    const follow = (): void => void (open.value = wide.matches);
    wide.addEventListener('change', follow);
    return () => wide.removeEventListener('change', follow);
  }, [open]);
  const fields = useRef<HTMLElement>(null);
  useEffect(() => followTyping(fields.current), []);
  const { state, rule, typeInShape } = useModel();
  return (
    <aside class="controls" aria-label="Input" ref={fields}>
      <Operands />
      <details class="fold" open={open.value} onToggle={({ currentTarget }) => (open.value = currentTarget.open)}>
        <summary>
          <b>{rule?.title ?? state.rule}</b> · {state.op} · {typeInShape || state.dtype}
        </summary>
        <Rules />
        <Operator />
      </details>
    </aside>
  );
}

/** Keeps the verdict in sight while a field of a small screen has the focus. Returns what ends it. */
function followTyping(fields: HTMLElement | null): () => void {
  let stop: (() => void) | null = null;
  const ended = new AbortController();
  const begin = async (): Promise<void> => {
    if (!fields || !small.matches) return;
    const { floatHeadline } = await import('../verdict/float-headline');
    if (!ended.signal.aborted) stop ??= floatHeadline(fields, small);
  };
  // Where it does not arrive, the verdict is where it always is.
  fields?.addEventListener('focusin', () => void begin().catch(() => undefined), { signal: ended.signal });
  return () => {
    ended.abort();
    stop?.();
  };
}

function Operands() {
  const core = useEngine();
  const model = useModel();
  const { state, arity, operands } = model;
  const full = operands.length >= (arity.most ?? mostOperands) || operands.length >= mostOperands;
  const wider = operands.length < mostOperands ? widerOperator(core, model) : null;
  // After an operand is removed, the focus goes to the last button that removes one, else to the one that adds one.
  const fields = useRef<HTMLFieldSetElement>(null);
  const removed = useRef(false);
  useLayoutEffect(() => {
    if (!removed.current) return;
    removed.current = false;
    const focused = document.activeElement;
    if (focused instanceof HTMLButtonElement && !focused.disabled) return;
    const left = fields.current?.querySelectorAll<HTMLElement>('.remove:not(:disabled)') ?? [];
    (left[left.length - 1] ?? fields.current?.querySelector<HTMLElement>('#add-operand'))?.focus();
  }, [operands.length]);
  // The details of one operand are open at a time, so that the list stays short.
  const open = useSignal<number | null>(null);
  const dropping = useSignal<number | null>(null);
  useEffect(() => followDrops(core, dropping), [core, dropping]);
  const longest = operands.reduce((most, { name }) => Math.max(most, name.length), 1);
  return (
    <fieldset class="operands" ref={fields} style={{ '--chip': `${Math.min(96, Math.max(26, 8 * longest + 12))}px` }}>
      <legend>{operands.length === 1 ? 'Data' : <Term of="shape">Shapes</Term>}</legend>
      {operands.map((operand, i) => (
        <OperandRow
          key={i}
          operand={operand}
          number={i}
          open={open.value === i}
          dropping={dropping.value === i}
          toggle={() => (open.value = open.value === i ? null : i)}
          onRemove={() => {
            removed.current = true;
            open.value = null;
          }}
        />
      ))}
      {model.rule?.takesTarget && (
        <div class="operand">
          <Chip operand={targetOperand}>to</Chip>
          <ShapeField
            id="target"
            label="Target shape"
            text={state.target}
            placeholder="target shape"
            hue={hueOf(targetOperand)}
            marks={marksOf(model.target, targetOperand, model)}
            message={saidOf(model.target)}
            shownByVerdict={model.target.failure === model.failure}
            onText={(target) => update({ ...state, target }, 'target')}
          />
          <div class="more">
            <p class="named">
              <Term of="target shape" />
            </p>
            {model.target.typed && (
              <p class="note">The type {model.target.typed.text} is left out: a target has no element type.</p>
            )}
          </div>
        </div>
      )}
      {/* One button for both cases, so that it keeps the focus when it chooses an operator that takes more operands. */}
      {(!full || wider) && (
        <button
          type="button"
          class="add"
          id="add-operand"
          title={full && wider ? `${state.op} takes ${operands.length}; ${wider.name} takes any number` : undefined}
          onClick={() => update(full && wider ? widen(core, state, wider.name) : addOperand(state, arity))}
        >
          + operand {core.operandName(operands.length)}
          {full && wider && `, with ${wider.name}`}
        </button>
      )}
    </fieldset>
  );
}

/** Files dropped on an operand become its values and those of the operands after it; elsewhere they go to the first one. */
function followDrops(core: Engine, dropping: Signal<number | null>): () => void {
  const under = ({ target }: DragEvent): number => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-operand]') : null;
    return Number(row?.dataset['operand'] ?? 0);
  };
  const over = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes('Files')) return;
    event.preventDefault();
    dropping.value = under(event);
  };
  const leave = ({ relatedTarget }: DragEvent): void => {
    if (relatedTarget === null) dropping.value = null;
  };
  const drop = (event: DragEvent): void => {
    dropping.value = null;
    const dropped = [...(event.dataTransfer?.files ?? [])];
    if (dropped.length === 0) return;
    event.preventDefault();
    const operand = under(event);
    void import('../store/give-files').then(({ giveFiles }) => giveFiles(core, operand, dropped));
  };
  addEventListener('dragover', over);
  addEventListener('dragleave', leave);
  addEventListener('drop', drop);
  return () => {
    removeEventListener('dragover', over);
    removeEventListener('dragleave', leave);
    removeEventListener('drop', drop);
  };
}

/** An operator that takes any number of operands, if the rule does; preferably one with the same notation. */
function widerOperator(core: Engine, { state, rule, op }: Model): OpEntry | null {
  if (!rule || rule.mostOperands !== null) return null;
  const wider = core.opsFor(state.rule).filter(({ mostOperands: most }) => most === null);
  return wider.find(({ notation }) => notation === op?.notation) ?? wider[0] ?? null;
}

function widen(core: Engine, state: State, op: string): State {
  return addOperand(pickOperator(core, state, op), { least: 1, most: null });
}

const PasteLayer = lazily(() => import('./paste-layer').then(({ PasteLayer }) => PasteLayer));
const RuleNotes = lazily(async () => {
  await explanations();
  return (await import('../rules/rules-more')).RuleNotes;
});

/** The rules at the beginning of the list. */
const rulesFirst: readonly string[] = ['numpy', 'pdpd', 'bidirectional', 'explicit'];

function Choices({ chosen }: { chosen: string }) {
  const core = useEngine();
  const order = (name: string): number => {
    const place = rulesFirst.indexOf(name);
    return place < 0 ? rulesFirst.length : place;
  };
  const rules = [...core.vocabulary.rules].sort((a, b) => order(a.name) - order(b.name));
  return (
    <div class="choices">
      {rules.map(({ name, title, doc }, i) => (
        <label key={name} title={doc} class={i === rulesFirst.length ? 'apart' : ''}>
          <input
            type="radio"
            name="rule"
            value={name}
            checked={name === chosen}
            onChange={() => update(pickRule(core, current.value, name))}
          />
          <span class="face">{title}</span>
        </label>
      ))}
    </div>
  );
}

function Rules() {
  const { state, rule, axis, mapping, operands } = useModel();
  const pasting = useSignal(false);
  const noted = useSignal(false);
  const comparing = state.view === 'rules';
  // Memoized, as they do not change with each key stroke.
  const choices = useMemo(() => <Choices chosen={state.rule} />, [state.rule]);
  return (
    <fieldset class="rules" id="rules">
      <legend>Rule</legend>
      {choices}
      {rule && (
        <p class="doc">
          <Explained text={capital(rule.doc)} />
        </p>
      )}
      {rule?.takesAxis && <OptionField name="axis" label="axis" term="axis of PDPD" placeholder="-1" field={axis} />}
      {/* A link may have one for a rule that takes none: it can be cleared. */}
      {(rule?.takesMapping || mapping.text !== '') && (
        <OptionField
          name="mapping"
          label="axes_mapping"
          term="axes_mapping"
          placeholder="one axis each"
          field={mapping}
        />
      )}
      {(state.byName !== '' || operands.some(({ names }) => names)) && (
        <label class="check">
          <input
            type="checkbox"
            id="by-name"
            checked={state.byName !== ''}
            onChange={({ currentTarget }) => update({ ...state, byName: currentTarget.checked ? '1' : '' })}
          />
          <span class="words">match axes by name, as xarray does</span>
        </label>
      )}
      <button
        type="button"
        class="summary paste"
        id="rule-notes"
        aria-expanded={noted.value}
        onClick={() => (noted.value = !noted.value)}
      >
        Clauses and notes
      </button>
      {noted.value && rule && <RuleNotes rule={rule} />}
      <button
        type="button"
        class="summary paste"
        id="compare-rules"
        aria-expanded={comparing}
        onClick={() => update({ ...state, view: comparing ? '' : 'rules' })}
      >
        Compare all rules
      </button>
      <button
        type="button"
        class="summary paste"
        id="paste-layer"
        aria-expanded={pasting.value}
        onClick={() => (pasting.value = !pasting.value)}
      >
        Paste an OpenVINO layer
      </button>
      {pasting.value && <PasteLayer />}
    </fieldset>
  );
}

interface OptionFieldProps {
  name: 'axis' | 'mapping';
  label: string;
  /** What explains the option. */
  term: TermName;
  placeholder: string;
  field: Field;
}

function OptionField({ name, label, term, placeholder, field }: OptionFieldProps) {
  const model = useModel();
  const { state } = model;
  return (
    <div class="option">
      <span>
        <Term of={term}>{label}</Term>
      </span>
      <ShapeField
        id={name}
        label={label}
        text={state[name]}
        placeholder={placeholder}
        marks={marksOf(field, Number.NaN, model)}
        message={field.failure?.message ?? null}
        shownByVerdict={field.failure === model.failure}
        onText={(text) => update({ ...state, [name]: text } satisfies State, name)}
      />
    </div>
  );
}

function Operators({ rule, chosen }: { rule: string; chosen: string }) {
  const core = useEngine();
  const ops = core.opsFor(rule);
  // With the letters of the operands: A ? B : C.
  const letters = (notation: string, operands: number): string =>
    spell(notation, Math.max(2, operands))
      .map((term) => (typeof term === 'number' ? core.operandName(term) : term))
      .join('');
  return (
    <select
      id="op"
      aria-label="Operator"
      value={chosen}
      onChange={({ currentTarget }) => update(pickOperator(core, current.value, currentTarget.value))}
    >
      {!ops.some(({ name }) => name === chosen) && <option value={chosen}>{chosen}</option>}
      {ops.map(({ name, notation, leastOperands }) => (
        <option key={name} value={name}>
          {notation === 'a' ? name : `${name}: ${letters(notation, leastOperands)}`}
        </option>
      ))}
    </select>
  );
}

interface TypesProps {
  op: string;
  chosen: string;
  fmod: string;
  /** The type beside a shape, which comes before the chosen one; an empty text for none. */
  inShape: string;
}

function Types({ op, chosen, fmod, inShape }: TypesProps) {
  const core = useEngine();
  const types = core.dtypesFor(op, { fmod });
  return (
    <select
      id="dtype"
      aria-label="Element type"
      value={inShape || chosen}
      disabled={inShape !== ''}
      title={inShape && 'The type beside a shape comes first'}
      onChange={({ currentTarget }) => update({ ...current.value, dtype: currentTarget.value })}
    >
      {!types.some(({ name }) => name === chosen) && <option value={chosen}>{chosen}</option>}
      {types.map(({ name, doc }) => (
        <option key={name} value={name} title={doc}>
          {name}
        </option>
      ))}
    </select>
  );
}

function Operator() {
  const core = useEngine();
  const model = useModel();
  const { state, op, typeInShape } = model;
  const ops = useMemo(() => <Operators rule={state.rule} chosen={state.op} />, [state.rule, state.op]);
  const types = useMemo(
    () => <Types op={state.op} fmod={state.fmod} chosen={state.dtype} inShape={typeInShape} />,
    [state.op, state.fmod, state.dtype, typeInShape],
  );
  return (
    <fieldset class="operator">
      <legend>Operator</legend>
      <div class="pair">
        {ops}
        {types}
      </div>
      {(state.promote !== '' || mixedTypes(model)) && (
        <label class="check">
          <input
            type="checkbox"
            id="promote"
            checked={state.promote !== ''}
            onChange={({ currentTarget }) => update({ ...state, promote: currentTarget.checked ? 'numpy2' : '' })}
          />
          <span class="words">promote mixed types as NumPy 2 does</span>
        </label>
      )}
      {op?.attribute === 'fmod' && (
        <label class="check">
          <input
            type="checkbox"
            id="fmod"
            checked={state.fmod === '1'}
            onChange={({ currentTarget }) => {
              update(withTypeFor(core, state.op, { ...state, fmod: currentTarget.checked ? '1' : '' }));
            }}
          />
          <span>fmod</span>
        </label>
      )}
      {op?.attribute === 'direction' && (
        <label class="option">
          <span>direction</span>
          <select
            id="direction"
            value={state.direction}
            onChange={({ currentTarget }) => update({ ...state, direction: currentTarget.value })}
          >
            <option value="">choose…</option>
            <option value="left">left</option>
            <option value="right">right</option>
          </select>
        </label>
      )}
      {op?.attribute === 'to' && (
        <label class="option">
          <span>to</span>
          <select
            id="to"
            value={state.to}
            onChange={({ currentTarget }) => update({ ...state, to: currentTarget.value })}
          >
            <option value="">choose…</option>
            {core.operandTypes(op.name, 0, state).map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {op?.attribute === 'to' && (
        <label class="check">
          <input
            type="checkbox"
            id="saturate"
            checked={state.saturate === '1'}
            onChange={({ currentTarget }) => update({ ...state, saturate: currentTarget.checked ? '1' : '' })}
          />
          <span>saturate</span>
        </label>
      )}
      {op && (
        <p class="doc">
          <Words text={capital(op.doc)} />
        </p>
      )}
    </fieldset>
  );
}
