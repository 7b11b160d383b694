import { asked, kindOf } from '../values/properties.js';
import { show } from '../values/show.js';
import { ModelError } from './model-error.js';

/** A file with random access, so that the elements of large tensors are never read. */
export interface ModelSource {
  /** Its length in bytes. */
  readonly size: number;
  /** The `length` bytes from `begin` on. They need not be a copy, and are not changed. */
  read(begin: number, length: number): Uint8Array;
}

/** The bytes of `model` as a source; bytes in memory are not copied. */
export function sourceFrom(model: unknown): ModelSource {
  const isView = ArrayBuffer.isView(model);
  if (isView || isBuffer(model)) {
    try {
      return inMemory(isView ? bytesIn(model) : new Uint8Array(model as ArrayBuffer));
    } catch (cause) {
      const message = 'The memory of the model was transferred: give bytes that are still in this thread.';
      throw new ModelError('input', message, { cause });
    }
  }
  try {
    const { size, read } = model as ModelSource;
    if (Number.isSafeInteger(size) && size >= 0 && typeof read === 'function') {
      return { size, read: (begin, length) => Reflect.apply(read, model, [begin, length]) as Uint8Array };
    }
  } catch {
    // The properties cannot be read.
  }
  throw new ModelError('input', 'A model is given as an ArrayBuffer, a typed array, or an object with size and read.');
}

const BYTE_LENGTH = Object.getOwnPropertyDescriptor(ArrayBuffer.prototype, 'byteLength')?.get as () => number;

/** Whether a value is an ArrayBuffer, of any realm, transferred or not. A proxy of one is none: it has no bytes. */
const isBuffer = (value: unknown) => asked(() => (Reflect.apply(BYTE_LENGTH, value, []) as number) >= 0);

const bytesIn = ({ buffer, byteOffset, byteLength }: ArrayBufferView) => new Uint8Array(buffer, byteOffset, byteLength);

function inMemory(bytes: Uint8Array): ModelSource {
  return { size: bytes.length, read: (begin, length) => bytes.subarray(begin, begin + length) };
}

/** What a source's read returned, if it is bytes. */
function bytesOf(read: unknown): Uint8Array {
  try {
    if (ArrayBuffer.isView(read) && kindOf(read) === 'Uint8Array') return bytesIn(read);
  } catch {
    // Properties of a class of its own, or memory that was transferred.
  }
  const isPromised = asked(() => typeof (read as PromiseLike<unknown>).then === 'function');
  const message = isPromised
    ? 'read has to be synchronous: it returned a promise. Read the file before, or give its bytes.'
    : `read has to return a Uint8Array, not ${show(read)}.`;
  throw new ModelError('input', message);
}

const WINDOW = 64 * 1024;

/** Bytes of a source, of which at most a window and the part that is asked for are in memory. */
export class FileWindow {
  readonly size: number;
  /** How many fields have been read. */
  fields = 0;
  readonly #source: ModelSource;
  #bytes = new Uint8Array(0);
  #begin = 0;

  constructor(source: ModelSource) {
    this.#source = source;
    this.size = source.size;
  }

  /** The bytes from `begin` to `end`; both lie in the file. Valid until the next call. */
  slice(begin: number, end: number): Uint8Array {
    if (begin < this.#begin || end > this.#begin + this.#bytes.length) {
      const length = Math.min(Math.max(end - begin, WINDOW), this.size - begin);
      this.#bytes = bytesOf(this.#source.read(begin, length)) as Uint8Array<ArrayBuffer>;
      this.#begin = begin;
      if (this.#bytes.length > length) {
        const message = `read has to return the ${length} bytes that it was asked for; it returned ${this.#bytes.length}.`;
        throw new ModelError('input', message);
      }
      if (this.#bytes.length !== length)
        throw new ModelError('truncated', 'The file became shorter while it was read.');
    }
    return this.#bytes.subarray(begin - this.#begin, end - this.#begin);
  }
}
