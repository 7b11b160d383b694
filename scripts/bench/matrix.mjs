// Every operator with every element type that it takes, as ratios to the limit.
import { Book, measure } from './measure.mjs';
import { times } from './table.mjs';

const large = [1024, 1024];
const row = [1024];

// Operators without a vector instruction: 64-bit integer division and exact remainders of floats work element by element,
// powers of integers by repeated squaring in vectors.
const isFloat = (dtype) => /^b?f(16|32|64)$/.test(dtype);
const isExempt = ({ op, dtypes, fmod }) =>
  (op === 'Mod' && fmod === '1' && isFloat(dtypes[0])) ||
  (op === 'Pow' && !isFloat(dtypes[0])) ||
  ((op === 'Div' || op === 'Mod') && /^[iu]64$/.test(dtypes[0]));

const shapesOf = { Where: [large, large, row], Broadcast: [row], Cast: [large] };

// Cases for the vocabulary that the program reports.
export function matrixCases(vocabulary) {
  return vocabulary.map(({ op, dtypes, attribute }) => {
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
    if (key) item[key] = value;
    return item;
  });
}

export async function matrix(program, cases, { rounds, threads }) {
  const book = new Book();
  const types = [...new Set(cases.map(({ of }) => of))];
  const lines = [...new Set(cases.map(({ line }) => line))];
  console.log('[1024,1024] op [1024], x limit; * no vector instruction exists\n');
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
        const result = await measure(program, item, { threads, rounds, least: 5e5 });
        const good = book.add(item, threads, result);
        cells.push(good ? times(result.ratio) + (isExempt(item) ? '*' : ' ') : 'wrong ');
      }
      print(line, cells);
    }
    console.log();
  }
  return book;
}
