// Correct calls compile, and their results have exactly the types given here.

import {
  isBroadcastError,
  load,
  type Alignment,
  type Broadloom,
  type BroadcastError,
  type DType,
  type Extent,
  type NdArray,
  type Operand,
  type OpName,
  type PackageErrorCode,
  type RuleName,
  type Tensor,
} from 'broadloom';
import { load as loadThreads } from 'broadloom/threads';
import { is } from './exact.js';

const f32 = { data: new Float32Array(6), shape: [2, 3] };
const f64 = { data: new Float64Array(3), shape: [3] };
const i64 = { data: new BigInt64Array(3), shape: [3] };
const u8 = { data: new Uint8Array(3), shape: [3] };
const u32 = { data: new Uint32Array(3), shape: [3] };
const mask = { data: new Uint8Array(3), shape: [3], dtype: 'bool' as const };
const half: Operand<'f16'> = { data: new Uint16Array(3), shape: [3], dtype: 'f16' };
const packed = { data: new Uint8Array(2), shape: [3], dtype: 'i4' } as const;

export async function examples(): Promise<void> {
  const bl = await load();
  is<Broadloom>()(bl);
  await load({ wasm: new URL('https://example.org/broadloom-core.wasm') });
  await load({ wasm: new Uint8Array() });

  // The element type is that of the typed array, or `dtype`; results have the operands' type.
  is<NdArray<'f32'>>()(bl.add(f32, f32));
  is<Float32Array>()(bl.add(f32, f32).data);
  is<number[]>()(bl.add(f32, f32).shape);
  is<NdArray<'i64'>>()(bl.mul(i64, i64, { rule: 'pdpd', axis: 0 }));
  is<BigInt64Array>()(bl.mul(i64, i64).data);
  is<NdArray<'f16'>>()(bl.sub(half, half));
  is<Uint16Array>()(bl.sub(half, half).data);
  is<NdArray<'u8'>>()(bl.bitwiseAnd(u8, u8));
  is<NdArray<'bool'>>()(bl.and(mask, { data: new Uint8Array(1), shape: [], dtype: 'bool' }));
  // A result may be an operand.
  is<NdArray<'f32'>>()(bl.div(bl.add(f32, f32), f32));

  // Comparisons return booleans.
  is<NdArray<'bool'>>()(bl.less(f32, f32));
  is<Uint8Array>()(bl.less(f32, f32).data);
  is<NdArray<'bool'>>()(bl.equal(mask, mask));

  // Types may differ if the operator allows it.
  is<NdArray<'f32'>>()(bl.pow(f32, i64));
  is<NdArray<'f64'>>()(bl.where(mask, f64, f64));
  is<NdArray<'i4'>>()(bl.where(mask, packed, packed));

  // Attributes.
  bl.mod(i64, i64);
  bl.mod(i64, i64, { attrs: { fmod: 1 } });
  is<NdArray<'f32'>>()(bl.mod(f32, f32, { attrs: { fmod: 1 } }));
  is<NdArray<'u32'>>()(bl.bitShift(u32, u32, { attrs: { direction: 'left' } }));

  // Operators with any number of operands take a list.
  is<NdArray<'f32'>>()(bl.max([f32, f32, f32]));
  is<NdArray<'f32'>>()(bl.sum([f32], { rule: 'numpy' }));
  const many: { data: Float64Array; shape: number[] }[] = [f64, f64];
  is<NdArray<'f64'>>()(bl.mean(many));

  // `out` is of the result's type.
  bl.add(f32, f32, { out: { data: new Float32Array(6), shape: [2, 3] } });
  bl.less(f32, f32, { out: { data: new Uint8Array(6), shape: [2, 3], dtype: 'bool' } });
  bl.add(f32, f32, { out: { data: new Float32Array(20), shape: [2, 3], strides: [8, 2], offset: 1 } });

  // By name.
  is<NdArray<'f32'>>()(bl.apply('Add', [f32, f32], { rule: 'pdpd', axis: 0 }));
  is<NdArray<'bool'>>()(bl.apply('Greater', [f32, f32]));
  is<NdArray<'f32'>>()(bl.apply('Pow', [f32, u8]));
  is<NdArray<'f64'>>()(bl.apply('Where', [mask, f64, f64]));
  is<NdArray<'f32'>>()(bl.apply('Max', [f32, f32, f32]));
  is<NdArray<'i4'>>()(bl.apply('Broadcast', [packed], { targetShape: [2, 3] }));
  is<[NdArray<'i64'>, NdArray<'i64'>]>()(bl.apply('Broadcast', [i64, i64], { rule: 'sonnx' }));
  is<[NdArray<'f32'>, NdArray<'i64'>]>()(bl.apply('Broadcast', [f32, i64], { rule: 'sonnx' }));
  is<NdArray<'u8'>>()(bl.cast(f32, 'u8', { saturate: true }));
  is<number[]>()(bl.cast([1.5, 2], 'i32', { as: 'nested' }) as unknown as number[]);
  // By a name that is not known at compile time.
  const op = 'Add' as OpName;
  const arrays: NdArray[] = [];
  is<NdArray>()(bl.apply(op, arrays));

  // Broadcasting alone.
  is<NdArray<'f32'>>()(bl.broadcastTo(f32, [4, 2, 3]));
  is<[NdArray<'f32'>, NdArray<'i64'>]>()(bl.broadcastArrays(f32, i64));
  is<NdArray<'u8'>>()(bl.broadcast(u8, { targetShape: [2, 3] }));
  is<NdArray<'u8'>>()(bl.broadcast(u8, { mode: 'explicit', targetShape: [3, 2], axesMapping: [0] }));

  // Back to an operand's shape.
  is<NdArray<'f32'>>()(bl.sumTo(f32, [3]));
  is<Uint16Array>()(bl.sumTo(half, [], { rule: 'pdpd', axis: 0 }).data);
  is<NdArray<'c64'>>()(bl.sumTo({ data: new Float32Array(4), shape: [2], dtype: 'c64' }, []));
  is<NdArray<'u8'>>()(bl.sumTo(u8, [1n], { rule: 'explicit', axesMapping: [0] }));
  bl.sumTo(f32, [3], { out: { data: new Float32Array(3), shape: [3] } });

  // Shapes: numbers are returned for numbers, bigints for bigints.
  is<number[]>()(bl.inferShape('numpy', [[2, 3], [3]]));
  is<number[]>()(bl.inferShape('numpy', [new Int32Array(2), new Uint8Array(1)]));
  is<number[]>()(bl.inferShape('explicit', [[3]], { targetShape: [3, 2], axesMapping: [0] }));
  is<bigint[]>()(bl.inferShape('numpy', [[2n, 3n], [3n]]));
  is<bigint[]>()(bl.inferShape('numpy', [new BigInt64Array(2), new BigUint64Array(1)]));
  is<Extent[]>()(bl.inferShape('numpy', [[2n, 3n], [3]]));
  is<number[]>()(bl.broadcastShapes([2, 1], [3]));
  is<bigint[]>()(bl.broadcastShapes([2n], [3n]));
  is<Extent>()(bl.countElements([2, 3]));
  is<Extent>()(bl.countBytes([2, 3], 'u1'));

  // Threads.
  const threads = await loadThreads({ threads: 2, explanations: true });
  const shared = threads.tensor({ data: new Float32Array(3), shape: [3] });
  is<Tensor<'f32'>>()(shared);
  is<Promise<Tensor<'f32'>>>()(threads.add(shared, 1));
  is<Promise<Tensor<'bool'>>>()(threads.less(shared, shared));
  is<Promise<Tensor<'u8'>>>()(threads.cast(shared, 'u8'));
  is<Promise<Tensor<'f32'>>>()(threads.sumTo(shared, [1]));
  is<Promise<Tensor<'f32'>>>()(threads.plan('Add', 'numpy', [[3], [3]], ['f32', 'f32']).run([shared, shared]));
  is<number[]>()(threads.inferShape('numpy', [[2, 1], [3]]));
  is<string | null>()(threads.reason);

  // Alignments.
  const alignment = bl.align('pdpd', [[2, 3, 4], [3]], { axis: 1 });
  is<Alignment>()(alignment);
  is<readonly number[] | null>()(alignment.shape);
  is<number[]>()(alignment.sourceOf(1, [0, 1, 2]));
  is<PackageErrorCode | undefined>()(alignment.error?.code);
  is<Alignment<bigint>>()(bl.align('numpy', [[2n], [3n]]));
  const rule = 'numpy' as RuleName;
  bl.align(rule, [[2, 3] as const, [3]]);

  // Texts.
  is<readonly number[]>()(bl.parseShape('(2, 3)').values);
  is<readonly bigint[]>()(bl.parseShape('(2, 3)', { bigint: true, operand: 1 }).values);

  // The vocabulary.
  is<string>()(bl.vocabulary.ops.Add.notation);
  is<boolean>()(bl.vocabulary.rules.pdpd.takesAxis);
  is<string>()(bl.vocabulary.clauses['pdpd.3'].text);
  for (const row of Object.values(bl.vocabulary.dtypes)) is<DType>()(row.name);

  try {
    bl.inferShape('numpy', [[2], [3]]);
  } catch (error) {
    if (!isBroadcastError(error)) throw error;
    is<BroadcastError>()(error);
    is<PackageErrorCode>()(error.code);
  }
}
