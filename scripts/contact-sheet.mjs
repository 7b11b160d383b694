// `npm run contact-sheet`: pictures of the page in the states that matter, light and dark, wide and narrow, into
// build/contact-sheet, with sheet.html and sheet.png showing them all. `-- --readme` also writes docs/playground.png.
import { mkdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { chromium as playwright } from 'playwright-core';
import { main } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { addressOf, serve } from './serve.mjs';
import { chromium } from './toolchain.mjs';

const v = 'v=1&type=f32';
const states = [
  ['first', ''],
  ['numpy', `${v}&rule=numpy&op=Add&in=(3,2,1,4)&in=(5,4)&at=1,1,2,3`],
  ['pdpd', `${v}&rule=pdpd&op=Add&in=(2,3,4,5)&in=(3,4,1)&axis=1&at=1,1,2,3&rows=1&columns=2`],
  ['bidirectional', `${v}&rule=bidirectional&op=Broadcast&in=(3,1)&target=(2,1,6)&at=1,2,3`],
  ['explicit', `${v}&rule=explicit&op=Broadcast&in=(3,4)&target=(2,3,4,5)&mapping=[1,2]&at=1,1,2,3&rows=1&columns=2`],
  ['none', `${v}&rule=none&op=Mul&in=(3,4)&in=(3,4)&at=1,2`],
  ['onnx_multidirectional', `${v}&rule=onnx_multidirectional&op=Max&in=(1,4,5)&in=(2,3,1,1)&in=(5)&at=1,1,2,3`],
  ['onnx_unidirectional', `${v}&rule=onnx_unidirectional&op=PRelu&in=(2,3,4,5)&in=(1,3,1,5)&at=1,1,2,3`],
  ['broadcast_numpy', `${v}&rule=broadcast_numpy&op=Broadcast&in=(16,1,1)&target=(1,16,50,50)&at=0,3,20,20`],
  ['sonnx', `${v}&rule=sonnx&op=Broadcast&in=(1,3)&in=(2,1)&in=(1,)&at=1,2&output=1`],
  ['conflict', `${v}&rule=numpy&op=Add&in=(8,64,56,56)&in=(64)`],
  ['conflicts', `${v}&rule=numpy&op=Add&in=(2,3,4,5)&in=(3,3,2,5)`],
  ['rank-error', `${v}&rule=pdpd&op=Add&in=(4,5)&in=(2,4,5)&axis=0`],
  ['mapping-error', `${v}&rule=explicit&op=Broadcast&in=(3,4)&target=(2,3,4,5)&mapping=[2,1]`],
  ['malformed', `${v}&rule=numpy&op=Add&in=(2, 3q, 4)&in=(4,)`],
  ['scalar', `${v}&rule=numpy&op=Add&in=()&in=()`],
  ['empty', `${v}&rule=numpy&op=Add&in=(0,3)&in=(1,3)`],
  ['rank-8', `${v}&rule=numpy&op=Add&in=(2,1,3,1,2,1,4,5)&in=(3,1,2,1,3,1,5)&at=1,2,2,1,1,2,3,4`],
  ['eight-operands', `${v}&rule=numpy&op=Sum&in=(4,1)&in=(5)&in=(4,5)&in=()&in=(1,5)&in=(1,1)&in=(4,1)&in=(5)&at=1,2`],
  ['large', `${v}&rule=numpy&op=Add&in=(100000,1)&in=(1,100000)`],
  ['window', `${v}&rule=numpy&op=Mul&in=(50,1)&in=(50)&at=20,33`],
  ['where', `${v}&rule=numpy&op=Where&in=(4,1)&in=(4,5)&in=()&at=1,2`],
  ['source', `${v}&rule=numpy&op=Add&in=(2,4,1)&in=(6,)&at=1,2,3`, { hover: '#grid-1 [data-index="4"]' }],
];
const narrow = ['first', 'pdpd', 'sonnx', 'conflict', 'malformed', 'rank-8', 'scalar', 'eight-operands'];
const dark = ['first', 'pdpd', 'conflict', 'malformed', 'rank-8', 'eight-operands', 'empty', 'source'];

const shots = [
  ...states.map(([name, fragment, more]) => ({ name, fragment, ...more })),
  ...states
    .filter(([name]) => dark.includes(name))
    .map(([name, fragment, more]) => ({ name: `${name}-dark`, fragment, dark: true, ...more })),
  ...states
    .filter(([name]) => narrow.includes(name))
    .flatMap(([name, fragment, more]) => [
      { name: `${name}-320`, fragment, width: 320, height: 640, ...more },
      { name: `${name}-320-dark`, fragment, width: 320, height: 640, dark: true, ...more },
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
    for (const { name, fragment, width = 1280, height = 800, dark: isDark, hover } of shots) {
      const page = await browser.newPage({ viewport: { width, height }, colorScheme: isDark ? 'dark' : 'light' });
      await page.goto(`${addressOf(server)}/${fragment && `#${fragment}`}`);
      await page.waitForSelector('main:not([data-state="loading"])');
      if (hover) await page.hover(hover);
      await page.screenshot({ path: `${out}/${name}.png`, fullPage: width < 400 });
      await page.close();
    }
    const paper = await browser.newPage({ viewport: { width: 900, height: 1200 } });
    await paper.goto(`${addressOf(server)}/#${states[2][1]}`);
    await paper.waitForSelector('#verdict');
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
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
      await page.goto(`${addressOf(server)}/`);
      await page.waitForSelector('#grid-result');
      await page.screenshot({ path: inRoot('docs/playground.png') });
      console.log(`docs/playground.png: ${Math.round(statSync(inRoot('docs/playground.png')).size / 1024)} KiB`);
    }
    console.log(`${pictures.length} pictures: ${out}/sheet.html`);
  } finally {
    await browser.close();
    server.close();
  }
});
