// Runs programs. Their output is passed on as it arrives; a failure becomes one line.
import { spawn } from 'node:child_process';
import { Failure } from './fail.mjs';
import { root } from './paths.mjs';

// Resolves to {code, signal, output} when the program has ended. `capture`: "pass" shows the output, "keep" returns it,
// "both" does both. stdout and stderr are returned as one text.
export function run(command, args, { env = process.env, capture = 'pass', cwd = root } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = capture === 'pass' ? 'inherit' : ['inherit', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd, env, stdio });
    let output = '';
    for (const stream of capture === 'pass' ? [] : ['stdout', 'stderr']) {
      child[stream].setEncoding('utf8').on('data', (text) => {
        output += text;
        if (capture === 'both') process[stream].write(text);
      });
    }
    child.on('error', (error) =>
      reject(
        new Failure(
          error.code === 'ENOENT'
            ? `${command} is missing: run npm start or npm test, which set it up`
            : `${command}: ${error.message}`,
        ),
      ),
    );
    child.on('close', (code, signal) => resolve({ code: code ?? 128, signal, output }));
  });
}

// As run, but an exit code other than 0 is a Failure whose message begins with `doing`.
export async function mustRun(doing, command, args, options) {
  const { code, output } = await run(command, args, options);
  if (code !== 0) throw new Failure(`${doing} failed (${command} exited with ${code}); its output is above`);
  return output;
}
