/** Pages of an Ogg stream (RFC 3533), written and read. */

export const FIRST = 2;
export const LAST = 4;
/** Bytes before the lacing values. */
const HEADER = 27;
/** Lacing values of a page. */
const MOST_SEGMENTS = 255;

/** CRC-32 with the polynomial 0x04c11db7, most significant bit first. */
const CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000_0000 ? (value << 1) ^ 0x04c1_1db7 : value << 1;
  return value >>> 0;
});

export interface Page {
  readonly flags: number;
  /** Samples at the end of the page. */
  readonly granule: number;
  readonly serial: number;
  readonly sequence: number;
  /** Together they fit into one page. */
  readonly packets: readonly Uint8Array[];
}

export function oggPage({ flags, granule, serial, sequence, packets }: Page): Buffer {
  const lacing = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    length % 255,
  ]);
  const header = Buffer.alloc(HEADER);
  header.write('OggS', 0, 'latin1');
  header.writeUInt8(flags, 5);
  header.writeBigUInt64LE(BigInt(granule), 6);
  header.writeUInt32LE(serial, 14);
  header.writeUInt32LE(sequence, 18);
  header.writeUInt8(lacing.length, 26);
  const page = Buffer.concat([header, Uint8Array.from(lacing), ...packets]);
  page.writeUInt32LE(crcOf(page), 22);
  return page;
}

/** Whether a page has room for one more packet. */
export function fits(packets: readonly Uint8Array[], packet: Uint8Array): boolean {
  const segments = [...packets, packet].reduce((sum, { length }) => sum + Math.floor(length / 255) + 1, 0);
  return segments <= MOST_SEGMENTS;
}

/** The packets of a file with one stream, and its last granule. Throws for anything but a page. */
export function readOgg(file: Buffer): { packets: Buffer[]; granule: number } {
  const packets: Buffer[] = [];
  let open: Buffer[] = [];
  let granule = 0;
  for (let at = 0; at + HEADER <= file.length;) {
    if (file.toString('latin1', at, at + 4) !== 'OggS') throw new Error('not an Ogg page');
    const segments = file.readUInt8(at + 26);
    const lacing = file.subarray(at + HEADER, at + HEADER + segments);
    const end = file.readBigInt64LE(at + 6);
    if (end >= 0n) granule = Number(end);
    let start = at + HEADER + segments;
    let length = 0;
    for (const value of lacing) {
      length += value;
      if (value === 255) continue;
      packets.push(Buffer.concat([...open, file.subarray(start, start + length)]));
      open = [];
      start += length;
      length = 0;
    }
    if (length > 0) open.push(file.subarray(start, start + length));
    at = start + length;
  }
  return { packets, granule };
}

function crcOf(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) ^ (CRC[((crc >>> 24) ^ byte) & 0xff] ?? 0)) >>> 0;
  return crc;
}
