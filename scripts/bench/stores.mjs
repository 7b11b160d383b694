// Cached and streaming stores by size, with and without reading the result afterwards: the measurement on which the automatic
// choice of stores is based.
import { Failure } from '../fail.mjs';
import { Book, measure } from './measure.mjs';
import { median } from './statistics.mjs';
import { bytesText, table } from './table.mjs';

export async function stores(program, { rounds }) {
  const book = new Book();
  const about = await program.ask('about');
  const ways = ['fill', 'fill read', 'copy', 'copy read'];
  const titles = { fill: 'fill', 'fill read': 'fill, read', copy: 'copy', 'copy read': 'copy, read' };
  console.log('ns per byte written, cached / streaming stores; "read": including reading the result once');
  if (about.stores) ways.push('row');
  const row = table(['written', 12], ...ways.map((way) => [titles[way] ?? 'row, the library', 18]));
  for (let bytes = 1024 ** 2; bytes <= 512 * 1024 ** 2; bytes *= 2) {
    const answer = await program.ask(`stores bytes=${bytes} rounds=${rounds}`);
    if (answer.error) throw new Failure(`stores: ${answer.error}`);
    const cells = ways
      .filter((way) => way !== 'row')
      .map((way) =>
        ['cached', 'streaming'].map((policy) => (median(answer[`${policy} ${way}`]) / bytes).toFixed(4)).join(' / '),
      );
    for (const [way, times] of Object.entries(answer))
      book.records.push({
        name: `${way.replaceAll(' ', '_')}_${bytes}`,
        kind: 'stores',
        threads: 1,
        ns: median(times),
        gbps: (bytes * (1 + /copy/.test(way) + /read/.test(way))) / median(times),
        limit_ns: null,
      });
    if (about.stores) {
      const pair = [];
      for (const policy of ['cached', 'streaming']) {
        const item = {
          name: `row_${policy}_${bytes}`,
          kind: 'elementwise',
          op: 'Add',
          rule: 'numpy',
          dtypes: ['f32', 'f32'],
          shapes: [[bytes / 4096, 1024], [1024]],
        };
        const result = await measure(program, item, { rounds, stores: policy });
        pair.push(book.add(item, 1, result) ? (result.ns / bytes).toFixed(4) : 'wrong');
      }
      cells.push(pair.join(' / '));
    }
    row(bytesText(bytes), ...cells);
  }
  return book;
}
