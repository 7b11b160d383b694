// The grids: which axes are drawn, lit and pinned cells, large results, and sizes.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatNpy } from 'broadloom/npy';
import { answer, arrived, follow, frame, litSources, openPlayground, patience, settled, type } from './playground.mjs';
import { drawing, imported } from './modules.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const shows = (page) => page.getAttribute('#answer', 'data-shows');
const spelled = (page, pattern) =>
  page.waitForFunction(
    ([source, flags]) => new RegExp(source, flags).test(document.querySelector('#arithmetic').innerText),
    [pattern.source, pattern.flags],
  );
const linked = (page, part) =>
  page.waitForFunction((text) => document.querySelector('#answer').dataset.shows.includes(text), part);

const large = 'v=1&rule=numpy&op=Add&type=f32&in=(10000,1)&in=(10000,)&at=5000,7000';

// The colour of a pixel of the canvas, in the page's pixels.
const pixel = (page, x, y) =>
  page.evaluate(
    ([left, top]) => {
      const canvas = document.querySelector('.stage canvas');
      return [...canvas.getContext('2d').getImageData(left * devicePixelRatio, top * devicePixelRatio, 1, 1).data];
    },
    [x, y],
  );

// Where the result's cells lie on the canvas, as the handle of the cell in hand tells.
const handBox = async (page) => {
  const [hand, stage] = await Promise.all([
    page.locator('.in-hand').boundingBox(),
    page.locator('.stage canvas').boundingBox(),
  ]);
  return { x: hand.x - stage.x, y: hand.y - stage.y, width: hand.width, height: hand.height, stage };
};

const openLarge = async (fragment, options) => {
  const page = await playground.open(fragment, options);
  await page.waitForSelector('.in-hand');
  // What is pressed by its place has to stay there.
  await arrived(page);
  await page.locator('.stage').scrollIntoViewIfNeeded();
  await frame(page);
  return page;
};

// --- Point 4 ---------------------------------------------------------------------

test('4: every axis can be on rows, columns, slices and a slider, and the link restores it', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=i32&in=(3,2,4,5)&in=(5,)&at=1,1,2,3');
  const cell = async (row, column) =>
    page.getAttribute(`#grid-result [aria-rowindex="${row + 1}"] [aria-colindex="${column + 1}"]`, 'data-index');
  await page.waitForSelector('#place-rows');
  assert.equal(await cell(2, 3), '1,1,2,3');
  for (let axis = 0; axis < 4; ++axis) {
    await page.selectOption('#place-rows', String(axis));
    assert.equal(await page.inputValue('#place-rows'), String(axis));
    const columns = await page.inputValue('#place-columns');
    await page.selectOption('#place-columns', String(axis));
    // It stood on rows: the two change places.
    assert.equal(await page.inputValue('#place-rows'), columns);
    const index = (await cell(0, 0)).split(',').map(Number);
    assert.equal(index[axis], 0);
    assert.equal(await page.locator('#grid-result [role=row]:first-child [role=gridcell]').count(), [3, 2, 4, 5][axis]);
    await page.selectOption('#place-slices', String(axis));
    // Columns are never empty: an axis that was on a slider stands there.
    const standing = await page.locator('.place select').evaluateAll((all) => all.map(({ value }) => Number(value)));
    assert.equal(new Set(standing).size, 3, String(standing));
    await page.waitForSelector('.slice-grids');
    assert.equal(await page.locator('.slice-grid').count(), [3, 2, 4, 5][axis]);
    await linked(page, `tiles=${axis}`);
    const again = await playground.open(await shows(page));
    await again.waitForSelector('.slice-grids');
    assert.equal(await again.inputValue('#place-slices'), String(axis));
    await again.context().close();
    await page.selectOption('#place-slices', 'none');
    await page.waitForSelector('.slice-grids', { state: 'detached' });
    assert.ok(await page.locator(`#slice-${axis}`).count());
  }
  await page.context().close();
});

test('4: slices stand side by side, and lit cells are lit in all of them', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=i32&in=(3,2,4)&in=(4,)&at=1,1,2&tiles=0');
  await page.waitForSelector('.slice-grids');
  const texts = await page.locator('#slice-grid-2 [role=gridcell]').allInnerTexts();
  // A counts 0, 1, 2; B 10, 20, 30.
  assert.deepEqual(texts, ['26', '37', '48', '59', '30', '41', '52', '63']);
  await page.hover('#grid-1 [data-index="3"]');
  await spelled(page, /^B\[3\] = 40 feeds 6 cells: out\[0…2, 0…1, 3\]/);
  const lit = await page
    .locator('.slice-grid [data-lit]')
    .evaluateAll((cells) => cells.map(({ dataset }) => dataset.index));
  assert.deepEqual(lit, ['0,0,3', '0,1,3', '1,0,3', '1,1,3', '2,0,3', '2,1,3']);
  await page.hover('#slice-grid-2 [data-index="2,0,1"]');
  await spelled(page, /^out\[2, 0, 1\] = A\[2, 0, 1\] \+ B\[1\] = 17 \+ 20 = 37/);
  // Pressed, its slice is shown above.
  await page.click('#slice-grid-2 [data-index="2,0,1"]');
  await linked(page, 'pin=2,0,1');
  await page.waitForSelector('#grid-result .hand[data-index="2,0,1"]');
  await page.context().close();
});

