// TensorFlow.js with its wasm backend: tensors are in wasm memory.
import path from 'node:path';

const types = { f32: 'float32', i32: 'int32', bool: 'bool' };
const ops = { Add: 'add', Sub: 'sub', Mul: 'mul', Div: 'div', Pow: 'pow', Max: 'maximum', Min: 'minimum' };
Object.assign(ops, { Less: 'less', LessOrEqual: 'lessEqual', Greater: 'greater', GreaterOrEqual: 'greaterEqual' });
Object.assign(ops, { Equal: 'equal', NotEqual: 'notEqual', SquaredDifference: 'squaredDifference' });

export async function start(load, folder) {
  const tf = await load('@tensorflow/tfjs-core/dist/tf-core.node.js');
  const { setWasmPaths } = await load('@tensorflow/tfjs-backend-wasm/dist/tf-backend-wasm.node.js');
  setWasmPaths(path.join(folder, 'node_modules/@tensorflow/tfjs-backend-wasm/dist/'));
  await tf.setBackend('wasm');
  return async ({ op, operands, target }) => {
    const why = operands.some(({ dtype }) => !types[dtype])
      ? 'it has no such element type'
      : op !== 'Broadcast' && !ops[op]
        ? 'it has no such operator'
        : undefined;
    if (why) return { resident: { cannot: why }, typed: { cannot: why } };
    const run = op === 'Broadcast' ? (x) => tf.broadcastTo(x, target) : tf[ops[op]];
    const tensor = ({ data, shape, dtype }) => tf.tensor(data, shape, types[dtype]);
    const tensors = operands.map(tensor);
    let last;
    let got;
    return {
      resident: {
        work: () => {
          last?.dispose();
          last = run(...tensors);
        },
        result: () => ({ data: last.dataSync(), shape: last.shape }),
      },
      typed: {
        work: () => {
          const inputs = operands.map(tensor);
          const output = run(...inputs);
          got = { data: output.dataSync(), shape: output.shape };
          for (const one of inputs) one.dispose();
          output.dispose();
        },
        result: () => got,
      },
    };
  };
}
