// The script of the workers that `broadloom/zarr` starts: each has a core of its own, and computes boxes from blocks.

import type { Broadloom } from './api/broadloom.js';
import type { Elements } from './elements/typed-arrays.js';
import { asLoadError } from './platform.js';
import type { Plan } from './plans/plan.js';
import { planRegions, type RegionPlan } from './regions.js';
import { start } from './start.js';
import { isBroadcastError } from './types/errors.js';
import { sameShape } from './types/extent.js';
import { listen } from './worker/listen.js';
import type { Order, Question, Reply } from './zarr/messages.js';

type Run = (blocks: readonly Elements[], out: Elements | undefined) => { readonly data: Elements };

let whole: RegionPlan;
/** By the size of the box. There are few sizes: chunks are smaller only at the array's ends. */
const plans = new Map<string, Plan>();

function begin(module: WebAssembly.Module, { op, rule, shapes, dtypes, options }: Question): void {
  try {
    const bl: Broadloom = start(module);
    whole = planRegions(bl, op as never, rule as never, shapes, dtypes, options) as RegionPlan;
    send({ type: 'started' });
  } catch (error) {
    send({ type: 'failed', id: null, code: null, message: asLoadError(error).message });
  }
}

function compute({ id, box, blocks }: Extract<Order, { readonly type: 'compute' }>): void {
  try {
    const size = box.map(({ begin, end }) => end - begin).join();
    let plan = plans.get(size);
    if (plan === undefined) plans.set(size, (plan = whole.within(box)));
    // The result takes the place of a block where it can, which saves memory.
    const { dtype, shape, dtypes, operands } = plan;
    const place = blocks.findIndex((_, i) => dtypes[i] === dtype && sameShape(operands[i] ?? [], shape));
    const run = plan.run.bind(plan) as unknown as Run;
    const { data } = run(blocks, place === -1 ? undefined : blocks[place]);
    send({ type: 'computed', id, data }, [(data as unknown as ArrayBufferView).buffer]);
  } catch (error) {
    const code = isBroadcastError(error) ? error.code : null;
    send({ type: 'failed', id, code, message: error instanceof Error ? error.message : String(error) });
  }
}

function obey(order: Order): void {
  if (order.type === 'start') begin(order.module, order.question);
  else compute(order);
}

const send = listen<Order, Reply>(obey);
