// A plugin for Vite: writes the service worker with the list of files that it keeps, and the icons of the installed page.
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { pngIcon } from './icons.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const workerName = 'service-worker.js';
// The icons that public/manifest.webmanifest names. Platforms crop maskable ones to a circle or a square.
const icons = [
  { name: 'icon-192.png', size: 192 },
  { name: 'icon-512.png', size: 512 },
  { name: 'icon-maskable-512.png', size: 512, ground: '#faf8f4', part: 0.62 },
];

// Hosts on which nothing is kept: other servers of a developer may use the same port later. A name such as
// broadloom.localhost is an origin of its own.
const sharedHosts = ['localhost', '127.0.0.1', '[::1]'];

// What reads Zarr arrays is not kept: the arrays are on the server, and the codecs are larger than the page.
const needsServer = (name) => /^assets\/(?:zarr-worker|blosc|lz4|zstd)-[^/]*\.js$/.test(name);

export function offline() {
  let publicFolder;
  return {
    name: 'broadloom-offline',
    apply: 'build',
    config: () => ({ define: { broadloomSharedHosts: JSON.stringify(sharedHosts) } }),
    configResolved: ({ publicDir }) => void (publicFolder = publicDir),
    buildStart() {
      this.emitFile({ type: 'chunk', id: path.join(here, 'service-worker.ts'), fileName: workerName });
    },
    generateBundle: {
      // After the page itself is built.
      order: 'post',
      handler(_, bundle) {
        const worker = bundle[workerName];
        if (worker.imports.length > 0 || worker.exports.length > 0)
          this.error('the service worker has to be one script');
        const contents = new Map(
          readdirSync(publicFolder).map((name) => [name, readFileSync(path.join(publicFolder, name))]),
        );
        for (const [name, file] of Object.entries(bundle)) {
          if (name !== workerName && !name.endsWith('.map'))
            contents.set(name, file.type === 'chunk' ? file.code : file.source);
        }
        const hash = createHash('sha256').update(worker.code);
        for (const name of [...contents.keys()].sort()) hash.update(`\0${name}\0`).update(contents.get(name));
        for (const name of contents.keys()) if (needsServer(name)) contents.delete(name);
        const digest = (name) => createHash('sha256').update(contents.get(name)).digest('base64');
        // The address of the page is its folder.
        const files = Object.fromEntries(
          [...contents.keys()].sort().map((name) => [name === 'index.html' ? './' : name, digest(name)]),
        );
        const version = hash.digest('hex').slice(0, 16);
        worker.code = `const broadloomFiles=${JSON.stringify(files)},broadloomVersion=${JSON.stringify(version)};\n${worker.code}`;

        const drawing = readFileSync(path.join(publicFolder, 'icon.svg'), 'utf8');
        for (const { name, ...look } of icons) {
          this.emitFile({ type: 'asset', fileName: name, source: pngIcon(drawing, look) });
        }
      },
    },
  };
}
