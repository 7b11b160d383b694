import type { Broadloom } from '../index.js';

/** The lines that `--help` prints. Names come from the package's vocabulary. */
export function help(bl: Broadloom): string[] {
  const { rules, ops } = bl.vocabulary;
  const width = Math.max(...Object.keys(rules).map(({ length }) => length));
  return [
    'Usage: broadloom OPERAND... [--rule NAME] [options]',
    '       broadloom --op NAME OPERAND... [-o FILE] [options]',
    '',
    'Shows how shapes broadcast, axis by axis, and computes with .npy files.',
    'An operand is a shape in any usual spelling, "(2, 3, 1)", 2x3x1, "()", or the',
    'name of a .npy file, which stands for its array; FILE.npz:NAME is an array in an',
    'archive, and - what comes in on standard input. Of files only the headers are',
    'read, unless there is something to compute.',
    '',
    'The package is not published: it is installed from its tarball with',
    'npm install /path/to/broadloom-0.1.0.tgz, or started from it with',
    'npx -p /path/to/broadloom-0.1.0.tgz broadloom.',
    '',
    'Options:',
    '  --rule NAME         how operands are matched; by default numpy, or the',
    "                      operator's own rule",
    '  --axis N            for pdpd: the axis of A on which B begins',
    '  --target SHAPE      for bidirectional, broadcast_numpy and explicit',
    '  --mapping LIST      for explicit: the axis of the target for each of A',
    '  --all               the same shapes under every rule, one line each',
    '  --op NAME           an operator; computes where all operands are files',
    '  -o, --output FILE   where the result goes, a .npy file, - for standard output;',
    '                      else it is printed',
    '  --fmod 0|1          for --op mod',
    '  --direction WAY     for --op bitShift: left or right',
    '  --to TYPE           for --op cast: the element type of the result',
    '  --saturate          for --op cast: integers saturate; else they wrap',
    '  --json              one JSON document instead of text',
    '  -h, --help          this text',
    '  -v, --version       the version',
    '',
    'Rules:',
    ...Object.values(rules).map(({ name, doc }) => `  ${name.padEnd(width)}  ${doc}`),
    '',
    'Operators:',
    ...filled(
      Object.values(ops).map(({ method }) => method),
      76,
    ).map((line) => `  ${line}`),
    '',
    'The JSON document has the fields version (1), kind ("alignment", or "rules" with',
    '--all), operands, fits, shape, axes, conflicts, verdict, error, repairs, results',
    'and the options; whole numbers beyond 2^53 - 1 are texts. A question that cannot be',
    'answered is of kind "error", with message, text and span.',
    '',
    'Exit status: 0 where the shapes fit (with --all, under any rule), 1 where they do',
    'not, 2 where the question is wrong or a file cannot be read or written.',
    'Colours follow the terminal, NO_COLOR and FORCE_COLOR.',
  ];
}

function filled(words: readonly string[], columns: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > columns) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
