/**
 * The frame that gives the length of an MP3 with a variable bit rate; without it players guess from the first frames. A
 * silent frame that holds `Xing`, the number of frames, the bytes, a seek table of 100 entries, and LAME's part with
 * the samples to skip at both ends (G. Bouvigne, MP3 Info Tag revision 1; ISO 11172-3 and 13818-3 for headers).
 */

import { frameLength, isMpeg1, RATES, sampleRateOf, sideLength } from './mp3-frames.js';

const PLACES = 100;
/** `Xing`, flags, frames, bytes and the seek table; then LAME's part, which ends with 12 zero bytes. */
const LAME = 16 + PLACES;
const PADDING = LAME + 21;
const TAG = LAME + 36;
const HAS_FRAMES_BYTES_AND_PLACES = 0b111;
/** LAME 3.100 with a variable rate. */
const ENCODER = 'LAME3.100\u0004';
/** Encoder delay in samples. */
const DELAY = 576;

/** `audio` holds whole frames of one mono stream of `seconds`. Returns the frame to put before it. */
export function xingFrame(audio: Buffer, seconds: number): Buffer {
  const starts = frameStarts(audio);
  const header = silentHeader(audio);
  const frame = Buffer.alloc(frameLength(header));
  header.copy(frame);
  const tag = tagPlace(header);
  frame.write('Xing', tag, 'latin1');
  frame.writeUInt32BE(HAS_FRAMES_BYTES_AND_PLACES, tag + 4);
  frame.writeUInt32BE(starts.length, tag + 8);
  const total = frame.length + audio.length;
  frame.writeUInt32BE(total, tag + 12);
  for (let place = 0; place < PLACES; place += 1) {
    const start = starts[Math.floor((place * starts.length) / PLACES)] ?? 0;
    frame[tag + 16 + place] = Math.floor((256 * (frame.length + start)) / total);
  }
  frame.write(ENCODER, tag + LAME, 'latin1');
  const samples = Math.round(seconds * sampleRateOf(header));
  const padding = starts.length * (isMpeg1(header) ? 1_152 : 576) - DELAY - samples;
  frame.writeUIntBE((DELAY << 12) | Math.max(0, Math.min(padding, 0xfff)), tag + PADDING, 3);
  return frame;
}

/** Throws for anything but a frame. */
function frameStarts(audio: Buffer): number[] {
  const starts: number[] = [];
  for (let at = 0; at < audio.length;) {
    starts.push(at);
    at += frameLength(audio.subarray(at, at + 4));
  }
  return starts;
}

/** The header of the first frame, at the lowest bit rate that fits the tag. */
function silentHeader(audio: Buffer): Buffer {
  const header = Buffer.from(audio.subarray(0, 4));
  for (let index = 1; index < RATES.mpeg1.length; index += 1) {
    // The lower half of the third byte: sample rate, padding and a private bit.
    header[2] = (index << 4) | ((header[2] ?? 0) & 0b1100);
    if (frameLength(header) >= tagPlace(header) + TAG) break;
  }
  return header;
}

/** After the header and the side information of a mono frame. */
function tagPlace(header: Buffer): number {
  return 4 + sideLength(header);
}
