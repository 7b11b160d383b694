// The checksum of Zarr's codec `crc32c` (RFC 3720, appendix B.4). zarrita removes it without comparing it.

const table = new Uint32Array(256).map((_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; ++bit) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1;
  return value;
});

/** Whether the last four bytes are the checksum of those before them. */
export function hasChecksum(bytes: Uint8Array): boolean {
  const end = bytes.length - 4;
  if (end < 0) return false;
  let value = -1;
  for (let i = 0; i < end; ++i) value = (value >>> 8) ^ (table[(value ^ (bytes[i] as number)) & 255] as number);
  return new DataView(bytes.buffer, bytes.byteOffset + end, 4).getUint32(0, true) === ~value >>> 0;
}
