// A module worker of the platform: the web's, which Deno and Bun have, too, or Node's.

import type { Order, Reply } from './messages.js';

/** A worker, as far as it is used here. */
export interface Thread {
  /** Throws where the message cannot be cloned, or something to be moved cannot. */
  post(order: Order, moved: readonly ArrayBufferLike[]): void;
  /** While it is not held, a program may end though the worker is there. */
  hold(isHeld: boolean): void;
  terminate(): void;
}

/** Who hears from a worker. `fail` is called where it cannot go on: with an error, or undefined where it ended. */
export interface Listener {
  reply(reply: Reply): void;
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
 * Starts a worker; `onWeb` makes the web's. `address` is where Node's file is, and the web's unless a bundler has moved it.
 *
 * @internal
 */
export function spawn(onWeb: () => Worker, address: string, listener: Listener): Thread {
  return typeof Worker === 'function'
    ? listenOnWeb(onWeb(), address, listener)
    : spawnInNode(new URL(address), listener);
}

/** The web does not say which file is missing; neither it nor Node says what to do. */
function missing(address: string, cause?: unknown): Error {
  const file = address.replace(/^.*\//, '');
  const message =
    `${file}, which runs in the worker, did not arrive or could not be run. ` +
    `Put it and what it imports at ${address}; where a bundler renames it, put there what the bundler made of it.`;
  return new Error(message, { cause });
}

function listenOnWeb(worker: Worker, address: string, listener: Listener): Thread {
  worker.onmessage = ({ data }) => listener.reply(data as Reply);
  worker.onmessageerror = () => listener.fail(new Error('a message could not be read'));
  worker.onerror = (event) => {
    event.preventDefault(); // it is told to whoever waits
    // A file that did not arrive has no message.
    listener.fail(event.message ? new Error(event.message) : missing(address));
  };
  const { ref, unref } = worker as { ref?(): void; unref?(): void }; // Bun's has them
  return {
    post: (order, moved) => worker.postMessage(order, moved as Transferable[]),
    hold: (isHeld) => (isHeld ? ref : unref)?.call(worker),
    terminate: () => worker.terminate(),
  };
}

function spawnInNode(address: URL, listener: Listener): Thread {
  const { Worker: NodeWorker } = (globalThis as NodeGlobal).process?.getBuiltinModule?.('node:worker_threads') ?? {};
  if (NodeWorker === undefined) throw new Error('there are no module workers here; Node has them from 20.16 on');
  // The program's own flags are not for it: `--input-type` is refused for files, `--import` may start anything.
  const worker = new NodeWorker(address, { execArgv: [] });
  worker.on('message', (reply) => listener.reply(reply as Reply));
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
