// The worker's side of its messages: those of the web's workers, which Deno and Bun have as well, or Node's.

interface NodePort {
  postMessage(message: unknown, moved: readonly unknown[]): void;
  on(event: 'message', heard: (message: unknown) => void): void;
}

interface Scope {
  postMessage?(message: unknown, moved: readonly unknown[]): void;
  onmessage?: ((event: { readonly data: unknown }) => void) | null;
  readonly process?: {
    getBuiltinModule?(name: 'node:worker_threads'): { readonly parentPort: NodePort | null } | undefined;
  };
}

/** Sends a reply, and moves buffers with it. */
export type Send<R> = (reply: R, moved?: readonly ArrayBufferLike[]) => void;

/** Calls `obey` with each message that the worker is sent. Returns what replies. */
export function listen<O, R>(obey: (order: O) => void): Send<R> {
  const scope = globalThis as Scope;
  if (typeof scope.postMessage === 'function') {
    scope.onmessage = ({ data }) => obey(data as O);
    return (reply, moved = []) => scope.postMessage?.(reply, moved);
  }
  const port = scope.process?.getBuiltinModule?.('node:worker_threads')?.parentPort;
  port?.on('message', (order) => obey(order as O));
  return (reply, moved = []) => port?.postMessage(reply, moved);
}
