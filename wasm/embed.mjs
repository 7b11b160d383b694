// Writes bytes as text that a program can hold: the frequent ones as one printable ASCII character, the others as two.
//
// Matches in the bytes stay matches in the text, so it compresses to what the bytes themselves compress to, where base64
// would be 40 % more; and it is shorter than base64, too. No character means anything to JavaScript or HTML, so no tool
// has a reason to rewrite it. wasm/src/inline.ts reads it.

// Printable, without quotes, backslash and $ (JavaScript) and without < (HTML).
const alphabet = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i))
  .filter((character) => !'"\'`\\$<'.includes(character))
  .join('');

/** The source of a module that exports `bytes` as text, and what is needed to read it. */
export function embed(bytes) {
  const count = new Array(256).fill(0);
  for (const byte of bytes) ++count[byte];
  const order = [...count.keys()].sort((a, b) => count[b] - count[a] || a - b);

  // With E escapes, A - E bytes are written alone and E x (A - E) after an escape: as few as are enough for all 256.
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
