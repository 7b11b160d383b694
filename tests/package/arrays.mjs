// Small helpers: arrays to compute with, and errors held against what is expected of them.

import assert from 'node:assert/strict';
import { BroadcastError, isBroadcastError } from 'broadloom';

/** An array of `type`'s elements; the shape is that of a vector where it is not given. */
export function array(Type, values, shape = [values.length], dtype) {
  const data = new Type(values);
  return dtype === undefined ? { data, shape } : { data, shape, dtype };
}

export const f32 = (values, shape) => array(Float32Array, values, shape);
export const f64 = (values, shape) => array(Float64Array, values, shape);
export const i32 = (values, shape) => array(Int32Array, values, shape);
export const u8 = (values, shape) => array(Uint8Array, values, shape);
export const bool = (values, shape) => array(Uint8Array, values, shape, 'bool');

/** What holds each element type, of f16 and bf16 the bits: said once more, so that the package is not asked about itself. */
export const ARRAYS = {
  bool: Uint8Array,
  i8: Int8Array,
  i16: Int16Array,
  i32: Int32Array,
  i64: BigInt64Array,
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  u64: BigUint64Array,
  f16: Uint16Array,
  bf16: Uint16Array,
  f32: Float32Array,
  f64: Float64Array,
  f8e4m3: Uint8Array,
  f8e5m2: Uint8Array,
  c64: Float32Array,
  c128: Float64Array,
  i4: Uint8Array,
  u4: Uint8Array,
  u1: Uint8Array,
};

/** The result as plain values. */
export const plain = ({ data, shape, dtype }) => ({ data: [...data], shape, dtype });

/** Calls `call` and gives the BroadcastError that it threw, with these fields. */
export function fault(call, fields) {
  let thrown;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  assert.ok(thrown instanceof BroadcastError, `a BroadcastError, not ${thrown}`);
  assert.ok(isBroadcastError(thrown));
  for (const [name, value] of Object.entries(fields)) {
    assert.deepEqual(thrown[name], value, `${name} of: ${thrown.message}`);
  }
  assert.match(thrown.message, /\S/);
  return thrown;
}
