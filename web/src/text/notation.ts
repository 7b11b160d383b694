// How a cell of the result is spelled out, by the notation of its operator in the vocabulary: "a + b" puts a sign between the
// operands, "max(a, b)" is a call with all of them, "c ? a : b" names three in their order.

/** Texts, and numbers that stand for operands. */
export type Spelling = readonly (string | number)[];

export function spell(notation: string, operands: number): Spelling {
  const call = /^(\w+)\(a, b\)$/.exec(notation);
  if (call) return [`${call[1]}(`, ...joined(operands, ', '), ')'];
  const infix = /^a (.+) b$/.exec(notation);
  if (infix) return joined(operands, ` ${infix[1]} `);
  const spelling: (string | number)[] = [];
  let next = 0;
  for (const text of notation.split(/\b([abc])\b/)) {
    if (/^[abc]$/.test(text)) spelling.push(next++);
    else if (text !== '') spelling.push(text);
  }
  return spelling;
}

function joined(operands: number, between: string): Spelling {
  return Array.from({ length: operands }, (_, i) => (i === 0 ? [i] : [between, i])).flat();
}
