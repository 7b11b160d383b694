// Runs one case in a peer, in a process of its own: `node peer.mjs NAME FOLDER`, where FOLDER has the installed packages. Two
// modes: on data in the library's own form, and from typed arrays to a typed array.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { numpyForm } from '../cases.mjs';
import { inRoot } from '../../paths.mjs';
import { makeOperands } from './elements.mjs';
import { firstDifference, reference } from './reference.mjs';
import { answerRequests } from './requests.mjs';

const [name, folder] = process.argv.slice(2);
// Anything that a library prints to stdout would be read as an answer.
console.log = console.info = console.warn = console.error;

const load = (file) => import(pathToFileURL(path.join(folder, 'node_modules', file)));
const { start } = await import(pathToFileURL(inRoot('tests/bench/wasm/peers', `${name}.mjs`)));

const firstLine = (error) => `${error?.message ?? error}`.split('\n', 1)[0].slice(0, 200);

// `description` is {resident, typed}: {} for a mode that can be timed, else {wrong} or {cannot} with the reason.
async function open(item) {
  const operands = makeOperands(item);
  const expected = reference(item, operands);
  // Shapes under NumPy's rule, whatever the case's rule.
  const { shapes } = numpyForm(item);
  const placed = operands.map((operand, i) => ({ ...operand, shape: shapes[i] }));
  const description = {};
  const works = {};
  let ways;
  try {
    const openCase = await start(load, folder);
    ways = await openCase({ op: item.op, operands: placed, target: expected.shape, result: expected });
  } catch (error) {
    ways = { resident: { cannot: firstLine(error) }, typed: { cannot: firstLine(error) } };
  }
  for (const [mode, way] of Object.entries(ways)) {
    const { cannot, work, result } = way;
    description[mode] = cannot === undefined ? {} : { cannot };
    if (cannot !== undefined) continue;
    try {
      await work();
      const wrong = firstDifference(item, expected, result());
      if (wrong === undefined) works[mode] = way;
      else description[mode] = { wrong };
    } catch (error) {
      description[mode] = { cannot: firstLine(error) };
    }
  }
  return { description, works };
}

await answerRequests(open);
