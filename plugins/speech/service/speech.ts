/** The speech service: checks a request in the documented order, reserves, speaks, settles. */
import { isServiceError, type Clock, type Semaphore } from 'plugboard/sdk';
import type { Allowance, Reservation } from '../allowance/allowance.js';
import type { Format } from '../audio/encoder.js';
import type { Pauses } from '../audio/pauses.js';
import { EngineError, type Engine } from '../engines/engine.js';
import { COME_BACK, errors } from '../errors.js';
import { read, type Reading } from '../reading/reading.js';
import type { SpeechInput } from '../schema.js';
import { VOICES, voiceById, type Voice } from '../voices/voices.js';
import { ClipCache, type Clip } from './clip-cache.js';
import { estimateSeconds, holdFor } from './duration.js';
import type { Speaker } from './speaker.js';

export interface SpeechLimits {
  /** Seconds of sound in one call. */
  readonly maxSeconds: number;
  /** Milliseconds for one call. */
  readonly timeout: number;
  readonly pauses: Pauses;
}

export interface SpeechParts {
  readonly allowance: Allowance;
  readonly speaker: Speaker;
  readonly engines: readonly Engine[];
  /** Bounds the calls that are spoken at a time, and those that wait. */
  readonly gate: Semaphore;
  readonly cache: ClipCache;
  readonly limits: SpeechLimits;
  readonly clock: Clock;
  readonly readings: Semaphore;
}

interface Prepared {
  readonly reading: Reading;
  readonly voice: Voice;
  readonly estimate: number;
}

export class SpeechService {
  readonly #parts: SpeechParts;

  constructor(parts: SpeechParts) {
    this.#parts = parts;
  }

  /** The sound and what it cost. A failed call, and a client that disconnects before the sound is ready, cost nothing. */
  async speak(owner: string, body: SpeechInput, signal: AbortSignal): Promise<Clip> {
    const { allowance, cache, engines } = this.#parts;
    const prepared = await this.prepare(body);
    const { input, voice, speed, instructions } = body;
    const format = formatOf(body);
    const key = ClipCache.keyOf(owner, input, voice, speed, format, instructions ?? '');
    const cached = cache.get(key);
    const reservation = await this.#reserve(owner, cached?.ms ?? holdFor(prepared.estimate, engines), signal);
    try {
      const clip = cached ?? (await this.#make(prepared, body, signal));
      signal.throwIfAborted();
      if (!(await allowance.settle(reservation, clip.ms))) throw errors.engine_timeout();
      cache.set(key, clip);
      return clip;
    } catch (error) {
      await allowance.release(reservation);
      throw error;
    }
  }

  /** What the call would cost, by the checks that the call itself makes. */
  async estimate(owner: string, body: SpeechInput) {
    const { reading, voice, estimate } = await this.prepare(body);
    const { limitMs, usedMs, reservedMs } = await this.#parts.allowance.usage(owner);
    return {
      voice: voice.id,
      characters: body.input.length,
      syllables: reading.syllables,
      sentences: reading.sentences.length,
      estimated_seconds: Math.round(estimate * 10) / 10,
      remaining_seconds: Math.max(0, limitMs - usedMs - reservedMs) / 1_000,
    };
  }

  /** The text as it will be read, and the voice. */
  async prepare({
    input,
    voice: id,
    speed,
  }: Pick<SpeechInput, 'input' | 'voice' | 'speed'>): Promise<Prepared> {
    const reading = await this.#parts.readings.run(() => read(input));
    if (reading.sentences.length === 0)
      throw errors.nothing_to_read({ param: 'input', headers: { 'x-should-retry': 'false' } });
    const { maxSeconds, pauses } = this.#parts.limits;
    const seconds = estimateSeconds(reading, { speed, pauses });
    if (seconds > maxSeconds)
      throw errors.input_too_long({
        param: 'input',
        values: { syllables: reading.syllables, speed, seconds: Math.round(seconds), limit: maxSeconds },
      });
    const voice = voiceById(id);
    if (voice === undefined)
      throw errors.voice_not_found({ param: 'voice', values: { voice: shown(id), hint: hintFor(id) } });
    return { reading, voice, estimate: estimateSeconds(reading, { speed, voice, pauses }) };
  }

  async #reserve(owner: string, ms: number, signal: AbortSignal): Promise<Reservation> {
    const { allowance } = this.#parts;
    const reservation = await allowance.reserve(owner, ms, signal);
    if (typeof reservation === 'object') return reservation;
    const { month, limitMs, usedMs, resetsAt } = await allowance.usage(owner);
    if (reservation === 'held')
      throw errors.allowance_held({
        values: { month, seconds: COME_BACK },
        headers: { 'retry-after': String(COME_BACK) },
      });
    throw errors.allowance_exhausted({
      values: { limit: limitMs / 1_000, month, used: usedMs / 1_000, reset: resetsAt.toISOString() },
    });
  }

  async #make({ reading, voice }: Prepared, body: SpeechInput, signal: AbortSignal): Promise<Clip> {
    const { gate, speaker, limits } = this.#parts;
    const limit = AbortSignal.timeout(limits.timeout);
    const either = AbortSignal.any([signal, limit]);
    const { speed, instructions } = body;
    const job = { reading, voice, speed, format: formatOf(body), ...(instructions && { instructions }) };
    try {
      return await gate.run(() => speaker.speak(job, either), { signal: either });
    } catch (error) {
      if (signal.aborted || isServiceError(error)) throw error;
      if (limit.aborted) throw errors.engine_timeout({ cause: error });
      if (error instanceof EngineError) throw answerTo(error);
      throw error;
    }
  }
}

export function formatOf({ response_format: format }: Pick<SpeechInput, 'response_format'>): Format {
  return format ?? 'mp3';
}

function answerTo(error: EngineError) {
  switch (error.failure) {
    case 'busy': {
      const seconds = error.retryAfter ?? String(COME_BACK);
      return errors.engine_busy({ cause: error, headers: { 'retry-after': seconds } });
    }
    case 'refused':
      return errors.engine_refused({ cause: error, values: { reason: error.message } });
    case 'unauthorized':
      return errors.engine_unauthorized({ cause: error, headers: { 'x-should-retry': 'false' } });
    case 'not_installed':
      return errors.engine_not_installed({ cause: error, headers: { 'x-should-retry': 'false' } });
    case 'timeout':
      return errors.engine_timeout({ cause: error });
    case 'failed':
      return errors.engine_failed({ cause: error });
  }
}

/** Enough of what the client wrote to be found again. */
function shown(id: string): string {
  return id.length > 40 ? `${id.slice(0, 40)}...` : id;
}

/** A voice whose id differs by its case or its separators. */
function hintFor(id: string): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll('-', '_').replaceAll(' ', '_');
  const near = id.length > 40 ? undefined : VOICES.find((voice) => voice.id === plain(id));
  return near === undefined ? '' : `; did you mean "${near.id}"?`;
}
