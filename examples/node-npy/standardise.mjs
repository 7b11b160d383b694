// Standardises photos by the mean and the deviation of each colour, as a model wants them: (photos - mean) / deviation.
// Both are of shape (3,), and broadcast over photos, rows and columns.
//
//   node standardise.mjs data/photos.npy standardised.npy

import { readFile, writeFile } from 'node:fs/promises';
import { load } from 'broadloom';
import { formatNpy, parseNpy } from 'broadloom/npy';

const [input, output] = process.argv.slice(2);
if (output === undefined) {
  console.error('Usage: node standardise.mjs INPUT.npy OUTPUT.npy');
  process.exit(2);
}

// A file may have any type and byte order; this script computes in f32.
async function readFloats(file) {
  const array = parseNpy(await readFile(file));
  if (array.dtype !== 'f32') throw new Error(`${file} holds ${array.dtype}, not f32: save array.astype(np.float32).`);
  return array;
}

try {
  const bl = await load();
  const photos = await readFloats(input);
  const mean = await readFloats(new URL('data/mean.npy', import.meta.url));
  const deviation = await readFloats(new URL('data/deviation.npy', import.meta.url));

  const centred = bl.sub(photos, mean);
  const standardised = bl.div(centred, deviation, { out: centred }); // in place: no second array

  await writeFile(output, formatNpy(standardised));
  console.log(`${output}: ${standardised.dtype} ${bl.formatShape(standardised.shape)}`);

  // Summed to one number for each colour, as a gradient would be: the mean of each is now 0.
  const sums = bl.sumTo(standardised, [3]);
  const means = [...sums.data].map((sum) => Math.abs(sum / (standardised.data.length / 3)).toFixed(3));
  console.log(`mean of each colour: ${means.join(' ')}`);
} catch (error) {
  // Messages of wrong shapes, types and files say what would work.
  console.error(error.message);
  process.exitCode = 1;
}
