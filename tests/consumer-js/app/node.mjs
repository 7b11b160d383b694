import { compute } from './compute.js';

console.log(JSON.stringify(await compute()));
