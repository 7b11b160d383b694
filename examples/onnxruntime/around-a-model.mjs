// Broadcasting before and after a model, on onnxruntime's tensors.
//
//   node around-a-model.mjs

import { load } from 'broadloom';
import { Tensor } from 'onnxruntime-common';

const bl = await load();

// Before: a picture of shape (1, 3, 2, 2), channels first. Mean and deviation have one number for each channel. Under
// the rule `pdpd`, axis 1 places them on the picture's channel axis, without reshaping a tensor to (3, 1, 1).
const picture = new Tensor(
  'float32',
  Float32Array.from({ length: 12 }, (_, i) => i / 11),
  [1, 3, 2, 2],
);
const mean = new Tensor('float32', new Float32Array([0.485, 0.456, 0.406]), [3]);
const deviation = new Tensor('float32', new Float32Array([0.229, 0.224, 0.225]), [3]);
const byChannel = { rule: 'pdpd', axis: 1, as: 'onnx' };

const centred = bl.sub(picture, mean, byChannel);
const input = bl.div(centred, deviation, byChannel);
console.log(
  `input: ${input.constructor === Tensor ? 'a Tensor' : 'something else'} of ${input.type}, dims ${input.dims}`,
);
console.log(`first and last: ${input.data[0].toFixed(3)} ${input.data.at(-1).toFixed(3)}`);

// Here `session.run({ input })` would return the scores; these are examples.
const scores = new Tensor('float32', new Float32Array([1, 2, 3, 4, 5, 6]), [2, 3]);

// After: a weight for each class, and one number for all. Numbers and lists take the tensor's type.
const weighted = bl.mul(scores, [0.5, 1, 2], { as: 'onnx' });
const calibrated = bl.add(weighted, 1, { as: 'onnx' });
console.log(`scores: dims ${calibrated.dims}, ${calibrated.data.join(' ')}`);
