// Opens a Zarr array of version 2 or 3 by its metadata, and reads its chunks.

import { isZarritaError, open, registry } from 'zarrita';
import { bytesText, countText } from '../text/format';
import { HttpStore, ReadError, type ReadOptions } from './http-store';
import type { ArrayDescription, Chunk, ChunkElements } from './messages';

/** Bytes of a chunk when it is decoded. */
const mostChunkBytes = 128 * 2 ** 20;

export interface OpenArray {
  readonly description: Omit<ArrayDescription, 'handle'>;
  /**
   * Reads the chunk at this place of the grid of chunks.
   *
   * @throws ReadError, or an AbortError.
   */
  readChunk(place: readonly number[], signal: AbortSignal): Promise<Chunk>;
}

/** The page's name of an element type: `f32` of `float32`; null for types that are not numbers. */
function typeOf(dtype: string): string | null {
  if (dtype === 'bool') return dtype;
  const [, kind, bits] = /^(u?)(?:int|float)(\d+)$/.exec(dtype) ?? [];
  if (kind === undefined) return null;
  return `${dtype.startsWith('float') ? 'f' : kind || 'i'}${bits}`;
}

const isExtent = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 0;
const isListOf = (value: unknown, accepts: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.every(accepts);

interface CodecInMetadata {
  readonly name: string;
  readonly configuration?: {
    readonly codecs?: readonly CodecInMetadata[];
    readonly index_codecs?: readonly CodecInMetadata[];
  };
}

/** The names of an array's codecs, those within shards included. */
function codecsOf(metadata: ReadonlyMap<string, string>): readonly string[] {
  const named = (codecs: readonly CodecInMetadata[] = []): readonly string[] =>
    codecs.flatMap(({ name, configuration }) => [
      name,
      ...named(configuration?.codecs),
      ...named(configuration?.index_codecs),
    ]);
  const parsed = (name: string): Record<string, unknown> | null => JSON.parse(metadata.get(name) ?? 'null');
  const third = parsed('zarr.json');
  if (third?.['node_type'] === 'array') return named(third['codecs'] as readonly CodecInMetadata[]);
  const second = parsed('.zarray');
  const codecs = [
    ...((second?.['filters'] ?? []) as { id: string }[]),
    second?.['compressor'] as { id: string } | null,
  ];
  // zarrita knows this filter by the codecs that it consists of.
  return codecs.flatMap((codec) => (codec && !/fixedscaleoffset$/.test(codec.id) ? [`numcodecs.${codec.id}`] : []));
}

/** Why there is no array at an address at which zarrita found none. */
async function notFound(address: string, store: HttpStore): Promise<ReadError> {
  const isGroup = store.metadata.has('zarr.json') || (await store.get('/.zgroup')) !== undefined;
  if (isGroup)
    return new ReadError(`${address} is a Zarr group: add the name of an array in it, such as ${address}/NAME.`);
  const page = store.answersWithPage ? ' It answers with a web page (HTML) instead: the address may be wrong.' : '';
  return new ReadError(
    `There is no Zarr array at ${address}: the server has neither zarr.json nor .zarray there.${page}`,
  );
}

async function openChecked(address: string, store: HttpStore) {
  try {
    // By the file that is there: `open` would report errors of version 3 as a missing array of version 2.
    const isThird = (await store.get('/zarr.json')) !== undefined;
    return await (isThird ? open.v3(store, { kind: 'array' }) : open.v2(store, { kind: 'array' }));
  } catch (error) {
    if (error instanceof ReadError) throw error;
    if (isZarritaError(error, 'NotFoundError')) throw await notFound(address, store);
    const type = isZarritaError(error) ? /(?:dataType|dtype): (.*)/.exec(error.message)?.[1] : undefined;
    if (type !== undefined) throw notNumbers(address, type);
    const detail = error instanceof Error ? error.message : String(error);
    throw new ReadError(`The metadata of ${address} cannot be read: ${detail.slice(0, 200).replace(/\.$/, '')}.`);
  }
}

const notNumbers = (address: string, type: string): ReadError =>
  new ReadError(
    `The elements of ${address} are ${type.slice(0, 60)}, which this page does not compute with: it takes bool, integers and floats.`,
  );

/** @throws ReadError */
export async function openArray(address: string, url: string): Promise<OpenArray> {
  const store = new HttpStore(address, url);
  const array = await openChecked(address, store);
  const { shape, chunks, dtype, dimensionNames: names } = array;
  const unsound = (what: string): ReadError => new ReadError(`The metadata of ${address} cannot be read: ${what}.`);

  if (!isListOf(shape, (extent) => typeof extent === 'number')) throw unsound('its shape is not a list of numbers');
  const rank = shape.length;
  const elements = shape.reduce((product, extent) => product * extent, 1);
  if (shape.every(isExtent) && !Number.isSafeInteger(elements))
    throw new ReadError(
      `${address} has more elements than this page can number, ${countText(Number.MAX_SAFE_INTEGER)}.`,
    );
  if (!shape.every(isExtent)) throw unsound('an extent of its shape is not a whole number below 2^53');
  if (!isListOf(chunks, (extent) => isExtent(extent) && extent !== 0) || chunks.length !== rank)
    throw unsound('it has no regular grid of chunks');
  const type = typeOf(dtype);
  if (type === null) throw notNumbers(address, dtype);
  const chunkElements = chunks.reduce((product, extent) => product * extent, 1);
  const chunkBytes = chunkElements * (type === 'bool' ? 1 : Number(type.slice(1)) / 8);
  if (chunkBytes > mostChunkBytes)
    throw new ReadError(
      `A chunk of ${address} has ${bytesText(BigInt(chunkBytes))}; this page reads chunks of up to ${bytesText(BigInt(mostChunkBytes))}. Store the array in smaller chunks.`,
    );
  const unknown = codecsOf(store.metadata).find((codec) => codec !== 'sharding_indexed' && !registry.has(codec));
  if (unknown !== undefined)
    throw new ReadError(
      `${address} is stored with the codec ${unknown.replace('numcodecs.', '').slice(0, 60)}, which this page cannot decode.`,
    );
  // Bytes that cannot be compressed, and the index of a shard, are somewhat longer than the chunk.
  store.mostBytes = 2 * chunkBytes + 2 ** 20;

  const isName = (name: unknown): boolean => typeof name === 'string' && /^[A-Za-z_]\w{0,31}$/.test(name);
  const isNamed = names != null && isListOf(names, isName) && names.length === rank && new Set(names).size === rank;

  async function readChunk(place: readonly number[], signal: AbortSignal): Promise<Chunk> {
    const where = `The chunk [${place.join(', ')}] of ${address}`;
    const options: ReadOptions = { signal };
    const chunk = await array.getChunk([...place], options).catch((error: unknown) => {
      signal.throwIfAborted();
      if (error instanceof ReadError || (error instanceof DOMException && error.name === 'AbortError')) throw error;
      const codec = isZarritaError(error, 'CodecPipelineError') && error.codec ? ` (codec ${error.codec})` : '';
      throw new ReadError(`${where} cannot be decoded${codec}: it is truncated or damaged.`, { cause: error });
    });
    const { data, stride } = chunk;
    if (data.length !== chunkElements)
      throw new ReadError(
        `${where} is truncated or damaged: it holds ${countText(data.length)} of ${countText(chunkElements)} elements.`,
      );
    // Bools are bytes in a wrapper.
    const elements = 'get' in data ? new Uint8Array(data.buffer, data.byteOffset, data.length) : data;
    return { elements: elements as ChunkElements, strides: stride, isMissing: options.hasBytes !== true };
  }

  const description = {
    shape: [...shape],
    dtype: type,
    names: isNamed ? names : null,
    chunkShape: [...chunks],
    chunkBytes,
    fillValue: String(array.fillValue ?? 0).slice(0, 60),
  };
  return { description, readChunk };
}
