export { decodeFloat, encodeFloat, isSmallFloat, type SmallFloat } from './elements/small-floats.js';
