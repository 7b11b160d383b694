// A small server for static files: right types (a browser compiles wasm from the stream only as application/wasm), asked
// again each time (ETag) but for what a build names by its contents, parts of files (Range), nothing outside its folders.
import { createReadStream } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import http from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

const types = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.map': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

// Vite's: `assets/index-CmNvIR3K.js` never changes, since other contents would have another name.
const isNamedByContents = (pathname) => /\/assets\/[^/]+-[\w-]{8}\.\w+$/.test(pathname);

// The file that a request's path means, or null. Links are followed, but not out of the folder.
async function fileFor(folder, pathname) {
  let name;
  try {
    name = decodeURIComponent(pathname);
  } catch {
    return null;
  }
  if (name.includes('\0')) return null;
  if (name.endsWith('/')) name += 'index.html';
  try {
    const file = await realpath(path.join(folder, path.posix.normalize(name)));
    return file.startsWith(folder + path.sep) ? file : null;
  } catch {
    return null;
  }
}

// The first and last byte that a Range header asks for; null without one, or where a server may ignore it: several ranges, or a
// unit that is not known. An empty list if the file has no such bytes.
function rangeOf(header, size) {
  const [, first, last] = /^bytes=(\d*)-(\d*)$/.exec(header ?? '') ?? [];
  if (first === undefined || (first === '' && last === '')) return null;
  const range =
    first === ''
      ? [Math.max(0, size - last), size - 1]
      : [Number(first), Math.min(size - 1, last === '' ? size : last)];
  if (first !== '' && last !== '' && Number(last) < range[0]) return null;
  return range[0] <= range[1] ? range : [];
}

async function answer(folders, request, response) {
  const end = (status, headers = {}) => {
    response.writeHead(status, { 'Cache-Control': 'no-cache', 'X-Content-Type-Options': 'nosniff', ...headers });
    response.end();
  };
  if (request.method !== 'GET' && request.method !== 'HEAD') return end(405, { Allow: 'GET, HEAD' });

  const [pathname] = request.url.split(/[?#]/, 1);
  const isData = folders.data !== null && pathname.startsWith('/data/');
  const file = await (isData ? fileFor(folders.data, pathname.slice('/data'.length)) : fileFor(folders.page, pathname));
  const info = file && (await stat(file));
  // Relative, so that a path of two slashes cannot become another host.
  if (info?.isDirectory() && !isData) return end(308, { Location: `./${encodeURIComponent(path.basename(file))}/` });
  if (!info?.isFile()) return end(404);

  const headers = {
    'Cache-Control': isNamedByContents(pathname) && !isData ? 'public, max-age=31536000, immutable' : 'no-cache',
    'Content-Type': types[path.extname(file)] ?? 'application/octet-stream',
    ETag: `"${info.size.toString(16)}-${Math.trunc(info.mtimeMs).toString(16)}"`,
    'X-Content-Type-Options': 'nosniff',
  };
  if (request.headers['if-none-match'] === headers.ETag) return end(304, headers);
  const range = rangeOf(request.headers.range, info.size);
  if (range?.length === 0) return end(416, { ...headers, 'Content-Range': `bytes */${info.size}` });
  const [first, last] = range ?? [0, info.size - 1];
  response.writeHead(range ? 206 : 200, {
    ...headers,
    'Accept-Ranges': 'bytes',
    'Content-Length': last - first + 1,
    ...(range ? { 'Content-Range': `bytes ${first}-${last}/${info.size}` } : {}),
  });
  if (request.method === 'HEAD' || last < first) return response.end();
  // Closes the file, too, where the browser goes away before its end.
  await pipeline(createReadStream(file, { start: first, end: last }), response);
}

// Serves a folder on this machine alone, and the folder `data`, if it is given, below /data/. Resolves to the server when it
// listens; rejects with the system's error.
export async function serve(folder, port = 0, data = null) {
  const folders = { page: await realpath(folder), data: data === null ? null : await realpath(data) };
  const server = http.createServer((request, response) => {
    answer(folders, request, response).catch(() => response.destroy());
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

export const addressOf = (server, host = 'localhost') => `http://${host}:${server.address().port}`;

// A host of the page's own on this machine: on localhost itself the page registers no service worker.
export const ownHost = 'broadloom.localhost';
