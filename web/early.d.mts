import type { Plugin } from 'vite';

/** Asks for the engine and its WebAssembly as soon as the page's head is read. */
export function early(): Plugin;
