/** Each stored document ends with a checksum of its bytes; BSON knows its own end, so readers never see it. */
import { crc32 } from 'node:zlib';

const BYTES = 4;

export function withChecksum(bson: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(bson.length + BYTES);
  bson.copy(bytes);
  bytes.writeUInt32LE(crc32(bson), bson.length);
  return bytes;
}

/** A document stored before there were checksums ends where BSON says, and passes. */
export function checksumIsRight(stored: Buffer): boolean {
  if (stored.length < 5) return false;
  const length = stored.readInt32LE(0);
  if (length === stored.length) return true;
  return (
    length === stored.length - BYTES && stored.readUInt32LE(length) === crc32(stored.subarray(0, length))
  );
}
