// The metadata documents of Zarr arrays: finding them, and the attribute in them that marks arrays as incomplete while they
// are written. The Python package has the same attribute, so that each package refuses incomplete arrays of the other.

/** The attribute that says whether an array was written to its end. */
const ATTRIBUTE = 'broadloom';

/** A store as zarrita has them. `Map` is one. */
export interface Store {
  get(key: string, options?: object): Promise<Uint8Array | undefined> | Uint8Array | undefined;
  getRange?(key: string, range: object, options?: object): Promise<Uint8Array | undefined>;
  set?(key: string, value: Uint8Array): unknown;
}

/** The document of an array. */
export interface Metadata {
  readonly version: 2 | 3;
  /** The codecs of version 3, outermost first. */
  readonly codecs: readonly string[];
  /** Whether the array was left before its last chunk was written. */
  readonly isIncomplete: boolean;
}

type Document = { readonly [name: string]: unknown };

/** Reads an array's metadata; null where there is no array. @throws what the store or `JSON` throws. */
export async function readMetadata(store: Store, path: string, options: object): Promise<Metadata | null> {
  const read = async (name: string) => {
    const bytes = await store.get(keyOf(path, name), options);
    return bytes === undefined ? undefined : (JSON.parse(new TextDecoder().decode(bytes)) as Document);
  };
  const document = await read('zarr.json');
  if (document !== undefined) {
    const codecs = Array.isArray(document.codecs) ? (document.codecs as { readonly name?: unknown }[]) : [];
    const attributes = document.attributes as Document | undefined;
    return { version: 3, codecs: codecs.map((codec) => String(codec.name)), isIncomplete: isIncomplete(attributes) };
  }
  if ((await read('.zarray')) === undefined) return null;
  return { version: 2, codecs: [], isIncomplete: isIncomplete(await read('.zattrs')) };
}

function isIncomplete(attributes: Document | undefined): boolean {
  const mark = attributes?.[ATTRIBUTE] as { readonly complete?: unknown } | undefined;
  return mark?.complete !== undefined && mark.complete !== true;
}

/** Marks an array as incomplete, or as complete. `id` is that of the run that writes it. */
export async function mark(store: Store, path: string, version: 2 | 3, complete: boolean, id: string): Promise<void> {
  const key = keyOf(path, version === 3 ? 'zarr.json' : '.zattrs');
  const bytes = await store.get(key);
  if (bytes === undefined && version === 3) throw new Error(`${key} was removed`);
  const document = (bytes === undefined ? {} : parseExactly(new TextDecoder().decode(bytes))) as Document;
  const attributes = version === 3 ? (document.attributes as Document | undefined) : document;
  const marked = { ...attributes, [ATTRIBUTE]: { complete, id } };
  const text = formatExactly(version === 3 ? { ...document, attributes: marked } : marked);
  await store.set?.(key, new TextEncoder().encode(text));
}

export function keyOf(path: string, name: string): string {
  return path.endsWith('/') ? path + name : `${path}/${name}`;
}

// Numbers are kept as they are written: a fill value of 64 bits is not exact as a number of JavaScript. U+E000 is of private
// use; if it begins a text of the document, that text stays as it is, unless a number follows it.
const NUMBER_OR_TEXT = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g;

function parseExactly(text: string): unknown {
  return JSON.parse(text.replace(NUMBER_OR_TEXT, (part) => (part.startsWith('"') ? part : `"\ue000${part}"`)));
}

function formatExactly(document: unknown): string {
  return JSON.stringify(document, null, 2).replace(/"\ue000(-?\d[^"]*)"/g, '$1');
}
