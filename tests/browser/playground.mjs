// Shared by the browser tests: Chromium with the built page, and functions for its fields and answers.
import { createRequire } from 'node:module';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { chromium as playwright } from 'playwright-core';
import { inRoot } from '../../scripts/paths.mjs';
import { addressOf, serve } from '../../scripts/serve.mjs';
import { chromium } from '../../scripts/toolchain.mjs';

// Milliseconds that a page may take for anything. A test that fails waits so long; on a busy machine others need it.
export const patience = 60_000;

export const presets = createRequire(import.meta.url)('../../web/src/gallery/presets.json');

// Chromium and the page, served from a folder some way below the server's root when `below` is given. `faults` gathers
// what must not happen: errors on the console, errors thrown, requests that leave the origin. `args` are more of Chromium's.
export async function openPlayground({
  below = '',
  folder = process.env.BROADLOOM_PAGE ?? inRoot('web/dist'),
  host = 'localhost',
  args = [],
} = {}) {
  let served = folder;
  let copy;
  if (below) {
    copy = await mkdtemp(path.join(os.tmpdir(), 'broadloom-page-'));
    await cp(folder, path.join(copy, below), { recursive: true });
    served = copy;
  }
  const server = await serve(served);
  const origin = addressOf(server, host);
  const browser = await playwright.launch({
    executablePath: process.env.CHROMIUM || chromium(),
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), ...args],
  });
  const faults = [];

  async function open(fragment = '', { before, lost, query = '', ...options } = {}) {
    // Each test meets the page as it comes from the server, but those of what is kept for offline.
    const context = await browser.newContext({
      viewport: { width: 1280, height: 800 },
      serviceWorkers: 'block',
      ...options,
    });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`thrown: ${error}`));
    page.on('request', (request) => {
      // What the page has made itself, a picture's preview, is of its origin.
      if (
        !request
          .url()
          .replace(/^blob:/, '')
          .startsWith(`${origin}/`)
      )
        faults.push(`off origin: ${request.url()}`);
    });
    if (before) await page.addInitScript(before);
    if (lost) await page.route(lost, (route) => route.abort());
    await page.goto(`${origin}/${below}${query}${fragment && `#${fragment}`}`);
    if (options.javaScriptEnabled !== false) await page.waitForSelector('main:not([data-state="loading"])');
    return page;
  }

  async function close() {
    await browser.close();
    await new Promise((resolve) => server.close(resolve));
    if (copy) await rm(copy, { recursive: true });
  }

  return { open, close, faults, origin, server, browser, folder: served };
}

// Deals items out to pages side by side, as many as there are cores, since a page keeps one core busy: `work` is called for
// each and takes `[number, item]` from the queue that they share.
export async function sideBySide(items, work) {
  const queue = items.entries();
  await Promise.all(Array.from({ length: os.availableParallelism() }, () => work(queue)));
}

// A shape as the documents write it.
export const shapeText = (shape) => `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;

// Types a question into the page's own fields: the form of a corpus record. Texts may stand for shapes.
export async function type(page, { rule, inputs, axis, target_shape: target, axes_mapping: mapping, dtype = 'f64' }) {
  const text = (value) => (typeof value === 'string' ? value : shapeText(value));
  let now = await fields(page);
  if (now.rule !== rule) {
    await page.locator(`#rules input[value="${rule}"]`).check({ force: true });
    now = await fields(page);
  }
  // Max takes any number of operands of any number type; the rules for Broadcast have it alone.
  const op = now.ops.includes('Max') ? 'Max' : 'Broadcast';
  if (now.op !== op) await page.selectOption('#op', op);
  if (now.dtype !== dtype) await page.selectOption('#dtype', dtype);
  if (now.op !== op) now = await fields(page);
  let count = now.operands.length;
  for (; count < inputs.length; ++count) await page.click('#add-operand');
  for (; count > inputs.length; --count) {
    await page
      .locator('.operand .remove')
      .nth(count - 1)
      .click();
  }
  now = await fields(page);
  for (const [i, shape] of inputs.entries()) {
    if (now.operands[i] !== text(shape)) await page.fill(`#operand-${i}`, text(shape));
  }
  if (target !== undefined) await page.fill('#target', text(target));
  const mapped = mapping === undefined ? '' : typeof mapping === 'string' ? mapping : `[${mapping}]`;
  if (now.mapping !== null && now.mapping !== mapped) await page.fill('#mapping', mapped);
  const axisText = axis === undefined ? '' : String(axis);
  if (now.axis !== null && now.axis !== axisText) await page.fill('#axis', axisText);
  await settled(page, inputs.map(text));
  // Where the rule takes no mapping, there is a field for one only after a link gave one.
  if (now.mapping === null && mapped !== '') {
    await follow(page, `${await page.getAttribute('#answer', 'data-shows')}&mapping=${mapped}`);
  }
}

