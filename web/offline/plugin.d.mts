import type { Plugin } from 'vite';

/** Makes the built page installable, and one that opens without a network. */
export function offline(): Plugin;
