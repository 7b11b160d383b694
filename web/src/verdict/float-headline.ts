// On a small screen the fields and the keyboard may leave no room for the verdict. While a field has the focus and the verdict
// is out of sight, its headline lies at the lower edge of what is seen: styles place it by `data-floats`.

/** Pixels between a field and the headline below it. */
const gap = 8;

/** Follows the fields in `fields` while the screen is small. Returns what ends it. */
export function floatHeadline(fields: HTMLElement, small: MediaQueryList): () => void {
  const seen = globalThis.visualViewport;
  const stop = new AbortController();
  let frame = 0;
  let onlyScrolled = true;
  /** The headline's height in its own place. */
  let height = 0;

  const typing = (): boolean => {
    const field = document.activeElement;
    return small.matches && fields.contains(field) && field instanceof HTMLInputElement && field.type === 'text';
  };
  const place = (): void => {
    const scrolled = onlyScrolled;
    [frame, onlyScrolled] = [0, true];
    const verdict = document.getElementById('verdict');
    const headline = verdict?.querySelector<HTMLElement>('.headline');
    if (!verdict || !headline) return;
    const floats = 'floats' in verdict.dataset;
    if (!floats) height = headline.offsetHeight;
    const begin = seen?.offsetTop ?? 0;
    const end = begin + (seen?.height ?? innerHeight);
    const { top } = verdict.getBoundingClientRect();
    if (!typing() || (top >= begin && top + height <= end)) {
      if (floats) delete verdict.dataset['floats'];
      return;
    }
    verdict.style.setProperty('--headline', `${height}px`);
    verdict.style.setProperty('--covered', `${Math.max(0, innerHeight - end)}px`);
    if (!floats) verdict.dataset['floats'] = '';
    // The field is seen above it; the user may scroll it away.
    const covered =
      (document.activeElement?.getBoundingClientRect().bottom ?? 0) - headline.getBoundingClientRect().top;
    if (!scrolled && covered > -gap) scrollBy(0, covered + gap);
  };
  const ask = ({ type }: { readonly type: string }): void => {
    if (type !== 'scroll') onlyScrolled = false;
    frame ||= requestAnimationFrame(place);
  };

  const { signal } = stop;
  for (const name of ['focusin', 'focusout', 'input']) fields.addEventListener(name, ask, { signal });
  for (const name of ['resize', 'scroll']) {
    seen?.addEventListener(name, ask, { signal });
    addEventListener(name, ask, { signal, passive: true });
  }
  signal.addEventListener('abort', () => cancelAnimationFrame(frame));
  ask({ type: 'focusin' });
  return () => stop.abort();
}
