// Moves functions of a module beside similar ones wherever the module gets smaller.
//
// orderBySimilarity takes one function after the other and changes no place again. Here a move is tried, and kept if the
// functions there add less to what gzip writes: the core module is 0.5 % smaller when compressed.

import { deflateRawSync } from 'node:zlib';

// Where a function compresses best is found out with so many bytes before it, and so many after it.
const CONTEXT = 16_000;
// How many moves are tried, each of so many functions that follow each other, at most.
const MOVES = 1000;
const MOST_MOVED = 3;
// Functions are similar if they contain the same sequences of so many bytes. Sequences that more functions have are not counted.
const SEQUENCE = 6;
const MOST_HOLDERS = 60;
// Of each function so many similar ones are known.
const SIMILAR = 12;
// Added to the number of a function's sequences when shares are compared, so that very short functions do not come first.
const SHORT = 50;

/** Indices of functions, given by their bodies in their order, in their new order. The same functions give the same order. */
export function moveToSimilar(bodies) {
  const similar = similarFunctions(bodies);
  const below = generator();
  let order = [...bodies.keys()];
  const sizeOf = (parts) =>
    deflateRawSync(Buffer.concat(parts.flat().map((index) => bodies[index])), { level: 9 }).length;
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
    const from = below(order.length);
    const count = 1 + below(MOST_MOVED);
    const beside = similar[order[from]][below(SIMILAR)];
    const moved = order.slice(from, from + count);
    if (beside === undefined || moved.includes(beside)) continue;
    const others = order.toSpliced(from, count);
    const to = others.indexOf(beside) + below(2);
    // What the functions save at their new place, beyond what they save at the old one.
    const added = (place) => {
      const [left, right] = [before(others, place), after(others, place)];
      return sizeOf([left, moved, right]) - sizeOf([left, right]);
    };
    if (added(to) < added(from)) order = others.toSpliced(to, 0, ...moved);
  }
  return order;
}

/** For each function the indices of those that are most similar to it. */
function similarFunctions(bodies) {
  const sequences = bodies.map(
    (bytes) => new Set(Array.from(bytes, (_, i) => bytes.toString('latin1', i, i + SEQUENCE))),
  );
  const holders = new Map(); // of a sequence: the functions that contain it
  sequences.forEach((set, index) => {
    for (const sequence of set) holders.set(sequence, [...(holders.get(sequence) ?? []), index]);
  });
  return sequences.map((set, index) => {
    const common = new Map(); // of another function: how many sequences are the same
    for (const sequence of set) {
      const all = holders.get(sequence);
      if (all.length > MOST_HOLDERS) continue;
      for (const other of all) if (other !== index) common.set(other, (common.get(other) ?? 0) + 1);
    }
    const share = ([other, count]) => count / (sequences[other].size + SHORT);
    const best = [...common].sort((a, b) => share(b) - share(a) || a[0] - b[0]);
    return best.slice(0, SIMILAR).map(([other]) => other);
  });
}

/** Returns a function that returns whole numbers from 0 on, below its argument: the same ones in each build. */
function generator() {
  let state = 1;
  return (limit) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}
