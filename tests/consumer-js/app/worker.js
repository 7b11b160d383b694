import { compute } from './compute.js';

compute().then(
  (answers) => postMessage(answers),
  (error) => postMessage({ error: String(error) }),
);
