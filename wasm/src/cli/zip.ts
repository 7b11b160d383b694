// Reads the members of a zip archive, stored or deflated, as `np.savez` and `np.savez_compressed` write them.

import { crc32, inflateRawSync, constants } from 'node:zlib';
import { Failure } from './failure.js';
import type { Bytes } from './source.js';

/** A member of an archive. */
export interface Member {
  readonly name: string;
  readonly size: number;
  /** At least the first `length` bytes, or all if there are fewer. */
  begin(length: number): Uint8Array;
  /** All bytes; their length and checksum have been verified. */
  read(): Uint8Array;
}

const END = 0x06054b50;
const END_64 = 0x06064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const STORED = 0;
const DEFLATED = 8;
const MOST = 0xffffffff;

/** @throws Failure where the bytes are not an archive, or one of an unsupported kind. */
export function readZip(archive: Bytes): Member[] {
  const directory = findDirectory(archive);
  const view = viewOf(archive.read(directory.begin, directory.size));
  const members: Member[] = [];
  for (let at = 0; at < view.byteLength;) {
    if (at + 46 > view.byteLength || view.getUint32(at, true) !== ENTRY) throw damaged();
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as [
      number,
      number,
      number,
    ];
    if (at + 46 + nameLength + extraLength + noteLength > view.byteLength) throw damaged();
    const name = new TextDecoder().decode(bytesOf(view, at + 46, nameLength));
    // Sizes beyond 32 bits are in fields after the name, in this order.
    const wide = wideFields(view, at + 46 + nameLength, extraLength);
    const field = (offset: number) => {
      const value = view.getUint32(at + offset, true);
      return value === MOST ? wide() : value;
    };
    const size = field(24);
    const packed = field(20);
    const begin = field(42);
    members.push(
      memberOf(archive, {
        name,
        size,
        packed,
        begin,
        method: view.getUint16(at + 10, true),
        crc: view.getUint32(at + 16, true),
        isEncrypted: (view.getUint16(at + 8, true) & 1) !== 0,
      }),
    );
    at += 46 + nameLength + extraLength + noteLength;
  }
  return members;
}

interface Entry {
  readonly name: string;
  readonly size: number;
  readonly packed: number;
  readonly begin: number;
  readonly method: number;
  readonly crc: number;
  readonly isEncrypted: boolean;
}

function memberOf(archive: Bytes, { name, size, packed, begin, method, crc, isEncrypted }: Entry): Member {
  const stored = (length: number) => {
    if (isEncrypted) throw new Failure(`${name} is encrypted: save it without a password.`);
    if (method !== STORED && method !== DEFLATED) {
      throw new Failure(`${name} is packed by method ${method}; stored (0) and deflated (8) members are read.`);
    }
    const local = viewOf(archive.read(begin, 30));
    if (local.byteLength < 30 || local.getUint32(0, true) !== LOCAL) throw damaged();
    return archive.read(begin + 30 + local.getUint16(26, true) + local.getUint16(28, true), Math.min(length, packed));
  };
  const inflate = (bytes: Uint8Array, options: { readonly finishFlush?: number; readonly maxOutputLength: number }) => {
    try {
      return inflateRawSync(bytes, options);
    } catch {
      throw damaged();
    }
  };
  return {
    name,
    size,
    begin(length) {
      if (method === STORED) return stored(length);
      // Deflating never adds more than a few bytes, and shrinks to no less than 1/1032.
      const bytes = stored(length + 1024);
      const most = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: 1032 * (bytes.length + 64) };
      return inflate(bytes, most).subarray(0, length);
    },
    read() {
      const bytes = stored(packed);
      const whole = method === STORED ? bytes : inflate(bytes, { maxOutputLength: Math.max(size, 1) });
      if (whole.length !== size || crc32(whole) !== crc) throw damaged();
      return whole;
    },
  };
}

/**
 * The place of the list of members, from the archive's last record. A comment of up to 64 KiB may follow that record.
 */
function findDirectory(archive: Bytes): { begin: number; size: number } {
  const from = Math.max(0, archive.size - 22 - 65535 - 20);
  const tail = viewOf(archive.read(from, archive.size - from));
  for (let at = tail.byteLength - 22; at >= 0; --at) {
    if (tail.getUint32(at, true) !== END) continue;
    const size = tail.getUint32(at + 12, true);
    const begin = tail.getUint32(at + 16, true);
    if (size !== MOST && begin !== MOST) return { size, begin };
    if (at < 20) throw damaged();
    const record = viewOf(archive.read(wideAt(tail, at - 20 + 8), 56));
    if (record.byteLength < 56 || record.getUint32(0, true) !== END_64) throw damaged();
    return { size: wideAt(record, 40), begin: wideAt(record, 48) };
  }
  throw new Failure('These bytes are no .npz file: no zip archive ends here.');
}

function wideFields(view: DataView, begin: number, length: number): () => number {
  let at = begin;
  while (at + 4 <= begin + length && view.getUint16(at, true) !== 1) at += 4 + view.getUint16(at + 2, true);
  at += 4;
  return () => {
    if (at + 8 > begin + length) throw damaged();
    at += 8;
    return wideAt(view, at - 8);
  };
}

const wideAt = (view: DataView, at: number) => Number(view.getBigUint64(at, true));
const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const bytesOf = (view: DataView, begin: number, length: number) =>
  new Uint8Array(view.buffer, view.byteOffset + begin, length);
const damaged = () => new Failure('The .npz file is damaged: save it again.');
