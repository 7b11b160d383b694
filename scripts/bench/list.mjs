// The list of cases: each with one thread, and also with several if --threads asks for them.
import { Book, measure } from './measure.mjs';
import { gigabytes, nanoseconds, span, table, times } from './table.mjs';

export async function list(program, cases, { threads, rounds }) {
  const book = new Book();
  const columns = [
    ['case', 28],
    ['ns', 12],
    ['GB/s', 8],
    ['limit', 8],
    ['floor', 12],
    ['x floor', 9],
    ['95 %', 17],
    ['stores', 11],
  ];
  if (threads > 1) {
    columns.splice(1, 0, ['threads', 9]);
    columns.push(['speed-up', 10]);
  }
  const row = table(...columns);
  for (const item of cases) {
    let alone;
    for (const count of threads > 1 ? [1, threads] : [1]) {
      const result = await measure(program, item, { threads: count, rounds });
      if (!book.add(item, count, result)) break;
      alone ??= result;
      const cells = [
        `${item.kind} ${item.name}`,
        nanoseconds(result.ns),
        gigabytes(result.bytes, result.ns),
        gigabytes(result.bytes, result.limit),
        result.floor,
        times(result.ratio),
        span(result.interval),
        result.stores,
      ];
      if (threads > 1) {
        cells.splice(1, 0, count);
        cells.push(count > 1 ? times(alone.ns / result.ns) : '');
      }
      row(...cells);
    }
  }
  return book;
}
