// Computes a first sum in a fresh process and prints {ms, data}. The time includes importing the package.
import { firstSum } from './broadloom.mjs';

const begin = performance.now();
const data = await firstSum();
console.log(JSON.stringify({ ms: performance.now() - begin, data: [...data] }));
