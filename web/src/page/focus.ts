// Moves the focus when the element that had it is removed, hidden or disabled, as a button that was pressed. The focus goes to
// an element nearby, so that keyboard users go on where they were.

/** Elements that can take the focus, if only from a script. */
const focusable =
  'a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), summary, [tabindex]';

let wanted: { readonly selector: string; readonly until: number } | null = null;

/** How long to wait for a part of the page that is loaded, in milliseconds. */
const patience = 5000;

/** The element that a button has opened gets the focus as soon as it is there. */
export function focusNext(selector: string): void {
  wanted = { selector, until: performance.now() + patience };
}

const seen = (element: HTMLElement): boolean => element.getClientRects().length > 0;

function take(element: HTMLElement | null | undefined): boolean {
  if (!element || !seen(element)) return false;
  element.focus();
  return document.activeElement === element;
}

/** Follows the focus below `root`, and moves it when its element goes. */
export function keepFocus(root: HTMLElement): void {
  /** The element that has the focus, and its ancestors below `root`, from the inside out. */
  let path: readonly HTMLElement[] = [];
  const follow = (target: EventTarget | null | undefined): void => {
    const found: HTMLElement[] = [];
    for (let at = target instanceof HTMLElement ? target : null; at && at !== root; at = at.parentElement)
      found.push(at);
    path = found;
  };
  document.addEventListener('focusin', ({ target }) => follow(target));
  // The user moves the focus, perhaps to where nothing takes it.
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
      // An element that is marked to take the focus: the verdict, or the mark in a row.
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
