// The field for a layer of OpenVINO: a pasted layer sets the question, and a fault is reported beside the field.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { answer, openPlayground } from './playground.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const port = (dims, more = '') => `<port id="0"${more}>${dims.map((dim) => `<dim>${dim}</dim>`).join('')}</port>`;
const layer = (type, data, inputs, output) =>
  `<layer id="1" type="${type}"><data ${data}/><input>${inputs.join('')}</input>` +
  `<output>${port(output)}</output></layer>`;

const rule = (page) => page.locator('#rules input[name="rule"]:checked').inputValue();

async function paste(page, text) {
  if ((await page.locator('#layer').count()) === 0) await page.click('#paste-layer');
  await page.fill('#layer', text);
}

test('a Broadcast fills rule, data, target and mapping', async () => {
  const page = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(4,1)&in=(6,)&n=mask&x=random:3');
  const mapping = '<!--axes_mapping: [1]-->';
  const inputs = [port([16], ' precision="FP16"'), port([4]), mapping, port([1])];
  await paste(page, layer('Broadcast', 'mode="explicit"', inputs, [1, 16, 50, 50]));
  await page.waitForFunction(() => document.querySelector('#target')?.value === '(1, 16, 50, 50)');
  assert.equal(await rule(page), 'explicit');
  assert.equal(await page.inputValue('#operand-0'), '(16,)');
  assert.equal(await page.inputValue('#mapping'), '[1]');
  assert.equal(await page.inputValue('#dtype'), 'f16');
  assert.equal((await answer(page)).shape, '(1, 16, 50, 50)');
  assert.equal(await page.innerText('#details-0'), 'f16 · counting');
  assert.match(await page.innerText('#layer-says'), /shows this Broadcast/);
  // One step back is what was there before.
  await page.click('#undo');
  assert.match(await page.getAttribute('#answer', 'data-shows'), /rule=numpy.*n=mask&x=random:3/);
  await page.context().close();
});

test('elementwise layers set their operator; assumptions are reported', async () => {
  const page = await playground.open();
  const inputs = [port([2, 3, 4], ' precision="I32"'), port([3])];
  await paste(page, layer('Subtract', 'auto_broadcast="pdpd"', inputs, [2, 3, 4]));
  await page.waitForFunction(() => document.querySelector('#axis')?.value === '0');
  assert.equal(await rule(page), 'pdpd');
  assert.equal(await page.inputValue('#op'), 'Sub');
  assert.equal(await page.inputValue('#dtype'), 'i32');
  assert.match(
    await page.innerText('#layer-says'),
    /no attribute auto_broadcast\.auto_broadcast_axis: OpenVINO then takes axis 0/,
  );
  assert.match((await answer(page)).headline, /A has 2, B has 3/);
  await paste(page, layer('Select', 'auto_broadcast="numpy"', [port([2]), port([3, 1]), port([])], [3, 2]));
  await page.waitForFunction(() => document.querySelector('#op')?.value === 'Where');
  assert.equal((await answer(page)).shape, '(3, 2)');
  await page.context().close();
});

test('a text that is no such layer is reported beside the field, and nothing changes', async () => {
  const page = await playground.open();
  const before = await page.getAttribute('#answer', 'data-shows');
  for (const [text, says] of [
    ['hello', /This isn't XML/],
    ['<layer type="Broadcast"', /not whole/],
    [layer('Convolution', '', [port([1])], [1]), /"?Convolution"? does not broadcast/],
    [layer('Broadcast', '', [port([-1])], [2]), /is -1, an extent that is not known/],
    ['<img src="x" onerror="document.title=1"/>', /no <layer>/],
  ]) {
    await paste(page, text);
    await page.waitForSelector('#layer[aria-invalid="true"]');
    await page.waitForFunction(
      ([source]) => new RegExp(source).test(document.querySelector('#layer-says').innerText),
      [says.source],
    );
    assert.equal(await page.getAttribute('#answer', 'data-shows'), before);
    // What stays from before is no answer to it.
    await page.waitForSelector('.unanswered > .from-before');
  }
  assert.match(await page.title(), /^Broadloom/);
  // The field's own text is undone as in any field: the page's steps are not touched.
  await page.focus('#layer');
  await page.keyboard.press('ControlOrMeta+Z');
  assert.equal(await page.getAttribute('#answer', 'data-shows'), before);
  await paste(page, '');
  assert.equal(await page.getAttribute('#layer', 'aria-invalid'), 'false');
  await page.waitForSelector('.from-before', { state: 'detached' });
  await page.context().close();
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
