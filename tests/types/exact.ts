// Checks that a type is exactly the expected one.

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only if `value` is of type `T`. */
export function is<T>() {
  return <V>(_value: V, ..._same: Same<V, T> extends true ? [] : [never]): void => {};
}

/** Compiles only if both types are the same. */
export function are<A, B>(..._same: Same<A, B> extends true ? [] : [never]): void {}
