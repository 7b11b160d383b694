// Names of operands as names of variables, good in Python, JavaScript and C++ alike.

// Reserved words and predefined names of the languages, macros of C++'s headers, and the names that the texts import. Other
// names that a text uses are not listed: withVariables reads them from the text.
const taken = new Set(
  `abs aiter alert alignas alignof all and and_eq anext any arguments array as ascii asm assert async atomic_cancel
  atomic_commit atomic_noexcept auto await bin bitand bitor bl blur bool box break breakpoint bytearray bytes callable
  case catch cdef char char16_t char32_t char8_t chr class classmethod close closed co_await co_return co_yield
  compile compl complex concept confirm console const const_cast consteval constexpr constinit continue copyright
  credits crypto data debugger decltype def default del delattr delete dict dir divmod do document double dynamic_cast
  elif else enum enumerate errno eval event except exec exit explicit export exports extends extern external false
  fetch filter final finally find float focus for format frames friend from frozenset function get getattr global
  globals goto graph hasattr hash help helper hex history i386 id if implements import in inline input inputs
  instanceof int interface is isinstance issubclass iter jax jnp lambda len length let license linux list load locals
  location long main major makedev map match math max memoryview menubar min minor module mutable name namespace
  native navigator new next noexcept none nonlocal not not_eq np null nullptr object oct of onnx open opener operator
  ops or or_eq ord origin out outputs outs ov package parent pass performance plan pow print private process program
  prompt property protected public quit raise ran range reflexpr register reinterpret_cast repr require requires
  result return reversed round screen self set setattr shape shapes short signed size sizeof slice sorted static
  static_assert static_cast staticmethod status std stderr stdin stdout stop str struct sum super switch synchronized
  template tf this thread_local throw top torch true try tuple type typedef typeid typename typeof types undefined
  union unix unsigned using value var vars virtual void volatile wchar_t while window with xor xor_eq yield zip`.split(
    /\s+/,
  ),
);

/** The words of a text besides the variables, and the endings that it adds to these: `_shape` in `a_shape`. */
interface Used {
  readonly words: ReadonlySet<string>;
  readonly endings: readonly string[];
}

const nothing: Used = { words: new Set(), endings: [''] };

/**
 * One variable for each operand: A is `a`, "attention mask" is `attention_mask`. A name that is not valid in all languages, or
 * is taken, becomes `x0`, `x1`, by the operand's number.
 */
export function variables(names: readonly string[], { words, endings }: Used = nothing): readonly string[] {
  const family = (variable: string): readonly string[] => endings.map((ending) => variable + ending);
  // The replacements are reserved first, so that no later name takes one.
  const instead = names.map((_, i) => {
    let variable = `x${i}`;
    while (family(variable).some((word) => words.has(word))) variable += '_';
    return variable;
  });
  const seen = new Set(instead.flatMap(family));
  return names.map((name, i) => {
    const plain = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '_')
      .replace(/^_+|_+$/g, '');
    const own = family(plain);
    const free = own.every((word) => !taken.has(word) && !words.has(word) && !seen.has(word));
    const variable = free && /^[a-z]\w{0,30}$/.test(plain) && !/^x\d+$/.test(plain) ? plain : (instead[i] ?? '');
    for (const word of family(variable)) seen.add(word);
    return variable;
  });
}

/** Unlikely variables, with which a text is written once to see its other words. */
const draft = (operand: number): string => `qz${operand}zq`;
const drafted = /^qz\d+zq(\w*)$/;

/**
 * A text with a variable for each of the names. No variable is another word of the text: the text is written twice, the first
 * time to collect its words.
 */
export function withVariables(names: readonly string[], write: (variables: readonly string[]) => string): string {
  const words = new Set<string>();
  const endings = new Set(['']);
  for (const [word] of write(names.map((_, i) => draft(i))).matchAll(/\b[A-Za-z_]\w*/g)) {
    const ending = drafted.exec(word)?.[1];
    if (ending === undefined) words.add(word);
    else endings.add(ending);
  }
  return write(variables(names, { words, endings: [...endings] }));
}
