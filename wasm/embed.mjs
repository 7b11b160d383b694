// Encodes bytes as text for a JavaScript string: frequent bytes as one printable ASCII character, the others as two.
//
// Equal sequences of bytes become equal texts, so the text compresses as well as the bytes; base64 compresses to 40 %
// more, and is longer without compression, too. The characters have no special meaning in JavaScript or HTML, so tools
// leave them as they are. wasm/src/decode.ts decodes the text.

// Printable, without quotes, backslash and $ (JavaScript) and without < (HTML).
const alphabet = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
  .filter((character) => !'"\'`\\$<'.includes(character))
  .join('');

/** The source of a module that exports `bytes` as text, and the tables for decoding it. */
export function embed(bytes) {
  const count = new Array(256).fill(0);
  for (const byte of bytes) ++count[byte];
  const order = [...count.keys()].sort((a, b) => count[b] - count[a] || a - b);

  // Of A characters, E are escapes. Then A - E bytes have one character and E x (A - E) an escape and a character. E is
  // the least number for which that is enough for all 256 bytes.
  let escapes = 1;
  while ((alphabet.length - escapes) * (escapes + 1) < 256) ++escapes;
  const singles = alphabet.length - escapes;
  const written = new Array(256);
  order.forEach((byte, rank) => {
    const escape = rank < singles ? '' : alphabet[Math.floor(rank / singles) - 1];
    written[byte] = escape + alphabet[escapes + (rank % singles)];
  });

  const values = {
    size: bytes.length,
    escapes,
    alphabet,
    order: Buffer.from(order).toString('hex'),
    text: Array.from(bytes, (byte) => written[byte]).join(''),
  };
  return Object.entries(values)
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)};\n`)
    .join('');
}
