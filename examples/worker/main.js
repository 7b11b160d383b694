// Work of about a second, done in a worker, with a progress bar and a button that cancels it.

import { startWorker } from 'broadloom/worker';

const [start, cancel] = [document.querySelector('#start'), document.querySelector('#cancel')];
const progress = document.querySelector('progress');
const output = document.querySelector('output');

const COUNT = 2 ** 24;
const worker = await startWorker();
start.disabled = false;

start.addEventListener('click', async () => {
  const controller = new AbortController();
  const abort = () => controller.abort();
  cancel.addEventListener('click', abort);
  [start.disabled, cancel.disabled] = [true, false];
  progress.value = 0;
  output.textContent = 'Computing …';
  try {
    const bases = { data: new Float32Array(COUNT).fill(1.5), shape: [COUNT] };
    const powers = await worker.apply('Pow', [bases, 3], {
      transfer: true, // bases are made only for this call, so they are moved, not copied
      signal: controller.signal,
      onProgress: ({ done, total }) => (progress.value = done / total),
    });
    output.textContent = `Done: ${powers.data.length} powers, the last of them ${powers.data.at(-1)}.`;
  } catch (error) {
    output.textContent = error.code === 'aborted' ? 'Cancelled.' : error.message;
  } finally {
    cancel.removeEventListener('click', abort);
    [start.disabled, cancel.disabled] = [false, true];
  }
});
