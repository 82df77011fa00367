/** Responses of upstreams, whatever was requested: WAV, MP3, Opus, or samples without a header. */
import { readOpus } from '../../audio/opus.js';
import { readWave, type Wave } from './riff.js';

export const UPSTREAM_FORMATS = ['wav', 'mp3', 'opus', 'pcm'] as const;
export type UpstreamFormat = (typeof UPSTREAM_FORMATS)[number];

/** OpenAI's pcm: 24 kHz, 16 bits, little-endian, mono. */
const PCM_RATE = 24_000;

/** Throws an `Error` that says what is wrong. Raw samples are accepted only if pcm was requested. */
export async function readSound(file: Buffer, asked: UpstreamFormat): Promise<Wave> {
  if (file.toString('latin1', 0, 4) === 'RIFF') return readWave(file);
  if (file.toString('latin1', 0, 4) === 'OggS') return readOpus(file);
  if (isMp3(file)) return readMp3(file);
  if (asked === 'pcm' && !isText(file)) return readPcm(file);
  return readWave(file);
}

/** An ID3 tag, or the sync word of a layer III frame. */
function isMp3(file: Buffer): boolean {
  const [first = 0, second = 0] = file;
  return (
    file.toString('latin1', 0, 3) === 'ID3' || (first === 0xff && (second & 0b1110_0110) === 0b1110_0010)
  );
}

/** JSON or HTML instead of sound. */
function isText(file: Buffer): boolean {
  return /^\s*[{<]/.test(file.toString('latin1', 0, 16));
}

async function readMp3(file: Buffer): Promise<Wave> {
  const { MPEGDecoder } = await import('mpg123-decoder');
  const decoder = new MPEGDecoder();
  try {
    await decoder.ready;
    const { channelData, samplesDecoded, sampleRate } = decoder.decode(file);
    const pcm = new Int16Array(samplesDecoded);
    for (let at = 0; at < samplesDecoded; at += 1) {
      const sum = channelData.reduce((total, channel) => total + (channel[at] ?? 0), 0);
      pcm[at] = Math.max(-32_768, Math.min(32_767, Math.round((sum / channelData.length) * 32_767)));
    }
    return { pcm, sampleRate };
  } finally {
    decoder.free();
  }
}

function readPcm(file: Buffer): Wave {
  const pcm = new Int16Array(file.length >> 1);
  for (let at = 0; at < pcm.length; at += 1) pcm[at] = file.readInt16LE(2 * at);
  return { pcm, sampleRate: PCM_RATE };
}
