// Checks the sources with other tools: clang-format and Prettier for their format, which --write corrects, and oxlint for
// mistakes and import cycles in TypeScript and JavaScript.
import { execFileSync } from 'node:child_process';
import { Failure, main } from './fail.mjs';
import { installModules } from './modules.mjs';
import { projectFiles } from './project-files.mjs';
import { run } from './run.mjs';
import { onPath } from './toolchain.mjs';

const write = process.argv.includes('--write');
const checkers = [
  {
    name: 'clang-format',
    files: /^(core|explain|c|wasm|python|tests)\/.*\.(h|cc|c)$/,
    command: clangFormat,
    args: write ? ['-i'] : ['--dry-run', '-Werror'],
    remedy: 'npm run format formats them',
  },
  {
    name: 'prettier',
    files: /^(scripts|wasm|web|tests)\/.*\.(mjs|ts|tsx|css|html)$|^(\w+\/)?package\.json$/,
    command: () => 'node',
    args: ['node_modules/prettier/bin/prettier.cjs', '--log-level=warn', write ? '--write' : '--check'],
    remedy: 'npm run format formats them',
  },
  {
    name: 'oxlint',
    files: /^(scripts|wasm|web|tests|examples)\/.*\.(mjs|js|ts|tsx)$/,
    command: () => 'node',
    args: ['node_modules/oxlint/bin/oxlint'],
    remedy: '.oxlintrc.json has the rules',
  },
];

// Versions of clang-format differ in their output, so only version 19 is accepted.
function clangFormat() {
  const command = ['clang-format-19', 'clang-format'].find(onPath);
  if (!command || !/version 19\./.test(execFileSync(command, ['--version'], { encoding: 'utf8' }))) {
    throw new Failure('clang-format 19 is missing: run scripts/setup.sh test, or install it');
  }
  return command;
}

await main(async () => {
  await installModules();
  let failed = 0;
  for (const { name, files, command, args, remedy } of checkers) {
    const chosen = projectFiles().filter((file) => files.test(file));
    const { code } = chosen.length ? await run(command(), [...args, ...chosen]) : { code: 0 };
    if (code === 0) continue;
    ++failed;
    console.error(`format: ${name} reports the files above; ${remedy}`);
  }
  console.log(`${checkers.length - failed} passed, ${failed} failed`);
  if (failed) process.exitCode = 1;
});
