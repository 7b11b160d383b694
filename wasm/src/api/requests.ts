// Reads what a caller asks into requests for the core.

import type { Extent } from '../types/extent.js';
import type { DType, OpName, RuleName } from '../types/vocabulary.js';
import type { Core } from '../core/core.js';
import type { Meant } from '../core/explainer-calls.js';
import { newRequest, type Request } from '../core/fields.js';
import {
  ATTRIBUTES,
  readDType,
  readInteger,
  readMapping,
  readOp,
  readOptions,
  readRule,
  readShapes,
  readTarget,
} from '../operands/arguments.js';
import { readAxisNames, readPolicy } from '../operands/policy.js';
import { show } from '../values/show.js';

/** The options of a plan. */
export const PLAN_OPTIONS = ['axis', 'targetShape', 'axesMapping', 'attrs', 'policy', 'names'] as const;

/** The options of an operator. */
export const APPLY_OPTIONS = [...PLAN_OPTIONS, 'rule', 'out', 'promote', 'as'] as const;

type ApplyOptionsGiven = { readonly [N in (typeof APPLY_OPTIONS)[number]]?: unknown };

/** No option given. Has every name, as the options that are read: small calls are faster when both are objects alike. */
export const NO_APPLY_OPTIONS: ApplyOptionsGiven = {
  axis: undefined,
  targetShape: undefined,
  axesMapping: undefined,
  attrs: undefined,
  policy: undefined,
  names: undefined,
  rule: undefined,
  out: undefined,
  promote: undefined,
  as: undefined,
};

const every = Object.prototype;

/** The options, each read once. Undefined where Object.prototype has one of that name: then they need a closer look. */
export function applyOptionsOf(options: ApplyOptionsGiven): Required<ApplyOptionsGiven> | undefined {
  // Spelled out, since engines look up a constant name in next to no time.
  if ('axis' in every || 'targetShape' in every || 'axesMapping' in every || 'attrs' in every) return undefined;
  if ('rule' in every || 'out' in every || 'promote' in every || 'as' in every) return undefined;
  if ('policy' in every || 'names' in every) return undefined;
  const { axis, targetShape, axesMapping, attrs, policy, names, rule, out, promote, as } = options;
  return { axis, targetShape, axesMapping, attrs, policy, names, rule, out, promote, as };
}

/** Whether no option but `out` is given. Spelled out, as applyOptionsOf is: a loop over the names takes 0.1 us longer. */
export function isOutAlone(given: ApplyOptionsGiven): boolean {
  const { axis, targetShape, axesMapping, attrs, policy, names, rule, promote, as } = given;
  if (axis !== undefined || targetShape !== undefined || axesMapping !== undefined || attrs !== undefined) return false;
  return policy === undefined && names === undefined && rule === undefined && promote === undefined && as === undefined;
}

const SHAPE_OPTIONS = ['axis', 'targetShape', 'axesMapping', 'dtype', 'policy', 'names'] as const;
/** The options of `align`. */
export const ALIGN_OPTIONS = [...SHAPE_OPTIONS, 'op', 'expect', 'expressions', 'pasted'] as const;

/** A request about shapes alone. */
export function readShapeRequest(
  core: Core,
  ruleName: unknown,
  shapes: unknown,
  options: unknown,
  known: readonly (typeof ALIGN_OPTIONS)[number][] = SHAPE_OPTIONS,
  meant: { -readonly [N in keyof Meant]: Meant[N] } = {},
): Request {
  const rule = readRule(core, ruleName);
  const given = readOptions(core, options, known);
  const request = newRequest([]);
  request.rule = rule;
  if (given.op !== undefined) request.op = readOp(core, given.op);
  meant.expect = given.expect;
  meant.expressions = given.expressions;
  meant.pasted = given.pasted;
  meant.names = given.names;
  request.dtype = given.dtype === undefined ? undefined : readDType(core, given.dtype);
  request.axis = readInteger(core, given.axis, 'axis', 'attribute', { rule });
  request.targetShape = readTarget(core, given.targetShape, rule);
  request.axesMapping = readMapping(core, given.axesMapping, rule);
  request.refused = readPolicy(core, given.policy, { rule });
  request.axisNames = readAxisNames(core, given.names, { rule });
  request.shapes = readShapes(core, shapes, rule);
  return request;
}

/** A request to compute, with the options in PLAN_OPTIONS. */
export function readPlanRequest(
  core: Core,
  op: OpName,
  rule: RuleName,
  shapes: readonly (readonly Extent[])[],
  dtypes: readonly DType[],
  given: { readonly [N in (typeof PLAN_OPTIONS)[number]]?: unknown },
): Request {
  const { axis, targetShape, axesMapping, attrs, policy, names } = given;
  const request = newRequest(shapes, dtypes);
  request.op = op;
  request.rule = rule;
  // The usual case, which must be fast.
  if (axis === undefined && targetShape === undefined && axesMapping === undefined && attrs === undefined) {
    if (policy === undefined && names === undefined) return request;
  }
  request.axis = readInteger(core, axis, 'axis', 'attribute', { op, rule });
  request.targetShape = readTarget(core, targetShape, rule);
  request.axesMapping = readMapping(core, axesMapping, rule);
  request.refused = readPolicy(core, policy, { op, rule });
  request.axisNames = readAxisNames(core, names, { op, rule });
  const attributes = readOptions(core, attrs, ATTRIBUTES);
  request.fmod = readInteger(core, attributes.fmod, 'fmod', 'attribute', { op });
  request.direction = readDirection(core, attributes.direction, op);
  request.to = attributes.to === undefined ? undefined : readDType(core, attributes.to, { op });
  request.saturate = readInteger(core, attributes.saturate, 'saturate', 'attribute', { op });
  return request;
}

function readDirection(core: Core, value: unknown, op: OpName): 'left' | 'right' | undefined {
  if (value === undefined || value === 'left' || value === 'right') return value;
  const message = `direction is 'left' or 'right', not ${show(value)}.`;
  throw core.error({ code: 'attribute', detail: 'out_of_range', op }, value, message);
}
