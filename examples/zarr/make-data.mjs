// Makes the volume and the mask: node make-data.mjs [--mib 2048] [--side 1024]

import { rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import FileSystemStore from '@zarrita/storage/fs';
import * as zarr from 'zarrita';

const { values } = parseArgs({
  options: { mib: { type: 'string', default: '2048' }, side: { type: 'string', default: '1024' } },
});
const side = Number(values.side);
const depth = Math.max(1, Math.round((Number(values.mib) * 2 ** 20) / (4 * side * side)));
const [thick, wide] = [Math.min(8, depth), Math.ceil(side / 2)];

const folder = new URL('./data/', import.meta.url);
rmSync(folder, { recursive: true, force: true });
const root = zarr.root(new FileSystemStore(folder.pathname));
const create = (name, shape, chunkShape) =>
  zarr.create(root.resolve(name), {
    shape,
    chunkShape,
    dtype: 'float32',
    fillValue: 0,
    codecs: [{ name: 'bytes', configuration: { endian: 'little' } }],
  });

// The volume: rings that move outwards from slice to slice. A slice has the elements of one table, which is shifted.
const volume = await create('volume.zarr', [depth, side, side], [thick, wide, wide]);
const radius = Float32Array.from({ length: side * side }, (_, i) => {
  const [y, x] = [Math.floor(i / side) - side / 2, (i % side) - side / 2];
  return Math.sqrt(x * x + y * y) / side;
});
const PERIOD = 64;
const slices = Array.from({ length: Math.min(PERIOD, depth) }, (_, z) =>
  radius.map((r) => 0.5 + 0.5 * Math.sin(40 * r - (2 * Math.PI * z) / PERIOD)),
);
for (let z = 0; z < depth; z += thick) {
  const some = Math.min(thick, depth - z);
  const data = new Float32Array(some * side * side);
  for (let i = 0; i < some; ++i) data.set(slices[(z + i) % PERIOD], i * side * side);
  const shape = [some, side, side];
  await zarr.set(volume, [zarr.slice(z, z + some), null, null], { data, shape, stride: [side * side, side, 1] });
}

// The mask: a bright disc.
const mask = await create('mask.zarr', [side, side], [wide, wide]);
await zarr.set(mask, null, { data: radius.map((r) => (r < 0.3 ? 1 : 0)), shape: [side, side], stride: [side, 1] });
console.log(
  `data/volume.zarr: (${depth}, ${side}, ${side}), ${(volume.shape.reduce((a, b) => a * b, 4) / 2 ** 20).toFixed(0)} MiB`,
);
