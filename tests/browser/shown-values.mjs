// What the page shows of elements, and what it has to show: the answers in value-answers.txt to the questions of
// value-questions.mjs. They are independent of core and page; scripts/generate-page-answers.py makes them.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { agrees, elementsFrom } from './element-codes.mjs';
import { mostUlps } from '../reference/accuracy.mjs';
import { addressOf } from './value-questions.mjs';

export const answers = new Map(
  readFileSync(new URL('value-answers.txt', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [id, key, operands, result, hand] = line.split('\t');
      return [id, { key, operands: operands.split(','), result, hand: hand.split(',').map(Number) }];
    }),
);

// --- What the page shows ------------------------------------------------------------------------------------------------

// Runs in the page: all that it shows of elements.
export function shown() {
  const text = (selector) => document.querySelector(selector)?.textContent.trim() ?? '';
  const cellsOf = (grid) =>
    [...grid.querySelectorAll('[role=gridcell]')].map((cell) => [
      cell.dataset.index.split(',').filter(Boolean).map(Number),
      cell.getAttribute('aria-label').replace(/^[^]* = /, ''),
      cell.textContent,
    ]);
  const grids = [...document.querySelectorAll('.cells[id^="grid-"]')];
  const operands = grids.filter(({ id }) => id !== 'grid-result').sort((a, b) => a.id.slice(5) - b.id.slice(5));
  const why = document.querySelector('#arithmetic');
  return {
    state: document.querySelector('#answer')?.dataset.state,
    headline: text('#verdict .headline') || text('#verdict'),
    operands: operands.map(cellsOf),
    result: grids.filter(({ id }) => id === 'grid-result').flatMap(cellsOf),
    terms: [...(why?.querySelectorAll('.term') ?? [])].map(({ textContent }) => textContent),
    hand: why?.querySelector('.hand')?.textContent,
  };
}

// Opens each question by its address, and gives what the page shows of each. They are told apart by numbers, from `first` on.
export function openEach(page, questions, first) {
  const all = questions.map((question, i) => [first + i, addressOf(question, first + i)]);
  return page.evaluate(follow, { all, read: shown.toString() });
}

// Runs in the page: follows links within it, and gives what it shows of each.
async function follow(links) {
  const read = new Function(`return (${links.read})()`);
  const seen = [];
  for (const [mark, fragment] of links.all) {
    location.hash = fragment;
    const since = performance.now();
    const arrived = () =>
      new URLSearchParams(document.querySelector('#answer')?.dataset.shows ?? '').get('seed') === String(mark);
    while (!arrived()) {
      if (performance.now() - since > 120_000) throw new Error(`no answer to ${fragment}`);
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    seen.push(read());
  }
  return seen;
}

// --- What it has to show ------------------------------------------------------------------------------------------------

// What is wrong with what the page shows of a question, in one line, or null.
export function faultOf(question, seen) {
  const { id, operands: specs, op, result, dtype, computed, output, at } = question;
  const answer = answers.get(id);
  if (seen.state !== 'fits') return `${id}: ${seen.state}: ${seen.headline}`;
  const typed = specs.map(({ dtype: own }, i) => elementsFrom(answer.operands[i], own));
  const type =
    question.to ?? (result === 'bool' ? 'bool' : op === 'Broadcast' ? specs[output].dtype : (computed ?? dtype));
  const wanted = elementsFrom(answer.result, type);
  const units = mostUlps(op, type);

  const compare = (what, cells, elements, shape, held, off) => {
    if (cells.length !== elements.length) return `${id}: ${what} shows ${cells.length} of ${elements.length} elements`;
    for (const [index, text, cut] of cells) {
      const element = elements[index.reduce((flat, i, axis) => flat * shape[axis] + i, 0)];
      if (!agrees(text, element, held, off)) return `${id}: ${what} [${index}] shows ${text}, not ${element} (${held})`;
      const [head, tail] = cut.split('…');
      if (tail === undefined ? cut !== text : !text.startsWith(head) || !text.endsWith(tail))
        return `${id}: ${what} [${index}] is ${text}, but in the cell ${cut}`;
    }
    return null;
  };
  for (const [i, { shape, dtype: own }] of specs.entries()) {
    const fault = compare(`operand ${i}`, seen.operands[i] ?? [], typed[i], shape, own, 0);
    if (fault) return fault;
  }
  // The cell in hand is in the last row.
  const columns = wanted.length / (at[0] + 1);
  const fault = compare('the result', seen.result, wanted, [at[0] + 1, columns], type, units);
  if (fault) return fault;

  // The cell in hand, spelled out: the operands' names come first, and their values after them.
  const hand = wanted[at[0] * columns + at[1]];
  if (!agrees(seen.hand, hand, type, units)) return `${id}: spelled out as ${seen.hand}, not ${hand} (${type})`;
  const values = seen.terms.slice(seen.terms.length / 2);
  const told = op === 'Broadcast' ? [] : specs.map((spec, i) => [values[i], typed[i][answer.hand[i]], spec.dtype]);
  const odd = told.find(([text, element, own]) => text === undefined || !agrees(text, element, own, 0));
  return odd ? `${id}: spelled out with ${odd[0]}, not ${odd[1]} (${odd[2]})` : null;
}

export function report(faults) {
  const most = 25;
  const rest = faults.length > most ? [`... and ${faults.length - most} more`] : [];
  assert.equal(faults.length, 0, `\n${[...faults.slice(0, most), ...rest].join('\n')}`);
}
