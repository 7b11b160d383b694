#!/usr/bin/env node
// The command `broadloom`, for Node. No other entry may import this file.

import { readFileSync } from 'node:fs';
import process from 'node:process';
import { main } from './cli/main.js';
import { readTerminal } from './cli/terminal.js';

const { argv, stdout, stderr } = process;

// EPIPE: the reader of the output, such as `head`, has closed it. That is no error.
stdout.on('error', ({ code, message }) => {
  if (code === 'EPIPE') return;
  stderr.write(`broadloom: the output could not be written: ${message}\n`);
  process.exitCode = 2;
});
stderr.on('error', () => {}); // there is no other place to report it

try {
  const { status, out, err } = await main(argv.slice(2), readTerminal(process), readVersion);
  process.exitCode = status;
  for (const line of err) stderr.write(`${line}\n`);
  if (out.length > 0) stdout.write(`${out.join('\n')}\n`);
} catch (error) {
  // Node's own status would be 1, which means that the shapes do not fit.
  process.exitCode = 2;
  stderr.write(`broadloom: this is a fault of the program itself: ${error instanceof Error ? error.stack : error}\n`);
}

/** The version in package.json, which lies above the folder of the built script. */
function readVersion(): string {
  const text = new TextDecoder().decode(readFileSync(new URL('../package.json', import.meta.url)));
  return (JSON.parse(text) as { version: string }).version;
}
