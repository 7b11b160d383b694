/**
 * Why a model could not be read:
 *
 * - `input`: neither bytes nor a source of bytes, or another wrong argument.
 * - `format`: the bytes are not a model in ONNX's format or OpenVINO's IR.
 * - `truncated`: the file ends before a part that it announces.
 * - `cycle`: nodes, layers or functions need each other's results.
 * - `limit`: more nodes, names or levels of graphs than are read; the limits are in the message.
 */
export type ModelErrorCode = 'input' | 'format' | 'truncated' | 'cycle' | 'limit';

/**
 * Thrown by `auditModel`, `withExplanations` and `readLayer`. The message is one sentence and may quote names of the file.
 *
 * @example
 * try {
 *   auditModel(bl, bytes);
 * } catch (error) {
 *   if (!(error instanceof ModelError)) throw error;
 *   error.code; // 'truncated'
 * }
 */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  /** Stable; the message is not. */
  readonly code: ModelErrorCode;

  constructor(code: ModelErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A name of the file in a message: short, on one line. */
export function quoted(name: string): string {
  return JSON.stringify(name.length <= 80 ? name : `${name.slice(0, 77)}...`);
}
