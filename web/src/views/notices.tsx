// What stands in the grids' place, or in the page's, when there is no cloth.

import { type Alignment, lacking } from '../engine';
import { countText } from '../format';
import type { Model } from '../model';
import { keepLink, linkRead } from '../store';

const mostExtent = 2n ** 63n - 1n;
const spellings = ['2,3', '(2, 3)', '[2, 3]', '2x3', 'torch.Size([2, 3])', '()'];

/** The address is a link of another version, or none of this page's: what is shown instead, and that the link is still there. */
export function LinkNotice() {
  const read = linkRead.value;
  if (!read?.fault) return null;
  const { fault, some } = read;
  return (
    <section class="notice link-notice" id="link-notice" role="alert" aria-label="About this link">
      <p>
        <strong>
          {fault.kind === 'version'
            ? `This link is of version ${fault.version}; this page reads version 1.`
            : 'The address holds no link that this page can read: one begins with #v=1.'}
        </strong>{' '}
        {some ? 'Shown is what could be read of it; the rest may differ.' : 'Shown is the first example instead.'} The
        address stays as it is until you change something.
      </p>
      <p>
        <button type="button" onClick={keepLink}>
          Dismiss
        </button>
      </p>
    </section>
  );
}

/** A text that is no shape: how shapes are written. */
export function Malformed({ model }: { model: Model }) {
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
            <code>()</code> is a scalar: no axes, one element.
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

/** An extent of 0 is legal: a cloth without cells. */
export function EmptyCloth({ alignment }: { alignment: Alignment }) {
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
        {countText(elements)} cells come out: more than the page can number. It draws results and operands of up to{' '}
        {countText(Number.MAX_SAFE_INTEGER)} elements. Shape, size and alignment above are exact.
      </p>
    </section>
  );
}

/** The core is not there: the browser lacks something, or the file did not arrive. */
export function CannotLoad({ error }: { error: unknown }) {
  const lacks = lacking(error);
  return (
    <main class="cannot-load" data-state="unavailable">
      <h1>{lacks ? 'Broadloom cannot run here' : 'Broadloom did not arrive'}</h1>
      <p>
        {lacks
          ? 'Everything on this page is computed by a core in WebAssembly, which this browser lacks or has switched off:'
          : 'The page is here, but its core did not arrive whole:'}
      </p>
      <p class="mono reason">{error instanceof Error ? error.message : String(error)}</p>
      <p>
        {lacks
          ? 'In a locked-down browser, allow WebAssembly for this site. '
          : 'The network may have dropped it. Your shapes are kept in the address bar. '}
        <a href="">Try again</a>
      </p>
    </main>
  );
}

export function Broken({ error }: { error: unknown }) {
  return (
    <main class="cannot-load" data-state="broken">
      <h1>A thread broke</h1>
      <p>This is a fault of the page, not of your shapes. The address bar still holds them: a report with it helps.</p>
      <p class="mono reason">{error instanceof Error ? error.message : String(error)}</p>
      <p>
        <a href="./">Start afresh</a>
      </p>
    </main>
  );
}
