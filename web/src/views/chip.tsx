import type { ComponentChildren } from 'preact';

/** Each operand has one colour everywhere; after eight they come round again. */
export const hueOf = (operand: number): string => (operand < 0 ? 'hue-target' : `hue-${operand % 8}`);

export function Chip({ operand, children }: { operand: number; children: ComponentChildren }) {
  return <span class={`chip ${hueOf(operand)}`}>{children}</span>;
}
