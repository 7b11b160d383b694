// Which cells of a result are fed by elements that are not read. The alignment says which elements feed a cell.

import { type AxisRange, unread, unreadCells } from '../values/computed-result';

/** The index in the whole array of element number `at` of a box, in row-major order. */
function indexIn(box: readonly AxisRange[], at: number): readonly number[] {
  let rest = at;
  return box
    .toReversed()
    .map(({ begin, end, step = 1 }) => {
      const along = Math.ceil((end - begin) / step);
      const place = rest % along;
      rest = (rest - place) / along;
      return begin + place * step;
    })
    .toReversed();
}

unreadCells.of = (alignment, operands, box) => (at) => {
  const index = indexIn(box, at);
  return operands.some((own, i) => own.valueAt(alignment.sourceOf(i, index)) === unread);
};
