/** A number as WebAssembly writes it: 7 bits a byte, the lowest first. */
export const leb = (value) => (value < 128 ? [value] : [(value & 127) | 128, ...leb(value >> 7)]);
