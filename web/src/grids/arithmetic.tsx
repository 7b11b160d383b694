// The cell in hand, spelled out: out[1, 2] = A[1, 0] + B[2] = 1 + 30 = 31; or an element of an operand, and the cells that it
// feeds.

import { useDrawn } from '../context/context';
import { firstText } from '../values/element-text';
import { indexText } from '../text/format';
import { namedIndex, resultNames } from '../model/axis-names';
import type { Lit } from '../model/lit';
import { feedsText, spelledCell, type Term } from '../model/spelled';
import { pin } from '../store/store';
import { hueOf } from '../components/chip';

/** A button that unpins the cell, while one is pinned. */
const Pinned = ({ lit }: { lit: Lit }) =>
  lit.pinned && (
    <>
      {' '}
      <button type="button" class="quiet" id="unpin" onClick={() => pin(null)} title="Escape">
        Unpin
      </button>
    </>
  );

const Terms = ({ terms }: { terms: readonly Term[] }) => (
  <>
    {terms.map((term) =>
      typeof term === 'string' ? (
        term
      ) : (
        <span class={`term ${hueOf(term.operand)}`} key={term.operand}>
          {term.text}
        </span>
      ),
    )}
  </>
);

export function Arithmetic() {
  const { model, result, lit } = useDrawn();
  if (lit.hot.kind === 'source') return <Feeding {...lit.hot} />;
  const { cell, sources, values, value } = spelledCell(model, result, lit.hot.index, lit.sources);
  return (
    <p class="arithmetic" id="arithmetic">
      {cell} = <Terms terms={sources} />{' '}
      {values && (
        <>
          = <Terms terms={values} />{' '}
        </>
      )}
      = <b class="hand">{value}</b>
      <Pinned lit={lit} />
    </p>
  );
}

/** An element of an operand, and all cells that it feeds. */
function Feeding({ operand, index }: { operand: number; index: readonly number[] }) {
  const { model, result, lit } = useDrawn();
  const cell = result.cells(lit.box.map(({ begin }) => ({ begin, end: begin + 1 })));
  const count = lit.box.reduce((product, { begin, end }) => product * BigInt(end - begin), 1n);
  const ranges = lit.box.map(({ begin, end }) => (end - begin === 1 ? String(begin) : `${begin}…${end - 1}`));
  const name = model.operands[operand]?.name ?? '';
  return (
    <p class="arithmetic" id="arithmetic">
      <Terms
        terms={[{ operand, text: `${name}${indexText(namedIndex(index, model.operands[operand]?.names ?? null))}` }]}
      />{' '}
      = <Terms terms={[{ operand, text: firstText(cell.operands[operand]) }]} />
      <span class="feeds">
        {' '}
        {feedsText(count)}: out{indexText(namedIndex(ranges, resultNames(model.alignment, model.operands)))}
      </span>
      <Pinned lit={lit} />
    </p>
  );
}
