// The configuration of oxlint finds import cycles, imports of types included.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';

// Lints files given by name and text; resolves to the exit code and the output.
async function lint(files) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-lint-'));
  try {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const oxlint = inRoot('node_modules/oxlint/bin/oxlint');
    return await run('node', [oxlint, '-c', inRoot('.oxlintrc.json'), folder], { capture: 'keep' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const cycles = {
  'a module imports itself': { 'web/src/state.ts': 'export type { State } from "./state";\n' },
  'two modules of the package import each other': {
    'wasm/src/types/a.ts': 'import { b } from "./b.js";\nexport const a = () => b();\n',
    'wasm/src/types/b.ts': 'import { a } from "./a.js";\nexport const b = (): unknown => a();\n',
  },
  'three modules of the page import types of each other': {
    'web/src/a.ts': 'import type { B } from "./b";\nexport type A = B | 1;\n',
    'web/src/b.tsx': 'import type { C } from "./c";\nexport type B = C | 2;\n',
    'web/src/c.ts': 'import type { A } from "./a";\nexport type C = A | 3;\n',
  },
};

for (const [what, files] of Object.entries(cycles)) {
  test(`found: ${what}`, async () => {
    const { code, output } = await lint(files);
    assert.equal(code, 1);
    assert.match(output, /import\(no-(?:cycle|self-import)\)/);
  });
}

test('imports in one direction pass', async () => {
  const { code, output } = await lint({
    'web/src/a.ts': 'import type { B } from "./b";\nexport type A = B | 1;\n',
    'web/src/b.ts': 'export type B = 2;\n',
  });
  assert.equal(code, 0, output);
});
