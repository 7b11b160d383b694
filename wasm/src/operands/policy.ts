// Reads the options `policy` and `names`: what a call refuses although its rule allows it.

import type { Core } from '../core/core.js';
import type { OpName, Relation, RuleName } from '../types/vocabulary.js';
import { listLength } from '../values/lists.js';
import { show } from '../values/show.js';
import { entryOf, readName } from './arguments.js';

// The bits of Request.refused.
const POLICIES = { no_rank_promotion: 1, no_stretching: 2, same_names: 4 } as const;
/** What is refused unless the relation is allowed. */
const RELATIONS = { match: 0, insert: POLICIES.no_rank_promotion, stretch: POLICIES.no_stretching } as const;

/**
 * What a call allows beyond equal axes. `no_rank_promotion`: an operand may not lack an axis of the result, unless it is a
 * scalar. `no_stretching`: no axis of extent 1 is repeated. `same_names`: axes that lie on each other have the same name,
 * of those in the option `names`. A list has the relations that are allowed; `match` always is.
 */
export type Policy = 'no_rank_promotion' | 'no_stretching' | 'same_names' | readonly Exclude<Relation, 'conflict'>[];

/** For each operand the names of its axes; an empty list, or null for an axis: none. */
export type AxisNames = readonly (readonly (string | null)[])[];

interface Where {
  readonly op?: OpName;
  readonly rule: RuleName;
}

/** The bits of what is refused. */
export function readPolicy(core: Core, policy: unknown, where: Where): number | undefined {
  if (policy === undefined) return undefined;
  const length = listLength(policy);
  if (length === -1) return POLICIES[readName(core, policy, 'policy', POLICIES, where) as keyof typeof POLICIES];
  let refused: number = POLICIES.no_rank_promotion | POLICIES.no_stretching;
  for (let i = 0; i < length; ++i) {
    const relation = entryOf(core, policy as unknown[], i);
    refused &= ~RELATIONS[readName(core, relation, 'relation', RELATIONS, where) as keyof typeof RELATIONS];
  }
  return refused;
}

/** For each operand the number of its names, and a number for each; equal names have equal numbers, and 0 is no name. */
export function readAxisNames(core: Core, names: unknown, where: Where): number[] | undefined {
  if (names === undefined) return undefined;
  const numbers = new Map<string, number>();
  const words: number[] = [];
  const refuse = (value: unknown): never => {
    const message = `names has for each operand a list with a name for each axis, as [['batch', 'head'], ['head']], not ${show(value)}.`;
    throw core.error({ code: 'attribute', detail: 'same_names', ...where }, value, message);
  };
  const operands = listLength(names);
  if (operands === -1) refuse(names);
  for (let operand = 0; operand < operands; ++operand) {
    const list = entryOf(core, names as unknown[], operand);
    const length = listLength(list);
    if (length === -1) refuse(list);
    words.push(length);
    for (let axis = 0; axis < length; ++axis) {
      const name = entryOf(core, list as unknown[], axis);
      if (name !== null && typeof name !== 'string') refuse(name);
      if (name && !numbers.has(name as string)) numbers.set(name as string, numbers.size + 1);
      words.push(numbers.get(name as string) ?? 0);
    }
  }
  return words;
}
