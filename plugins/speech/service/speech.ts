/** The speech service: checks a request in the documented order, reserves, speaks, settles. */
import { isServiceError, type Clock, type Pieces, type Semaphore } from 'plugboard/sdk';
import type { Allowance, Reservation } from '../allowance/allowance.js';
import type { Calls } from '../allowance/calls.js';
import type { Format } from '../audio/encoder.js';
import type { Pauses } from '../audio/pauses.js';
import { EngineError, type Engine } from '../engines/engine.js';
import { COME_BACK, errors } from '../errors.js';
import { read, type Reading } from '../reading/reading.js';
import type { Pronunciations } from '../pronunciations/pronunciations.js';
import type { SpeechInput } from '../schema.js';
import { VOICES, voiceById, type Voice } from '../voices/voices.js';
import { ClipCache, type Clip } from './clip-cache.js';
import { estimateSeconds, holdFor } from './duration.js';
import { bytes, events } from './events.js';
import type { SpeechJob, SpokenPiece, Speaker } from './speaker.js';
import { openStream } from './stream.js';
import { Timeline } from './timestamps.js';

export interface SpeechLimits {
  /** Seconds of sound in one call. */
  readonly maxSeconds: number;
  /** Milliseconds for one call. */
  readonly timeout: number;
  readonly pauses: Pauses;
}

export interface SpeechParts {
  readonly allowance: Allowance;
  readonly calls: Calls;
  readonly pronunciations: Pronunciations;
  readonly speaker: Speaker;
  readonly engines: readonly Engine[];
  /** Limits the calls that run at a time, and those that wait. */
  readonly gate: Semaphore;
  readonly cache: ClipCache;
  readonly limits: SpeechLimits;
  readonly clock: Clock;
  readonly readings: Semaphore;
}

export interface StreamedCall {
  /** The request's id, by which the amount is found. */
  readonly id: string;
  readonly gone: AbortSignal;
  /** An error's body as JSON, for the last event of a stream. */
  readonly renderError: (error: unknown) => string;
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

  /** The sound and its cost. A failed call, and a client that leaves before the sound is ready, cost nothing. */
  async speak(owner: string, body: SpeechInput, signal: AbortSignal): Promise<Clip> {
    const { allowance, cache, engines } = this.#parts;
    refuseTimestamps(body);
    const prepared = await this.prepare(owner, body);
    const { voice, speed, instructions } = body;
    // Keyed by the reading, which depends on the key's pronunciations too.
    const { normalised } = prepared.reading;
    const key = ClipCache.keyOf(owner, normalised, voice, speed, formatOf(body), instructions ?? '');
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

  /** The sound as it is made, or events of it; charged for what the client was sent. */
  async stream(owner: string, body: SpeechInput, call: StreamedCall): Promise<Pieces> {
    const { allowance, calls, engines } = this.#parts;
    refuseTimestamps(body);
    const prepared = await this.prepare(owner, body);
    const reservation = await this.#reserve(owner, holdFor(prepared.estimate, engines), call.gone);
    // A client may read for longer than a hold lasts.
    const renewal = setInterval(() => {
      allowance.renew(reservation).catch(() => undefined);
    }, allowance.holdFor / 2).unref();
    return openStream({
      gone: call.gone,
      form: formOf(prepared.reading, body, call),
      make: (signal) => this.#stream(prepared, body, signal),
      settle: async (ms) => {
        clearInterval(renewal);
        if (ms === 0) return allowance.release(reservation).then(() => true);
        const isCharged = await allowance.settle(reservation, ms);
        if (isCharged) await calls.ended(owner, call.id, ms);
        return isCharged;
      },
    });
  }

  /** What the call would cost, after the same checks. */
  async estimate(owner: string, body: SpeechInput) {
    const { reading, voice, estimate } = await this.prepare(owner, body);
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
  async prepare(
    owner: string,
    { input, voice: id, speed }: Pick<SpeechInput, 'input' | 'voice' | 'speed'>,
  ): Promise<Prepared> {
    const dictionary = await this.#parts.pronunciations.dictionaryOf(owner);
    const reading = await this.#parts.readings.run(() => read(input, dictionary));
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

  async #make(prepared: Prepared, body: SpeechInput, signal: AbortSignal): Promise<Clip> {
    const { gate, speaker, limits } = this.#parts;
    const limit = AbortSignal.timeout(limits.timeout);
    const either = AbortSignal.any([signal, limit]);
    try {
      return await gate.run(() => speaker.speak(jobOf(prepared, body), either), { signal: either });
    } catch (error) {
      throw answerFor(error, signal, limit);
    }
  }

  async *#stream(prepared: Prepared, body: SpeechInput, signal: AbortSignal): AsyncGenerator<SpokenPiece> {
    const { gate, speaker, limits } = this.#parts;
    const limit = AbortSignal.timeout(limits.timeout);
    const either = AbortSignal.any([signal, limit]);
    try {
      const leave = await gate.acquire({ signal: either });
      try {
        yield* speaker.stream(jobOf(prepared, body), either);
      } finally {
        leave();
      }
    } catch (error) {
      throw answerFor(error, signal, limit);
    }
  }
}

function jobOf({ reading, voice }: Prepared, body: SpeechInput): SpeechJob {
  const { speed, instructions } = body;
  return { reading, voice, speed, format: formatOf(body), ...(instructions && { instructions }) };
}

function formOf(reading: Reading, body: SpeechInput, { renderError }: StreamedCall) {
  if (body.stream_format !== 'sse') return bytes;
  const granularities = body.timestamp_granularities ?? [];
  return events({
    characters: body.input.length,
    timeline: granularities.length === 0 ? undefined : new Timeline(reading, granularities),
    renderError,
  });
}

function refuseTimestamps({ stream_format: format, timestamp_granularities: asked }: SpeechInput): void {
  if (format !== 'sse' && (asked?.length ?? 0) > 0)
    throw errors.timestamps_need_events({ param: 'timestamp_granularities' });
}

/** Also of OpenAI's clients, which send the format of a stream, or `stream`. */
export function isStream({ stream, stream_format: format }: SpeechInput): boolean {
  return stream === true || (format !== undefined && format !== null);
}

export function formatOf({ response_format: format }: Pick<SpeechInput, 'response_format'>): Format {
  return format ?? 'mp3';
}

/** The answer to the client, if it is still connected. */
function answerFor(error: unknown, gone: AbortSignal, limit: AbortSignal): unknown {
  if (gone.aborted || isServiceError(error)) return error;
  if (limit.aborted) return errors.engine_timeout({ cause: error });
  return error instanceof EngineError ? answerTo(error) : error;
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

/** Enough of the client's text to find it again. */
function shown(id: string): string {
  return id.length > 40 ? `${id.slice(0, 40)}...` : id;
}

/** A voice whose id differs in case or separators. */
function hintFor(id: string): string {
  const plain = (text: string): string => text.toLowerCase().replaceAll('-', '_').replaceAll(' ', '_');
  const near = id.length > 40 ? undefined : VOICES.find((voice) => voice.id === plain(id));
  return near === undefined ? '' : `; did you mean "${near.id}"?`;
}
