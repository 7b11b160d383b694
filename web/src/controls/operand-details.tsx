// The details of an operand: name, element type, and where its values come from.

import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import { useEngine, useModel } from '../context/context';
import type { Operand } from '../model/model';
import {
  changeOperand,
  leftOutOfLink,
  longestLinked,
  longestName,
  longestText,
  type OperandSpec,
  type ValuesKind,
} from '../state/state';
import { giveFile } from '../store/give-files';
import { update } from '../store/store';
import './operand-details.css';
import { startOf, typedIn } from '../model/typed-in';
import { listOf } from '../values/values';
import { hueOf } from '../components/chip';
import { Marked, type Mark } from './shape-field';
import { ZarrField } from './zarr-field';

const kinds: Readonly<Record<ValuesKind, string>> = {
  counting: 'counting',
  random: 'random',
  constant: 'one constant',
  list: 'typed in or pasted',
  file: 'a .npy file',
  zarr: 'a Zarr array',
};

interface Props {
  operand: Operand;
  number: number;
  spec: OperandSpec;
}

export function OperandDetails({ operand, number: i, spec }: Props) {
  const core = useEngine();
  const { state } = useModel();
  // The kinds "file" and "zarr" are shown as soon as they are chosen; the values change when a file or an array is.
  const choosing = useSignal<ValuesKind | null>(null);
  const kind = choosing.value ?? spec.values.kind;
  const types = core.operandTypes(state.op, i, state);
  const usual = core.operandType(state.op, i, state.dtype);
  const change = (values: Partial<OperandSpec>, what: string): void =>
    update(changeOperand(state, i, values), `${what} ${i}`);
  const choose = (next: ValuesKind): void => {
    choosing.value = next === 'file' || next === 'zarr' ? next : null;
    if (!choosing.value) update(changeOperand(state, i, { values: { kind: next, text: startOf(next, operand) } }));
  };
  return (
    <div class={`details ${hueOf(i)}`} role="group" aria-label={`${operand.name}: type, values and name`}>
      <label for={`name-${i}`}>name</label>
      <input
        id={`name-${i}`}
        type="text"
        dir="auto"
        value={spec.name}
        placeholder={core.operandName(i)}
        maxLength={longestName}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => change({ name: currentTarget.value }, 'name')}
      />
      <label for={`dtype-${i}`}>type</label>
      <select
        id={`dtype-${i}`}
        value={spec.dtype}
        onChange={({ currentTarget }) => update(changeOperand(state, i, { dtype: currentTarget.value }))}
      >
        <option value="">
          {operand.unchosenType}, {operand.unchosenType === usual ? 'as the operator’s' : 'as in a shape'}
        </option>
        {spec.dtype !== '' && !types.some(({ name }) => name === spec.dtype) && (
          <option value={spec.dtype}>{spec.dtype}</option>
        )}
        {types.map(({ name, doc }) => (
          <option key={name} value={name} title={doc}>
            {name}
          </option>
        ))}
      </select>
      <label for={`values-${i}`}>values</label>
      <select
        id={`values-${i}`}
        value={kind}
        onChange={({ currentTarget }) => choose(currentTarget.value as ValuesKind)}
      >
        {Object.entries(kinds).map(([name, says]) => (
          <option key={name} value={name}>
            {says}
          </option>
        ))}
      </select>
      {(kind === 'random' || kind === 'constant') && (
        <>
          <label for={`value-${i}`}>{kind === 'random' ? 'seed' : 'value'}</label>
          <input
            id={`value-${i}`}
            type="text"
            class="mono"
            value={spec.values.text}
            aria-invalid={operand.given?.failure != null}
            aria-describedby={operand.given?.failure ? `values-message-${i}` : undefined}
            autocomplete="off"
            spellcheck={false}
            onInput={({ currentTarget }) => change({ values: { kind, text: currentTarget.value } }, kind)}
          />
        </>
      )}
      {kind === 'list' && (
        <ListField
          operand={operand}
          number={i}
          spec={spec}
          onText={(text) => change(typedIn(core, operand, text), 'list')}
        />
      )}
      {kind === 'file' && (
        <label class="file wide">
          <input
            id={`file-${i}`}
            type="file"
            accept=".npy"
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file) void giveFile(core, i, file).then((given) => given && (choosing.value = null));
            }}
          />
          <span class="face">
            {spec.values.kind === 'file' ? 'Choose another .npy file' : 'Choose a .npy file, or drop one here'}
          </span>
        </label>
      )}
      {kind === 'zarr' && (
        <ZarrField
          number={i}
          address={spec.values.kind === 'zarr' ? spec.values.text : ''}
          onOpened={() => (choosing.value = null)}
        />
      )}
      {leftOutOfLink(spec) && (
        <p class="note wide">
          {kind === 'file'
            ? 'Stays on this machine: a link names the file and does not hold it.'
            : `Too long for a link, which holds up to ${longestLinked} letters of values: links leave it out.`}
        </p>
      )}
    </div>
  );
}

interface ListProps {
  operand: Operand;
  number: number;
  spec: OperandSpec;
  onText: (text: string) => void;
}

/** A text of values; the token at fault is marked in it. */
function ListField({ operand, number: i, spec, onText }: ListProps) {
  const mirror = useRef<HTMLDivElement>(null);
  const failure = operand.given?.failure ?? null;
  const marks: readonly Mark[] = failure?.span ? [{ ...failure.span, kind: 'bad' }] : [];
  const read = listOf(spec.values);
  return (
    <div class={`list wide ${failure ? 'malformed' : ''}`}>
      <div class="typed">
        <div class="mirror" aria-hidden="true" ref={mirror}>
          {/* In long texts nothing is marked; the message says what is wrong. */}
          {spec.values.text.length < longestText && <Marked text={spec.values.text} marks={marks} />}
        </div>
        <textarea
          id={`list-${i}`}
          rows={3}
          value={spec.values.text}
          placeholder="[[1, 2], [3, 4]]"
          aria-label={`Values of ${operand.name}`}
          aria-invalid={failure !== null}
          aria-describedby={failure ? `values-message-${i}` : undefined}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          onInput={({ currentTarget }) => onText(currentTarget.value)}
          onScroll={({ currentTarget }) => {
            if (mirror.current) mirror.current.scrollTop = currentTarget.scrollTop;
          }}
        />
      </div>
      {read.ok && <p class="note">{read.list.values.length} values</p>}
    </div>
  );
}
