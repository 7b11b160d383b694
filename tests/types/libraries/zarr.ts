// zarrita's arrays are operands and results of broadloom/zarr.

import { load } from 'broadloom';
import { planRegions } from 'broadloom/regions';
import { applyZarr, costOfZarr, type ZarrArray, type ZarrCost, type ZarrProgress } from 'broadloom/zarr';
import * as zarr from 'zarrita';
import { is } from '../exact.js';

export async function examples(): Promise<void> {
  const store = new Map<string, Uint8Array>();
  const made = await zarr.create(zarr.root(store), { shape: [4], chunkShape: [2], dtype: 'float32' });
  const remote = await zarr.open.v3(new zarr.FetchStore('https://example.org/a.zarr'), { kind: 'array' });
  const array: ZarrArray = remote;
  const row = { data: new Float32Array(4), shape: [4] };
  is<ZarrProgress>()(await applyZarr('Add', [array, row], made, { rule: 'pdpd', axis: 0, memory: 1 }));
  is<ZarrCost>()(await costOfZarr('Mod', [remote, made], made, { attrs: { fmod: 1 }, missing: 'fill' }));
  await applyZarr('Add', [made], made, { signal: new AbortController().signal, onProgress: ({ done }) => done });
  // @ts-expect-error No such option.
  await applyZarr('Add', [made], made, { axsi: 0 });
  // @ts-expect-error An operator of another name.
  await applyZarr('add', [made], made);
  // @ts-expect-error The result is a Zarr array.
  await applyZarr('Add', [made], row);

  const plan = planRegions(await load(), 'Less', 'numpy', [[4], [1]], ['f32', 'f32']);
  is<'bool'>()(plan.dtype);
  is<'f32'>()(plan.dtypes[0]);
  plan.inputRegions([{ begin: 0, end: 1 }])[0]?.[0]?.begin.toFixed();
  // @ts-expect-error Ranges are of numbers.
  plan.within([{ begin: 0n, end: 1n }]);
}