// What the fields hold; null for those that the rule does not have.
const fields = (page) =>
  page.evaluate(() => {
    const value = (selector) => document.querySelector(selector)?.value ?? null;
    return {
      rule: value('#rules input[name="rule"]:checked'),
      op: value('#op'),
      ops: [...document.querySelectorAll('#op option')].map((option) => option.value),
      dtype: value('#dtype'),
      operands: [...document.querySelectorAll('input[id^="operand-"]')].map((input) => input.value),
      mapping: value('#mapping'),
      axis: value('#axis'),
    };
  });

// Waits until the answer on the page is the one to what was typed last.
export async function settled(page, typed) {
  await page.waitForFunction((texts) => {
    const shows = document.querySelector('#answer')?.getAttribute('data-shows') ?? '';
    const shown = [...new URLSearchParams(shows).getAll('in')];
    return texts.every((text, i) => shown[i] === text);
  }, typed);
}

// Waits until what was changed is laid out and drawn.
export const frame = (page) =>
  page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));

// Waits until every part of the page that was asked for has arrived and is drawn.
export async function arrived(page) {
  await page.waitForSelector('html:not([data-awaits])', { state: 'attached' });
  await frame(page);
}

// Follows a link within the page, which shows it when this resolves: its own listener is called first.
export const follow = (page, fragment) =>
  page.evaluate((hash) => {
    const before = location.href;
    location.hash = hash;
    if (location.href === before) return undefined;
    return new Promise((resolve) => addEventListener('hashchange', () => resolve(), { once: true }));
  }, fragment);

// Presses a button, and waits until it, or another element, says this. The page says it for a moment only, so the wait begins
// before the press.
export const saidBy = (page, button, pattern, by = button) =>
  Promise.all([
    page.waitForFunction(
      ([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.innerText ?? ''),
      [by, pattern.source],
    ),
    page.click(button),
  ]);

// What the page answers, as it is seen once it knows what to check, and all its parts are there.
export async function answer(page) {
  await page.waitForSelector('html:not([data-awaits]) #verdict[data-doubts="known"]', { state: 'attached' });
  return page.evaluate(() => {
    const verdict = document.querySelector('#verdict');
    const text = (selector) => document.querySelector(selector)?.innerText.trim() || null; // null, too, where it is not seen
    return {
      state: document.querySelector('#answer').dataset.state,
      fits: verdict.dataset.fits === 'yes',
      shape: text('#result-shape'),
      errorClass: verdict.dataset.errorClass,
      seenClass: text('#verdict .code')?.split(' ')[0] ?? null,
      headline: text('#verdict .headline'),
      because: text('#verdict .because'),
      arithmetic: text('#arithmetic'),
      clashes: document.querySelectorAll('[data-relation="conflict"]').length,
      repairs: document.querySelectorAll('.repairs .apply').length,
      marked: [...document.querySelectorAll('.mirror mark.bad')].map((mark) => mark.textContent),
    };
  });
}

// The element of each operand that is lit, as [[1, 0], [2]]. A large loom tells them by its buttons.
export function litSources(page) {
  return page.evaluate(() => {
    const indexOf = (text) => text.split(',').filter(Boolean).map(Number);
    const large = [...document.querySelectorAll('.feed')];
    if (large.length > 0) return large.map(({ dataset }) => indexOf(dataset.index));
    return [...document.querySelectorAll('.cells[id^="grid-"]:not(#grid-result)')]
      .sort((a, b) => Number(a.id.slice(5)) - Number(b.id.slice(5)))
      .map((grid) => {
        const lit = [...grid.querySelectorAll('[data-lit]')].map(({ dataset }) => dataset.index);
        return lit.length === 1 ? indexOf(lit[0]) : lit;
      });
  });
}