test('4: a press pins a cell, Escape unpins it, and the link restores it', async () => {
  const page = await playground.open();
  await page.click('#grid-result [data-index="2,4"]');
  await linked(page, 'pin=2,4');
  await page.hover('#grid-result [data-index="0,0"]');
  await page.hover('#grid-0 [data-index="3,0"]');
  assert.match((await answer(page)).arithmetic, /^out\[2, 4\] = .* Unpin$/s);
  const again = await playground.open(await shows(page));
  assert.match((await answer(again)).arithmetic, /^out\[2, 4\]/);
  assert.ok(await again.locator('#unpin').count());
  await again.context().close();
  await page.keyboard.press('Escape');
  await page.waitForSelector('#unpin', { state: 'detached' });
  assert.doesNotMatch(await shows(page), /pin=/);
  // By key, a source element.
  await page.focus('#grid-1 [tabindex="0"]');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await linked(page, 'pin=1:5');
  await page.hover('#grid-result [data-index="0,0"]');
  assert.match((await answer(page)).arithmetic, /^B\[5\] = 60 feeds 4 cells/);
  // Once more unpins it, and so does the button.
  await page.keyboard.press('Enter');
  await page.waitForSelector('#unpin', { state: 'detached' });
  await page.keyboard.press('Enter');
  await page.click('#unpin');
  assert.doesNotMatch(await shows(page), /pin=/);
  await page.context().close();
});

test('4: a pin on a cell that does not exist is ignored', async () => {
  for (const pin of ['9,9', '7:0', '1:99', 'x', '0:1,0,0', '']) {
    const page = await playground.open(`v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&at=1,2&pin=${pin}`);
    assert.match((await answer(page)).arithmetic, /^out\[1, 2\]/, pin);
    await page.hover('#grid-result [data-index="3,3"]');
    await spelled(page, /^out\[3, 3\]/);
    await page.context().close();
  }
});

test('4: the arithmetic shows what the package computes, for every operator', async () => {
  const { loadEngine } = await imported('engine/engine.ts');
  const core = await loadEngine();
  const page = await playground.open();
  const shapes = ['(2, 3)', '(3,)', '()', '(2, 1)'];
  for (const op of core.opsFor('numpy')) {
    const most = Math.max(op.leastOperands, Math.min(op.mostOperands ?? 4, 4));
    const types = core.dtypesFor(op.name, { fmod: op.attribute === 'fmod' ? '1' : '', direction: 'left', to: 'i32' });
    const type = types.find(({ name }) => name === 'f32') ?? types.find(({ bits }) => bits === 32) ?? types[0];
    const attribute = { fmod: '&fmod=1', direction: '&direction=left', to: '&to=i32' }[op.attribute] ?? '';
    const ins = shapes.slice(0, most).map((shape) => `&in=${shape}`);
    const link = `v=1&rule=numpy&op=${op.name}&type=${type.name}${ins.join('')}${attribute}&at=1,2`;
    await follow(page, link.replaceAll(' ', '+'));
    assert.equal(await page.inputValue('#op'), op.name);
    const { arithmetic } = await answer(page);
    const cell = await page.getAttribute('#grid-result [data-index="1,2"]', 'aria-label');
    const values = await page.locator('.cells:not(#grid-result) [data-lit]').allInnerTexts();
    assert.equal(values.length, most, `${op.name}: ${arithmetic}`);
    assert.ok(arithmetic.endsWith(`= ${cell.split(' = ')[1]}`), `${op.name}: ${arithmetic}`);
    const spelling = arithmetic.split(' = ').at(-2);
    for (const value of values) assert.ok(spelling.includes(value), `${op.name}: ${value} in ${spelling}`);
  }
  await page.context().close();
});

test('4: arithmetic of mixed types shows the values before promotion', async () => {
  const page = await playground.open(
    'v=1&rule=numpy&op=Where&type=f64&in=(2,1)&in=(3,)&in=()&t=bool&x=list:[true,false]&x=constant:0.5&x=constant:-2&at=0,1',
  );
  assert.match(
    (await answer(page)).arithmetic,
    /^out\[0, 1\] = A\[0, 0\] \? B\[1\] : C\[\] = true \? 0\.5 : -2 = 0\.5$/,
  );
  await page.context().close();
});

