// Offline: after the first visit the page opens without a network, a newer version takes over on request, and the page can be
// installed.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { inRoot } from '../../scripts/paths.mjs';
import { ownHost } from '../../scripts/serve.mjs';
import { answer, openPlayground } from './playground.mjs';

const built = process.env.BROADLOOM_PAGE ?? inRoot('web/dist');
const workers = { serviceWorkers: 'allow' };

// A copy of the page that a test may change, as a newer version does.
let folder;
let playground;
// Answers a request instead of the server where it returns true.
let instead;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'broadloom-offline-'));
  await cp(built, path.join(folder, 'a'), { recursive: true });
  await cp(built, path.join(folder, 'a/b'), { recursive: true });
  playground = await openPlayground({ folder, host: ownHost });
  const { server } = playground;
  const [served] = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => instead?.(request, response) || served(request, response));
});
beforeEach(async () => {
  instead = undefined;
  for (const place of ['a', 'a/b'])
    for (const name of ['index.html', 'service-worker.js'])
      await cp(path.join(built, name), path.join(folder, place, name));
});
after(async () => {
  await playground.close();
  await rm(folder, { recursive: true });
});

const kept = async (page) => {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  return page.evaluate(() => caches.keys());
};

const open = (place, fragment = '') => playground.open(fragment, { ...workers, query: `${place}/` });

const digestOf = (content) => createHash('sha256').update(content).digest('base64');

// Changes what the worker in a folder is told by the build: the files with their hashes, and the version.
async function tellWorker(place, change) {
  const worker = await readFile(path.join(built, 'service-worker.js'), 'utf8');
  const [told, files, version] = /^const broadloomFiles=(\{.*?\}),broadloomVersion=(".*?");/.exec(worker);
  const changed = { files: JSON.parse(files), version: JSON.parse(version) };
  change(changed);
  const now = `const broadloomFiles=${JSON.stringify(changed.files)},broadloomVersion=${JSON.stringify(changed.version)};`;
  assert.notEqual(now, told);
  await writeFile(path.join(folder, place, 'service-worker.js'), now + worker.slice(told.length));
}

// Makes what lies in the folder another version of the page: with another title. `part` is all of it, its page or its
// worker alone.
async function publish(place, title, part = 'all') {
  const html = (await readFile(path.join(built, 'index.html'), 'utf8')).replace(/<title>[^<]*/, `<title>${title}`);
  if (part !== 'worker') await writeFile(path.join(folder, place, 'index.html'), html);
  if (part === 'page') return;
  await tellWorker(place, (told) => {
    told.version = title;
    told.files['./'] = digestOf(html);
  });
}

// Asks for a newer worker; resolves to the state in which its installation ends.
const update = (page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = new Promise((resolve) => (registration.onupdatefound = () => resolve(registration.installing)));
    registration.update().catch(() => {});
    const newer = await found;
    return new Promise((resolve) => (newer.onstatechange = () => resolve(newer.state)));
  });

// Accepts the newer version that the page offers. A mark tells the old document, which looks the same, from the new one.
async function acceptNewer(page) {
  await page.evaluate(() => void (globalThis.isOldDocument = true));
  await page.click('#reload');
  await page.waitForFunction(
    () => !globalThis.isOldDocument && document.querySelector('main:not([data-state="loading"])'),
  );
}

// Waits until a newer worker waits to take over. The browser itself asks for one after each visit, so that a try may be under
// way that began before the last file was there.
const newerWaits = (page) =>
  page.waitForFunction(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    if (!registration.installing && !registration.waiting) await registration.update().catch(() => {});
    return registration.waiting !== null;
  });

// A first visit whose installation fails; resolves once it has.
async function visitInVain(place) {
  const page = await playground.open('', {
    ...workers,
    query: `${place}/`,
    before: () => {
      const { register } = ServiceWorkerContainer.prototype;
      ServiceWorkerContainer.prototype.register = async function (...given) {
        const registration = await register.apply(this, given);
        const note = () =>
          (globalThis.ended = (registration.installing ?? { state: 'redundant' }).state === 'redundant');
        registration.installing?.addEventListener('statechange', note);
        note();
        return registration;
      };
    },
  });
  await page.waitForFunction(() => globalThis.ended);
  await nothingLeft(page);
  return page;
}

// What a server answers for every address it does not know, when it serves a page of one script.
const otherPage = '<!doctype html><title>other</title>';
function answerWithPage(response) {
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(otherPage);
  return true;
}

