// The bits of floats that JavaScript and C++23 have no type for everywhere.

export { floatBits, hasBits } from '../values/small-floats';
