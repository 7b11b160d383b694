// The list of cases in the package, each in three modes: a line and a record for each mode.
import { fileURLToPath } from 'node:url';
import { Failure } from '../../fail.mjs';
import { Program } from '../program.mjs';
import { floorOf, median, ratio } from '../statistics.mjs';
import { gigabytes, nanoseconds, span, table, times } from '../table.mjs';

// The limit of each mode, the arithmetic under it, and the JavaScript loop that computes the same.
export const against = {
  resident: { limit: 'limit', arithmetic: 'arithmetic', js: 'js_out' },
  typed: { limit: 'copies', js: 'js' },
  typed_out: { limit: 'copies_out', js: 'js_out' },
};

export const startRunner = (name, file, args = [], options = {}) =>
  new Program(name, process.execPath, [fileURLToPath(new URL(file, import.meta.url)), ...args], options);

// A case in two processes: one with the package and its limits, one with the JavaScript loops.
export class Case {
  #package = startRunner('the bench', 'runner.mjs');
  #loops = startRunner("JavaScript's loops", 'loop-runner.mjs');
  #times = {};

  // Resolves to a description of the case: {bytes, wrong, loop}, or {error}.
  async open(item) {
    const request = JSON.stringify({ open: item });
    const description = await this.#package.ask(request);
    return description.error === undefined ? { ...description, ...(await this.#loops.ask(request)) } : description;
  }

  // Times one more round of everything.
  async round() {
    for (const program of [this.#package, this.#loops]) {
      const { error, ...times } = await program.ask('{"time":1}');
      if (error !== undefined) throw new Failure(`${program.name}: ${error}`);
      for (const [name, [ns]] of Object.entries(times)) (this.#times[name] ??= []).push(ns);
    }
  }

  // The times of all rounds: {name: [nanoseconds of one call]}.
  get times() {
    return this.#times;
  }

  end() {
    this.#package.end();
    this.#loops.end();
  }
}

// The ratio of a mode to its floor, and what the floor is.
export function toFloor(mode, measured) {
  const { limit, arithmetic } = against[mode];
  const { floor, times: floors } = floorOf(measured[limit], measured[arithmetic]);
  return { floor: mode === 'resident' ? floor : 'copies', ...ratio(measured[mode], floors) };
}

// Collects records and counts failures. A run with a wrong result fails, but only after all other cases were measured.
export class Book {
  records = [];
  failures = 0;

  fail(item, description) {
    ++this.failures;
    console.log(`${item.kind} ${item.name}  ${description}`);
  }

  // Reports the errors in a runner's answer; returns whether the case can be timed.
  answered(item, { error, wrong = {} }) {
    if (error !== undefined) this.fail(item, `FAILED: ${error}`);
    for (const [mode, why] of Object.entries(wrong)) this.fail(item, `${mode} WRONG: ${why}`);
    return error === undefined;
  }

  // Adds the record of a case in a mode, from the times of all rounds.
  add({ name, kind }, mode, { bytes }, measured) {
    const { limit, arithmetic, js } = against[mode];
    const ns = median(measured[mode]);
    const record = {
      name,
      kind,
      mode,
      ns,
      gbps: bytes / ns,
      limit_ns: median(measured[limit]),
      arithmetic_ns: measured[arithmetic] ? median(measured[arithmetic]) : null,
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
    ['floor', 12],
    ['x floor', 9],
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
      for (const [mode, { js }] of Object.entries(against)) {
        if (!measured[mode]) continue;
        const record = book.add(item, mode, opened, measured);
        const held = toFloor(mode, measured);
        row(
          `${item.kind} ${item.name}`,
          mode,
          nanoseconds(record.ns),
          gigabytes(opened.bytes, record.ns),
          gigabytes(opened.bytes, record.limit_ns),
          held.floor,
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
