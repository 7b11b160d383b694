// Sets up the peers of the native bench in the user's cache folder: Python libraries from wheels, C++ libraries from Debian's
// packages, unpacked but not installed. Both use the system's package clients, which know their servers. A peer that cannot
// be set up is reported in one line; the others are used.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Failure } from '../fail.mjs';
import { inRoot } from '../paths.mjs';
import { pythonWith, reasonOf } from '../python.mjs';
import { run } from '../run.mjs';
import { onPath } from '../toolchain.mjs';

const sources = inRoot('tests/bench/peers');
const requirements = 'tests/requirements.txt';
const python = { numpy: 'NumPy', onnxruntime: 'ONNX Runtime', openvino: 'OpenVINO' };
const cpp = {
  eigen: { title: 'Eigen', header: 'eigen3/Eigen/Core', packages: ['libeigen3-dev'], flags: [] },
  xtensor: {
    title: 'xtensor',
    header: 'xtensor/xarray.hpp',
    packages: ['libxtensor-dev', 'xtl-dev', 'libxsimd-dev', 'nlohmann-json3-dev'],
    flags: ['-DXTENSOR_USE_XSIMD'],
  },
};

const hash = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 12);

// Resolves to the available peers: {name, title, command, args, coalesced}. `say` prints a line about each other peer.
export async function setUpPeers(threads, say) {
  const cache = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  const packages = Object.values(cpp).flatMap((peer) => peer.packages);
  const folder = path.join(cache, 'broadloom', `peers-${hash(...packages)}`);
  try {
    mkdirSync(folder, { recursive: true });
  } catch {
    throw new Failure(`cannot write in ${cache}: change its owner, or set XDG_CACHE_HOME to a writable folder`);
  }
  const peers = [];
  try {
    const interpreter = await pythonWith(requirements);
    for (const [name, title] of Object.entries(python))
      peers.push({ name, title, command: interpreter, args: [path.join(sources, 'peer.py'), name, `${threads}`] });
  } catch (error) {
    say(`${Object.values(python).join(', ')}: not compared: ${line(error)}`);
  }
  for (const [name, peer] of Object.entries(cpp)) {
    try {
      const command = await compiled(folder, name, peer);
      peers.push({ name, title: peer.title, command, args: [], coalesced: true });
    } catch (error) {
      say(`${peer.title}: not compared: ${line(error)}`);
    }
  }
  return peers;
}

function line(error) {
  if (error instanceof Failure) return error.message;
  if (error.code) return error.message;
  throw error;
}

// --- C++ --------------------------------------------------------------------------------------------------------------

async function compiled(folder, name, { header, packages, flags }) {
  const compiler = ['g++', 'clang++', 'c++'].find(onPath);
  if (!compiler) throw new Failure('there is no C++ compiler: install g++');
  const source = path.join(sources, `${name}.cc`);
  const include = await headers(folder, header, packages);
  const key = hash(readFileSync(source, 'utf8'), readFileSync(path.join(sources, 'peer.h'), 'utf8'), include, compiler);
  const program = path.join(folder, `${name}-${key}`);
  if (existsSync(program)) return program;
  console.error(`peers: compiling ${name}`);
  // Optimised for this machine, as users of the library compile it; its warnings are ignored.
  const args = ['-O3', '-DNDEBUG', '-march=native', '-std=c++17', '-w', ...flags];
  const folders = ['-I', sources, '-isystem', include, '-isystem', path.join(include, header.split('/')[0])];
  const { code, output } = await run(compiler, [...args, ...folders, source, '-o', `${program}.part`], {
    capture: 'keep',
  });
  if (code !== 0)
    throw new Failure(`${compiler} does not compile it: ${output.match(/error: (.*)/)?.[1] ?? 'no reason'}`);
  renameSync(`${program}.part`, program);
  return program;
}

// The folder with the headers: the system's, or one into which Debian's packages are unpacked.
async function headers(folder, header, packages) {
  const own = path.join(folder, packages[0]);
  const unpacked = path.join(own, 'usr/include');
  const there = ['/usr/include', '/usr/local/include', '/opt/homebrew/include', unpacked].find((include) =>
    existsSync(path.join(include, header)),
  );
  if (there) return there;
  if (!onPath('apt-get') || !onPath('dpkg-deb'))
    throw new Failure(`its headers are not installed: no ${header} in /usr/include or /usr/local/include`);
  rmSync(own, { recursive: true, force: true });
  mkdirSync(own, { recursive: true });
  const download = () => run('apt-get', ['-q', 'download', ...packages], { cwd: own, capture: 'keep' });
  let downloaded = await download();
  if (downloaded.code !== 0 && /Unable to locate|no installation candidate/.test(downloaded.output)) {
    if (process.getuid() !== 0)
      throw new Failure("Debian's package lists are missing or too old: run `apt-get update` as root");
    await run('apt-get', ['-q', 'update'], { capture: 'keep' });
    downloaded = await download();
  }
  if (downloaded.code !== 0) throw new Failure(reasonOf('downloading Debian packages', downloaded.output));
  for (const file of readdirSync(own).filter((name) => name.endsWith('.deb'))) {
    const { code, output } = await run('dpkg-deb', ['-x', file, own], { cwd: own, capture: 'keep' });
    if (code !== 0) throw new Failure(reasonOf(`unpacking ${file}`, output));
  }
  return unpacked;
}
