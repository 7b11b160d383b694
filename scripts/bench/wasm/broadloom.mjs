// The bench's calls of the package; no other file of the bench calls it. Pages load this file too, so it imports only the
// package, and only inside the timed code.

export const modes = ['resident', 'typed', 'typed_out'];

export async function loaded() {
  const { load } = await import('broadloom');
  return load();
}

// The options of a case.
function optionsOf({ rule, axis, target, mapping, fmod, direction, to }) {
  const attrs = {
    ...(fmod !== undefined && { fmod }),
    ...(direction !== undefined && { direction }),
    ...(to !== undefined && { to }),
  };
  return {
    ...(axis !== undefined && { axis }),
    ...(target !== undefined && { targetShape: target }),
    ...(mapping !== undefined && { axesMapping: mapping }),
    ...(Object.keys(attrs).length > 0 && { attrs }),
    rule,
  };
}

// Opens a case in one mode: {work(), result()}. Only work() is timed; result() then returns {data, shape}.
export const openers = {
  // Operands and result are tensors in wasm memory, and the plan is kept.
  resident(bl, item, operands) {
    const { rule, ...options } = optionsOf(item);
    const plan = bl.plan(
      item.op,
      rule,
      operands.map(({ shape }) => shape),
      operands.map(({ dtype }) => dtype),
      options,
    );
    const inputs = operands.map((operand) => bl.tensor(operand));
    const out = plan.run(inputs);
    return {
      work: () => plan.run(inputs, out),
      result: () => ({ data: out.read(), shape: out.shape }),
    };
  },

  // Typed arrays in, a new typed array out.
  typed(bl, { op, ...item }, operands) {
    const options = optionsOf(item);
    let got;
    return {
      work: () => (got = bl.apply(op, operands, options)),
      result: () => got,
    };
  },

  // Typed arrays in, the result into `out`.
  typed_out(bl, { op, ...item }, operands, out) {
    const options = { ...optionsOf(item), out };
    return {
      work: () => bl.apply(op, operands, options),
      result: () => out,
    };
  },
};

// The message if the package refused a case; undefined for any other error.
export function refusal(error) {
  return error.name === 'BroadcastError' ? `the library refuses it: ${error.code}: ${error.message}` : undefined;
}

// --- Small calls ------------------------------------------------------------------------------------------------------

const small = () => [
  { data: new Float32Array([1, 2, 3, 4, 5, 6]), shape: [2, 3] },
  { data: new Float32Array([10, 20, 30]), shape: [3] },
];
export const smallSum = [11, 22, 33, 14, 25, 36];

// The calls that add (2,3) and (3): name, and functions that run the call and read the sum's typed array.
export function smallCalls(bl) {
  const [a, b] = small();
  const out = { data: new Float32Array(6), shape: [2, 3] };
  const options = { out };
  const plan = bl.plan('Add', 'numpy', [a.shape, b.shape], ['f32', 'f32']);
  const inputs = [a.data, b.data];
  const into = out.data;
  const tensors = [a, b].map((operand) => bl.tensor(operand));
  const sum = plan.run(tensors);
  const calls = {
    'plain call, new result': { run: () => bl.add(a, b), read: (got) => got.data },
    'plain call with out': { run: () => bl.add(a, b, options), read: (got) => got.data },
    'plan, new result': { run: () => plan.run(inputs), read: (got) => got.data },
    'plan with out': { run: () => plan.run(inputs, into), read: () => into },
    'plan on tensors': { run: () => plan.run(tensors, sum), read: () => sum.read() },
  };
  return { operands: inputs, calls };
}

// Imports and loads the package, and computes a first sum.
export async function firstSum() {
  const [a, b] = small();
  const bl = await loaded();
  return bl.add(a, b).data;
}

// --- Explanations -----------------------------------------------------------------------------------------------------

// The calls that explain shapes, of the build with this entry.
export async function explanations(entry) {
  const { load } = await import(entry);
  const bl = await load({ explanations: true });
  const align = (shapes) => bl.align('numpy', shapes);
  return {
    align,
    fits: (shapes) => align(shapes).error === null,
    explain(shapes) {
      const alignment = align(shapes);
      return [alignment.cause, alignment.warnings()];
    },
    repairs: (shapes) => align(shapes).repairs(),
  };
}

// --- Memory -----------------------------------------------------------------------------------------------------------

// Bytes of the wasm memory.
export const memoryBytes = (bl) => bl.memory().bytes;

export const addInto = (bl, a, b, out) => bl.add(a, b, { out });

// A small call whose result is dropped.
export function smallCall(bl) {
  const [a, b] = small();
  return () => bl.add(a, b);
}

/** Operators on tensors into a tensor, by one thread and by `count`: the calls, and whether their results are the same. */
export async function threadCalls(count) {
  const { load: loadThreads } = await import('broadloom/threads');
  const [alone, threaded] = [await loaded(), await loadThreads({ threads: count })];
  const cases = [
    ['add', 1 << 22],
    ['add', 1 << 24],
    ['pow', 1 << 20],
  ].map(([method, length]) => {
    const operands = [(i) => 1 + (i % 1000) / 500, (i) => (i % 7) / 3, () => 0].map((value) => ({
      data: Float32Array.from({ length }, (_, i) => value(i)),
      shape: [length],
    }));
    const [[a, b, out], [x, y, target]] = [alone, threaded].map((bl) => operands.map((array) => bl.tensor(array)));
    return {
      name: `${method} ${length}`,
      one: () => alone[method](a, b, { out }),
      many: () => threaded[method](x, y, { out: target }),
      isRight: () => Buffer.from(out.read().buffer).equals(Buffer.from(target.read().buffer)),
    };
  });
  return { cases, close: () => threaded.close() };
}
