// Layout: wide windows have the parts of an answer side by side, phones have the answer in sight, what scrolls sideways says
// so, and a large result shows structure at every zoom.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { openState, states } from '../../scripts/page-states.mjs';
import { openPlayground, settled } from './playground.mjs';

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const named = (name) => states.find((state) => state.name === name);
const open = (name, options) => openState(playground.browser, playground.origin, named(name), options);
const box = (page, selector) => page.locator(selector).first().boundingBox();
const frames = (page) => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => setTimeout(done))));

describe('wide windows', () => {
  for (const width of [1600, 1920, 2560]) {
    test(`the grids, or the repairs, stand beside the alignment, ${width}`, async () => {
      const beside = {
        first: '.grids-section',
        numpy: '.grids-section',
        slices: '.grids-section',
        conflict: '.repairs',
      };
      for (const [name, selector] of Object.entries({ ...beside, large: '.grids-section', symbolic: '.example' })) {
        const page = await open(name, { viewport: { width, height: 900 } });
        const [left, right] = [await box(page, '.alignment'), await box(page, `#answer > ${selector}`)];
        assert.ok(right.x >= left.x + left.width, `${name}: ${JSON.stringify([left, right])}`);
        assert.ok(right.y < left.y + left.height, name);
        assert.ok(right.x + right.width <= width, name);
        await page.context().close();
      }
    });
  }

  test('eight axes keep the whole width', async () => {
    const page = await open('rank-8', { viewport: { width: 1600, height: 900 } });
    const [above, below] = [await box(page, '.alignment'), await box(page, '.grids-section')];
    assert.ok(below.y >= above.y + above.height);
    assert.equal(await page.locator('.alignment [data-hides]').count(), 0);
    await page.context().close();
  });

  test('a canvas fills the room beside the alignment', async () => {
    const page = await open('large', { viewport: { width: 1920, height: 1080 } });
    const [section, canvas] = [await box(page, '.grids-section'), await box(page, '.stage canvas')];
    assert.ok(Math.abs(section.width - canvas.width) < 2);
    assert.ok(canvas.height > 500 && canvas.y + canvas.height < 1080, JSON.stringify(canvas));
    await page.context().close();
  });

  test('lines of text have at most 80 letters or so', async () => {
    for (const name of [
      'conflict',
      'conflicts',
      'pasted-extents',
      'warned',
      'blow-up',
      'eight-operands',
      'rules-openvino',
    ]) {
      const page = await open(name, { viewport: { width: 2560, height: 1300 } });
      const long = await page.$$eval('#answer :is(p, li):not(.headline, .legend, .arithmetic)', (all) =>
        all
          .filter((element) => !element.querySelector('p, li') && element.checkVisibility())
          .map((element) => {
            const range = document.createRange();
            range.selectNodeContents(element);
            const lines = new Set(
              [...range.getClientRects()].map(({ top, bottom }) => Math.round((top + bottom) / 16)),
            );
            return { text: element.textContent, each: element.textContent.length / lines.size, lines: lines.size };
          })
          .filter(({ each, lines }) => lines > 1 && each > 88),
      );
      assert.deepEqual(long, [], name);
      await page.context().close();
    }
  });
});

describe('phones', () => {
  const phone = (width, height) => ({ viewport: { width, height }, hasTouch: true, isMobile: true });
  const tall = [
    [320, 568],
    [375, 667],
    [480, 800],
    [667, 375],
  ];

  test('two operands and the verdict are in sight, each operand in a line', async () => {
    for (const [width, height] of tall) {
      for (const name of ['first', 'conflict', 'malformed']) {
        const page = await open(name, phone(width, height));
        const where = `${name}, ${width}x${height}`;
        const headline = await box(page, '#verdict .headline');
        assert.ok(headline.y + headline.height <= height, `${where}: ${JSON.stringify(headline)}`);
        for (const i of [0, 1]) {
          const row = await box(page, `[data-operand="${i}"]`);
          const field = await box(page, `#operand-${i}`);
          assert.ok(row.height < 2 * field.height, `${where}: ${JSON.stringify(row)}`);
          assert.ok(field.width > 100, `${where}: ${JSON.stringify(field)}`);
        }
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), width, where);
        await page.context().close();
      }
    }
  });

  test('no field has letters that make the browser zoom', async () => {
    for (const name of ['first', 'details', 'large', 'paste-dialog', 'predict', 'gallery', 'pdpd', 'share']) {
      const page = await open(name, phone(375, 667));
      const small = await page.$$eval(
        'input:not([type=radio], [type=checkbox], [type=range]), textarea, select',
        (all) =>
          all
            .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
            .map((field) => field.outerHTML.slice(0, 80)),
      );
      assert.deepEqual(small, [], name);
      // Marks lie under the letters that they mark.
      const sizes = await page.$$eval('.typed', (all) =>
        all.map((typed) =>
          [...typed.querySelectorAll('input, .mirror')].map((each) => getComputedStyle(each).fontSize),
        ),
      );
      for (const [input, mirror] of sizes) assert.equal(input, mirror, name);
      await page.context().close();
    }
  });

  // A keyboard takes the lower part of the window: the page then has what is left.
  test('while a field has the focus the verdict is in sight above the keyboard', async () => {
    const five = 'v=1&rule=numpy&op=Sum&type=f32&in=(4,1)&in=(5)&in=(4,5)&in=()&in=(1,5)';
    const page = await playground.open(five, phone(375, 350));
    const within = async () => {
      const line = await box(page, '#verdict .headline');
      return line.y >= 0 && line.y + line.height <= 350;
    };
    assert.ok(!(await within()), 'this window has no room for the verdict below five fields');
    await page.tap('#operand-4');
    await page.waitForSelector('#verdict[data-floats]');
    assert.ok(await within());
    // It follows what is typed, and does not cover the field.
    await page.fill('#operand-4', '(1, 7)');
    await settled(page, ['(4,1)', '(5)', '(4,5)', '()', '(1, 7)']);
    await page.waitForSelector('#verdict[data-floats][data-fits="no"]');
    assert.ok(await within());
    const [field, line] = [await box(page, '#operand-4'), await box(page, '#verdict .headline')];
    assert.ok(field.y + field.height <= line.y, JSON.stringify([field, line]));
    // There is room for it again.
    await page.setViewportSize({ width: 375, height: 800 });
    await page.waitForSelector('#verdict:not([data-floats])');
    await page.setViewportSize({ width: 375, height: 350 });
    await page.waitForSelector('#verdict[data-floats]');
    await page.evaluate(() => document.activeElement.blur());
    await page.waitForSelector('#verdict:not([data-floats])');
    // Fields that have been removed are followed no more.
    await page.evaluate(() => (location.hash = 'v=1&view=gallery'));
    await page.waitForSelector('main.gallery');
    await page.setViewportSize({ width: 375, height: 360 });
    await frames(page);
    await page.context().close();
  });

  test('the comparison of rules comes into sight when it is opened', async () => {
    const page = await playground.open('v=1&rule=numpy&op=Add&type=f32&in=(2,3)&in=(3)', phone(320, 568));
    await page.click('.fold summary');
    await page.click('#compare-rules');
    await page.waitForFunction(() => {
      const heading = document.querySelector('.all-rules h2');
      if (!heading) return false;
      const { top, bottom } = heading.getBoundingClientRect();
      return top >= -1 && bottom <= innerHeight;
    });
    await page.context().close();
  });
});

