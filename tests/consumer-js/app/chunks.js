// Adds Zarr arrays in memory, chunk by chunk, aborts a call, and stores the answers for the test.
import { isBroadcastError } from 'broadloom';
import { applyZarr } from 'broadloom/zarr';
import * as zarr from 'zarrita';

const root = zarr.root(new Map());
const codecs = [{ name: 'bytes', configuration: { endian: 'little' } }];
const make = (path, shape, chunkShape) =>
  zarr.create(root.resolve(path), { shape, chunkShape, codecs, dtype: 'float32', fillValue: 0 });

async function compute() {
  const a = await make('a', [4, 6], [3, 2]);
  await zarr.set(a, null, 1);
  const row = { data: new Float32Array([10, 20, 30, 40, 50, 60]), shape: [6] };
  const sum = await make('sum', [4, 6], [2, 4]);
  const done = await applyZarr('Add', [a, row], sum, { workers: 2 });
  const control = new AbortController();
  const options = { signal: control.signal, onProgress: () => control.abort('enough') };
  const aborted = await applyZarr('Add', [a, row], sum, options).catch(({ code, cause }) => ({ code, cause }));
  const refused = await applyZarr('Add', [sum, row], a).catch((error) => [error.code, isBroadcastError(error)]);
  return { done, last: (await zarr.get(sum, [3, null])).data.join(), aborted, refused };
}

compute().then(
  (answers) => (globalThis.answers = answers),
  (error) => (globalThis.answers = `${error.name}: ${error.message}`),
);
