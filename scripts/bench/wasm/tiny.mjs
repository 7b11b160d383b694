// Adds (2,3) and (3) by each call that the package offers, and by the least that any call needs: two copies in, one call of a
// wasm function, one copy out.
import { Failure } from '../../fail.mjs';
import { interval, median, ratio } from '../statistics.mjs';
import { nanoseconds, table, times } from '../table.mjs';
import { loaded, smallCalls, smallSum } from './broadloom.mjs';
import { wasmLimit } from './limit.mjs';
import { Timed } from './rounds.mjs';

const bare = 'bare copies and call';

async function bareCall([a, b], length) {
  const { addresses, memory, move } = await wasmLimit(4 * length, [a.byteLength, b.byteLength]);
  const [result, x, y] = [length, a.length, b.length].map(
    (count, i) => new Float32Array(memory.buffer, addresses[i], count),
  );
  const out = new Float32Array(length);
  return () => {
    x.set(a);
    y.set(b);
    move();
    out.set(result);
  };
}

function javaScriptLoop([a, b], length) {
  const out = new Float32Array(length);
  return () => {
    for (let row = 0, o = 0; row < 2; ++row) for (let k = 0; k < 3; ++k, ++o) out[o] = a[o] + b[k];
    return out;
  };
}

export async function tiny({ rounds }) {
  const { operands, calls } = smallCalls(await loaded());
  const works = { [bare]: await bareCall(operands, smallSum.length) };
  let failures = 0;
  for (const [name, { run, read }] of Object.entries(calls)) {
    const got = [...read(run())];
    if (`${got}` === `${smallSum}`) works[name] = run;
    else console.log(`${name}  WRONG: ${got} (${++failures})`);
  }
  works['JavaScript loop'] = javaScriptLoop(operands, smallSum.length);
  if (`${[...works['JavaScript loop']()]}` !== `${smallSum}`) throw new Failure('the JavaScript loop is wrong');

  const timed = [];
  for (const [name, work] of Object.entries(works)) timed.push({ name, ns: [], one: await new Timed(work).prepare() });
  for (let round = 0; round < rounds; ++round) for (const { ns, one } of timed) ns.push(await one.round());

  const row = table(['[2,3] + [3]', 28], ['ns', 10], ['95 %', 18], ['x bare', 9]);
  const [reference] = timed;
  for (const { name, ns } of timed)
    row(name, nanoseconds(median(ns)), interval(ns).map(nanoseconds).join('..'), times(ratio(ns, reference.ns).ratio));
  return { failures, records: timed.map(({ name, ns }) => ({ name, kind: 'tiny', ns: median(ns) })) };
}
