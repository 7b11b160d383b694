import { load } from 'broadloom';

// A program that does not mention the WebAssembly file: computes, or reports the error.
export const answer = (async () => (await load()).inferShape('numpy', [[2, 1], [3]]).join())().catch(String);
answer.then((text) => console.log((globalThis.answers = text)));
