// Which part of a many-dimensional result is on the loom: where each axis stands, and a slider for every axis that is
// not drawn.

import '../styles/slices.css';
import { countText } from '../format';
import type { Cloth, Model } from '../model';
import { update } from '../store';

/** Sliders beyond this many help nobody. */
const mostSliders = 16;

/** Where an axis of the result can stand. */
const places = ['rows', 'columns', 'tiles'] as const;
type Place = (typeof places)[number];
const placeOf = (cloth: Cloth, axis: number): Place | null => places.find((place) => cloth[place] === axis) ?? null;

export function Slices({ model, cloth }: { model: Model; cloth: Cloth }) {
  const { state } = model;
  const several = cloth.outputs.length > 1;
  return (
    <div class={`slices ${cloth.shape.length > 4 ? 'many' : ''}`}>
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
              <span class="face">{model.operands[i]?.name}</span>
            </label>
          ))}
        </div>
      )}
      {cloth.shape.length > 2 &&
        cloth.shape.slice(0, mostSliders).map((extent, axis) => (
          <div class="axis" role="group" aria-label={`Axis ${axis}`} key={axis}>
            <label for={`place-${axis}`}>axis {axis}</label>
            <AxisPlace axis={axis} model={model} cloth={cloth} />
            {axis !== cloth.rows && axis !== cloth.columns && extent > 1 && (
              <AxisSlider axis={axis} extent={extent} model={model} cloth={cloth} />
            )}
          </div>
        ))}
    </div>
  );
}

interface AxisProps {
  axis: number;
  model: Model;
  cloth: Cloth;
}

function AxisSlider({ axis, extent, model, cloth }: AxisProps & { extent: number }) {
  const at = cloth.at[axis] ?? 0;
  return (
    <span class="slice">
      <input
        type="range"
        id={`slice-${axis}`}
        aria-label={`Index along axis ${axis}`}
        min={0}
        max={extent - 1}
        value={at}
        onInput={({ currentTarget }) => {
          const to = Number(currentTarget.value);
          update({ ...model.state, at: cloth.at.map((i, a) => (a === axis ? to : i)) });
        }}
      />
      <b>{countText(at)}</b>
    </span>
  );
}

const lastFree = (rank: number, taken: readonly (number | null)[]): number =>
  Array.from({ length: rank }, (_, axis) => axis).findLast((axis) => !taken.includes(axis)) ?? 0;

/** An axis that takes another's place gives up its own to it. */
function AxisPlace({ axis, model, cloth }: AxisProps) {
  const own = placeOf(cloth, axis);
  return (
    <select
      id={`place-${axis}`}
      value={own ?? 'slider'}
      onChange={({ currentTarget }) => {
        const chosen = places.find((place) => place === currentTarget.value);
        const drawn = { rows: cloth.rows, columns: cloth.columns, tiles: cloth.tiles };
        const other = chosen ? drawn[chosen] : null;
        if (own) drawn[own] = other;
        if (chosen) drawn[chosen] = axis;
        // Rows and columns are never empty: where nothing takes the place, the last axis on a slider does.
        if (own && own !== 'tiles') drawn[own] ??= lastFree(cloth.shape.length, [axis, ...Object.values(drawn)]);
        update({ ...model.state, at: cloth.at, ...drawn });
      }}
    >
      {places.map((place) => (
        <option key={place} value={place}>
          {place}
        </option>
      ))}
      <option value="slider">slider</option>
    </select>
  );
}
