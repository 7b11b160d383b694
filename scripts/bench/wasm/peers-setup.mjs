// Installs the peers of the package's bench in the user's cache folder, in the versions committed beside their adapters.
import { createHash } from 'node:crypto';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../../fail.mjs';
import { inRoot } from '../../paths.mjs';
import { run } from '../../run.mjs';

const sources = inRoot('tests/bench/wasm/peers');
const manifests = ['package.json', 'package-lock.json'];

// Each peer: its adapter, its title, and the package whose version is printed.
export const peersKnown = [
  { name: 'onnxruntime', title: 'onnxruntime-web', module: 'onnxruntime-web' },
  { name: 'tfjs', title: 'tfjs-wasm', module: '@tensorflow/tfjs-core' },
  { name: 'jax', title: 'jax-js', module: '@jax-js/jax' },
  { name: 'numpy-ts', title: 'numpy-ts', module: 'numpy-ts' },
  { name: 'ndarray', title: 'ndarray-ops', module: 'ndarray-ops' },
];

export const versionOf = (folder, module) =>
  JSON.parse(readFileSync(path.join(folder, 'node_modules', module, 'package.json'), 'utf8')).version;

// Resolves to the folder that contains their node_modules.
export async function setUpPeers() {
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  const hash = createHash('sha256');
  for (const name of manifests) hash.update(readFileSync(path.join(sources, name)));
  const folder = path.join(cache, 'broadloom', `peers-wasm-${hash.digest('hex').slice(0, 12)}`);
  const ready = path.join(folder, 'ready');
  if (existsSync(ready)) return folder;
  try {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
  } catch {
    throw new Failure(`cannot write in ${cache}: change its owner, or set XDG_CACHE_HOME to a writable folder`);
  }
  for (const name of manifests) copyFileSync(path.join(sources, name), path.join(folder, name));
  console.error(`peers: installing ${peersKnown.map(({ title }) => title).join(', ')} (230 MB)`);
  // No peer needs its install scripts. One declares a newer Node than it needs, which npm only warns about.
  const { code, output } = await run('npm', ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: folder,
    capture: 'keep',
  });
  // npm 11 reports success with files missing when the disk is full.
  if (code !== 0 || /TAR_ENTRY_ERROR/.test(output)) throw new Failure(reason(output));
  writeFileSync(ready, '');
  return folder;
}

function reason(output) {
  if (/ENOSPC|no space left|TAR_ENTRY_ERROR/i.test(output)) return 'no space is left on the disk for the peers';
  if (/EAI_AGAIN|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|network/i.test(output))
    return 'the npm registry does not answer: check the network and proxy settings, then try again';
  return `installing the peers failed: ${output.match(/npm error (?!code)(.*)/)?.[1] ?? 'npm ci failed'}`;
}
