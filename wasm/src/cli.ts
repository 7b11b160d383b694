#!/usr/bin/env node
// The command `broadloom`. Nothing that the package's entry loads may import this: it needs Node.

import process from 'node:process';
import { main } from './cli/main.js';
import { readTerminal } from './cli/terminal.js';

const { argv, stdout, stderr } = process;

// A reader that has seen enough, such as `head`, ends the output and nothing else.
stdout.on('error', ({ code, message }) => {
  if (code === 'EPIPE') return;
  stderr.write(`broadloom: the output could not be written: ${message}\n`);
  process.exitCode = 2;
});
stderr.on('error', () => {}); // there is nobody left to tell

try {
  const { status, out, err } = await main(argv.slice(2), readTerminal(process));
  process.exitCode = status;
  for (const line of err) stderr.write(`${line}\n`);
  if (out.length > 0) stdout.write(`${out.join('\n')}\n`);
} catch (error) {
  // Node would end with 1, which means that shapes do not fit.
  process.exitCode = 2;
  stderr.write(`broadloom: this is a fault of the program itself: ${error instanceof Error ? error.stack : error}\n`);
}
