// Times alignment, planning and a small run.
import { Failure } from '../fail.mjs';
import { Book } from './measure.mjs';
import { interval, median } from './statistics.mjs';
import { nanoseconds, table } from './table.mjs';

export async function plans(program, { rounds }) {
  const book = new Book();
  const answer = await program.ask(`plans rounds=${rounds}`);
  if (answer.error) throw new Failure(`plans: ${answer.error}`);
  const row = table(['step', 44], ['ns', 10], ['95 %', 18]);
  for (const [step, times] of Object.entries(answer)) {
    const ns = median(times);
    row(step, nanoseconds(ns), interval(times).map(nanoseconds).join('..'));
    book.records.push({ name: step, kind: 'plan', threads: 1, ns, gbps: null, limit_ns: null });
  }
  return book;
}
