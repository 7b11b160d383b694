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
 * Starts a worker; `onWeb` makes the web's, `inNode` is the address of Node's.
 *
 * @internal
 */
export function spawn(onWeb: () => Worker, inNode: string, listener: Listener): Thread {
  return typeof Worker === 'function' ? listenOnWeb(onWeb(), listener) : spawnInNode(new URL(inNode), listener);
}

function listenOnWeb(worker: Worker, listener: Listener): Thread {
  worker.onmessage = ({ data }) => listener.reply(data as Reply);
  worker.onmessageerror = () => listener.fail(new Error('a message could not be read'));
  worker.onerror = (event) => {
    event.preventDefault(); // it is told to whoever waits
    // A file that did not arrive has no message.
    listener.fail(new Error(event.message || 'its file, worker-thread.js, did not arrive or could not be run'));
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
  worker.on('error', (error) => listener.fail(error));
  worker.on('exit', () => listener.fail(undefined));
  return {
    post: (order, moved) => worker.postMessage(order, moved),
    hold: (isHeld) => (isHeld ? worker.ref() : worker.unref()),
    terminate: () => void worker.terminate(),
  };
}
