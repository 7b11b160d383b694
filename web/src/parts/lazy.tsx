// Parts of the page that are loaded when they are first needed.

import { signal } from '@preact/signals';
import type { FunctionComponent } from 'preact';

export const PartLost = () => <p class="note">This part of the page did not arrive. Load the page again.</p>;

/** A component that is fetched when it is first drawn, and leaves its place empty until then. */
export function lazily<P extends object>(arrive: () => Promise<FunctionComponent<P>>): FunctionComponent<P> {
  const part = signal<FunctionComponent<P> | null>(null);
  const lost = signal(false);
  let asked = false;
  return function Lazy(props: P) {
    if (!asked) {
      asked = true;
      arrive().then(
        (component) => (part.value = component),
        () => {
          lost.value = true;
          asked = false;
        },
      );
    }
    const Part = part.value;
    if (Part) return <Part {...props} />;
    return lost.value ? <PartLost /> : null;
  };
}
