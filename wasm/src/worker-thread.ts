// The script of the worker that `startWorker` starts: it loads the core, then runs the calls that it receives.

import { Broadloom } from './api/broadloom.js';
import { compileCore, type WasmSource } from './compile.js';
import { asLoadError } from './platform.js';
import { startCore } from './start.js';
import { DeferredExecutor } from './worker/deferred.js';
import { Jobs } from './worker/jobs.js';
import { listen } from './worker/listen.js';
import type { Order, Reply } from './worker/messages.js';

let jobs: Jobs | undefined;

async function start(wasm: WasmSource | undefined): Promise<void> {
  try {
    const core = startCore(await compileCore(wasm));
    const executor = new DeferredExecutor(core);
    jobs = new Jobs(new Broadloom(core, executor), executor, send);
    send({ type: 'started' });
  } catch (error) {
    const { code, message } = asLoadError(error);
    send({ type: 'unstarted', code, message });
  }
}

function obey(order: Order): void {
  if (order.type === 'start') void start(order.wasm as WasmSource | undefined);
  else if (order.type === 'call') jobs?.add(order);
  else jobs?.abort(order.id);
}

const send = listen<Order, Reply>(obey);
