// The part of saxes that is used. Its own declarations do not compile with `exactOptionalPropertyTypes`.

export class SaxesParser {
  on(event: 'error', listener: (error: Error) => void): void;
  on(event: 'comment' | 'doctype' | 'text', listener: (text: string) => void): void;
  on(
    event: 'opentag',
    listener: (tag: { readonly name: string; readonly attributes: Readonly<Record<string, string>> }) => void,
  ): void;
  on(event: 'closetag', listener: (tag: { readonly name: string }) => void): void;
  write(text: string): this;
  close(): this;
}
