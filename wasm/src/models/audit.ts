import type { Broadloom } from '../api/broadloom.js';
import { Findings, type AuditOptions, type ModelAudit } from './audited.js';
import { checkInstance, readAuditOptions } from './given.js';
import { auditOnnx } from './onnx.js';
import { readOnnx } from './onnx-file.js';
import { auditIr } from './openvino.js';
import { readIr } from './openvino-file.js';
import { FileWindow, sourceFrom, type ModelSource } from './source.js';

/**
 * Lists every node of a model whose operands are broadcast, with their shapes and what the rule says of them: an ONNX file,
 * or the `.xml` file of an OpenVINO IR. Shapes are those that the file has, those that follow from the core's rules, and
 * those of operators that keep their input's shape; what is not known is shown as unknown. Elements of tensors are
 * neither read nor copied.
 *
 * Models are not validated: a node is listed also where its types do not fit.
 *
 * @param bl Of `load()`.
 * @param model The whole file: bytes, or a source from which they are read.
 * @throws ModelError where the file is no such model, truncated, or beyond a limit, and for a wrong argument or a wrong
 * result of a function of the options. What such a function, or a source's `read`, throws is thrown on.
 * @example
 * const { nodes } = auditModel(bl, await readFile('model.onnx'));
 * nodes.filter(({ fits }) => fits === false).map(({ name, verdict }) => `${name}: ${verdict}`);
 */
export function auditModel(
  bl: Broadloom,
  model: ArrayBuffer | ArrayBufferView | ModelSource,
  options: AuditOptions = {},
): ModelAudit {
  checkInstance(bl, 'auditModel');
  const given = readAuditOptions(options);
  const file = new FileWindow(sourceFrom(model));
  const findings = new Findings(bl, given);
  const isXml = beginsXml(file);
  if (isXml) {
    const { weights } = given;
    auditIr(readIr(file), weights === undefined ? null : new FileWindow(sourceFrom(weights)), findings);
  } else {
    auditOnnx(bl, readOnnx(file), findings);
  }
  return { version: 1, format: isXml ? 'openvino' : 'onnx', nodes: findings.nodes };
}

/** Whether the first character that is neither a space nor a byte order mark is `<`. No ONNX file begins so. */
function beginsXml(file: FileWindow): boolean {
  const begin = file.slice(0, Math.min(file.size, 64));
  return /^(?:\u00ef\u00bb\u00bf)?\s*</.test(String.fromCharCode(...begin));
}
