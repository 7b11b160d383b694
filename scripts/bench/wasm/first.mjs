// The first sum in a process of its own: {ms, data}. The clock runs from before the package is imported.
import { firstSum } from './broadloom.mjs';

const begin = performance.now();
const data = await firstSum();
console.log(JSON.stringify({ ms: performance.now() - begin, data: [...data] }));
