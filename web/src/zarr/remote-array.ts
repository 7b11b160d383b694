// Zarr arrays as the page sees them: a worker opens them and reads their chunks.

import { mostAxes } from '../state/state';
import { countText } from '../text/format';
import type { ArrayDescription, Chunk, ZarrReply, ZarrRequest } from './messages';
// oxlint-disable-next-line import/default -- Vite makes it: the address of the worker's script.
import workerAddress from './zarr-worker?worker&url';

export interface RemoteArray extends ArrayDescription {
  readonly address: string;
  /**
   * Reads the chunk at this place of the grid of chunks.
   *
   * @throws An error whose message is a sentence for the user, or an AbortError.
   */
  readChunk(place: readonly number[], signal: AbortSignal): Promise<Chunk>;
}

interface Waiting {
  readonly resolve: (reply: ZarrReply) => void;
  readonly reject: (error: Error) => void;
}

let policy: { createScriptURL(url: string): string } | undefined;
let worker: Worker | null = null;
const waiting = new Map<number, Waiting>();
let lastId = 0;

function start(): Worker {
  policy ??= window.trustedTypes?.createPolicy('broadloom-zarr', {
    // The only script that is ever started.
    createScriptURL: () => workerAddress,
  });
  const started = new Worker(policy?.createScriptURL('') ?? workerAddress, { type: 'module' });
  started.onmessage = ({ data }: MessageEvent<ZarrReply>) => {
    waiting.get(data.id)?.resolve(data);
    waiting.delete(data.id);
  };
  started.onerror = (event) => {
    event.preventDefault();
    started.terminate();
    worker = null;
    const lost = new Error('What reads Zarr arrays did not load, or ran out of memory. Try again.');
    waiting.forEach(({ reject }) => reject(lost));
    waiting.clear();
  };
  return started;
}

type Asked = Exclude<ZarrRequest, { kind: 'cancel' }>;
type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;

async function ask(request: WithoutId<Asked>, signal?: AbortSignal): Promise<ZarrReply> {
  const id = ++lastId;
  const asked = (worker ??= start());
  const cancelled = (): DOMException => new DOMException('The request was cancelled.', 'AbortError');
  const reply = await new Promise<ZarrReply>((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    signal?.addEventListener(
      'abort',
      () => {
        asked.postMessage({ kind: 'cancel', id } satisfies ZarrRequest);
        waiting.delete(id);
        reject(cancelled());
      },
      { once: true },
    );
    asked.postMessage({ ...request, id } satisfies ZarrRequest);
  });
  if (reply.kind === 'failed') throw new Error(reply.message);
  if (reply.kind === 'cancelled') throw cancelled();
  return reply;
}

/** @throws An error whose message is a sentence for the user. */
export async function openRemote(address: string, page: URL): Promise<RemoteArray> {
  const { origin, pathname } = new URL(address, page);
  const reply = await ask({ kind: 'open', address, url: origin + pathname.replace(/\/+$/, '') });
  if (reply.kind !== 'array') throw new Error(`${address} cannot be opened.`);
  const { array } = reply;
  const rank = array.shape.length;
  if (rank > mostAxes)
    throw new Error(
      `${address} has ${countText(rank)} axes; this page takes up to ${countText(mostAxes)} in one question.`,
    );
  return {
    ...array,
    address,
    async readChunk(place, signal) {
      const read = await ask({ kind: 'chunk', handle: array.handle, place }, signal);
      if (read.kind !== 'chunk') throw new Error(`A chunk of ${address} cannot be read.`);
      return read.chunk;
    },
  };
}
