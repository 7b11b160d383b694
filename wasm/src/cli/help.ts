import type { Broadloom } from '../index.js';

/** The lines that `--help` prints. Names come from the package's vocabulary. */
export function help(bl: Broadloom): string[] {
  const { rules, ops } = bl.vocabulary;
  const width = Math.max(...Object.keys(rules).map(({ length }) => length));
  return [
    'Usage: broadloom OPERAND... [--rule NAME] [options]',
    '       broadloom --op NAME OPERAND... [-o FILE] [options]',
    '       broadloom explain OPERAND... [--expect KINDS] [--system NAME] [options]',
    '       broadloom explain OPERAND... --by-name',
    '       broadloom explain --paste < ERROR-TEXT',
    '       broadloom audit MODEL [--link BASE] [--json]',
    '',
    'Shows how shapes broadcast, axis by axis, and computes with .npy files.',
    'An operand is a shape in any usual spelling, "(2, 3, 1)", 2x3x1, "()", or the',
    'name of a .npy file, which stands for its array; FILE.npz:NAME is an array in an',
    'archive, and - the array on standard input. Only the headers of files are read,',
    'unless elements are computed.',
    '',
    'explain adds to each repair the line of code in a system (--system, by default',
    'numpy, or the system that printed the text) and what it means. With --paste, an',
    'error text of another system is read from standard input, as in',
    'python x.py 2>&1 | broadloom explain --paste. --expect names kinds of warnings',
    'that are meant, such as outer. Extents may be unknown: "(N, 3)" "(M, ?)", 2..8, or',
    '"..." for an unknown rank; then the conditions are printed under which shapes fit.',
    'Axes may have names, "batch=8, heads=8": rules match axes by place all the same, and',
    'unlike names have a warning. With --by-name they are matched by name, as in xarray.',
    '',
    'audit lists the broadcasting nodes of an .onnx file or an OpenVINO IR (.xml) with',
    'their shapes, whether these fit or under which conditions, warnings, and where other',
    'systems differ; - is standard input.',
    '',
    '--link BASE adds to the answer of explain, and to each node of audit, the address',
    'that opens the playground at it. BASE is where the playground is, as',
    'http://localhost:8080/ or a path that begins with / or ./ - no page is published.',
    '',
    'The package is not published: it is installed from its tarball with',
    'npm install /path/to/broadloom-0.1.0.tgz, or started from it with',
    'npx -y -p /path/to/broadloom-0.1.0.tgz broadloom.',
    '',
    'Options:',
    '  --rule NAME         how operands are matched; by default numpy, or the',
    "                      operator's own rule",
    '  --axis N            for pdpd: the axis of A on which B begins',
    '  --target SHAPE      for bidirectional, broadcast_numpy and explicit',
    '  --mapping LIST      for explicit: the target axis of each axis of A',
    '  --all               the same shapes under every rule, one line each',
    '  --op NAME           an operator; computes where all operands are files',
    '  -o, --output FILE   where the result goes, a .npy file, - for standard output;',
    '                      else it is printed',
    '  --fmod 0|1          for --op mod',
    '  --direction WAY     for --op bitShift: left or right',
    '  --to TYPE           for --op cast: the element type of the result',
    '  --saturate          for --op cast: integers saturate; else they wrap',
    '  --expect KINDS      for explain: warnings that are meant, separated by commas',
    '  --system NAME       for explain: the system of the lines of code',
    '  --paste             for explain: an error text on standard input',
    '  --by-name           for explain: axes of one name lie on each other',
    '  --link BASE         for explain and audit: where the playground is',
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
    '--all), operands, fits, shape, axes, conflicts, verdict, error, cause, repairs,',
    'warnings, results, pasted and the options; with --link also link and whyNoLink, of',
    'which one is null. Whole numbers beyond 2^53 - 1 are texts. Of unknown extents and',
    'with --by-name it is that of bl.alignSymbolic, of kind "symbolic", and of audit that',
    'of auditModel, of kind "audit". A question that cannot be answered is of kind',
    '"error", with message, text and span.',
    '',
    'Exit status: 0 where the shapes fit (with --all, under any rule; of unknown extents,',
    'under any conditions; of audit, all nodes), 1 where they do not, 2 where the question',
    'is wrong, an error text lacks shapes, or a file cannot be read or written.',
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
