// Reads two shapes from the page and shows what they broadcast to under NumPy's rule.

import { isBroadcastError, load } from 'broadloom';

const form = document.querySelector('form');
const output = document.querySelector('output');

// Loads the WebAssembly files beside the module: the one that computes and the one that explains.
const bl = await load({ explanations: true });

function answer() {
  try {
    // Any usual spelling: 2,3 or (2, 3) or [2,3] or 2x3.
    const shapes = [form.elements.a, form.elements.b].map((field) => bl.parseShape(field.value).values);

    // A conflict is returned as data: nothing is thrown because shapes do not fit.
    const alignment = bl.align('numpy', shapes);
    if (alignment.error === null) {
      output.textContent = `${bl.formatShape(alignment.shape)}. ${alignment.verdict}`;
      return;
    }
    // Repairs that would make them fit, the likeliest first. Some change the rule or the order of operands, and no shape.
    const repair = alignment.repairs().find(({ shape }) => shape !== null);
    const advice = repair ? ` Try ${bl.formatShape(repair.shape)} for ${bl.formatOperand(repair.operand)}.` : '';
    output.textContent = alignment.verdict + advice;
  } catch (error) {
    // The text is not a shape: the message says what is wrong with it.
    if (!isBroadcastError(error)) throw error;
    output.textContent = error.message;
  }
}

form.addEventListener('input', answer);
form.addEventListener('submit', (event) => event.preventDefault());
answer();
