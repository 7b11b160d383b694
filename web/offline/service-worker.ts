// Keeps the page's files, so that it works offline. All files of one build are kept together, so that files of two builds are
// never mixed; a newer build waits until the page lets it take over (src/page/offline.ts). Nothing else is kept, and nothing
// is requested from another origin. A file is kept only if it has the hash that the build gave it: a server may answer with
// another file under the same name (an error page in place of a script, or files of two builds).

export {};
// The build defines these (plugin.mjs).
/** The SHA-256 of each file, in base64. */
declare const broadloomFiles: Readonly<Record<string, string>>;
declare const broadloomVersion: string;
declare const broadloomSharedHosts: readonly string[];
declare const self: ServiceWorkerGlobalScope;

const { scope } = self.registration;
// Copies of the page below other folders of the same origin have caches of their own.
const ours = `broadloom ${scope} `;
const cacheName = ours + broadloomVersion;
const digests = new Map(
  Object.entries(broadloomFiles).map(([file, digest]) => [new URL(file, scope).href, digest] as const),
);

/** A copy of the response without its redirection, which browsers refuse for a page, and without its Vary header. */
function plain(response: Response): Response {
  if (!response.redirected && !response.headers.has('vary')) return response;
  const headers = new Headers(response.headers);
  headers.delete('vary');
  return new Response(response.body, { headers });
}

async function digestOf(response: Response): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await response.arrayBuffer()));
  return btoa(String.fromCharCode(...digest));
}

async function ourCaches(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(ours));
}

/** The file from the cache of an older build, if it has the same hash. */
async function keptBefore(address: string, digest: string): Promise<Response | undefined> {
  for (const name of await ourCaches()) {
    const kept = await (await caches.open(name)).match(address);
    if (kept && (await digestOf(kept.clone())) === digest) return kept;
  }
  return undefined;
}

async function fill(): Promise<void> {
  // A build that is published again finds its own cache, which may be in use.
  const isThere = await caches.has(cacheName);
  const cache = await caches.open(cacheName);
  const keep = async ([address, digest]: readonly [string, string]): Promise<void> => {
    const get = (mode: RequestCache) => fetch(address, { cache: mode, integrity: `sha256-${digest}` });
    // The HTTP cache may have a wrong file where the server has the right one.
    const response = (await keptBefore(address, digest)) ?? (await get('no-cache').catch(() => get('reload')));
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    await cache.put(address, plain(response));
  };
  // All files or none: pending ones are waited for, so that nothing is added to a cache that is deleted.
  const kept = await Promise.allSettled([...digests].map(keep));
  const lost = kept.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (!lost) return;
  if (!isThere) await caches.delete(cacheName);
  throw lost.reason;
}

async function takeOver(): Promise<void> {
  const names = await ourCaches();
  await Promise.all(names.filter((name) => name !== cacheName).map((name) => caches.delete(name)));
  await self.clients.claim();
}

/** Removes this worker and its caches: a page of an older build registered it on a host where nothing is kept now. */
async function leave(): Promise<void> {
  await self.registration.unregister();
  await Promise.all((await ourCaches()).map((name) => caches.delete(name)));
}

/** Static routing, which TypeScript does not know yet: Chromium then answers from the cache by itself. */
interface RoutedInstall extends ExtendableEvent {
  addRoutes?(rules: readonly { condition: { urlPattern: URLPattern }; source: { cacheName: string } }[]): Promise<void>;
}
declare class URLPattern {
  constructor(parts: { baseURL: string; search: string });
}

/** Routes to the cache for all files, so that the page is shown before this script has started. */
async function answerUnasked(event: RoutedInstall): Promise<void> {
  const routes = () =>
    [...digests.keys()].map((baseURL) => ({
      condition: { urlPattern: new URLPattern({ baseURL, search: '' }) },
      source: { cacheName },
    }));
  await event.addRoutes?.(routes()).catch(() => {}); // Without routes this script answers.
}

let opened: Promise<Cache> | null = null;

async function answer(address: string, request: Request): Promise<Response> {
  const cache = await (opened ??= caches.open(cacheName));
  return (await cache.match(address)) ?? fetch(request);
}

if (broadloomSharedHosts.includes(self.location.hostname)) {
  self.addEventListener('install', (event) => event.waitUntil(self.skipWaiting()));
  self.addEventListener('activate', (event) => event.waitUntil(leave()));
} else {
  self.addEventListener('install', (event: RoutedInstall) => {
    event.waitUntil(answerUnasked(event));
    event.waitUntil(fill());
  });
  self.addEventListener('activate', (event) => event.waitUntil(takeOver()));
  self.addEventListener('message', ({ data }) => {
    if (data === 'take over') void self.skipWaiting();
  });
  self.addEventListener('fetch', (event) => {
    const { request } = event;
    const { origin, pathname } = new URL(request.url);
    // The page is one file, whatever its query.
    const address = (origin + pathname).replace(/\/index\.html$/, '/');
    if (request.method === 'GET' && digests.has(address)) event.respondWith(answer(address, request));
  });
}
