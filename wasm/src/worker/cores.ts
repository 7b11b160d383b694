// How many workers or threads are worth starting.

interface Platform {
  readonly navigator?: { readonly hardwareConcurrency?: number };
  readonly process?: { getBuiltinModule?(name: 'node:os'): { availableParallelism(): number } | undefined };
}

/** How many threads the machine runs at once. Node has `navigator` from version 21 on. */
export function cores(): number {
  const { navigator, process } = globalThis as Platform;
  return navigator?.hardwareConcurrency ?? process?.getBuiltinModule?.('node:os')?.availableParallelism() ?? 1;
}
