// The script of the threads that `load` of `broadloom/threads` starts: each has an instance of the module on the memory that
// they share. The first one leads; the others help it, and return to their event loop when all are to end.

import type { Order, Reply, Work } from './threads/messages.js';
import { instantiate, type ThreadsModule } from './threads/module.js';
import { listen } from './worker/listen.js';

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

const send = listen<Order, Reply>(obey);
