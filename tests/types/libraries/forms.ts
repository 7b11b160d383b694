// Arrays in every form that operators take, and the types of their results, with the libraries' own types.

import { load, type AnyOperand, type Broadloom, type DTypeOf, type NdArray, type Nested, type Tensor } from 'broadloom';
import { startWorker } from 'broadloom/worker';
import ndarray from 'ndarray';
import { Tensor as OrtTensor, type TypedTensor } from 'onnxruntime-common';
import type { Chunk } from 'zarrita';
import { are, is } from '../exact.js';

const f32 = { data: new Float32Array(6), shape: [2, 3] };
const f64 = { data: new Float64Array(3), shape: [3] };
const i32 = { data: new Int32Array(3), shape: [3] };
const u8 = { data: new Uint8Array(3), shape: [3] };
const mask = { data: new Uint8Array(3), shape: [3], dtype: 'bool' as const };
const bf16 = { data: new Uint16Array(3), shape: [3], dtype: 'bf16' as const };
const half = { data: new Uint16Array(3), shape: [3], dtype: 'f16' as const };
declare const some: number;
declare const chunk: Chunk<'float32'>;
declare const wideChunk: Chunk<'int64'>;
declare const flags: Chunk<'bool'>;
const scijs = ndarray(new Float32Array(6), [2, 3]);
const ort = new OrtTensor('float32', new Float32Array(6), [2, 3]);
const ortBytes = new OrtTensor('uint8', new Uint8Array(6), [2, 3]);

// The inferred element type.
are<DTypeOf<typeof f32>, 'f32'>();
are<DTypeOf<typeof scijs>, 'f32'>();
are<DTypeOf<Chunk<'float32'>>, 'f32'>();
are<DTypeOf<Chunk<'bool'>>, 'bool'>();
are<DTypeOf<TypedTensor<'int64'>>, 'i64'>();
are<DTypeOf<TypedTensor<'bool'>>, 'bool'>();
are<DTypeOf<Tensor<'u16'>>, 'u16'>();
are<DTypeOf<5>, 'f64'>();
are<DTypeOf<5n>, 'i64'>();
are<DTypeOf<boolean>, 'bool'>();
are<DTypeOf<number[][]>, 'f64'>();
are<DTypeOf<readonly [readonly [1n], readonly [2n]]>, 'i64'>();
are<DTypeOf<readonly [true, false]>, 'bool'>();
are<DTypeOf<{ data: Float64Array; shape: number[]; dtype: 'c128' }>, 'c128'>();
are<DTypeOf<{ data: Float64Array; shape: number[]; dtype: 'f32' }>, never>();
are<DTypeOf<{ data: Uint16Array; shape: number[]; dtype: string }>, never>();
are<DTypeOf<{ data: Uint8ClampedArray; shape: number[]; stride: number[] }>, 'u8'>();
are<DTypeOf<{ data: Float32Array; shape: number[]; stride: number[]; dtype: 'float32' }>, 'f32'>();
are<DTypeOf<{ type: 'float16'; data: Uint16Array; dims: number[] }>, 'f16'>();

