// Names of operands as names of variables, good in Python, JavaScript and C++ alike.

// What the texts themselves use, and words that one of the languages keeps.
const taken = new Set(
  `and as assert async auto await bl bool break case catch char class const continue data def default del delete do
  double elif else enum except export extern false finally float for friend from function global goto graph helper if
  import in inline int is jax jnp lambda let load long main model namespace new none nonlocal not np null onnx operator
  ops or out outs ov pass plan private public raise ref return session shape short signed size sizeof static std struct
  super switch template tf this throw torch true try typedef typename typeof union unsigned using var void volatile
  while with xor yield math inputs outputs types shapes ran box value result`.split(/\s+/),
);

/**
 * One variable for each operand: A is `a`, "attention mask" is `attention_mask`; what no language takes, or is there
 * already, becomes `x0`, `x1`, by its number.
 */
export function variables(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.map((name, i) => {
    const plain = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '');
    const good = /^[a-z]\w{0,30}$/.test(plain) && !/^x\d+$/.test(plain) && !taken.has(plain) && !seen.has(plain);
    const variable = good ? plain : `x${i}`;
    seen.add(variable);
    return variable;
  });
}
