// The notices that stand in the grids' place when there are no cells to draw. They are loaded when the first one is needed.

import './no-grids.css';
import type { Alignment } from '../engine/engine';
import { countText } from '../text/format';
import { useModel } from '../context/context';

const mostExtent = 2n ** 63n - 1n;
const spellings = [
  ...['2,3', '(2, 3)', '[2, 3]', '2x3', 'torch.Size([2, 3])', 'f64[2, 3]', '()'],
  ...['(N, 3)', '(?, 2..8)', 'batch=8, heads=8'],
];

/** For a text that is no shape: says how shapes are written. */
export function Malformed() {
  const model = useModel();
  const inText = model.failure?.span !== null;
  const inShape = [...model.operands, model.target].some(({ failure }) => failure !== null);
  if (inText && (!inShape || model.failure?.class !== 'parse')) {
    return (
      <section class="notice malformed-help" aria-label="Help">
        <p>
          What you typed is kept; the part at fault is marked.{' '}
          {inShape &&
            `An extent is a whole number from 0 to ${countText(mostExtent)}: how many elements lie along an axis.`}
        </p>
      </section>
    );
  }
  return (
    <section class="notice malformed-help" aria-label="Help">
      {inText ? (
        <>
          <p>What you typed is kept; the part that could not be read is marked. Any of these is understood:</p>
          <p class="spellings">
            {spellings.map((text) => (
              <code key={text}>{text}</code>
            ))}
          </p>
          <p class="note">
            <code>()</code> is a scalar: no axes, one element. <code>N</code> and <code>?</code> are extents that are
            not known, <code>batch</code> is the name of an axis.
          </p>
        </>
      ) : (
        <p>
          {model.failure?.class === 'limit' && 'What you typed is kept. '}There is no answer yet. Complete the input, or
          choose another rule, operator or type.
        </p>
      )}
    </section>
  );
}

/** For an extent of 0, which is legal: a result without cells. */
export function EmptyResult({ alignment }: { alignment: Alignment }) {
  const axes = alignment.axes.filter(({ extent }) => Number(extent) === 0).map(({ axis }) => axis);
  return (
    <section class="notice empty" aria-label="Empty result">
      <div class="frame" aria-hidden="true">
        <span>0 cells</span>
      </div>
      <p>
        The shapes fit, and the result is empty:{' '}
        {axes.length === 1 ? `axis ${axes[0]} has` : `axes ${axes.join(' and ')} have`} extent 0, so there is no cell to
        compute. That is legal, and happens with empty batches and masks that select nothing.
      </p>
    </section>
  );
}

export function Oversize({ elements }: { elements: bigint }) {
  return (
    <section class="notice oversize" aria-label="Large result">
      <div class="frame bolt" aria-hidden="true" />
      <p>
        The result has {countText(elements)} cells, more than the page can number. It draws results and operands of up
        to {countText(Number.MAX_SAFE_INTEGER)} elements. Shape, size and alignment above are exact.
      </p>
    </section>
  );
}
