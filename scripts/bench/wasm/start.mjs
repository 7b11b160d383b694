// Times import, load and a first addition, in a fresh Node process and in a fresh Chromium context, to which this machine
// serves the package unbundled.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium as playwright } from 'playwright-core';
import { Failure } from '../../fail.mjs';
import { inRoot, root } from '../../paths.mjs';
import { run } from '../../run.mjs';
import { addressOf, serve } from '../../serve.mjs';
import { chromium } from '../../toolchain.mjs';
import { interval, median } from '../statistics.mjs';
import { table } from '../table.mjs';
import { smallSum } from './broadloom.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
// The address of a file of the repository on the server.
const addressIn = (file) => `/${path.relative(root, file).split(path.sep).join('/')}`;

async function inNode() {
  const { code, output } = await run(process.execPath, [here('first.mjs')], { capture: 'keep' });
  if (code !== 0) throw new Failure(`Node: ${output.trim().split('\n').at(-1)}`);
  return JSON.parse(output);
}

async function inPage(browser, origin) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const imports = { broadloom: addressIn(fileURLToPath(import.meta.resolve('broadloom'))) };
    // Any document without further requests. A document made by Playwright would make it intercept each request of the page.
    await page.goto(`${origin}/package.json`);
    return await page.evaluate(
      async ({ address, imports }) => {
        const map = document.createElement('script');
        map.type = 'importmap';
        map.textContent = JSON.stringify({ imports });
        document.head.append(map);
        const { firstSum } = await import(address);
        const begin = performance.now();
        const data = await firstSum();
        return { ms: performance.now() - begin, data: [...data] };
      },
      { address: addressIn(here('broadloom.mjs')), imports },
    );
  } finally {
    await context.close();
  }
}

export async function start({ rounds }) {
  const server = await serve(inRoot());
  const browser = await playwright.launch({
    executablePath: process.env.CHROMIUM || chromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  const places = {
    [`Node ${process.versions.node}`]: inNode,
    [`Chromium ${browser.version()}`]: () => inPage(browser, addressOf(server)),
  };
  const records = [];
  try {
    const row = table(['import, load, first sum', 28], ['ms', 8], ['95 %', 16]);
    for (const [name, measure] of Object.entries(places)) {
      const all = [];
      for (let round = 0; round < rounds; ++round) {
        const { ms, data } = await measure();
        if (`${data}` !== `${smallSum}`) throw new Failure(`${name} WRONG: ${data}`);
        all.push(ms);
      }
      const text = (ms) => ms.toFixed(1);
      row(name, text(median(all)), interval(all).map(text).join('..'));
      records.push({ name, kind: 'start', ns: median(all) * 1e6 });
    }
  } finally {
    await browser.close();
    server.close();
  }
  return { failures: 0, records };
}
