// What is loaded when a model is opened, in one file.

export { FromModel } from './from-model';
export { Models } from './models-view';
export { Refusal } from './refusal';
