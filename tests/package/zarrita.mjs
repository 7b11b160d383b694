// zarrita, and the entry that imports it.

import './zarrita-place.mjs';

export const zarr = await import('zarrita');
export const { default: FileSystemStore } = await import('@zarrita/storage/fs');
export const { applyZarr, ChunkError, costOfZarr } = await import('broadloom/zarr');
