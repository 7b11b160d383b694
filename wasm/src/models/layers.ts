// Made from the core by scripts/generate-vocabulary.mjs; not to be changed by hand.

import type { DType, OpName } from '../types/vocabulary.js';

/** What a type of layer in OpenVINO's IR computes: an operator, and the attribute that the type stands for. */
export interface LayerMeaning {
  readonly op: OpName;
  readonly fmod: 1 | null;
  readonly direction: 'left' | 'right' | null;
}

/** By type. */
export const LAYERS: { readonly [type: string]: LayerMeaning | undefined } = {
  Add: { op: 'Add', fmod: null, direction: null },
  Subtract: { op: 'Sub', fmod: null, direction: null },
  Multiply: { op: 'Mul', fmod: null, direction: null },
  Divide: { op: 'Div', fmod: null, direction: null },
  Mod: { op: 'Mod', fmod: 1, direction: null },
  FloorMod: { op: 'Mod', fmod: null, direction: null },
  Power: { op: 'Pow', fmod: null, direction: null },
  SquaredDifference: { op: 'SquaredDifference', fmod: null, direction: null },
  Maximum: { op: 'Max', fmod: null, direction: null },
  Minimum: { op: 'Min', fmod: null, direction: null },
  Equal: { op: 'Equal', fmod: null, direction: null },
  NotEqual: { op: 'NotEqual', fmod: null, direction: null },
  Less: { op: 'Less', fmod: null, direction: null },
  LessEqual: { op: 'LessOrEqual', fmod: null, direction: null },
  Greater: { op: 'Greater', fmod: null, direction: null },
  GreaterEqual: { op: 'GreaterOrEqual', fmod: null, direction: null },
  LogicalAnd: { op: 'And', fmod: null, direction: null },
  LogicalOr: { op: 'Or', fmod: null, direction: null },
  LogicalXor: { op: 'Xor', fmod: null, direction: null },
  BitwiseAnd: { op: 'BitwiseAnd', fmod: null, direction: null },
  BitwiseOr: { op: 'BitwiseOr', fmod: null, direction: null },
  BitwiseXor: { op: 'BitwiseXor', fmod: null, direction: null },
  BitwiseRightShift: { op: 'BitShift', fmod: null, direction: 'right' },
  BitwiseLeftShift: { op: 'BitShift', fmod: null, direction: 'left' },
  Select: { op: 'Where', fmod: null, direction: null },
  Convert: { op: 'Cast', fmod: null, direction: null },
  Broadcast: { op: 'Broadcast', fmod: null, direction: null },
};

/** Element types by the precision of a port. */
export const PRECISIONS: { readonly [precision: string]: DType | undefined } = {
  BOOL: 'bool',
  I8: 'i8',
  I16: 'i16',
  I32: 'i32',
  I64: 'i64',
  U8: 'u8',
  U16: 'u16',
  U32: 'u32',
  U64: 'u64',
  FP16: 'f16',
  BF16: 'bf16',
  FP32: 'f32',
  FP64: 'f64',
  F8E4M3: 'f8e4m3',
  F8E5M2: 'f8e5m2',
  I4: 'i4',
  U4: 'u4',
  BIN: 'u1',
};
