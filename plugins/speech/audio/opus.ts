/** Opus in Ogg (RFC 7845): written, and read when an upstream answers it. */
import { nextTurn } from 'plugboard/sdk';
import type { Encoder } from './encoder.js';
import { openOpus } from './libopus.js';
import { FIRST, fits, LAST, oggPage, readOgg } from './ogg.js';

/** Samples of the granule: always at 48 kHz. */
const CLOCK = 48_000;
/** Samples at 48 kHz that the encoder looks ahead. */
const PRE_SKIP = 312;
/** Packets of 20 ms. */
const PACKETS_A_SECOND = 50;
const BITRATE = 32_000;
/** Half the work of the default, with no audible difference for one voice. */
const COMPLEXITY = 5;
/** Every stream is its own file. */
const SERIAL = 1;

/** `sampleRate` is native to Opus. */
export async function opusEncoder(sampleRate: number): Promise<Encoder> {
  const opus = await openOpus({ sampleRate, channels: 1, bitrate: BITRATE, complexity: COMPLEXITY });
  const frame = sampleRate / PACKETS_A_SECOND;
  const ticks = CLOCK / sampleRate;
  let sequence = 0;
  let rest = new Int16Array(0);
  let samples = 0;
  let encoded = 0;
  let packets: Buffer[] = [];

  const page = (flags: number, granule: number, held: readonly Uint8Array[]): Buffer =>
    oggPage({ flags, granule, serial: SERIAL, sequence: sequence++, packets: held });
  const flush = (): Buffer => {
    const bytes = page(0, encoded * ticks, packets);
    packets = [];
    return bytes;
  };
  /** Whole frames to packets, and packets to pages of a second. */
  const encode = async (pcm: Int16Array): Promise<Buffer[]> => {
    const pages: Buffer[] = sequence === 0 ? [page(FIRST, 0, [head(sampleRate)]), page(0, 0, [tags()])] : [];
    for (let at = 0; at + frame <= pcm.length; at += frame) {
      const packet = opus.encode(pcm.subarray(at, at + frame));
      if (packets.length >= PACKETS_A_SECOND || !fits(packets, packet)) pages.push(flush());
      packets.push(packet);
      encoded += frame;
      if (packets.length % 8 === 0) await nextTurn();
    }
    return pages;
  };

  return {
    write: async (pcm) => {
      samples += pcm.length;
      const all = new Int16Array(rest.length + pcm.length);
      all.set(rest);
      all.set(pcm, rest.length);
      rest = all.slice(all.length - (all.length % frame));
      const pages = await encode(all);
      // Complete packets are sent at once: the listener waits for them.
      if (packets.length > 0) pages.push(flush());
      return Buffer.concat(pages);
    },
    finish: async () => {
      const missing = samples + PRE_SKIP / ticks - encoded;
      const last = new Int16Array(Math.ceil(missing / frame) * frame);
      last.set(rest);
      const pages = await encode(last);
      return Buffer.concat([...pages, page(LAST, PRE_SKIP + samples * ticks, packets)]);
    },
    close: () => opus.close(),
  };
}

function head(sampleRate: number): Buffer {
  const packet = Buffer.alloc(19);
  packet.write('OpusHead', 0, 'latin1');
  packet.writeUInt8(1, 8);
  packet.writeUInt8(1, 9);
  packet.writeUInt16LE(PRE_SKIP, 10);
  packet.writeUInt32LE(sampleRate, 12);
  return packet;
}

function tags(): Buffer {
  const vendor = Buffer.from('plugboard');
  const packet = Buffer.alloc(8 + 4 + vendor.length + 4);
  packet.write('OpusTags', 0, 'latin1');
  packet.writeUInt32LE(vendor.length, 8);
  vendor.copy(packet, 12);
  return packet;
}

/** Sample rate at which a file is read. */
const READ_AT = 24_000;

/** Seconds of one file: one byte of Opus can encode 60 ms of silence. */
const LONGEST = 600;

/** Mono. Throws an `Error` that says what is wrong. */
export async function readOpus(file: Buffer): Promise<{ pcm: Int16Array; sampleRate: number }> {
  const {
    packets: [header, , ...packets],
    granule,
  } = readOgg(file);
  if (header?.toString('latin1', 0, 8) !== 'OpusHead' || header.length < 12)
    throw new Error('an Ogg file without Opus');
  const channels = header.readUInt8(9);
  if (channels !== 1 && channels !== 2) throw new Error(`an Opus file with ${channels} channels`);
  const opus = await openOpus({ sampleRate: READ_AT, channels });
  const ticks = CLOCK / READ_AT;
  const skip = Math.round(header.readUInt16LE(10) / ticks);
  try {
    const parts: Int16Array[] = [];
    let length = 0;
    for (const packet of packets) {
      const part = mono(opus.decode(packet), channels);
      length += part.length;
      if (length > LONGEST * READ_AT) throw new Error(`an Opus file of more than ${LONGEST} s`);
      parts.push(part);
      if (parts.length % 8 === 0) await nextTurn();
    }
    const all = new Int16Array(length);
    let at = 0;
    for (const part of parts) {
      all.set(part, at);
      at += part.length;
    }
    const end = granule > 0 ? Math.min(all.length, Math.round(granule / ticks)) : all.length;
    return { pcm: all.slice(skip, Math.max(skip, end)), sampleRate: READ_AT };
  } finally {
    opus.close();
  }
}

function mono(pcm: Int16Array, channels: number): Int16Array {
  if (channels === 1) return pcm;
  const mixed = new Int16Array(pcm.length >> 1);
  for (let at = 0; at < mixed.length; at += 1)
    mixed[at] = Math.round(((pcm[2 * at] ?? 0) + (pcm[2 * at + 1] ?? 0)) / 2);
  return mixed;
}
