// The name of a saved file, from the question: broadloom-numpy-add-4x1-6-grid.svg

import type { Field, Model } from '../model/model';

const longest = 80;

/** `4x1`; `scalar` for a shape without axes, an empty text for one that cannot be read. */
const written = ({ values }: Field): string => (values === null ? '' : values.join('x') || 'scalar');

/** Letters that every file system takes, and few enough. */
export function fileName(model: Model, subject: string, type: string): string {
  const { state, operands, target, rule } = model;
  const shapes = [...operands.map(written), ...(rule?.takesTarget ? ['to', written(target)] : [])];
  const question = [state.rule, state.op, ...shapes]
    .join('-')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
  return ['broadloom', question, subject].filter(Boolean).join('-') + `.${type}`;
}
