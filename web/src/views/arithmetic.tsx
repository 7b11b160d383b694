// The cell in hand, spelled out: out[1, 2] = A[1, 0] + B[2] = 1 + 30 = 31; or
// what a source element feeds.

import type { ComponentChildren } from 'preact';
import { firstText } from '../element-text';
import { countText, indexText } from '../format';
import type { Lit } from '../lit';
import type { Cloth, Model } from '../model';
import { spell } from '../notation';
import { pin } from '../store';
import { hueOf } from './chip';

/** Beside what is spelled out for as long as it is pinned. */
const Pinned = ({ lit }: { lit: Lit }) =>
  lit.pinned && (
    <>
      {' '}
      <button type="button" class="quiet" id="unpin" onClick={() => pin(null)} title="Escape">
        Pinned: let go
      </button>
    </>
  );

interface Props {
  model: Model;
  cloth: Cloth;
  lit: Lit;
}

export function Arithmetic({ model, cloth, lit }: Props) {
  // The cell in hand, or the first that a source element feeds.
  const cell = cloth.cells(lit.box.map(({ begin }) => ({ begin, end: begin + 1 })));
  const nameOf = (operand: number): string => model.operands[operand]?.name ?? '';
  const named = (operand: number, children: ComponentChildren) => (
    <span class={`term ${hueOf(operand)}`} key={operand}>
      {children}
    </span>
  );
  const valueOf = (operand: number): string => firstText(cell.operands[operand]);
  const refOf = (operand: number): string => `${nameOf(operand)}${indexText(lit.sources[operand] ?? [])}`;

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
        <Pinned lit={lit} />
      </p>
    );
  }
  const several = cloth.outputs.length > 1;
  const spelling = several ? [cloth.output] : spell(model.op?.notation ?? 'a', cloth.operands.length);
  const shift = `shift ${model.state.direction}`;
  const written = (of: (operand: number) => string) =>
    spelling.map((piece) => (typeof piece === 'number' ? named(piece, of(piece)) : piece.replace('shift', shift)));
  const copies = spelling.length === 1;
  return (
    <p class="arithmetic" id="arithmetic">
      out{several ? nameOf(cloth.output) : ''}
      {indexText(lit.hot.index)} = {written(refOf)} {!copies && <>= {written(valueOf)} </>}={' '}
      <b class="hand">{firstText(cell.outputs[cloth.output])}</b>
      <Pinned lit={lit} />
    </p>
  );
}
