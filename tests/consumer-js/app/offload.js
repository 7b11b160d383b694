// Computes in the package's own worker, aborts a call, and stores the answers for the test.
import { startWorker } from 'broadloom/worker';

const long = () => [{ data: new Float32Array(1 << 24).fill(2), shape: [1 << 24] }, 0.5];

async function compute(options) {
  const worker = await startWorker(options);
  const a = { data: new Float32Array([0, 1, 2, 3, 4, 5]), shape: [2, 3] };
  const b = { data: new Float32Array([10, 20, 30]), shape: [3] };
  const sum = await worker.apply('Add', [a, b], { transfer: true });

  const controller = new AbortController();
  const early = [];
  const onEarly = (progress) => (early.push(progress), controller.abort('enough'));
  const aborted = await worker
    .apply('Pow', long(), { signal: controller.signal, onProgress: onEarly })
    .catch(({ code, cause }) => ({ code, cause }));
  const late = [];
  await worker.apply('Pow', long(), { onProgress: ({ done, total }) => late.push(done / total) });
  const clash = await worker.apply('Add', [sum, [1, 2]]).catch(({ name, code, axis }) => ({ name, code, axis }));
  worker.terminate();
  return {
    sum: sum.data.join(),
    moved: a.data.length,
    aborted: { ...aborted, wasEarly: early.length === 1 && early[0].done < early[0].total },
    progress: late.length >= 2 && late.at(-1) === 1 && late.every((share, i) => share > (late[i - 1] ?? 0)),
    clash,
  };
}

compute().then(
  (answers) => (globalThis.answers = answers),
  (error) => (globalThis.answers = `${error.name}: ${error.message}`),
);
