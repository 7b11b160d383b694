// What writers ask of element types. The names are the core's vocabulary.

/** Integers: their width and whether they have a sign. */
export function integerForm(dtype: string): { readonly bits: number; readonly signed: boolean } | null {
  const named = /^([iu])(8|16|32|64)$/.exec(dtype);
  return named ? { bits: Number(named[2]), signed: named[1] === 'i' } : null;
}

export const isInteger = (dtype: string): boolean => integerForm(dtype) !== null;

/** Floats that are computed with in f32 and rounded once. */
export const isHalf = (dtype: string): boolean => dtype === 'f16' || dtype === 'bf16';

export const isFloat = (dtype: string): boolean => isHalf(dtype) || dtype === 'f32' || dtype === 'f64';

export const isComplex = (dtype: string): boolean => dtype === 'c64' || dtype === 'c128';
