/**
 * The instance type of a platform's class; never where TypeScript's `lib` does not have the class, as for a program for
 * Node or with `lib: ["es2022"]` alone.
 */
export type InstanceOf<Name extends string, Scope = typeof globalThis> = Scope extends {
  readonly [N in Name]: { readonly prototype: infer T };
}
  ? T
  : never;

/** The instance type of a class of `WebAssembly`, likewise. */
export type WasmInstanceOf<Name extends string> = typeof globalThis extends { readonly WebAssembly: infer Scope }
  ? InstanceOf<Name, Scope>
  : never;

/** A `Uint8Array` that is not of shared memory: `Uint8Array<ArrayBuffer>` since TypeScript 5.7. */
export type OwnBytes = ReturnType<Uint8ArrayConstructor['from']>;
