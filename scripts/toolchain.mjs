// The tools of a build: sets up what is missing, and tells where things are.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Failure } from './fail.mjs';
import { inRoot, root } from './paths.mjs';

// `what` is "start" or "test", as scripts/setup.sh has it. Returns the environment for everything that builds or tests.
export async function setUp(what) {
  const places = await setupPlaces(what);
  const env = { ...process.env, BROADLOOM_EMSCRIPTEN: places.emscripten };
  if (places.archives) {
    env.BROADLOOM_ARCHIVES = places.archives;
    delete env.EM_CONFIG; // it would override the toolchain's own configuration
  }
  if (places.compiled && !env.CMAKE_CXX_COMPILER_LAUNCHER) Object.assign(env, ccacheVariables(places.compiled));
  return env;
}

// ccache keeps objects in `folder`, and takes them from there when the same sources are compiled again in the same way.
function ccacheVariables(folder) {
  return {
    CMAKE_C_COMPILER_LAUNCHER: 'ccache',
    CMAKE_CXX_COMPILER_LAUNCHER: 'ccache',
    CCACHE_DIR: folder,
    CCACHE_MAXSIZE: '2G',
    // Without these the path of a clone would count, and no other clone would find its objects.
    CCACHE_BASEDIR: root,
    CCACHE_NOHASHDIR: '1',
  };
}

function setupPlaces(what) {
  return new Promise((resolve, reject) => {
    const child = spawn('bash', [inRoot('scripts/setup.sh'), what], { stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('error', () => reject(new Failure('setup: bash is missing: install it, and run this again')));
    child.on('close', (code) => {
      if (code === 0)
        resolve(Object.fromEntries([...output.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name, value])));
      else reject(new Failure('Nothing was built: the line above says what is missing.'));
    });
  });
}

export function onPath(command) {
  const folders = (process.env.PATH ?? '').split(path.delimiter);
  return folders.map((folder) => path.join(folder, command)).find(existsSync);
}

// A Firefox for the browser tests: BROADLOOM_FIREFOX, else what the system has.
export function firefox() {
  const found =
    process.env.BROADLOOM_FIREFOX ||
    ['firefox-esr', 'firefox'].map(onPath).find(Boolean) ||
    ['/Applications/Firefox.app/Contents/MacOS/firefox'].find(existsSync);
  if (!found) throw new Failure('No Firefox was found: install it, or set BROADLOOM_FIREFOX to its program');
  return found;
}

// A Chromium for the browser tests: BROADLOOM_CHROMIUM, else what the system has. The headless shell, which Playwright
// uses by default, opens a page about twice as fast.
export function chromium() {
  const found =
    process.env.BROADLOOM_CHROMIUM ||
    ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
      .map(onPath)
      .find(Boolean) ||
    ['/Applications/Google Chrome.app/Contents/MacOS/Google Chrome'].find(existsSync);
  if (!found)
    throw new Failure('No Chromium was found: install Chromium or Chrome, or set BROADLOOM_CHROMIUM to its program');
  return found;
}
