// The parts of Node's API that the command uses. The package compiles without Node's own types, so that code for
// browsers cannot use Node's API by mistake.

declare module 'node:process' {
  interface Stream {
    readonly isTTY?: boolean;
    readonly columns?: number;
    write(text: string): boolean;
    on(event: 'error', listener: (error: Error & { readonly code?: string }) => void): void;
  }
  const process: {
    readonly argv: readonly string[];
    readonly env: { readonly [name: string]: string | undefined };
    readonly platform: string;
    readonly stdout: Stream;
    readonly stderr: Stream;
    exitCode: number | undefined;
  };
  export default process;
}

declare module 'node:fs' {
  export function readFileSync(path: string | URL): Uint8Array<ArrayBuffer>;
  export function existsSync(path: string): boolean;
  export function openSync(path: string, flags: 'r' | 'w'): number;
  export function closeSync(descriptor: number): void;
  export function fstatSync(descriptor: number): { readonly size: number };
  export function readSync(
    descriptor: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): number;
  export function writeSync(descriptor: number, bytes: Uint8Array, offset: number, length: number): number;
}

declare module 'node:util' {
  export function styleText(format: string, text: string, options?: { readonly validateStream?: boolean }): string;
}

declare module 'node:zlib' {
  export const constants: { readonly Z_SYNC_FLUSH: number };
  export function crc32(bytes: Uint8Array): number;
  export function inflateRawSync(
    bytes: Uint8Array,
    options: { readonly finishFlush?: number; readonly maxOutputLength?: number },
  ): Uint8Array;
}
