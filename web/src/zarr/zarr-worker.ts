// The worker that reads Zarr arrays, so that decoding does not stop the page. It is a worker for another reason, too: the codecs'
// glue code makes functions from texts, which the page's content security policy rightly forbids on the page. Its requests go to
// the page's own origin alone (http-store.ts).

import type { ZarrReply, ZarrRequest } from './messages';
import { type OpenArray, openArray } from './open-array';

const arrays = new Map<number, OpenArray>();
const running = new Map<number, AbortController>();

const reply = (message: ZarrReply, transfer: Transferable[] = []): void => postMessage(message, { transfer });

async function answer(request: Exclude<ZarrRequest, { kind: 'cancel' }>, signal: AbortSignal): Promise<void> {
  const { id } = request;
  if (request.kind === 'open') {
    const array = await openArray(request.address, request.url);
    arrays.set(id, array);
    return reply({ id, kind: 'array', array: { handle: id, ...array.description } });
  }
  const array = arrays.get(request.handle);
  if (!array) return reply({ id, kind: 'failed', message: 'The array is not open any more: open it again.' });
  const chunk = await array.readChunk(request.place, signal);
  reply({ id, kind: 'chunk', chunk }, [chunk.elements.buffer]);
}

addEventListener('message', ({ data }: MessageEvent<ZarrRequest>) => {
  const { id } = data;
  if (data.kind === 'cancel') return running.get(id)?.abort();
  const controller = new AbortController();
  running.set(id, controller);
  answer(data, controller.signal)
    .catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') return reply({ id, kind: 'cancelled' });
      reply({ id, kind: 'failed', message: error instanceof Error ? error.message : String(error) });
    })
    .finally(() => running.delete(id));
});