test('4: values keep all digits that distinguish them, and cells have room for them', async () => {
  const page = await playground.open(
    'v=1&rule=numpy&op=Div&type=f32&in=(2,1)&in=(3,)&x=list:[[14999.5],[-1e-30]]&x=list:[3,7,1e9]&at=0,1',
  );
  assert.equal((await answer(page)).arithmetic, 'out[0, 1] = A[0, 0] / B[1] = 14999.5 / 7 = 2142.7856');
  const cells = page.locator('.cells [role=gridcell]');
  const told = await cells.evaluateAll((all) =>
    all.map((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      const [inner, outer] = [text.getBoundingClientRect(), cell.getBoundingClientRect()];
      return [cell.innerText, cell.ariaLabel.split(' = ')[1], inner.left >= outer.left && inner.right <= outer.right];
    }),
  );
  for (const [text, exact, fits] of told) {
    assert.ok(fits, `${text} reaches beyond its cell`);
    if (text !== exact) assert.ok(text.includes('…') && exact.startsWith(text.split('…')[0]), `${text} for ${exact}`);
  }
  assert.deepEqual(
    told.slice(-6).map(([, exact]) => Math.fround(Number(exact))),
    [14999.5, -1e-30].flatMap((a) => [3, 7, 1e9].map((b) => Math.fround(Math.fround(a) / b))),
  );
  await page.context().close();
});

// --- Point 5 ---------------------------------------------------------------------

test('5: 10^8 and 10^15 cells open at once, each with its value', async () => {
  for (const [side, type_, value] of [
    [10_000, 'f32', '360'],
    [31_622_777, 'i64', '360'],
  ]) {
    const page = await openLarge(`v=1&rule=numpy&op=Add&type=${type_}&in=(${side},1)&in=(${side},)&at=20,33`);
    assert.equal((await answer(page)).arithmetic, `out[20, 33] = A[20, 0] + B[33] = 20 + 340 = ${value}`);
    assert.deepEqual(await litSources(page), [[20, 0], [33]]);
    const grid = page.getByRole('grid', { name: 'Result' });
    assert.equal(await grid.getAttribute('aria-rowcount'), String(side));
    assert.equal(await page.getByRole('gridcell', { name: `result [20, 33] = ${value}` }).count(), 1);
    await page.context().close();
  }
});

test('5: keys move by cells and pages and to the ends, and the cell is announced', async () => {
  const page = await openLarge(large);
  await page.focus('.in-hand');
  const at = async () => page.getAttribute('.in-hand', 'data-index');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  assert.equal(await at(), '5001,7001');
  assert.equal(await page.innerText('#said'), 'result [5001, 7001] = 75021');
  await page.keyboard.press('PageDown');
  const [row] = (await at()).split(',').map(Number);
  assert.ok(row > 5003 && row < 5030, String(row));
  await page.keyboard.press('End');
  assert.equal(await at(), `${row},9999`);
  await page.keyboard.press('Control+Home');
  assert.equal(await at(), '0,0');
  await page.keyboard.press('Control+End');
  assert.equal(await at(), '9999,9999');
  await frame(page);
  // The view went along.
  const { x, y, stage, width } = await handBox(page);
  assert.ok(x > 0 && x + width <= stage.width + 1 && y > 0 && y < stage.height, `${x} ${y}`);
  await page.keyboard.press('Enter');
  await linked(page, 'pin=9999,9999');
  await page.keyboard.press('Escape');
  await page.waitForSelector('#unpin', { state: 'detached' });
  await page.context().close();
});

test('5: dragging and a sideways wheel pan, and digits are drawn at their cells', async () => {
  const page = await openLarge(large);
  const before_ = await handBox(page);
  const { stage } = before_;
  await page.mouse.move(stage.x + 500, stage.y + 200);
  await page.mouse.wheel(100, 0);
  await frame(page);
  const panned = await handBox(page);
  assert.ok(Math.abs(panned.x - before_.x + 100) < 1 && Math.abs(panned.y - before_.y) < 1);
  await page.mouse.down();
  await page.mouse.move(stage.x + 540, stage.y + 210, { steps: 4 });
  await page.mouse.move(stage.x + 600, stage.y + 220, { steps: 4 });
  await page.mouse.up();
  await frame(page);
  const dragged = await handBox(page);
  assert.ok(Math.abs(dragged.x - before_.x) < 6, `${dragged.x} ${before_.x}`);
  assert.ok(Math.abs(dragged.y - before_.y - 20) < 6, `${dragged.y} ${before_.y}`);
  // Dragging pins nothing; pressing does, the cell that is there.
  assert.equal(await page.locator('#unpin').count(), 0);
  await page.mouse.click(stage.x + dragged.x + dragged.width * 2.5, stage.y + dragged.y + dragged.height * 1.5);
  await linked(page, 'pin=5001,7002');
  await page.context().close();
});

