// Arrays read from files, kept while the page is open. States and links hold only the files' names: no link could hold the
// values, and undo must find them again.

import { signal } from '@preact/signals';
import type { Tensor } from '../engine/engine';

/** The map is another one whenever more is known of values that are read: of these, or of Zarr arrays (zarr-values.ts). */
export const files = signal<ReadonlyMap<string, Tensor>>(new Map());

/** Keeps an array under its file's name and returns the name, with a number added if another file has it already. */
export function keepFile(name: string, tensor: Tensor): string {
  let own = name;
  for (let i = 2; files.value.has(own); ++i) own = `${name} (${i})`;
  files.value = new Map(files.value).set(own, tensor);
  return own;
}
