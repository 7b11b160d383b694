// The parts that show shapes with unknown extents, loaded with the first such shape, together with the explanations.

import { lazily } from '../components/lazy';
import { explanations } from '../store/store';

const more = async () => {
  const [parts] = await Promise.all([import('./symbolic-more'), explanations()]);
  return parts;
};
export const SymbolicVerdict = lazily(() => more().then(({ SymbolicVerdict }) => SymbolicVerdict));
export const SymbolicAnswer = lazily(() => more().then(({ SymbolicAnswer }) => SymbolicAnswer));
