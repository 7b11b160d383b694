// PyTorch.

import { type ArrayLibrary, call, nested, writeArrays } from './array-library';
import { isFloat, isInteger } from './dtypes';
import { leadingType, onlyRepeats, Unwritable, type Writer } from './question';
import { dividesByZero } from './values';

const types: Readonly<Record<string, string>> = {
  bool: 'torch.bool',
  i8: 'torch.int8',
  i16: 'torch.int16',
  i32: 'torch.int32',
  i64: 'torch.int64',
  u8: 'torch.uint8',
  u16: 'torch.uint16',
  u32: 'torch.uint32',
  u64: 'torch.uint64',
  f16: 'torch.float16',
  bf16: 'torch.bfloat16',
  f32: 'torch.float32',
  f64: 'torch.float64',
  f8e4m3: 'torch.float8_e4m3fn',
  f8e5m2: 'torch.float8_e5m2',
  c64: 'torch.complex64',
  c128: 'torch.complex128',
};

/** Types that PyTorch holds, and hardly computes with. */
const heldOnly = ['u16', 'u32', 'u64', 'f8e4m3', 'f8e5m2'];

const library: ArrayLibrary = {
  title: 'PyTorch',
  imports: () => ['import torch'],
  types,
  range(bounds, type, { wraps }) {
    const own = !wraps && !heldOnly.some((dtype) => types[dtype] === type);
    return own ? `torch.arange(${bounds}, dtype=${type})` : `torch.arange(${bounds}).to(${type})`;
  },
  array: (values, type) => `torch.tensor(${values}, dtype=${type})`,
  full: (shape, value, type) => `torch.full(${shape}, ${value}, dtype=${type})`,
  cast: (array, type) => `${array}.to(${type})`,
  reshape: (array, shape) => `${array}.reshape(${shape.length === 0 ? '()' : shape.join(', ')})`,
  broadcastTo: (array, shape) => `torch.broadcast_to(${array}, ${shape})`,
  commonShape: (array, shape) => `torch.broadcast_shapes(${array}.shape, ${shape})`,
  broadcastAll: (arrays) => `torch.broadcast_tensors(${arrays.join(', ')})`,
  square: 'torch.square',
  operators: {
    Div: ([a = '', b = ''], question) =>
      isFloat(leadingType(question)) ? `${a} / ${b}` : `torch.div(${a}, ${b}, rounding_mode="trunc")`,
    Mod: ([a = '', b = ''], { attributes }) => (attributes.fmod === '1' ? `torch.fmod(${a}, ${b})` : `${a} % ${b}`),
    Max: nested('torch.maximum'),
    Min: nested('torch.minimum'),
    And: call('torch.logical_and'),
    Or: call('torch.logical_or'),
    Xor: call('torch.logical_xor'),
    PRelu: ([a = '', b = '']) => `torch.where(${a} < 0, ${a} * ${b}, ${a})`,
    Where: call('torch.where'),
  },
  check(question) {
    const { op, operands } = question;
    const held = operands.find(({ dtype }) => heldOnly.includes(dtype))?.dtype;
    if (held !== undefined && !onlyRepeats(question))
      throw new Unwritable(`PyTorch holds ${held}, but has hardly an operator for it.`);
    if ((op.name === 'Div' || op.name === 'Mod') && isInteger(leadingType(question)) && dividesByZero(question))
      throw new Unwritable('PyTorch refuses to divide integers by 0.');
  },
};

export const pytorch: Writer = (question) => writeArrays(library, question);
