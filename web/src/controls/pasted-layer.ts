// Turns a layer of OpenVINO's IR into a state of the page.

import type { PastedLayer } from '../code/openvino-layer';
import type { Engine } from '../engine/engine';
import { shapeText } from '../text/format';
import { shaped, type State } from '../state/state';
import { pickRule } from '../store/store';

/** The state with the layer as the question; options that could contradict the layer are cleared. */
export function stateOfLayer(core: Engine, now: State, layer: PastedLayer): State {
  const { rule, op, fmod, direction, to, shapes, dtype, axis, targetShape, axesMapping } = layer;
  const operands = shapes.map((shape) => shaped(shapeText(shape)));
  const asked = {
    ...now,
    op,
    fmod,
    direction,
    to,
    saturate: '',
    dtype: dtype ?? now.dtype,
    promote: '',
    operands,
    at: [],
  };
  return {
    ...pickRule(core, asked, rule),
    operands,
    axis: axis === null ? '' : String(axis),
    target: targetShape ? shapeText(targetShape) : '',
    mapping: axesMapping ? `[${axesMapping.join(', ')}]` : '',
  };
}
