// The question in a line and its address, for print: fields and links cannot be opened on paper.

import { useModel } from '../context/context';
import { Chip } from '../components/chip';
import { valuesText } from '../controls/operand-row';
import { link } from '../store/store';

export function OnPaper() {
  const { state, operands, rule, target, mapping, axis } = useModel();
  return (
    <p class="on-paper">
      {operands.map(({ name, text, dtype }, i) => {
        const spec = state.operands[i];
        return (
          <span key={i}>
            <Chip operand={i}>{name}</Chip> <code>{text}</code> {dtype}
            {spec && `, ${valuesText(spec)}`}
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
      <span class="address">{link()}</span>
    </p>
  );
}
