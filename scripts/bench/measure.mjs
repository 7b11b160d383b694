// Measures one case: opens it (plan, run, check), then times rounds of the work, of the loop that moves its bytes (the limit)
// and of its operator's arithmetic, in turn. The floor is the slower of the two.
//
// A round takes a millisecond, or one call if that is longer. The scheduler takes the core away for longer than that, so an
// interruption affects few rounds strongly, which the median ignores, rather than all rounds slightly.
import { requestWords } from './cases.mjs';
import { floorOf, median, ratio } from './statistics.mjs';

// Resolves to {ns, limit, arithmetic, floor, ratio, interval, bytes, output, stores}, or to {failed} with the reason. The
// ratio is to the floor, and `floor` is the name of what it is: bytes or arithmetic.
export async function measure(program, item, { threads = 1, rounds = 15, least = 1e6, stores } = {}) {
  const opened = await program.ask(`open ${requestWords(item, { threads, least, stores })}`);
  if (opened.wrong) return { failed: `WRONG: ${opened.wrong}` };
  if (opened.error) return { failed: `FAILED: ${opened.error}` };
  return { ...opened, ...summary(await program.ask(`time rounds=${rounds}`)) };
}

// Of the times of all rounds.
export function summary({ work, limit, arithmetic }) {
  const { floor, times } = floorOf(limit, arithmetic);
  return {
    ns: median(work),
    limit: median(limit),
    arithmetic: arithmetic ? median(arithmetic) : null,
    floor,
    ...ratio(work, times),
  };
}

// The record of a case for --json.
export const record = ({ name, kind }, threads, { ns, limit, arithmetic = null, bytes }) => ({
  name,
  kind,
  threads,
  ns,
  gbps: bytes / ns,
  limit_ns: limit,
  arithmetic_ns: arithmetic,
});

// Collects records and counts failures. A run with a wrong result fails, but only after all other cases were measured.
export class Book {
  records = [];
  failures = 0;

  // Returns whether the result is valid; prints the reason if it is not.
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
