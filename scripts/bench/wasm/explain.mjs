// Explanations of random shapes of rank 8, 4 operands: alignment, cause and warnings, then repairs with their code. Each
// question is timed in turn with its alignment alone, and with another build of the package, if --against names its folder.
import { randomInt } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { Failure } from '../../fail.mjs';
import { inRoot } from '../../paths.mjs';
import { generator } from '../../random-numbers.mjs';
import { median, ratio } from '../statistics.mjs';
import { table, times } from '../table.mjs';
import { explanations } from './broadloom.mjs';
import { Timed } from './rounds.mjs';

const rank = 8;
const operands = 4;
const questionsOfEach = 24;

// Shapes that fit: along each axis an operand has the result's extent or 1. The first has it everywhere.
function fitting(random) {
  const result = Array.from({ length: rank }, () => random.between(2, 64));
  return Array.from({ length: operands }, (_, i) => {
    const own = result.map((extent) => (i === 0 || random.next() < 0.6 ? extent : 1));
    return own.slice(i === 0 || random.next() < 0.5 ? 0 : random.between(0, rank - 1));
  });
}

// The mistakes of people, made in one of the operands.
const mistakes = {
  'an axis too few': (random, shape) => shape.toSpliced(random.between(1, rank - 1), 1),
  'an axis too many': (random, shape) => shape.toSpliced(random.between(0, rank), 0, 1),
  'another order': (random, shape) => {
    const from = random.between(0, rank - 2);
    return [...shape.toSpliced(from, 1), shape[from]];
  },
  'another size': (random, shape) => shape.with(random.between(0, rank - 1), random.between(65, 99)),
};

function failing(random, mistake, fits) {
  for (;;) {
    const shapes = fitting(random);
    shapes[random.between(1, operands - 1)] = mistakes[mistake](random, shapes[0]);
    if (!fits(shapes)) return shapes;
  }
}

const microseconds = (ns) => (ns / 1000).toFixed(1);
const quantile = (values, share) => [...values].sort((a, b) => a - b)[Math.ceil(share * values.length) - 1];

export async function explain({ rounds, seed = randomInt(2 ** 31), against }) {
  const folders = { this: inRoot('wasm/dist'), ...(against && { against }) };
  const builds = {};
  for (const [name, folder] of Object.entries(folders)) {
    builds[name] = await explanations(pathToFileURL(`${folder}/index.js`).href);
  }
  const random = generator(seed);
  const questions = { 'shapes that fit': Array.from({ length: questionsOfEach }, () => fitting(random)) };
  for (const mistake of Object.keys(mistakes)) {
    questions[mistake] = Array.from({ length: questionsOfEach }, () => failing(random, mistake, builds.this.fits));
  }
  console.log(
    `Node ${process.versions.node}; rank ${rank}, ${operands} operands; medians of ${rounds} rounds; seed ${seed}`,
  );
  console.log(`${questionsOfEach} questions of each kind: their median, and the 95th percentile, in us`);
  const columns = [['', 48], ['us', 10], ['95th', 10], ['x align', 10], ...(against ? [['x other', 10]] : [])];
  const row = table(...columns);
  const records = [];
  for (const [kind, list] of Object.entries(questions)) {
    const asked = ['explain', ...(kind === 'shapes that fit' ? [] : ['repairs'])];
    const measured = Object.fromEntries(asked.map((call) => [call, { ns: [], alone: [], other: [] }]));
    for (const shapes of list) {
      const works = { align: () => builds.this.align(shapes) };
      for (const call of asked) {
        for (const [name, build] of Object.entries(builds)) works[`${name} ${call}`] = () => build[call](shapes);
        if (against && JSON.stringify(builds.against[call](shapes)) !== JSON.stringify(builds.this[call](shapes)))
          throw new Failure(`the builds answer differently: ${call} of ${JSON.stringify(shapes)}`);
      }
      const ns = await timesOf(works, rounds);
      for (const call of asked) {
        const own = ns[`this ${call}`];
        measured[call].ns.push(median(own));
        measured[call].alone.push(ratio(own, ns.align).ratio);
        if (against) measured[call].other.push(ratio(own, ns[`against ${call}`]).ratio);
      }
    }
    for (const [call, { ns, alone, other }] of Object.entries(measured)) {
      const title = call === 'explain' ? 'alignment, cause, warnings' : 'repairs with code';
      const cells = [microseconds(median(ns)), microseconds(quantile(ns, 0.95)), times(median(alone))];
      row(`${kind}: ${title}`, ...cells, ...(against ? [times(median(other))] : []));
      records.push({ name: kind, kind: call, ns: median(ns) });
    }
  }
  return { failures: 0, records };
}

async function timesOf(works, rounds) {
  const timed = [];
  for (const [name, work] of Object.entries(works)) timed.push({ name, one: await new Timed(work).prepare(), ns: [] });
  for (let round = 0; round < rounds; ++round) for (const { ns, one } of timed) ns.push(await one.round());
  return Object.fromEntries(timed.map(({ name, ns }) => [name, ns]));
}
