/**
 * LAME, compiled to WebAssembly, at a variable bit rate, which takes half the time of a constant 64 kbit/s. Streams are
 * constant: they have no first frame with the length, and players compute it from the rate.
 */

/** LAME's -V, 0 the best: about 50 kbit/s for speech at 22 kHz. */
const QUALITY = 6;
const STREAM_BITRATE = 64;
/** Sound at other rates is resampled to one of these. */
const RATES = [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000] as const;
/** Samples per step: 0.4 s of sound take about 2 ms. */
const MOST = 8_192;

export interface Lame {
  /** Samples that `encode` takes. */
  readonly most: number;
  /** Begins a file. No effect if already begun at this rate. */
  begin(sampleRate: number, streams?: boolean): void;
  encode(pcm: Int16Array): Buffer;
  finish(): Buffer;
}

/** Whether sound of this rate is encoded without resampling. */
export function isRate(sampleRate: number): boolean {
  return RATES.some((rate) => rate === sampleRate);
}

/** Takes 5 ms. */
export async function openLame(): Promise<Lame> {
  const { createMp3Encoder } = await import('wasm-media-encoders');
  const encoder = await createMp3Encoder();
  // Reused: a new one per step would trigger the garbage collector every few clips.
  const floats = new Float32Array(MOST);
  let ready: string | undefined;
  return {
    most: MOST,
    begin(sampleRate, streams = false) {
      const kind = `${sampleRate} ${streams}`;
      if (ready === kind) return;
      const outputSampleRate = RATES.find((rate) => rate === sampleRate);
      encoder.configure({
        sampleRate,
        channels: 1,
        ...(streams ? { bitrate: STREAM_BITRATE } : { vbrQuality: QUALITY }),
        ...(outputSampleRate && { outputSampleRate }),
      });
      ready = kind;
    },
    encode(pcm) {
      ready = undefined;
      // A loop: `set` and `from` take a third of the encoding time.
      for (let at = 0; at < pcm.length; at += 1) floats[at] = (pcm[at] ?? 0) / 32_768;
      // The encoder returns a view of its memory.
      return Buffer.from(encoder.encode([floats.subarray(0, pcm.length)]));
    },
    finish() {
      ready = undefined;
      return Buffer.from(encoder.finalize());
    },
  };
}
