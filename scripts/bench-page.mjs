// `npm run bench:page`: measures the built page in Chromium, from Chromium's traces, and compares each figure with its limit:
// panning and zooming over 10^8 cells, a key stroke at rank 8 under each rule, the time until the first result is painted,
// the bytes loaded on opening. `-- --json OUT` also writes the figures to a file. A figure above its limit fails the run.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { chromium as playwright } from 'playwright-core';
import { median } from './bench/statistics.mjs';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { addressOf, ownHost, serve } from './serve.mjs';
import { chromium } from './toolchain.mjs';

const folder = process.env.BROADLOOM_PAGE ?? inRoot('web/dist');
const viewport = { width: 1280, height: 800 };

// --- Traces ----------------------------------------------------------------------

// Returns the tasks of the page's main thread, the times at which its frames began (both in milliseconds) and the bench's
// marks. Tasks do not nest. A task's duration is its thread's CPU time if the trace has it, which excludes other processes.
function readTrace(buffer) {
  const { traceEvents: events } = JSON.parse(buffer);
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain');
  const isMain = ({ pid, tid }) => threads.some((thread) => thread.pid === pid && thread.tid === tid);
  const main = events.filter(isMain);
  const tasks = main
    .filter(({ name, ph }) => name === 'RunTask' && ph === 'X')
    .map(({ ts, dur = 0, tdur = dur }) => ({ begin: ts / 1000, end: (ts + Math.min(dur, tdur)) / 1000 }))
    .sort((a, b) => a.begin - b.begin);
  const frames = main.filter(({ name }) => name === 'FireAnimationFrame').map(({ ts }) => ts / 1000);
  const marks = events.filter(({ name, cat }) => cat.includes('blink.user_timing') && name.startsWith('bench'));
  return { tasks, frames: frames.sort((a, b) => a - b), marks };
}

const busy = (tasks, from, to) =>
  tasks.reduce((sum, { begin, end }) => sum + Math.max(0, Math.min(end, to) - Math.max(begin, from)), 0);

const quantile = (values, part) => [...values].sort((a, b) => a - b)[Math.floor(part * (values.length - 1))];

const categories = [
  'toplevel',
  'blink.user_timing',
  'devtools.timeline',
  'disabled-by-default-devtools.timeline',
  '__metadata',
];

async function traced(browser, page, work) {
  await browser.startTracing(page, { categories });
  await work();
  return readTrace(await browser.stopTracing());
}

// --- Measurements ----------------------------------------------------------------

// Runs in the page: records the memory of every WebAssembly module that the page starts, through any API.
function keepMemories() {
  globalThis.memories = new Set();
  const keep = (given) => {
    for (const value of Object.values(given ?? {})) if (value instanceof WebAssembly.Memory) memories.add(value);
  };
  for (const name of ['Instance', 'Memory']) {
    WebAssembly[name] = new Proxy(WebAssembly[name], {
      construct(target, given) {
        const made = Reflect.construct(target, given);
        keep(name === 'Instance' ? made.exports : [made]);
        return made;
      },
    });
  }
  for (const name of ['instantiate', 'instantiateStreaming']) {
    const start = WebAssembly[name];
    WebAssembly[name] = async (...given) => {
      const made = await start.apply(WebAssembly, given);
      keep((made.instance ?? made).exports);
      return made;
    };
  }
}

async function open(browser, origin, fragment) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  await page.addInitScript(keepMemories);
  await page.goto(`${origin}/#${fragment}`);
  await page.waitForSelector('main:not([data-state="loading"])');
  return page;
}

