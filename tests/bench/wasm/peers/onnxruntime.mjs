// onnxruntime-web: a session on a model with one node. Its tensors are typed arrays, which every run copies in and out.

const types = { f32: [1, 'float32'], u8: [2, 'uint8'], i8: [3, 'int8'], u16: [4, 'uint16'], i16: [5, 'int16'] };
Object.assign(types, { i32: [6, 'int32'], i64: [7, 'int64'], bool: [9, 'bool'], f16: [10, 'float16'] });
Object.assign(types, { f64: [11, 'float64'], u32: [12, 'uint32'], u64: [13, 'uint64'] });

const resident = { cannot: 'its tensors are typed arrays: none stays in wasm memory' };

export async function start(load) {
  const { InferenceSession, Tensor, env } = await load('onnxruntime-web/dist/ort.node.min.mjs');
  env.wasm.numThreads = 1;
  env.logLevel = 'fatal';
  return async ({ op, operands, target, result }) => {
    const types1 = [...operands, result].map(({ dtype }) => types[dtype]);
    if (types1.includes(undefined)) return { resident, typed: { cannot: 'it has no such element type' } };
    const isBroadcast = op === 'Broadcast';
    const values = operands.map(({ dtype, shape }, i) => ({ name: `x${i}`, type: types[dtype][0], shape }));
    const output = { name: 'y', type: types[result.dtype][0], shape: target };
    const shape = { name: 'shape', dims: [target.length], values: target };
    const model = modelOf(isBroadcast ? 'Expand' : op, values, output, isBroadcast ? [shape] : []);
    let session;
    try {
      session = await InferenceSession.create(model, { executionProviders: ['wasm'], graphOptimizationLevel: 'all' });
    } catch (error) {
      return { resident, typed: { cannot: error.message } };
    }
    const tensor = ({ data, shape: dims, dtype }) => new Tensor(types[dtype][1], data, dims);
    let got;
    return {
      resident,
      typed: {
        isAsync: true,
        work: async () => {
          const feeds = {};
          for (let i = 0; i < operands.length; ++i) feeds[`x${i}`] = tensor(operands[i]);
          got = await session.run(feeds);
        },
        result: () => ({ data: got.y.data, shape: got.y.dims }),
      },
    };
  };
}

// --- The model, in the wire format of protocol buffers ----------------------------------------------------------------

const varint = (value) => {
  const bytes = [];
  for (let left = BigInt.asUintN(64, BigInt(value)); ; left >>= 7n) {
    if (left < 128n) return [...bytes, Number(left)];
    bytes.push(Number(left & 127n) | 128);
  }
};
const integer = (field, value) => [...varint(field << 3), ...varint(value)];
const bytes = (field, content) => [...varint((field << 3) | 2), ...varint(content.length), ...content];
const text = (field, value) => bytes(field, [...new TextEncoder().encode(value)]);

const valueInfo = ({ name, type, shape }) => {
  const dims = shape.flatMap((extent) => bytes(1, integer(1, extent)));
  return [...text(1, name), ...bytes(2, bytes(1, [...integer(1, type), ...bytes(2, dims)]))];
};
const constant = ({ name, dims, values }) => [
  ...dims.flatMap((extent) => integer(1, extent)),
  ...integer(2, 7), // int64
  ...values.flatMap((value) => integer(7, value)),
  ...text(8, name),
];

function modelOf(op, inputs, output, constants) {
  const names = [...inputs, ...constants].map(({ name }) => text(1, name)).flat();
  const node = [...names, ...text(2, output.name), ...text(4, op)];
  const graph = [
    ...bytes(1, node),
    ...text(2, 'graph'),
    ...constants.flatMap((one) => bytes(5, constant(one))),
    ...inputs.flatMap((one) => bytes(11, valueInfo(one))),
    ...bytes(12, valueInfo(output)),
  ];
  const opset = bytes(8, integer(2, 17));
  return new Uint8Array([...integer(1, 8), ...bytes(7, graph), ...opset]);
}
