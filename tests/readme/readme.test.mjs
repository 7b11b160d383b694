// The README's examples do what their comments say: each `// text` at the end of a line is what that line prints. The
// package is installed as the READMEs say: from a tarball, since it is not published.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { formatNpy } from 'broadloom/npy';
import { inRoot, root } from '../../scripts/paths.mjs';
import { projectFiles } from '../../scripts/project-files.mjs';
import { zip } from '../package/zip.mjs';

// The fenced blocks of a language.
function examples(file, language) {
  const text = readFileSync(inRoot(file), 'utf8');
  const found = [...text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(([, code]) => code);
  assert.ok(found.length > 0, `${file} has a ${language} example`);
  return found;
}

// The expected output, line by line; `...` stands for any text.
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
        assertPrints(execFileSync('node', ['--import', place, script], { encoding: 'utf8' }), code);
      });
    }
  });
}

const place = inRoot('tests/package/zarrita-place.mjs');
const tarball = `broadloom-${JSON.parse(readFileSync(inRoot('wasm/package.json'), 'utf8')).version}.tgz`;

// The commands of a file's shell blocks, without comments.
const commands = (file) =>
  examples(file, 'sh')
    .join('')
    .split('\n')
    .map((line) => line.replace(/\s+#.*$/, '').trim())
    .filter(Boolean);

// Runs `body` with a folder outside the repository, and a function that runs a command there or in another folder. The
// registry is not used. The output of npm pack goes to the folder.
function farAway(body) {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'broadloom-readme-')));
  const settings = { offline: 'true', audit: 'false', fund: 'false', yes: 'true', pack_destination: folder };
  const env = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name))),
    ...Object.fromEntries(Object.entries(settings).map(([name, value]) => [`npm_config_${name}`, value])),
    npm_config_cache: path.join(folder, 'npm-cache'), // otherwise npx would put the tarball into the user's cache
  };
  const shell = (command, cwd) => execFileSync('bash', ['-c', command], { cwd, env, encoding: 'utf8' });
  try {
    return body(folder, shell);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a command prints; its status is 1 where the shapes do not fit, which is an answer. */
function answerOf(start) {
  try {
    return start();
  } catch (error) {
    assert.equal(error.status, 1, error.message);
    return error.stdout;
  }
}

for (const file of ['README.md', 'wasm/README.md']) {
  test(`the package is packed, installed and started as ${file} says`, () =>
    farAway((folder, shell) => {
      const lines = commands(file);
      const packing = lines.filter((line) => line.startsWith('npm pack'));
      const installing = lines.filter((line) => line.startsWith('npm install'));
      const starting = lines.filter((line) => /\bnpx /.test(line));
      assert.equal(packing.length, 1);
      assert.equal(installing.length, 1);
      assert.ok(starting.length > 0);
      assert.equal(shell(packing[0], root).trimEnd().split('\n').at(-1), tarball);

      const project = path.join(folder, 'project');
      const empty = path.join(folder, 'empty');
      for (const each of [project, empty]) mkdirSync(each);
      const here = (line) => line.replaceAll('/path/to/', `${folder}/`);
      shell(here(installing[0]), project);
      const [code] = examples(file, 'js');
      writeFileSync(path.join(project, 'example.mjs'), code);
      assertPrints(shell('node example.mjs', project), code);
      // A command that names the tarball needs no installation.
      const help = shell('node_modules/.bin/broadloom --help', project);
      const [fromHelp] = help.match(/npx .* broadloom(?=\.$)/m);
      const files = {
        'model.onnx': readFileSync(inRoot('tests/models/data/fits.onnx')),
        'x.py': 'raise ValueError("operands could not be broadcast together with shapes (32,10) (32,) ")\n',
        'a.npy': formatNpy({ data: new Float32Array([1, 2]), shape: [2] }),
        'b.npy': formatNpy({ data: new Float32Array([3, 4]), shape: [2] }),
      };
      files['two.npz'] = zip({ 'a.npy': files['a.npy'], 'b.npy': files['b.npy'] });
      for (const [name, content] of Object.entries(files)) writeFileSync(path.join(project, name), content);
      for (const line of [...starting, `${fromHelp} "(2,3)" "(3,)"`]) {
        const asked = here(line).replace(/^python /, 'python3 ');
        const output = answerOf(() => shell(asked, line.includes(tarball) ? empty : project));
        if (line.includes('.npy')) assert.equal(output, line.includes('-o -') ? '' : 'c.npy: f32 (2,)\n', line);
        else assert.match(output, /\([\w?][\w=?, ]*\)/, line);
      }
    }));
}

test('an example is installed from the tarball, and runs', () =>
  farAway((folder, shell) => {
    shell('npm pack -w wasm', root);
    const example = path.join(folder, 'examples/node-npy');
    cpSync(inRoot('examples/node-npy'), example, {
      recursive: true,
      filter: (file) => !/node_modules|package-lock/.test(path.relative(inRoot('examples'), file)),
    });
    const lines = commands('examples/node-npy/README.md').filter((line) => !line.startsWith('npm pack'));
    assert.deepEqual(
      lines.map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['npm install', 'npm start', 'npm run', 'npx --no'],
    );
    for (const line of lines) shell(line, example);
    assert.ok(readFileSync(path.join(example, 'centred.npy')).length > 128);
  }));

// Anyone may register a name that is free, so no text may tell people to install it from a registry.
test('no text installs the package from a registry or a content network', () => {
  const published = [
    /\b(?:npm|pnpm|yarn|bun)\s+(?:install|i|add)\s+(?:-\S+\s+)*broadloom(?![\w/.-])/,
    /\b(?:npx|bunx|pnpm dlx|yarn dlx)\s+broadloom\b/,
    /\b(?:unpkg\.com|jsdelivr\.net|esm\.sh|skypack\.dev)\/[\w./-]*broadloom|\bnpm:broadloom/,
  ];
  for (const file of projectFiles().filter((name) => /\.(?:md|json|ts|mjs|js|html|yml)$/.test(name))) {
    const text = readFileSync(inRoot(file), 'utf8');
    for (const pattern of published) assert.doesNotMatch(text, pattern, file);
    for (const [name] of text.matchAll(/broadloom-\d[\w.-]*\.tgz/g)) assert.equal(name, tarball, file);
  }
});

test('the C++ of README.md compiles, links and prints what it says', () => {
  for (const code of examples('README.md', 'cpp')) {
    inFolder((folder) => {
      const source = path.join(folder, 'example.cc');
      const program = path.join(folder, 'example');
      writeFileSync(source, code);
      const libraries = ['explain/libbroadloom_explain.a', 'core/libbroadloom.a'].map((file) =>
        inRoot('build/native', file),
      );
      const folders = ['core/include', 'explain/include'].map((name) => `-I${inRoot(name)}`);
      const flags = ['-std=c++23', '-Wall', '-Wextra', '-Werror', ...folders];
      execFileSync('c++', [...flags, source, ...libraries, '-o', program], { stdio: 'inherit' });
      assertPrints(execFileSync(program, { encoding: 'utf8' }).replace(/ +$/gm, ''), code);
    });
  }
});
