// What to change where shapes with unknown extents never fit: other extents are tried on an axis, and the core says with which
// of them it fits.

import { type Engine, type Extent, targetOperand } from '../engine/engine';
import { compute, type Model } from '../model/model';
import { type Case, type Given, givenOf, neverFits } from '../model/symbolic-terms';
import { changeOperand, type State } from '../state/state';
import { writtenShape } from '../text/symbolic-text';

/** Extents with which an axis of the result would fit. */
export interface Change {
  readonly axis: number;
  /** If one operand alone has another extent there. */
  readonly each: readonly { readonly name: string; readonly extents: readonly Extent[] }[];
  /** If all have this one; null where one change is enough. */
  readonly all: Extent | null;
}

/** An operand with an axis on the result's axis at hand. */
interface Place extends Given {
  readonly source: number;
}

/** At most so many axes have their changes listed, and so many operands are tried. */
const mostListed = 4;
const mostTried = 6;

export function changesFor(core: Engine, model: Model, found: Case): readonly Change[] {
  const given = givenOf(model);
  const extentsOf = ({ field }: Given) => field.values ?? field.unknown?.extents ?? [];
  const placesOn = (axis: number): readonly Place[] =>
    given.flatMap((each) => {
      const source = found.sources[each.place]?.[axis] ?? null;
      return source === null || extentsOf(each)[source] === undefined ? [] : [{ ...each, source }];
    });
  const knownOn = (axis: number): readonly Extent[] =>
    placesOn(axis).flatMap((each) => {
      const extent = extentsOf(each)[each.source];
      return extent === undefined || typeof extent === 'object' ? [] : [extent];
    });
  const withExtent = (state: State, place: Place, extent: Extent): State => {
    const extents = extentsOf(place).map((own, axis) => (axis === place.source ? extent : own));
    const shape = writtenShape({ extents, names: place.field.names });
    return place.operand === targetOperand
      ? { ...state, target: shape }
      : changeOperand(state, place.operand, { shape });
  };
  const fitsOn = (axis: number, next: State): boolean => {
    const [first, more] = compute(core, next).symbolic?.cases ?? [];
    return first !== undefined && more === undefined && first.error === null && !neverFits(first, axis);
  };
  const changesOn = (axis: number): readonly Change[] => {
    const places = placesOn(axis);
    if (places.length > mostTried) return [];
    const other = axis === found.conflictAxis ? found.otherConflictAxis : null;
    const known = [...knownOn(axis), ...(other === null ? [] : knownOn(other))];
    const tried = [...new Map([...known, 1].map((extent) => [String(extent), extent])).values()];
    const each = places.flatMap((place) => {
      const own = extentsOf(place)[place.source];
      const extents = tried.filter(
        (extent) => String(extent) !== String(own) && fitsOn(axis, withExtent(model.state, place, extent)),
      );
      return extents.length > 0 ? [{ name: place.name, extents }] : [];
    });
    if (each.length > 0) return [{ axis, each, all: null }];
    const allOf = (extent: Extent): State =>
      places.reduce((state, place) => withExtent(state, place, extent), model.state);
    const all = tried.find((extent) => fitsOn(axis, allOf(extent)));
    return all === undefined ? [] : [{ axis, each, all }];
  };
  return found.axes
    .flatMap((_, axis) => (neverFits(found, axis) ? [axis] : []))
    .slice(0, mostListed)
    .flatMap(changesOn);
}
