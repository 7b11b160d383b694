// Runs one case in the package, with its limits, in a process of its own, so that neither code compiled for other cases nor
// their memory affects its times.
import { Failure } from '../../fail.mjs';
import * as broadloom from './broadloom.mjs';
import { arrayFor, bytesIn, elementCount, makeOperands, spread } from './elements.mjs';
import { copyLimit, wasmArithmetic, wasmLimit } from './limit.mjs';
import { firstDifference, reference } from './reference.mjs';
import { answerRequests } from './requests.mjs';

// Only on tensors, and only some elements are checked: a reference in JavaScript takes longer than the measurement.
async function openResident(item) {
  const operands = makeOperands(item);
  const bl = await broadloom.loaded();
  const { work, result } = broadloom.openers.resident(bl, item, operands);
  work();
  const got = result();
  if (item.spoil !== undefined) bytesIn(got.data)[item.spoil] ^= 0x55;
  const expected = reference(item, operands, got);
  const difference = firstDifference(item, expected, got);
  if (difference !== undefined) return { description: { wrong: { resident: difference } }, works: {} };
  const bytes = [got, ...operands].map(({ data }) => data.byteLength);
  const works = { resident: work, limit: (await wasmLimit(bytes[0], bytes.slice(1))).move };
  const arithmetic = await wasmArithmetic(item, got.shape);
  if (arithmetic) works.arithmetic = arithmetic;
  return { description: { bytes: bytes.reduce((sum, size) => sum + size), wrong: {} }, works };
}

async function open(item, { resident }) {
  if (resident) return openResident(item);
  const given = makeOperands(item);
  const bl = await broadloom.loaded();
  // The package runs first, because its message is the best one if it refuses the case.
  const plain = broadloom.openers.typed(bl, item, given);
  plain.work();
  if (Array.isArray(plain.result())) throw new Failure('several results');
  const expected = reference(item, given);
  const fresh = arrayFor(elementCount(expected.shape), expected.dtype);
  const [out, ...data] = spread([fresh, ...given.map((operand) => operand.data)]);
  const operands = given.map((operand, i) => ({ ...operand, data: data[i] }));

  const works = {};
  const wrong = {};
  for (const mode of broadloom.modes) {
    const { work, result } = broadloom.openers[mode](bl, item, operands, { ...expected, data: out });
    work();
    const got = result();
    if (item.spoil !== undefined) bytesIn(got.data)[item.spoil] ^= 0x55;
    const difference = firstDifference(item, expected, got);
    if (difference === undefined) works[mode] = work;
    else wrong[mode] = difference;
  }

  const bytes = [out, ...data].map(({ byteLength }) => byteLength);
  works.limit = (await wasmLimit(bytes[0], bytes.slice(1))).move;
  const arithmetic = await wasmArithmetic(item, expected.shape);
  if (arithmetic) works.arithmetic = arithmetic;
  works.copies = copyLimit(data, out, true);
  works.copies_out = copyLimit(data, out, false);
  return { description: { bytes: bytes.reduce((sum, size) => sum + size), wrong }, works };
}

await answerRequests(open, broadloom.refusal);
