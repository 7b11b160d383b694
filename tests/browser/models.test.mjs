// Model files on the page: dropped, chosen and opened by keyboard alone; the list of their nodes, and each node as a question.
// The answers are those of the package's audit under Node.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { auditModel, withExplanations } from 'broadloom/models';
import { bl, bytesOf, initializer, model, names, node, number, part, varint, writeHollow } from '../models/models.mjs';
import { answer, arrived, openPlayground } from './playground.mjs';

let playground;
const scratch = mkdtempSync(path.join(tmpdir(), 'broadloom-page-models-'));
before(async () => (playground = await openPlayground()));
after(async () => {
  await playground.close();
  rmSync(scratch, { recursive: true });
});

// Drops files, given as [name, bytes], on an element.
const drop = (page, files, selector = 'body') =>
  page.evaluate(
    ([list, where]) => {
      const transfer = new DataTransfer();
      for (const { name, base64 } of list)
        transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
      const event = { dataTransfer: transfer, bubbles: true, cancelable: true };
      const target = document.querySelector(where);
      target.dispatchEvent(new DragEvent('dragover', event));
      target.dispatchEvent(new DragEvent('drop', event));
    },
    [files.map(([name, bytes]) => ({ name, base64: Buffer.from(bytes).toString('base64') })), selector],
  );

const settled = (page) => page.waitForSelector('.models:is([data-phase="read"], [data-phase="failed"])');

async function dropModel(page, ...files) {
  await drop(page, files);
  await settled(page);
}

const counts = (page) =>
  page
    .locator('.nodes .count')
    .evaluateAll((all) => all.map(({ textContent }) => Number(textContent.replace(',', ''))));

const textOf = (shape) => (shape === null ? '?' : `(${shape.map(String).join(', ')}${shape.length === 1 ? ',' : ''})`);

// The rows of all pages of the list.
async function rows(page) {
  const found = [];
  for (;;) {
    const here = await page.locator('.rows > li').evaluateAll((items) =>
      items.map((item) => ({
        fits: item.dataset.fits,
        op: item.querySelector('.op').textContent,
        shapes: item.querySelector('.shapes').textContent,
        where: item.querySelector('.where').textContent,
        remarks: item.querySelector('.remarks')?.textContent ?? '',
        opens: item.querySelector('button') !== null,
      })),
    );
    found.push(...here);
    const on = page.locator('.pager button:not([aria-disabled="true"])', { hasText: 'Next' }).first();
    if ((await on.count()) === 0) return found;
    await on.click();
  }
}

const weightsOf = (name) => (name === 'layers.xml' ? [['layers.bin', bytesOf('layers.bin')]] : []);
await bl.loadExplanations();
const auditOf = (name) =>
  auditModel(bl, bytesOf(name), {
    ...withExplanations(bl),
    ...(name === 'layers.xml' ? { weights: bytesOf('layers.bin') } : {}),
  });
const compact = (text) => text.replaceAll(' ', '');

describe('every model of the tests lists the nodes that the audit finds, and each with known shapes opens as its question', () => {
  const known = (shape) => shape !== null && shape.every((extent) => typeof extent !== 'string');

  async function opens(page, index, { operands, rule, fits, shape, axis, targetShape }) {
    await page.click(`#node-${index}`);
    await page.waitForSelector('.from-model');
    const fields = await page
      .locator('input[id^="operand-"]')
      .evaluateAll((inputs) => inputs.map(({ value }) => value));
    assert.deepEqual(
      fields.map(compact),
      operands.map((operand) => compact(textOf(operand.shape))),
    );
    assert.equal(await page.isChecked(`#rules input[value="${rule}"]`), true);
    if (axis !== null) assert.equal(await page.inputValue('#axis'), String(axis));
    if (targetShape !== null) assert.equal(compact(await page.inputValue('#target')), compact(textOf(targetShape)));
    const shown = await answer(page);
    assert.equal(shown.fits, fits);
    if (fits && known(shape)) assert.equal(shown.shape, textOf(shape));
    await page.click('#all-nodes');
    await page.waitForSelector('.rows');
  }

  for (const name of names) {
    test(name, async () => {
      const page = await playground.open();
      await dropModel(page, [name, bytesOf(name)], ...weightsOf(name));
      const { nodes } = auditOf(name);
      assert.match(await page.innerText('.models h2'), new RegExp(name));
      assert.match(await page.innerText('.models .ways'), /Nothing is uploaded/);
      if (nodes.length === 0) {
        assert.match(await page.innerText('.models'), /No node of this model broadcasts/);
        return page.context().close();
      }
      assert.deepEqual(await counts(page), [
        nodes.length,
        nodes.filter(({ fits, warnings }) => fits === false || warnings.length > 0).length,
        nodes.filter(({ fits }) => fits === null).length,
        nodes.filter(({ differs }) => differs.length > 0).length,
      ]);
      // Those of the first page of the list.
      for (const [index, node] of nodes.slice(0, 50).entries()) {
        const shapes = [...node.operands.map(({ shape }) => shape), node.targetShape ?? []];
        if (shapes.every(known)) await opens(page, index, node);
      }
      const listed = await rows(page);
      assert.equal(listed.length, nodes.length);
      for (const [i, { op, operands, targetShape, fits, shape, path: around, name: own }] of nodes.entries()) {
        const row = listed[i];
        assert.deepEqual([row.op, row.fits], [op, String(fits)], own);
        const target = targetShape ? ` to ${textOf(targetShape)}` : '';
        const result = fits === false ? '' : ` gives ${textOf(shape)}`;
        const whole = operands.map((operand) => textOf(operand.shape)).join(' with ') + target + result;
        assert.equal(row.shapes, whole, own);
        assert.ok(row.where.startsWith([...around, own].join('/')), row.where);
        for (const { message } of [...nodes[i].warnings, ...nodes[i].differs])
          assert.ok(row.remarks.includes(message.replaceAll('`', '')), `${row.remarks}: ${message}`);
      }
      await page.context().close();
    });
  }
});

