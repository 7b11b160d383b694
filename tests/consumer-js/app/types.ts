// What a TypeScript program may rely on; compiled, not run.
import { BroadcastError, load, type Broadloom, type LoadOptions, type NdArray } from 'broadloom';
import * as inline from 'broadloom/inline';
import address from 'broadloom/wasm';

export async function both(): Promise<NdArray<'f32'>> {
  const options: LoadOptions = { wasm: fetch(new URL(address, import.meta.url)) };
  const bl: Broadloom = await load(options);
  const atOnce: inline.Broadloom = inline.load();
  const same: Broadloom = atOnce;
  // @ts-expect-error It cannot be awaited there.
  inline.load({ wasm: address });
  const error: BroadcastError = new inline.BroadcastError({} as inline.ErrorRecord);
  if (error.code === 'axis') throw error;
  return same.add(bl.add({ data: new Float32Array(2), shape: [2] }, { data: new Float32Array(1), shape: [1] }), {
    data: new Float32Array(2),
    shape: [2],
  });
}
