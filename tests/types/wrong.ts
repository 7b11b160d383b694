// Wrong calls do not compile: each line after a marker must be an error.

import { load } from 'broadloom';
import { load as loadThreads } from 'broadloom/threads';
import { startWorker } from 'broadloom/worker';

const f32 = { data: new Float32Array(3), shape: [3] };
const f64 = { data: new Float64Array(3), shape: [3] };
const u8 = { data: new Uint8Array(3), shape: [3] };
const u32 = { data: new Uint32Array(3), shape: [3] };
const i32 = { data: new Int32Array(3), shape: [3] };
const mask = { data: new Uint8Array(3), shape: [3], dtype: 'bool' as const };
const half = { data: new Uint16Array(3), shape: [3], dtype: 'f16' as const };

export async function mistakes(): Promise<void> {
  const bl = await load();

  // Mixed types.
  // @ts-expect-error f32 with f64
  bl.add(f32, f64);
  // @ts-expect-error u8 with bool, although both are a Uint8Array
  bl.equal(u8, mask);
  // @ts-expect-error f16 with bf16, although both are a Uint16Array
  bl.add(half, { data: new Uint16Array(3), shape: [3], dtype: 'bf16' });
  // @ts-expect-error one of a list
  bl.max([f32, f32, f64]);
  // @ts-expect-error Where's branches
  bl.where(mask, f32, f64);
  // @ts-expect-error Where's condition
  bl.where(u8, f32, f32);
  // @ts-expect-error by name
  bl.apply('Add', [f32, f64]);
  // @ts-expect-error what is not computed with
  bl.cast(f32, 'c64');
  // @ts-expect-error by name, in a list
  bl.apply('Sum', [f32, f64]);

  // Types that the operator does not take.
  // @ts-expect-error numbers are no booleans
  bl.and(u8, u8);
  // @ts-expect-error booleans are no numbers
  bl.add(mask, mask);
  // @ts-expect-error Sum takes floats
  bl.sum([i32]);
  // @ts-expect-error BitShift takes unsigned integers
  bl.bitShift(i32, i32, { attrs: { direction: 'left' } });
  // @ts-expect-error Mod takes floats with fmod=1 only
  bl.mod(f32, f32);
  // @ts-expect-error by name
  bl.apply('BitwiseAnd', [f32, f32]);

  // Invalid arrays.
  // @ts-expect-error the type does not fit the typed array
  bl.add({ data: new Float32Array(1), shape: [1], dtype: 'f64' }, f64);
  // @ts-expect-error a Uint16Array is u16 unless it says f16
  bl.sum([{ data: new Uint16Array(1), shape: [1] }]);
  // @ts-expect-error a plain array is no typed array
  bl.add({ data: [1, 2, 3], shape: [3] }, f32);
  // @ts-expect-error no shape
  bl.add({ data: new Float32Array(1) }, f32);
  // @ts-expect-error a typed array alone has no shape
  bl.add(f32, new Float32Array(3));
  // @ts-expect-error a text is no array
  bl.add(f32, '1');
  // @ts-expect-error a text in a list
  bl.add([1, '2'], f32);
  // @ts-expect-error the type is known to be some text only
  bl.add({ data: new Uint16Array(1), shape: [1], dtype: 'f16' as string }, half);
  // @ts-expect-error no such element type
  bl.add({ data: new Float32Array(1), shape: [1], dtype: 'float33' }, f32);

  // Forms of libraries.
  // @ts-expect-error no name of a type
  bl.add({ data: new Float32Array(1), shape: [1], stride: [1], dtype: 'real' }, f32);
  // @ts-expect-error the type does not fit the typed array
  bl.add({ type: 'float32', data: new Float64Array(1), dims: [1] }, f64);
  // @ts-expect-error f32 with f64
  bl.add({ type: 'float32', data: new Float32Array(1), dims: [1] }, f64);
  // @ts-expect-error texts
  bl.add({ type: 'string', data: ['a'], dims: [1] }, f64);

  // Promotion.
  // @ts-expect-error f16 and bf16 have no common type
  bl.add(half, { data: new Uint16Array(3), shape: [3], dtype: 'bf16' }, { promote: 'numpy2' });
  // @ts-expect-error the common type is no boolean
  bl.and(mask, u8, { promote: 'numpy2' });
  // @ts-expect-error all are booleans
  bl.add(mask, mask, { promote: 'numpy2' });
  // @ts-expect-error no such way
  bl.add(f32, f64, { promote: 'numpy' });
  // @ts-expect-error the result is f64
  bl.add(f32, i32, { promote: 'numpy2', out: { data: new Float32Array(3), shape: [3] } });

  // Tensors and plans.
  const t = bl.tensor(f32);
  // @ts-expect-error f32 with f64
  bl.add(t, f64);
  // @ts-expect-error the result is bool
  bl.less(t, t, { out: t });
  // @ts-expect-error it holds f32
  t.write(new Float64Array(3));
  const plan = bl.plan('Add', 'numpy', [[3], [3]], ['f32', 'f32']);
  // @ts-expect-error the plan has f32 there
  plan.run([f32, f64]);
  // @ts-expect-error likewise, as a typed array alone
  plan.run([new Float64Array(3), f32]);
  // @ts-expect-error the result is f32
  plan.run([f32, f32], new Float64Array(3));
  const worker = await startWorker();
  // @ts-expect-error a tensor lies in another thread's memory
  worker.apply('Add', [t, f32]);

  // Threads: the same arguments, and promises.
  const threads = await loadThreads({ threads: 2 });
  // @ts-expect-error f32 with f64
  await threads.add(f32, f64);
  // @ts-expect-error the result is a promise
  void threads.add(f32, f32).data;
  // @ts-expect-error the plan has f32 there
  await threads.plan('Add', 'numpy', [[3], [3]], ['f32', 'f32']).run([f32, f64]);
  // @ts-expect-error a number
  await loadThreads({ threads: '2' });

  // Forms of results.
  // @ts-expect-error no such form
  bl.add(f32, f32, { as: 'list' });
  // @ts-expect-error lists have no shape
  void bl.add(f32, f32, { as: 'nested' }).shape;

  // Numbers of operands.
  // @ts-expect-error one of two
  bl.add(f32);
  // @ts-expect-error three of two
  bl.add(f32, f32, f32);
  // @ts-expect-error by name
  bl.apply('Add', [f32]);
  // @ts-expect-error a list is needed
  bl.max(f32, f32);

  // Names.
  // @ts-expect-error no such method
  bl.plus(f32, f32);
  // @ts-expect-error no such operator
  bl.apply('add', [f32, f32]);
  // @ts-expect-error no such rule
  bl.inferShape('nunpy', [[2], [3]]);
  // @ts-expect-error a rule that Add does not take
  bl.add(f32, f32, { rule: 'explicit' });
  // @ts-expect-error no such mode
  bl.broadcast(f32, { mode: 'pdpd', targetShape: [2, 3] });
  // @ts-expect-error no such option
  bl.add(f32, f32, { axes: 1 });
  // @ts-expect-error no such error class
  void bl.vocabulary.errors.oops;

  // sumTo.
  // @ts-expect-error booleans are not summed
  bl.sumTo(mask, []);
  // @ts-expect-error the result is f32
  bl.sumTo(f32, [], { out: { data: new Float64Array(1), shape: [] } });
  // @ts-expect-error a shape is needed
  bl.sumTo(f32);
  // @ts-expect-error the shape is no option
  bl.sumTo(f32, [], { targetShape: [3] });

  // Options.
  // @ts-expect-error an axis is a number
  bl.inferShape('pdpd', [[2], [2]], { axis: '1' });
  // @ts-expect-error Add has no attributes
  bl.add(f32, f32, { attrs: { fmod: 1 } });
  // @ts-expect-error fmod is 0 or 1
  bl.mod(i32, i32, { attrs: { fmod: 2 } });
  // @ts-expect-error BitShift needs its direction
  bl.bitShift(u32, u32);
  // @ts-expect-error no such direction
  bl.bitShift(u32, u32, { attrs: { direction: 'up' } });
  // @ts-expect-error Broadcast needs a target
  bl.broadcast(f32);
  // @ts-expect-error the result of a comparison is bool
  bl.less(f32, f32, { out: { data: new Float32Array(3), shape: [3] } });
  // @ts-expect-error the result is f32
  bl.add(f32, f32, { out: { data: new Float64Array(3), shape: [3] } });

  // Shapes.
  // @ts-expect-error shapes are lists
  bl.inferShape('numpy', [2, 3]);
  // @ts-expect-error extents are no texts
  bl.inferShape('numpy', [['2']]);
  // @ts-expect-error extents are no floats
  bl.inferShape('numpy', [new Float32Array(2)]);
  // @ts-expect-error a number is wanted, a bigint is given
  const bad: number[] = bl.inferShape('numpy', [[2n]]);
  return void bad;
}