// Sends one step of `gesture` before each frame, as a hand would, for `frames` frames.
const drive = (page, gesture, frames) =>
  page.evaluate(
    ([name, count]) =>
      new Promise((resolve) => {
        const canvas = document.querySelector('.stage canvas');
        const box = canvas.getBoundingClientRect();
        const at = { clientX: box.left + box.width * 0.6, clientY: box.top + box.height * 0.7 };
        const wheel = (more) =>
          canvas.dispatchEvent(new WheelEvent('wheel', { bubbles: true, cancelable: true, ...at, ...more }));
        const gestures = {
          pan: (i) => wheel({ deltaX: 24 * Math.sin(i / 40), deltaY: 40 }),
          zoom: (i) => wheel({ ctrlKey: true, deltaY: i % 240 < 120 ? 12 : -12 }),
        };
        let i = 0;
        const step = () => {
          if (i === count) return resolve();
          gestures[name](i++);
          requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
      }),
    [gesture, frames],
  );

const largeOnes = [
  ['a column and a row', 'v=1&rule=numpy&op=Add&type=f32&in=(10000,1)&in=(10000,)&at=5000,5000'],
  ['a matrix and a row', 'v=1&rule=numpy&op=Mul&type=f32&in=(10000,10000)&in=(10000,)&at=5000,5000'],
];

async function large(browser, origin, book) {
  for (const [what, fragment] of largeOnes) {
    const page = await open(browser, origin, fragment);
    await page.waitForSelector('.stage canvas');
    await page.waitForTimeout(300);
    const looks = [
      ['pan, digits', 'pan', null],
      ['zoom', 'zoom', null],
      ['pan, colours', 'pan', '#zoom-out'],
      ['pan, one cell of 4', 'pan', '#zoom-whole'],
    ];
    for (const [how, gesture, press] of looks) {
      if (press) {
        await page.click(press);
        if (press === '#zoom-whole') for (let i = 0; i < 3; ++i) await page.click('#zoom-in');
        await page.waitForTimeout(200);
      }
      const { tasks, frames } = await traced(browser, page, () => drive(page, gesture, 300));
      // The first frames also contain the start of the trace.
      const kept = frames.slice(10);
      const work = kept.slice(1).map((end, i) => busy(tasks, kept[i], end));
      const apart = kept.slice(1).map((end, i) => end - kept[i]);
      const late = (100 * apart.filter((gap) => gap > 25).length) / apart.length;
      book.add(`${how}, ${what}: script and rendering a frame, 95 %`, quantile(work, 0.95), 8, 'ms');
      book.add(`${how}, ${what}: frames over 25 ms`, late, 5, '%');
    }
    const session = await page.context().newCDPSession(page);
    await session.send('HeapProfiler.collectGarbage');
    const { usedSize } = await session.send('Runtime.getHeapUsage');
    const wasm = await page.evaluate(() => [...memories].reduce((sum, { buffer }) => sum + buffer.byteLength, 0));
    if (wasm === 0) throw new Failure('bench: the page has no WebAssembly memory');
    book.add(`${what}: JavaScript heap and wasm`, (usedSize + wasm) / 2 ** 20, 100, 'MiB');
    await page.context().close();
  }
}

// Shapes of rank 8 for each rule; the key is typed into the first shape.
const eight = '2,1,3,1,2,1,4,5';
const keyed = {
  none: { in: [eight, eight] },
  numpy: { in: [eight, '3,1,2,1,3,1,5'] },
  onnx_multidirectional: { in: [eight, '3,1,2,1,3,1,5'] },
  onnx_unidirectional: { in: [eight, '1,4,5'], op: 'PRelu' },
  pdpd: { in: [eight, '3,1,2'], more: '&axis=2' },
  bidirectional: { in: [eight], op: 'Broadcast', more: '&target=3,1,2,1,3,1,5' },
  broadcast_numpy: { in: [eight], op: 'Broadcast', more: '&target=2,2,3,2,2,2,4,5' },
  explicit: { in: ['2,3,4'], op: 'Broadcast', more: '&target=2,2,3,2,2,2,4,5&mapping=0,2,6' },
  sonnx: { in: [eight, '3,1,2,1,3,1,5'], op: 'Broadcast' },
  'unknown extents': { rule: 'numpy', in: ['2,1,3,1,2,1,4,N', '3,1,2,1,M,1,5'] },
  'named axes': { rule: 'numpy', in: ['a=2,b=1,c=3,d=1,e=2,f=1,g=4,h=5', 'b=3,c=1,d=2,e=1,f=3,g=1,h=5'] },
};

// Times 200 key strokes in the first field, in milliseconds: script, style, layout and paint on the main thread, from the
// event to the end of the frame that shows its effect.
async function keyStrokes(browser, page, letter) {
  await page.focus('#operand-0');
  await page.keyboard.press('End');
  await page.evaluate(() => {
    globalThis.benched = [];
    document.querySelector('#operand-0').addEventListener(
      'beforeinput',
      () => {
        const number = benched.push(performance.now());
        performance.mark(`bench ${number} from`);
        requestAnimationFrame(() => setTimeout(() => performance.mark(`bench ${number} to`)));
      },
      true,
    );
  });
  const { tasks, marks } = await traced(browser, page, async () => {
    for (let i = 0; i < 100; ++i) {
      await page.keyboard.press('Backspace');
      await page.waitForTimeout(20);
      await page.keyboard.type(letter);
      await page.waitForTimeout(20);
    }
  });
  const at = new Map(marks.map(({ name, ts }) => [name, ts / 1000]));
  const times = [];
  for (let i = 1; at.has(`bench ${i} to`); ++i)
    times.push(busy(tasks, at.get(`bench ${i} from`), at.get(`bench ${i} to`)));
  if (times.length < 190) throw new Failure(`bench: the trace has ${times.length} of 200 key strokes`);
  return times;
}

async function keys(browser, origin, book) {
  // The speed of a shared machine changes from minute to minute; a page with nothing but a field shows the present speed.
  const context = await browser.newContext({ viewport });
  const bare = await context.newPage();
  await bare.setContent(`<!doctype html><input id="operand-0" value="${eight}">`);
  const least = await keyStrokes(browser, bare, '5');
  book.add(`key stroke, a page with one field only: median of ${least.length}`, median(least), Infinity, 'ms');
  await context.close();
  for (const [name, { rule = name, in: shapes, op = 'Add', more = '' }] of Object.entries(keyed)) {
    const fragment = `v=1&rule=${rule}&op=${op}&type=f32${shapes.map((shape) => `&in=${shape}`).join('')}${more}`;
    const page = await open(browser, origin, fragment);
    await page.waitForTimeout(300);
    const times = await keyStrokes(browser, page, shapes[0].at(-1));
    book.add(`key stroke, rank 8, ${name}: median of ${times.length}`, median(times), 16, 'ms');
    await page.context().close();
  }
}

// Times from the request to the frame that shows the first result, by the page's own clock. The page reports it through
// the console: asking through Playwright would first inject a third of a megabyte of scripts into the page.
async function start(browser, origin, book) {
  const watch = () => {
    const seen = new MutationObserver(() => {
      if (!document.querySelector('#grid-result [role=gridcell]')) return;
      seen.disconnect();
      requestAnimationFrame(() => setTimeout(() => console.debug(`painted ${performance.now()}`)));
    });
    seen.observe(document, { childList: true, subtree: true });
  };
  const painted = async (page) => {
    const said = page.waitForEvent('console', (message) => message.text().startsWith('painted '));
    await page.goto(`${origin}/`);
    return Number((await said).text().split(' ')[1]);
  };
  const [cold, again, without] = [[], [], []];
  for (let i = 0; i < 9; ++i) {
    // A second visit finds the service worker that the first visit installed; some browsers have none.
    for (const serviceWorkers of ['allow', 'block']) {
      const context = await browser.newContext({ viewport, serviceWorkers });
      const page = await context.newPage();
      await page.addInitScript(watch);
      cold.push(await painted(page));
      if (serviceWorkers === 'allow') await page.evaluate(() => navigator.serviceWorker.ready);
      await page.waitForTimeout(300);
      await page.goto('about:blank');
      (serviceWorkers === 'allow' ? again : without).push(await painted(page));
      await context.close();
    }
  }
  book.add(`first result painted, cold: median of ${cold.length}`, median(cold), 400, 'ms');
  book.add(`first result painted, again: median of ${again.length}`, median(again), 150, 'ms');
  book.add(`first result painted, again, no service worker: median of ${without.length}`, median(without), 150, 'ms');
}

// The gzipped size of the files that a first visit fetches, and of all others.
async function size(browser, origin, book) {
  const context = await browser.newContext({ viewport });
  const page = await context.newPage();
  const fetched = new Set();
  page.on('request', (request) => fetched.add(new URL(request.url()).pathname));
  await page.goto(`${origin}/`);
  await page.waitForTimeout(1500);
  await context.close();
  const packed = (name) => gzipSync(readFileSync(path.join(folder, name)), { level: 9 }).length / 1024;
  const text = /\.(html|js|css|wasm|svg|webmanifest)$/;
  const all = readdirSync(folder, { recursive: true }).filter((name) => text.test(name));
  const sum = (names) => names.reduce((total, name) => total + packed(name), 0);
  const isFetched = (name) => fetched.has(`/${name}`) || (name === 'index.html' && fetched.has('/'));
  book.add('gzip of all files loaded on opening', sum(all.filter(isFetched)), 180, 'KiB');
  book.add('gzip of all files loaded when first used', sum(all.filter((name) => !isFetched(name))), Infinity, 'KiB');
}

// --- The report ------------------------------------------------------------------

function newBook() {
  const records = [];
  return {
    records,
    add(name, value, limit, unit) {
      records.push({ name, value, limit: Number.isFinite(limit) ? limit : null, unit });
      const verdict = limit === Infinity ? '' : value <= limit ? `of ${limit}` : `ABOVE ${limit}`;
      console.log(`${name.padEnd(78)} ${value.toFixed(1).padStart(7)} ${unit.padEnd(3)} ${verdict}`);
    },
  };
}

await main(async () => {
  const parts = { size, start, keys, large };
  const { values } = parseArgs({ options: { json: { type: 'string' }, only: { type: 'string' } } });
  if (values.only !== undefined && !parts[values.only])
    throw new Failure(`bench: --only takes one of ${Object.keys(parts).join(', ')}`);
  if (!existsSync(path.join(folder, 'index.html'))) throw new Failure('the page is not built: npm run build -- page');
  const server = await serve(folder);
  const browser = await playwright.launch({
    executablePath: process.env.CHROMIUM || chromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const book = newBook();
  try {
    console.log(`Chromium ${browser.version()}`);
    for (const [name, measure] of Object.entries(parts)) {
      if (values.only === undefined || values.only === name) await measure(browser, addressOf(server, ownHost), book);
    }
  } finally {
    await browser.close();
    server.close();
  }
  if (values.json) writeFileSync(values.json, `${JSON.stringify(book.records, null, 2)}\n`);
  const above = book.records.filter(({ value, limit }) => limit !== null && value > limit);
  if (above.length > 0) throw new Failure(`${above.length} figures are above their limit, see above`);
});
