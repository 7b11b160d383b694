// The list of cases in other libraries, in turn with Broadloom: all times, and the ratio to the best peer, on data in the
// library's own form and from typed arrays to a new typed array.
import { Failure } from '../../fail.mjs';
import { median, ratio } from '../statistics.mjs';
import { nanoseconds, span, table, times } from '../table.mjs';
import { Book, Case, startRunner, toFloor } from './list.mjs';
import { peersKnown, setUpPeers, versionOf } from './peers-setup.mjs';

const modes = ['resident', 'typed'];

// A peer's answer to a request; undefined once the peer has crashed.
async function ask(peer, request) {
  if (peer.gone) return undefined;
  try {
    return await peer.program.ask(JSON.stringify(request));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    peer.gone = true;
    return undefined;
  }
}

export async function peers(cases, { rounds }) {
  const book = new Book();
  const folder = await setUpPeers();
  console.log(peersKnown.map(({ title, module }) => `${title} ${versionOf(folder, module)}`).join(', '));
  console.log('one thread; ns; "ours / best" below 1: Broadloom is faster than the best peer\n');
  const row = table(
    ['case', 28],
    ['mode', 10],
    ['ours', 12],
    ['x floor', 9],
    ...peersKnown.map(({ title }) => [title, 17]),
    ['best', 17],
    ['ours / best', 13],
    ['95 %', 13],
  );
  // Each reason once, with the cases to which it applies.
  const notes = new Map();
  const note = ({ title }, mode, why, { kind, name }) => {
    const line = `${title}, ${mode}: ${why}`;
    notes.set(line, [...(notes.get(line) ?? []), `${kind} ${name}`]);
  };
  for (const item of cases) {
    const one = new Case();
    const all = peersKnown.map((peer) => ({
      ...peer,
      program: startRunner(peer.title, 'peer.mjs', [peer.name, folder], { quiet: true }),
    }));
    try {
      const opened = await one.open(item);
      if (!book.answered(item, opened)) continue;
      const states = new Map();
      for (const peer of all) states.set(peer, (await ask(peer, { open: item })) ?? crashed);
      // In turn within each round: Broadloom, its limits, each peer.
      const theirs = new Map(all.map((peer) => [peer, { resident: [], typed: [] }]));
      for (let round = 0; round < rounds; ++round) {
        await one.round();
        for (const peer of all) {
          const answer = (await ask(peer, { time: 1 })) ?? {};
          for (const [mode, [ns]] of Object.entries(answer)) theirs.get(peer)[mode].push(ns);
        }
      }
      const ours = one.times;
      for (const mode of modes.filter((name) => ours[name])) {
        const record = book.add(item, mode, opened, ours);
        const whole = all.filter((peer) => theirs.get(peer)[mode].length === rounds);
        record.peers = Object.fromEntries(whole.map((peer) => [peer.name, median(theirs.get(peer)[mode])]));
        const best = whole.toSorted((a, b) => record.peers[a.name] - record.peers[b.name])[0];
        const compared = best && ratio(ours[mode], theirs.get(best)[mode]);
        const cells = all.map((peer) => {
          const { wrong, cannot } = peer.gone ? crashed[mode] : states.get(peer)[mode];
          if (wrong ?? cannot) note(peer, mode, wrong ? `wrong: ${wrong}` : cannot, item);
          if (wrong) return 'wrong';
          return cannot ? 'cannot' : nanoseconds(record.peers[peer.name]);
        });
        row(
          `${item.kind} ${item.name}`,
          mode,
          nanoseconds(record.ns),
          times(toFloor(mode, ours).ratio),
          ...cells,
          best?.title ?? '',
          compared ? times(compared.ratio) : '',
          compared ? span(compared.interval) : '',
        );
      }
    } finally {
      one.end();
      for (const { program } of all) program.end();
    }
  }
  if (notes.size) console.log('');
  for (const [line, names] of notes)
    console.log(`${line} (${names.length === cases.length ? 'every case' : names.join(', ')})`);
  return book;
}

const crashed = { resident: { cannot: 'it crashed' }, typed: { cannot: 'it crashed' } };
