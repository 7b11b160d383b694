// Small helpers: arrays to compute with, and checks of errors.

import assert from 'node:assert/strict';
import { BroadcastError, isBroadcastError } from 'broadloom';

/** An array of elements of `type`; without `shape`, a vector. */
export function array(Type, values, shape = [values.length], dtype) {
  const data = new Type(values);
  return dtype === undefined ? { data, shape } : { data, shape, dtype };
}

export const f32 = (values, shape) => array(Float32Array, values, shape);
export const f64 = (values, shape) => array(Float64Array, values, shape);
export const i32 = (values, shape) => array(Int32Array, values, shape);
export const u8 = (values, shape) => array(Uint8Array, values, shape);
export const bool = (values, shape) => array(Uint8Array, values, shape, 'bool');

export { ARRAYS } from '../reference/arrays.mjs';

/** The result as plain values. */
export const plain = ({ data, shape, dtype }) => ({ data: [...data], shape, dtype });

/** Calls `call` and returns the BroadcastError that it threw, after checking these fields. */
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
