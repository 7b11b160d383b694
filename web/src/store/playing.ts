// Whether the steps of the alignment are played.

import { signal } from '@preact/signals';

export const playing = signal(false);
/** Whether the last step was reached by playing: then the cells of the result come one after the other. */
export const fillsInOrder = signal(false);
