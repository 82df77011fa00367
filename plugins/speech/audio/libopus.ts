/**
 * libopus, compiled to WebAssembly by the package `opusscript`. The package's own class is not used: it writes samples
 * at twice the address of the memory that it allocated.
 */

/** Samples in the longest packet: 120 ms at 48 kHz. */
const MOST_SAMPLES = 5_760;
const MOST_BYTES = 4_000;
const AUDIO = 2_049;
const SET_BITRATE = 4_002;
const SET_COMPLEXITY = 4_010;

/** The C++ wrapper passes 16-bit samples as bytes, each in a 16-bit number, low byte first. */
interface Library {
  readonly HEAPU8: Uint8Array;
  readonly HEAPU16: Uint16Array;
  _malloc(bytes: number): number;
  _free(address: number): void;
  readonly OpusScriptHandler: {
    new (sampleRate: number, channels: number, application: number): Handler;
    destroy_handler(handler: Handler): void;
  };
}

interface Handler {
  _encode(samples: number, bytes: number, packet: number, frames: number): number;
  _decode(packet: number, bytes: number, samples: number): number;
  _encoder_ctl(option: number, value: number): number;
}

/** One stream: its encoder and its decoder. */
export interface Opus {
  encode(pcm: Int16Array): Buffer;
  /** Interleaved if stereo. Throws for an invalid packet. */
  decode(packet: Uint8Array): Int16Array;
  close(): void;
}

export interface OpusSettings {
  /** 8, 12, 16, 24 or 48 kHz. */
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitrate?: number;
  /** 0 to 10: how hard the encoder searches. */
  readonly complexity?: number;
}

let library: Promise<Library> | undefined;

export async function openOpus({ sampleRate, channels, bitrate, complexity }: OpusSettings): Promise<Opus> {
  library ??= load();
  const lib = await library;
  const handler = new lib.OpusScriptHandler(sampleRate, channels, AUDIO);
  const samples = lib._malloc(4 * MOST_SAMPLES * channels);
  const packet = lib._malloc(MOST_BYTES);
  if (bitrate !== undefined) handler._encoder_ctl(SET_BITRATE, bitrate);
  if (complexity !== undefined) handler._encoder_ctl(SET_COMPLEXITY, complexity);
  let isOpen = true;
  return {
    encode(pcm) {
      for (let at = 0; at < pcm.length; at += 1) {
        const value = pcm[at] ?? 0;
        lib.HEAPU16[(samples >> 1) + 2 * at] = value & 0xff;
        lib.HEAPU16[(samples >> 1) + 2 * at + 1] = (value >> 8) & 0xff;
      }
      const length = handler._encode(samples, pcm.length * 2, packet, pcm.length / channels);
      if (length < 0) throw new Error(`libopus: error ${length}`);
      return Buffer.from(lib.HEAPU8.subarray(packet, packet + length));
    },
    decode(bytes) {
      if (bytes.length > MOST_BYTES) throw new Error(`a packet of ${bytes.length} bytes`);
      lib.HEAPU8.set(bytes, packet);
      const frames = handler._decode(packet, bytes.length, samples);
      if (frames < 0) throw new Error(`libopus: error ${frames}`);
      const start = samples >> 1;
      return Int16Array.from(
        { length: frames * channels },
        (_, at) => (lib.HEAPU16[start + 2 * at] ?? 0) | ((lib.HEAPU16[start + 2 * at + 1] ?? 0) << 8),
      );
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      lib.OpusScriptHandler.destroy_handler(handler);
      lib._free(samples);
      lib._free(packet);
    },
  };
}

async function load(): Promise<Library> {
  const { createRequire } = await import('node:module');
  const require = createRequire(import.meta.url);
  return (require('opusscript/build/opusscript_native_wasm.js') as () => Library)();
}
