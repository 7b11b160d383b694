// The JavaScript loop for one case, in a process without wasm: after a wasm memory has grown, which detaches its buffer, V8
// compiles all loops over typed arrays with more checks.
import { Failure } from '../../fail.mjs';
import { arrayFor, bytesIn, elementCount, makeOperands, spread } from './elements.mjs';
import { namesOf } from './loops.mjs';
import { firstDifference, reference } from './reference.mjs';
import { answerRequests } from './requests.mjs';

// The time after which V8 has inlined a whole loop into one function.
const trialMs = 150;

// The fastest way to write the loop, either into `out` or, without `out`, into any array.
async function fastest(item, data, expected, out) {
  let best;
  for (const name of namesOf(item)) {
    const { write } = await import(`./loops.mjs?${name}${out ? '' : '-anywhere'}`);
    const run = write(name, item, data, out);
    if (run === undefined) continue;
    const to = out ?? expected.data.slice();
    bytesIn(to).fill(0x55);
    run(to);
    const difference = firstDifference(item, expected, { data: to });
    if (difference !== undefined) throw new Failure(`the JavaScript loop "${name}" is wrong: ${difference}`);
    let least = Infinity;
    const begin = performance.now();
    for (let calls = 0; calls < 5 || performance.now() - begin < trialMs; ++calls) {
      const start = performance.now();
      run(to);
      least = Math.min(least, performance.now() - start);
    }
    if (best === undefined || least < best.least) best = { name, run, least };
  }
  return best;
}

async function open(item) {
  const operands = makeOperands(item);
  const expected = reference(item, operands);
  const fresh = arrayFor(elementCount(expected.shape), expected.dtype);
  const [out, ...data] = spread([fresh, ...operands.map((operand) => operand.data)]);
  const into = await fastest(item, data, expected, out);
  const anywhere = await fastest(item, data, expected);
  const works = into ? { js_out: into.run, js: () => anywhere.run(new out.constructor(out.length)) } : {};
  return { description: { loop: into?.name }, works };
}

await answerRequests(open);
