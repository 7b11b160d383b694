// What is wider than paper is made smaller as it goes there: a sheet cannot be scrolled.

/** Between the margins of A4, which is narrower than Letter, in CSS pixels; see print.css. */
const paper = 664;

export function followPrinting(): void {
  addEventListener('beforeprint', () => {
    for (const wide of document.querySelectorAll<HTMLElement>('.loom, .alignment table')) {
      wide.style.setProperty('--on-paper', String(Math.min(1, paper / Math.max(1, wide.scrollWidth))));
    }
  });
}
