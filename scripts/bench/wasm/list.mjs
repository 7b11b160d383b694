// The work list in the package, each case in three modes: one line a mode, and a record of it.
import { fileURLToPath } from 'node:url';
import { Failure } from '../../fail.mjs';
import { Program } from '../program.mjs';
import { median, ratio } from '../statistics.mjs';
import { gigabytes, nanoseconds, span, table, times } from '../table.mjs';

// What each mode is held against: its limit, and the JavaScript loop that does the same.
export const against = {
  resident: { limit: 'limit', js: 'js_out' },
  typed: { limit: 'copies', js: 'js' },
  typed_out: { limit: 'copies_out', js: 'js_out' },
};

export const startRunner = (name, file, args = [], options = {}) =>
  new Program(name, process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], options);

// A case in its two processes: that of the package and its limits, and that of JavaScript's loops.
export class Case {
  #package = startRunner('the bench', 'runner.mjs');
  #loops = startRunner("JavaScript's loops", 'loop-runner.mjs');
  #times = {};

  // Resolves to what is told of it: {bytes, wrong, loop}, or {error}.
  async open(item) {
    const request = JSON.stringify({ open: item });
    const told = await this.#package.ask(request);
    return told.error === undefined ? { ...told, ...(await this.#loops.ask(request)) } : told;
  }

  // Times everything once more.
  async round() {
    for (const program of [this.#package, this.#loops]) {
      const { error, ...times } = await program.ask('{"time":1}');
      if (error !== undefined) throw new Failure(`${program.name}: ${error}`);
      for (const [name, [ns]] of Object.entries(times)) (this.#times[name] ??= []).push(ns);
    }
  }

  // Of every round: {name: [nanoseconds of one call]}.
  get times() {
    return this.#times;
  }

  end() {
    this.#package.end();
    this.#loops.end();
  }
}

// Collects records, and what went wrong: a run with a wrong result fails, but only after all else was measured.
export class Book {
  records = [];
  failures = 0;

  fail(item, told) {
    ++this.failures;
    console.log(`${item.kind} ${item.name}  ${told}`);
  }

  // What the runner answered; whether there is anything to go on with.
  answered(item, { error, wrong = {} }) {
    if (error !== undefined) this.fail(item, `FAILED: ${error}`);
    for (const [mode, why] of Object.entries(wrong)) this.fail(item, `${mode} WRONG: ${why}`);
    return error === undefined;
  }

  // The record of a case in a mode, of the times of every round.
  add({ name, kind }, mode, { bytes }, measured) {
    const { limit, js } = against[mode];
    const ns = median(measured[mode]);
    const record = {
      name,
      kind,
      mode,
      ns,
      gbps: bytes / ns,
      limit_ns: median(measured[limit]),
      js_ns: measured[js] ? median(measured[js]) : null,
    };
    this.records.push(record);
    return record;
  }
}

export async function list(cases, { rounds }) {
  const book = new Book();
  const row = table(
    ['case', 28],
    ['mode', 11],
    ['ns', 12],
    ['GB/s', 8],
    ['limit', 8],
    ['x limit', 9],
    ['95 %', 17],
    ['x resident', 12],
    ['js ns', 12],
    ['x js', 8],
    ['js loop', 12],
  );
  for (const item of cases) {
    const one = new Case();
    try {
      const opened = await one.open(item);
      if (!book.answered(item, opened)) continue;
      for (let round = 0; round < rounds; ++round) await one.round();
      const measured = one.times;
      for (const [mode, { limit, js }] of Object.entries(against)) {
        if (!measured[mode]) continue;
        const record = book.add(item, mode, opened, measured);
        const held = ratio(measured[mode], measured[limit]);
        row(
          `${item.kind} ${item.name}`,
          mode,
          nanoseconds(record.ns),
          gigabytes(opened.bytes, record.ns),
          gigabytes(opened.bytes, record.limit_ns),
          times(held.ratio),
          span(held.interval),
          measured.resident && mode !== 'resident' ? times(ratio(measured[mode], measured.resident).ratio) : '',
          measured[js] ? nanoseconds(record.js_ns) : '',
          measured[js] ? times(ratio(measured[mode], measured[js]).ratio) : '',
          opened.loop ?? '',
        );
      }
    } finally {
      one.end();
    }
  }
  return book;
}
