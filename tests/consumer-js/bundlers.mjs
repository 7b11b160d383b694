// Runs the bundlers as a project does; a warning is a failure.
import assert from 'node:assert/strict';
import * as vite from 'vite';
import webpack from 'webpack';

// Calls `use` with Vite's configuration for the pages of `root`.
async function withVite(root, more, use) {
  const warnings = [];
  const logger = vite.createLogger('silent');
  logger.warn = logger.warnOnce = logger.error = (message) => warnings.push(message);
  await use({ root, configFile: false, customLogger: logger, ...more });
  assert.deepEqual(warnings, []);
}

export async function viteBuild(root, outDir, more) {
  // Vite warns of slow builds, which are those of a busy machine.
  const rolldownOptions = { checks: { bundlerTimings: false } };
  const build = { outDir, emptyOutDir: true, assetsInlineLimit: 0, rolldownOptions };
  await withVite(root, { build, ...more }, (config) => vite.build(config));
}

// Calls `use` with the address of Vite's development server.
export async function viteServe(root, cacheDir, headers, use) {
  const more = { cacheDir, server: { host: 'localhost', port: 0, headers } };
  await withVite(root, more, async (config) => {
    const server = await vite.createServer(config);
    await server.listen();
    try {
      await use(server.resolvedUrls.local[0]);
    } finally {
      await server.close();
    }
  });
}

export async function webpackBuild(context, entry, outDir, filename) {
  const compiler = webpack({
    mode: 'production',
    context,
    entry,
    output: { path: outDir, filename },
    performance: { hints: false },
  });
  const stats = await new Promise((resolve, reject) =>
    compiler.run((error, result) => compiler.close(() => (error ? reject(error) : resolve(result)))),
  );
  const { errors, warnings } = stats.toJson({ all: false, errors: true, warnings: true });
  assert.deepEqual({ errors, warnings }, { errors: [], warnings: [] });
}
