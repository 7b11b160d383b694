// Moves functions of a module beside similar ones wherever the module gets smaller.
//
// orderBySimilarity takes one function after the other and changes no place again. Here a move is tried, and kept if the
// functions add less to what gzip writes at their new place.

import { generator } from '../../scripts/random-numbers.mjs';
import { compressedSize } from './compressed.mjs';
import { sequencesIn, shareOf } from './sequences.mjs';

// Where a function compresses best is found out with so many bytes before it, and so many after it.
const CONTEXT = 16_000;
// How many moves are tried, each of so many functions that follow each other, at most.
const MOVES = 1000;
const MOST_MOVED = 3;
// Sequences that more functions contain are not counted.
const MOST_HOLDERS = 60;
// Of each function so many similar ones are known.
const SIMILAR = 12;

/**
 * Indices of functions, given by their bodies in their order, in their new order. Moves are chosen by chance, with one `seed`
 * always the same.
 */
export async function moveToSimilar(bodies, seed) {
  const similar = similarFunctions(bodies);
  const { between } = generator(seed);
  let order = [...bodies.keys()];
  const sizeOf = (parts) => compressedSize(Buffer.concat(parts.flat().map((index) => bodies[index])));
  // The functions of CONTEXT bytes, about, before and after a place in an order.
  const before = (list, place) => {
    let begin = place;
    for (let size = 0; begin > 0 && size < CONTEXT; --begin) size += bodies[list[begin - 1]].length;
    return list.slice(begin, place);
  };
  const after = (list, place) => {
    let end = place;
    for (let size = 0; end < list.length && size < CONTEXT; ++end) size += bodies[list[end]].length;
    return list.slice(place, end);
  };
  for (let move = 0; move < MOVES; ++move) {
    const from = between(0, order.length - 1);
    const count = between(1, MOST_MOVED);
    const beside = similar[order[from]][between(0, SIMILAR - 1)];
    const moved = order.slice(from, from + count);
    if (beside === undefined || moved.includes(beside)) continue;
    const others = order.toSpliced(from, count);
    const to = others.indexOf(beside) + between(0, 1);
    // With the functions at either place, and without them.
    const sizes = [to, from].flatMap((place) => {
      const [left, right] = [before(others, place), after(others, place)];
      return [sizeOf([left, moved, right]), sizeOf([left, right])];
    });
    const [withTo, withoutTo, withFrom, withoutFrom] = await Promise.all(sizes);
    if (withTo - withoutTo < withFrom - withoutFrom) order = others.toSpliced(to, 0, ...moved);
  }
  return order;
}

/** For each function the indices of those that are most similar to it. */
function similarFunctions(bodies) {
  const { sets, holders } = sequencesIn(bodies);
  return sets.map((set, index) => {
    const common = new Map(); // of another function: how many sequences are the same
    for (const sequence of set) {
      const all = holders.get(sequence);
      if (all.length > MOST_HOLDERS) continue;
      for (const other of all) if (other !== index) common.set(other, (common.get(other) ?? 0) + 1);
    }
    const share = ([other, count]) => shareOf(count, sets[other]);
    const best = [...common].sort((a, b) => share(b) - share(a) || a[0] - b[0]);
    return best.slice(0, SIMILAR).map(([other]) => other);
  });
}
