// Operators on tensors, computed by one thread and by several, in turn. Of the several, also the processor time that each
// spends, where the system counts it (Linux): a machine that is busy otherwise shortens only the time by the clock.
import { readdirSync, readFileSync } from 'node:fs';
import { interval, median, ratio } from '../statistics.mjs';
import { nanoseconds, span, table, times } from '../table.mjs';
import { threadCalls } from './broadloom.mjs';

const MOST_THREADS_LISTED = 2;

// The processor time of each thread of this process so far, in nanoseconds.
function processorTimes() {
  const folder = '/proc/self/task';
  const read = (thread) => [thread, Number(readFileSync(`${folder}/${thread}/schedstat`, 'utf8').split(' ')[0])];
  return process.platform === 'linux' ? new Map(readdirSync(folder).map(read)) : new Map();
}

// What the busiest threads have spent between two readings.
function busiest(before, after) {
  const spent = [...after].map(([thread, ns]) => ns - (before.get(thread) ?? 0)).sort((a, b) => b - a);
  return spent.slice(0, MOST_THREADS_LISTED);
}

async function measured(call) {
  const before = processorTimes();
  const begin = performance.now();
  await call();
  return { ns: (performance.now() - begin) * 1e6, spent: busiest(before, processorTimes()) };
}

export async function threads({ threads: count, rounds }) {
  const { cases, close } = await threadCalls(Number(count));
  const row = table(
    ['tensors of f32', 20],
    ['one, ns', 12],
    ['threads', 9],
    ['ns', 12],
    ['speed-up', 10],
    ['95 %', 14],
    ['busiest, ns', 26],
  );
  let failures = 0;
  const records = [];
  for (const { name, one, many, isRight } of cases) {
    await one();
    await many();
    if (!isRight()) {
      console.log(`${name}  WRONG: not the bits of one thread (${++failures})`);
      continue;
    }
    const [alone, shared] = [[], []];
    for (let round = 0; round < rounds; ++round) {
      alone.push((await measured(one)).ns);
      shared.push(await measured(many));
    }
    const ns = shared.map((each) => each.ns);
    const speedUp = ratio(alone, ns);
    const spent = shared[0].spent.map((_, i) => nanoseconds(median(shared.map((each) => each.spent[i]))));
    row(
      name,
      nanoseconds(median(alone)),
      count,
      nanoseconds(median(ns)),
      times(speedUp.ratio),
      span(speedUp.interval),
      spent.join(' '),
    );
    records.push({
      name,
      kind: 'threads',
      threads: Number(count),
      ns: median(ns),
      one_ns: median(alone),
      interval: interval(ns),
    });
  }
  close();
  return { failures, records };
}
