// Which slice of a result of higher rank is shown: which axes are drawn, and a slider for each of the others.

import './axis-places.css';
import { countText } from '../text/format';
import { useDrawn } from '../context/context';
import { resultNames, shortName } from '../model/axis-names';
import type { DrawnResult } from '../model/model';
import { update } from '../store/store';

/** At most so many sliders are shown. */
const mostSliders = 16;

/** Where an axis of the result can be drawn; the others have sliders. */
const places = ['rows', 'columns', 'slices'] as const;
type Place = (typeof places)[number];

export function AxisPlaces() {
  const { model, result } = useDrawn();
  const { state } = model;
  const several = result.outputs.length > 1;
  return (
    <div class="axis-places">
      {several && (
        <div class="outputs" role="radiogroup" aria-label="Which of the results">
          <span>result of</span>
          {result.outputs.map((_, i) => (
            <label key={i}>
              <input
                type="radio"
                name="output"
                value={String(i)}
                checked={i === result.output}
                onChange={() => update({ ...state, output: i })}
              />
              <span class="face">{model.operands[i]?.name}</span>
            </label>
          ))}
        </div>
      )}
      {result.shape.length > 2 && (
        <>
          {places.map((place) => (
            <AxisChoice key={place} place={place} />
          ))}
          {onSliders(result).map((axis) => (
            <AxisSlider key={axis} axis={axis} />
          ))}
        </>
      )}
    </div>
  );
}

/** The axes that are not drawn and have more than one index. */
const onSliders = ({ shape, rows, columns }: DrawnResult): number[] =>
  shape
    .flatMap((extent, axis) => (extent > 1 && axis !== rows && axis !== columns ? [axis] : []))
    .slice(0, mostSliders);

function AxisSlider({ axis }: { axis: number }) {
  const { model, alignment, result } = useDrawn();
  const at = result.at[axis] ?? 0;
  const name = resultNames(alignment, model.operands)?.[axis];
  return (
    <label class="slice">
      {`axis ${axis}${name ? ` (${shortName(name)})` : ''}`}
      <input
        type="range"
        id={`slice-${axis}`}
        aria-label={`Index along axis ${axis}`}
        min={0}
        max={(result.shape[axis] ?? 1) - 1}
        value={String(at)}
        onInput={({ currentTarget }) => {
          const to = Number(currentTarget.value);
          update({ ...model.state, at: result.at.map((i, a) => (a === axis ? to : i)) });
        }}
      />
      <b>{countText(at)}</b>
    </label>
  );
}

/** Chooses the axis for a place. If the axis has another place, the two axes change places. */
function AxisChoice({ place }: { place: Place }) {
  const { model, alignment, result } = useDrawn();
  const own = result[place];
  const names = resultNames(alignment, model.operands);
  return (
    <label class="place">
      {place}
      <select
        id={`place-${place}`}
        value={String(own ?? '')}
        onChange={({ currentTarget: { value } }) => {
          const chosen = value === '' ? null : Number(value);
          const drawn = { rows: result.rows, columns: result.columns, slices: result.slices };
          const other = places.find((each) => chosen !== null && drawn[each] === chosen);
          if (other) drawn[other] = own;
          drawn[place] = chosen;
          // Rows and columns are never empty: an axis with a slider takes the free place.
          for (const each of ['rows', 'columns'] as const)
            drawn[each] ??= lastFree(result.shape.length, Object.values(drawn));
          update({ ...model.state, at: result.at, ...drawn });
        }}
      >
        {place === 'slices' && <option value="">none</option>}
        {result.shape.map((_, axis) => (
          <option key={axis} value={String(axis)}>
            {`axis ${axis}${names?.[axis] ? ` (${shortName(names[axis])})` : ''}`}
          </option>
        ))}
      </select>
    </label>
  );
}

const lastFree = (rank: number, taken: readonly (number | null)[]): number =>
  Array.from({ length: rank }, (_, axis) => axis).findLast((axis) => !taken.includes(axis)) ?? 0;
