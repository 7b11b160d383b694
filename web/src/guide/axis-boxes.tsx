// The alignment of an example: a line of boxes for each operand, one for each axis, and the result below them. The boxes move when
// the operands are lined up.

import type { AlignedAxis, AlignedCell } from '../engine/engine';
import { extentText, repeatOf, resultText, timesText } from '../model/drawn-axes';
import { hueOf } from '../components/chip';
import { type Answered, isCompared } from './drawing';
import type { Look } from './steps';

const width = 76;
const height = 36;
const apart = 8;
const line = height + 10;
/** Room for the operands' names, and for the numbers of the axes. */
const names = 58;
const heads = 20;

const xOf = (column: number): number => names + column * (width + apart);

interface Props {
  readonly of: Answered;
  readonly look: Look;
}

export function AxisBoxes({ of, look }: Props) {
  const { model, alignment } = of;
  const { axes, failure } = alignment;
  const lines = model.operands.length;
  const bottom = heads + lines * line + 8;
  const all = { width: xOf(axes.length) - apart + 1, height: bottom + height + 1 };
  return (
    <svg class="axis-boxes" viewBox={`0 0 ${all.width} ${all.height}`} style={{ '--own-width': `${all.width}px` }}>
      <rect
        class={`now ${look.axis === undefined ? 'absent' : ''}`}
        x={-apart / 2}
        width={width + apart}
        y={0}
        height={all.height}
        rx="8"
        style={{ translate: `${xOf(look.axis ?? axes.length - 1)}px` }}
      />
      {axes.map(({ axis }) => (
        <text
          key={axis}
          class={`head ${look.aligned ? '' : 'absent'} ${axis === look.axis ? 'meant' : ''}`}
          x={xOf(axis) + width / 2}
          y={13}
        >
          axis {axis}
        </text>
      ))}
      {model.operands.map(({ name }, operand) => (
        <g key={operand} class={hueOf(operand)} style={{ translate: `0px ${heads + operand * line}px` }}>
          <text class="name" x={0} y={height / 2 + 5}>
            {name}
          </text>
          {axes.map((axis) => {
            const cell = axis.cells[operand];
            return (
              cell && <AxisBox key={cell.sourceAxis ?? `no ${axis.axis}`} {...{ of, look, axis, cell, operand }} />
            );
          })}
        </g>
      ))}
      <g class={`hue-result ${look.aligned ? '' : 'absent'}`} style={{ translate: `0px ${bottom}px` }}>
        <text class="name" x={0} y={height / 2 + 5}>
          {model.operands.map(({ name }) => name).join(' + ')}
        </text>
        {axes.map((axis) => {
          const text = look.answered ? resultText(axis, failure) : '?';
          // Extents that fit make no result beside some that clash.
          const kind = look.answered && text === '?' ? 'open' : look.answered && !failure ? 'settled' : 'hidden';
          return (
            <g
              key={axis.axis}
              class={`axis-box ${kind}`}
              data-result={axis.axis}
              style={{ translate: `${xOf(axis.axis)}px` }}
            >
              <rect width={width} height={height} rx="7" />
              <text class="extent" x={width / 2} y={height / 2 + 5}>
                {kind === 'open' ? '✕' : text}
              </text>
            </g>
          );
        })}
      </g>
    </svg>
  );
}

interface BoxProps extends Props {
  readonly axis: AlignedAxis;
  readonly cell: AlignedCell;
  readonly operand: number;
}

function AxisBox({ of, look, axis, cell, operand }: BoxProps) {
  const isKnown = isCompared(of.alignment, axis, look);
  const lacks = cell.sourceAxis === null;
  const kind = isKnown ? cell.relation : lacks ? 'insert' : 'match';
  const repeat = isKnown ? timesText(repeatOf(cell, axis)) : '';
  const column = look.aligned || cell.sourceAxis === null ? axis.axis : cell.sourceAxis;
  return (
    <g
      class={`axis-box ${kind} ${lacks && !look.counted ? 'absent' : ''}`}
      data-operand={operand}
      data-axis={axis.axis}
      style={{ translate: `${xOf(column)}px` }}
    >
      <rect width={width} height={height} rx="7" />
      <text class="extent" x={width / 2} y={height / 2 + 5}>
        {extentText(cell) || '1'}
        {repeat && <tspan class="times"> {repeat}</tspan>}
      </text>
    </g>
  );
}
