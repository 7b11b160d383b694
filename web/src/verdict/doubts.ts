// The warnings that the verdict shows.

import type { Warning } from '../engine/engine';
import { blowsUp, type Model } from '../model/model';

/** The model's warnings without those that the page says in another place: an empty result; of many bytes, why it is. */
export function doubtsOf(model: Model): readonly Warning[] {
  const elsewhere = ['empty_result', ...(blowsUp(model) ? ['large_result', 'outer'] : [])];
  return (model.alignment?.warnings() ?? []).filter(({ kind }) => !elsewhere.includes(kind));
}
