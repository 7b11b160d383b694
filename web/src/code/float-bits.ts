// The bits of floats for which JavaScript and C++23 do not always have a type.

export { floatBits, hasBits } from '../values/small-floats';
