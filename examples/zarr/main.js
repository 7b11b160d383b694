// Adds the mask to each slice of the volume, chunk by chunk, and shows a slice of the sum.

import { applyZarr, costOfZarr } from 'broadloom/zarr';
import * as zarr from 'zarrita';

const find = (selector) => document.querySelector(selector);
const [form, start, cancel, bar, output, figure] = ['form', '#start', '#cancel', 'progress', 'output', 'figure'].map(
  find,
);
const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(bytes < 2 ** 24 ? 1 : 0)} MiB`;

/** A store whose chunks are sent to the server. */
class PutStore extends zarr.FetchStore {
  async set(key, body) {
    // As a Blob: Chromium takes six times as long to send the bytes of an array.
    const response = await fetch(`${this.url}${key}`, { method: 'PUT', body: new Blob([body]) });
    if (!response.ok) throw new Error(`the server answered ${response.status}: ${await response.text()}`);
  }
}

const data = new URL('./data/', import.meta.url).href;
const openAt = (name) => zarr.open.v3(new zarr.FetchStore(`${data}${name}`), { kind: 'array' });
const makeSum = () =>
  zarr.create(new PutStore(`${data}sum.zarr`), {
    shape: volume.shape,
    chunkShape: volume.chunks,
    dtype: 'float32',
    fillValue: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  });

let volume;
let mask;
try {
  volume = await openAt('volume.zarr');
  // The mask is small. In memory, it is not read again for each chunk.
  mask = await zarr.get(await openAt('mask.zarr'));
  const bytes = volume.shape.reduce((a, b) => a * b, 4);
  find('#question').textContent =
    `The volume is (${volume.shape.join(', ')}) of float32, ${mib(bytes)}; the mask is (${mask.shape.join(', ')}). ` +
    'By NumPy’s rule the mask is added to each slice.';
  start.disabled = false;
} catch (error) {
  find('#question').textContent = `There is no volume: npm run data makes it. (${error.message})`;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  const control = new AbortController();
  cancel.onclick = () => control.abort();
  [start.disabled, cancel.disabled, figure.hidden] = [true, false, true];
  const begun = performance.now();
  try {
    const sum = await makeSum();
    const options = { memory: Number(form.elements.mib.value) * 2 ** 20, signal: control.signal };
    const { peak, atOnce, workers } = await costOfZarr('Add', [volume, mask], sum, options);
    output.textContent = `${workers} workers, ${atOnce} chunks at once: at most ${mib(peak * atOnce)} of chunks.`;
    const { chunks } = await applyZarr('Add', [volume, mask], sum, { ...options, onProgress: show });
    output.textContent = `Done: ${chunks} chunks in ${((performance.now() - begun) / 1000).toFixed(1)} s.`;
    await showSlices(sum);
  } catch (error) {
    output.textContent = error.code === 'aborted' ? 'Cancelled. The sum stays marked as incomplete.' : error.message;
  } finally {
    [start.disabled, cancel.disabled] = [false, true];
  }
});

function show({ done, chunks, read, written }) {
  [bar.value, bar.max] = [done, chunks];
  find('#chunks').textContent = `${done} of ${chunks}`;
  find('#read').textContent = mib(read);
  find('#written').textContent = mib(written);
  void measure();
}

let isMeasuring = false;
async function measure() {
  if (isMeasuring) return;
  isMeasuring = true;
  try {
    const { bytes } = await performance.measureUserAgentSpecificMemory();
    find('#memory').textContent = mib(bytes);
    isMeasuring = false;
  } catch {
    find('#memory').textContent = 'not measured by this browser';
  }
}

/** Shows a slice, which is read when it is asked for, and no other. */
async function showSlices(sum) {
  const [depth, height, width] = sum.shape;
  const canvas = find('canvas');
  const range = find('input[type=range]');
  [canvas.width, canvas.height, range.max] = [width, height, depth - 1];
  range.oninput = async () => {
    const z = Number(range.value);
    const { data: values } = await zarr.get(sum, [z, null, null]);
    if (z !== Number(range.value)) return; // another one was asked for meanwhile
    const image = new ImageData(width, height);
    const pixels = new Uint32Array(image.data.buffer);
    // Sums are from 0 to 2.
    for (let i = 0; i < pixels.length; ++i) pixels[i] = (0xff000000 | (Math.round(values[i] * 127.5) * 0x10101)) >>> 0;
    canvas.getContext('2d').putImageData(image, 0, 0);
    find('#slice').textContent = `${z} of 0 to ${depth - 1}`;
  };
  await range.oninput();
  figure.hidden = false;
}
