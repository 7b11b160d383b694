// Computes on the page and in a module worker, and leaves the answers where a test finds them.
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
