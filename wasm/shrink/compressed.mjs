// How small bytes become.

import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);

// Room for what is compressed at a time, so that it is not handed over piece by piece, which takes as long as to compress it.
const CHUNK = 65_536;

/** How many bytes gzip writes for `bytes`, about. Other threads find it out, so that several sizes are found at a time. */
export const compressedSize = async (bytes) => (await deflate(bytes, { level: 9, chunkSize: CHUNK })).length;
