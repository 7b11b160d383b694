// Made from wasm/bindings/fields.h by scripts/generate-fields.mjs; not to be changed by hand.

import type { PackageErrorCode } from '../types/error-code.js';
import type { ErrorFields } from '../types/error-fields.js';
import { sameExtents, type Extent } from '../types/extent.js';
import type { ClauseName, DetailName, DType, OpName, RuleName } from '../types/vocabulary.js';
import type { FieldReader, FieldWriter } from './module.js';

/** The fields of an error as the core has them. */
export interface ErrorWords extends ErrorFields {
  /** For errors in a text: where they begin. */
  readonly textBegin: number;
  /** The offset after the last one. */
  readonly textEnd: number;
}

/** Reads an error. */
export function readError(from: FieldReader): ErrorWords {
  return {
    code: from.name('errors') as PackageErrorCode,
    detail: from.name('details') as DetailName | null,
    rule: from.name('rules') as RuleName | null,
    clause: from.name('clauses') as ClauseName | null,
    op: from.name('ops') as OpName | null,
    operand: from.index(),
    otherOperand: from.index(),
    axis: from.index(),
    operandAxis: from.index(),
    otherAxis: from.index(),
    extent: from.extent(),
    otherExtent: from.extent(),
    dtype: from.name('dtypes') as DType | null,
    otherDtype: from.name('dtypes') as DType | null,
    textBegin: from.offset(),
    textEnd: from.offset(),
  };
}

/** Writes an error. */
export function writeError(to: FieldWriter, error: ErrorWords): void {
  to.name('errors', error.code);
  to.name('details', error.detail);
  to.name('rules', error.rule);
  to.name('clauses', error.clause);
  to.name('ops', error.op);
  to.index(error.operand);
  to.index(error.otherOperand);
  to.index(error.axis);
  to.index(error.operandAxis);
  to.index(error.otherAxis);
  to.extent(error.extent);
  to.extent(error.otherExtent);
  to.name('dtypes', error.dtype);
  to.name('dtypes', error.otherDtype);
  to.offset(error.textBegin);
  to.offset(error.textEnd);
}

/** What the core is asked. Every value was read from the caller and found to fit into 64 bits. */
export interface Request {
  /** The operator. */
  readonly op?: OpName | undefined;
  /** How the operands are matched. */
  readonly rule?: RuleName | undefined;
  /** The result's element type. */
  readonly dtype?: DType | undefined;
  /** The axis of A that B begins at. */
  readonly axis?: Extent | undefined;
  /** The shape to broadcast to. */
  readonly targetShape?: readonly Extent[] | undefined;
  /** For each axis of the operand, the axis of the target that it lies on. */
  readonly axesMapping?: readonly Extent[] | undefined;
  /** What the policy refuses: 1 added axes, 2 repeated axes, 4 axes of unlike names; added up. */
  readonly refused?: Extent | undefined;
  /** Of each operand the number of its names, then a number for each; equal names have equal numbers, and 0 is no name. */
  readonly axisNames?: readonly Extent[] | undefined;
  /** Attribute of Mod. */
  readonly fmod?: Extent | undefined;
  /** Attribute of BitShift. */
  readonly direction?: 'left' | 'right' | undefined;
  /** Attribute of Cast. */
  readonly to?: DType | undefined;
  /** Attribute of Cast. */
  readonly saturate?: Extent | undefined;
  /** A shape that is counted or written as text. */
  readonly index?: readonly Extent[] | undefined;
  /** Of each operand. */
  readonly shapes: readonly (readonly Extent[])[];
  /** Of each operand, where types matter. */
  readonly dtypes?: readonly DType[] | undefined;
}

/** A request that is still being written. */
export type NewRequest = { -readonly [K in keyof Request]: Request[K] };

/**
 * A request about operands, with no other field given. It has every field as a property of its own, so that none is
 * read from Object.prototype, where a library may have put one. An object literal is made faster than a copy.
 */
export function newRequest(shapes: readonly (readonly Extent[])[], dtypes?: readonly DType[]): NewRequest {
  return {
    op: undefined,
    rule: undefined,
    dtype: undefined,
    axis: undefined,
    targetShape: undefined,
    axesMapping: undefined,
    refused: undefined,
    axisNames: undefined,
    fmod: undefined,
    direction: undefined,
    to: undefined,
    saturate: undefined,
    index: undefined,
    shapes,
    dtypes,
  };
}

/** Words of a request's fields, without the values of lists. */
export const REQUEST_WORDS = 17;

/** Writes the fields of a request. Its operands follow. */
export function writeFields(to: FieldWriter, request: Request): void {
  to.name('ops', request.op);
  to.name('rules', request.rule);
  to.name('dtypes', request.dtype);
  to.integer(request.axis);
  to.list(request.targetShape);
  to.list(request.axesMapping);
  to.integer(request.refused);
  to.list(request.axisNames);
  to.integer(request.fmod);
  to.name('directions', request.direction);
  to.name('dtypes', request.to);
  to.integer(request.saturate);
  to.list(request.index);
}

/** Whether two requests are the same but for their operands. */
export function sameFields(a: Request, b: Request): boolean {
  return (
    a.op === b.op &&
    a.rule === b.rule &&
    a.dtype === b.dtype &&
    a.axis === b.axis &&
    a.refused === b.refused &&
    a.fmod === b.fmod &&
    a.direction === b.direction &&
    a.to === b.to &&
    a.saturate === b.saturate &&
    sameExtents(a.targetShape, b.targetShape) &&
    sameExtents(a.axesMapping, b.axesMapping) &&
    sameExtents(a.axisNames, b.axisNames) &&
    sameExtents(a.index, b.index)
  );
}
