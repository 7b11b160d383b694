// The script of the worker that `startWorker` starts: it loads the core, then runs the calls that it receives.

import { Broadloom } from './api/broadloom.js';
import { compileCore, type WasmSource } from './compile.js';
import { asLoadError } from './platform.js';
import { startCore } from './start.js';
import { DeferredExecutor } from './worker/deferred.js';
import { Jobs, type Send } from './worker/jobs.js';
import type { Order } from './worker/messages.js';

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

const scope = globalThis as Scope;
let jobs: Jobs | undefined;

async function start(wasm: WasmSource | undefined): Promise<void> {
  try {
    const core = startCore(await compileCore(wasm));
    const executor = new DeferredExecutor(core);
    jobs = new Jobs(new Broadloom(core, executor), executor, send);
    send({ type: 'started' }, []);
  } catch (error) {
    const { code, message } = asLoadError(error);
    send({ type: 'unstarted', code, message }, []);
  }
}

function obey(order: Order): void {
  if (order.type === 'start') void start(order.wasm as WasmSource | undefined);
  else if (order.type === 'call') jobs?.add(order);
  else jobs?.abort(order.id);
}

let send: Send;
if (typeof scope.postMessage === 'function') {
  send = (reply, moved) => scope.postMessage?.(reply, moved);
  scope.onmessage = ({ data }) => obey(data as Order);
} else {
  const port = scope.process?.getBuiltinModule?.('node:worker_threads')?.parentPort;
  send = (reply, moved) => port?.postMessage(reply, moved);
  port?.on('message', (order) => obey(order as Order));
}
