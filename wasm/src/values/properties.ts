// Properties of what callers give. Those that a program has put on Object.prototype do not count.

const EVERY = Object.prototype;

/** What `ask` returns; false where it throws, since it may run the caller's code. */
export function asked(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    return false;
  }
}

/** A property of the object itself or of its class. */
export function propertyOf(value: object, name: string): unknown {
  if (!(name in EVERY)) return (value as { readonly [name: string]: unknown })[name];
  for (let at: object | null = value; at !== null && at !== EVERY; at = Object.getPrototypeOf(at) as object | null) {
    if (Object.hasOwn(at, name)) return Reflect.get(at, name, value);
  }
  return undefined;
}

/** Properties by name, each read once. */
export function propertiesOf<K extends string>(value: object, names: readonly K[]): { readonly [N in K]: unknown } {
  return Object.fromEntries(names.map((name) => [name, propertyOf(value, name)])) as { readonly [N in K]: unknown };
}

/** The name of an object's kind, whatever realm it is of: `URL`, `Response`, `ArrayBuffer`. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
