// Every public call that asks the core, each in a form that allocates; used by the tests of refused memory.

const f32 = (values, shape = [values.length]) => ({ data: new Float32Array(values), shape });
const u8 = (values) => ({ data: new Uint8Array(values), shape: [values.length] });
const wide = Array(40).fill(1);
const clash = [Array(40).fill(3), Array(40).fill(2)];
const plainOf = (result) => (Array.isArray(result) ? result.map(plainOf) : result?.read ? plainTensor(result) : result);

function plainTensor(tensor) {
  const plain = { data: tensor.read(), shape: [...tensor.shape], dtype: tensor.dtype };
  tensor.dispose();
  return plain;
}

function withTensors(bl, values, use) {
  const tensors = [];
  try {
    for (const value of values) tensors.push(bl.tensor(value));
    return plainOf(use(...tensors));
  } finally {
    for (const tensor of tensors) tensor.dispose();
  }
}

function withPlan(bl, use) {
  const plan = bl.plan('Add', 'numpy', [[2, 3], [3]], ['f32', 'f32']);
  try {
    return plainOf(use(plan));
  } finally {
    plan.dispose();
  }
}

/** By name: a call that returns something comparable. It releases what it allocates in the module. */
export const CALLS = {
  vocabulary: (bl) => Object.keys(bl.vocabulary.ops).length,
  inferShape: (bl) => bl.inferShape('numpy', [wide, wide]),
  align: (bl) => bl.align('numpy', [wide, wide]).axes.length,
  verdict: (bl) => bl.align('numpy', clash).verdict,
  why: (bl) => bl.align('numpy', clash).axes[39].why,
  sourceOf: (bl) => bl.align('numpy', [wide, wide]).sourceOf(0, Array(40).fill(0)),
  fanOut: (bl) => bl.align('numpy', [wide, wide]).fanOut(0, Array(40).fill(0)),
  repairs: (bl) =>
    bl
      .align('numpy', [
        [2, 3, 4, 5],
        [3, 1],
      ])
      .repairs(),
  broadcastShapes: (bl) => bl.broadcastShapes(wide, [3]),
  countElements: (bl) => bl.countElements(wide),
  countBytes: (bl) => bl.countBytes(wide, 'f32'),
  parseShape: (bl) => bl.parseShape(`(${wide.join()})`),
  parseIntegers: (bl) => bl.parseIntegers(wide.join()),
  formatShape: (bl) => bl.formatShape(wide),
  formatOperand: (bl) => bl.formatOperand(1),
  resultType: (bl) => bl.resultType('i8', 'u8', 2.5),
  promotedTypes: (bl) => bl.promotedTypes('Add', 'i8', 'u8'),
  'apply to arrays': (bl) => bl.apply('Add', [f32([1, 2]), f32([3])]),
  'a number': (bl) => bl.add(f32([1, 2]), 1),
  'a list': (bl) => bl.add(f32([1, 2]), [3, 4]),
  'numbers alone': (bl) => bl.add(1, 2),
  promote: (bl) => bl.add(u8([1, 2]), f32([0.5]), { promote: 'numpy2' }),
  where: (bl) => bl.where([true, false], f32([1, 2]), f32([3, 4])),
  'the form nested': (bl) => bl.mul(f32([1, 2]), f32([3]), { as: 'nested' }),
  strides: (bl) => bl.add({ data: new Float32Array(4), shape: [2], stride: [2], offset: 1 }, f32([1])),
  out: (bl) => bl.add(f32([1, 2]), f32([3]), { out: f32([0, 0]) }),
  'many axes': (bl) => bl.add(f32([1], wide), f32([2], wide)),
  'many operands': (bl) => bl.sum(Array.from({ length: 20 }, () => f32([1, 2]))),
  'many blocks': (bl) => bl.add(f32(new Float32Array(300_000), [3, 100_000]), f32([1])).data.length,
  sonnx: (bl) => bl.apply('Broadcast', [f32([1]), f32([5, 6])], { rule: 'sonnx' }),
  broadcast: (bl) => bl.broadcast(f32([1, 2]), { mode: 'explicit', targetShape: [2, 3], axesMapping: [0] }),
  broadcastTo: (bl) => bl.broadcastTo(f32([1]), [2, 3]),
  broadcastArrays: (bl) => bl.broadcastArrays(f32([1]), f32([2], wide)),
  sumTo: (bl) => bl.sumTo(f32([1, 2, 3, 4], [2, 2]), [2]),
  'sumTo of values': (bl) => bl.sumTo([[1, 2], [3, 4]], [2]), // prettier-ignore
  plan: (bl) => withPlan(bl, (plan) => plan.run([new Float32Array(6), new Float32Array(3)])),
  'plan of values': (bl) => withPlan(bl, (plan) => plan.run([new Float32Array(6), [1, 2, 3]])),
  region: (bl) =>
    withPlan(bl, (plan) => {
      const box = [
        { begin: 0, end: 1 },
        { begin: 1, end: 3 },
      ];
      return plan.runRegion(box, [new Float32Array(6), new Float32Array(3)]);
    }),
  tensor: (bl) => withTensors(bl, [f32([1, 2])], (tensor) => tensor.view((data) => data.length)),
  'add of tensors': (bl) => withTensors(bl, [f32([1, 2]), f32([3])], (a, b) => bl.add(a, b)),
  'tensor and number': (bl) => withTensors(bl, [f32([1, 2])], (a) => bl.add(a, 1)),
  'tensor, promoted': (bl) => withTensors(bl, [u8([1, 2])], (a) => bl.add(a, 0.5, { promote: 'numpy2' })),
  'sumTo of a tensor': (bl) => withTensors(bl, [f32([1, 2, 3, 4], [2, 2])], (a) => bl.sumTo(a, [2])),
  'an error of shapes': (bl) => bl.add(f32([1, 2]), f32([1, 2, 3])),
  'an error of many axes': (bl) => bl.inferShape('numpy', clash),
  'an error of types': (bl) => bl.add(f32([1]), u8([1])),
  'an error of a text': (bl) => bl.parseShape('2,,3 ;;x'),
  'an unknown name': (bl) => bl.apply('Plus', []),
};

/** The outcome of a call: its result, or the class and the fields of its BroadcastError. */
export function outcomeOf(call, bl) {
  try {
    return { result: call(bl) };
  } catch (error) {
    if (error?.name !== 'BroadcastError') throw error;
    const { code, detail, operand, axis, message } = error;
    return { code, detail, operand, axis, message };
  }
}
