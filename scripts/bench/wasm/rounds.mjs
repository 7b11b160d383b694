// Timing in one process, as tests/bench/measure.h does it: whatever is compared is timed in turn, round by round; a round is
// of as many calls as fill it, and the best of some tries counts.

const leastMs = 1; // of a round
const tries = 3;
const warmMs = 50; // for the engine to compile what it runs with its best compiler
const warmCalls = 3;

export class Timed {
  #work;
  #isAsync;
  #count = 1;
  #isLong = false;

  // `work` may return a promise, which belongs to it, where `isAsync`.
  constructor(work, isAsync = false) {
    this.#work = work;
    this.#isAsync = isAsync;
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

  // Nanoseconds of one call. The call before is not timed: it finds the caches as somebody else has left them. What takes
  // long is called once: it finds nothing of use in the caches.
  async round() {
    if (!this.#isLong) await this.#time(1);
    let best = Infinity;
    for (let left = this.#isLong ? 1 : tries; left > 0; --left) best = Math.min(best, await this.#time(this.#count));
    return (best / this.#count) * 1e6;
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
