// broadloom-explain.wasm as text: encoded by embed.mjs, decoded by decode.ts.

export { alphabet, escapes, order, size, text } from './broadloom-core-text.mjs';
