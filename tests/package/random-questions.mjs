// Random operands that fit under each rule, for tests that compute boxes or chunks of results.

/** Rules of which plans can be made, with the operator to use. */
export const RULES = {
  none: 'Add',
  numpy: 'Sub',
  onnx_multidirectional: 'Mul',
  onnx_unidirectional: 'PRelu',
  pdpd: 'Sub',
  bidirectional: 'Broadcast',
  broadcast_numpy: 'Broadcast',
  explicit: 'Broadcast',
};

/** Shapes and options of a question under `rule`: the result has at most `rank` axes of at most `most` elements. */
export function randomQuestion(random, rule, rank = 4, most = 7) {
  const shape = Array.from({ length: random(rank + 1) }, () => 1 + random(most));
  const some = (extents) => extents.map((extent) => (random(3) === 0 ? 1 : extent));
  const ending = () => some(shape.slice(random(shape.length + 1)));
  if (rule === 'none') return { shapes: [shape, shape], options: {} };
  if (rule === 'numpy' || rule === 'onnx_multidirectional') {
    return random(2) === 0
      ? { shapes: [some(shape), ending()], options: {} }
      : { shapes: [ending(), shape], options: {} };
  }
  if (rule === 'onnx_unidirectional') return { shapes: [shape, ending()], options: {} };
  if (rule === 'pdpd') {
    if (random(3) === 0) return { shapes: [shape, ending()], options: {} };
    const axis = random(shape.length + 1);
    const b = some(shape.slice(axis, axis + random(shape.length - axis + 1)));
    return { shapes: [shape, b], options: axis < shape.length ? { axis } : {} };
  }
  if (rule === 'bidirectional')
    return { shapes: [some(shape)], options: { targetShape: random(2) ? shape : ending() } };
  if (rule === 'broadcast_numpy') return { shapes: [ending()], options: { targetShape: shape } };
  const axesMapping = shape.map((_, axis) => axis).filter(() => random(3) > 0);
  return { shapes: [some(axesMapping.map((axis) => shape[axis]))], options: { targetShape: shape, axesMapping } };
}

/** Boxes that divide a shape: random cuts along each axis, then in random order. */
export function randomDivision(random, shape) {
  const cuts = shape.map((extent) => {
    const inner = Array.from({ length: extent - 1 }, (_, i) => i + 1).filter(() => random(2) === 0);
    return [0, ...inner, extent];
  });
  let boxes = [[]];
  for (const list of cuts) {
    boxes = boxes.flatMap((box) => list.slice(1).map((end, i) => [...box, { begin: list[i], end }]));
  }
  return boxes
    .map((box) => [random(1000), box])
    .sort(([a], [b]) => a - b)
    .map(([, box]) => box);
}
