// How a cell of the result is spelled out. The notation is the vocabulary's:
// "a + b" puts its sign between the operands, "max(a, b)" calls a name on all
// of them, "c ? a : b" names its three in their order.

/** Pieces of text, and numbers that stand for operands. */
export type Spelling = readonly (string | number)[];

export function spell(notation: string, operands: number): Spelling {
  const call = /^(\w+)\(a, b\)$/.exec(notation);
  if (call) return [`${call[1]}(`, ...joined(operands, ', '), ')'];
  const infix = /^a (.+) b$/.exec(notation);
  if (infix) return joined(operands, ` ${infix[1]} `);
  const pieces: (string | number)[] = [];
  let next = 0;
  for (const piece of notation.split(/\b([abc])\b/)) {
    if (/^[abc]$/.test(piece)) pieces.push(next++);
    else if (piece !== '') pieces.push(piece);
  }
  return pieces;
}

function joined(operands: number, between: string): Spelling {
  return Array.from({ length: operands }, (_, i) => (i === 0 ? [i] : [between, i])).flat();
}
