/** The embedded engine: eSpeak NG in child processes that exchange frames. */
import { PRESETS } from '../../dialects/contour.js';
import { stretch } from '../../audio/stretch.js';
import type { Engine, PhonemeTime, Speech, SpeechPart, Utterance } from '../engine.js';
import { phonemesOf } from './phonemes.js';
import { EnginePool } from './pool.js';
import { rateFor, variantOf } from './variant.js';

/** Milliseconds for a sentence: it once hung. A first sentence on a busy machine took 3 s. */
const TIMEOUT = { base: 10_000, perSyllable: 40 };

interface EngineAnswer {
  /** The body holds their samples in order. */
  readonly clauses: readonly { readonly bytes: number; readonly timing: readonly PhonemeTime[] }[];
}

export class EmbeddedEngine implements Engine {
  readonly name = 'embedded';
  readonly parallel: number;
  readonly margin = { factor: 1.15, seconds: 0.1 };
  readonly #pool: EnginePool;
  readonly #timeout: typeof TIMEOUT;

  /** `program` is the engine's main file. */
  constructor(program: string, workers: number, timeout = TIMEOUT) {
    // One more per child, so that none is idle while the previous sound is encoded.
    this.parallel = 2 * workers;
    this.#timeout = timeout;
    this.#pool = new EnginePool(program, workers);
  }

  get pids(): number[] {
    return this.#pool.pids;
  }

  async speak({ sentence, voice, speed }: Utterance, signal: AbortSignal): Promise<Speech> {
    const preset = PRESETS[voice.dialect];
    const { rate, stretch: factor } = rateFor(speed * voice.rate * preset.rate);
    const clauses = sentence.clauses.map((clause) => phonemesOf(clause, preset));
    const job = {
      voice: voice.id.replaceAll('_', '-'),
      variant: variantOf(voice, preset),
      rate,
      clauses: clauses.map(({ phonemes, end }) => ({ phonemes, end })),
    };
    const timeout = this.#timeout.base + this.#timeout.perSyllable * sentence.syllables;
    const { header, body, sampleRate } = await this.#pool.run(job, timeout, signal);
    const parts: SpeechPart[] = [];
    let start = 0;
    for (const [index, { bytes, timing: spoken }] of (header as EngineAnswer).clauses.entries()) {
      const timing = spoken.map(({ phoneme, at }) => ({ phoneme, at: Math.round(at / factor) }));
      parts.push({
        pcm: await stretch(samplesOf(body.subarray(start, start + bytes)), factor, sampleRate),
        timing,
        words: wordStarts(timing, clauses[index]?.counts ?? []),
      });
      start += bytes;
    }
    return { parts, sampleRate };
  }

  /** Does not wait. */
  warm(): void {
    this.#pool.warm();
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}

/** Found by counting phonemes; empty if the engine spoke more or fewer. */
function wordStarts(timing: readonly PhonemeTime[], counts: readonly number[]): number[] {
  const starts: number[] = [];
  let phoneme = 0;
  for (const count of counts) {
    starts.push(timing[phoneme]?.at ?? 0);
    phoneme += count;
  }
  return phoneme === timing.length ? starts : [];
}

/** A view of the samples; a copy if they begin at an odd byte. */
function samplesOf(body: Buffer): Int16Array {
  const length = body.length >> 1;
  if (body.byteOffset % 2 === 0) return new Int16Array(body.buffer, body.byteOffset, length);
  return new Int16Array(Uint8Array.from(body).buffer, 0, length);
}
