// Cost per byte by result size: shows the sizes of the caches, and where streaming stores begin.
import { Book, measure } from './measure.mjs';
import { bytesText, table } from './table.mjs';

const patterns = {
  row: (elements) => ({ op: 'Add', shapes: [[elements / 1024, 1024], [1024]] }),
  same: (elements) => ({ op: 'Add', shapes: [[elements], [elements]] }),
  rgb: (elements) => ({ op: 'Mul', shapes: [[Math.floor(elements / 3), 3], [3]] }),
  thin: (elements) => ({
    op: 'Mul',
    shapes: [
      [Math.floor(elements / 3), 3],
      [Math.floor(elements / 3), 1],
    ],
  }),
  fill: (elements) => ({ op: 'Broadcast', shapes: [[]], target: [elements / 1024, 1024] }),
};

export function curveCases() {
  const cases = [];
  for (let bytes = 64 * 1024; bytes <= 1024 ** 3; bytes *= 2) {
    for (const [pattern, shapesOf] of Object.entries(patterns)) {
      const work = shapesOf(bytes / 4);
      const moves = work.op === 'Broadcast';
      cases.push({
        name: `${pattern}_${bytes}`,
        kind: moves ? 'broadcast' : 'elementwise',
        pattern,
        bytes,
        rule: moves ? 'broadcast_numpy' : 'numpy',
        dtypes: work.shapes.map(() => 'f32'),
        ...work,
      });
    }
  }
  return cases;
}

export async function curve(program, cases, { rounds, threads }) {
  const book = new Book();
  const used = [...new Set(cases.map(({ pattern }) => pattern))];
  console.log('ns per byte of the result, work / floor; ~ streaming stores');
  const row = table(['result', 12], ...used.map((pattern) => [pattern, 18]));
  for (const bytes of new Set(cases.map((item) => item.bytes))) {
    const cells = [];
    for (const pattern of used) {
      const item = cases.find((one) => one.bytes === bytes && one.pattern === pattern);
      if (!item) {
        cells.push('');
        continue;
      }
      const result = await measure(program, item, { threads, rounds });
      const streams = result.stores === 'streaming' ? '~' : ' ';
      const each = (ns) => (ns / result.output).toFixed(4);
      cells.push(
        book.add(item, threads, result)
          ? `${each(result.ns)} / ${each(Math.max(result.limit, result.arithmetic ?? 0))}${streams}`
          : 'wrong',
      );
    }
    row(bytesText(bytes), ...cells);
  }
  return book;
}
