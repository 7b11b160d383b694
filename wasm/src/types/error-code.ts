import type { ErrorCode } from './vocabulary.js';

/** The class of an error: one of the core's, or `disposed` or `aborted`, which only the package has. */
export type PackageErrorCode = ErrorCode | 'disposed' | 'aborted';
