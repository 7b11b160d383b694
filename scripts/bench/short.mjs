// Short inner axes, whose rows are not a whole number of vectors: every length, element width and form.
import { Book, measure } from './measure.mjs';
import { span, table, times } from './table.mjs';

const goal = 1.3;
const resultBytes = 4 * 1024 * 1024;
const types = { 1: 'u8', 2: 'i16', 4: 'f32', 8: 'f64' };

const forms = {
  periodic: (n, k) => [[n, k], [k]],
  repeat: (n, k) => [
    [n, k],
    [n, 1],
  ],
};

export function shortCases() {
  const cases = [];
  for (const kind of ['elementwise', 'broadcast']) {
    for (const [form, shapesOf] of Object.entries(forms)) {
      for (const [width, dtype] of Object.entries(types)) {
        for (let k = 1; k <= 33; ++k) {
          const shapes = shapesOf(Math.round(resultBytes / (k * Number(width))), k);
          const work =
            kind === 'elementwise'
              ? { op: 'Add', rule: 'numpy', dtypes: [dtype, dtype], shapes }
              : { op: 'Broadcast', rule: 'broadcast_numpy', dtypes: [dtype], shapes: [shapes[1]], target: shapes[0] };
          cases.push({ name: `${form}_${dtype}_${k}`, kind, form: `${kind} ${form}, ${width} B`, k, ...work });
        }
      }
    }
  }
  return cases;
}

export async function short(program, cases, { rounds, threads }) {
  const book = new Book();
  const above = [];
  console.log(`rows of k = 1..33 elements, results of 4 MiB; goal: at most ${goal} x the floor`);
  const row = table(['form', 30], ['median', 9], ['worst', 9], ['at k', 6], ['above goal', 12]);
  for (const form of new Set(cases.map((item) => item.form))) {
    const measured = [];
    for (const item of cases.filter((one) => one.form === form)) {
      const result = await measure(program, item, { threads, rounds, least: 5e5 });
      if (book.add(item, threads, result)) measured.push({ item, ...result });
    }
    if (measured.length === 0) continue;
    measured.sort((a, b) => a.ratio - b.ratio);
    const slow = measured.filter(({ ratio }) => ratio > goal);
    above.push(...slow);
    const worst = measured.at(-1);
    row(form, times(measured[measured.length >> 1].ratio), times(worst.ratio), worst.item.k, slow.length);
  }
  console.log(above.length ? '\nabove the goal' : '\nnone is above the goal');
  if (above.length) {
    const list = table(['form', 30], ['k', 4], ['x floor', 9], ['95 %', 14]);
    above.sort((a, b) => b.ratio - a.ratio);
    for (const { item, ratio, interval } of above) list(item.form, item.k, times(ratio), span(interval));
  }
  return book;
}
