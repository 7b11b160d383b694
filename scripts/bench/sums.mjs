// Sums to an operand's shape (sumTo), in every form, against a loop that only reads the input, and one that reads the input
// and writes as many bytes as the sums have.
import { Book } from './measure.mjs';
import { median, ratio } from './statistics.mjs';
import { gigabytes, nanoseconds, span, table, times } from './table.mjs';

const goal = 1.3;
const inputBytes = 8 * 1024 * 1024;
const types = { u8: 1, i16: 2, i32: 4, i64: 8, f16: 2, bf16: 2, f32: 4, f64: 8 };
const lengths = [2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 24, 31, 33, 64, 100, 1000];

// [extents after N in the input, extents after N in the sums]; null: N is also summed, and the third entry is the sums' shape.
const forms = {
  full: [[], null],
  nchw: [[64, 56, 56], null, [64, 1, 1]],
  ...Object.fromEntries([2, 3, 5, 8, 13, 17, 33, 1000].map((k) => [`columns_${k}`, [[k], null, [k]]])),
  ...Object.fromEntries(lengths.map((k) => [`rows_${k}`, [[k], [1]]])),
  middle_2x4: [
    [2, 4],
    [1, 4],
  ],
  middle_3x3: [
    [3, 3],
    [1, 3],
  ],
  middle_5x8: [
    [5, 8],
    [1, 8],
  ],
  middle_7x20: [
    [7, 20],
    [1, 20],
  ],
  middle_3x64: [
    [3, 64],
    [1, 64],
  ],
  turns_2x2x2: [
    [2, 2, 2],
    [1, 2, 1],
  ],
  turns_3x4x2: [
    [3, 4, 2],
    [1, 4, 1],
  ],
  turns_2x3: [[2, 3], null, [2, 1]],
};

export function sumsCases() {
  const cases = [];
  for (const [form, [rest, kept, whole = []]] of Object.entries(forms)) {
    for (const [dtype, width] of Object.entries(types)) {
      const n = Math.floor(inputBytes / width / rest.reduce((product, extent) => product * extent, 1));
      cases.push({ name: `${form}_${dtype}`, kind: 'sum', dtype, from: [n, ...rest], to: kept ? [n, ...kept] : whole });
    }
  }
  return cases;
}

async function measureSum(program, { dtype, from, to, spoil }, rounds) {
  const spoilt = spoil === undefined ? '' : ` spoil=${spoil}`;
  const answer = await program.ask(`sum dtype=${dtype} from=[${from}] to=[${to}] rounds=${rounds}${spoilt}`);
  if (answer.wrong) return { failed: `WRONG: ${answer.wrong}` };
  if (answer.error) return { failed: `FAILED: ${answer.error}` };
  const { work, read, limit } = answer;
  const bytes = from.reduce((product, extent) => product * extent, types[dtype]);
  const overRead = ratio(work, read).ratio;
  return { bytes, ns: median(work), limit: median(limit), overRead, ...ratio(work, limit) };
}

export async function sums(program, cases, { rounds }) {
  const book = new Book();
  console.log(`inputs of 8 MiB; goal: at most ${goal} x the limit, which reads the input and writes the sums' bytes`);
  const row = table(['sum', 20], ['ns', 12], ['GB/s', 8], ['x read', 9], ['x limit', 9], ['95 %', 14]);
  let above = 0;
  for (const item of cases) {
    const result = await measureSum(program, item, rounds);
    if (!book.add(item, 1, result)) continue;
    const { ns, bytes, overRead } = result;
    if (result.ratio > goal) ++above;
    row(item.name, nanoseconds(ns), gigabytes(bytes, ns), times(overRead), times(result.ratio), span(result.interval));
  }
  console.log(`\n${above} of ${book.records.length} above the goal`);
  return book;
}
