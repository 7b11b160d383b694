// Accessibility: axe finds no violation in any state of the page, light and dark, wide and narrow.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, describe, test } from 'node:test';
import { openState, states } from '../../scripts/page-states.mjs';
import { openPlayground } from './playground.mjs';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let playground;
before(async () => (playground = await openPlayground()));
after(() => playground.close());

const open = (state, width, colorScheme) =>
  openState(playground.browser, playground.origin, state, { viewport: { width, height: 800 }, colorScheme });

// axe on a page, as a function of the rules it shall follow ("all" or "colours"). It lives in an isolated world: a second
// JavaScript beside the page's own, as extensions have it, on the same document. So the page keeps its content security
// policy and Trusted Types, which would not let axe in, and meets none of axe's globals.
async function axeOn(page) {
  const cdp = await page.context().newCDPSession(page);
  const { frameTree } = await cdp.send('Page.getFrameTree');
  const { executionContextId: contextId } = await cdp.send('Page.createIsolatedWorld', {
    frameId: frameTree.frame.id,
    worldName: 'axe',
  });
  const evaluate = async (expression) => {
    const { result, exceptionDetails } = await cdp.send('Runtime.evaluate', {
      ...{ expression, contextId, awaitPromise: true, returnByValue: true },
    });
    assert.equal(exceptionDetails?.exception?.description ?? exceptionDetails?.text, undefined);
    return result.value;
  };
  // Where the page may not run scripts, no timer fires; axe yields to others by timers.
  await evaluate(`globalThis.setTimeout = (act) => void Promise.resolve().then(act); ${source}; 0`);
  return (which) => evaluate(`(${complaints})(${JSON.stringify(which)})`);
}

// Runs in the isolated world. Every rule that axe has is followed, the experimental ones and those that are off unless
// they are asked for (the size of targets) included, but for those of level AAA, which WCAG itself does not recommend as
// a demand on whole pages. Text that axe leaves to a person to judge, since something is drawn over it or a pattern under
// it, is measured against the plain colour it stands on.
async function complaints(which) {
  const { axe } = globalThis;
  const tags = which === 'colours' ? ['cat.color'] : undefined;
  const wanted = axe.getRules(tags).filter((rule) => !rule.tags.some((tag) => /^wcag2\d*aaa$/.test(tag)));
  const { violations, incomplete } = await axe.run(document, {
    runOnly: { type: 'rule', values: wanted.map(({ ruleId }) => ruleId) },
    resultTypes: ['violations', 'incomplete'],
  });
  const told = violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(' ')}: ${html.slice(0, 120)}`),
  );

  const { Color, getContrast, flattenColors } = axe.commons.color;
  const colour = (text) => {
    const parsed = new Color();
    parsed.parseString(text);
    return parsed;
  };
  const under = (element) => {
    if (!element) return new Color(255, 255, 255);
    const own = colour(getComputedStyle(element).backgroundColor);
    return own.alpha === 1 ? own : flattenColors(own, under(element.parentElement));
  };
  const doubtful = incomplete.find(({ id }) => id === 'color-contrast')?.nodes ?? [];
  for (const { target, any } of doubtful) {
    if (any.some(({ data }) => data?.messageKey === 'nonBmp')) continue; // A sign, not text.
    const element = document.querySelector(target[0]);
    const { color, fontSize, fontWeight } = getComputedStyle(element);
    if (colour(color).alpha === 0) continue; // Not seen: it marks what another element writes.
    const large = parseFloat(fontSize) >= (fontWeight >= 700 ? 18.66 : 24);
    const ground = under(element);
    const contrast = getContrast(ground, flattenColors(colour(color), ground));
    if (contrast < (large ? 3 : 4.5))
      told.push(`color-contrast, measured: ${contrast.toFixed(2)}: ${target[0]}: ${element.outerHTML.slice(0, 120)}`);
  }
  return told;
}

// What follows a change of width: regions that scroll now can be reached by key.
const laidOut = (page, state) =>
  state.scripts !== false &&
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))));

describe('axe finds no violation', { concurrency: 2 }, () => {
  for (const state of states) {
    test(state.name, async () => {
      const page = await open(state, 1280, 'light');
      const found = new Map();
      const axe = await axeOn(page);
      for (const width of [1280, 320]) {
        await page.setViewportSize({ width, height: 800 });
        for (const colorScheme of ['light', 'dark']) {
          await page.emulateMedia({ colorScheme });
          await laidOut(page, state);
          // The same document in other colours is in order but for these.
          const told = await axe(colorScheme === 'light' ? 'all' : 'colours');
          if (told.length > 0) found.set(`${width} px, ${colorScheme}`, told);
        }
      }
      assert.deepEqual(Object.fromEntries(found), {});
      await page.context().close();
    });
  }
});

describe('axe finds violations that are made on purpose', () => {
  const spoils = [
    ['a field without a name', 'label', () => document.querySelector('#operand-0').removeAttribute('aria-label')],
    ['pale text', 'color-contrast', () => spoil('.headline { color: #bbb !important }')],
    ['pale text over a pattern', 'color-contrast', () => spoil('.outcome-axis * { color: #444 !important }')],
    [
      'a target too small',
      'target-size',
      () => spoil('#gallery, #predict { min-height: 0; height: 9px; width: 9px; padding: 0 }'),
    ],
    ['no heading', 'page-has-heading-one', () => document.querySelector('h1').remove()],
  ];
  const first = states.find(({ name }) => name === 'first');
  for (const [name, rule, act] of spoils) {
    test(name, async () => {
      const page = await open(first, 1280, 'light');
      const axe = await axeOn(page);
      await page.evaluate(() => {
        globalThis.spoil = (css) => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(css);
          document.adoptedStyleSheets.push(sheet);
        };
      });
      await page.evaluate(act);
      const told = await axe('all');
      assert.ok(told.length > 0 && told.every((line) => line.startsWith(rule)), told.join('\n'));
      await page.context().close();
    });
  }
});
