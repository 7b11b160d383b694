// The public documents of the rules' clauses, and where systems use each rule. Addresses and places alone: what a clause says is
// a line of the core's vocabulary, and what a rule does is the core's answer.

import type { RuleEntry } from '../engine/engine';

/** The systems by which the comparison can be filtered, with the ids of the table of divergences. */
export const systems = [
  ['onnxruntime', 'ONNX Runtime'],
  ['openvino', 'OpenVINO'],
  ['paddle', 'PaddlePaddle'],
  ['numpy', 'NumPy'],
] as const;
export type System = (typeof systems)[number][0];
export const titleOfSystem = (system: System): string => systems.find(([id]) => id === system)?.[1] ?? system;

/** Where a system has the rule; the page does not compile without a row for each rule. */
export const usedAs: { readonly [Rule in RuleEntry['name']]: { readonly [S in System]?: string } } = {
  none: { openvino: '`auto_broadcast="none"`' },
  numpy: { openvino: '`auto_broadcast="numpy"`', numpy: 'operators and ufuncs' },
  onnx_multidirectional: { onnxruntime: 'most elementwise operators' },
  onnx_unidirectional: { onnxruntime: 'PRelu, Gemm' },
  pdpd: { openvino: '`auto_broadcast="pdpd"`', paddle: '`elementwise_` operators with `axis`' },
  bidirectional: { openvino: 'Broadcast, `mode="bidirectional"`', onnxruntime: 'Expand' },
  broadcast_numpy: { openvino: 'Broadcast, `mode="numpy"`', numpy: '`broadcast_to`' },
  explicit: { openvino: 'Broadcast, `mode="explicit"`' },
  sonnx: {},
};

const openvino = 'https://docs.openvino.ai/2025/documentation/openvino-ir-format/operation-sets';
const onnx = 'https://github.com/onnx/onnx/blob/main/docs/Broadcasting.md';
const sonnx =
  'https://github.com/onnx/working-groups/blob/main/safety-related-profile/sonnx/ops/spec/informal/common/broadcast/broadcast.md';

/** The addresses of the documents of the core's vocabulary. */
const documents: Readonly<Record<string, string>> = {
  broadcast_rules: `${openvino}/broadcast-rules.html`,
  broadcast_rules_pdpd: `${openvino}/broadcast-rules.html`,
  onnx_broadcasting: onnx,
  broadcast_3: `${openvino}/operation-specs/movement/broadcast-3.html`,
  sonnx_broadcast: sonnx,
};

/** Places in a document, where it has headings that can be linked; ONNX numbers nothing, so its bullets are counted. */
const places: Readonly<Record<string, { readonly place?: string; readonly anchor: string }>> = {
  'onnx.multi.2': { place: 'Multidirectional Broadcasting, second bullet', anchor: 'multidirectional-broadcasting' },
  'onnx.multi.3': { place: 'Multidirectional Broadcasting, third bullet', anchor: 'multidirectional-broadcasting' },
  'onnx.uni.2': { place: 'Unidirectional Broadcasting, second bullet', anchor: 'unidirectional-broadcasting' },
  'onnx.uni.3': { place: 'Unidirectional Broadcasting, third bullet', anchor: 'unidirectional-broadcasting' },
  'onnx.uni.result': {
    place: 'Unidirectional Broadcasting, the sentence below the bullets',
    anchor: 'unidirectional-broadcasting',
  },
  'sonnx.rank': { anchor: 'purpose' },
  'sonnx.C1': { anchor: 'constraints' },
  'sonnx.relation': { anchor: 'functionality' },
};

export const addressOf = (document: string): string => documents[document] ?? '';

export interface Reference {
  readonly place: string;
  readonly address: string;
}

/** Where a clause is, in words and on the web. */
export function referenceOf(clause: {
  readonly name: string;
  readonly document: string;
  readonly place: string;
}): Reference {
  const more = places[clause.name];
  const address = addressOf(clause.document);
  return { place: more?.place ?? clause.place, address: more ? `${address}#${more.anchor}` : address };
}

/** Further reading on a rule: the guide of the system that it is named after. */
export const guides: { readonly [Rule in RuleEntry['name']]?: { readonly title: string; readonly address: string } } = {
  numpy: {
    title: 'NumPy: Broadcasting, General broadcasting rules',
    address: 'https://numpy.org/doc/stable/user/basics.broadcasting.html#general-broadcasting-rules',
  },
};
