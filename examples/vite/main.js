// Scales the colours of a picture while the sliders are moved.

import { load } from 'broadloom';

const canvas = document.querySelector('canvas');
const form = document.querySelector('form');
const output = document.querySelector('output');
const context = canvas.getContext('2d');
const [rows, columns] = [canvas.height, canvas.width];

const bl = await load();

// A picture as models use it: numbers from 0 to 1, of shape (rows, columns, 3). Here it is two gradients.
const ramp = (length, shape) => ({ data: Float32Array.from({ length }, (_, i) => i / (length - 1)), shape });
const red = bl.broadcastTo(ramp(rows, [rows, 1, 1]), [rows, columns, 1]);
const green = bl.broadcastTo(ramp(columns, [1, columns, 1]), [rows, columns, 1]);
const only = (channel) => ({ data: Float32Array.from([0, 1, 2], (i) => Number(i === channel)), shape: [3] });
const picture = bl.sum([
  bl.mul(red, only(0)),
  bl.mul(green, only(1)),
  { data: new Float32Array([0, 0, 0.5]), shape: [3] },
]);

// The result is always written here, so that nothing is allocated while a slider moves.
const scaled = { data: new Float32Array(rows * columns * 3), shape: [rows, columns, 3] };
const pixels = context.createImageData(columns, rows);

function draw() {
  const gains = [form.elements.red, form.elements.green, form.elements.blue].map((slider) => Number(slider.value));
  // (rows, columns, 3) times (3,): a gain for each channel.
  bl.mul(picture, { data: new Float32Array(gains), shape: [3] }, { out: scaled });
  for (let pixel = 0; pixel < rows * columns; ++pixel) {
    for (let channel = 0; channel < 3; ++channel) {
      pixels.data[4 * pixel + channel] = 255 * scaled.data[3 * pixel + channel];
    }
    pixels.data[4 * pixel + 3] = 255;
  }
  context.putImageData(pixels, 0, 0);

  // In reverse: summed to (3,), a number for each channel.
  const sums = bl.sumTo(scaled, [3]);
  output.textContent = [...sums.data].map((sum) => (sum / (rows * columns)).toFixed(2)).join(' ');
}

form.addEventListener('input', draw);
draw();
