// How far results may be off, in units in the last place, by operator and element type; all others are exact. It is MostUlps of
// scalar.h, for tests in JavaScript.
const most = { Pow: { f16: 1, bf16: 1, f32: 4, f64: 4 } };

export const mostUlps = (op, dtype) => most[op]?.[dtype] ?? 0;
