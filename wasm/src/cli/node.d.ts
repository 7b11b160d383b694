// What the command line uses of Node, and nothing more: the package itself is to compile without Node's types, so that
// no use of them slips into what browsers load.

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
  export function writeFileSync(path: string, bytes: Uint8Array): void;
}

declare module 'node:util' {
  export function styleText(format: string, text: string, options?: { readonly validateStream?: boolean }): string;
}
