// The alignment of shapes with unknown extents: a column for each axis of the result, the operands' extents in it, and below
// what must hold. Which axis lies where is the core's answer.

import { AxisHeads } from '../alignment/axis-heads';
import { useModel } from '../context/context';
import { Chip, hueOf } from '../components/chip';
import { Scroll } from '../components/scroll';
import { shortName } from '../model/axis-names';
import { targetOperand } from '../engine/engine';
import { extentText, writtenShape } from '../text/symbolic-text';
import { type Case, conditionText, type Given, givenOf, neverFits, resultText } from '../model/symbolic-terms';

/** Letters of an extent, and of a shape; titles have the whole. */
const mostInExtent = 16;
const mostInShape = 200;
/** At most so many axes are drawn. */
const mostAxes = 24;
/** A condition of more alternatives is counted in the table; all are listed below it. */
const mostInCell = 4;

export function SymbolicTable({ found }: { found: Case }) {
  const model = useModel();
  const rows = givenOf(model);
  const axes = found.axes.slice(0, mostAxes);
  const hidden = found.axes.length - axes.length;
  const isOpen = (axis: number): boolean => found.openAxis === axis;
  const nameOf = (axis: number): string => {
    const names = rows.flatMap(({ field, place }) => {
      const source = found.sources[place]?.[axis] ?? null;
      return source === null ? [] : field.names?.[source] || [];
    });
    return [...new Set(names)].join('/');
  };
  const title = (axis: number): string =>
    axes[axis]?.name ?? (isOpen(axis) ? 'more axes' : nameOf(axis) || `axis ${axis}`);
  return (
    <div class="alignment">
      <Scroll label="The axes, scrolling" show="td.clash" of={found}>
        <table data-rank={axes.length} class={axes.length > 5 ? 'many' : rows.length > 3 ? 'wordy' : ''}>
          <AxisHeads titles={axes.map((_, axis) => title(axis))} />
          <tbody>
            {rows.map((row) => (
              <tr key={row.operand}>
                <th scope="row">
                  <Chip operand={row.operand}>{row.operand === targetOperand ? 'to' : row.name}</Chip>
                  <span class="written">
                    {shortName(
                      writtenShape({
                        extents: row.field.values ?? row.field.unknown?.extents ?? null,
                        names: row.field.names,
                      }),
                      mostInShape,
                    )}
                  </span>
                </th>
                {axes.map((_, axis) => (
                  <Cell key={axis} row={row} axis={axis} found={found} />
                ))}
                {axes.length === 0 && <td class="lone">one element</td>}
              </tr>
            ))}
            <tr class="result">
              <th scope="row">result</th>
              {axes.map((each, axis) => (
                <td key={axis}>
                  <span class={`axis-cell outcome-axis ${found.fit === 'never' ? 'open' : ''}`}>
                    <span class="extent" title={resultText(each, model)}>
                      {found.fit === 'never'
                        ? '?'
                        : isOpen(axis)
                          ? '…'
                          : shortName(resultText(each, model), mostInExtent)}
                    </span>
                    <span class="own" aria-hidden="true" title={title(axis)}>
                      {shortName(title(axis))}
                    </span>
                  </span>
                </td>
              ))}
              {axes.length === 0 && (
                <td>
                  <span class={`axis-cell outcome-axis ${found.fit === 'never' ? 'open' : ''}`}>
                    <span class="extent">{found.fit === 'never' ? '?' : '()'}</span>
                  </span>
                </td>
              )}
            </tr>
          </tbody>
          {axes.length > 0 && (
            <tfoot>
              <tr class="reasons">
                <th scope="row">fits</th>
                {axes.map((each, axis) => (
                  <td key={axis} class={neverFits(found, axis) ? 'clash' : ''}>
                    {neverFits(found, axis)
                      ? 'Never.'
                      : each.always
                        ? 'Always.'
                        : each.mustCheck
                          ? 'To be checked: too many unknown extents.'
                          : each.alternatives.length > mostInCell
                            ? `In one of ${each.alternatives.length} cases, listed below.`
                            : `If ${conditionText(model, each)}.`}
                  </td>
                ))}
              </tr>
            </tfoot>
          )}
        </table>
      </Scroll>
      {hidden > 0 && <p class="note">{`${hidden} more axes are not drawn.`}</p>}
    </div>
  );
}

/** An operand's own extent on an axis of the result. */
function Cell({ row, axis, found }: { row: Given; axis: number; found: Case }) {
  const { field, operand, name, place } = row;
  const sources = found.sources[place];
  if (operand !== targetOperand && !sources) return <td />;
  const source = sources?.[axis] ?? null;
  const extents = field.values ?? field.unknown?.extents ?? null;
  // Of an operand of unknown rank, no extent is known.
  const extent = source === null ? null : extents ? extents[source] : undefined;
  const text = source === null ? '' : extent === undefined || extent === null ? '?' : extentText(extent);
  const own = source === null ? 'no axis' : field.names?.[source] || `axis ${source}`;
  const clashes = neverFits(found, axis) && source !== null;
  return (
    <td aria-label={text === '' ? own : `${own}, ${text}`}>
      <span
        class={`axis-cell ${clashes ? 'conflict' : source === null ? 'insert' : 'match'} ${hueOf(operand)}`}
        title={
          source === null
            ? `${name}: no axis`
            : `${name}: ${text}, axis ${source}${own.startsWith('axis') ? '' : `, ${own}`}`
        }
      >
        <span class="extent">{shortName(text, mostInExtent)}</span>
        <span class="own">{shortName(own)}</span>
      </span>
    </td>
  );
}
