// Errors of broadloom/regions and broadloom/zarr; as in refusals.mjs.

import { load } from 'broadloom';
import { planRegions } from 'broadloom/regions';
import { applyZarr, zarr } from './zarrita.mjs';

const bl = await load();
const plan = planRegions(bl, 'Add', 'numpy', [[4, 1], [5]], ['f32', 'f32']);
const all = { begin: 0, end: 4 };
const LITTLE = { name: 'bytes', configuration: { endian: 'little' } };

/** Makes an array in a store of its own; `change` may change its metadata, and `bytes` are its chunks. */
async function make({ change, bytes = new Uint8Array(16), store = new Map(), ...options } = {}) {
  const given = { shape: [4], chunkShape: [4], dtype: 'float32', fillValue: 0, codecs: [LITTLE], ...options };
  const made = await zarr.create(zarr.root(store).resolve('x'), given);
  if (bytes !== null) store.set('/x/c/0', bytes);
  if (change !== undefined) {
    const document = JSON.parse(new TextDecoder().decode(store.get('/x/zarr.json')));
    store.set('/x/zarr.json', new TextEncoder().encode(JSON.stringify({ ...document, ...change })));
  }
  return made;
}

const row = { data: new Float32Array(4), shape: [4] };
const reading = async (options) => applyZarr('Add', [await make(options), row], await make());
const writing = async (options, given) => applyZarr('Add', [row, row], await make(options), given);
const refusing = (words) =>
  Object.assign(new Map(), {
    set(key, value) {
      if (this.size > 0 && new TextDecoder().decode(value).includes(words)) throw new Error('refused');
      return Map.prototype.set.call(this, key, value);
    },
  });
const twice = async () => {
  const array = await make();
  return applyZarr('Add', [array, row], array);
};
const shards = {
  name: 'sharding_indexed',
  configuration: { chunk_shape: [4], codecs: [LITTLE], index_codecs: [LITTLE] },
};

/** By group: a call, its error's code, and the message. */
export const REFUSALS = {
  Regions: [
    [
      () =>
        plan.within([
          { begin: 1, end: 1 },
          { begin: 0, end: 5 },
        ]),
      'extent',
      'The box (0, 5) has no elements.',
    ],
    [() => plan.inputRegions(7), 'extent', 'A box is a list of {begin, end}, not 7.'],
    [() => plan.inputRegions([all]), 'extent', 'The ranges of a box are as many as the result has axes: 2, not 1.'],
    [
      () => plan.inputRegions([all, { begin: 3, end: 6 }]),
      'extent',
      'The box, axis 1: 3 to 6 is no range of indexes from 0 to 5.',
    ],
  ],
  'Zarr arrays': [
    [() => applyZarr('Add', 7, 8), 'arity', 'The operands are a list, not 7.'],
    [() => applyZarr('Add', [row], 8), 'dtype.unsupported', 'The result goes into a Zarr array, not 8.'],
    [() => writing({}, { memory: -1 }), 'attribute.out_of_range', 'memory has to be a number of bytes, not -1.'],
    [() => writing({}, { missing: 1 }), 'attribute.out_of_range', "missing has to be 'error' or 'fill', not 1."],
    [
      () => writing({}, { memory: 9 }),
      'limit',
      'The result (/x), chunk (0), box [0:4]: a chunk takes 48 bytes, and memory is 9. A chunk of the result has 16 bytes, those of the operands: in memory, in memory. Give more memory, or make the result with smaller chunks.',
    ],
    [() => writing({ shape: [5] }), 'incompatible', 'The result (/x): it has shape (5,), not (4,).'],
    [() => writing({ dtype: 'float64' }), 'dtype', 'The result (/x): it has elements f64, not f32.'],
    [
      () => writing({ change: { codecs: [shards] }, store: Object.assign(new Map(), { getRange() {} }) }),
      'dtype',
      'The result (/x): zarrita cannot write shards.',
    ],
    [
      async () =>
        applyZarr(
          'Add',
          [row, row],
          await zarr.open.v3(zarr.root({ get: Map.prototype.get.bind((await make()).store) }).resolve('x'), {
            kind: 'array',
          }),
        ),
      'dtype',
      'The result (/x): its store cannot be written: it has no method `set`.',
    ],
    [
      async () =>
        applyZarr(
          'Add',
          Array(2).fill({ data: new BigInt64Array(5), shape: [5] }),
          await make({ shape: [5], dtype: 'int64', fillValue: undefined }),
        ),
      'dtype',
      'The result (/x): its fill value is null, so zarrita cannot write its last chunks: create it with fillValue: 0.',
    ],
    [twice, 'overlap', 'The result (/x): it is an operand as well. Write the result into an array of its own.'],
    [
      () => writing({ store: refusing('"complete"') }),
      'length',
      'The result (/x): its attributes cannot be written: refused.',
    ],
    [
      () => reading({ bytes: null }),
      'length',
      "Operand A (/x), chunk (0), box [0:4]: the stored chunk is missing. Restore it, or give missing: 'fill' if the array was written without chunks that have the fill value alone.",
    ],
    [
      () => reading({ bytes: new Uint8Array(8) }),
      'length',
      'Operand A (/x), chunk (0), box [0:4]: the stored chunk cannot be read: it has 2 elements, not 4. Restore it, or write the array again.',
    ],
    [
      () => reading({ bytes: new Uint8Array(20), codecs: [LITTLE, { name: 'crc32c', configuration: {} }] }),
      'length',
      'Operand A (/x), chunk (0), box [0:4]: the stored chunk cannot be read: its checksum is wrong. Restore it, or write the array again.',
    ],
    [
      () => reading({ change: { attributes: { broadloom: { complete: false } } } }),
      'length',
      'Operand A (/x): it was not written to its end, so some of its chunks are missing: remove it, and write it again.',
    ],
    [
      () => reading({ change: { shape: [1.5] } }),
      'length',
      'Operand A (/x): its shape is a list and its chunks are a list, which is no grid.',
    ],
    [
      () => reading({ change: { data_type: 'int4' } }),
      'dtype',
      'Operand A (/x): zarrita cannot open it: Unknown or unsupported dataType: int4.',
    ],
    [
      () => reading({ change: { data_type: 'string' }, bytes: null }),
      'dtype',
      'Operand A (/x): its elements are string; Broadloom and zarrita share bool, int8, int16, int32, int64, uint8, uint16, uint32, uint64, float16, float32, float64.',
    ],
    [
      async () => {
        const array = await make();
        array.store.clear();
        return applyZarr('Add', [array, row], await make());
      },
      'length',
      'Operand A (/x): there is no array.',
    ],
    [
      async () => {
        const array = await make();
        array.store.get = () => Promise.reject(new Error('no answer'));
        return applyZarr('Add', [array, row], await make());
      },
      'length',
      'Operand A (/x): its metadata cannot be read: no answer.',
    ],
    [
      () => writing({ codecs: [LITTLE, { name: 'crc32c', configuration: {} }] }),
      'length',
      'The result (/x), chunk (0), box [0:4]: the chunk cannot be written: Failed to encode chunk via codec "crc32c" (Unsupported: crc32c encode).',
    ],
  ],
};
