// The parts of the alignment besides its table, in one file that is loaded with the first alignment.

export { AxisLines } from './axis-lines';
export { ClauseTexts } from './clause-texts';
export { Stages, StepSentence } from './stages';
