// What the views of a page share, without passing it through one another: the engine, the model that they show, and within the
// grids the result that is drawn.

import { type Context, createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Alignment, Engine } from '../engine/engine';
import type { Lit } from '../model/lit';
import type { DrawnResult, Model } from '../model/model';

/** What the grids draw. All of it belongs together: the grids may be kept while the model has no result. */
export interface Drawn {
  readonly model: Model;
  readonly alignment: Alignment;
  readonly result: DrawnResult;
  readonly lit: Lit;
}

export const EngineContext = createContext<Engine | null>(null);
export const ModelContext = createContext<Model | null>(null);
export const DrawnContext = createContext<Drawn | null>(null);

function useProvided<T>(context: Context<T | null>): T {
  const provided = useContext(context);
  if (provided === null) throw new Error('This view stands outside of its page.');
  return provided;
}

export const useEngine = (): Engine => useProvided(EngineContext);
/** The model that is shown; the view is drawn again with each new one. */
export const useModel = (): Model => useProvided(ModelContext);
export const useDrawn = (): Drawn => useProvided(DrawnContext);
