// The words of the field that the page explains, each in at most two sentences, with an example.

export const terms = {
  broadcasting:
    'Combining arrays of different shapes element by element: an array that is too short along an axis is reused along it. (2, 3) + (3,) adds the same 3 numbers to both rows.',
  shape:
    'The extents of an array, axis by axis. (2, 3) is the shape of a table of 2 rows and 3 columns, () that of one number.',
  axis: 'One direction of an array, counted from 0. An array of shape (2, 3) has two: its rows lie along axis 0, its columns along axis 1.',
  extent: 'How many indexes an axis has. Shape (2, 3) has extent 2 on axis 0 and extent 3 on axis 1.',
  rank: 'How many axes an array has. (2, 3) has rank 2, a single number has rank 0.',
  stride:
    'How many elements to step over in memory to go one index further along an axis. In (2, 3), stored row after row, the next column is 1 element on and the next row 3; a stride of 0 stays at the same element, which is so read again.',
  operand: 'An array that goes into an operator. In A + B, the operands are A and B.',
  result: 'The array that comes out of an operator. (2, 3) + (3,) has a result of shape (2, 3).',
  'repeat, stretch':
    'An axis of extent 1, or a missing one, is stretched: its elements are used again for every index of the result, without a copy. In (2, 3) + (2, 1), each row of B has one number, used for all 3 columns.',
  'target shape':
    'The shape that the result is meant to have. Broadcasting (3,) to the target (2, 3) gives 2 equal rows.',
  axes_mapping:
    'For each axis of the operand, the axis of the target that it lies on. With [0], shape (2,) lies on axis 0 of the target (2, 3), so that each number fills a row.',
  'axis of PDPD':
    'The axis of A on which the first axis of B lies. With axis 1, B of shape (3, 4) lies on axes 1 and 2 of A (2, 3, 4, 5).',
} as const;

export type TermName = keyof typeof terms;
