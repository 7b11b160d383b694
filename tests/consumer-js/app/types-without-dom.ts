// The package in a program without browser types: TypeScript with `lib: ["es2022"]` only. Compiled, not run.
import { load } from 'broadloom';
import * as inline from 'broadloom/inline';
import { formatNpy, parseNpy } from 'broadloom/npy';
import { load as loadThreads } from 'broadloom/threads';
import { startWorker } from 'broadloom/worker';

export async function all(): Promise<Uint8Array> {
  const bl = await load({ wasm: new ArrayBuffer(8) });
  const sum = inline
    .load()
    .add(parseNpy(new ArrayBuffer(8)) as { data: Float32Array; shape: number[]; dtype: 'f32' }, 1);
  const worker = await startWorker();
  await worker.apply('Add', [sum, sum]);
  const threads = await loadThreads({ threads: 2, wasm: new ArrayBuffer(8), threadsWasm: new ArrayBuffer(8) });
  await threads.add(sum, threads.tensor(sum));
  const error: unknown = await load().catch((reason: unknown) => reason);
  if (error instanceof inline.LoadError) throw error;
  return formatNpy(bl.add(sum, sum));
}
