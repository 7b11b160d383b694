// Targets, and mappings, with which the data fits under a rule that has a target: where the rule was only just chosen, none may
// be at hand. The core finds the mappings.

import type { Engine, Extent } from '../engine/engine';
import type { Model } from '../model/model';
import type { State } from '../state/state';
import { indexText, shapeText } from '../text/format';
import { anyRule } from './compared';

export interface Proposal {
  readonly target: string;
  /** An empty text for a rule that takes none. */
  readonly mapping: string;
  readonly result: string;
  readonly next: State;
}

const mostProposals = 3;

/** Nothing where the target fits with some option: then repairs propose that. */
export function proposalsFor(core: Engine, { state, rule }: Model): readonly Proposal[] {
  if (!rule?.takesTarget) return [];
  const read = (text: string | undefined): readonly Extent[] | null => {
    const parsed = text !== undefined && text.trim() !== '' ? core.parseShape(text, 0) : null;
    return parsed?.ok && parsed.value.values.length < 32 ? parsed.value.values : null;
  };
  const data = read(state.operands[0]?.shape);
  const target = read(state.target);
  if (!data || (!target && state.target.trim() !== '')) return [];
  const other = target ?? read(state.operands[1]?.shape);

  const fitting = (wanted: readonly Extent[]): readonly Proposal[] => {
    const asked = core.align(anyRule(core), [data, wanted], {});
    const rows = asked.ok ? asked.value.compare().rows : [];
    const found = rows.find((row) => row.rule === rule.name && row.fits);
    if (!found?.shape) return [];
    const texts = { target: shapeText(wanted), mapping: found.axesMapping ? indexText(found.axesMapping) : '' };
    return [{ ...texts, result: shapeText(found.shape.map(BigInt)), next: { ...state, ...texts } }];
  };
  if (target && (!rule.takesMapping || fitting(target).length > 0)) return [];
  const common = other ? core.align(anyRule(core), [data, other], {}) : null;
  const candidates = [
    ...(other && !target ? [other] : []),
    ...(common?.ok && !common.value.failure ? [common.value.output] : []),
    ...(other ? [[...other, ...data]] : []),
    [2, ...data],
  ];
  const all = candidates.flatMap(fitting);
  return all.filter((one, i) => all.findIndex((same) => same.target === one.target) === i).slice(0, mostProposals);
}
