// The README's examples do what their comments say: each `// text` behind a line is what that line prints.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';

// The fenced blocks of that language.
function examples(file, language) {
  const text = readFileSync(inRoot(file), 'utf8');
  const found = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code);
  assert.ok(found.length > 0, `${file} has a ${language} example`);
  return found;
}

// What the comments promise, line by line; `...` stands for anything that follows.
const promised = (code) => [...code.matchAll(/\/\/ (.+)$/gm)].map(([, text]) => text);

function assertPrints(output, code) {
  const lines = output.trimEnd().split('\n');
  for (const promise of promised(code)) {
    const line = lines.shift() ?? '';
    const start = promise.replace(/ *\.\.\.$/, '');
    if (start === promise) assert.equal(line.trimEnd(), promise);
    else assert.ok(line.startsWith(start), `${line} begins with ${start}`);
  }
}

// Runs `body` with a folder inside the repository, where the package is found by its name.
function inFolder(body) {
  const folder = mkdtempSync(inRoot('build', 'readme-'));
  try {
    return body(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

for (const file of ['README.md', 'wasm/README.md']) {
  test(`the JavaScript of ${file} runs and prints what it says`, () => {
    for (const code of examples(file, 'js')) {
      assert.ok(promised(code).length >= 3);
      inFolder((folder) => {
        const script = path.join(folder, 'example.mjs');
        writeFileSync(script, code);
        assertPrints(execFileSync('node', [script], { encoding: 'utf8' }), code);
      });
    }
  });
}

test('the C++ of README.md compiles, links and prints what it says', () => {
  const [code] = examples('README.md', 'cpp');
  inFolder((folder) => {
    const source = path.join(folder, 'example.cc');
    const program = path.join(folder, 'example');
    writeFileSync(source, code);
    const library = inRoot('build/native/core/libbroadloom.a');
    const flags = ['-std=c++23', '-Wall', '-Wextra', '-Werror', `-I${inRoot('core/include')}`];
    execFileSync('c++', [...flags, source, library, '-o', program], { stdio: 'inherit' });
    assertPrints(execFileSync(program, { encoding: 'utf8' }), code);
  });
});