test('from a node to the next, the one before, the list; undo, back, and what was changed', async () => {
  const page = await playground.open();
  await dropModel(page, ['layers.xml', bytesOf('layers.xml')], ['layers.bin', bytesOf('layers.bin')]);
  const { nodes } = auditOf('layers.xml');
  // From here on the browser's own button leads back to the list.
  await page.waitForFunction(() => location.hash.includes('view=models'));
  await page.click('#node-0');
  const strip = page.locator('.from-model');
  await strip.waitFor();
  const says = async (pattern) => {
    await page.waitForFunction(
      (source) => new RegExp(source).test(document.querySelector('.from-model')?.innerText),
      pattern,
    );
  };
  await says(`From layers\\.xml, node 1 of ${nodes.length}: ${nodes[0].op}`);
  await page.click('#next-node');
  await says('node 2 of');
  assert.equal(compact(await page.inputValue('#operand-1')), compact(textOf(nodes[1].operands[1].shape)));
  await page.click('#previous-node');
  await says('node 1 of');
  await page.click('#undo');
  await says('node 2 of');
  await page.click('#undo');
  await says('node 1 of');
  // A change stays beside the node that it was made of.
  await page.fill('#operand-0', '(7, 3)');
  await says('Changed from layers\\.xml');
  await page.click('.from-model button >> text="As in the file"');
  await says('From layers\\.xml, node 1 of');
  // The list, and the focus on the row.
  await page.click('#all-nodes');
  await page.waitForSelector('.rows');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'node-0');
  await page.keyboard.press('Escape');
  await says('node 1 of');
  // The browser's own button leads back to the list.
  await page.waitForFunction(() => !location.hash.includes('view=models'));
  await page.goBack();
  await page.waitForSelector('.rows');
  await page.click('#node-2');
  await strip.waitFor();
  await page.click('.from-model [aria-label="Close the model"]');
  await strip.waitFor({ state: 'detached' });
});

test('the filter, and next within it', async () => {
  const shapes = ['a', 'b', 'c', 'd'].map((name, i) => initializer(name, [2 + (i % 2), 3]));
  const nodes = [0, 1, 2, 3, 4, 5].map((i) => node('Add', ['a', i % 2 ? 'b' : 'c'], [`sum${i}`]));
  const page = await playground.open();
  await dropModel(page, ['mixed.onnx', model(Buffer.concat([...shapes, ...nodes]))]);
  assert.deepEqual((await counts(page)).slice(0, 2), [6, 3]);
  await page.check('.nodes input[value="problems"]', { force: true });
  assert.equal(await page.locator('.rows > li').count(), 3);
  await page.locator('.rows button.head').first().click();
  await page.waitForSelector('.from-model');
  assert.match(await page.innerText('.from-model'), /problems 1 of 3: Add sum1/);
  await page.click('#next-node');
  await page.waitForFunction(() => document.querySelector('.from-model').innerText.includes('sum3'));
  assert.equal((await answer(page)).fits, false);
  await page.context().close();
});

