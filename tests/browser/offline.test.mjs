// Point 10: the page opens without a network after the first visit, a newer version takes over when it is asked to, and
// what it needs to be installed is there.
import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { inflateSync } from 'node:zlib';
import { inRoot } from '../../scripts/paths.mjs';
import { answer, openPlayground } from './playground.mjs';

const built = process.env.BROADLOOM_PAGE ?? inRoot('web/dist');
const workers = { serviceWorkers: 'allow' };

// A copy of the page that a test may change, as a newer version does.
let folder;
let playground;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'broadloom-offline-'));
  await cp(built, path.join(folder, 'a'), { recursive: true });
  await cp(built, path.join(folder, 'a/b'), { recursive: true });
  playground = await openPlayground({ folder });
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

// Makes what lies in the folder another version of the page: with another title.
async function publish(place, title) {
  const html = await readFile(path.join(built, 'index.html'), 'utf8');
  await writeFile(path.join(folder, place, 'index.html'), html.replace(/<title>[^<]*/, `<title>${title}`));
  const worker = await readFile(path.join(built, 'service-worker.js'), 'utf8');
  const changed = worker.replace(/broadloomVersion="[^"]+"/, `broadloomVersion="${title}"`);
  assert.notEqual(changed, worker);
  await writeFile(path.join(folder, place, 'service-worker.js'), changed);
}

test('after the first visit the page opens without a network, any view of it, lazy parts included', async () => {
  const page = await open('a');
  const [name, ...others] = await kept(page);
  assert.deepEqual(others, []);
  const files = await page.evaluate(
    async (cache) => (await (await caches.open(cache)).keys()).map(({ url }) => url),
    name,
  );
  const shipped = (await readdir(built, { recursive: true, withFileTypes: true })).filter((file) => file.isFile());
  // All that is shipped but the worker itself and the pictures that only an installation needs.
  assert.equal(files.length, shipped.filter((file) => !/service-worker|\.png$/.test(file.name)).length);

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

test('a newer version is told of, waits, and takes over when it is asked to; the old one is thrown away', async () => {
  const page = await open('a', 'v=1&rule=numpy&op=Mul&type=f32&in=(5,1)&in=(3)');
  const [old] = await kept(page);
  await publish('a', 'newer');
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration.update()));
  await page.waitForSelector('#reload');
  assert.match(await page.innerText('.newer[role=status]'), /A newer version is there\. It opens with what you see\./);
  assert.equal((await page.evaluate(() => caches.keys())).length, 2);
  // Until then everything stays as it was, also where it is loaded again.
  await page.click('#not-now');
  assert.equal(await page.locator('#reload').count(), 0);
  await page.reload();
  await page.waitForSelector('#reload');
  assert.match(await page.title(), /^Broadloom/);
  await page.click('#reload');
  await page.waitForFunction(() => document.title === 'newer');
  await page.waitForSelector('#verdict');
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

test('copies of the page below one another keep apart', async () => {
  const page = await open('a');
  await kept(page);
  await page.goto(`${playground.origin}/a/b/`);
  await page.waitForSelector('#verdict');
  await page.waitForFunction(() => caches.keys().then((names) => names.length === 2));
  await page.waitForFunction(() => navigator.serviceWorker.controller?.scriptURL.endsWith('/a/b/service-worker.js'));
  await publish('a/b', 'inner');
  await page.evaluate(() => navigator.serviceWorker.getRegistration().then((registration) => registration.update()));
  await page.click('#reload');
  await page.waitForFunction(() => document.title === 'inner');
  assert.equal((await page.evaluate(() => caches.keys())).length, 2);
  await page.goto(`${playground.origin}/a/`);
  await page.waitForSelector('#verdict');
  assert.notEqual(await page.title(), 'inner');
  await page.context().close();
});

test('a version that does not arrive whole is none', async () => {
  const page = await open('a/b');
  const before = await kept(page);
  await publish('a/b', 'broken');
  const worker = path.join(folder, 'a/b/service-worker.js');
  await writeFile(worker, (await readFile(worker, 'utf8')).replace('"./"', '"./","lost.js"'));
  const ended = await page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration();
    const found = new Promise((resolve) => (registration.onupdatefound = () => resolve(registration.installing)));
    registration.update().catch(() => {});
    const newer = await found;
    return new Promise((resolve) => (newer.onstatechange = () => resolve(newer.state)));
  });
  assert.equal(ended, 'redundant');
  assert.deepEqual(await page.evaluate(() => caches.keys()), before);
  assert.equal(await page.locator('#reload').count(), 0);
  await page.context().close();
});

test('a frame in a document keeps nothing, and a server without the worker does no harm', async () => {
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

test('icons in pixels are the drawing, and there are none in the tree', async () => {
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

test('nothing went wrong unseen', () => assert.deepEqual(playground.faults, []));
