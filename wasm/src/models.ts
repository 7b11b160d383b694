// The entry `broadloom/models`: which nodes of a model file broadcast, and whether their shapes fit; the question of one
// layer of OpenVINO's IR. It imports nothing of
// the package but types, so that a page loads it only when a model is opened.

export { auditModel } from './models/audit.js';
export { readLayer, type LayerQuestion } from './models/layer.js';
export { withExplanations, type ExplainedOptions } from './models/explained.js';
export { ModelError } from './models/model-error.js';
export type {
  AuditDifference,
  AuditedNode,
  AuditedOperand,
  AuditOptions,
  AuditWarning,
  ModelAudit,
} from './models/audited.js';
export type { AskSymbolic, Fit, ShapeQuestion, SymbolicConditions } from './models/fit.js';
export type { ModelErrorCode } from './models/model-error.js';
export type { ModelExtent, ModelShape } from './models/shape.js';
export type { ModelSource } from './models/source.js';
