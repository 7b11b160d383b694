// `npm run contact-sheet`: writes pictures of the page in every state of page-states.mjs, light and dark, wide and narrow, to
// build/contact-sheet, and sheet.html and sheet.png with all of them. `-- --readme` also writes docs/playground.png.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chromium as playwright } from 'playwright-core';
import { main } from './fail.mjs';
import { openState, states } from './page-states.mjs';
import { inRoot } from './paths.mjs';
import { addressOf, serve } from './serve.mjs';
import { chromium } from './toolchain.mjs';

const narrow = ['first', 'pdpd', 'sonnx', 'conflict', 'malformed', 'rank-8', 'scalar', 'eight-operands'];
const dark = ['first', 'pdpd', 'conflict', 'malformed', 'rank-8', 'eight-operands', 'empty', 'source'];

const wide = { width: 1280, height: 800 };
const slim = { width: 320, height: 640 };
const shots = [
  ...states.map((state) => ({ name: state.name, state, viewport: wide })),
  ...states
    .filter(({ name }) => dark.includes(name))
    .map((state) => ({ name: `${state.name}-dark`, state, viewport: wide, colorScheme: 'dark' })),
  ...states
    .filter(({ name }) => narrow.includes(name))
    .flatMap((state) => [
      { name: `${state.name}-320`, state, viewport: slim },
      { name: `${state.name}-320-dark`, state, viewport: slim, colorScheme: 'dark' },
    ]),
];

await main(async () => {
  const out = inRoot('build/contact-sheet');
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const server = await serve(process.env.BROADLOOM_PAGE ?? inRoot('web/dist'));
  const browser = await playwright.launch({
    executablePath: process.env.CHROMIUM || chromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
  try {
    const open = (state, options) => openState(browser, addressOf(server), state, options);
    const named = (name) => states.find((state) => state.name === name);
    for (const { name, state, ...options } of shots) {
      const page = await open(state, options);
      await page.screenshot({ path: `${out}/${name}.png`, fullPage: options.viewport === slim });
      await page.context().close();
    }
    const paper = await open(named('pdpd'), { viewport: { width: 900, height: 1200 } });
    await paper.emulateMedia({ media: 'print' });
    await paper.screenshot({ path: `${out}/print.png` });

    const pictures = [...shots.map(({ name }) => name), 'print'];
    const figure = (name) => `<figure><img src="${name}.png" alt=""><figcaption>${name}</figcaption></figure>`;
    writeFileSync(
      `${out}/sheet.html`,
      `<!doctype html><meta charset="utf-8"><title>Broadloom: contact sheet</title>
<style>body{margin:24px;font:13px system-ui;background:#777;color:#fff;display:flex;flex-wrap:wrap;gap:16px;align-items:flex-start}
figure{margin:0}img{display:block;height:400px}</style>
${pictures.map(figure).join('\n')}\n`,
    );
    const sheet = await browser.newPage({ viewport: { width: 2080, height: 1000 } });
    await sheet.goto(`file://${out}/sheet.html`);
    await sheet.screenshot({ path: `${out}/sheet.png`, fullPage: true });

    if (process.argv.includes('--readme')) {
      const page = await open(named('first'), { viewport: wide });
      await page.screenshot({ path: inRoot('docs/playground.png') });
      console.log(`docs/playground.png: ${Math.round(statSync(inRoot('docs/playground.png')).size / 1024)} KiB`);
    }
    console.log(`${pictures.length} pictures: ${out}/sheet.html`);
  } finally {
    await browser.close();
    server.close();
  }
});
