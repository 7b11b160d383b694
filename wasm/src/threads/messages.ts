// The messages between the caller's thread and the threads that compute.

/** A message to a thread. */
export type Order =
  | {
      readonly type: 'start';
      readonly module: WebAssembly.Module;
      readonly memory: WebAssembly.Memory;
      /** The end of the thread's own stack: it grows down. */
      readonly stack: number;
      /** Whether it helps the thread that leads. Then it receives no further message before the end. */
      readonly helps: boolean;
    }
  | { readonly type: 'lead'; readonly work: Work };

/** What the thread that leads is to run, on the memory that the request block of the module names. */
export interface Work {
  /** A plan, or of a sum, in the module's memory. */
  readonly plan: number;
  readonly sums: boolean;
  /** Whether the request block begins with a box. */
  readonly boxed: boolean;
  /** How many threads there are. */
  readonly threads: number;
}

/** A message from a thread. `status` is negative where the module has reported a fault. */
export type Reply =
  | { readonly type: 'started' }
  | { readonly type: 'ran'; readonly status: number }
  | { readonly type: 'failed'; readonly message: string };
