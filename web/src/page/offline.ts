// The page without a network: its files are kept after the first visit (offline/service-worker.ts), and who has the page
// open is told when there is a newer one. Where that is not possible, on a server without https as little as from a file,
// the page works as if it were not there. On localhost nothing is kept: what is run on the port next would not be seen.

import '../styles/newer.css';

interface LeftOut {
  subscribe(told: (names: readonly string[]) => void): unknown;
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
/** Asked again when the page is looked at after so many milliseconds. */
const askedAgain = 3_600_000;

/** The address, as scripts have to be named where Trusted Types are on: this one and no other. */
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

/** Removes what an older version has registered and kept here; the workers and caches of others stay. */
async function forget(container: ServiceWorkerContainer): Promise<void> {
  const registration = await container.getRegistration();
  if (!registration) return;
  // Another page at this address may have had a worker of the same name: what is kept has a name of ours.
  const ours = `broadloom ${registration.scope} `;
  const kept = (await caches.keys()).filter((name) => name.startsWith(ours));
  if (kept.length === 0) return;
  await registration.unregister();
  await Promise.all(kept.map((name) => caches.delete(name)));
}

function watch(container: ServiceWorkerContainer, registration: ServiceWorkerRegistration, leftOut: LeftOut): void {
  // The first one of all is no newer one.
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
    // A page that lies above this one may have answered until now: its worker is no older one.
    else if (before?.scriptURL === container.controller?.scriptURL) offer(reload, leftOut);
    before = container.controller;
  });
  registration.addEventListener('updatefound', () => {
    const { installing } = registration;
    installing?.addEventListener('statechange', () => installed(installing));
  });
  installed(registration.waiting);

  let asked = performance.now();
  document.addEventListener('visibilitychange', () => {
    if (document.hidden || performance.now() - asked < askedAgain) return;
    asked = performance.now();
    registration.update().catch(() => {}); // No network, no news.
  });
}

let offered = false;

/** Told once, at the edge of the page. */
function offer(reload: () => void, leftOut: LeftOut): void {
  if (offered) return;
  offered = true;
  const note = document.createElement('div');
  // A live region tells what comes into it, not what it comes with.
  note.setAttribute('role', 'status');
  document.body.append(note);
  const said = document.createElement('p');
  // The new version opens the page's link; values that the link does not hold are lost.
  leftOut.subscribe((names) => {
    const but = names.length > 0 ? `, but not the values of ${names.join(', ')}` : '';
    said.textContent = `A newer version is available. Reloading keeps your work${but}.`;
  });
  const button = (id: string, text: string, press: () => void): HTMLElement => {
    const made = document.createElement('button');
    Object.assign(made, { type: 'button', id, textContent: text, onclick: press });
    return made;
  };
  setTimeout(() => {
    note.className = 'newer';
    note.append(
      said,
      button('reload', 'Reload', reload),
      button('not-now', 'Not now', () => note.remove()),
    );
  }, 100);
}
