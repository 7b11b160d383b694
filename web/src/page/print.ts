// What styles cannot do when the page is printed: scales down what is wider than the paper, and tells whether canvases were
// painted for a dark page.

import { shownGround } from './shown-ground';

/** Between the margins of A4, which is narrower than Letter, in CSS pixels; see print.css. */
const paper = 664;
/** Tables that would be smaller than this leave out what they can. */
const leastScale = 0.6;

export function followPrinting(): void {
  addEventListener('beforeprint', () => {
    document.documentElement.dataset['printed'] = shownGround();
    for (const wide of document.querySelectorAll<HTMLElement>('.grids, .large .stage, .alignment table')) {
      const scale = (): number => Math.min(1, paper / Math.max(1, wide.scrollWidth));
      if (scale() < leastScale) wide.dataset['tight'] = '';
      wide.style.setProperty('--on-paper', String(scale()));
    }
  });
  addEventListener('afterprint', () => {
    for (const tight of document.querySelectorAll<HTMLElement>('[data-tight]')) delete tight.dataset['tight'];
  });
}
