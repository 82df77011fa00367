/**
 * Long sound to MP3 in blocks, on several threads in parallel. A block begins some frames early and ends some late, so
 * that the encoder knows the surrounding sound; only the block's own frames are kept and joined to one stream.
 */
import { NOTHING, type Encoder } from './encoder.js';
import type { EncoderThreads } from './encoder-threads.js';
import { framesOf, joinFrames, type Frame } from './mp3-frames.js';
import { xingFrame } from './xing.js';

/** Frames before a block, to prime the encoder, and after it, for the overlap of its last frame. */
const BEFORE = 8;
const BEHIND = 4;
/** Seconds. */
const BLOCK = 6;

interface Block {
  readonly frames: Promise<Frame[]>;
  /** Its own frames, `to` exclusive. */
  readonly from: number;
  readonly to: number;
}

/** `sampleRate` is one that LAME takes without resampling. */
export function blockEncoder(threads: EncoderThreads, sampleRate: number): Encoder {
  const perFrame = sampleRate >= 32_000 ? 1_152 : 576;
  const perBlock = Math.ceil((BLOCK * sampleRate) / perFrame);
  const stop = new AbortController();
  const blocks: Block[] = [];
  let pieces: Int16Array[] = [];
  /** The first sample of the pieces, and the end (exclusive). */
  let start = 0;
  let end = 0;
  /** The first frame of the next block. */
  let next = 0;

  const encode = (samples: number, isLast: boolean): void => {
    const all = joined(pieces, end - start);
    const frames = threads
      .encode({ pcm: all.slice(0, samples - start), sampleRate }, stop.signal)
      .then(framesOf);
    // `finish` reports the failure; until then it must not count as unhandled.
    frames.catch(() => undefined);
    const from = next - start / perFrame;
    blocks.push({ frames, from, to: isLast ? Infinity : from + perBlock });
    next += perBlock;
    const kept = Math.min(end, (next - BEFORE) * perFrame);
    pieces = [all.subarray(kept - start)];
    start = kept;
  };

  return {
    write: (pcm) => {
      pieces.push(pcm);
      end += pcm.length;
      for (
        let to = (next + perBlock + BEHIND) * perFrame;
        to < end;
        to = (next + perBlock + BEHIND) * perFrame
      )
        encode(to, false);
      return Promise.resolve(NOTHING);
    },
    finish: async () => {
      encode(end, true);
      const own = await Promise.all(
        blocks.map(async ({ frames, from, to }) => (await frames).slice(from, to)),
      );
      const audio = joinFrames(own.flat());
      return Buffer.concat([xingFrame(audio, end / sampleRate), audio]);
    },
    close: () => stop.abort(),
  };
}

function joined(pieces: readonly Int16Array[], length: number): Int16Array {
  const all = new Int16Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