// The name of each file that the page's cache holds something else for than what was built.
async function keptWrongly(page, place) {
  const [name] = await kept(page);
  const texts = await page.evaluate(async (cacheName) => {
    const cache = await caches.open(cacheName);
    const requests = await cache.keys();
    const text = async (request) => [request.url, await (await cache.match(request)).text()];
    return Promise.all(requests.map(text));
  }, name);
  assert.ok(texts.length > 10);
  const wrong = [];
  for (const [url, text] of texts) {
    const file = url.slice(`${playground.origin}/${place}/`.length) || 'index.html';
    if (text !== new TextDecoder().decode(await readFile(path.join(built, file)))) wrong.push(file);
  }
  return wrong;
}

// The page and those of its parts that a first look does not load, without a network.
async function worksOffline(page) {
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector('#verdict');
  assert.equal((await answer(page)).shape, '(4, 6)');
  await page.click('#share');
  await page.waitForSelector('#share-preview');
}

const leftOn = (page) =>
  page.evaluate(async () => {
    const all = await navigator.serviceWorker.getRegistrations();
    return [...all.map(({ scope }) => scope), ...(await caches.keys())];
  });
const nothingLeft = (page) =>
  page.waitForFunction(async () => {
    const registrations = await navigator.serviceWorker.getRegistrations();
    return registrations.length === 0 && (await caches.keys()).length === 0;
  });

const kinds = ['.css', '.js', '.svg', '.wasm', '.webmanifest', '/'];
// What the worker asks for while it is installed is asked anew, whatever the browser has kept.
const isForWorker = ({ headers }) => /max-age=0|no-cache/.test(headers['cache-control'] ?? '');

test('the list of kept files has every kind of file, each with the hash of what is served', async () => {
  const worker = await readFile(path.join(built, 'service-worker.js'), 'utf8');
  const files = JSON.parse(/^const broadloomFiles=(\{.*?\}),/.exec(worker)[1]);
  const kindOf = (name) => (name === './' ? '/' : path.extname(name));
  assert.deepEqual([...new Set(Object.keys(files).map(kindOf))].sort(), kinds);
  for (const [name, digest] of Object.entries(files)) {
    const file = path.join(built, name === './' ? 'index.html' : name);
    assert.equal(digest, digestOf(await readFile(file)), name);
  }
});

for (const kind of kinds) {
  test(`a server that answers with another page once, for a file in ${kind}: it is asked again`, async () => {
    const spoilt = [];
    instead = (request, response) => {
      if (spoilt.length > 0 || !request.url.endsWith(kind) || !isForWorker(request)) return false;
      if (request.url.endsWith('/service-worker.js')) return false;
      spoilt.push(request.url);
      return answerWithPage(response);
    };
    const page = await open('a');
    await kept(page);
    assert.equal(spoilt.length, 1);
    assert.deepEqual(await keptWrongly(page, 'a'), []);
    await worksOffline(page);
    await page.context().close();
  });

  test(`a server that keeps answering so, for a file in ${kind}: nothing is kept until it is corrected`, async () => {
    let count = 0;
    instead = (request, response) => {
      if (!request.url.endsWith(kind) || !isForWorker(request)) return false;
      if (request.url.endsWith('/service-worker.js')) return false;
      ++count;
      return answerWithPage(response);
    };
    const page = await visitInVain('a');
    assert.ok(count >= 2, `asked ${count} times`);
    assert.equal((await answer(page)).shape, '(4, 6)');
    instead = undefined;
    await page.reload();
    assert.deepEqual(await keptWrongly(page, 'a'), []);
    await worksOffline(page);
    await page.context().close();
  });
}

test('other caches of the origin for the same addresses are neither used nor changed', async () => {
  const refused = new Promise((resolve) => {
    instead = (request, response) =>
      request.url.endsWith('/service-worker.js') && (response.writeHead(404).end(resolve), true);
  });
  const page = await open('a');
  await refused;
  const names = (await readdir(path.join(built, 'assets'))).map((name) => `assets/${name}`);
  const others = ['other', 'broadloom', `broadloom ${playground.origin}/ 1`, `broadloom ${playground.origin}/a/b/ 1`];
  const fill = async ([others, names, text]) => {
    for (const name of others) {
      const cache = await caches.open(name);
      for (const file of ['./', ...names]) await cache.put(file, new Response(text));
    }
  };
  await page.evaluate(fill, [others, names, otherPage]);
  instead = undefined;
  await page.reload();
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
  const all = await page.evaluate(() => caches.keys());
  assert.deepEqual(
    all.filter((name) => others.includes(name)),
    others,
  );
  await worksOffline(page);
  // A file that is lost from its cache is not looked for in others either.
  const file = names.find((name) => /code-.*\.js$/.test(name));
  const found = await page.evaluate(
    async ([all, others, file]) => {
      const own = all.find((name) => !others.includes(name));
      await (await caches.open(own)).delete(file);
      return fetch(file).then(
        (response) => response.text(),
        () => 'nothing',
      );
    },
    [all, others, file],
  );
  assert.notEqual(found, otherPage);
  await page.context().close();
  playground.faults.length = 0; // the browser tells of the missing file, and of the first visit's missing worker
});

