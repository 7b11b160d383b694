// Sets up missing build tools and finds installed ones.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './fail.mjs';
import { inRoot, root } from './paths.mjs';

// `what` is "start" or "test", the argument of scripts/setup.sh. Returns the environment for builds and tests.
export async function setUp(what) {
  const places = await setupPlaces(what);
  const env = { ...process.env, BROADLOOM_EMSCRIPTEN: places.emscripten };
  if (places.archives) {
    env.BROADLOOM_ARCHIVES = places.archives;
    delete env.EM_CONFIG; // would override the toolchain's own configuration
  }
  const takesCcache = places.compiled && env.BROADLOOM_CCACHE !== 'off' && !env.CMAKE_CXX_COMPILER_LAUNCHER;
  if (takesCcache) Object.assign(env, ccacheVariables(places.compiled));
  return env;
}

// Variables that make CMake compile through ccache, which keeps objects in `folder`.
function ccacheVariables(folder) {
  return {
    CMAKE_C_COMPILER_LAUNCHER: 'ccache',
    CMAKE_CXX_COMPILER_LAUNCHER: 'ccache',
    CCACHE_DIR: folder,
    CCACHE_MAXSIZE: '2G',
    // Without these, the clone's path would be part of the key, and clones could not share objects.
    CCACHE_BASEDIR: root,
    CCACHE_NOHASHDIR: '1',
  };
}

function setupPlaces(what) {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', [inRoot('scripts/setup.sh'), what], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', () => reject(new Failure('setup: bash is missing: install it, then try again')));
    child.on('close', (code) => {
      if (code === 0)
        resolve(Object.fromEntries([...output.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])));
      else reject(new Failure('Nothing was built; the line above says what is missing.'));
    });
  });
}

export function onPath(command) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, command)).find(existsSync);
}

// The Firefox for the browser tests: BROADLOOM_FIREFOX, else the system's.
export function firefox() {
  const found =
    process.env.BROADLOOM_FIREFOX ||
    ['firefox-esr', 'firefox'].map(onPath).find(Boolean) ||
    ['/Applications/Firefox.app/Contents/MacOS/firefox'].find(existsSync);
  if (!found) throw new Failure('No Firefox was found: install it, or set BROADLOOM_FIREFOX to its path');
  return found;
}

// The Chromium for the browser tests: BROADLOOM_CHROMIUM, else the system's. The headless shell is preferred, as in
// Playwright: it opens a page about twice as fast.
export function chromium() {
  const found =
    process.env.BROADLOOM_CHROMIUM ||
    ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
      .map(onPath)
      .find(Boolean) ||
    ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find(existsSync);
  if (!found)
    throw new Failure('No Chromium was found: install Chromium or Chrome, or set BROADLOOM_CHROMIUM to its path');
  return found;
}
