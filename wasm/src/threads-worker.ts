// The script of the threads that `load` of `broadloom/threads` starts: each has an instance of the module on the memory that
// they share. The first one leads; the others help it, and return to their event loop when all are to end.

import type { Order, Reply, Work } from './threads/messages.js';
import { instantiate, type ThreadsModule } from './threads/module.js';

interface NodePort {
  postMessage(message: unknown): void;
  on(event: 'message', heard: (message: unknown) => void): void;
}

interface Scope {
  postMessage?(message: unknown): void;
  onmessage?: ((event: { readonly data: unknown }) => void) | null;
  readonly process?: {
    getBuiltinModule?(name: 'node:worker_threads'): { readonly parentPort: NodePort | null } | undefined;
  };
}

const scope = globalThis as Scope;
let instance: ThreadsModule | undefined;

function obey(order: Order): void {
  try {
    if (order.type === 'start') start(order);
    else lead(order.work);
  } catch (error) {
    send({ type: 'failed', message: error instanceof Error ? error.message : String(error) });
  }
}

function start({ module, memory, stack, helps }: Extract<Order, { readonly type: 'start' }>): void {
  instance = instantiate(module, memory);
  instance._emscripten_stack_restore(stack);
  send({ type: 'started' });
  if (helps) instance.broadloom_help();
}

function lead({ threads, plan, sums, boxed }: Work): void {
  send({ type: 'ran', status: (instance as ThreadsModule).broadloom_lead(threads, plan, sums, boxed) });
}

let send: (reply: Reply) => void;
if (typeof scope.postMessage === 'function') {
  send = (reply) => scope.postMessage?.(reply);
  scope.onmessage = ({ data }) => obey(data as Order);
} else {
  const port = scope.process?.getBuiltinModule?.('node:worker_threads')?.parentPort;
  send = (reply) => port?.postMessage(reply);
  port?.on('message', (order) => obey(order as Order));
}
