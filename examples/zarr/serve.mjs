// Serves this folder on localhost, and takes the chunks of data/sum.zarr: node serve.mjs [--port 8000]

import { createReadStream } from 'node:fs';
import { mkdir, rename, stat, writeFile } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { port: { type: 'string', default: '8000' } } });
const folder = fileURLToPath(new URL('.', import.meta.url));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json' }; // prettier-ignore
const MOST_BYTES = 2 ** 28;

const server = http.createServer(async (request, response) => {
  // The first two isolate the page, so that the browser measures its memory. The policy is the strictest that works.
  response.setHeaders(
    new Map([
      ['Cross-Origin-Opener-Policy', 'same-origin'],
      ['Cross-Origin-Embedder-Policy', 'require-corp'],
      ['Cache-Control', 'no-cache'],
    ]),
  );
  try {
    const { pathname } = new URL(request.url, 'http://localhost');
    const name = decodeURIComponent(pathname).replace(/\/$/, '/index.html');
    const file = path.join(folder, path.normalize(name));
    if (request.method === 'PUT') await put(request, file);
    else {
      const { size } = await stat(file);
      response.setHeader('Content-Length', size);
      response.setHeader('Content-Type', TYPES[path.extname(file)] ?? 'application/octet-stream');
      if (request.method !== 'HEAD') {
        createReadStream(file)
          .on('error', () => response.destroy())
          .pipe(response);
        return;
      }
    }
    response.end();
  } catch (error) {
    const status = error.code === 'ENOENT' ? 404 : 400;
    response.writeHead(status, { 'Content-Type': 'text/plain' }).end(String(error.message));
  }
});

/** Writes a file of the sum: first under another name, so that there is no half of a chunk. */
async function put(request, file) {
  if (!file.startsWith(path.join(folder, 'data', 'sum.zarr') + path.sep))
    throw new Error('Only the sum can be written.');
  const parts = [];
  let bytes = 0;
  for await (const part of request) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new Error('The chunk is too large.');
    parts.push(part);
  }
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.partial`, parts);
  await rename(`${file}.partial`, file);
}

server.listen(Number(values.port), 'localhost', () => console.log(`http://localhost:${server.address().port}/`));
