// What the page and the worker that reads Zarr arrays send each other.

/** An array as its metadata describe it. */
export interface ArrayDescription {
  /** What later requests call it. */
  readonly handle: number;
  readonly shape: readonly number[];
  /** The element type, as the page names it. */
  readonly dtype: string;
  /** A name for each axis; null if they have none, or some that shapes cannot be written with. */
  readonly names: readonly string[] | null;
  readonly chunkShape: readonly number[];
  /** Bytes of a chunk when it is decoded. */
  readonly chunkBytes: number;
  readonly fillValue: string;
}

export type ChunkElements =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

export interface Chunk {
  readonly elements: ChunkElements;
  /** How far apart neighbours along each axis are. */
  readonly strides: readonly number[];
  /** Whether it is not stored: then its elements are the fill value. */
  readonly isMissing: boolean;
}

/** `address` is for messages; `url` has neither query nor fragment, and no slash at its end. */
export type ZarrRequest =
  | { readonly kind: 'open'; readonly id: number; readonly address: string; readonly url: string }
  | { readonly kind: 'chunk'; readonly id: number; readonly handle: number; readonly place: readonly number[] }
  | { readonly kind: 'cancel'; readonly id: number };

export type ZarrReply = { readonly id: number } & (
  | { readonly kind: 'array'; readonly array: ArrayDescription }
  | { readonly kind: 'chunk'; readonly chunk: Chunk }
  /** `message` is a sentence for the user. */
  | { readonly kind: 'failed'; readonly message: string }
  /** Cancelled, or given up with another request that was. */
  | { readonly kind: 'cancelled' }
);
