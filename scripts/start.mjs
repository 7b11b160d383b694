// `npm start`: sets up, builds and serves the page on http://localhost:8080 or the next free port. PORT sets another port.
// `npm start -- --data FOLDER` serves that folder below /data/, too: the page opens the Zarr arrays in it.
import { statSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { Failure, main } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { portFrom, serveOnPort } from './port.mjs';
import { addressOf } from './serve.mjs';
import { build } from './stages.mjs';
import { setUp } from './toolchain.mjs';

// The folder that --data names, from where npm was called; null without it.
function dataFolder() {
  let given;
  try {
    given = parseArgs({ options: { data: { type: 'string' } } }).values.data;
  } catch (error) {
    throw new Failure(`npm start takes --data FOLDER: ${error.message}`);
  }
  if (given === undefined) return null;
  const folder = path.resolve(process.env.INIT_CWD ?? '.', given);
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    throw new Failure(`--data names no folder: ${folder}`);
  return folder;
}

await main(async () => {
  const data = dataFolder();
  const port = portFrom(process.env.PORT);
  const env = await setUp('start');
  await build(['page'], env);
  const server = await serveOnPort(inRoot('web/dist'), port, undefined, data);
  console.log(`Broadloom is served at ${addressOf(server)} (Ctrl+C ends it)`);
  if (data !== null) console.log(`${data} is served below /data/: open its Zarr arrays as data/NAME`);
});
