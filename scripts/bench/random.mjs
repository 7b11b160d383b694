// Random shapes of each class of cases: shows whether the library also reaches the floor for shapes that are not in the list.
// Measures as many cases as there is time for.
import { coalesce, numpyForm, requestWords, resultShape, shapesText } from './cases.mjs';
import { Book, measure } from './measure.mjs';
import { cachedResults, streamedResults } from './random-cases.mjs';
import { median } from './statistics.mjs';
import { nanoseconds, span, table, times } from './table.mjs';
import { bitsOf } from './wasm/elements.mjs';

const worstCount = 10;

// The seconds for which cases are measured.
export const secondsOf = ({ seconds, full }) => seconds ?? (full ? 20 * 60 : 2 * 60);

// Bytes of the innermost run: of the last axis, after axes that no operand repeats differently are joined.
export function runBytes(item) {
  const form = numpyForm(item);
  const { target } = coalesce({ shapes: form.shapes, target: resultShape(form) });
  return ((target.at(-1) ?? 1) * bitsOf(item.dtypes.at(-1))) / 8;
}

// Of a SIMD target of the native library.
const vectorBytesOf = (target) => (/^AVX3/.test(target) ? 64 : /^AVX2/.test(target) ? 32 : 16);

export async function random(program, cases, { seed, rounds, threads, streamed, ...settings }) {
  const { target } = await program.ask('about');
  const book = new Book();
  const measureItem = async (item) => {
    const result = await measure(program, item, { threads, rounds, least: 5e5 });
    return book.add(item, threads, result) ? result : undefined;
  };
  await measureRandom(cases, measureItem, {
    seed,
    seconds: secondsOf(settings),
    goal: 1.25,
    vectorBytes: vectorBytesOf(target),
    ...(streamed && { sizes: streamedResults.text, mode: '--random --streamed' }),
  });
  return book;
}

// measureItem(item) resolves to {ns, ratio, interval, floor}, or to undefined if the case failed. Every class is measured at
// least once.
export async function measureRandom(
  cases,
  measureItem,
  { seed, seconds, goal, vectorBytes, sizes = cachedResults.text, mode = '--random' },
) {
  console.log(`random shapes, --seed ${seed}; ${seconds} s; goal: at most ${goal} x the floor`);
  const end = performance.now() + seconds * 1000;
  const measured = [];
  const seen = new Set();
  for (const item of cases) {
    if (performance.now() > end && seen.has(item.class)) break;
    seen.add(item.class);
    const result = await measureItem(item);
    if (result) measured.push({ item, ...result });
  }
  const large = measured.filter(({ item }) => !item.isSmall);
  // An interruption makes a case slow once, hardly twice.
  const worst = byRatio(large).slice(-worstCount).reverse();
  for (const one of worst) Object.assign(one, await measureItem(one.item));
  printLarge(large, { goal, vectorBytes, sizes });
  printSmall(measured.filter(({ item }) => item.isSmall));
  printWorst(byRatio(worst).reverse(), `${mode} --seed ${seed}`);
}

const byRatio = (measured) => measured.toSorted((a, b) => a.ratio - b.ratio);
const classesOf = (measured) => [...new Set(measured.map(({ item }) => item.class))];

function printLarge(measured, { goal, vectorBytes, sizes }) {
  if (measured.length === 0) return;
  console.log(`\n${measured.length} cases with results of ${sizes}`);
  const row = table(['class', 30], ['cases', 7], ['within', 9], ['median', 9], ['worst', 9]);
  const print = (name, some) => {
    if (some.length === 0) return;
    const ratios = some.map(({ ratio }) => ratio);
    const within = ratios.filter((ratio) => ratio <= goal).length;
    row(
      name,
      some.length,
      `${((100 * within) / some.length).toFixed(0)} %`,
      times(median(ratios)),
      times(Math.max(...ratios)),
    );
  };
  for (const name of classesOf(measured))
    print(
      name,
      measured.filter(({ item }) => item.class === name),
    );
  const isLong = ({ item }) => runBytes(item) >= 2 * vectorBytes;
  print('runs of two vectors or more', measured.filter(isLong));
  print(
    'shorter runs',
    measured.filter((one) => !isLong(one)),
  );
  print('all', measured);
}

function printSmall(measured) {
  if (measured.length === 0) return;
  console.log(`\n${measured.length} cases with results of 16 to 16,384 elements`);
  const row = table(['class', 30], ['cases', 7], ['x floor', 9], ['ns', 9], ['worst', 9], ['ns', 9], ['', 4]);
  for (const name of classesOf(measured)) {
    const some = byRatio(measured.filter(({ item }) => item.class === name));
    const { item, ratio, ns } = some.at(-1);
    row(
      name,
      some.length,
      times(median(some.map((one) => one.ratio))),
      nanoseconds(median(some.map((one) => one.ns))),
      times(ratio),
      nanoseconds(ns),
      '',
      `${item.op} ${item.dtypes.at(-1)} ${shapesText(item)}`,
    );
  }
}

function printWorst(worst, options) {
  if (worst.length === 0) return;
  console.log(`\nthe worst ${worst.length}, measured again; one of them alone: ${options} --filter '^NAME$'`);
  const row = table(['name', 34], ['x floor', 9], ['95 %', 14], ['floor', 12], ['', 4]);
  for (const { item, ratio, interval, floor } of worst)
    row(item.name, times(ratio), span(interval), floor, '', requestWords(item));
}
