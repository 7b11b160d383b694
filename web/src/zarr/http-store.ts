// The files of a Zarr array on the page's own server, as zarrita asks for them. What goes wrong is a sentence that names the
// file.

import type { AbsolutePath, AsyncReadable, GetOptions, RangeQuery } from 'zarrita';
import { bytesText } from '../text/format';

/** An error whose message is a sentence for the user. */
export class ReadError extends Error {}

/** What a read finds out beside its bytes. */
export interface ReadOptions extends GetOptions {
  /** Whether bytes of the chunk itself arrived: without them its elements are the fill value. */
  hasBytes?: boolean;
}

/** Bytes of a metadata file. */
const mostMetadata = 4 * 2 ** 20;
const isMetadata = (key: string): boolean => /\/(?:zarr\.json|\.z[a-z]+)$/.test(key);

export class HttpStore implements AsyncReadable {
  /** The texts of the metadata files that are there, by name. */
  readonly metadata = new Map<string, string>();
  /** Whether the server answered with a page in place of metadata, as some do for every address that they do not have. */
  answersWithPage = false;
  /** Bytes that a chunk may have as it is stored; set when its size is known. */
  mostBytes = mostMetadata;

  /** @param address As readAddress gives it. */
  constructor(
    private readonly address: string,
    private readonly url: string,
  ) {}

  async get(key: AbsolutePath, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
    // zarrita asks again for what is known.
    const known = this.metadata.get(key.slice(1));
    if (known !== undefined) return new TextEncoder().encode(known);
    const response = await this.#ask(key, options, {});
    if (!response) return undefined;
    if (/^text\/html\b/i.test(response.headers.get('content-type') ?? '')) {
      void response.body?.cancel();
      if (!isMetadata(key))
        throw new ReadError(`The server answers with a web page (HTML) in place of the chunk ${this.#name(key)}.`);
      this.answersWithPage = true;
      return undefined;
    }
    const bytes = await this.#bytesOf(response, key, isMetadata(key) ? mostMetadata : this.mostBytes, options);
    if (isMetadata(key)) this.metadata.set(key.slice(1), new TextDecoder().decode(bytes));
    else options.hasBytes = true;
    return bytes;
  }

  async getRange(key: AbsolutePath, range: RangeQuery, options: ReadOptions = {}): Promise<Uint8Array | undefined> {
    const isIndex = 'suffixLength' in range;
    const [length, header] = isIndex
      ? [range.suffixLength, `bytes=-${range.suffixLength}`]
      : [range.length, `bytes=${range.offset}-${range.offset + range.length - 1}`];
    if (length > this.mostBytes)
      throw new ReadError(
        `The index of ${this.#name(key)} names a chunk of ${bytesText(BigInt(length))}: it is damaged.`,
      );
    if (length === 0) throw new ReadError(`The index of ${this.#name(key)} names an empty chunk: it is damaged.`);
    const response = await this.#ask(key, options, { Range: header });
    if (!response) return undefined;
    if (response.status !== 206) {
      void response.body?.cancel();
      throw new ReadError(
        `The server sends whole files alone (no range requests), but ${this.#name(key)} is a shard, of which a part is needed.`,
      );
    }
    const bytes = await this.#bytesOf(response, key, length, options);
    if (bytes.length !== length)
      throw new ReadError(
        `The shard ${this.#name(key)} ends too early: it has ${bytes.length} of ${length} bytes there.`,
      );
    if (!isIndex) options.hasBytes = true;
    return bytes;
  }

  #name(key: string): string {
    return `${this.address}${key}`;
  }

  /** The answer to a request; undefined if there is no such file. */
  async #ask(
    key: string,
    { signal }: GetOptions,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response | undefined> {
    let response: Response;
    try {
      response = await fetch(this.url + key.split('/').map(encodeURIComponent).join('/'), {
        headers,
        // A redirection to another origin fails.
        mode: 'same-origin',
        signal: signal ?? null,
      });
    } catch (error) {
      signal?.throwIfAborted();
      throw new ReadError(`${this.#name(key)} cannot be fetched: the server or the network does not answer.`, {
        cause: error,
      });
    }
    if (response.ok) return response;
    void response.body?.cancel();
    if (response.status === 404 || response.status === 410) return undefined;
    const why = response.status === 416 ? ': the file is shorter than its index says' : '';
    throw new ReadError(`The server answers with error ${response.status} to ${this.#name(key)}${why}.`);
  }

  /** The bytes of an answer, piece by piece, so that an endless one does not fill the memory. */
  async #bytesOf(response: Response, key: string, most: number, { signal }: GetOptions): Promise<Uint8Array> {
    const pieces: Uint8Array[] = [];
    let length = 0;
    try {
      const reader = response.body?.getReader();
      for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
        pieces.push(piece.value);
        length += piece.value.length;
        if (length <= most) continue;
        void reader?.cancel();
        throw new ReadError(
          `${this.#name(key)} is larger than what belongs there, ${bytesText(BigInt(most))} at most.`,
        );
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof ReadError) throw error;
      throw new ReadError(`${this.#name(key)} broke off after ${bytesText(BigInt(length))}.`, { cause: error });
    }
    const bytes = new Uint8Array(length);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
}
