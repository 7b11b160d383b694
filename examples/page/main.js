// Reads two shapes from the page and says what they broadcast to under NumPy's rule.

import { isBroadcastError, load } from 'broadloom';

const form = document.querySelector('form');
const output = document.querySelector('output');

// Loads the WebAssembly, which lies beside the module. Further calls would give the same instance.
const bl = await load();

function answer() {
  try {
    // Any usual spelling: 2,3 or (2, 3) or [2,3] or 2x3.
    const shapes = [form.elements.a, form.elements.b].map((field) => bl.parseShape(field.value).values);

    // The clash, if there is one, is data: nothing is thrown because shapes do not fit.
    const alignment = bl.align('numpy', shapes);
    if (alignment.error === null) {
      output.textContent = `${bl.formatShape(alignment.shape)}. ${alignment.verdict}`;
      return;
    }
    // What would make them fit, the likeliest first.
    const [repair] = alignment.repairs();
    const advice = repair ? ` Try ${bl.formatShape(repair.shape)} for ${bl.formatOperand(repair.operand)}.` : '';
    output.textContent = alignment.verdict + advice;
  } catch (error) {
    // Something that is no shape: the message says what is wrong with it.
    if (!isBroadcastError(error)) throw error;
    output.textContent = error.message;
  }
}

form.addEventListener('input', answer);
form.addEventListener('submit', (event) => event.preventDefault());
answer();