test('wrong files that an older version kept are not taken over', async () => {
  const page = await open('a');
  const [old] = await kept(page);
  const names = (await readdir(path.join(built, 'assets'))).map((name) => `assets/${name}`);
  await page.evaluate(
    async ([old, names, text]) => {
      const cache = await caches.open(old);
      for (const file of names) await cache.put(file, new Response(text));
    },
    [old, names, otherPage],
  );
  await tellWorker('a', (told) => (told.version = 'mended'));
  assert.equal(await update(page), 'installed');
  await acceptNewer(page);
  await page.waitForFunction(() => caches.keys().then((all) => all.length === 1 && all[0].endsWith(' mended')));
  assert.deepEqual(await keptWrongly(page, 'a'), []);
  await worksOffline(page);
  await page.context().close();
});

for (const [part, rest] of [
  ['worker', 'page'],
  ['page', 'worker'],
]) {
  test(`a new version whose ${part} arrives first: the old one stays until all is there`, async () => {
    const page = await open('a');
    const before = await kept(page);
    await publish('a', `newer ${part}`, part);
    if (part === 'worker') assert.equal(await update(page), 'redundant');
    await page.reload();
    await page.waitForSelector('#verdict');
    assert.match(await page.title(), /^Broadloom/);
    // The browser may be trying once more.
    await page.waitForFunction((names) => caches.keys().then((all) => String(all) === String(names)), before);
    assert.equal(await page.locator('#reload').count(), 0);
    // A first visit meanwhile keeps nothing of the mixture.
    const first = await visitInVain('a');
    await first.context().close();

    await publish('a', `newer ${part}`, rest);
    await newerWaits(page);
    await acceptNewer(page);
    assert.equal(await page.title(), `newer ${part}`);
    await worksOffline(page);
    await page.context().close();
  });
}

test('a newer version that is found before the page listens is offered', async () => {
  const page = await open('a');
  await kept(page);
  await publish('a', 'found early');
  await page.addInitScript(() => {
    if (sessionStorage.getItem('is early')) return;
    sessionStorage.setItem('is early', 'yes');
    const { register } = ServiceWorkerContainer.prototype;
    ServiceWorkerContainer.prototype.register = async function (...given) {
      const registration = await register.apply(this, given);
      registration.update().catch(() => {});
      while (!registration.installing && !registration.waiting) await new Promise((resolve) => setTimeout(resolve));
      return registration;
    };
  });
  await page.reload();
  await acceptNewer(page);
  assert.equal(await page.title(), 'found early');
  await worksOffline(page);
  await page.context().close();
});

test('on localhost, as npm start serves it, nothing is registered or kept', async () => {
  const local = await openPlayground({ folder: built });
  const asked = [];
  local.server.prependListener('request', ({ url }) => asked.push(url));
  const page = await local.open('', workers);
  await page.waitForLoadState('networkidle');
  assert.deepEqual(await leftOn(page), []);
  assert.ok(!asked.some((url) => url.includes('service-worker')), asked.join(' '));
  assert.deepEqual(local.faults, []);
  await page.context().close();
  await local.close();
});

