// A node of a model as a question of the page.

import { fromFragment, type State } from '../state/state';
import type { ListedNode, ListedShape } from './listed-node';

/** (2, 3), (N,), ?: as it is listed. */
export const listedText = (shape: ListedShape): string =>
  shape === null ? '?' : `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;

/** The question about a node; null where the page has no fields for it. */
export const stateOfNode = ({ fragment }: ListedNode): State | null =>
  fragment === null ? null : fromFragment(fragment);
