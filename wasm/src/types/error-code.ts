import type { ErrorCode } from './vocabulary.js';

/** The class of an error: one of the core's, or one that only the package has. */
export type PackageErrorCode = ErrorCode | 'disposed' | 'aborted' | 'not_loaded' | 'link';