describe('what scrolls sideways', () => {
  test('fades towards what is out of sight, and says so', async () => {
    const page = await open('conflict', { viewport: { width: 320, height: 640 } });
    const scroll = page.locator('.alignment .scroll');
    // It was scrolled to the clash, at the end.
    await page.waitForSelector('.alignment .scroll[data-hides="before"]');
    assert.equal(await scroll.getAttribute('role'), 'region');
    assert.match(await scroll.getAttribute('aria-label'), /scroll/);
    await scroll.evaluate((element) => (element.scrollLeft = 0));
    await page.waitForSelector('.alignment .scroll[data-hides="after"]');
    assert.match(await scroll.evaluate((element) => getComputedStyle(element).maskImage), /gradient/);
    await scroll.evaluate((element) => (element.scrollLeft = 60));
    await page.waitForSelector('.alignment .scroll[data-hides="before after"]');
    // With a shape that fits the screen nothing is hidden.
    await page.fill('#operand-0', '(64,)');
    await page.waitForSelector('.alignment .scroll:not([data-hides])');
    await page.context().close();
  });

  test('everything that scrolls has the hint', async () => {
    for (const name of [
      'rank-8',
      'numpy',
      'slices',
      'code',
      'conflict',
      'predict',
      'symbolic-target',
      'rules',
      'model',
    ]) {
      const page = await open(name, { viewport: { width: 320, height: 640 } });
      await frames(page);
      const without = await page.evaluate(() =>
        [...document.querySelectorAll('body *')]
          .filter((element) => {
            const { overflowX } = getComputedStyle(element);
            const more = element.scrollWidth - element.clientWidth - element.scrollLeft;
            return /auto|scroll/.test(overflowX) && more > 16 && element.checkVisibility();
          })
          .filter((element) => !element.dataset.hides && !element.matches('input, textarea, select'))
          .map((element) => `${element.tagName}.${element.className}`),
      );
      assert.deepEqual(without, [], name);
      await page.context().close();
    }
  });
});

describe('a large result', () => {
  const shapes = [
    'in=(300,300)&in=(300)',
    'in=(1000,1000)&in=(1000,1)',
    'in=(100000,3)&in=(3)',
    'in=(5,7,64,64)&in=(64,64)',
  ];
  for (const shape of [...shapes, 'in=(1000000,1)&in=(1,1000000)']) {
    test(`has colours that differ at every zoom: ${shape}`, async () => {
      const page = await playground.open(`v=1&rule=numpy&op=Add&type=f32&${shape}`);
      await page.waitForSelector('.in-hand');
      await page.click('#zoom-cell');
      for (;;) {
        // Asked and pressed at once: a fit to the window may end the way while the test looks.
        const isEnd = await page.evaluate(() => {
          const out = document.querySelector('#zoom-out');
          if (out.getAttribute('aria-disabled') === 'true') return true;
          out.click();
          return false;
        });
        if (isEnd) break;
        // Of the colours of the scale, the darkest and the lightest are both in sight, over some pixels each.
        await page.waitForFunction(() => {
          const canvas = document.querySelector('.stage canvas');
          const at = canvas.getBoundingClientRect();
          const { left, width } = document.querySelector('.track.across').getBoundingClientRect();
          const { top, height } = document.querySelector('.track.down').getBoundingClientRect();
          const { data } = canvas.getContext('2d').getImageData(left - at.left, top - at.top, width, height);
          let [dark, light] = [0, 0];
          for (let i = 0; i < data.length; i += 4) {
            const [red, green, blue] = data.subarray(i, i + 3);
            if (red < 75 && blue > red + 25) ++dark;
            if (red > 190 && blue < 115 && green > 160) ++light;
          }
          return dark > 200 && light > 200;
        });
      }
      await page.context().close();
    });
  }
});

test('no errors on the console, none thrown, no requests to other origins', () =>
  assert.deepEqual(playground.faults, []));
