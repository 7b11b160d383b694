// Numbers the locals of a module's functions as those of similar functions beside them.
//
// Optimisers number locals by how often they are used. Two loops that differ by one instruction then often have other
// numbers throughout, and gzip finds few equal bytes. Here each function is tried with several numberings, and has the one
// that compresses best beside the other functions: the core module is 4 % smaller when compressed. A function may
// have a few locals that it does not use, which cost nothing where it is optimised.

import { compressedSize } from './compressed.mjs';
import { bodyOf } from './module.mjs';
import { WINDOW } from './order.mjs';

// Instructions are alike if so many in a row are the same but for the numbers of locals.
const SEQUENCE = 3;
// Of so many functions on each side, a function's locals are numbered like those of the ones that are most similar to it.
const BESIDE = 80;
const SIMILAR = 10;
// Added to the number of a function's sequences when shares are compared, so that very short functions are no models.
const SHORT = 20;
// Where nothing says otherwise, locals are in the order of their types: i32, i64, v128, f32, f64.
const TYPES = [0x7f, 0x7e, 0x7b, 0x7d, 0x7c];

/**
 * The bodies of functions, in their order. `again`: the functions have such numbers, so that those after a function count as
 * well as those before it.
 */
export async function numberLocals(functions, { again = false } = {}) {
  const all = functions.map((each) => {
    const sequences = sequencesOf(each);
    return { ...each, ...asBefore(each), body: each.bytes, sequences, places: placesOf(sequences) };
  });
  for (const [index, each] of all.entries()) {
    const before = all.slice(0, index);
    const after = again ? all.slice(index + 1) : [];
    const similar = mostSimilar(each, [...before.slice(-BESIDE), ...after.slice(0, BESIDE)]);
    const numberings = [byUse(each), byPlace(each), ...similar.map((model) => asIn(model, each))];
    if (again) numberings.unshift(asBefore(each));
    const left = bodiesOf(before).subarray(-WINDOW);
    const right = bodiesOf(after).subarray(0, WINDOW);
    // Many numberings give the same body.
    const tried = new Map();
    for (const numbering of numberings) {
      const body = bodyOf(each, numbering.numbers, numbering.types);
      tried.set(body.toString('latin1'), { ...numbering, body });
    }
    const different = [...tried.values()];
    const sizes = await Promise.all(different.map(({ body }) => compressedSize(Buffer.concat([left, body, right]))));
    Object.assign(each, different[sizes.indexOf(Math.min(...sizes))]);
  }
  return all.map(({ body }) => body);
}

const bodiesOf = (functions) => Buffer.concat(functions.map(({ body }) => body));

/** Locals have the numbers that they have. */
const asBefore = ({ locals }) => ({ numbers: [...locals.keys()], types: locals });

/** The locals that are used most come first, of each type. */
function byUse(each) {
  const uses = each.locals.map(() => 0);
  for (const { local } of each.instructions) if (local !== undefined) ++uses[local];
  return sorted(each, (a, b) => uses[b] - uses[a]);
}

/** Locals are in the order in which they are used first, of each type. */
function byPlace(each) {
  const first = each.locals.map(() => each.instructions.length);
  each.instructions.forEach(({ local }, place) => {
    if (local !== undefined) first[local] = Math.min(first[local], place);
  });
  return sorted(each, (a, b) => first[a] - first[b]);
}

function sorted({ parameters, locals }, compare) {
  const rank = (local) => TYPES.indexOf(locals[local]);
  const order = [...locals.keys()].slice(parameters).sort((a, b) => rank(a) - rank(b) || compare(a, b) || a - b);
  const numbers = [...locals.keys()];
  order.forEach((local, place) => (numbers[local] = parameters + place));
  return { numbers, types: [...locals.slice(0, parameters), ...order.map((local) => locals[local])] };
}

/** At each place of a function, what its next instructions are but for the numbers of locals. */
function sequencesOf({ instructions, locals }) {
  const alike = instructions.map(({ bytes, operator, local }) =>
    local === undefined ? bytes.toString('latin1') : `${operator} ${locals[local]}`,
  );
  return alike.slice(0, 1 - SEQUENCE).map((_, place) => alike.slice(place, place + SEQUENCE).join('|'));
}

function placesOf(sequences) {
  const places = new Map();
  sequences.forEach((sequence, place) => {
    if (places.has(sequence)) places.get(sequence).push(place);
    else places.set(sequence, [place]);
  });
  return places;
}

function mostSimilar({ sequences }, others) {
  const own = new Set(sequences);
  const shares = others.map((model) => {
    const common = [...own].filter((sequence) => model.places.has(sequence)).length;
    return { model, share: common / (own.size + SHORT) };
  });
  return shares
    .sort((a, b) => b.share - a.share)
    .slice(0, SIMILAR)
    .map(({ model }) => model);
}

/** Locals have the numbers that `model` has most often where its instructions are alike. */
function asIn(model, { parameters, locals, instructions, sequences }) {
  const votes = new Map(); // for "local number": how often
  let last = 0;
  sequences.forEach((sequence, place) => {
    const places = model.places.get(sequence);
    if (!places) return;
    last = places.find((other) => other >= last) ?? places.at(-1);
    for (let i = 0; i < SEQUENCE; ++i) {
      const { local } = instructions[place + i];
      if (local === undefined || local < parameters) continue;
      const vote = `${local} ${model.numbers[model.instructions[last + i].local]}`;
      votes.set(vote, (votes.get(vote) ?? 0) + 1);
    }
  });

  const numbers = locals.map((_, local) => (local < parameters ? local : -1));
  const types = [...locals.slice(0, parameters), ...model.types.slice(parameters)];
  const isFree = types.map((_, number) => number >= parameters);
  const give = (local, number) => {
    numbers[local] = number;
    isFree[number] = false;
  };
  for (const [vote] of [...votes].sort((a, b) => b[1] - a[1])) {
    const [local, number] = vote.split(' ').map(Number);
    if (numbers[local] < 0 && isFree[number] && types[number] === locals[local]) give(local, number);
  }
  // The others have numbers that are left, of their type, or new ones.
  const others = [...locals.keys()].filter((local) => numbers[local] < 0);
  others.sort((a, b) => TYPES.indexOf(locals[a]) - TYPES.indexOf(locals[b]));
  for (const local of others) {
    const number = types.findIndex((type, free) => isFree[free] && type === locals[local]);
    give(local, number < 0 ? types.push(locals[local]) - 1 : number);
  }
  while (isFree[types.length - 1]) types.pop();
  return { numbers, types };
}