test('systems that differ at a node are named', async () => {
  const page = await playground.open();
  await dropModel(page, ['clash-of-prelu.onnx', bytesOf('clash-of-prelu.onnx')]);
  await page.check('.nodes input[value="differ"]', { force: true });
  assert.match(await page.innerText('.rows'), /ONNX Runtime differs: /);
});

test('an unknown extent is shown and opens as unknown', async () => {
  const page = await playground.open();
  await dropModel(page, ['unknown.onnx', bytesOf('unknown.onnx')]);
  const { nodes } = auditOf('unknown.onnx');
  const index = nodes.findIndex(({ operands }) =>
    operands.some(({ shape }) => shape?.some((e) => typeof e === 'string')),
  );
  assert.ok(index >= 0);
  await page.click(`#node-${index}`);
  await page.waitForSelector('.from-model');
  const fields = await page.locator('input[id^="operand-"]').evaluateAll((all) => all.map(({ value }) => value));
  assert.ok(
    fields.some((text) => /[A-Za-z?]/.test(text)),
    fields.join(' '),
  );
  await page.waitForSelector('main[data-state="symbolic"]');
});

test('a file that is chosen with the keyboard alone, and a node that is opened with it', async () => {
  const page = await playground.open();
  const chosen = page.waitForEvent('filechooser');
  await page.keyboard.press('Tab');
  for (let i = 0; i < 12; ++i) {
    if ((await page.evaluate(() => document.activeElement.id)) === 'open-file') break;
    await page.keyboard.press('Tab');
  }
  assert.equal(await page.evaluate(() => document.activeElement.id), 'open-file');
  await page.keyboard.press('Enter');
  const chooser = await chosen;
  assert.equal(chooser.isMultiple(), true);
  await chooser.setFiles([{ name: 'clash.onnx', mimeType: '', buffer: bytesOf('clash.onnx') }]);
  await settled(page);
  for (let i = 0; i < 12; ++i) {
    if ((await page.evaluate(() => document.activeElement.id)) === 'node-0') break;
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => document.activeElement.matches('.from-model'));
  assert.equal((await answer(page)).fits, false);
});

