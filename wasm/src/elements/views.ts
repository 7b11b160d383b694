// The module's memory as typed arrays of every class. core.ts alone makes them: they have no elements any more when the
// memory has grown.

import { CLASSES, type ClassName, type Elements } from './typed-arrays.js';

/** A view of each class over the whole memory. */
export type Views = { readonly [N in ClassName]: Elements };

export function viewsOf(buffer: ArrayBufferLike): Views {
  const views = Object.entries(CLASSES).map(([name, Class]) => [name, Class && new Class(buffer as ArrayBuffer)]);
  return Object.fromEntries(views) as Views;
}
