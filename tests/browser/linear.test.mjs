// Every text that the page reads takes time in proportion to its length, whatever it says: families of texts are built of
// the tokens of each grammar, repeated up to 1 MB, and a text of four times the length may not take much more than four
// times as long. The readers run in a thread of their own, since one that never comes back has to be stopped.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

/** A step that takes longer is a fault: the readers take a few hundred milliseconds for 1 MB, on a busy machine some seconds. */
const mostSeconds = 120;

function runReaders(part) {
  const worker = new Worker(new URL('./linear-readers.mjs', import.meta.url), { workerData: part });
  return new Promise((resolve, reject) => {
    const faults = [];
    let now = 'start';
    let texts = 0;
    let clock;
    const watch = () => {
      clearTimeout(clock);
      clock = setTimeout(() => {
        void worker.terminate();
        resolve({ texts, faults: [...faults, `${now}: more than ${mostSeconds} s`] });
      }, mostSeconds * 1000);
    };
    watch();
    worker.on('message', (message) => {
      watch();
      if (message.step) now = message.step;
      if (message.fault) faults.push(message.fault);
      if (message.done) {
        clearTimeout(clock);
        texts = message.done;
        void worker.terminate();
        resolve({ texts, faults });
      }
    });
    worker.on('error', (error) => {
      clearTimeout(clock);
      reject(error);
    });
  });
}

for (const part of ['lists', 'links', 'layers', 'shapes', 'files', 'names']) {
  test(`${part} are read in linear time`, async () => {
    const { texts, faults } = await runReaders(part);
    assert.deepEqual(faults, []);
    assert.ok(texts > 100, `${texts}`);
  });
}
