// Turns a layer of OpenVINO's IR into a state of the page.

import type { Engine, LayerQuestion } from '../engine/engine';
import { shapeText } from '../text/format';
import { shaped, type State } from '../state/state';
import { pickRule } from '../store/store';

/** The state with the layer as the question; options that could contradict the layer are cleared. */
export function stateOfLayer(core: Engine, now: State, layer: LayerQuestion): State {
  const { rule, op, attrs, shapes, dtype, axis, targetShape, axesMapping } = layer;
  const operands = shapes.map((shape) => shaped(shapeText(shape)));
  const asked = {
    ...now,
    op,
    fmod: attrs.fmod === undefined ? '' : String(attrs.fmod),
    direction: attrs.direction ?? '',
    to: attrs.to ?? '',
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
