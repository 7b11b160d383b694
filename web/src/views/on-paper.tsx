// The question, for paper, where its fields cannot be opened.

import type { Model } from '../model/model';
import { Chip } from '../parts/chip';
import { valuesIn } from './operand-row';

export function OnPaper({ model: { state, operands, rule, target, mapping, axis } }: { model: Model }) {
  return (
    <p class="on-paper">
      {operands.map(({ name, text, dtype }, i) => {
        const spec = state.operands[i];
        return (
          <span key={i}>
            <Chip operand={i}>{name}</Chip> <code>{text}</code> {dtype}
            {spec && `, ${valuesIn(spec)}`}
          </span>
        );
      })}
      <span>
        {rule?.title ?? state.rule}
        {target.text !== '' && ` to ${target.text}`}
        {mapping.text !== '' && `, axes_mapping ${mapping.text}`}
        {axis.text !== '' && `, axis ${axis.text}`}
        {`, ${state.op}`}
      </span>
    </p>
  );
}
