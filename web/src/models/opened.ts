// The model file that is open: what was found in it, and which of its nodes the page shows. The rest of this folder is loaded
// when a file is opened.

import { computed, signal } from '@preact/signals';
import { sameQuestion, type State } from '../state/state';
import { state } from '../store/store';
import type { ListedNode } from './listed-node';

export interface OpenModel {
  readonly name: string;
  readonly size: number;
  readonly phase: 'reading' | 'read' | 'failed';
  /** Why it could not be read. */
  readonly message: string;
  readonly format: 'onnx' | 'openvino' | null;
  readonly nodes: readonly ListedNode[];
  /** The number of all nodes; more than are listed in a very large model. */
  readonly total: number;
  /** Whether it is an IR without the file of its weights. */
  readonly lacksWeights: boolean;
  /** How many other models were dropped with it. */
  readonly others: number;
}

export const openModel = signal<OpenModel | null>(null);

/** Nodes that were opened on the page, the last one last, with the states that show them. */
export const visited = signal<readonly { readonly index: number; readonly state: State }[]>([]);

/**
 * The node that the page shows, and whether the question is still that of the node; null where none was opened. Undo returns
 * to the node before.
 */
export const shownNode = computed(() => {
  const now = state.value;
  const last = visited.value.at(-1);
  if (!last) return null;
  const same =
    visited.value.findLast((each) => each.state === now) ??
    visited.value.findLast((each) => sameQuestion(each.state, now));
  return { index: (same ?? last).index, isSame: same !== undefined };
});

/** What cannot be opened, and what can. */
export const refusal = signal<string | null>(null);
