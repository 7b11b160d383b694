// Computes with the package's threads, and stores the answers for the test.
import { BroadcastError, load } from 'broadloom/threads';

// So many elements that the threads compute them.
const LENGTH = 1 << 20;
const many = (value) => ({ data: new Float32Array(LENGTH).fill(value), shape: [LENGTH] });

async function compute(options) {
  const bl = await load({ threads: 2, ...options });
  const small = await bl.add({ data: new Float32Array([0, 1, 2, 3, 4, 5]), shape: [2, 3] }, [10, 20, 30]);
  const x = bl.tensor(many(2));
  const y = await bl.mul(x, 3);
  const z = await bl.add(y, many(1));
  const copied = await bl.pow(many(2), 5);
  const sum = await bl.sumTo(z, [1]);
  const clash = await bl.add(x, [1, 2]).catch((error) => ({ code: error.code, known: error instanceof BroadcastError }));
  const running = bl.pow(x, 0.5).then(
    () => 'done',
    ({ code }) => code,
  );
  bl.close();
  return {
    threads: bl.threads,
    reason: bl.reason,
    memory: x.view(({ buffer }) => Object.prototype.toString.call(buffer)),
    small: small.data.join(),
    shape: bl.inferShape('numpy', [[2, 1], [3]]).join(),
    last: z.read().at(-1),
    copied: [copied.data.length, copied.data.at(-1), Object.prototype.toString.call(copied.data.buffer)],
    sum: sum.read()[0] / LENGTH,
    clash,
    running: await running,
    closed: await bl.add(x, 1).catch(({ code }) => code),
  };
}

compute().then(
  (answers) => (globalThis.answers = answers),
  (error) => (globalThis.answers = `${error.name}: ${error.message}`),
);
