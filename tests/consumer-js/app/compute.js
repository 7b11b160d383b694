// The same for every consumer: a sum through each entry, a shape, and errors that each entry recognises.
import { BroadcastError, load } from 'broadloom';
import { BroadcastError as InlineError, load as loadInline } from 'broadloom/inline';

const a = { data: new Float32Array([0, 1, 2, 3, 4, 5]), shape: [2, 3] };
const b = { data: new Float32Array([10, 20, 30]), shape: [3] };
const shapes = [[2, 1], [3]];

export async function compute(options) {
  const inline = loadInline();
  const bl = await load(options);
  return {
    sum: bl.add(a, b).data.join(),
    shape: bl.inferShape('numpy', shapes).join(),
    inlineSum: inline.add(a, b).data.join(),
    inlineShape: inline.inferShape('numpy', shapes).join(),
    oneGraph: bl.constructor === inline.constructor,
    knownErrors: [bl, inline].every(failsAsKnown),
    loadedOnce: (await load(options)) === bl && loadInline() === inline,
    evaluates: evaluates(),
  };
}

// Whether its errors are of the class that each entry exports.
function failsAsKnown(bl) {
  try {
    return bl.inferShape('numpy', [[2], [3]]) === undefined;
  } catch (error) {
    return error instanceof BroadcastError && error instanceof InlineError;
  }
}

// Whether the content policy allows running text as code; a strict one does not.
function evaluates() {
  try {
    return new Function('return true')();
  } catch {
    return false;
  }
}
