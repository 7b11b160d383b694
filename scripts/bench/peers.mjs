// The list of cases in other libraries, in turn with Broadloom: a table of all times, and the ratio to the best peer.
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../fail.mjs';
import { coalesce, numpyForm, requestWords, resultShape, shapeText } from './cases.mjs';
import { Book, summary } from './measure.mjs';
import { setUpPeers } from './peers-setup.mjs';
import { Program } from './program.mjs';
import { median, ratio } from './statistics.mjs';
import { nanoseconds, span, table, times } from './table.mjs';
import { resultType } from './wasm/elements.mjs';

function peerWords(item, folder, coalesced) {
  const form = numpyForm(item);
  const plain = { shapes: form.shapes, target: resultShape(form) };
  const { shapes, target } = coalesced ? coalesce(plain) : plain;
  const words = {
    folder,
    op: item.op,
    dtypes: item.dtypes.join(','),
    out: resultType(item),
    shapes: shapes.map(shapeText).join(';'),
    target: shapeText(target),
  };
  return Object.entries(words)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');
}

async function start(threads, say) {
  const started = [];
  for (const peer of await setUpPeers(threads, say)) {
    const program = new Program(peer.title, peer.command, peer.args, { quiet: true });
    try {
      const { version } = await program.ask('about');
      started.push({ ...peer, program, version });
    } catch {
      say(`${peer.title}: not compared: it does not start (${peer.command} ${peer.args.join(' ')})`);
    }
  }
  return started;
}

// A peer's answer to a request; a peer that crashes is not asked again.
async function askPeer(peer, request) {
  if (peer.gone) return { unsupported: 'it has crashed before' };
  try {
    return await peer.program.ask(request);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    peer.gone = true;
    return { unsupported: 'it crashed' };
  }
}

export async function peers(program, cases, { threads, rounds }) {
  const book = new Book();
  const all = await start(threads, (line) => console.log(line));
  if (all.length === 0) throw new Failure('no peer could be set up: see above');
  console.log(all.map(({ title, version }) => `${title} ${version}`).join(', '));
  console.log(`threads: ${threads}; ns; "ours / best" below 1: Broadloom is faster than the best peer\n`);
  const row = table(
    ['case', 28],
    ['ours', 11],
    ['x floor', 9],
    ...all.map(({ title }) => [title, 14]),
    ['best', 14],
    ['ours / best', 13],
    ['95 %', 13],
  );
  const notes = new Map();
  const folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-bench-'));
  try {
    for (const item of cases) {
      const opened = await program.ask(`open ${requestWords(item, { threads })}`);
      if (opened.wrong || opened.error) {
        book.add(item, threads, { failed: opened.wrong ? `WRONG: ${opened.wrong}` : `FAILED: ${opened.error}` });
        continue;
      }
      const saved = await program.ask(`save folder=${folder}`);
      if (saved.error) throw new Failure(saved.error);
      const ready = new Map();
      const states = new Map();
      for (const peer of all) {
        const answer = await askPeer(peer, `open ${peerWords(item, folder, peer.coalesced)}`);
        const why = answer.wrong ?? answer.unsupported;
        if (why === undefined) ready.set(peer, []);
        else {
          states.set(peer, answer.wrong ? 'wrong' : 'none');
          notes.set(`${item.kind} ${item.name}, ${peer.title}: ${answer.wrong ? 'wrong: ' : ''}${why}`);
        }
      }
      // In turn within each round: Broadloom, its floor, each peer.
      const ours = {};
      for (let round = 0; round < rounds; ++round) {
        for (const [what, [ns]] of Object.entries(await program.ask('time rounds=1'))) (ours[what] ??= []).push(ns);
        for (const [peer, measured] of ready) {
          const answer = await askPeer(peer, 'time rounds=1');
          if (answer.work) measured.push(...answer.work);
        }
      }
      const whole = [...ready].filter(([, measured]) => measured.length === rounds);
      const [best, bestTimes] = whole.sort(([, a], [, b]) => median(a) - median(b))[0] ?? [];
      const result = { ...opened, ...summary(ours) };
      book.add(item, threads, result);
      const record = book.records.at(-1);
      record.peers = Object.fromEntries(whole.map(([peer, measured]) => [peer.name, median(measured)]));
      const against = best && ratio(ours.work, bestTimes);
      row(
        `${item.kind} ${item.name}`,
        nanoseconds(result.ns),
        times(result.ratio),
        ...all.map((peer) => states.get(peer) ?? nanoseconds(median(ready.get(peer)))),
        best?.title ?? '',
        against ? times(against.ratio) : '',
        against ? span(against.interval) : '',
      );
    }
  } finally {
    rmSync(folder, { recursive: true });
    for (const peer of all) peer.program.end();
  }
  if (notes.size) console.log(`\n${[...notes.keys()].join('\n')}`);
  return book;
}
