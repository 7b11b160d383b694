// Zip archives, as NumPy writes them and in other forms.

import { crc32, deflateRawSync } from 'node:zlib';

const DEFLATED = 8;

/** An archive of members by name: stored, or deflated if `method` is 8, whatever `flags` and `method` claim. */
export function zip(members, { flags = 0, method = 0 } = {}) {
  const locals = [];
  const entries = [];
  let at = 0;
  for (const [name, bytes] of Object.entries(members)) {
    const packed = method === DEFLATED ? deflateRawSync(bytes) : Buffer.from(bytes);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(flags, 8);
    entry.writeUInt16LE(method, 10);
    entry.writeUInt32LE(crc32(bytes), 16);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(bytes.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    locals.push(local, Buffer.from(name), packed);
    entries.push(entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const directory = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...locals, directory, end]);
}
