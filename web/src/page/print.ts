// Scales down what is wider than the paper when the page is printed.

/** Between the margins of A4, which is narrower than Letter, in CSS pixels; see print.css. */
const paper = 664;

export function followPrinting(): void {
  addEventListener('beforeprint', () => {
    for (const wide of document.querySelectorAll<HTMLElement>('.grids, .alignment table')) {
      wide.style.setProperty('--on-paper', String(Math.min(1, paper / Math.max(1, wide.scrollWidth))));
    }
  });
}