test('5: the link restores the view, and panning is no step for undo', async () => {
  const page = await openLarge(large);
  const { stage } = await handBox(page);
  assert.doesNotMatch(await shows(page), /look=/);
  await page.mouse.move(stage.x + 500, stage.y + 200);
  for (let i = 0; i < 5; ++i) await page.mouse.wheel(-31, 0);
  await page.mouse.down();
  await page.mouse.move(stage.x + 520, stage.y + 240, { steps: 4 });
  await page.mouse.up();
  await linked(page, 'look=');
  assert.equal(await page.getAttribute('#undo', 'aria-disabled'), 'true');
  const there = await handBox(page);
  const near = (a, b) => Math.abs(a.x - b.x) < 1 && Math.abs(a.y - b.y) < 1 && Math.abs(a.height - b.height) < 0.1;
  const again = await openLarge(await shows(page));
  assert.ok(near(await handBox(again), there), JSON.stringify([await handBox(again), there]));
  await again.context().close();
  // What is looked at goes along with steps back.
  await page.focus('.in-hand');
  await page.keyboard.press('Control+End');
  await page.waitForFunction(() => /look=99\d\d/.test(document.querySelector('#answer').dataset.shows));
  await page.click('#undo');
  await page.waitForSelector('.in-hand[data-index="5000,7000"]');
  await frame(page);
  assert.ok(near(await handBox(page), there), JSON.stringify([await handBox(page), there]));
  // As closely, too.
  await page.click('#zoom-out');
  await page.click('#zoom-out');
  await page.waitForFunction(() => /look=[\d.]+,[\d.]+,4(&|$)/.test(document.querySelector('#answer').dataset.shows));
  const far = await handBox(page);
  const zoomed = await openLarge(await shows(page));
  assert.ok(near(await handBox(zoomed), far), JSON.stringify([await handBox(zoomed), far]));
  await zoomed.context().close();
  await page.context().close();
  // Places that there are not are brought to those that there are.
  const beyond = await openLarge(`${large}&look=99999999,0.5,0`);
  const { y, height, stage: at } = await handBox(beyond);
  const top = (await beyond.locator('.track.down').boundingBox()).y - at.y;
  assert.ok(y < top && Math.abs(height - 34) < 0.1, `${y} ${height}`);
  await beyond.context().close();
});

test('5: pointing at an element lights exactly the cells that it feeds', async () => {
  const page = await openLarge(large);
  const { x, y, height, stage } = await handBox(page);
  // A's elements stand left of the result, B's above it.
  const name = await page.locator('.pane-name', { hasText: 'A' }).boundingBox();
  await page.mouse.move(name.x + 12, stage.y + y + height / 2);
  await spelled(page, /^A\[5000, 0\] = 5000 feeds 10,000 cells: out\[5000, 0…9999\]/);
  await page.mouse.move(stage.x + x + 4, stage.y + 12);
  await spelled(page, /^B\[7000\] = 70010 feeds 10,000 cells: out\[0…9999, 7000\]/);
  await page.mouse.click(stage.x + x + 4, stage.y + 12);
  await linked(page, 'pin=1:7000');
  await page.context().close();
  const scalar = await openLarge('v=1&rule=numpy&op=Add&type=u8&in=(30000000,30000000)&in=()&at=1,1');
  await scalar.click('#feeds-1');
  await spelled(scalar, /^B\[\] = 10 feeds 900,000,000,000,000 cells/);
  await scalar.context().close();
});

test('5: zoomed out, cells are colours with a legend, and sampling is reported', async () => {
  const page = await openLarge(large);
  assert.equal(await page.innerText('#sampled'), '');
  await page.focus('.in-hand');
  await page.keyboard.press('-');
  await page.waitForFunction(() => /block of its colour/.test(document.querySelector('#sampled').innerText));
  await page.keyboard.press('0');
  await page.waitForFunction(() => /one cell of \d+ × \d+/.test(document.querySelector('#sampled').innerText));
  assert.match(await page.innerText('#scale'), /^10\s+109999/);
  // Dark to light from the first cell to the last: 10 and 109999.
  const { stage } = await handBox(page);
  const left = (await page.locator('.track.across').boundingBox()).x - stage.x;
  const top = (await page.locator('.track.down').boundingBox()).y - stage.y;
  const seen = async () => {
    const light = ([r, g, b]) => Math.round(0.2126 * r + 0.7152 * g + 0.0722 * b);
    return [
      light(await pixel(page, left + 8, top + 8)),
      light(await pixel(page, (left + stage.width) / 2, (top + stage.height) / 2)),
      light(await pixel(page, stage.width - 20, stage.height - 8)),
    ];
  };
  // Swatches come a few each frame.
  let lights = await seen();
  const until = Date.now() + patience;
  while (!(lights[0] < 60 && lights[1] < 180 && lights[2] < 235) && Date.now() < until) {
    await frame(page);
    lights = await seen();
  }
  const [first, middle, last] = lights;
  assert.ok(first < 60 && middle > first + 40 && last > middle + 40 && last < 235, String(lights));
  // Arrows go by what is drawn, and plus leads back to digits.
  await page.keyboard.press('Control+Home');
  await page.keyboard.press('ArrowDown');
  const [row] = (await page.getAttribute('.in-hand', 'data-index')).split(',').map(Number);
  assert.ok(row > 8, String(row));
  for (let i = 0; i < 12; ++i) await page.keyboard.press('+');
  await page.waitForFunction(() => document.querySelector('#sampled').innerText === '');
  await page.context().close();
});

