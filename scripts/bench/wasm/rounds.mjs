// Timing in one process, as in tests/bench/measure.h: everything that is compared is timed in turn, round by round. A round
// has as many calls as fill its time, and its time is the best of some tries.

const leastMs = 1; // of a round
const tries = 3;
const warmMs = 50; // for the engine's optimising compiler
const warmCalls = 3;

export class Timed {
  #work;
  #isAsync;
  #count = 1;
  #isLong = false;
  #calls;

  // If `isAsync`, `work` returns a promise, and its time is part of the call. A time is that of `calls` calls, which may be a
  // fraction.
  constructor(work, isAsync = false, calls = 1) {
    this.#work = work;
    this.#isAsync = isAsync;
    this.#calls = calls;
  }

  async prepare() {
    const begin = performance.now();
    for (let calls = 0; calls < warmCalls || performance.now() - begin < warmMs; ++calls) await this.#time(1);
    for (; ; this.#count *= 2) {
      const ms = await this.#time(this.#count);
      if (ms * tries < leastMs) continue;
      this.#isLong = ms / this.#count >= 100;
      return this;
    }
  }

  // Nanoseconds of one call, or of `calls`. A call before it is not timed, because it finds the caches filled by other work. A long call is
  // made only once, since its data does not fit in the caches anyway.
  async round() {
    if (!this.#isLong) await this.#time(1);
    let best = Infinity;
    for (let left = this.#isLong ? 1 : tries; left > 0; --left) best = Math.min(best, await this.#time(this.#count));
    return (best / this.#count) * this.#calls * 1e6;
  }

  #time(count) {
    return this.#isAsync ? this.#timeAsync(count) : this.#timeSync(count);
  }

  #timeSync(count) {
    const work = this.#work;
    const begin = performance.now();
    for (let i = 0; i < count; ++i) work();
    return performance.now() - begin;
  }

  async #timeAsync(count) {
    const work = this.#work;
    const begin = performance.now();
    for (let i = 0; i < count; ++i) await work();
    return performance.now() - begin;
  }
}
