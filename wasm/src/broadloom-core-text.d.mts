// broadloom-core.wasm as text: encoded by embed.mjs, decoded by decode.ts.

/** The file's size in bytes. */
export const size: number;

/** The number of escapes: characters that stand for a byte only together with the next character. */
export const escapes: number;

/** All characters of the text: first the escapes, then those that stand for a byte. */
export const alphabet: string;

/**
 * The bytes in hexadecimal, two digits each: those that one character stands for, then those after the first escape,
 * and so on.
 */
export const order: string;

export const text: string;