test('5: Ctrl and the wheel zoom about the pointer, as two fingers do', async () => {
  const page = await openLarge(large);
  const { stage, x, y, width, height } = await handBox(page);
  await page.mouse.move(stage.x + x + width / 2, stage.y + y + height / 2);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 120);
  await page.keyboard.up('Control');
  await frame(page);
  const zoomed = await handBox(page);
  assert.ok(zoomed.height < 0.8 * height, String(zoomed.height));
  assert.ok(Math.abs(zoomed.x + zoomed.width / 2 - x - width / 2) < 2);
  assert.ok(Math.abs(zoomed.y + zoomed.height / 2 - y - height / 2) < 2);
  await page.context().close();

  const phone = await openLarge(large, { viewport: { width: 320, height: 700 }, hasTouch: true });
  const small = await handBox(phone);
  const session = await phone.context().newCDPSession(phone);
  const [cx, cy] = [small.stage.x + 200, small.stage.y + 150];
  const touch = (type_, apart) =>
    session.send('Input.dispatchTouchEvent', {
      type: type_,
      touchPoints: type_ === 'touchEnd' ? [] : [-apart, apart].map((d, id) => ({ x: cx + d, y: cy, id })),
    });
  await touch('touchStart', 80);
  for (const apart of [70, 55, 40]) await touch('touchMove', apart);
  await touch('touchEnd');
  await frame(phone);
  assert.ok((await handBox(phone)).height < 0.75 * small.height);
  // Two fingers that keep their distance pan.
  const from = await handBox(phone);
  const both = (type_, dx) =>
    session.send('Input.dispatchTouchEvent', {
      type: type_,
      touchPoints: type_ === 'touchEnd' ? [] : [-40, 40].map((d, id) => ({ x: cx + d + dx, y: cy, id })),
    });
  await both('touchStart', 0);
  for (const dx of [-10, -25, -40]) await both('touchMove', dx);
  await both('touchEnd');
  await frame(phone);
  assert.ok((await handBox(phone)).x < from.x - 30);
  assert.equal(await phone.locator('#unpin').count(), 0);
  await phone.context().close();
});

test('5: "Go to cell" goes there, or says what is wrong with the index', async () => {
  const page = await openLarge('v=1&rule=numpy&op=Add&type=i64&in=(5,30000000,1)&in=(6000000,)');
  const goTo = async (text) => {
    await page.fill('#go-to', text);
    await page.press('#go-to', 'Enter');
  };
  await goTo('[4, 29999999, 5999999]');
  await spelled(page, /^out\[4, 29999999, 5999999\] = A\[4, 29999999, 0\] \+ B\[5999999\] = 149999999 \+ 60000000/);
  assert.equal(await page.inputValue('#slice-0'), '4');
  for (const [text, says] of [
    ['1, 2', /3 whole numbers/],
    ['nonsense', /3 whole numbers/],
    ['', /3 whole numbers/],
    ['0, 30000000, 0', /Axis 1 goes from 0 to 29,999,999/],
    ['5 0 0', /Axis 0 goes from 0 to 4/],
  ]) {
    await goTo(text);
    assert.match(await page.getByRole('alert').innerText(), says, text);
  }
  assert.equal(await page.getAttribute('.in-hand', 'data-index'), '4,29999999,5999999');
  await page.context().close();
});

