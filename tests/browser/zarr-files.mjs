// Zarr arrays made in memory: a map from each file's name to its bytes. Written after the specifications, without the library
// that the page reads them with.
import { deflateSync, gzipSync } from 'node:zlib';

const product = (extents) => extents.reduce((a, b) => a * b, 1);

// Every index of a box of that shape, in row-major order.
export function indexesOf(shape) {
  return Array.from({ length: product(shape) }, (_, flat) => {
    let rest = flat;
    return shape
      .toReversed()
      .map((extent) => {
        const at = rest % extent;
        rest = (rest - at) / extent;
        return at;
      })
      .toReversed();
  });
}

// How an element is written: bytes, and the method of a DataView. `f16` is written for whole numbers below 2048 alone.
export const types = {
  bool: { second: '|b1', third: 'bool', bytes: 1, write: (view, at, value) => view.setUint8(at, value ? 1 : 0) },
  i8: { second: '|i1', third: 'int8', bytes: 1, write: (view, at, value) => view.setInt8(at, value) },
  u8: { second: '|u1', third: 'uint8', bytes: 1, write: (view, at, value) => view.setUint8(at, value) },
  i16: { second: 'i2', third: 'int16', bytes: 2, write: (view, at, value, little) => view.setInt16(at, value, little) },
  u16: {
    second: 'u2',
    third: 'uint16',
    bytes: 2,
    write: (view, at, value, little) => view.setUint16(at, value, little),
  },
  i32: { second: 'i4', third: 'int32', bytes: 4, write: (view, at, value, little) => view.setInt32(at, value, little) },
  u32: {
    second: 'u4',
    third: 'uint32',
    bytes: 4,
    write: (view, at, value, little) => view.setUint32(at, value, little),
  },
  i64: {
    second: 'i8',
    third: 'int64',
    bytes: 8,
    write: (view, at, value, little) => view.setBigInt64(at, BigInt(value), little),
  },
  u64: {
    second: 'u8',
    third: 'uint64',
    bytes: 8,
    write: (view, at, value, little) => view.setBigUint64(at, BigInt(value), little),
  },
  f16: {
    second: 'f2',
    third: 'float16',
    bytes: 2,
    write: (view, at, value, little) => view.setUint16(at, halfBits(value), little),
  },
  f32: {
    second: 'f4',
    third: 'float32',
    bytes: 4,
    write: (view, at, value, little) => view.setFloat32(at, value, little),
  },
  f64: {
    second: 'f8',
    third: 'float64',
    bytes: 8,
    write: (view, at, value, little) => view.setFloat64(at, value, little),
  },
};

function halfBits(whole) {
  if (whole === 0) return 0;
  const exponent = Math.floor(Math.log2(whole));
  return ((exponent + 15) << 10) | ((whole - 2 ** exponent) * 2 ** (10 - exponent));
}

// The bytes of a chunk; elements beyond the array are zero.
function chunkBytes({ shape, chunks, dtype, order, big, valueAt }, place) {
  const { bytes, write } = types[dtype];
  const buffer = new ArrayBuffer(bytes * product(chunks));
  const view = new DataView(buffer);
  for (const [flat, within] of indexesOf(chunks).entries()) {
    const index = within.map((at, axis) => place[axis] * chunks[axis] + at);
    if (index.some((at, axis) => at >= shape[axis])) continue;
    const reversed = within.toReversed().reduce((at, i, axis) => at * chunks.toReversed()[axis] + i, 0);
    write(view, bytes * (order === 'F' ? reversed : flat), valueAt(index), !big);
  }
  return Buffer.from(buffer);
}

const packers = { none: (bytes) => bytes, gzip: (bytes) => gzipSync(bytes), zlib: (bytes) => deflateSync(bytes) };

/**
 * The files of an array. `valueAt` gives the element at an index. Optional: `version` (3), `dtype` (f32), `order` (C), `big` byte
 * order, `codec` ('none', 'gzip', 'zlib' of version 2, or `{ name, configuration, pack }`), `names` of the axes, `fill`,
 * `lacks(place)` for chunks that are not stored, `inner`, the chunks within shards.
 */
export function zarrFiles(given) {
  const array = {
    version: 3,
    dtype: 'f32',
    order: 'C',
    big: false,
    codec: 'none',
    fill: 0,
    lacks: () => false,
    ...given,
  };
  const { version, shape, chunks, dtype, order, big, codec, names, fill, lacks, inner } = array;
  const type = types[dtype];
  const { name, configuration, pack } =
    typeof codec === 'string'
      ? {
          name: codec,
          configuration: codec === 'none' ? {} : version === 2 ? { level: 5 } : { level: 5 },
          pack: packers[codec],
        }
      : codec;
  const files = new Map();
  const put = (file, value) => files.set(file, Buffer.isBuffer(value) ? value : Buffer.from(JSON.stringify(value)));
  const packed = name === 'none' ? [] : [{ name, configuration }];
  const bytesCodec = { name: 'bytes', configuration: { endian: big ? 'big' : 'little' } };
  if (version === 2) {
    const end = type.second.startsWith('|') ? '' : big ? '>' : '<';
    put('.zarray', {
      zarr_format: 2,
      ...{ shape, chunks, dtype: end + type.second, order, fill_value: fill, filters: null },
      compressor: name === 'none' ? null : { id: name, ...configuration },
    });
    if (names) put('.zattrs', { _ARRAY_DIMENSIONS: names });
  } else {
    const own = [
      ...(order === 'F'
        ? [{ name: 'transpose', configuration: { order: shape.map((_, axis) => axis).toReversed() } }]
        : []),
      bytesCodec,
      ...packed,
    ];
    const index = [{ name: 'bytes', configuration: { endian: 'little' } }];
    const sharded = { chunk_shape: inner, codecs: own, index_codecs: index, index_location: 'end' };
    put('zarr.json', {
      ...{ zarr_format: 3, node_type: 'array', shape, data_type: type.third, fill_value: fill, attributes: {} },
      chunk_grid: { name: 'regular', configuration: { chunk_shape: chunks } },
      chunk_key_encoding: { name: 'default', configuration: { separator: '/' } },
      codecs: inner ? [{ name: 'sharding_indexed', configuration: sharded }] : own,
      ...(names ? { dimension_names: names } : {}),
    });
  }
  const stored = inner ? { ...array, chunks: inner } : array;
  for (const place of indexesOf(shape.map((extent, axis) => Math.ceil(extent / chunks[axis])))) {
    const file = version === 2 ? place.join('.') || '0' : ['c', ...place].join('/');
    if (!inner) {
      if (!lacks(place)) put(file, pack(chunkBytes(stored, place)));
      continue;
    }
    // A shard: its chunks, and at the end where each of them is.
    const many = chunks.map((extent, axis) => extent / inner[axis]);
    const parts = [];
    const index = Buffer.alloc(16 * product(many), 0xff);
    let at = 0;
    for (const [number, within] of indexesOf(many).entries()) {
      const own = within.map((i, axis) => place[axis] * many[axis] + i);
      if (own.some((i, axis) => i * inner[axis] >= shape[axis]) || lacks(own)) continue;
      const bytes = pack(chunkBytes(stored, own));
      index.writeBigUInt64LE(BigInt(at), 16 * number);
      index.writeBigUInt64LE(BigInt(bytes.length), 16 * number + 8);
      parts.push(bytes);
      at += bytes.length;
    }
    put(file, Buffer.concat([...parts, index]));
  }
  return files;
}
