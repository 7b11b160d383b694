// One grid of cells, for an operand or the result: a grid for assistive technology, with one tab stop, and arrow keys that move
// the focus.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { hueOf } from '../components/chip';
import type { CellRows, Part } from '../model/picture';
import type { CellRange } from '../text/cell-range';

interface Props {
  id: string;
  label: string;
  hue: string;
  /** The rows and columns of the array, and which of them are drawn. */
  rows: CellRange;
  columns: CellRange;
  /** Whether the array has an axis along rows and columns: only then are indexes written. */
  rulers: { readonly rows: boolean; readonly columns: boolean };
  /** Leaves out empty rulers, instead of keeping their place. */
  compact?: boolean;
  cells: CellRows;
  /** `isLit`: the cell feeds, or is fed by, the cell in hand. `isHand`: it is the cell in hand. */
  isLit: (index: readonly number[]) => boolean;
  isHand: (index: readonly number[]) => boolean;
  /** The cell that is the tab stop. */
  stop: { readonly row: number; readonly column: number };
  onPoint: (row: number, column: number) => void;
  onLeave: () => void;
  /** Called when a key, a press or the focus moves to a cell. Rows and columns are counted in the whole array. */
  onMove: (row: number, column: number) => void;
  /** Called on a press or Enter. */
  onPin: (row: number, column: number) => void;
  /** Whether the cells appear one after the other. */
  inOrder?: boolean;
  children?: ComponentChildren;
}

const range = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

function placeOf(event: Event): { row: number; column: number } | null {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[role=gridcell]') : null;
  const index = (element: Element | null, name: string): number => Number(element?.getAttribute(name)) - 1;
  return cell && { row: index(cell.closest('[role=row]'), 'aria-rowindex'), column: index(cell, 'aria-colindex') };
}

const steps: Record<string, readonly [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-8, 0],
  PageDown: [8, 0],
};

export function Grid(props: Props) {
  const { id, label, hue, rows, columns, rulers, compact, cells, isLit, isHand, stop, children } = props;
  const root = useRef<HTMLDivElement>(null);

  // The focus follows the tab stop if it is in this grid.
  useLayoutEffect(() => {
    const grid = root.current;
    const focused = document.activeElement;
    if (!grid || !focused || !grid.contains(focused)) return;
    const wanted = grid.querySelector<HTMLElement>('[tabindex="0"]');
    if (wanted && wanted !== focused) wanted.focus();
  }, [stop.row, stop.column, rows.first, columns.first]);

  const onKeyDown = (event: KeyboardEvent): void => {
    const here = placeOf(event);
    if (!here || event.altKey || event.metaKey) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      props.onPin(here.row, here.column);
      return;
    }
    let { row, column } = here;
    const step = steps[event.key];
    if (step) [row, column] = [row + step[0], column + step[1]];
    else if (event.key === 'Home') [row, column] = [event.ctrlKey ? 0 : row, 0];
    else if (event.key === 'End') [row, column] = [event.ctrlKey ? rows.all - 1 : row, columns.all - 1];
    else return;
    event.preventDefault();
    props.onMove(Math.max(0, Math.min(row, rows.all - 1)), Math.max(0, Math.min(column, columns.all - 1)));
  };

  // There is always room for two digits; indexes of long axes need more.
  const digits = rulers.rows ? String(rows.first + rows.drawn - 1).length : 0;

  return (
    <div
      class={`grid ${hue} ${compact ? 'compact' : ''}`}
      style={digits > 2 ? { gridTemplateColumns: `${8 * digits + 6}px max-content` } : undefined}
    >
      {(rulers.columns || !compact) && (
        <div class="ruler across" aria-hidden="true">
          {range(columns.drawn).map((column) => (
            <span key={column}>{rulers.columns && String(columns.first + column)}</span>
          ))}
        </div>
      )}
      {(rulers.rows || !compact) && (
        <div class="ruler down" aria-hidden="true">
          {range(rows.drawn).map((row) => (
            <span key={row}>{rulers.rows && String(rows.first + row)}</span>
          ))}
        </div>
      )}
      <div
        class="cells"
        id={id}
        ref={root}
        role="grid"
        aria-label={label}
        aria-rowcount={rows.all}
        aria-colcount={columns.all}
        onPointerOver={(event) => {
          const place = placeOf(event);
          if (place) props.onPoint(place.row, place.column);
        }}
        onPointerLeave={props.onLeave}
        onClick={(event) => {
          const place = placeOf(event);
          if (!place) return;
          (event.target as Element).closest<HTMLElement>('[role=gridcell]')?.focus();
          props.onPin(place.row, place.column);
        }}
        onFocusIn={(event) => {
          const place = placeOf(event);
          if (place) props.onMove(place.row, place.column);
        }}
        onFocusOut={props.onLeave}
        onKeyDown={onKeyDown}
      >
        {cells.map((line, r) => (
          <div role="row" key={r} aria-rowindex={rows.first + r + 1}>
            {line.map(({ text, label: name, index, parts }, c) => {
              const row = rows.first + r;
              const column = columns.first + c;
              const lit = isLit(index);
              const hand = isHand(index);
              return (
                <div
                  key={c}
                  role="gridcell"
                  class={hand ? 'hand' : lit ? 'lit' : ''}
                  tabIndex={row === stop.row && column === stop.column ? 0 : -1}
                  data-index={index.join(',')}
                  data-lit={lit || hand ? '' : undefined}
                  aria-colindex={column + 1}
                  aria-selected={hand}
                  aria-label={parts ? undefined : name}
                  style={props.inOrder ? { '--after': r * line.length + c } : undefined}
                >
                  {parts ? <Parts parts={parts} /> : text}
                </div>
              );
            })}
          </div>
        ))}
        {children}
      </div>
    </div>
  );
}

/** The elements from which a cell is computed, below one another; those further from their own place appear later. */
const Parts = ({ parts }: { parts: readonly Part[] }) => (
  <span class="parts">
    {parts.map(({ operand, text, says, away }) => (
      <span key={operand} class={`part ${hueOf(operand)} ${away > 0 ? 'again' : ''}`} style={{ '--after': away }}>
        <span class="unseen">{says}</span>
        {text}
      </span>
    ))}
  </span>
);
