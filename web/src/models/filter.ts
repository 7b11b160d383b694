// Which nodes of the open model are listed.

import { computed, signal } from '@preact/signals';
import type { ListedNode } from './listed-node';
import { openModel } from './opened';

export type Filter = 'all' | 'problems' | 'depends' | 'differ';
export const filters: readonly (readonly [Filter, string])[] = [
  ['all', 'All'],
  ['problems', 'Problems'],
  ['depends', 'Depends'],
  ['differ', 'Systems differ'],
];

export const filter = signal<Filter>('all');
/** The number of the page of the list. */
export const page = signal(0);
export const nodesPerPage = 50;

const passes: Readonly<Record<Filter, (node: ListedNode) => boolean>> = {
  all: () => true,
  problems: ({ fits, warnings }) => fits === false || warnings.length > 0,
  depends: ({ fits }) => fits === null,
  differ: ({ differs }) => differs.length > 0,
};

/** The nodes of each filter, by their numbers. */
export const numbers = computed((): Readonly<Record<Filter, readonly number[]>> => {
  const nodes = openModel.value?.nodes ?? [];
  const numbersOf = (which: Filter): readonly number[] => nodes.flatMap((node, i) => (passes[which](node) ? [i] : []));
  return {
    all: numbersOf('all'),
    problems: numbersOf('problems'),
    depends: numbersOf('depends'),
    differ: numbersOf('differ'),
  };
});
