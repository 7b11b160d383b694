// Keeps the page's files after the first visit, so that it works offline (offline/service-worker.ts), and says when there is a
// newer version. Without https this is not possible, and the page works without it. On localhost nothing is kept: it would
// hide what another server shows on the same port.

import './offline.css';

interface LeftOut {
  subscribe(listener: (names: readonly string[]) => void): unknown;
}

declare const broadloomSharedHosts: readonly string[];

declare global {
  interface Window {
    readonly trustedTypes?: {
      createPolicy(
        name: string,
        rules: { createScriptURL(url: string): string },
      ): { createScriptURL(url: string): string };
    };
  }
}

const script = './service-worker.js';
/** Milliseconds after which a page that is looked at again asks for a newer version. */
const askedAgain = 3_600_000;

/** The address of the worker's script, as Trusted Types require it. */
const scriptAddress = (): string =>
  window.trustedTypes?.createPolicy('broadloom', { createScriptURL: () => script }).createScriptURL(script) ?? script;

/** `leftOut` names the operands whose values a link does not hold. */
export function keep(leftOut: LeftOut): void {
  const { serviceWorker } = navigator as { serviceWorker?: ServiceWorkerContainer };
  if (!serviceWorker) return;
  if (broadloomSharedHosts.includes(location.hostname)) return void forget(serviceWorker).catch(() => {});
  serviceWorker
    .register(scriptAddress(), { updateViaCache: 'none' })
    .then((registration) => watch(serviceWorker, registration, leftOut))
    .catch(() => {}); // The page goes on without it.
}

/** Removes the worker and the caches of an older version of this page; those of other pages stay. */
async function forget(container: ServiceWorkerContainer): Promise<void> {
  const registration = await container.getRegistration();
  if (!registration) return;
  // Another page at this address may have a worker of the same name; the names of our caches are our own.
  const ours = `broadloom ${registration.scope} `;
  const kept = (await caches.keys()).filter((name) => name.startsWith(ours));
  if (kept.length === 0) return;
  await registration.unregister();
  await Promise.all(kept.map((name) => caches.delete(name)));
}

function watch(container: ServiceWorkerContainer, registration: ServiceWorkerRegistration, leftOut: LeftOut): void {
  // The first worker of all is not a newer version.
  let before = container.controller;
  let reloads = false;
  const reload = (): void => {
    const { waiting } = registration;
    if (!waiting) return location.reload(); // Another window has let it take over.
    reloads = true;
    waiting.postMessage('take over');
  };
  const installed = (worker: ServiceWorker | null): void => {
    if (worker?.state === 'installed' && registration.active) offer(reload, leftOut);
  };
  container.addEventListener('controllerchange', () => {
    if (reloads) location.reload();
    // Until now the worker of a page in a folder above may have answered; it is not an older version of this one.
    else if (before?.scriptURL === container.controller?.scriptURL) offer(reload, leftOut);
    before = container.controller;
  });
  const follow = (): void => {
    const { installing, waiting } = registration;
    installing?.addEventListener('statechange', () => installed(installing));
    // On a busy machine its installation may have ended before this page is told that there is a newer version.
    installed(waiting);
  };
  registration.addEventListener('updatefound', follow);
  // A newer version may have been found before this page listened.
  follow();

  let asked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || performance.now() - asked < askedAgain) return;
    asked = performance.now();
    registration.update().catch(() => {}); // No network, no news.
  });
}

let offered = false;

/** Offers the newer version, once, at the edge of the page. */
function offer(reload: () => void, leftOut: LeftOut): void {
  if (offered) return;
  offered = true;
  const note = document.createElement('div');
  // A live region announces what is added to it later.
  note.setAttribute('role', 'status');
  document.body.append(note);
  const text = document.createElement('p');
  // The new version opens the link; values that the link does not hold are lost.
  leftOut.subscribe((names) => {
    const but = names.length > 0 ? `, but not the values of ${names.join(', ')}` : '';
    text.textContent = `A newer version is available. Reloading keeps your work${but}.`;
  });
  const button = (id: string, text: string, press: () => void): HTMLElement => {
    const made = document.createElement('button');
    Object.assign(made, { type: 'button', id, textContent: text, onclick: press });
    return made;
  };
  setTimeout(() => {
    note.className = 'newer';
    note.append(
      text,
      button('reload', 'Reload', reload),
      button('not-now', 'Not now', () => note.remove()),
    );
  }, 100);
}
