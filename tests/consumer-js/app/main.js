// Computes on the page and in a module worker, and stores the answers for the test.
import { compute } from './compute.js';

const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
const inWorker = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = ({ message }) => reject(new Error(`the worker failed: ${message}`));
});

Promise.all([compute(), inWorker]).then(
  ([page, worker]) => (globalThis.answers = { page, worker }),
  (error) => (globalThis.answers = { error: String(error) }),
);
