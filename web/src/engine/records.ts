// Records of the engine that its parts share.

import type { Extent, ExtentInText } from 'broadloom';

export interface Span {
  readonly begin: number;
  readonly end: number;
}

/** An error, as data and as a sentence. */
export interface Failure {
  /** One of the vocabulary's error classes. */
  readonly class: string;
  readonly detail: string;
  readonly message: string;
  readonly operand: number | null;
  readonly operandAxis: number | null;
  /** The token at fault in the text that was typed. */
  readonly span: Span | null;
  /** The shape, where only its unknown extents keep it from being numbers. */
  readonly unknown?: UnknownShape;
  /** Whether the explanations are not loaded yet, and may be able to read the text. */
  readonly isPending?: true;
}

/** The names of a shape's axes; null for an axis without one. */
export type AxisNames = readonly (string | null)[];

/** A shape with unknown extents, or of unknown rank. */
export interface UnknownShape {
  /** Null for an unknown rank. */
  readonly extents: readonly ExtentInText[] | null;
  readonly names: AxisNames | null;
  readonly spans: readonly Span[];
  /** The text as `alignSymbolic` takes it. */
  readonly text: string;
  readonly typed?: TypeInText;
}

/** An element type beside a shape, `f32[2,3]`: as it is written, and which one it is; null for none that is known here. */
export interface TypeInText {
  readonly text: string;
  readonly dtype: string | null;
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export interface Parsed {
  readonly values: readonly Extent[];
  readonly spans: readonly Span[];
  /** Absent where no axis has a name. */
  readonly names?: AxisNames;
  readonly typed?: TypeInText;
}

/** Reads a text that the core could not read; `refused` is the core's answer. */
export type ReadBeyond = (text: string, operand: number, refused: Outcome<Parsed>) => Outcome<Parsed>;