test('5: overview and thumbs show the view, and move it', async () => {
  const page = await openLarge(large);
  await page.locator('.overview').scrollIntoViewIfNeeded();
  const mark = await page.locator('.overview .window').boundingBox();
  const box = await page.locator('.overview').boundingBox();
  const part = (at, begin, length) => (at - begin) / length;
  assert.ok(Math.abs(part(mark.x + mark.width / 2, box.x, box.width) - 0.7) < 0.06);
  assert.ok(Math.abs(part(mark.y + mark.height / 2, box.y, box.height) - 0.5) < 0.06);
  await page.mouse.click(box.x + 0.25 * box.width, box.y + 0.75 * box.height);
  await frame(page);
  const moved = await page.locator('.overview .window').boundingBox();
  assert.ok(Math.abs(part(moved.x + moved.width / 2, box.x, box.width) - 0.25) < 0.06);
  assert.ok(Math.abs(part(moved.y + moved.height / 2, box.y, box.height) - 0.75) < 0.06);
  const thumb = await page.locator('.track.down .thumb').boundingBox();
  const track = await page.locator('.track.down').boundingBox();
  assert.ok(part(thumb.y, track.y, track.height) > 0.6);
  await page.mouse.move(thumb.x + 3, thumb.y + 8);
  await page.mouse.down();
  await page.mouse.move(thumb.x + 3, track.y, { steps: 3 });
  await page.mouse.up();
  await frame(page);
  assert.ok((await page.locator('.track.down .thumb').boundingBox()).y < track.y + 4);
  await page.context().close();
});

test('5: a file behind a large result works alike, and so does a typed list', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(2,)&in=(300,)');
  await page.locator('.operand .summary').first().click();
  await page.selectOption('#values-0', 'file');
  const data = Float32Array.from({ length: 60_000 }, (_, i) => i / 4);
  const buffer = Buffer.from(formatNpy({ data, shape: [200, 300], dtype: 'f32' }));
  await page.setInputFiles('#file-0', { name: 'large.npy', mimeType: 'application/octet-stream', buffer });
  await page.waitForSelector('.in-hand');
  for (const [column, a, b, sum] of [
    [296, '14999', '2970', '17969'],
    [298, '14999.5', '2990', '17989.5'],
  ]) {
    await page.fill('#go-to', `199, ${column}`);
    await page.press('#go-to', 'Enter');
    await page.waitForSelector(`.in-hand[data-index="199,${column}"]`);
    const { arithmetic } = await answer(page);
    assert.equal(arithmetic, `out[199, ${column}] = A[199, ${column}] + B[${column}] = ${a} + ${b} = ${sum}`);
    assert.equal(await page.getAttribute('.in-hand', 'aria-label'), `result [199, ${column}] = ${sum}`);
  }
  await page.context().close();
  const list = Array.from({ length: 40 }, (_, i) => i * i);
  const typed = await openLarge(`v=1&rule=numpy&op=Add&type=i32&in=(40,1)&in=(50,)&x=list:[${list}]&at=39,49`);
  assert.match((await answer(typed)).arithmetic, /= 1521 \+ 500 = 2021$/);
  await typed.context().close();
});

test('5: a sampled box is every n-th cell of the whole, under every rule', async () => {
  const { loadEngine } = await imported('engine/engine.ts');
  const core = await loadEngine();
  const { compute } = await imported('model/model.ts');
  const { firstState, shaped } = await imported('state/state.ts');
  const draw = drawing(5);
  const questions = [
    { rule: 'numpy', op: 'Sub', shapes: ['(7, 1, 9)', '(8, 9)'] },
    { rule: 'pdpd', op: 'Sub', shapes: ['(7, 8, 9)', '(8,)'], axis: '1' },
    { rule: 'explicit', op: 'Broadcast', shapes: ['(7, 9)'], target: '7,8,9', mapping: '0,2' },
    { rule: 'bidirectional', op: 'Broadcast', shapes: ['(7, 1, 9)'], target: '8,1' },
    { rule: 'sonnx', op: 'Broadcast', shapes: ['(7, 1, 9)', '(8, 1)'] },
  ];
  for (const { shapes, ...question } of questions) {
    const { result, alignment } = compute(core, {
      ...firstState,
      dtype: 'i32',
      at: [],
      ...question,
      operands: shapes.map(shaped),
    });
    const whole = result.cells(result.shape.map((end) => ({ begin: 0, end })));
    for (let round = 0; round < 12; ++round) {
      const box = result.shape.map((extent) => {
        const begin = draw(extent);
        return { begin, end: begin + 1 + draw(extent - begin), step: 1 + draw(4) };
      });
      const part = result.cells(box);
      const index = box.map(({ begin, end, step }) => begin + step * draw(Math.ceil((end - begin) / step)));
      assert.equal(part.outputs[0].valueAt(index), whole.outputs[0].valueAt(index), JSON.stringify([question, box]));
      part.operands.forEach((operand, k) => {
        const source = alignment.sourceOf(k, index);
        assert.equal(operand.valueAt(source), whole.operands[k].valueAt(source));
      });
    }
  }
});

