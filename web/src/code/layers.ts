// The types of layers in OpenVINO's IR, read from the operators' table in both directions.

import type { OpName } from '../engine/engine';
import { operators, type Spelling } from './operators';

/** A name of the operators' column `layer` as the IR writes it. */
export function layerNamed(name: string): { readonly type: string; readonly version: string } {
  const [first = '', second] = name.split('::');
  return second === undefined ? { type: first, version: 'opset1' } : { type: second, version: first };
}

/** What a layer of the IR computes: an operator, and the attribute that its type stands for. */
export interface LayerMeaning {
  readonly op: OpName;
  readonly fmod: '' | '1';
  readonly direction: '' | 'left' | 'right';
}

/** Every type of layer that stands for an operator. Of two operators with one layer, as Add and Sum, it is the first. */
export function layerMeanings(): ReadonlyMap<string, LayerMeaning> {
  const meanings = new Map<string, LayerMeaning>();
  const add = (spelling: Spelling, meaning: LayerMeaning): void => {
    if (typeof spelling === 'string') {
      const { type } = layerNamed(spelling);
      if (!meanings.has(type)) meanings.set(type, meaning);
    } else if (typeof spelling === 'object' && spelling !== null) {
      for (const [condition, one] of Object.entries(spelling)) {
        const [name, value] = condition.split('=');
        add(one, value === undefined ? meaning : { ...meaning, [name ?? '']: value });
      }
    }
  };
  for (const [op, { layer }] of Object.entries(operators)) add(layer, { op: op as OpName, fmod: '', direction: '' });
  return meanings;
}
