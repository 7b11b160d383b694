// Starts a module worker: the web's `Worker`, which Deno and Bun have as well, or Node's.

import type { Order, Reply } from './messages.js';

/** The operations on a worker that the package needs. */
export interface Thread<O = Order> {
  /** Sends a message. @throws where it cannot be cloned or a buffer cannot be moved. */
  post(order: O, moved: readonly ArrayBufferLike[]): void;
  /** Whether the worker keeps the program running (Node and Bun). */
  hold(isHeld: boolean): void;
  terminate(): void;
}

/**
 * Receives a worker's messages. `fail` is called when the worker stops: with its error, or undefined if it ended
 * without one.
 */
export interface Listener<R = Reply> {
  reply(reply: R): void;
  fail(error: unknown): void;
}

interface NodeWorker {
  postMessage(message: unknown, moved: readonly unknown[]): void;
  terminate(): Promise<number>;
  ref(): void;
  unref(): void;
  on(event: string, heard: (value: unknown) => void): void;
}

interface NodeGlobal {
  readonly process?: {
    getBuiltinModule?(
      name: 'node:worker_threads',
    ): { readonly Worker: new (address: URL, options: { readonly execArgv: string[] }) => NodeWorker } | undefined;
  };
}

/**
 * Starts a worker. `onWeb` makes it where the platform has `Worker`; in Node `address` is the script. Errors name
 * `address`.
 *
 * @internal
 */
export function spawn<O = Order, R = Reply>(onWeb: () => Worker, address: string, listener: Listener<R>): Thread<O> {
  return typeof Worker === 'function'
    ? listenOnWeb(onWeb(), address, listener)
    : spawnInNode(new URL(address), listener);
}

/**
 * The error for a script that is missing: the platforms do not say how to fix it, and browsers not even which file it
 * is.
 */
function missing(address: string, cause?: unknown): Error {
  const file = address.replace(/^.*\//, '');
  const message =
    `${file}, which runs in the worker, did not arrive or could not be run. ` +
    `Put it and what it imports at ${address}; where a bundler renames it, put there what the bundler made of it.`;
  return new Error(message, { cause });
}

function listenOnWeb<O, R>(worker: Worker, address: string, listener: Listener<R>): Thread<O> {
  worker.onmessage = ({ data }) => listener.reply(data as R);
  worker.onmessageerror = () => listener.fail(new Error('a message could not be read'));
  worker.onerror = (event) => {
    event.preventDefault(); // it is reported to the listener
    // The event of a file that did not arrive has no message.
    listener.fail(event.message ? new Error(event.message) : missing(address));
  };
  const { ref, unref } = worker as { ref?(): void; unref?(): void }; // in Bun
  return {
    post: (order, moved) => worker.postMessage(order, moved as Transferable[]),
    hold: (isHeld) => (isHeld ? ref : unref)?.call(worker),
    terminate: () => worker.terminate(),
  };
}

function spawnInNode<O, R>(address: URL, listener: Listener<R>): Thread<O> {
  const { Worker: NodeWorker } = (globalThis as NodeGlobal).process?.getBuiltinModule?.('node:worker_threads') ?? {};
  if (NodeWorker === undefined) throw new Error('there are no module workers here; Node has them from 20.16 on');
  // Without the program's own flags: `--input-type` is invalid for files, and `--import` could run any code.
  const worker = new NodeWorker(address, { execArgv: [] });
  worker.on('message', (reply) => listener.reply(reply as R));
  worker.on('messageerror', () => listener.fail(new Error('a message could not be read')));
  worker.on('error', (error) => {
    const { code } = error as { readonly code?: unknown };
    listener.fail(/MODULE_NOT_FOUND$/.test(String(code)) ? missing(address.href, error) : error);
  });
  worker.on('exit', () => listener.fail(undefined));
  return {
    post: (order, moved) => worker.postMessage(order, moved),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}
