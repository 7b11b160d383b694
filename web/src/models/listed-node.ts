// What the page keeps of a model's nodes: texts of bounded length, made in the worker, and the messages between both.

import type { AuditedNode } from '../engine/model-files';

/** Extents as texts: digits, the file's name of an unknown one, or `?`. Null: the number of axes is unknown. */
export type ListedShape = readonly string[] | null;

export interface ListedNode {
  /** The names of the graphs around it and its own, separated by slashes. */
  readonly name: string;
  readonly op: string;
  readonly rule: string;
  /** The fragment of the page's address that asks this question; null where the page has no fields for it. */
  readonly fragment: string | null;
  /** The first ones; `operandCount` is the number of all. */
  readonly shapes: readonly ListedShape[];
  readonly operandCount: number;
  readonly axis: number | null;
  readonly target: ListedShape;
  /** Null if it depends on extents that the file does not state. */
  readonly fits: boolean | null;
  readonly result: ListedShape;
  readonly verdict: string;
  readonly warnings: readonly string[];
  readonly differs: readonly { readonly system: string; readonly message: string }[];
}

export interface AuditRequest {
  readonly model: File;
  readonly weights: File | null;
}

export type AuditReply =
  /** Nodes come in pieces, so that the page stays responsive. */
  | { readonly kind: 'nodes'; readonly nodes: readonly ListedNode[] }
  /** `total` is the number of all nodes, of which the first ones came. */
  | { readonly kind: 'done'; readonly format: 'onnx' | 'openvino'; readonly total: number }
  | { readonly kind: 'failed'; readonly message: string };

/** The most nodes that are listed, and how many of them come at a time. */
export const mostNodes = 100_000;
export const nodesAtOnce = 2_000;

/** The most operands of a node that are kept. */
const mostShapes = 64;
const mostAxesListed = 64;
const mostRemarks = 8;
const longest = { name: 240, extent: 40, sentence: 600, link: 20_000 } as const;

/** A text of a file in one line: without control characters and marks that turn the direction of text, and not too long. */
export function clean(text: string, most: number): string {
  const line = text.slice(0, 2 * most).replace(/[\p{Cc}\p{Bidi_Control}\p{Surrogate}]+/gu, ' ');
  return line.length < text.length || line.length > most ? `${line.slice(0, most - 1)}…` : line;
}

const shapeOf = (shape: AuditedNode['shape']): ListedShape =>
  shape && [
    ...shape.slice(0, mostAxesListed).map((extent) => clean(String(extent), longest.extent)),
    ...(shape.length > mostAxesListed ? ['…'] : []),
  ];

export function listed(node: AuditedNode): ListedNode {
  const { path, name, op, rule, operands, axis, targetShape, fits, shape, verdict, link } = node;
  return {
    name: clean([...path.slice(0, 40), name].join('/'), longest.name),
    op: clean(op, longest.extent),
    rule,
    fragment: link && link.length <= longest.link ? new URL(link).hash : null,
    shapes: operands.slice(0, mostShapes).map((operand) => shapeOf(operand.shape)),
    operandCount: operands.length,
    axis,
    target: shapeOf(targetShape),
    fits,
    result: shapeOf(shape),
    verdict: clean(verdict, longest.sentence),
    warnings: node.warnings.slice(0, mostRemarks).map(({ message }) => clean(message, longest.sentence)),
    differs: node.differs
      .slice(0, mostRemarks)
      .map(({ system, message }) => ({ system, message: clean(message, longest.sentence) })),
  };
}
