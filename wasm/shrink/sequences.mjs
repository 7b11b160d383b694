// What functions have in common: sequences of bytes.

// The bytes of a sequence.
const LENGTH = 6;
// Added to the number of a function's sequences when its share is computed, so that very short functions do not come first.
const SHORT = 50;

/** The sequences of functions, given by their bodies: `sets`, one for each, and the `holders` of each sequence, by index. */
export function sequencesIn(bodies) {
  const sets = bodies.map((bytes) => new Set(Array.from(bytes, (_, i) => bytes.toString('latin1', i, i + LENGTH))));
  const holders = new Map();
  sets.forEach((set, index) => {
    for (const sequence of set) {
      if (holders.has(sequence)) holders.get(sequence).push(index);
      else holders.set(sequence, [index]);
    }
  });
  return { sets, holders };
}

/** The share of a function's sequences that `count` of them are. */
export const shareOf = (count, set) => count / (set.size + SHORT);
