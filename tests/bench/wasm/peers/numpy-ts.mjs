// numpy-ts: arrays are in wasm memory; kernels in wasm or loops in JavaScript compute with them.

const types = { f32: 'float32', f64: 'float64', i8: 'int8', i16: 'int16', i32: 'int32', i64: 'int64', bool: 'bool' };
Object.assign(types, {
  u8: 'uint8',
  u16: 'uint16',
  u32: 'uint32',
  u64: 'uint64',
  c64: 'complex64',
  c128: 'complex128',
});
const ops = { Add: 'add', Sub: 'subtract', Mul: 'multiply', Pow: 'power', Max: 'maximum', Min: 'minimum' };
Object.assign(ops, { Less: 'less', LessOrEqual: 'less_equal', Greater: 'greater', GreaterOrEqual: 'greater_equal' });
Object.assign(ops, { Equal: 'equal', NotEqual: 'not_equal' });

export async function start(load) {
  const np = await load('numpy-ts/dist/esm/index.js');
  return async ({ op, operands, target }) => {
    const why = operands.some(({ dtype }) => !types[dtype])
      ? 'it has no such element type'
      : op !== 'Broadcast' && !ops[op]
        ? 'it has no such operator'
        : undefined;
    if (why) return { resident: { cannot: why }, typed: { cannot: why } };
    const run = op === 'Broadcast' ? (x) => np.copy(np.broadcast_to(x, target)) : np[ops[op]];
    // The constructor would copy a typed array element by element.
    const array = ({ data, shape, dtype }) => np.frombuffer(data.buffer, types[dtype]).reshape(...shape);
    const arrays = operands.map(array);
    let last;
    let got;
    return {
      resident: {
        work: () => {
          last?.dispose();
          last = run(...arrays);
        },
        result: () => ({ data: last.data.slice(), shape: [...last.shape] }),
      },
      typed: {
        work: () => {
          const inputs = operands.map(array);
          const output = run(...inputs);
          got = { data: output.data.slice(), shape: [...output.shape] };
          for (const one of inputs) one.dispose();
          output.dispose();
        },
        result: () => got,
      },
    };
  };
}
