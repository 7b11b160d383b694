// Decodes WebAssembly that is embedded in a script as text.

/** Characters that are decoded by one call. */
const CHUNK = 512;

/** What `embed` of embed.mjs wrote. */
export interface EmbeddedText {
  /** The file's size in bytes. */
  readonly size: number;
  /** The number of escapes: characters that stand for a byte only together with the next character. */
  readonly escapes: number;
  /** All characters of the text: first the escapes, then those that stand for a byte. */
  readonly alphabet: string;
  /**
   * The bytes in hexadecimal, two digits each: those that one character stands for, then those after the first escape,
   * and so on.
   */
  readonly order: string;
  readonly text: string;
}

/** Decodes the text that `embed` of embed.mjs wrote. */
export function decode({ alphabet, escapes, order, size, text }: EmbeddedText): Uint8Array<ArrayBuffer> {
  // The meaning of each character: in the first 128 entries where no escape precedes it, in the next 128 after the
  // first escape, and so on. A value below 256 is a byte. A value from 256 on is an escape: 256 plus the index of the
  // entries for the next character.
  const table = new Uint16Array((escapes + 1) * 128);
  const singles = alphabet.length - escapes;
  for (let rank = 0; rank < 256; ++rank) {
    const after = Math.floor(rank / singles) * 128;
    const byte = Number.parseInt(order.slice(2 * rank, 2 * rank + 2), 16);
    table[after + alphabet.charCodeAt(escapes + (rank % singles))] = byte;
  }
  for (let i = 0; i < escapes; ++i) table[alphabet.charCodeAt(i)] = 256 + (i + 1) * 128;

  const bytes = new TextEncoder().encode(text); // decoded in place: the write position never passes the read position
  let written = 0;
  let after = 0;
  const decodeChunk = (begin: number, end: number) => {
    for (let i = begin; i < end; ++i) {
      const meaning = table[after + (bytes[i] as number)] as number;
      if (meaning < 256) bytes[written++] = meaning;
      after = meaning < 256 ? 0 : meaning - 256;
    }
  };
  // Engines optimise a function that is called often sooner than one long loop: this takes half the time.
  for (let i = 0; i < bytes.length; i += CHUNK) decodeChunk(i, Math.min(i + CHUNK, bytes.length));
  return bytes.subarray(0, size);
}
