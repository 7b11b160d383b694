// The Zarr arrays that operands have: opened by the user, or because a link names them. Loaded with the first of them.

import { effect, untracked } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { awaited } from '../components/awaited';
import type { Engine } from '../engine/engine';
import { changeOperand } from '../state/state';
import { fileFault, home, state, update } from '../store/store';
import { countText } from '../text/format';
import { fieldText } from '../text/symbolic-text';
import { files } from '../values/files';
import { zarrValues } from '../values/zarr-values';
import { readAddress } from './address';
import './unread-cells';
import { ChunkReader } from './chunk-reader';
import { openRemote, type RemoteArray } from './remote-array';

/** The arrays by their addresses, and why some cannot be opened. */
const readers = new Map<string, ChunkReader>();
const faults = new Map<string, string>();
/** Addresses of arrays that are being opened. */
const opening = new Set<string>();

const page = (): URL => new URL(home());

/** Answers are computed again. */
const show = (): void => void (files.value = new Map(files.peek()));

zarrValues.of = ({ spec: { text: address }, name }, elements, fine, wrong) => {
  const reader = readers.get(address);
  if (!reader) {
    const fault = faults.get(address);
    return fault === undefined ? null : wrong('length', fault, null, null);
  }
  const { source, note, shape } = reader;
  const own = shape.reduce((product, extent) => product * extent, 1);
  if (elements === BigInt(own)) {
    const noCode = `${name} is a Zarr array, whose values are not written into code: choose other values to see it.`;
    return { ...fine(source, shape), note, noCode };
  }
  const count = `${countText(elements ?? 0)} ${elements === 1n ? 'element' : 'elements'}`;
  return wrong('length', `${name} has ${count} by its shape, but ${address} holds ${countText(own)}.`, null, shape);
};

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

function keep(array: RemoteArray): void {
  readers.get(array.address)?.stop();
  faults.delete(array.address);
  readers.set(array.address, new ChunkReader(array, show));
  show();
}

/** Opens an array that a link names. */
async function openNamed(address: string): Promise<void> {
  opening.add(address);
  try {
    // A link may have been written by hand.
    const read = readAddress(address, page());
    if (!read.ok) throw new Error(read.message);
    keep({ ...(await openRemote(read.text, page())), address });
  } catch (error) {
    faults.set(address, messageOf(error));
    show();
  }
  opening.delete(address);
}

/** Opens the arrays that the state names, and reads no more of others. Returns what ends it. */
function followState(): () => void {
  let before: ReadonlySet<string> = new Set();
  const end = effect(() => {
    const named = new Set(
      state.value.operands.flatMap(({ values: { kind, text } }) => (kind === 'zarr' ? [text] : [])),
    );
    untracked(() => {
      for (const [address, reader] of readers) {
        if (named.has(address)) reader.turn();
        else reader.stop();
      }
      for (const address of named) {
        // One that could not be opened is tried again when another state names it.
        const isOpen = readers.has(address) || (faults.has(address) && before.has(address));
        if (!isOpen && !opening.has(address)) void awaited(openNamed(address));
      }
      before = named;
    });
  });
  return () => {
    end();
    readers.forEach((reader) => reader.stop());
  };
}

/** How many parts of the page need the arrays, and what ends following the state for them. */
let needed = 0;
let end = (): void => {};

/** Draws nothing: while it is there, the arrays that the state names are open. */
export function ZarrArrays() {
  useEffect(() => {
    if (++needed === 1) end = followState();
    return () => {
      if (--needed === 0) end();
    };
  }, []);
  return null;
}

/**
 * Makes the Zarr array at an address an operand's values, shape and type. False if it cannot be opened; then `fileFault` says
 * why, and the operand stays as it is.
 */
export async function giveZarr(core: Engine, operand: number, typed: string): Promise<boolean> {
  try {
    const read = readAddress(typed, page());
    if (!read.ok) throw new Error(read.message);
    const array = await awaited(openRemote(read.text, page()));
    keep(array);
    const now = state.value;
    const usual = core.operandType(now.op, operand, now.dtype);
    const { address, dtype, shape, names } = array;
    update(
      changeOperand(now, operand, {
        values: { kind: 'zarr', text: address },
        shape: fieldText(shape, names),
        dtype: dtype === usual ? '' : dtype,
      }),
    );
    fileFault.value = null;
    return true;
  } catch (error) {
    fileFault.value = { operand, message: messageOf(error) };
    return false;
  }
}
