// What the package uses of zarrita, which is an optional peer dependency. Its own types are not needed for the build.

export interface Chunk {
  readonly data: { readonly buffer: ArrayBufferLike; readonly byteOffset: number; readonly length: number };
  readonly shape: number[];
  readonly stride: number[];
}

export interface Location {
  readonly store: object;
  readonly path: string;
}

/** The class `Array` of zarrita. */
export interface OpenArray {
  readonly store: object;
  readonly path: string;
  readonly shape: number[];
  readonly chunks: number[];
  readonly dtype: string;
  readonly fillValue: unknown;
  getChunk(coordinates: readonly number[], options?: { readonly signal?: AbortSignal }): Promise<Chunk>;
}

export declare const Location: new (store: object, path: string) => Location;

export declare const open: {
  v2(location: Location, options: { readonly kind: 'array'; readonly attrs?: boolean }): Promise<OpenArray>;
  v3(location: Location, options: { readonly kind: 'array' }): Promise<OpenArray>;
};

export declare function slice(begin: number, end: number): unknown;

export declare function set(array: OpenArray, selection: readonly unknown[] | null, value: unknown): Promise<void>;
