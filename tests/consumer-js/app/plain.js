import { load } from 'broadloom';

// What a program does that knows nothing of the WebAssembly file: computes, or tells why not.
export const answer = (async () => (await load()).inferShape('numpy', [[2, 1], [3]]).join())().catch(String);
answer.then((text) => console.log((globalThis.answers = text)));
