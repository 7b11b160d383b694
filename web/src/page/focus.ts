// Where the focus goes when what had it is gone: a button that was pressed and has no more to do. It stays as near as it can,
// so that whoever works by key goes on where they were.

/** What can take the focus, if only from a script. */
const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]';

let wanted: { readonly selector: string; readonly until: number } | null = null;

/** How long a part of the page may take to arrive, in milliseconds. */
const patience = 5000;

/** The next focus is for what a button has opened, as soon as it is there. */
export function focusNext(selector: string): void {
  wanted = { selector, until: performance.now() + patience };
}

const seen = (element: HTMLElement): boolean => element.getClientRects().length > 0;

function take(element: HTMLElement | null | undefined): boolean {
  if (!element || !seen(element)) return false;
  element.focus();
  return document.activeElement === element;
}

/** Follows the focus on the page below `root`, and finds another place for it when its own goes. */
export function keepFocus(root: HTMLElement): void {
  /** What had the focus, and all that it stood in, from the inside out. */
  let path: readonly HTMLElement[] = [];
  const follow = (target: EventTarget | null | undefined): void => {
    const found: HTMLElement[] = [];
    for (let at = target instanceof HTMLElement ? target : null; at && at !== root; at = at.parentElement)
      found.push(at);
    path = found;
  };
  document.addEventListener('focusin', ({ target }) => follow(target));
  // Somebody goes elsewhere by hand, perhaps to where nothing takes the focus.
  const capture = { capture: true };
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      wanted = null;
      follow(target instanceof Element ? target.closest(focusable) : null);
    },
    capture,
  );
  document.addEventListener('keydown', ({ key }) => key === 'Tab' && (wanted = null), capture);

  const find = (): void => {
    if (wanted && performance.now() > wanted.until) wanted = null;
    if (wanted) {
      const there = root.querySelector<HTMLElement>(wanted.selector);
      if (!there) return;
      wanted = null;
      if (take(there)) return;
    }
    const [last] = path;
    const active = document.activeElement;
    if (!last || (active && active !== document.body) || (last.isConnected && !last.matches(':disabled') && seen(last)))
      return;
    for (const element of path.slice(1)) {
      if (!element.isConnected) continue;
      // What stands for the others where one of them is gone: the answer's verdict, a row's own mark.
      if (take(element.querySelector<HTMLElement>('[data-takes-focus]'))) return;
      if (element.id !== 'answer' && [...element.querySelectorAll<HTMLElement>(focusable)].some(take)) return;
    }
    if (take(root.querySelector<HTMLElement>('[data-takes-focus]'))) return;
    [...root.querySelectorAll<HTMLElement>(`main :is(${focusable})`)].some(take);
  };
  new MutationObserver(find).observe(root, {
    ...{ subtree: true, childList: true, attributes: true },
    attributeFilter: ['disabled', 'hidden', 'open'],
  });
}
