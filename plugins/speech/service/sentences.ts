/** The sentences of a text as sound, in order, each followed by its pause. */
import { joinParts, type Pauses, type Span } from '../audio/pauses.js';
import { EngineError, type Engine, type PhonemeTime, type Utterance } from '../engines/engine.js';
import type { Reading, SpokenSentence } from '../reading/reading.js';
import type { Voice } from '../voices/voices.js';
import { inOrder } from './in-order.js';

export interface SpokenSound {
  readonly sentence: SpokenSentence;
  /** Mono, including the pause. */
  readonly pcm: Int16Array;
  readonly sampleRate: number;
  /** In milliseconds of this sentence; empty if unknown. */
  readonly timing: readonly PhonemeTime[];
  /** The start of each word, in milliseconds of this sentence; empty if unknown. */
  readonly words: readonly number[];
  /** Of the clauses, or of the whole if the engine does not separate them. */
  readonly spans: readonly Span[];
}

export interface SentencesJob {
  readonly reading: Reading;
  readonly voice: Voice;
  readonly speed: number;
  readonly instructions?: string;
}

/** Throws `EngineError`, also for a silent sentence and for a changing sample rate. */
export async function* speakSentences(
  engine: Engine,
  { reading: { sentences }, voice, speed, instructions }: SentencesJob,
  pauses: Pauses,
  signal: AbortSignal,
): AsyncGenerator<SpokenSound> {
  const last = sentences.at(-1);
  const sounds = inOrder(sentences, { parallel: engine.parallel, signal }, async (sentence, until) => {
    const pause = pauses[sentence === last ? 'release' : sentence.break] / speed;
    const utterance = { sentence, voice, speed, ...(instructions !== undefined && { instructions }) };
    return speakSentence(engine, utterance, { comma: pauses.comma / speed, pause }, until);
  });
  let rate: number | undefined;
  for await (const sound of sounds) {
    const { sampleRate } = sound;
    rate ??= sampleRate;
    if (sampleRate !== rate)
      throw new EngineError('failed', `${engine.name} changed its sample rate from ${rate} to ${sampleRate}`);
    yield sound;
    signal.throwIfAborted();
  }
}

async function speakSentence(
  engine: Engine,
  utterance: Utterance,
  { comma, pause }: { comma: number; pause: number },
  signal: AbortSignal,
): Promise<SpokenSound> {
  const { parts, sampleRate } = await engine.speak(utterance, signal);
  const { pcm, ...times } = await joinParts(parts, sampleRate, comma);
  if (pcm.length === 0) throw new EngineError('failed', `${engine.name} made no sound`);
  const paused = new Int16Array(pcm.length + Math.round((pause * sampleRate) / 1_000));
  paused.set(pcm);
  return { sentence: utterance.sentence, pcm: paused, sampleRate, ...times };
}
