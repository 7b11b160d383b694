/**
 * What an instance of a platform's class is, where the libraries that TypeScript was told of have the class; else never.
 * A program for Node or of `lib: ["es2022"]` alone may lack them, and compiles all the same.
 */
export type InstanceOf<Name extends string, Scope = typeof globalThis> = Scope extends {
  readonly [N in Name]: { readonly prototype: infer T };
}
  ? T
  : never;

/** The same of a class of `WebAssembly`. */
export type WasmInstanceOf<Name extends string> = typeof globalThis extends { readonly WebAssembly: infer Scope }
  ? InstanceOf<Name, Scope>
  : never;

/** A `Uint8Array` of its own memory: `Uint8Array<ArrayBuffer>`, as TypeScript says since 5.7. */
export type OwnBytes = ReturnType<Uint8ArrayConstructor['from']>;
