// The cell in hand, spelled out: out[1, 2] = A[1, 0] + B[2] = 1 + 30 = 31; or
// what a source element feeds.

import type { ComponentChildren } from 'preact';
import type { Engine } from '../engine';
import { countText, exactText, indexText } from '../format';
import type { Lit } from '../lit';
import type { Cloth, Model } from '../model';
import { spell } from '../notation';
import { flatIndex } from '../values';
import { hueOf } from './chip';

interface Props {
  core: Engine;
  model: Model;
  cloth: Cloth;
  lit: Lit;
}

export function Arithmetic({ core, model, cloth, lit }: Props) {
  const named = (operand: number, children: ComponentChildren) => (
    <span class={`term ${hueOf(operand)}`} key={operand}>
      {children}
    </span>
  );
  const valueOf = (operand: number): string => {
    const source = lit.sources[operand];
    const values = cloth.operands[operand];
    return source && values ? exactText(values.read(flatIndex(source, values.shape))) : '';
  };
  const refOf = (operand: number): string => `${core.operandName(operand)}${indexText(lit.sources[operand] ?? [])}`;

  if (lit.hot.kind === 'source') {
    const { operand } = lit.hot;
    const cells = lit.box.reduce((n, { begin, end }) => n * (end - begin), 1);
    const ranges = lit.box.map(({ begin, end }) => (end - begin === 1 ? String(begin) : `${begin}…${end - 1}`));
    return (
      <p class="arithmetic" id="arithmetic">
        {named(operand, refOf(operand))} = {named(operand, valueOf(operand))}
        <span class="feeds">
          {' '}
          feeds {cells === 1 ? 'one cell' : `${countText(cells)} cells`}: out{indexText(ranges)}
        </span>
      </p>
    );
  }
  const several = cloth.outputs.length > 1;
  const output = cloth.outputs[cloth.output];
  const spelling = several ? [cloth.output] : spell(model.op?.notation ?? 'a', cloth.operands.length);
  const shift = `shift ${model.state.direction}`;
  const written = (of: (operand: number) => string) =>
    spelling.map((piece) => (typeof piece === 'number' ? named(piece, of(piece)) : piece.replace('shift', shift)));
  const copies = spelling.length === 1;
  return (
    <p class="arithmetic" id="arithmetic">
      out{several ? core.operandName(cloth.output) : ''}
      {indexText(lit.hot.index)} = {written(refOf)} {!copies && <>= {written(valueOf)} </>}={' '}
      <b class="hand">{output ? exactText(output.read(flatIndex(lit.hot.index, cloth.shape))) : ''}</b>
    </p>
  );
}
