// Audits model files with the package. It is imported by the worker alone (models/audit-worker.ts): neither the page's first
// scripts nor its main thread have anything of it.

import { load } from 'broadloom';
import { MOST_OPERANDS } from 'broadloom/link';
import { type AuditedNode, auditModel, ModelError, withExplanations } from 'broadloom/models';

export type { AuditedNode };

/** Bytes that are read when they are needed. */
export interface ByteSource {
  readonly size: number;
  read(begin: number, length: number): Uint8Array;
}

export type AuditOutcome =
  | { readonly ok: true; readonly format: 'onnx' | 'openvino'; readonly nodes: readonly AuditedNode[] }
  | { readonly ok: false; readonly message: string };

/**
 * `work`, for nodes and questions that the page can show; null for others, which have only the built-in answers: explaining 100,000
 * operands takes minutes.
 */
const ofFew =
  <A extends { readonly operands?: readonly unknown[]; readonly shapes?: readonly unknown[] }, B extends unknown[], R>(
    work: ((about: A, ...more: B) => R) | undefined,
  ): ((about: A, ...more: B) => R | null) =>
  (about, ...more) =>
    work && (about.operands ?? about.shapes ?? []).length <= MOST_OPERANDS ? work(about, ...more) : null;

/** The broadcasting nodes of a model, or why it cannot be read. `weights` has the constants of an OpenVINO IR. */
export async function auditModelFile(model: ByteSource, weights: ByteSource | null): Promise<AuditOutcome> {
  const bl = await load({ explanations: true });
  // Of a node's link the page uses the fragment.
  const explained = withExplanations(bl, { link: 'https://localhost/' });
  const options = {
    ask: ofFew(explained.ask),
    warnings: ofFew(explained.warnings),
    differs: ofFew(explained.differs),
    link: ofFew(explained.link),
  };
  try {
    const { format, nodes } = auditModel(bl, model, { ...options, ...(weights ? { weights } : {}) });
    return { ok: true, format, nodes };
  } catch (error) {
    if (error instanceof ModelError) return { ok: false, message: error.message };
    throw error;
  }
}
