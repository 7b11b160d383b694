// Chromium on a folder, with a content policy that allows only files from the page's own server.
import assert from 'node:assert/strict';
import { chromium as playwright } from 'playwright-core';
import { addressOf, serve } from '../../scripts/serve.mjs';
import { chromium } from '../../scripts/toolchain.mjs';

/** The strictest policy for a page with WebAssembly; `more` are hashes of scripts in the page itself. */
export const policy = (...more) =>
  [
    "default-src 'none'",
    `script-src ${["'self'", "'wasm-unsafe-eval'", ...more].join(' ')}`,
    "connect-src 'self'",
    "worker-src 'self'",
    'img-src data:',
  ].join('; ');

/** The headers that isolate a page, so that its threads can share memory. */
export const isolation = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

export function launch() {
  return playwright.launch({
    executablePath: process.env.CHROMIUM || chromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  });
}

/** Serves a folder with a policy, and other headers. */
export async function serveStrictly(folder, contentPolicy = policy(), headers = {}) {
  const server = await serve(folder);
  server.prependListener('request', (_, response) => {
    response.setHeaders(new Map(Object.entries({ 'Content-Security-Policy': contentPolicy, ...headers })));
  });
  return { origin: addressOf(server), close: () => new Promise((resolve) => server.close(resolve)) };
}

/**
 * Opens an address and waits for `globalThis.answers`. Returns them with the requested paths, except those in
 * `ignored`. Any error or warning in the page's console fails the test.
 */
export async function open(browser, address) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const complaints = [];
    const paths = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    context.on('request', (request) => paths.push(new URL(request.url()).pathname));
    await page.goto(address);
    const answers = await page
      .waitForFunction(() => globalThis.answers, null, { timeout: 60_000 })
      .then(
        (handle) => handle.jsonValue(),
        () => 'no answers',
      );
    assert.deepEqual({ answers, complaints }, { answers, complaints: [] });
    return { answers, paths };
  } finally {
    await context.close();
  }
}
