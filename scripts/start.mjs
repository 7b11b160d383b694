// `npm start`: sets up, builds and serves the page on http://localhost:8080 or the next free port. PORT sets another port.
import { main } from './fail.mjs';
import { inRoot } from './paths.mjs';
import { portFrom, serveOnPort } from './port.mjs';
import { addressOf } from './serve.mjs';
import { build } from './stages.mjs';
import { setUp } from './toolchain.mjs';

await main(async () => {
  const port = portFrom(process.env.PORT);
  const env = await setUp('start');
  await build(['page'], env);
  const server = await serveOnPort(inRoot('web/dist'), port);
  console.log(`Broadloom is served at ${addressOf(server)} (Ctrl+C ends it)`);
});
