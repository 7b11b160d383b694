import type { Broadloom } from '../api/broadloom.js';
import type { OpName } from '../types/vocabulary.js';

/** What OpenVINO calls operators that have another name here. ONNX's names are Broadloom's. */
const OPENVINO: { readonly [type: string]: OpName | undefined } = {
  Subtract: 'Sub',
  Multiply: 'Mul',
  Divide: 'Div',
  Power: 'Pow',
  Maximum: 'Max',
  Minimum: 'Min',
  FloorMod: 'Mod',
  GreaterEqual: 'GreaterOrEqual',
  LessEqual: 'LessOrEqual',
  LogicalAnd: 'And',
  LogicalOr: 'Or',
  LogicalXor: 'Xor',
  Select: 'Where',
  PReLU: 'PRelu',
};

/** The operator that a file names so; null where it is none of the vocabulary. */
export function opNamed({ vocabulary: { ops } }: Broadloom, name: string): OpName | null {
  if (Object.hasOwn(OPENVINO, name)) return OPENVINO[name] ?? null;
  return Object.hasOwn(ops, name) ? (name as OpName) : null;
}