test('5: the view is exact at indexes where numbers have no digits left for fractions', async () => {
  const { pan, zoomBy, reveal, drawnAxes, pixelOf, cellAt } = await imported('large/view.ts');
  const all = Number.MAX_SAFE_INTEGER;
  const opening = { all, pixels: 400, most: 34 };
  const frame_ = { rows: opening, columns: opening };
  let view = { zoom: 34, rows: { first: 0, hidden: 0 }, columns: { first: 0, hidden: 0 } };
  view = reveal(view, frame_, all - 1, all - 1);
  assert.equal(cellAt(drawnAxes(view, frame_).rows, 399), all - 1);
  for (let i = 0; i < 10; ++i) view = pan(view, frame_, -1, -1);
  const { rows } = drawnAxes(view, frame_);
  assert.ok(Math.abs(pixelOf(rows, all - 1) - (400 - 34 + 10)) < 0.5, String(pixelOf(rows, all - 1)));
  // A link holds a place so far out, and any other, as closely as a window shows it.
  const { lookOf, viewOf } = await imported('large/view.ts');
  const last = viewOf(lookOf(view, frame_), frame_);
  assert.equal(cellAt(drawnAxes(last, frame_).rows, 399), all - 1);
  const draw = drawing(8);
  for (let i = 0; i < 200; ++i) {
    const long = 1 + draw(10 ** (1 + draw(9)));
    const axes = { rows: { ...opening, all: long }, columns: { ...opening, all: 50, most: 60 } };
    let seen = viewOf({ row: draw(long) + draw(1000) / 1000, column: draw(50), scale: 1 + draw(100_000) / 100 }, axes);
    seen = pan(seen, axes, draw(400) - 200, draw(400) - 200);
    const back = drawnAxes(viewOf(lookOf(seen, axes), axes), axes);
    for (const axis of ['rows', 'columns']) {
      const { first, size } = drawnAxes(seen, axes)[axis];
      const off = pixelOf(back[axis], first) - pixelOf(drawnAxes(seen, axes)[axis], first);
      assert.ok(Math.abs(off) < 0.1 && Math.abs(back[axis].size / size - 1) < 1e-4, `${off} ${long}`);
    }
  }
  // Out and in again about the middle, the same cell is there.
  let zoomed = reveal(view, frame_, Math.floor(all / 2), Math.floor(all / 2));
  const middle = cellAt(drawnAxes(zoomed, frame_).rows, 200);
  for (let i = 0; i < 8; ++i) zoomed = zoomBy(zoomed, frame_, 0.5, 200, 200);
  for (let i = 0; i < 8; ++i) zoomed = zoomBy(zoomed, frame_, 2, 200, 200);
  assert.ok(Math.abs(cellAt(drawnAxes(zoomed, frame_).rows, 200) - middle) <= 1);
});

test('5: the size is shown, and a blow-up is warned of', async () => {
  const page = await playground.open();
  await type(page, { rule: 'numpy', inputs: ['(4, 1)', '(6,)'], dtype: 'f32' });
  const size = () => page.innerText('.size');
  assert.equal(await size(), '24 elements · 96 bytes, 2.4 × the operands’ 40 bytes');
  assert.equal(await page.locator('.blow-up').count(), 0);
  await type(page, { rule: 'numpy', inputs: ['(10000, 1)', '(10000,)'], dtype: 'f32' });
  assert.equal(await size(), '100,000,000 elements · 381 MiB, 5,000 × the operands’ 78.1 KiB');
  assert.match(await page.innerText('.blow-up'), /381 MiB, 5,000 times its operands.*Give both the shape \(n,\)/s);
  await type(page, { rule: 'numpy', inputs: ['(20000, 20000)', '(20000,)'], dtype: 'f32' });
  assert.match(await page.innerText('.blow-up'), /1\.49 GiB\. .*slice by slice/s);
  await type(page, { rule: 'broadcast_numpy', inputs: ['()'], target_shape: '(3000, 3000)', dtype: 'f32' });
  assert.match(await page.innerText('.blow-up'), /a view/);
  await type(page, { rule: 'numpy', inputs: ['(0, 3)', '(3,)'], dtype: 'f32' });
  assert.equal(await page.locator('.blow-up').count(), 0);
  await page.context().close();
});

test('5: a large part of a large result is above the fold, and hidden reasons open', async () => {
  for (const [link, rows] of [
    [large, 7],
    ['v=1&rule=numpy&op=Mul&type=f32&in=(64,500,600)&in=(64,1,600)&at=5,70,3', 7],
    ['v=1&rule=numpy&op=Max&type=f32&in=(500,500)&in=(500,1)&in=(500)&in=()&at=250,3', 6],
  ]) {
    const page = await playground.open(link);
    await arrived(page);
    const top = async () => (await page.locator('.track.down').boundingBox()).y;
    await page.waitForSelector('.track.down');
    await page.waitForSelector('#sources');
    await page.waitForFunction(() => !document.querySelector('.axis-places') || document.querySelector('#slice-0'));
    const folded = await top();
    assert.ok(800 - folded >= rows * 34, `${link}: the cells begin at ${folded}`);
    assert.ok(!(await page.isVisible('.reasons')));
    await page.click('#sources');
    assert.ok(await page.isVisible('.reasons'));
    await page.context().close();
  }
  // Where everything has its place, nothing is folded away.
  const small = await playground.open();
  assert.ok(await small.isVisible('.reasons'));
  await small.context().close();
});

