// jax-js with its wasm backend. Lazy results are awaited; operators are compiled once (`jit`), as its users do.

const types = { f32: 'float32', f64: 'float64', i32: 'int32', u32: 'uint32', bool: 'bool' };
const ops = { Add: 'add', Sub: 'subtract', Mul: 'multiply', Div: 'trueDivide', Pow: 'power', Max: 'maximum' };
Object.assign(ops, { Min: 'minimum', Less: 'less', LessOrEqual: 'lessEqual', Greater: 'greater' });
Object.assign(ops, { GreaterOrEqual: 'greaterEqual', Equal: 'equal', NotEqual: 'notEqual' });

export async function start(load) {
  const jax = await load('@jax-js/jax/dist/index.js');
  const { numpy: np } = jax;
  await jax.init('wasm');
  jax.defaultDevice('wasm');
  return async ({ op, operands, target, result }) => {
    const why = operands.some(({ dtype }) => !types[dtype])
      ? 'it has no such element type'
      : op !== 'Broadcast' && !ops[op]
        ? 'it has no such operator'
        : undefined;
    if (why) return { resident: { cannot: why }, typed: { cannot: why } };
    const run = jax.jit(op === 'Broadcast' ? (x) => np.broadcastTo(x, target) : (x, y) => np[ops[op]](x, y));
    const array = ({ data, shape, dtype }) => np.array(data, { dtype: np[types[dtype]] }).reshape(shape);
    const arrays = operands.map(array);
    for (const one of arrays) await one.blockUntilReady();
    const read = (data) => (result.dtype === 'bool' ? Uint8Array.from(data) : data);
    let last;
    let got;
    return {
      resident: {
        isAsync: true,
        work: async () => {
          last?.dispose();
          last = await run(...arrays.map((one) => one.ref)).blockUntilReady();
        },
        result: () => ({ data: read(last.ref.dataSync()), shape: last.shape }),
      },
      typed: {
        work: () => {
          const output = run(...operands.map(array));
          got = { shape: output.shape, data: output.dataSync() };
        },
        result: () => ({ data: read(got.data), shape: got.shape }),
      },
    };
  };
}
