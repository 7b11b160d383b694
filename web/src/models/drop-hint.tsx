// Shown while something is dragged over the page.

import './drop-hint.css';

export const DropHint = () => (
  <p class="drop-hint" aria-hidden="true">
    <span>Drop a model (.onnx, or .xml with .bin), an error text, or an array (.npy) on its operand</span>
  </p>
);
