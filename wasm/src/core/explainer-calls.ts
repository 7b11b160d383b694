import type { Repair } from '../types/alignment.js';
import type {
  AlignmentDocument,
  Cause,
  Comparison,
  Pasted,
  QuestionCode,
  ShapeInText,
  Warning,
} from '../types/explanation.js';
import type { Extent } from '../types/extent.js';
import type { SymbolicDocument } from '../types/symbolic.js';
import type { Request } from './fields.js';

/** The request's other options, as the caller gave them. */
export interface Meant {
  readonly expect?: unknown;
  readonly expressions?: unknown;
  readonly pasted?: unknown;
  readonly names?: unknown;
}

/** The options of `alignSymbolic`, as the caller gave them. */
export type SymbolicGiven = { readonly [N in 'axis' | 'targetShape' | 'axesMapping' | 'byName']?: unknown };

/** The answer of the explanations' module. */
export interface ExplainerCalls {
  /** Of a request that does not fit. */
  cause(request: Request, meant: Meant): Cause | null;
  repairs(request: Request, meant: Meant, wide: boolean): Repair<Extent>[];
  warnings(request: Request, meant: Meant): Warning[];
  /** The whole document of a request, as JSON has it. */
  report(request: Request, meant: Meant): AlignmentDocument;
  code(request: Request, meant: Meant, system: unknown, options: unknown): QuestionCode;
  /** The address that opens the playground at a request. */
  link(base: unknown, request: Request, meant?: Meant): string;
  compare(request: Request): Comparison;
  /** The text is as the caller gave it. */
  readPasted(text: unknown): Pasted | null;
  readShapes(text: unknown): ShapeInText[];
  /** `read` makes a request of the options that are numbers. */
  symbolic(shapes: unknown, given: SymbolicGiven, read: (numbers: object) => Request): SymbolicDocument;
}
