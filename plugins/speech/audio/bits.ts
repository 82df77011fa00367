/** A bit writer (most significant bit first), and the checksums of FLAC. */

export class Bits {
  #bytes: Buffer;
  #length = 0;
  /** Bits that do not fill a byte yet, and their number. */
  #open = 0;
  #count = 0;

  /** `room`: initial bytes; grows. */
  constructor(room: number) {
    this.#bytes = Buffer.alloc(room);
  }

  /** Up to 24 bits. */
  write(value: number, bits: number): void {
    this.#open = (this.#open << bits) | value;
    this.#count += bits;
    while (this.#count >= 8) {
      this.#count -= 8;
      this.#add((this.#open >>> this.#count) & 0xff);
    }
    this.#open &= (1 << this.#count) - 1;
  }

  /** The quotient in unary (zeros, then a one), and the remainder. */
  writeRice(value: number, parameter: number): void {
    let zeros = value >>> parameter;
    for (; zeros >= 16; zeros -= 16) this.write(0, 16);
    this.write(1, zeros + 1);
    if (parameter > 0) this.write(value & ((1 << parameter) - 1), parameter);
  }

  /** Zeros up to the next byte. */
  align(): void {
    if (this.#count > 0) this.write(0, 8 - this.#count);
  }

  /** The whole bytes so far. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #add(byte: number): void {
    if (this.#length === this.#bytes.length)
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#length)]);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }
}

/** Polynomial 0x07. */
export function crc8(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x80 ? ((crc << 1) ^ 0x07) & 0xff : crc << 1;
  }
  return crc;
}

/** Polynomial 0x8005. */
const CRC_16 = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8;
  for (let bit = 0; bit < 8; bit += 1) value = value & 0x8000 ? (value << 1) ^ 0x8005 : value << 1;
  return value & 0xffff;
});

export function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) crc = ((crc << 8) & 0xffff) ^ (CRC_16[(crc >> 8) ^ byte] ?? 0);
  return crc;
}
