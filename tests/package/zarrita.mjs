// zarrita, which tests have in their own packages. The package's files lie elsewhere, so they are told where it is.

import { register } from 'node:module';

const tests = new URL('../package.json', import.meta.url).href;
const hook = `export const resolve = (name, context, next) =>
  next(name, name === 'zarrita' ? { ...context, parentURL: '${tests}' } : context);`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

export const zarr = await import('zarrita');
export const { default: FileSystemStore } = await import('@zarrita/storage/fs');
export const { applyZarr, ChunkError, costOfZarr } = await import('broadloom/zarr');
