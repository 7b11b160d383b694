// Which part of a many-dimensional result is on the loom: which axes are drawn, and a slider for every other one.

import '../styles/slices.css';
import { countText } from '../text/format';
import type { Cloth, Model } from '../model/model';
import { update } from '../store/store';

/** Sliders beyond this many help nobody. */
const mostSliders = 16;

/** Where axes of the result can stand; the others are on sliders. */
const places = ['rows', 'columns', 'tiles'] as const;
type Place = (typeof places)[number];

export function Slices({ model, cloth }: { model: Model; cloth: Cloth }) {
  const { state } = model;
  const several = cloth.outputs.length > 1;
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
                value={String(i)}
                checked={i === cloth.output}
                onChange={() => update({ ...state, output: i })}
              />
              <span class="face">{model.operands[i]?.name}</span>
            </label>
          ))}
        </div>
      )}
      {cloth.shape.length > 2 && (
        <>
          {places.map((place) => (
            <Standing key={place} place={place} model={model} cloth={cloth} />
          ))}
          {onSliders(cloth).map((axis) => (
            <AxisSlider key={axis} axis={axis} model={model} cloth={cloth} />
          ))}
        </>
      )}
    </div>
  );
}

/** The axes that are not drawn, where there is anything to choose. */
const onSliders = ({ shape, rows, columns }: Cloth): number[] =>
  shape
    .flatMap((extent, axis) => (extent > 1 && axis !== rows && axis !== columns ? [axis] : []))
    .slice(0, mostSliders);

function AxisSlider({ axis, model, cloth }: { axis: number; model: Model; cloth: Cloth }) {
  const at = cloth.at[axis] ?? 0;
  return (
    <label class="slice">
      {`axis ${axis}`}
      <input
        type="range"
        id={`slice-${axis}`}
        aria-label={`Index along axis ${axis}`}
        min={0}
        max={(cloth.shape[axis] ?? 1) - 1}
        value={String(at)}
        onInput={({ currentTarget }) => {
          const to = Number(currentTarget.value);
          update({ ...model.state, at: cloth.at.map((i, a) => (a === axis ? to : i)) });
        }}
      />
      <b>{countText(at)}</b>
    </label>
  );
}

/** Which axis stands there. One that stood elsewhere changes places with the one that was here. */
function Standing({ place, model, cloth }: { place: Place; model: Model; cloth: Cloth }) {
  const own = cloth[place];
  return (
    <label class="place">
      {place}
      <select
        id={`place-${place}`}
        value={String(own ?? '')}
        onChange={({ currentTarget: { value } }) => {
          const chosen = value === '' ? null : Number(value);
          const drawn = { rows: cloth.rows, columns: cloth.columns, tiles: cloth.tiles };
          const other = places.find((each) => chosen !== null && drawn[each] === chosen);
          if (other) drawn[other] = own;
          drawn[place] = chosen;
          // Rows and columns are never empty: where tiles had nothing to give, an axis on a slider does.
          for (const each of ['rows', 'columns'] as const)
            drawn[each] ??= lastFree(cloth.shape.length, Object.values(drawn));
          update({ ...model.state, at: cloth.at, ...drawn });
        }}
      >
        {place === 'tiles' && <option value="">none</option>}
        {cloth.shape.map((_, axis) => (
          <option key={axis} value={String(axis)}>{`axis ${axis}`}</option>
        ))}
      </select>
    </label>
  );
}

const lastFree = (rank: number, taken: readonly (number | null)[]): number =>
  Array.from({ length: rank }, (_, axis) => axis).findLast((axis) => !taken.includes(axis)) ?? 0;
