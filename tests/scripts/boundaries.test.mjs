// Each check of the boundaries finds a violation in a small tree.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { inRoot } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';

async function check(files) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'broadloom-boundaries-'));
  try {
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const { code, output } = await run('node', [inRoot('scripts/check-boundaries.mjs'), folder], { capture: 'keep' });
    return { code, lines: output.trimEnd().split('\n') };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// In two parts, because no file of the repository, including this one, may contain them.
const host = ['registry', 'npmjs.org'].join('.');
const machinePath = ['', 'home', 'somebody', 'broadloom'].join('/');

const crossings = {
  'core includes emscripten': ['core/src/base/shape.cc', '\n#include <emscripten/val.h>\n'],
  'core includes iostream': ['core/include/broadloom/shape.h', '\n#include <iostream>\n'],
  'core prints': ['core/src/base/shape.cc', '\nvoid f() { std::printf("x"); }\n'],
  'core throws': ['core/src/base/shape.cc', '\nvoid f() { throw 1; }\n'],
  'core aborts': ['core/src/kernels/ops/move.cc', '\nvoid f() { std::abort(); }\n'],
  'core exits': ['core/src/base/shape.cc', '\nvoid f() { exit(1); }\n'],
  'core asserts': ['core/src/base/shape.cc', '\nvoid f() { HWY_ASSERT(false); }\n'],
  'core takes a value that may not be there': ['core/src/base/shape.cc', '\nint f() { return a.value(); }\n'],
  'core allocates past the allocator': ['core/src/base/shape.cc', '\nstd::vector<int> v;\n'],
  'a public header includes Highway': ['core/include/broadloom/tensor.h', '\n#include "hwy/highway.h"\n'],
  'a header includes a later one': ['core/include/broadloom/shape.h', '\n#include "broadloom/plan.h"\n'],
  'a source includes a later header': ['core/src/rules/rule.cc', '\n#include "broadloom/execute.h"\n'],
  'an internal header includes a later one': [
    'core/include/broadloom/internal/nest.h',
    '\n#include "broadloom/plan.h"\n',
  ],
  'a source includes a header of a later folder': ['core/src/run/plan.cc', '\n#include "sum/panels.h"\n'],
  'rows know operators': ['core/src/kernels/rows/loop-inl.h', '\n#include "kernels/ops/arithmetic-inl.h"\n'],
  'a kernel knows shapes': ['core/src/kernels/ops/move.cc', '\n#include "broadloom/alignment.h"\n'],
  'an early stage knows kernels': ['core/src/base/shape.cc', '\n#include "kernels/find.h"\n'],
  'the package imports a later folder': [
    'wasm/src/types/errors.ts',
    '\nimport type { Core } from "../core/core.js";\n',
  ],
  'the page imports a later folder': ['web/src/text/format.ts', '\nimport { store } from "../store/store";\n'],
  'wasm includes a part of the core': ['wasm/bindings/plans.cc', '\n#include "broadloom/plan.h"\n'],
  'the page imports the package twice': ['web/src/view.ts', '\nimport { load } from "broadloom";\n'],
  'the page imports a part of the package': [
    'web/src/engine/engine.ts',
    '\nimport { load } from "broadloom/dist/core.js";\n',
  ],
  'the page reaches into wasm': ['web/src/engine/engine.ts', '\nimport { load } from "../../../wasm/src/index.js";\n'],
  'a registry is named': ['package-lock.json', `\n"https://${host}/x"\n`],
  'a path of a machine is named': ['scripts/build.sh', `\ncd ${machinePath}\n`],
  'a built file is there': ['wasm/core.wasm', '\n\n'],
};

for (const [what, [file, text]] of Object.entries(crossings)) {
  test(`found: ${what}`, async () => {
    const { code, lines } = await check({ [file]: text });
    assert.equal(code, 1);
    assert.equal(lines.length, 2, lines.join('\n'));
    assert.match(lines[0], new RegExp(`^${file.replaceAll('.', '\\.')}:[12]: `));
    assert.match(lines[1], /^\d+ passed, 1 failed$/);
  });
}

test('found: two headers define the same name', async () => {
  const { code, lines } = await check({
    'explain/src/code/names.h': 'constexpr bool IsLetter(char c) {\n  return c > 64;\n}\n',
    'explain/src/paste/plain.h': '\ninline bool IsLetter(char c) { return c < 0; }\nstruct Plain {\n};\n',
  });
  assert.equal(code, 1);
  assert.equal(lines.length, 3, lines.join('\n'));
  assert.match(lines[0], /names\.h:1: defines IsLetter, as explain\/src\/paste\/plain\.h does/);
  assert.match(lines[1], /plain\.h:2: defines IsLetter, as explain\/src\/code\/names\.h does/);
});

test('allowed code passes', async () => {
  const { code, lines } = await check({
    'core/src/base/shape.cc':
      '#include "broadloom/shape.h"\n#include "broadloom/memory.h"\n// never throws; abort() is not called\nconst char* s = "printf(";\n',
    'core/src/kernels/ops/move.cc': '#include "hwy/highway.h"\n#include "kernels/rows/task.h"\n',
    'wasm/bindings/plans.cc': '#include <emscripten/bind.h>\n#include <vector>\n#include "broadloom/broadloom.h"\n',
    'web/src/engine/engine.ts': 'import { load } from "broadloom";\n',
  });
  assert.equal(code, 0, lines.join('\n'));
});
