// States of the page that are drawn by the contact sheet and tested for accessibility; some are also compared with pictures
// (tests/browser).

import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';
import { ownHost } from './serve.mjs';
import { zarrFiles } from '../tests/browser/zarr-files.mjs';

const v = 'v=1&type=f32';

// The page announces a newer version when a service worker waits to take over; this one waits forever.
function newerVersionWaits() {
  const silent = { addEventListener() {}, update: async () => {} };
  const registration = { ...silent, active: {}, waiting: { state: 'installed', postMessage() {} } };
  const container = { ...silent, controller: {}, register: async () => registration };
  Object.defineProperty(navigator, 'serviceWorker', { value: container });
}

// Pastes a text as a browser does, with no field in focus.
const paste = (page, text) =>
  page.evaluate((pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);

// Drops files, given as [name, content], on the page; a content is a text or bytes.
const drop = (page, ...files) =>
  page.evaluate(
    (list) => {
      const dataTransfer = new DataTransfer();
      for (const { name, base64 } of list)
        dataTransfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
    },
    files.map(([name, content]) => ({ name, base64: Buffer.from(content).toString('base64') })),
  );

const modelFile = (name) => readFileSync(inRoot('tests/models/data', name));

// Goes to a step of the guide, and shows its answer.
async function guideTo(page, step) {
  await page.waitForSelector('main.guide .guide-picture');
  while (true) {
    if ((await page.locator('.guess-choices').count()) > 0) {
      await page.keyboard.press('ArrowRight');
      await page.waitForSelector('.guess-choices .right');
    }
    const at = await page.getAttribute('main.guide', 'data-step');
    if (at === step) return;
    await page.keyboard.press('ArrowRight');
    await page.waitForSelector(`main.guide:not([data-step=${at}])`);
  }
}

// A small OpenVINO model with a clash, unknown extents and an outer product, which the tests' models have one by one.
const layer = (id, type, operands, result) => {
  const port = (shape, number) =>
    `<port id="${number}">${shape.map((extent) => `<dim>${extent}</dim>`).join('')}</port>`;
  return `<layer id="${id}" name="block_${id}/${type.toLowerCase()}" type="${type}" version="opset1"><data auto_broadcast="numpy"/>
    <input>${operands.map(port).join('')}</input><output>${port(result, operands.length)}</output></layer>`;
};
const mixedModel = `<net name="mixed" version="11"><layers>
  ${layer(
    0,
    'Add',
    [
      [8, 64, 56, 56],
      [64, 1, 1],
    ],
    [8, 64, 56, 56],
  )}
  ${layer(1, 'Multiply', [[8, 64, 56, 56], [64]], [8, 64, 56, 56])}
  ${layer(2, 'Subtract', [[32, 1], [32]], [32, 32])}
  ${layer(
    3,
    'Add',
    [
      [-1, 12, -1, 64],
      [-1, 1, 1, 64],
    ],
    [-1, 12, -1, 64],
  )}
</layers><edges/></net>`;

// Zarr arrays: a volume of which a chunk is not stored, and one that is larger than what is in sight.
const stored = (name, array) => new Map([...zarrFiles(array)].map(([file, bytes]) => [`${name}/${file}`, bytes]));
const volume = stored('volume.zarr', {
  shape: [3, 4, 6],
  chunks: [1, 2, 3],
  names: ['time', 'lat', 'lon'],
  fill: -9,
  valueAt: ([i, j, k]) => 100 * i + 10 * j + k,
  lacks: ([i, j, k]) => i === 1 && j === 1 && k === 0,
});
const wide = stored('wide.zarr', { shape: [60, 400], chunks: [20, 50], valueAt: ([i, j]) => i * j });

// Each state: its name and the fragment of its link. Optional: `query`; `before`, a function that runs in the page before its
// own scripts; `lost` and `held`, files whose requests fail or are not answered; `data`, files that the server has below /data/; `scripts`, whether scripts may run; `host`,
// another name of this machine; `act`, an action in the page; `shown`, a selector to wait for.
export const states = [
  { name: 'first', fragment: '' },
  { name: 'numpy', fragment: `${v}&rule=numpy&op=Add&in=(3,2,1,4)&in=(5,4)&at=1,1,2,3` },
  {
    name: 'pdpd',
    fragment: `${v}&rule=pdpd&op=Add&in=(2,3,4,5)&in=(3,4,1)&axis=1&at=1,1,2,3&rows=1&columns=2`,
    shown: '.axis-places',
  },
  { name: 'bidirectional', fragment: `${v}&rule=bidirectional&op=Broadcast&in=(3,1)&target=(2,1,6)&at=1,2,3` },
  {
    name: 'explicit',
    fragment: `${v}&rule=explicit&op=Broadcast&in=(3,4)&target=(2,3,4,5)&mapping=[1,2]&at=1,1,2,3&rows=1&columns=2`,
  },
  { name: 'none', fragment: `${v}&rule=none&op=Mul&in=(3,4)&in=(3,4)&at=1,2` },
  {
    name: 'onnx_multidirectional',
    fragment: `${v}&rule=onnx_multidirectional&op=Max&in=(1,4,5)&in=(2,3,1,1)&in=(5)&at=1,1,2,3`,
  },
  {
    name: 'onnx_unidirectional',
    fragment: `${v}&rule=onnx_unidirectional&op=PRelu&in=(2,3,4,5)&in=(1,3,1,5)&at=1,1,2,3`,
  },
  {
    name: 'broadcast_numpy',
    fragment: `${v}&rule=broadcast_numpy&op=Broadcast&in=(16,1,1)&target=(1,16,50,50)&at=0,3,20,20`,
  },
  { name: 'sonnx', fragment: `${v}&rule=sonnx&op=Broadcast&in=(1,3)&in=(2,1)&in=(1,)&at=1,2&output=1` },
  { name: 'conflict', fragment: `${v}&rule=numpy&op=Add&in=(8,64,56,56)&in=(64)`, shown: '.repairs' },
  { name: 'conflicts', fragment: `${v}&rule=numpy&op=Add&in=(2,3,4,5)&in=(3,3,2,5)`, shown: '.repairs' },
  { name: 'warned', fragment: `${v}&rule=numpy&op=Sub&in=(32,1)&in=(32,)`, shown: '.warnings' },
  {
    name: 'pasted',
    fragment: `${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`,
    act: (page) => paste(page, 'Incompatible shapes: [32,10] vs. [32] [Op:AddV2]'),
    shown: '.pasted ~ .repairs',
  },
  {
    name: 'pasted-nothing',
    fragment: `${v}&rule=numpy&op=Add&in=(2,3)&in=(3)`,
    act: (page) => paste(page, 'no shapes here'),
    shown: '.pasted',
  },
  {
    name: 'pasted-extents',
    fragment: '',
    act: (page) =>
      paste(
        page,
        'RuntimeError: The size of tensor a (64) must match the size of tensor b (128) at non-singleton dimension 3',
      ),
    shown: '.pasted ~ .clash-notice',
  },
  {
    name: 'paste-dialog',
    fragment: '',
    act: (page) => page.click('#paste-text'),
    shown: '.paste-dialog',
  },
  {
    name: 'term',
    fragment: `${v}&rule=pdpd&op=Add&in=(2,3,4,5)&in=(3,4,1)&axis=1`,
    act: (page) => page.click('.alignment .below .term-word'),
    shown: '.term-note',
  },
  { name: 'no-model', fragment: `${v}&view=models`, shown: 'main.models' },
  {
    name: 'model',
    fragment: '',
    act: (page) => drop(page, ['mixed.xml', mixedModel], ['mixed.bin', '']),
    shown: '.rows',
  },
  {
    name: 'model-pages',
    fragment: '',
    act: (page) => drop(page, ['bert.onnx', modelFile('bert.onnx')]),
    shown: '.pager',
  },
  {
    name: 'model-fails',
    fragment: '',
    act: (page) => drop(page, ['cut.onnx', modelFile('bert.onnx').subarray(0, 300)]),
    shown: '.models[data-phase=failed]',
  },
  {
    name: 'from-model',
    fragment: '',
    act: async (page) => {
      await drop(page, ['mixed.xml', mixedModel], ['mixed.bin', '']);
      await page.click('#node-1');
    },
    shown: '.from-model ~ .repairs',
  },
  {
    name: 'refused-file',
    fragment: '',
    act: (page) => drop(page, ['weights.pt', 'PK']),
    shown: '.refusal',
  },
  { name: 'symbolic', fragment: `${v}&rule=numpy&op=Add&in=(N,3)&in=(M,3)`, shown: '.example .grids' },
  { name: 'symbolic-never', fragment: `${v}&rule=numpy&op=Add&in=(N,3)&in=(M,4)`, shown: '.symbolic td.clash' },
  { name: 'symbolic-cases', fragment: `${v}&rule=numpy&op=Add&in=...&in=(2,3)`, shown: '.symbolic .cases' },
  {
    name: 'symbolic-target',
    fragment: `${v}&rule=explicit&op=Broadcast&in=(N,3)&target=(?,4,3)&mapping=[0,2]`,
    act: (page) => page.click('.as-code button:has-text("JAX")'),
    shown: '.symbolic .ways',
  },
  { name: 'symbolic-wrong', fragment: `${v}&rule=numpy&op=Add&in=(8..2,3)&in=(M,4)`, shown: 'mark.bad' },
  {
    name: 'named-axes',
    fragment: `${v}&rule=numpy&op=Add&in=batch=8, heads=8&in=heads=8, batch=8`,
    shown: '.warnings',
  },
  {
    name: 'long-names',
    fragment: `${v}&rule=numpy&op=Add&n=attention_scores,position_bias&in=(batch_of_sequences=8, attention_heads=4, position_in_sequence=3)&in=(attention_heads=4, position_in_sequence=2)`,
    shown: '.repairs',
  },
  {
    name: 'by-name',
    fragment: `${v}&rule=numpy&op=Add&in=(row=2, column=3)&in=(column=N)&byname=1`,
    shown: '.example .grids',
  },
  { name: 'rank-error', fragment: `${v}&rule=pdpd&op=Add&in=(4,5)&in=(2,4,5)&axis=0` },
  { name: 'mapping-error', fragment: `${v}&rule=explicit&op=Broadcast&in=(3,4)&target=(2,3,4,5)&mapping=[2,1]` },
  { name: 'malformed', fragment: `${v}&rule=numpy&op=Add&in=(2, 3q, 4)&in=(4,)` },
  { name: 'scalar', fragment: `${v}&rule=numpy&op=Add&in=()&in=()` },
  { name: 'empty', fragment: `${v}&rule=numpy&op=Add&in=(0,3)&in=(1,3)` },
  {
    name: 'rank-8',
    fragment: `${v}&rule=numpy&op=Add&in=(2,1,3,1,2,1,4,5)&in=(3,1,2,1,3,1,5)&at=1,2,2,1,1,2,3,4`,
    shown: '.axis-places',
  },
  {
    name: 'eight-operands',
    fragment: `${v}&rule=numpy&op=Sum&in=(4,1)&in=(5)&in=(4,5)&in=()&in=(1,5)&in=(1,1)&in=(4,1)&in=(5)&at=1,2`,
  },
  { name: 'large', fragment: `${v}&rule=numpy&op=Add&in=(100000,1)&in=(1,100000)`, shown: '.in-hand' },
  { name: 'window', fragment: `${v}&rule=numpy&op=Mul&in=(50,1)&in=(50)&at=20,33`, shown: '.in-hand' },
  { name: 'where', fragment: `${v}&rule=numpy&op=Where&in=(4,1)&in=(4,5)&in=()&at=1,2` },
  {
    name: 'source',
    fragment: `${v}&rule=numpy&op=Add&in=(2,4,1)&in=(6,)&at=1,2,3`,
    act: (page) => page.hover('#grid-1 [data-index="4"]'),
  },
  {
    name: 'slices',
    fragment: `${v}&rule=numpy&op=Add&in=(3,2,4)&in=(4,)&at=1,1,2&tiles=0`,
    shown: '.slice-grid [role=gridcell]',
  },
  { name: 'pin', fragment: `${v}&rule=numpy&op=Add&in=(4,1)&in=(6,)&at=2,4&pin=2,4`, shown: '#unpin' },
  { name: 'pinned-source', fragment: `${v}&rule=numpy&op=Add&in=(4,1)&in=(6,)&pin=1:5`, shown: '#unpin' },
  { name: 'oversize', fragment: 'v=1&type=u8&rule=numpy&op=Add&in=(3037000499,3037000499)&in=()', shown: '.oversize' },
  { name: 'blow-up', fragment: `${v}&rule=numpy&op=Sub&in=(50000,1)&in=(50000,)`, shown: '.blow-up' },
  {
    name: 'blow-up-intended',
    fragment: `${v}&rule=numpy&op=Sub&in=(50000,1)&in=(50000,)&expect=large_result`,
    shown: '.blow-up',
  },
  ...['written', 'aligned', 'stretched'].map((step) => ({
    name: step,
    fragment: `${v}&rule=numpy&op=Add&in=(3,1,4)&in=(2,1)&step=${step}`,
    shown: '.stages',
  })),
  { name: 'step-clash', fragment: `${v}&rule=numpy&op=Add&in=(2,3)&in=(2,)&step=stretched`, shown: '.telling' },
  {
    name: 'step-mapping',
    fragment: `${v}&rule=explicit&op=Broadcast&in=(3,4)&target=(2,3,4,5)&mapping=[1,2]&step=aligned`,
    shown: '.telling',
  },
  { name: 'step-large', fragment: `${v}&rule=numpy&op=Add&in=(4000,1)&in=(6000,)&step=stretched`, shown: '.telling' },
  {
    name: 'step-three-operands',
    fragment: `${v}&rule=numpy&op=Max&in=(3,1)&in=(4,)&in=()&step=stretched`,
    shown: '.part',
  },
  {
    name: 'step-result',
    fragment: `${v}&rule=numpy&op=Add&in=(3,1,4)&in=(2,1)&step=stretched`,
    act: (page) => page.click('#step-on'),
    shown: '.step-sentence',
  },
  {
    name: 'details',
    fragment: `${v}&rule=numpy&op=Add&in=(4,1)&in=(6,)&n=attention_scores&x=random:7`,
    act: (page) => page.click('#details-0'),
    shown: '.details',
  },
  {
    name: 'wrong-values',
    fragment: `${v}&rule=numpy&op=Add&in=(4,1)&in=(6,)&x=list:[1,2,x]`,
    act: (page) => page.click('#details-0'),
    shown: '.details',
  },
  {
    name: 'zarr-refused',
    fragment: '',
    act: async (page) => {
      await page.click('#details-0');
      await page.selectOption('#values-0', 'zarr');
      await page.fill('#zarr-0', 'data/volume.zar');
      await page.press('#zarr-0', 'Enter');
    },
    shown: '#values-message-0',
    data: new Map(),
  },
  {
    name: 'zarr',
    fragment: `${v}&rule=numpy&op=Add&in=(time=3,lat=4,lon=6)&in=(4,1)&x=zarr:data/volume.zarr&at=1,2,3`,
    shown: '[data-operand="0"] [role=status]',
    data: volume,
  },
  {
    name: 'zarr-unread',
    fragment: `${v}&rule=numpy&op=Add&in=(3,4,6)&in=(4,1)&x=zarr:data/volume.zarr&at=1,2,3`,
    act: (page) => page.click('#details-0'),
    shown: '.zarr',
    data: new Map([...volume, ['volume.zarr/c/1/0/1', Buffer.alloc(9)]]),
  },
  {
    name: 'zarr-large',
    fragment: `${v}&rule=numpy&op=Add&in=(60,400)&in=(60,1)&x=zarr:data/wide.zarr&at=20,210`,
    act: async (page) => {
      for (let i = 0; i < 3; ++i) await page.click('#zoom-out');
    },
    shown: '.in-hand',
    data: wide,
  },
  { name: 'notes', fragment: '', act: (page) => page.click('#rule-notes'), shown: '.rule-notes' },
  {
    name: 'paste-layer',
    fragment: '',
    act: async (page) => {
      await page.click('#paste-layer');
      await page.fill('#layer', '<layer type="Add"><data auto_broadcast="nonsense"/></layer>');
    },
    shown: '#layer[aria-invalid="true"]',
  },
  {
    name: 'code',
    fragment: `${v}&rule=explicit&op=Broadcast&in=(3,4)&target=(2,3,4,5)&mapping=[1,2]`,
    act: async (page) => {
      await page.locator('.elsewhere [role=tab]').last().click();
      await page.locator('#code-text').scrollIntoViewIfNeeded();
    },
    shown: '#code-text[aria-labelledby="code-broadloom-cpp"][aria-busy="false"]',
  },
  { name: 'rules', fragment: `${v}&rule=numpy&op=Add&in=(2,3,4,5)&in=(3,4,1)&view=rules`, shown: '.all-rules table' },
  {
    name: 'rules-openvino',
    fragment: `${v}&rule=pdpd&op=Add&in=(2,3,3)&in=(3)&axis=1&view=rules&only=openvino`,
    shown: '.differences',
  },
  {
    name: 'rules-target',
    fragment: `${v}&rule=explicit&op=Broadcast&in=(3,1,3)&target=(3,2,3,1,3)&mapping=[0,1,2]&view=rules`,
    shown: '.all-rules table',
  },
  {
    name: 'proposals',
    fragment: `${v}&rule=explicit&op=Broadcast&in=(4,1)&in=(6,)&target=(6,)`,
    shown: '.proposals',
  },
  { name: 'rules-malformed', fragment: `${v}&rule=numpy&op=Add&in=(2,3q)&in=(3)&view=rules`, shown: '.all-rules' },
  { name: 'gallery', fragment: `${v}&view=gallery`, shown: 'main.gallery .card' },
  {
    name: 'gallery-search',
    fragment: `${v}&view=gallery&only=fails,tag:masks,find:heads`,
    shown: 'main.gallery .card',
  },
  { name: 'gallery-nothing', fragment: `${v}&view=gallery&only=find:nothing+like+that`, shown: '#all-examples' },
  {
    name: 'from-gallery',
    fragment: `${v}&view=gallery`,
    act: (page) => page.locator('main.gallery .card').first().click(),
    shown: '.from-gallery',
  },
  ...['shapes', 'missing', 'stretch', 'result', 'clash', 'repair', 'rules'].map((step) => ({
    name: `guide-${step}`,
    fragment: 'guide',
    act: (page) => guideTo(page, step),
    shown: `main.guide[data-step=${step}] .guide-picture`,
  })),
  {
    name: 'guide-wrong',
    fragment: 'guide',
    act: async (page) => {
      await guideTo(page, 'repair');
      await page.keyboard.press('3');
    },
    shown: '.guess-choices .wrong',
  },
  { name: 'predict', fragment: 'v=1&view=predict&level=7&seed=5', shown: '#check' },
  {
    name: 'predict-lacks',
    fragment: 'v=1&view=predict&level=3&seed=1',
    act: async (page) => {
      await page.click('#hint');
      await page.fill('#prediction', '2, q');
      await page.click('#check');
    },
    shown: '#prediction-lacks:not(:empty)',
  },
  {
    name: 'predicted',
    fragment: 'v=1&view=predict&level=3&seed=1',
    act: async (page) => {
      await page.fill('#prediction', '(9, 9)');
      await page.click('#check');
    },
    shown: '#next',
  },
  { name: 'keys', fragment: '', act: (page) => page.click('#keys'), shown: '.keys-list[open]' },
  { name: 'share', fragment: '', act: (page) => page.click('#share'), shown: '#share-preview' },
  ...['slide', 'steps'].map((subject) => ({
    name: `share-${subject}`,
    fragment: '',
    act: async (page) => {
      await page.click('#share');
      await page.check(`input[name=share-subject][value=${subject}]`, { force: true });
    },
    shown: '#share-picture-title ~ .note',
  })),
  { name: 'newer', fragment: '', host: ownHost, before: newerVersionWaits, shown: '#reload' },
  { name: 'embed', fragment: '', query: '?embed', shown: 'main.embed' },
  {
    name: 'embed-conflict',
    fragment: `${v}&rule=numpy&op=Add&in=(8,64,56,56)&in=(64)`,
    query: '?embed',
    shown: 'main.embed',
  },
  { name: 'loading', fragment: '', held: '**/*.wasm', shown: 'main[data-state=loading]' },
  { name: 'not-arrived', fragment: '', lost: '**/*.wasm', shown: 'main[data-state=unavailable]' },
  {
    name: 'cannot-run',
    fragment: '',
    before: () => delete globalThis.WebAssembly,
    shown: 'main[data-state=unavailable]',
  },
  {
    name: 'not-loaded',
    fragment: '',
    lost: '**/operand-details-*.js',
    act: (page) => page.click('#details-0'),
    shown: 'text=This part of the page did not load',
  },
  { name: 'no-script', fragment: '', scripts: false, shown: 'noscript' },
];

// Opens a state in a new page. `options` are those of the browser context: viewport, colours.
export async function openState(browser, origin, state, options = {}) {
  const { fragment, host, query = '', before, lost, held, data, scripts = true, act, shown } = state;
  const context = await browser.newContext({
    serviceWorkers: 'block',
    javaScriptEnabled: scripts,
    reducedMotion: 'reduce',
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const arrived = arrivals(page);
  if (before) await page.addInitScript(before);
  if (lost) await page.route(lost, (route) => route.abort());
  if (held) await page.route(held, () => {});
  if (data)
    await page.route('**/data/**', (route) => {
      const body = data.get(new URL(route.request().url()).pathname.replace(/^.*?\/data\//, ''));
      return body ? route.fulfill({ body }) : route.fulfill({ status: 404 });
    });
  const address = new URL(`/${query}${fragment && `#${fragment}`}`, origin);
  if (host) address.hostname = host;
  await page.goto(address.href);
  if (held || !scripts) return page;
  await page.waitForSelector('main:not([data-state="loading"])');
  await arrived();
  await act?.(page);
  if (shown) await page.waitForSelector(shown, { state: 'attached' });
  await arrived();
  // Warnings come with what explains, which is loaded after the answer.
  await page.waitForSelector('#verdict[data-doubts="pending"]', { state: 'detached' });
  return page;
}

// Waits until no request is pending, no part of the page is awaited, and everything that arrived is drawn. Repeats, since a
// part of the page may load others.
function arrivals(page) {
  let asked = 0;
  let answered = 0;
  page.on('request', () => ++asked);
  page.on('requestfinished', () => ++answered);
  page.on('requestfailed', () => ++answered);
  return async () => {
    for (let [before, awaits] = [-1, true]; awaits || before !== asked || answered < asked;) {
      before = asked;
      await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 20))));
      awaits = await page.evaluate(() => document.documentElement.hasAttribute('data-awaits'));
    }
  };
}
