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

/** A page may not be answered with a response that was redirected. */
const direct = (response: Response): Response =>
  response.redirected ? new Response(response.body, { headers: response.headers }) : response;

async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  const keep = async (address: string): Promise<void> => {
    const known = isHashed(address) ? await caches.match(address) : undefined;
    const response = known ?? (await fetch(address, { cache: 'no-cache' }));
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    await cache.put(address, direct(response));
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

let opened: Promise<Cache> | null = null;

async function answer(address: string, request: Request): Promise<Response> {
  const cache = await (opened ??= caches.open(cacheName));
  return (await cache.match(address, { ignoreVary: true })) ?? fetch(request);
}

self.addEventListener('install', (event) => event.waitUntil(fill()));
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