test('5: an operand without room beside a narrow result can be shown in its place', async () => {
  const page = await openLarge('v=1&rule=numpy&op=Max&type=f32&in=(500,500)&in=(500,1)&in=(500)&in=()&at=40,50', {
    viewport: { width: 320, height: 700 },
  });
  const middle = async () => {
    await page.locator('.stage').scrollIntoViewIfNeeded();
    const { stage, x, y, width, height } = await handBox(page);
    await page.mouse.move(stage.x + x + width / 2, stage.y + y + height / 2);
  };
  const names = () => page.locator('.pane-name').allInnerTexts();
  assert.deepEqual(await names(), ['C']);
  for (const [id, name, says] of [
    ['0', 'A', /^A\[40, 50\] = 20050 feeds one cell/],
    ['1', 'B', /^B\[40, 0\] = 410 feeds 500 cells/],
    ['3', 'D', /^D\[\] = 1000 feeds 250,000 cells/],
    ['result', null, /^out\[40, 50\]/],
  ]) {
    await page.click(`#show-${id}`);
    await page.waitForSelector(`#show-${id}[aria-pressed=true]`);
    await frame(page);
    assert.deepEqual((await names()).sort(), name ? [name, 'C'].sort() : ['C']);
    await middle();
    await spelled(page, says);
  }
  // The link holds it; who undoes it sees the result again.
  await page.click('#show-0');
  await page.waitForSelector('#show-0[aria-pressed=true]');
  const linked = await openLarge(await shows(page), { viewport: { width: 320, height: 700 } });
  assert.equal(await linked.locator('#show-0').getAttribute('aria-pressed'), 'true');
  assert.deepEqual((await linked.locator('.pane-name').allInnerTexts()).sort(), ['A', 'C']);
  await linked.context().close();
  await page.keyboard.press('Control+z');
  await page.waitForSelector('#show-result[aria-pressed=true]');
  await page.click('#show-0');
  // Wide enough, all have their places, and the choice is not offered.
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.waitForSelector('#show-0', { state: 'detached' });
  assert.deepEqual((await names()).sort(), ['=', 'A', 'B', 'C', 'D']);
  await page.context().close();
});

test('5: 320 pixels are enough for large results', async () => {
  const page = await openLarge('v=1&rule=numpy&op=Max&type=f32&in=(500,500)&in=(500,1)&in=(500)&in=()', {
    viewport: { width: 320, height: 700 },
  });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 320);
  assert.equal(await page.locator('.feed').count(), 4);
  await page.context().close();
});

test('grids that a key stroke hides are inert, and come back as if made anew', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(4,1,6)&in=(3,6)');
  await page.waitForSelector('.axis-places');
  const shapes = ['(4,1,6)', '(3,6)'];
  const drawn = (seen) => seen.locator('.grids-section').evaluate((part) => part.outerHTML);
  const walks = [
    [0, '(4,1,', '(4,1,6)'], // and the same again
    [0, '(4,2,6)', '(1,1)'], // another rank, other windows
    [1, '(3,7', '3,7', '[2]'], // not a shape at first
    [0, '(0,1)', '(5,1)'], // empty in between
    [0, '(90000000,1)', '(0)', '(2,1)'], // large before
    [1, '(2,3,4,5)', '(2,2,1)'],
  ];
  for (const [name, ...texts] of walks) {
    for (const text of texts) {
      shapes[name] = text;
      await page.fill(`#operand-${name}`, text);
      await settled(page, shapes);
      const { state } = await answer(page);
      const part = page.locator('.grids-section');
      assert.equal(await part.isVisible(), state === 'fits', `${text}: ${state}`);
      if (state === 'fits') {
        const fresh = await playground.open(await shows(page));
        // Lines and canvases follow the layout.
        for (const each of [page, fresh]) await arrived(each);
        const until = Date.now() + patience;
        while ((await drawn(page)) !== (await drawn(fresh)) && Date.now() < until) await frame(page);
        assert.equal(await drawn(page), await drawn(fresh), text);
        await fresh.context().close();
      } else {
        assert.equal(await page.getByRole('grid').count(), 0, text);
        // Nor is it reached by key: once around the page.
        for (let i = 0; text === '(4,1,' && i < 60; ++i) {
          await page.keyboard.press('Tab');
          assert.equal(
            await page.evaluate(() => document.activeElement.closest('.grids-section') === null),
            true,
            text,
          );
        }
      }
    }
  }
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
