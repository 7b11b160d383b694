// The download of a page that multiplies two arrays, for each library: its script, bundled and minified by rolldown, and the
// files that the script loads when it runs, each compressed by gzip -9.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { Failure } from '../../fail.mjs';
import { inRoot } from '../../paths.mjs';
import { table } from '../table.mjs';
import { setUpPeers, versionOf } from './peers-setup.mjs';

const operands = 'new Float32Array([1, 2, 3, 4, 5, 6])';

const numpyTs = (entry) => `import { array, multiply } from '${entry}';
  console.log(multiply(array([[1, 2, 3], [4, 5, 6]], 'float32'), array([[1], [2]], 'float32')).tolist());`;

// Each library: a page's script, and the files that it loads at run time, relative to node_modules.
const pages = [
  { module: 'numpy-ts', script: numpyTs('numpy-ts'), files: [] },
  { module: 'numpy-ts', entry: 'numpy-ts/core', script: numpyTs('numpy-ts/core'), files: [] },
  {
    module: '@tensorflow/tfjs-core',
    script: `import { mul, setBackend, tensor } from '@tensorflow/tfjs-core';
      import '@tensorflow/tfjs-backend-wasm';
      await setBackend('wasm');
      console.log(mul(tensor(${operands}, [2, 3]), tensor([1, 2], [2, 1])).dataSync());`,
    files: ['@tensorflow/tfjs-backend-wasm/wasm-out/tfjs-backend-wasm-simd.wasm'],
  },
  {
    module: 'onnxruntime-web',
    script: `import { InferenceSession, Tensor } from 'onnxruntime-web/wasm';
      const session = await InferenceSession.create('multiply.onnx');
      const feeds = { a: new Tensor('float32', ${operands}, [2, 3]), b: new Tensor('float32', [1, 2], [2, 1]) };
      console.log((await session.run(feeds)).y.data);`,
    files: ['onnxruntime-web/dist/ort-wasm-simd-threaded.wasm', 'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs'],
  },
];

const broadloom = {
  script: `import { load } from 'broadloom';
    const bl = await load();
    console.log(bl.mul({ data: ${operands}, shape: [2, 3] }, [[1], [2]]).data);`,
  files: ['broadloom/dist/broadloom-core.wasm'],
};

// Broadloom's chunk that only bl.loadExplanations() imports.
const isForLater = (name) => name === 'explanations';

const gzipped = (contents) => gzipSync(contents, { level: 9 }).length;

// The sizes of a page's scripts and of its other files. `modules` is a folder with the library in its node_modules; the page
// is built in a folder below it.
async function sizeOf({ script, files }, modules, parent = modules) {
  const folder = mkdtempSync(path.join(parent, 'size-'));
  try {
    writeFileSync(path.join(folder, 'page.js'), script);
    const input = path.join(folder, 'page.js');
    const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    await bundle.close();
    const loaded = output.filter(({ type, name }) => type === 'chunk' && !isForLater(name));
    const scripts = loaded.map(({ code }) => gzipped(code));
    const others = files.map((name) => path.join(modules, 'node_modules', name));
    const missing = others.find((name) => !existsSync(name));
    if (missing) throw new Failure(`size: there is no ${missing}`);
    const sum = (sizes) => sizes.reduce((total, size) => total + size, 0);
    return { scripts: sum(scripts), others: sum(others.map((name) => gzipped(readFileSync(name)))) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function size() {
  const folder = await setUpPeers();
  const records = [];
  const row = table(['a page that multiplies two arrays', 36], ['scripts', 12], ['wasm etc.', 12], ['KiB, gzip', 12]);
  const add = async (name, page, ...folders) => {
    const { scripts, others } = await sizeOf(page, ...folders);
    const kib = (bytes) => (bytes / 1024).toFixed(1);
    row(name, kib(scripts), kib(others), kib(scripts + others));
    records.push({ name, kind: 'size', bytes: scripts + others });
  };
  await add('broadloom', broadloom, inRoot(), inRoot('build'));
  for (const page of pages) await add(`${page.entry ?? page.module} ${versionOf(folder, page.module)}`, page, folder);
  return { failures: 0, records };
}
