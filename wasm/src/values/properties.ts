// Properties of what callers give. What somebody put on every object, by way of Object.prototype, is nobody's.

const EVERY = Object.prototype;

/** What `ask` gives, which is code of the caller's: false where that throws. */
export function asked(ask: () => boolean): boolean {
  try {
    return ask();
  } catch {
    return false;
  }
}

/** A property of the object's own or of its class. */
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

/** What an object is, of any realm: `URL`, `Response`, `ArrayBuffer`. */
export function kindOf(value: unknown): string {
  return Object.prototype.toString.call(value).slice(8, -1);
}
