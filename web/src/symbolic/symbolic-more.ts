// All parts that show shapes with unknown extents, in one file that is loaded with the first such shape.

import { askSymbolic } from '../model/model';
import { engine, exampleCase, exampleOf } from '../store/store';
import { ask } from './ask';
import { exampleOf as made } from './witness';

export { SymbolicAnswer } from './symbolic-answer';
export { SymbolicVerdict } from './symbolic-verdict';

askSymbolic.value = ask;
exampleOf.value = (model) => {
  const core = engine.peek();
  const cases = model.symbolic?.cases ?? [];
  const found = cases[exampleCase.value] ?? cases[0];
  return core && found ? made(core, model, found) : null;
};
