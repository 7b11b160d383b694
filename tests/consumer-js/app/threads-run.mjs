import './threads.js';

while (globalThis.answers === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
console.log(JSON.stringify(globalThis.answers));