export async function forms(): Promise<void> {
  const bl = await load();

  // Forms of libraries, mixed with one another.
  is<NdArray<'f32'>>()(bl.add(f32, scijs));
  is<NdArray<'f32'>>()(bl.mul(scijs.transpose(1, 0), chunk));
  is<NdArray<'f32'>>()(bl.sub(ort, chunk));
  is<NdArray<'bool'>>()(bl.less(wideChunk, wideChunk));
  is<NdArray<'bool'>>()(bl.and(flags, mask));
  is<NdArray<'f32'>>()(bl.max([f32, scijs, ort, 1]));
  is<NdArray<'u8'>>()(bl.add(ortBytes, u8));
  is<NdArray<'f32'>>()(bl.apply('Where', [flags, ort, 0]));

  // Values take the type of the other operands, and have their own type only alone.
  is<NdArray<'f32'>>()(bl.add(f32, 1));
  is<NdArray<'f32'>>()(bl.add(2.5, f32));
  is<NdArray<'i32'>>()(bl.mul(i32, [[1], [2]]));
  is<NdArray<'f64'>>()(
    bl.add(
      [
        [1, 2],
        [3, 4],
      ],
      10,
    ),
  );
  is<NdArray<'i64'>>()(bl.add([1n, 2n], 3n));
  is<NdArray<'bool'>>()(bl.or([true, false], true));
  is<NdArray<'bool'>>()(bl.greater(f32, 0));
  is<NdArray<'bf16'>>()(bl.where([true, false, true], bf16, 0));
  is<NdArray<'f32'>>()(bl.pow(f32, 2));
  is<NdArray<'f32'>>()(bl.pow(2, f32));
  is<NdArray<'i32'>>()(bl.pow(2, i32));
  is<NdArray<'f64'>>()(bl.pow(2.5, i32));
  is<NdArray<'f64'>>()(bl.pow(2, 3));
  is<NdArray<'i32'>>()(bl.pow(i32, f32));
  is<NdArray<'f64'>>()(bl.mean([1, 2, [3, 4]]));

  // Promotion.
  is<NdArray<'f64'>>()(bl.add(f32, i32, { promote: 'numpy2' }));
  is<NdArray<'i16'>>()(bl.add(u8, { data: new Int8Array(3), shape: [3] }, { promote: 'numpy2' }));
  is<NdArray<'f32'>>()(bl.add(f32, 2.5, { promote: 'numpy2' }));
  is<NdArray<'f64'>>()(bl.add(i32, 2.5, { promote: 'numpy2' }));
  is<NdArray<'i32'>>()(bl.add(i32, 2, { promote: 'numpy2' }));
  is<NdArray<'i32'> | NdArray<'f64'>>()(bl.add(i32, some, { promote: 'numpy2' }));
  is<NdArray<'i32'>>()(bl.mul(i32, mask, { promote: 'numpy2' }));
  is<NdArray<'bool'>>()(bl.equal(i32, f64, { promote: 'numpy2' }));
  is<NdArray<'f64'>>()(bl.where(mask, i32, f32, { promote: 'numpy2' }));
  is<NdArray<'f64'>>()(bl.pow(i32, f32, { promote: 'numpy2' }));
  is<NdArray<'f16'>>()(bl.max([{ data: new Int8Array(1), shape: [1] }, u8, half], { promote: 'numpy2' }));
  is<NdArray<'f64'>>()(bl.apply('Add', [i32, f32], { promote: 'numpy2' }));
  is<'i16'>()(bl.resultType('i8', 'u8'));
  is<'f16'>()(bl.resultType('i8', 'u8', 'f16'));
  is<'f32'>()(bl.resultType(f32, 2.5));
  is<'f64'>()(bl.resultType(2, 2.5));
  is<'f64'>()(bl.resultType(wideChunk, ort));
  is<never>()(bl.resultType('bf16', 'f16'));

  // Tensors.
  const t = bl.tensor(f32);
  is<Tensor<'f32'>>()(t);
  is<Float32Array>()(t.read());
  is<Tensor<'i64'>>()(bl.tensor([1n, 2n]));
  is<Tensor<'f32'>>()(bl.add(t, f32));
  is<Tensor<'f32'>>()(bl.add(f32, t));
  is<Tensor<'bool'>>()(bl.less(t, 1));
  is<Tensor<'f32'>>()(bl.sum([f32, t]));
  is<Tensor<'f32'>>()(bl.broadcastTo(t, [2, 2, 3]));
  is<Tensor<'f32'>>()(bl.sumTo(t, [3]));
  is<Tensor<'f32'>>()(bl.add(f32, f32, { out: t }));
  is<NdArray<'f32'>>()(bl.add(t, t, { out: f32 }));
  is<[Tensor<'f32'>, NdArray<'u8'>]>()(bl.broadcastArrays(t, u8));

  // Forms of results.
  is<Nested<number>>()(bl.add([[1, 2]], 1, { as: 'nested' }));
  is<Nested<bigint>>()(bl.add([[1n, 2n]], 1n, { as: 'first' }));
  is<Nested<boolean>>()(bl.less(f32, 1, { as: 'nested' }));
  is<'float32'>()(bl.add(f32, f32, { as: 'onnx' }).type);
  is<'bool'>()(bl.less(ort, f32, { as: 'first' }).type);
  is<TypedTensor<'float32'>>()(bl.add(ort, f32, { as: 'first' }));
  is<number[]>()(bl.add(scijs, f32, { as: 'first' }).stride);
  is<'float32'>()(bl.add(scijs, f32, { as: 'first' }).dtype);
  is<Float32Array>()(bl.add(chunk, chunk, { as: 'zarr' }).data);
  is<NdArray<'f32'>>()(bl.add(f32, chunk, { as: 'first' }));

  // Plans.
  const plan = bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);
  is<NdArray<'f32'>>()(plan.run([f32, new Float32Array(3)]));
  is<NdArray<'f32'>>()(plan.run([f32, new Float32Array(3)], new Float32Array(6)));
  is<Tensor<'f32'>>()(plan.run([t, new Float32Array(3)]));
  is<Tensor<'f32'>>()(plan.run([f32, f32], t));
  is<NdArray<'f32'>>()(plan.runRegion([{ begin: 0, end: 1 }], [scijs, 1]));

  // A worker takes all forms but tensors.
  const worker = await startWorker();
  is<NdArray<'f32'>>()(await worker.apply('Add', [f32, ort], { signal: new AbortController().signal }));
  is<NdArray<'f64'>>()(await worker.apply('Add', [f32, i32], { promote: 'numpy2', transfer: true }));
  is<NdArray<'f32'>>()(await worker.sumTo(chunk, []));

  // A result used in another place keeps its type.
  const named: NdArray<'f32'> = bl.add(f32, 1);
  takes(bl.add(named, bl.mul(named, 2)));
  function takes(_array: NdArray<'f32'>): void {}
}

/** Operands of types that are not known at compile time. */
export function generic(bl: Broadloom, arrays: readonly NdArray[], any: AnyOperand): NdArray {
  is<NdArray | Tensor>()(bl.apply('Add', [any, any]));
  return bl.apply('Max', arrays);
}
