// A process that measures one case: a request is one line of JSON, its answer another.
//   {"open": case}    what is told of it; every result is checked before it is timed
//   {"time": rounds}  nanoseconds of one call, for each round, of everything that was opened, in turn
import { createInterface } from 'node:readline';
import { Failure } from '../../fail.mjs';
import { Timed } from './rounds.mjs';

// `open` resolves to what is told of a case and its works: {told, works: {name: function or {work, isAsync}}}. `explain` has
// words for an error that somebody should be told of; others are shown with where they come from, too.
export async function answerRequests(open, explain = () => undefined) {
  let timed = {};
  const answer = async (request) => {
    if (request.open) {
      const { told, works } = await open(request.open);
      timed = {};
      for (const [name, work] of Object.entries(works)) {
        const one = typeof work === 'function' ? new Timed(work) : new Timed(work.work, work.isAsync);
        timed[name] = await one.prepare();
      }
      return told;
    }
    const times = Object.fromEntries(Object.keys(timed).map((name) => [name, []]));
    for (let round = 0; round < request.time; ++round) {
      for (const [name, one] of Object.entries(timed)) times[name].push(await one.round());
    }
    return times;
  };
  for await (const line of createInterface({ input: process.stdin })) {
    let answered;
    try {
      answered = await answer(JSON.parse(line));
    } catch (error) {
      const told = error instanceof Failure ? error.message : explain(error);
      if (told === undefined) console.error(error);
      answered = { error: told ?? `${error}` };
    }
    process.stdout.write(`${JSON.stringify(answered)}\n`);
  }
  process.exit(); // whatever a library keeps open
}
