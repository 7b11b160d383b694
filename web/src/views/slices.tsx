// Which part of a large or many-dimensional result is on the loom: a slider for
// every axis that is not drawn, and for windows onto long axes.

import type { Cloth, Model } from '../model';
import { update } from '../store';
import type { Window } from '../window';

/** Sliders beyond this many help nobody. */
const mostSliders = 16;

interface Props {
  model: Model;
  cloth: Cloth;
  rows: Window;
  columns: Window;
}

export function Slices({ model, cloth, rows, columns }: Props) {
  const { state } = model;
  const move = (axis: number, to: number): void =>
    update({ ...state, at: cloth.at.map((i, a) => (a === axis ? to : i)) });
  const rank = cloth.shape.length;
  const leading = cloth.shape.flatMap((extent, axis) =>
    axis === cloth.rows || axis === cloth.columns || extent < 2 ? [] : [axis],
  );
  const several = cloth.outputs.length > 1;
  const long = [
    ...(rows.drawn < rows.all && cloth.rows !== null ? [{ axis: cloth.rows, part: rows, what: 'rows' }] : []),
    ...(columns.drawn < columns.all && cloth.columns !== null
      ? [{ axis: cloth.columns, part: columns, what: 'columns' }]
      : []),
  ];
  if (rank < 3 && !several && long.length === 0) return null;
  return (
    <div class="slices">
      {several && (
        <div class="outputs" role="radiogroup" aria-label="Which of the results">
          <span>result of</span>
          {cloth.outputs.map((_, i) => (
            <label key={i}>
              <input
                type="radio"
                name="output"
                value={i}
                checked={i === cloth.output}
                onChange={() => update({ ...state, output: i })}
              />
              <span>{model.operands[i]?.name}</span>
            </label>
          ))}
        </div>
      )}
      {leading.slice(0, mostSliders).map((axis) => (
        <label class="slice" key={axis}>
          <span>
            axis {axis} = <b>{cloth.at[axis]}</b>
          </span>
          <input
            type="range"
            id={`slice-${axis}`}
            min={0}
            max={(cloth.shape[axis] ?? 1) - 1}
            value={cloth.at[axis] ?? 0}
            onInput={({ currentTarget }) => move(axis, Number(currentTarget.value))}
          />
        </label>
      ))}
      {long.map(({ axis, part, what }) => (
        <label class="slice" key={what}>
          <span>
            {what} {part.first}–{part.first + part.drawn - 1} of {part.all}
          </span>
          <input
            type="range"
            id={`window-${what}`}
            min={0}
            max={part.all - 1}
            step={1}
            value={cloth.at[axis] ?? 0}
            onInput={({ currentTarget }) => move(axis, Number(currentTarget.value))}
          />
        </label>
      ))}
      {rank > 2 && (
        <span class="drawn">
          <AxisChoice name="rows" model={model} cloth={cloth} />
          <AxisChoice name="columns" model={model} cloth={cloth} />
        </span>
      )}
    </div>
  );
}

/** Any axis can be drawn; choosing the other one's axis swaps them. */
function AxisChoice({ name, model, cloth }: { name: 'rows' | 'columns'; model: Model; cloth: Cloth }) {
  const other = name === 'rows' ? 'columns' : 'rows';
  return (
    <label>
      {name}{' '}
      <select
        id={`draw-${name}`}
        value={String(cloth[name])}
        onChange={({ currentTarget }) => {
          const chosen = Number(currentTarget.value);
          const rest = chosen === cloth[other] ? cloth[name] : cloth[other];
          update({ ...model.state, at: cloth.at, [name]: chosen, [other]: rest });
        }}
      >
        {cloth.shape.map((_, axis) => (
          <option key={axis} value={String(axis)}>
            axis {axis}
          </option>
        ))}
      </select>
    </label>
  );
}