test('nothing of a model is loaded before one is opened, and nothing is sent', async () => {
  const page = await playground.open();
  const asked = [];
  page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname}`));
  await arrived(page);
  assert.deepEqual(
    asked.filter((line) => /worker|model/.test(line)),
    [],
  );
  await dropModel(page, ['bert.onnx', bytesOf('bert.onnx')]);
  assert.ok(asked.some((line) => /audit-worker/.test(line)));
  assert.deepEqual(
    asked.filter((line) => !/^GET \/(?:assets\/|$)/.test(line)),
    [],
  );
});

describe('files that are no models, or bad ones', () => {
  const cycle = model(Buffer.concat([node('Add', ['b', 'x'], ['a']), node('Relu', ['a'], ['b'])]));
  const claims = (size) => Buffer.concat([number(1, 8), varint((7 << 3) | 2), varint(size), Buffer.from([1, 2])]);
  let deep = node('Add', ['a', 'b'], ['c']);
  for (let i = 0; i < 2000; ++i)
    deep = node('If', ['c'], ['d'], [part(5, Buffer.concat([part(1, 'b'), part(6, deep)]))]);
  const cases = [
    ['truncated.onnx', bytesOf('bert.onnx').subarray(0, 300), /truncated/],
    ['cyclic.onnx', cycle, /needs its own result|cycle/i],
    ['claims.onnx', claims(2 ** 31 - 1), /truncated/],
    ['claims-more.onnx', claims(2n ** 63n), /truncated|damaged|not|beyond/],
    ['deep.onnx', model(deep), /levels/],
    ['text.onnx', 'hello, this is no model', /./],
    ['empty.onnx', '', /./],
    ['page.xml', '<!DOCTYPE html><html></html>', /./],
    ['cut.xml', bytesOf('layers.xml').subarray(0, 900), /malformed|ends/],
    ['bomb.xml', '<!DOCTYPE net [<!ENTITY a "aaaa">]><net>&a;</net>', /DOCTYPE/],
  ];
  for (const [name, bytes, reason] of cases) {
    test(name, async () => {
      const page = await playground.open();
      await dropModel(page, [name, bytes]);
      const text = await page.innerText('.models .reason');
      assert.match(text, /^This file cannot be read\. /);
      assert.match(text, reason);
      // The next file is read as if nothing had been.
      await dropModel(page, ['clash.onnx', bytesOf('clash.onnx')]);
      await page.waitForSelector('.rows');
      await page.context().close();
    });
  }

  test('names with markup and control characters are text', async () => {
    const evil = '<img src=x onerror=alert(1)>\u202e\u0000\n</li><script>';
    const page = await playground.open();
    const graph = Buffer.concat([initializer('a', [2, 3]), initializer('b', [4]), node('Add', ['a', 'b'], [evil])]);
    await dropModel(page, [`${evil.replaceAll('\u0000', '')}.onnx`, model(graph)]);
    await page.waitForSelector('.rows');
    assert.equal(await page.locator('.models img, .models script').count(), 0);
    assert.match(await page.innerText('.rows .where'), /<img src=x onerror=alert\(1\)> <\/li><script>/);
    assert.doesNotMatch(await page.innerText('.models'), /[\u202e\u0000]/);
    await page.click('#node-0');
    await page.waitForSelector('.from-model');
    assert.equal(await page.locator('.from-model img, .from-model script').count(), 0);
  });

  test('a name of 60,000 letters, and a sum of 100,000 operands', async () => {
    const page = await playground.open();
    const inputs = Array.from({ length: 100_000 }, () => 'a');
    const graph = Buffer.concat([initializer('a', [2, 3]), node('Sum', inputs, ['x'.repeat(60_000)])]);
    await dropModel(page, ['wide.onnx', model(graph)]);
    await page.waitForSelector('.rows');
    const row = await page.innerText('.rows > li');
    assert.ok(row.length < 1000, `${row.length}`);
    assert.match(row, /and 99,994 more/);
    assert.match(row, /It has 100,000 operands\. Of more than 64, only the shapes are checked/);
  });
});

test('a file of 2 GB is read without its elements', async () => {
  const file = path.join(scratch, 'large.onnx');
  writeHollow(file, 536_870_662);
  const page = await playground.open();
  const chosen = page.waitForEvent('filechooser');
  await page.click('#open-file');
  await (await chosen).setFiles(file);
  await settled(page);
  assert.match(await page.innerText('.models'), /1 node broadcasts: 1 fits\. ONNX · 2\.00 GiB/);
  assert.match(await page.innerText('.rows'), /\(536870662,\) with \(536870662,\)/);
});

test('10,000 nodes: at most a page of rows in the document, all of them reachable', async () => {
  const weights = [2, 3].map((extent) => initializer(`w${extent}`, [extent]));
  const nodes = Array.from({ length: 10_000 }, (_, i) =>
    node('Add', ['w3', i % 1000 === 999 ? 'w2' : 'w3'], [`sum${i}`]),
  );
  const bytes = model(Buffer.concat([...weights, ...nodes]));
  const page = await playground.open();
  await dropModel(page, ['large.onnx', bytes]);
  await page.waitForSelector('.rows');
  const [all, problems] = await counts(page);
  assert.equal(all, 10_000);
  assert.equal(problems, 10);
  assert.ok((await page.locator('.rows > li').count()) <= 50);
  assert.match(await page.innerText('.pager'), /page 1 of 200/);
  const on = page.locator('.pager button', { hasText: 'Next' }).first();
  await on.click();
  await page.waitForSelector('[data-node="50"]');
  assert.equal(await page.locator('[data-node="0"]').count(), 0);
  await page.click('#node-50');
  await page.waitForFunction(() => /node 51 of 10,000/.test(document.querySelector('.from-model')?.innerText));
  // Back on the page of the list from which it was opened.
  await page.click('#all-nodes');
  await page.waitForSelector('#node-50:focus');
  await page.check('.nodes input[value="problems"]', { force: true });
  await page.waitForSelector('[data-node="999"]');
});

test('nodes that depend on sizes which the file does not say have a filter', async () => {
  const page = await playground.open();
  await dropModel(page, ['unknown.onnx', bytesOf('unknown.onnx')]);
  await page.waitForSelector('.rows');
  await page.check('.nodes input[value="depends"]', { force: true });
  const { nodes } = auditOf('unknown.onnx');
  const open = nodes.flatMap(({ fits }, i) => (fits === null ? [String(i)] : []));
  assert.ok(open.length > 0);
  await page.waitForFunction(
    (count) =>
      [...document.querySelectorAll('.rows > li')].every(({ dataset }) => dataset.fits === 'null') &&
      document.querySelectorAll('.rows > li').length === count,
    open.length,
  );
  await dropModel(page, ['fits.onnx', bytesOf('fits.onnx')]);
  await page.waitForFunction(() => /No node depends on sizes/.test(document.querySelector('.none')?.innerText ?? ''));
});

describe('what else is dropped', () => {
  test('an IR without its weights says what they would tell', async () => {
    const page = await playground.open();
    await dropModel(page, ['layers.xml', bytesOf('layers.xml')]);
    assert.match(await page.innerText('.models'), /Without its \.bin file/);
    await dropModel(page, ['layers.bin', bytesOf('layers.bin')], ['layers.xml', bytesOf('layers.xml')]);
    await page.waitForFunction(() => !document.querySelector('.models').innerText.includes('Without its .bin file'));
  });

  test('a model without an ending in its name is known by its first bytes', async () => {
    const page = await playground.open();
    await dropModel(page, ['model', bytesOf('clash.onnx')]);
    await page.waitForSelector('.rows');
  });

  test('weights alone, a file of another kind, and several models', async () => {
    const page = await playground.open();
    await drop(page, [['model.bin', 'x']]);
    await page.waitForSelector('.refusal');
    assert.match(await page.innerText('.refusal'), /Drop the \.xml file/);
    await drop(page, [['<b>photo</b>.png', '\u0089PNG']]);
    await page.waitForFunction(() => document.querySelector('.refusal')?.innerText.includes('<b>photo</b>.png'));
    assert.match(await page.innerText('.refusal'), /\.onnx.*\.xml.*\.npy/s);
    assert.equal(await page.locator('.refusal b').count(), 0);
    await page.click('.refusal button');
    assert.equal(await page.locator('.refusal').count(), 0);
    await dropModel(page, ['a.onnx', bytesOf('clash.onnx')], ['b.onnx', bytesOf('fits.onnx')]);
    assert.match(await page.innerText('.models'), /1 other was not read/);
  });

  const npy = () => {
    const header = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }".padEnd(117) + '\n';
    const head = Buffer.from([0x93, ...Buffer.from('NUMPY'), 1, 0, header.length, 0]);
    return Buffer.concat([head, Buffer.from(header), Buffer.from(new Float32Array([7, 8, 9]).buffer)]);
  };

  test('an array on an operand, also with a list of nodes open', async () => {
    const page = await playground.open();
    await drop(page, [['b.npy', npy()]], '[data-operand="1"]');
    await page.waitForFunction(() => document.querySelector('#operand-1').value === '(3,)');
    await dropModel(page, ['clash.onnx', bytesOf('clash.onnx')]);
    await drop(page, [['a.npy', npy()]]);
    await page.waitForFunction(() => document.querySelector('#operand-0')?.value === '(3,)');
  });

  const message = 'ValueError: operands could not be broadcast together with shapes (4,3) (4,) ';

  test('a text file and a dropped text are read as if pasted', async () => {
    const page = await playground.open();
    await drop(page, [['train.log', `epoch 1\n${message}\n`]]);
    await page.waitForFunction(() => document.querySelector('#operand-0').value === '(4, 3)');
    await page.fill('#operand-0', '(9,)');
    await page.evaluate((text) => {
      const transfer = new DataTransfer();
      transfer.setData('text/plain', text);
      const event = { dataTransfer: transfer, bubbles: true, cancelable: true };
      document.body.dispatchEvent(new DragEvent('drop', event));
    }, message);
    await page.waitForFunction(() => document.querySelector('#operand-0').value === '(4, 3)');
  });

  test('a file that is pasted, and a text in the dialog for it', async () => {
    const page = await playground.open();
    await page.evaluate((base64) => {
      const clipboardData = new DataTransfer();
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      clipboardData.items.add(new File([bytes], 'clash.onnx'));
      document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
    }, bytesOf('clash.onnx').toString('base64'));
    await settled(page);
    await page.click('#paste-text');
    await page.fill('#pasted-text', message);
    await page.click('#read-pasted');
    await page.waitForFunction(() => document.querySelector('#operand-0')?.value === '(4, 3)');
    assert.equal(await page.locator('dialog[open]').count(), 0);
  });

  test('a folder, which a browser gives as a file that cannot be read', async () => {
    const page = await playground.open();
    const folder = path.join(scratch, 'folder.onnx');
    writeFileSync(folder, bytesOf('clash.onnx'));
    const chosen = page.waitForEvent('filechooser');
    await page.click('#open-file');
    await (await chosen).setFiles(folder);
    await settled(page);
    // The same file, gone when it is read: the browser answers as for a folder.
    const again = page.waitForEvent('filechooser');
    await page.click('#choose-model');
    const chooser = await again;
    await page.route('**/audit-worker*', async (route) => {
      rmSync(folder);
      await route.continue();
    });
    await chooser.setFiles(folder);
    await page.waitForSelector('.models[data-phase="failed"]');
    assert.match(await page.innerText('.models .reason'), /cannot read/);
  });
});

test('no errors on the console, none thrown, no requests to other origins', () => {
  assert.deepEqual(playground.faults, []);
});
