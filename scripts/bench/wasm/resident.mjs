// The package on tensors alone, each case in a process of its own: random shapes, every operator on every type, and operators
// on dense operands.
import { Failure } from '../../fail.mjs';
import { arithmeticCases, matrixCases, printMatrix } from '../matrix.mjs';
import { measureRandom, secondsOf } from '../random.mjs';
import { randomCases } from '../random-cases.mjs';
import { median } from '../statistics.mjs';
import { vocabulary } from './limit.mjs';
import { Book, startRunner, toFloor } from './list.mjs';

// Resolves to {ns, ratio, interval, floor}, or to undefined if the case failed.
async function measureItem(book, item, rounds) {
  const program = startRunner('the bench', 'runner.mjs');
  try {
    const opened = await program.ask(JSON.stringify({ open: item, resident: true }));
    if (!book.answered(item, opened) || opened.wrong.resident) return undefined;
    const { error, ...measured } = await program.ask(JSON.stringify({ time: rounds }));
    if (error !== undefined) throw new Failure(`${program.name}: ${error}`);
    book.add(item, 'resident', opened, measured);
    return { ns: median(measured.resident), ...toFloor('resident', measured) };
  } finally {
    program.end();
  }
}

function filtered(cases, { filter }) {
  const some = cases.filter(({ name }) => filter.test(name));
  if (some.length === 0) throw new Failure(`no case has a name that matches ${filter.source}`);
  return some;
}

export async function random(settings) {
  const { rounds, seed = Date.now() % 1_000_000 } = settings;
  const book = new Book();
  await measureRandom(filtered(randomCases(seed), settings), (item) => measureItem(book, item, rounds), {
    seed,
    seconds: secondsOf(settings),
    goal: 1.3,
    vectorBytes: 16,
  });
  return book;
}

const matrixOf = (casesOf, what) => async (settings) => {
  const book = new Book();
  const cases = filtered(casesOf(await vocabulary()), settings);
  await printMatrix(cases, what, (item) => measureItem(book, item, settings.rounds));
  return book;
};

export const matrix = matrixOf(matrixCases, '[1024,1024] op [1024]');
export const arithmetic = matrixOf(arithmeticCases, 'dense operands of 128 KiB with their result');
