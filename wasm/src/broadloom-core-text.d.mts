// broadloom-core.wasm as text: written by embed.mjs, read by inline.ts.

/** How many bytes the file has. */
export const size: number;

/** How many of the alphabet's characters stand for no byte of their own, but for part of one with the next character. */
export const escapes: number;

/** All characters that the text is made of: first the escapes, then those that stand for a byte. */
export const alphabet: string;

/** The bytes by what they are written as: alone, then after the first escape, and so on; two hexadecimal digits each. */
export const order: string;

export const text: string;
