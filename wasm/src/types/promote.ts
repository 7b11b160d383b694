/**
 * How operands of mixed element types are taken: `strict` not at all, `numpy2` as NumPy 2 promotes them. `bl.resultType`
 * tells to what.
 */
export type Promote = 'strict' | 'numpy2';
