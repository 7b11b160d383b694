/**
 * The address of `broadloom-core.wasm` (of `broadloom/explain/wasm`: of `broadloom-explain.wasm`; of `broadloom/threads/wasm`:
 * of `broadloom-threads.wasm`), from a bundler that is told to ship the file (webpack: `asset/resource`; esbuild: the
 * loader `file`; Vite: `broadloom/wasm?url`). Without a bundler, `import.meta.resolve('broadloom/wasm')`
 * returns it.
 *
 * @example
 * import { load } from 'broadloom';
 * import address from 'broadloom/wasm';
 * const bl = await load({ wasm: new URL(address, import.meta.url) });
 */
declare const address: string;
export default address;
