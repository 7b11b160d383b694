// A user's project: a folder outside the repository, into which the packed package is installed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { inRoot } from '../../scripts/paths.mjs';
import { run } from '../../scripts/run.mjs';

const require = createRequire(import.meta.url);

/** What `compute` of app/compute.js answers under a strict content policy. */
export const answers = {
  sum: '10,21,32,13,24,35',
  shape: '2,3',
  inlineSum: '10,21,32,13,24,35',
  inlineShape: '2,3',
  oneGraph: true,
  knownErrors: true,
  loadedOnce: true,
  evaluates: false,
};

// The environment without the variables by which an outer npm passes its settings.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_/i.test(name)));

export async function succeeds(command, args, options) {
  const { code, output } = await run(command, args, { env, capture: 'keep', ...options });
  assert.equal(code, 0, output);
  return output;
}

/** Packs the package into `folder`; resolves to the tarball. */
export async function pack(folder) {
  await succeeds('npm', ['pack', '--silent', '-w', 'wasm', '--pack-destination', folder]);
  const [name] = readdirSync(folder).filter((file) => file.endsWith('.tgz'));
  return path.join(folder, name);
}

/** A project with the package installed and the files of app/ in `src`; call `remove` afterwards. */
export async function makeProject() {
  const folder = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'broadloom-consumer-js-')));
  const tarball = await pack(folder);
  writeFileSync(path.join(folder, 'package.json'), '{ "name": "consumer", "private": true, "type": "module" }\n');
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'];
  await succeeds('npm', ['install', ...quiet, tarball], { cwd: folder });
  cpSync(inRoot('tests/consumer-js/app'), path.join(folder, 'src'), { recursive: true });
  return {
    folder,
    inFolder: (...parts) => path.join(folder, ...parts),
    installed: path.join(folder, 'node_modules/broadloom'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Makes a page of the project, beside those of other tests: `folder`, whose index.html runs `script`. */
export function addPage(project, folder, script) {
  cpSync(project.inFolder('src'), project.inFolder(folder), { recursive: true });
  const html = readFileSync(project.inFolder('src/index.html'), 'utf8').replace('./main.js', `./${script}`);
  writeFileSync(project.inFolder(folder, 'index.html'), html);
}

/** Makes page.html of such a page, with an import map. Returns its address and what a content policy has to allow. */
export function addImportMap(project, folder, imports) {
  const importMap = JSON.stringify({ imports });
  const html = readFileSync(project.inFolder(folder, 'index.html'), 'utf8');
  const withMap = html.replace('</head>', `<script type="importmap">${importMap}</script></head>`);
  writeFileSync(project.inFolder(folder, 'page.html'), withMap);
  const hash = createHash('sha256').update(importMap).digest('base64');
  return { address: `/${folder}/page.html`, allowed: `'sha256-${hash}'` };
}

// The program of a runtime, from the package that npm chose for this platform. Install scripts are not run; Bun's would
// move the program.
export function program(runtime, ...places) {
  const manifest = require.resolve(`${runtime}/package.json`);
  const { optionalDependencies } = require(manifest);
  const near = createRequire(manifest);
  const folders = [path.dirname(manifest)];
  for (const name of Object.keys(optionalDependencies)) {
    try {
      folders.push(path.dirname(near.resolve(`${name}/package.json`)));
    } catch {
      // another platform's package
    }
  }
  const found = folders.toReversed().flatMap((folder) => places.map((place) => path.join(folder, place)));
  return found.find((file) => existsSync(file));
}
