// What the tests of the texts share: the writers themselves, the package, and Python to run texts in.
import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { inRoot } from '../../scripts/paths.mjs';
import { pythonWith } from '../../scripts/python.mjs';

// The page's modules are TypeScript for a bundler: one of them as a module for Node, or as a script for a browser.
export async function bundled(entry, { format = 'esm', name } = {}) {
  const file = inRoot('build/code', `${path.basename(entry, '.ts')}.${format === 'esm' ? 'mjs' : 'js'}`);
  mkdirSync(path.dirname(file), { recursive: true });
  const bundle = await rolldown({ input: inRoot('web/src/code', entry), logLevel: 'silent' });
  await bundle.write({ file, format, ...(name ? { name } : {}) });
  await bundle.close();
  return file;
}

export const imported = async (entry) => import(pathToFileURL(await bundled(entry)));

let interpreter;

// Has a program beside this file answer each of `work` with a line of JSON. One at which the process ends is answered by
// {error}; the others are asked of another process.
export async function python(program, work) {
  interpreter ??= pythonWith('tests/requirements.txt');
  const answers = [];
  while (answers.length < work.length) {
    const { code, output, errors } = await once(await interpreter, program, work.slice(answers.length));
    answers.push(
      ...output
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    );
    if (answers.length < work.length) answers.push({ error: `the process ended (${code}): ${errors.slice(-500)}` });
  }
  return answers;
}

async function once(command, program, work) {
  const child = spawn(command, [inRoot('tests/code', program)], { stdio: ['pipe', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (errors += text));
  child.stdin.on('error', () => {}); // it ended early: its exit code says so
  child.stdin.end(JSON.stringify(work));
  const code = await new Promise((resolve) => child.on('close', (status, signal) => resolve(status ?? signal)));
  return { code, output, errors };
}
