// The protocol of a process that measures one case. Requests and answers are lines of JSON.
//   {"open": case}    prepares the case and checks every result; the answer describes it. "resident": only on tensors
//   {"time": rounds}  times everything that was opened, in turn; the answer has the nanoseconds of one call for each round
import { createInterface } from 'node:readline';
import { Failure } from '../../fail.mjs';
import { Timed } from './rounds.mjs';

// `open` resolves to {description, works}: the answer about a case, and its functions to time ({name: function or {work, isAsync, calls}}).
// `explain` returns the message of an expected error; other errors are also printed with their stack.
export async function answerRequests(open, explain = () => undefined) {
  let timed = {};
  const answer = async (request) => {
    if (request.open) {
      const { description, works } = await open(request.open, request);
      timed = {};
      for (const [name, work] of Object.entries(works)) {
        const one = typeof work === 'function' ? new Timed(work) : new Timed(work.work, work.isAsync, work.calls);
        timed[name] = await one.prepare();
      }
      return description;
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
      const description = error instanceof Failure ? error.message : explain(error);
      if (description === undefined) console.error(error);
      answered = { error: description ?? `${error}` };
    }
    process.stdout.write(`${JSON.stringify(answered)}\n`);
  }
  process.exit(); // a library may have open handles
}