test('a worker that an older version registered on localhost is removed', async () => {
  const place = path.join(folder, 'local');
  await cp(built, place, { recursive: true });
  const local = await openPlayground({ folder: place });
  // Files of both versions have the same names here, so that none may be kept by its name.
  local.server.prependListener('request', (_, response) => {
    const { writeHead } = response;
    response.writeHead = (status, headers) =>
      writeHead.call(response, status, { ...headers, 'Cache-Control': 'no-store' });
  });
  // An older version: one that knows no host where nothing is kept.
  const hosts = /\[[`"]localhost[`"],[^\]]*\[::1\][`"]\]/g;
  const files = [...(await readdir(path.join(place, 'assets'))).map((name) => `assets/${name}`), 'service-worker.js'];
  let worker;
  const digests = {};
  for (const file of files.filter((name) => name.endsWith('.js'))) {
    const text = await readFile(path.join(place, file), 'utf8');
    if (!hosts.test(text)) continue;
    digests[file] = digestOf(text.replaceAll(hosts, '[]'));
    worker = text.replaceAll(hosts, '[]');
    await writeFile(path.join(place, file), worker);
  }
  assert.equal(Object.keys(digests).length, 2);
  for (const [file, digest] of Object.entries(digests)) {
    worker = worker.replace(new RegExp(`"${file}":"[^"]+"`), `"${file}":"${digest}"`);
  }
  await writeFile(path.join(place, 'service-worker.js'), worker);
  const page = await local.open('', workers);
  await kept(page);
  assert.equal((await leftOn(page)).length, 2);

  await cp(built, place, { recursive: true });
  await page.reload();
  await page.waitForSelector('#reload');
  await page.waitForFunction(() => caches.keys().then((names) => names.length === 0));
  await acceptNewer(page);
  await nothingLeft(page);
  await writeFile(path.join(place, 'index.html'), otherPage);
  await page.goto(`${local.origin}/`);
  assert.equal(await page.title(), 'other');
  await page.context().close();
  await local.close();
});

test('after the first visit the page opens without a network, any view of it, lazy parts included', async () => {
  const page = await open('a');
  const [name, ...others] = await kept(page);
  assert.deepEqual(others, []);
  const files = await page.evaluate(
    async (cache) => (await (await caches.open(cache)).keys()).map(({ url }) => url),
    name,
  );
  const shipped = (await readdir(built, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  // All that is shipped but the worker itself, the pictures that only an installation needs, and what reads Zarr arrays, which
  // are on the server.
  const notKept = /service-worker|\.png$|^(?:zarr-worker|blosc|lz4|zstd)-/;
  assert.equal(files.length, shipped.filter((file) => !notKept.test(file.name)).length);

  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector('#verdict');
  assert.equal((await answer(page)).shape, '(4, 6)');
  await page.fill('#operand-1', '(7,)');
  await page.waitForFunction(() => document.querySelector('#result-shape')?.innerText === '(4, 7)');
  await page.click('#share');
  await page.waitForSelector('#share-preview');
  for (const view of ['?embed=grid#v=1&rule=numpy&op=Add&type=f32&in=2,1&in=3', 'index.html#v=1&in=2,1&in=3']) {
    await page.goto(`${playground.origin}/a/${view}`);
    await page.waitForSelector('#verdict');
    assert.equal((await answer(page)).shape, '(2, 3)');
  }
  await page.context().close();
});

test('a second visit is answered out of the cache before the worker has started', async () => {
  const page = await open('a');
  await kept(page);
  await page.reload();
  await page.waitForSelector('#verdict');
  const sources = await page.evaluate(() =>
    ['navigation', 'resource']
      .flatMap((type) => performance.getEntriesByType(type))
      .map(({ name, workerFinalSourceType }) => [new URL(name).pathname, workerFinalSourceType]),
  );
  assert.ok(sources.length > 5);
  for (const [name, source] of sources) {
    if (!name.endsWith('.svg') && !name.endsWith('service-worker.js')) assert.equal(source, 'cache', name);
  }
  // What is asked for in another way is answered, too.
  await page.context().setOffline(true);
  await page.goto(`${playground.origin}/a/?embed`);
  await page.waitForSelector('main.embed #verdict');
  await page.context().close();
});

test('a newer version is offered, waits, and takes over on request; the old one is removed', async () => {
  const page = await open('a', 'v=1&rule=numpy&op=Mul&type=f32&in=(5,1)&in=(3)');
  const [old] = await kept(page);
  await publish('a', 'newer');
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration.update()));
  await page.waitForSelector('#reload');
  assert.match(
    await page.innerText('.newer[role=status]'),
    /A newer version is available\. Reloading keeps your work\./,
  );
  assert.equal((await page.evaluate(() => caches.keys())).length, 2);
  // Until then everything stays as it was, also where it is loaded again.
  await page.click('#not-now');
  assert.equal(await page.locator('#reload').count(), 0);
  await page.reload();
  await page.waitForSelector('#reload');
  assert.match(await page.title(), /^Broadloom/);
  await acceptNewer(page);
  assert.equal(await page.title(), 'newer');
  assert.equal((await answer(page)).shape, '(5, 3)');
  const caches = await kept(page);
  assert.equal(caches.length, 1);
  assert.notEqual(caches[0], old);
  assert.equal(await page.locator('#reload').count(), 0);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForSelector('#verdict');
  assert.equal(await page.title(), 'newer');
  await page.context().close();
});

