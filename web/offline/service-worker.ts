// Keeps the page for when there is no network. All files of one build are kept together, so that no page is made of two
// builds; a newer build waits until the page says that it may take over (src/offline.ts). Nothing else is kept, and nothing
// is asked of another origin.

export {};
// Written before this text by the build (plugin.mjs).
declare const broadloomFiles: readonly string[];
declare const broadloomVersion: string;
declare const self: ServiceWorkerGlobalScope;

const { scope } = self.registration;
// Copies of the page below other folders of the same origin have caches of their own.
const ours = `broadloom ${scope} `;
const cacheName = ours + broadloomVersion;
const addresses = new Set(broadloomFiles.map((file) => new URL(file, scope).href));

/** A name with a hash in it always means the same bytes. */
const isHashed = (address: string): boolean => /-[\w-]{8}\.\w+$/.test(address);

/** A page may not be answered with a response that was redirected; nor is what is kept told apart by what was asked with. */
function plain(response: Response): Response {
  if (!response.redirected && !response.headers.has('vary')) return response;
  const headers = new Headers(response.headers);
  headers.delete('vary');
  return new Response(response.body, { headers });
}

async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  const keep = async (address: string): Promise<void> => {
    const known = isHashed(address) ? await caches.match(address) : undefined;
    const response = known ?? (await fetch(address, { cache: 'no-cache' }));
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    await cache.put(address, plain(response));
  };
  // All or nothing: what still arrives is waited for, so that nothing is put into what is thrown away.
  const kept = await Promise.allSettled([...addresses].map(keep));
  const lost = kept.find(({ status }) => status === 'rejected') as PromiseRejectedResult | undefined;
  if (!lost) return;
  await caches.delete(cacheName);
  throw lost.reason;
}

async function takeOver(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(ours) && name !== cacheName).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
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
    [...addresses].map((baseURL) => ({
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
  if (request.method === 'GET' && addresses.has(address)) event.respondWith(answer(address, request));
});
