// Keeps the page for when there is no network. All files of one build are kept together, so that no page is made of two
// builds; a newer build waits until the page says that it may take over (src/offline.ts). Nothing else is kept, and nothing
// is asked of another origin. A file is kept only if it has the hash that the build gave it: a server may answer with
// something else under the same name (a page for a missing script, or files of two builds).

export {};
// Written before this text by the build (plugin.mjs).
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

/** A page may not be answered with a response that was redirected; nor is what is kept told apart by what was asked with. */
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

/** The file as an older build of ours has kept it, if it is the same one. */
async function keptBefore(address: string, digest: string): Promise<Response | undefined> {
  for (const name of await ourCaches()) {
    const kept = await (await caches.open(name)).match(address);
    if (kept && (await digestOf(kept.clone())) === digest) return kept;
  }
  return undefined;
}

async function fill(): Promise<void> {
  // A build that is published again after another one finds what it has kept, and may be in use.
  const isThere = await caches.has(cacheName);
  const cache = await caches.open(cacheName);
  const keep = async ([address, digest]: readonly [string, string]): Promise<void> => {
    const get = (mode: RequestCache) => fetch(address, { cache: mode, integrity: `sha256-${digest}` });
    // What the browser has kept may be wrong while the server is right.
    const response = (await keptBefore(address, digest)) ?? (await get('no-cache').catch(() => get('reload')));
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    await cache.put(address, plain(response));
  };
  // All or nothing: what still arrives is waited for, so that nothing is put into what is thrown away.
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

/** A page of an older build has registered this worker where nothing is kept any more. */
async function leave(): Promise<void> {
  await self.registration.unregister();
  await Promise.all((await ourCaches()).map((name) => caches.delete(name)));
}

/** What Chromium has and TypeScript does not know yet: the browser answers by itself what needs no script. */
interface RoutedInstall extends ExtendableEvent {
  addRoutes?(rules: readonly { condition: { urlPattern: URLPattern }; source: { cacheName: string } }[]): Promise<void>;
}
declare class URLPattern {
  constructor(parts: { baseURL: string; search: string });
}

/** Files asked for as they are named come out of the cache before this script has started: the page is there sooner. */
async function answerUnasked(event: RoutedInstall): Promise<void> {
  const routes = () =>
    [...digests.keys()].map((baseURL) => ({
      condition: { urlPattern: new URLPattern({ baseURL, search: '' }) },
      source: { cacheName },
    }));
  await event.addRoutes?.(routes()).catch(() => {}); // This script answers them then.
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
    // The page is one file, whatever view of it is asked for.
    const address = (origin + pathname).replace(/\/index\.html$/, '/');
    if (request.method === 'GET' && digests.has(address)) event.respondWith(answer(address, request));
  });
}
