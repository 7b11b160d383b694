// Every operator with every element type that it takes, as ratios to the floor.
import { Book, measure } from './measure.mjs';
import { times } from './table.mjs';
import { bitsOf, resultType } from './wasm/elements.mjs';

const large = [1024, 1024];
const row = [1024];

const shapesOf = { Where: [large, large, row], Broadcast: [row], Cast: [large] };

// Bytes of dense operands and their result that stay in the second-level cache.
const denseBytes = 128 * 1024;

// Cases for the vocabulary that the program reports: [1024,1024] op [1024].
export const matrixCases = (vocabulary) => vocabulary.map((entry) => matrixCase(entry));

// Dense operands, so that nothing but the arithmetic is measured.
export const arithmeticCases = (vocabulary) =>
  vocabulary
    .filter(({ op }) => op !== 'Broadcast')
    .map((entry) => {
      const item = matrixCase(entry);
      const bits = [...item.dtypes, resultType(item)].reduce((sum, dtype) => sum + bitsOf(dtype), 0);
      const count = Math.floor((denseBytes * 8) / bits / 256) * 256;
      return { ...item, shapes: item.dtypes.map(() => [count]) };
    });

function matrixCase({ op, dtypes, attribute }) {
  const [key, value] = attribute ? attribute.split('=') : [];
  const of = op === 'Where' ? dtypes[1] : dtypes[0];
  const line = `${op}${key ? ` ${attribute}` : ''}${op === 'Pow' ? ` ** ${dtypes[1]}` : ''}`;
  const item = {
    name: `${line.replaceAll(/\W+/g, '_')}_${of}`,
    kind: op === 'Broadcast' ? 'broadcast' : 'elementwise',
    line,
    of,
    op,
    rule: op === 'Broadcast' ? 'broadcast_numpy' : 'numpy',
    target: op === 'Broadcast' ? large : undefined,
    dtypes,
    shapes: shapesOf[op] ?? [large, row],
  };
  if (key) item[key] = key === 'fmod' ? Number(value) : value;
  return item;
}

export async function matrix(program, cases, { rounds, threads }) {
  const book = new Book();
  await printMatrix(cases, '[1024,1024] op [1024]', async (item) => {
    const result = await measure(program, item, { threads, rounds, least: 5e5 });
    return book.add(item, threads, result) ? result : undefined;
  });
  return book;
}

export async function arithmetic(program, cases, { rounds }) {
  const book = new Book();
  await printMatrix(cases, 'dense operands of 128 KiB with their result', async (item) => {
    const result = await measure(program, item, { rounds, least: 2e5 });
    return book.add(item, 1, result) ? result : undefined;
  });
  return book;
}

// measureItem(item) resolves to {ratio, floor}, or to undefined if the result was wrong.
export async function printMatrix(cases, what, measureItem) {
  const types = [...new Set(cases.map(({ of }) => of))];
  const lines = [...new Set(cases.map(({ line }) => line))];
  console.log(`${what}, x floor; "a": the floor is the arithmetic, not the bytes\n`);
  const print = (first, cells) =>
    console.log((first.padEnd(24) + cells.map((cell) => cell.padStart(8)).join('')).trimEnd());
  // Types that only Where and Broadcast take have a table of their own.
  const moved = types.filter((type) => cases.every(({ of, op }) => of !== type || ['Where', 'Broadcast'].includes(op)));
  for (const columns of [types.filter((type) => !moved.includes(type)), moved]) {
    const taking = lines.filter((line) => cases.some((item) => item.line === line && columns.includes(item.of)));
    if (taking.length === 0) continue;
    print('', columns);
    for (const line of taking) {
      const cells = [];
      for (const type of columns) {
        const item = cases.find((one) => one.line === line && one.of === type);
        if (!item) {
          cells.push('');
          continue;
        }
        const result = await measureItem(item);
        cells.push(result ? times(result.ratio) + (result.floor === 'arithmetic' ? 'a' : ' ') : 'wrong ');
      }
      print(line, cells);
    }
    console.log();
  }
}
