/**
 * Where `broadloom-core.wasm` is: what a bundler makes of the file that `broadloom/wasm` is, when it is told to ship it
 * (webpack: `asset/resource`; esbuild: the loader `file`; Vite: `broadloom/wasm?url`). Without a bundler,
 * `import.meta.resolve('broadloom/wasm')` tells the address.
 *
 * @example
 * import { load } from 'broadloom';
 * import address from 'broadloom/wasm';
 * const bl = await load({ wasm: new URL(address, import.meta.url) });
 */
declare const address: string;
export default address;
