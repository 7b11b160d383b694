// `broadloom audit FILE`: the broadcasting nodes of a model file.

import { existsSync } from 'node:fs';
import type { Broadloom, ErrorRecord } from '../index.js';
import type { AuditedNode, ModelAudit, ModelShape, ModelSource } from '../models.js';
import type { CommandLine } from './command-line.js';
import { Failure, printable } from './failure.js';
import { reasonOf } from './operands.js';
import { asked } from './question.js';
import { inMemory, readStandardInput, withFile } from './source.js';
import type { Terminal } from './terminal.js';

/** The exit status, and the lines for standard output. */
interface Answer {
  readonly status: 0 | 1;
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** Names and shapes are padded to the widest one, but at most to this many characters. */
const MOST_PADDED = 32;

/**
 * Audits the model that the operand names; `-` is standard input. Status 1 where the shapes of a node do not fit.
 *
 * @throws Failure where the file cannot be read, or is no model.
 */
export async function audit(bl: Broadloom, line: CommandLine, terminal: Terminal): Promise<Answer> {
  const [name, ...more] = line.operands;
  const { command: _, operands: __, json, link, output, saturate, all, paste, byName, ...rest } = line;
  const { help: ___, version: ____, ...others } = rest;
  const flags = { saturate, all, paste, 'by-name': byName, output: output.length > 0 };
  const flag = Object.entries(flags).find(([, isGiven]) => isGiven)?.[0];
  const given = Object.keys(others)[0] ?? flag;
  if (given !== undefined) throw new Failure(`audit takes no option --${given}.`);
  if (name === undefined || more.length > 0) throw new Failure('audit takes one file, an .onnx or OpenVINO .xml file.');

  // Loaded here, as no other command needs it.
  const { auditModel, ModelError, withExplanations } = await import('../models.js');
  const options = asked(() => withExplanations(bl, { link }));
  try {
    const found =
      name === '-'
        ? auditModel(bl, inMemory(readStandardInput()), options)
        : withFile(name, (file) => withWeights(name, (weights) => auditModel(bl, file, { ...options, weights })));
    const hasConflict = found.nodes.some(({ fits }) => fits === false);
    const out = json ? [JSON.stringify(auditDocument(found), null, 2)] : formatAudit(found, terminal);
    return { status: hasConflict ? 1 : 0, out, err: [] };
  } catch (error) {
    const shown = name === '-' ? 'standard input' : name;
    throw new Failure(`${shown}: ${error instanceof ModelError ? error.message : reasonOfFile(error)}`);
  }
}

/** Errors of files have a code; others are faults of the program. */
function reasonOfFile(error: unknown): string {
  if (typeof (error as { readonly code?: unknown } | null)?.code !== 'string') throw error;
  return reasonOf(error);
}

/** Opens the elements of an IR, which are in a file beside it, where there is one. */
function withWeights<T>(name: string, use: (weights: ModelSource | undefined) => T): T {
  const weights = name.replace(/\.xml$/i, '.bin');
  return weights === name || !existsSync(weights) ? use(undefined) : withFile(weights, use);
}

type Whole = number | string;

/** The document of `--json`. Extents that are texts are names, `?`, or numbers beyond 2^53 - 1. */
function auditDocument({ version, format, nodes }: ModelAudit): object {
  return { version, kind: 'audit', format, nodes: nodes.map(nodeDocument) };
}

function nodeDocument(node: AuditedNode): object {
  const operands = node.operands.map(({ name, shape }) => ({ name, shape: wholes(shape) }));
  return {
    ...node,
    operands,
    targetShape: wholes(node.targetShape),
    shape: wholes(node.shape),
    error: node.error === null ? null : errorDocument(node.error),
  };
}

function errorDocument({
  code,
  detail,
  clause,
  operand,
  otherOperand,
  axis,
  operandAxis,
  otherAxis,
  ...rest
}: ErrorRecord) {
  const extents = { extent: whole(rest.extent), otherExtent: whole(rest.otherExtent) };
  return {
    code,
    detail,
    clause,
    operand,
    otherOperand,
    axis,
    operandAxis,
    otherAxis,
    ...extents,
    message: rest.message,
  };
}

const wholes = (shape: ModelShape) => shape?.map(whole) ?? null;

function whole(extent: number | bigint | string): Whole {
  return typeof extent === 'bigint' ? String(extent) : extent;
}

function formatAudit({ nodes }: ModelAudit, { paint }: Terminal): string[] {
  const rows = nodes.map((node) => {
    const operands = node.operands.map(({ shape }) => formatShape(shape)).join(' ');
    const target = node.targetShape === null ? '' : ` to ${formatShape(node.targetShape)}`;
    return { node, name: printable([...node.path, node.name].join('/')), shapes: `${operands}${target}` };
  });
  const widest = (texts: readonly string[]) =>
    Math.min(
      MOST_PADDED,
      texts.reduce((width, { length }) => Math.max(width, length), 0),
    );
  const nameWidth = widest(rows.map(({ name }) => name));
  const opWidth = widest(nodes.map(({ op }) => op));
  const shapesWidth = widest(rows.map(({ shapes }) => shapes));

  const lines = rows.flatMap(({ node, name, shapes }) => {
    const { fits, op, shape, verdict, conditions, warnings, differs, link } = node;
    const status =
      fits === true
        ? paint('green', 'fits    ')
        : fits === false
          ? paint('red', 'conflict')
          : paint('yellow', conditions === null ? 'unknown ' : 'depends ');
    const result = fits === false ? '' : ` -> ${formatShape(shape)}`;
    const head = `${status}  ${name.padEnd(nameWidth)}  ${printable(op).padEnd(opWidth)}  `;
    const notes = [
      ...(fits === true ? [] : [verdict]),
      ...warnings.map(({ message }) => `Warning: ${message}`),
      ...differs.map(({ message }) => `Differs: ${message}`),
      ...(link === undefined || link === null ? [] : [link]),
    ];
    const body = fits === false ? shapes : `${shapes.padEnd(shapesWidth)}${result}`;
    return [`${head}${body}`.trimEnd(), ...notes.map((note) => `          ${printable(note)}`)];
  });
  return [...lines, ...(lines.length > 0 ? [''] : []), summaryOf(nodes)];
}

function summaryOf(nodes: readonly AuditedNode[]): string {
  if (nodes.length === 0) return 'No node broadcasts.';
  const count = (wanted: boolean | null) => nodes.filter(({ fits }) => fits === wanted).length;
  const [fit, conflict] = [count(true), count(false)];
  const open = nodes.filter(({ fits, conditions }) => fits === null && conditions !== null).length;
  const unknown = count(null) - open;
  const parts = [
    `${fit} ${fit === 1 ? 'fits' : 'fit'}`,
    ...(conflict > 0 ? [`${conflict} ${conflict === 1 ? 'does' : 'do'} not`] : []),
    ...(open > 0 ? [`${open} ${open === 1 ? 'fits' : 'fit'} under conditions`] : []),
    ...(unknown > 0
      ? [`${unknown} ${unknown === 1 ? 'depends' : 'depend'} on extents that the file does not state`]
      : []),
  ];
  const warned = nodes.filter(({ warnings, differs }) => warnings.length + differs.length > 0).length;
  const noted = warned > 0 ? ` ${warned} ${warned === 1 ? 'has' : 'have'} a warning.` : '';
  return `${nodes.length} broadcasting ${nodes.length === 1 ? 'node' : 'nodes'}: ${parts.join(', ')}.${noted}`;
}

function formatShape(shape: ModelShape): string {
  if (shape === null) return '?';
  return printable(shape.length === 1 ? `(${String(shape[0])},)` : `(${shape.map(String).join(', ')})`);
}
