// PyTorch.

import { type ArrayLibrary, writeArrays } from './array-library';
import { isInteger } from './dtypes';
import { leadingType, onlyRepeats, Unwritable, type Writer } from './question';
import { dividesByZero } from './values';

/** Types that PyTorch holds, and hardly computes with. */
const heldOnly = ['u16', 'u32', 'u64', 'f8e4m3', 'f8e5m2'];

const library: ArrayLibrary = {
  title: 'PyTorch',
  imports: () => ['import torch'],
  types: 'pytorch',
  type: (name) => `torch.${name}`,
  range(bounds, type, { dtype, wraps }) {
    const own = !wraps && !heldOnly.includes(dtype);
    return own ? `torch.arange(${bounds}, dtype=${type})` : `torch.arange(${bounds}).to(${type})`;
  },
  array: (values, type) => `torch.tensor(${values}, dtype=${type})`,
  full: (shape, value, type) => `torch.full(${shape}, ${value}, dtype=${type})`,
  cast: (array, type) => `${array}.to(${type})`,
  reshape: (array, shape) => `${array}.reshape(${shape.length === 0 ? '()' : shape.join(', ')})`,
  broadcastTo: (array, shape) => `torch.broadcast_to(${array}, ${shape})`,
  commonShape: (array, shape) => `torch.broadcast_shapes(${array}.shape, ${shape})`,
  broadcastAll: (arrays) => `torch.broadcast_tensors(${arrays.join(', ')})`,
  operators: 'pytorch',
  module: 'torch',
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
