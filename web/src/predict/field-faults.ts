// The faults of a field that places axes, found before extents are compared: the core's error class, which is the field's
// name, and the details of that class, in the words that a learner chooses from.

import type { RuleEntry } from '../engine/engine';

const faults: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  axis: {
    negative: 'an axis below -1',
    out_of_range: 'B reaching past A',
  },
  axes_mapping: {
    size: 'not one entry for each axis of A',
    out_of_range: 'an entry that is no axis',
    duplicate: 'an axis named twice',
    unsorted: 'entries out of order',
  },
};

/** The details of an error class and their words; null if the class is not a field's. */
export const faultsIn = (errorClass: string): Readonly<Record<string, string>> | null => faults[errorClass] ?? null;

/** The field that places axes; null if the rule has none. */
export const placingField = ({ takesAxis, takesMapping }: RuleEntry): string | null =>
  takesMapping ? 'axes_mapping' : takesAxis ? 'axis' : null;
