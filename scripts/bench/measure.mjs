// One case: opened (made, run and checked), then timed in rounds of the work and its limit in turn.
//
// Rounds are short, a millisecond and more where one call takes more: a scheduler that takes the core away does so for
// longer, so that it hits few rounds hard, which the median leaves out, and not all of them a little.
import { requestWords } from './cases.mjs';
import { median, ratio } from './statistics.mjs';

// Resolves to {ns, limit, ratio, interval, bytes, output, stores}, or to {failed} with the reason.
export async function measure(program, item, { threads = 1, rounds = 15, least = 1e6, stores } = {}) {
  const opened = await program.ask(`open ${requestWords(item, { threads, least, stores })}`);
  if (opened.wrong) return { failed: `WRONG: ${opened.wrong}` };
  if (opened.error) return { failed: `FAILED: ${opened.error}` };
  const { work, limit } = await program.ask(`time rounds=${rounds}`);
  return { ...opened, ns: median(work), limit: median(limit), ...ratio(work, limit) };
}

// The record that is kept of it.
export const record = ({ name, kind }, threads, { ns, limit, bytes }) => ({
  name,
  kind,
  threads,
  ns,
  gbps: bytes / ns,
  limit_ns: limit,
});

// Collects records, and what went wrong: a run with a wrong result fails, but only after all else was measured.
export class Book {
  records = [];
  failures = 0;

  // Whether the result counts; else its reason has been told.
  add(item, threads, result) {
    if (result.failed) {
      ++this.failures;
      console.log(`${item.kind} ${item.name}  ${result.failed}`);
      return false;
    }
    this.records.push(record(item, threads, result));
    return true;
  }
}
