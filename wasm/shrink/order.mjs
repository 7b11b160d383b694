// Puts similar functions of a module beside each other.
//
// Gzip replaces bytes that it finds in the 32 KiB before them. In a linked module, similar functions are often further
// apart: the loops of one operator are with those of its family, the same loops for other operators elsewhere. In this
// order the core module is 3 % smaller when compressed.

import { sequencesIn, shareOf } from './sequences.mjs';

// A function is compared with so many bytes before it, a little fewer than gzip looks back at.
export const WINDOW = 28_000;

/**
 * Indices of functions, given by their bodies, in their new order: the next one is always that with the largest share of
 * sequences in the window.
 */
export function orderBySimilarity(functions) {
  const { sets, holders } = sequencesIn(functions);
  const inWindow = new Map(); // of a sequence: how many functions in the window contain it
  const common = functions.map(() => 0); // of a function: how many of its sequences are in the window
  const change = (index, by) => {
    for (const sequence of sets[index]) {
      const before = inWindow.get(sequence) ?? 0;
      inWindow.set(sequence, before + by);
      if (before === 0 || before + by === 0) for (const holder of holders.get(sequence)) common[holder] += by;
    }
  };

  const order = [];
  const left = new Set(functions.keys());
  let size = 0;
  let oldest = 0;
  while (left.size > 0) {
    const share = (index) => shareOf(common[index], sets[index]);
    const next = [...left].reduce((best, index) => (share(index) > share(best) ? index : best));
    order.push(next);
    left.delete(next);
    change(next, 1);
    for (size += functions[next].length; size > WINDOW && oldest < order.length - 1; ++oldest) {
      size -= functions[order[oldest]].length;
      change(order[oldest], -1);
    }
  }
  return order;
}
