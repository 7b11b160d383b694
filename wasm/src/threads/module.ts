// The module with threads as it looks from TypeScript.

import type { CoreModule } from '../core/module.js';

/** The functions of `broadloom-threads.wasm`. Those of the first group are the core's. */
export interface ThreadsModule extends Pick<
  CoreModule,
  | '_initialize'
  | 'broadloom_allocate'
  | 'broadloom_answer'
  | 'broadloom_fault'
  | 'broadloom_plan'
  | 'broadloom_plan_release'
  | 'broadloom_refuse_after'
  | 'broadloom_release'
  | 'broadloom_request'
  | 'broadloom_run'
> {
  broadloom_sum_plan(): number;
  broadloom_sum_plan_release(plan: number): void;
  broadloom_sum_run(plan: number): number;
  broadloom_lead(threads: number, plan: number, sums: boolean, boxed: boolean): number;
  broadloom_help(): void;
  broadloom_end(): void;
  _emscripten_stack_restore(stack: number): void;
}

/**
 * An instance of the module on `memory`.
 *
 * @throws Error for the file of another module.
 */
export function instantiate(module: WebAssembly.Module, memory: WebAssembly.Memory): ThreadsModule {
  const exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Partial<ThreadsModule>;
  if (exports.broadloom_lead === undefined) throw new Error('broadloom-threads.wasm is not the one of this package');
  return exports as ThreadsModule;
}
