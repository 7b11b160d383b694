// What holds the elements of each type in JavaScript; of f16 and bf16 their bits, of complex numbers both parts. Written here
// once more, so that the package is not compared with itself.
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
