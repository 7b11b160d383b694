import type { ComponentChildren } from 'preact';

/** The class of an operand's colour, the same everywhere on the page; there are eight colours. */
export const hueOf = (operand: number): string => (operand < 0 ? 'hue-target' : `hue-${operand % 8}`);

export function Chip({ operand, children }: { operand: number; children: ComponentChildren }) {
  const title = typeof children === 'string' && children.length > 8 ? children : undefined;
  return (
    <bdi class={`chip ${hueOf(operand)}`} title={title}>
      {children}
    </bdi>
  );
}
