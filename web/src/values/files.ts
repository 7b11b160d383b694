// Arrays out of files, for as long as the page is open. States and links name them; what they hold stays here, since no
// link could carry it and an undone step must find it again.

import { signal } from '@preact/signals';
import type { Tensor } from '../engine/engine';

export const files = signal<ReadonlyMap<string, Tensor>>(new Map());

/** Keeps an array under a file's name, or that name and a number where another file has it. */
export function keepFile(name: string, tensor: Tensor): string {
  let own = name;
  for (let i = 2; files.value.has(own); ++i) own = `${name} (${i})`;
  files.value = new Map(files.value).set(own, tensor);
  return own;
}
