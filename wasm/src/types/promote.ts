/**
 * What happens to operands of mixed element types: `strict` refuses them, `numpy2` promotes them as NumPy 2 does.
 * `bl.resultType` gives the type that they are promoted to.
 */
export type Promote = 'strict' | 'numpy2';