test('copies of the page in nested folders are kept apart', async () => {
  const page = await open('a');
  await kept(page);
  await page.goto(`${playground.origin}/a/b/`);
  await page.waitForSelector('#verdict');
  await page.waitForFunction(() => caches.keys().then((names) => names.length === 2));
  await page.waitForFunction(() => navigator.serviceWorker.controller?.scriptURL.endsWith('/a/b/service-worker.js'));
  await publish('a/b', 'inner');
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration.update()));
  await acceptNewer(page);
  assert.equal(await page.title(), 'inner');
  // The worker that takes over removes the older cache before it is activated, but the page may be shown earlier.
  assert.equal((await kept(page)).length, 2);
  await page.goto(`${playground.origin}/a/`);
  await page.waitForSelector('#verdict');
  assert.notEqual(await page.title(), 'inner');
  await page.context().close();
});

test('a version that does not arrive whole is not offered', async () => {
  const page = await open('a/b');
  const before = await kept(page);
  await publish('a/b', 'broken', 'page');
  await tellWorker('a/b', (told) => {
    told.version = 'broken';
    told.files['lost.js'] = digestOf('');
  });
  const ended = await update(page);
  assert.equal(ended, 'redundant');
  assert.deepEqual(await page.evaluate(() => caches.keys()), before);
  assert.equal(await page.locator('#reload').count(), 0);
  await page.context().close();
});

test('an embedded page keeps nothing, and a server without the worker is harmless', async () => {
  const frame = await playground.open('', { ...workers, query: 'a/?embed' });
  await rm(path.join(folder, 'a/b/service-worker.js'));
  const bare = await open('a/b');
  for (const page of [frame, bare]) {
    await page.waitForLoadState('networkidle');
    assert.equal((await answer(page)).shape, '(4, 6)');
    assert.deepEqual(
      await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length)),
      0,
    );
    await page.context().close();
  }
  // The browser itself says that the file is not there.
  assert.ok(
    playground.faults.every((fault) => /404|service-worker|bad HTTP/.test(fault)),
    playground.faults.join('\n'),
  );
  playground.faults.length = 0;
});

test('the page can be installed', async () => {
  const page = await open('a');
  const session = await page.context().newCDPSession(page);
  const { manifest, errors } = await session.send('Page.getAppManifest');
  assert.deepEqual(errors, []);
  assert.ok(manifest.startUrl.endsWith('/a/') && manifest.scope.endsWith('/a/'), JSON.stringify(manifest));
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
  // Contexts of tests are private windows, in which nothing is installed.
  assert.deepEqual(
    installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito'),
    [],
  );
  await page.context().close();
});

test('the icons are drawn from the SVG at build time', async () => {
  const { icons } = JSON.parse(await readFile(path.join(built, 'manifest.webmanifest'), 'utf8'));
  for (const { src, sizes } of icons.filter(({ type }) => type === 'image/png')) {
    const { width, height, pixel } = readPng(await readFile(path.join(built, src)));
    assert.equal(`${width}x${height}`, sizes);
    // Where threads cross, in the middle, that of the first operand lies above or below the other; the corner is ground.
    const maskable = /maskable/.test(src);
    assert.deepEqual(pixel(0, 0), maskable ? [250, 248, 244, 255] : [0, 0, 0, 0]);
    const part = maskable ? 0.62 : 1;
    const at = (unit) => Math.floor(width * ((1 - part) / 2 + (part * unit) / 28));
    assert.deepEqual(pixel(at(8), at(5)), [11, 110, 168, 255]);
    assert.deepEqual(pixel(at(24.5), at(8)), [169, 67, 15, 255]);
  }
});

// A PNG of eight bits and four channels whose rows are not filtered.
function readPng(bytes) {
  assert.equal(bytes.toString('latin1', 1, 4), 'PNG');
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const start = bytes.indexOf('IDAT', 0, 'latin1');
  const rows = inflateSync(bytes.subarray(start + 4, start + 4 + bytes.readUInt32BE(start - 4)));
  const pixel = (x, y) => [...rows.subarray(y * (4 * width + 1) + 1 + 4 * x).subarray(0, 4)];
  return { width, height, pixel };
}

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
