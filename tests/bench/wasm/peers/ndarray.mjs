// ndarray and ndarray-ops: views of typed arrays, and loops compiled for their strides. The library has no
// broadcasting; an axis of stride 0 has the same effect.

const ops = { Add: 'add', Sub: 'sub', Mul: 'mul', Div: 'div', Pow: 'pow', Max: 'max', Min: 'min', Broadcast: 'assign' };
Object.assign(ops, {
  Less: 'lt',
  LessOrEqual: 'leq',
  Greater: 'gt',
  GreaterOrEqual: 'geq',
  Equal: 'eq',
  NotEqual: 'neq',
});

const resident = { cannot: 'its arrays are typed arrays' };

export async function start(load) {
  const { default: ndarray } = await load('ndarray/ndarray.js');
  const { default: operators } = await load('ndarray-ops/ndarray-ops.js');
  return async ({ op, operands, target, result }) => {
    const run = operators[ops[op]];
    if (!run) return { resident, typed: { cannot: 'it has no such operator' } };
    if (/^(f16|bf16|c|[iu]4|u1)/.test(result.dtype))
      return { resident, typed: { cannot: 'it has no such element type' } };
    const view = ({ data, shape }) => {
      const padded = [...Array(target.length - shape.length).fill(1), ...shape];
      const strides = [];
      for (let axis = padded.length - 1, stride = 1; axis >= 0; stride *= padded[axis--])
        strides.unshift(padded[axis] === 1 ? 0 : stride);
      return ndarray(data, target, strides);
    };
    const { constructor: Held, length } = result.data;
    let got;
    return {
      resident,
      typed: {
        work: () => {
          got = ndarray(new Held(length), target);
          run(got, ...operands.map(view));
        },
        result: () => ({ data: got.data, shape: got.shape }),
      },
    };
  };
}
