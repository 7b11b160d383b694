// The compressed size of bytes.

import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';

const deflate = promisify(deflateRaw);

// Of what is handed to a thread at a time. With the default of 16 KiB, the threads save little time.
const CHUNK = 65_536;

/** How many bytes gzip writes for `bytes`, about. Other threads compress, so that several calls can be at work at a time. */
export const compressedSize = async (bytes) => (await deflate(bytes, { level: 9, chunkSize: CHUNK })).length;
