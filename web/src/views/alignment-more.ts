// What the alignment has besides its table, in one file: it is loaded with the first alignment.

export { AxisThreads } from './axis-threads';
export { Sources } from './clause-sources';
export { Stages } from './stages';
