// What the page is still loading.

let count = 0;

/**
 * Marks the document until `work` ends: `data-awaits` on its root element. Tests and screenshots wait until the mark is gone.
 * Nothing else shows that a part which has no place of its own, such as warnings, is still to come.
 */
export async function awaited<T>(work: Promise<T>): Promise<T> {
  const root = document.documentElement;
  ++count;
  root.toggleAttribute('data-awaits', true);
  try {
    return await work;
  } finally {
    root.toggleAttribute('data-awaits', --count > 0);
  }
}
