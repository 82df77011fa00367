/** Any server with OpenAI's speech route as an engine: asked for WAV, sentence by sentence. */
import { EngineError, type Engine, type Speech, type Utterance } from '../engine.js';
import { readSound, type UpstreamFormat } from './sound.js';

export interface UpstreamSettings {
  readonly name: string;
  /** The URL that /audio/speech is relative to. */
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  readonly model: string;
  /** Their names of our voices; `*` matches all others. An unlisted voice is sent by its own id. */
  readonly voices: Readonly<Record<string, string>>;
  /** The requested format. */
  readonly format: UpstreamFormat;
  readonly parallel: number;
  /** Milliseconds for a sentence. */
  readonly timeout: number;
}

/** A sentence of 120 syllables at a quarter of the speed lasts about two minutes: 12 MB at 48 kHz. */
const MAX_ANSWER = 32 * 1024 * 1024;

export class UpstreamEngine implements Engine {
  readonly name: string;
  readonly parallel: number;
  /** Other voices speak at their own pace. */
  readonly margin = { factor: 1.6, seconds: 1 };
  readonly #settings: UpstreamSettings;

  constructor(settings: UpstreamSettings) {
    this.#settings = settings;
    this.parallel = settings.parallel;
    this.name = settings.name;
  }

  async speak(utterance: Utterance, signal: AbortSignal): Promise<Speech> {
    const limit = AbortSignal.timeout(this.#settings.timeout);
    try {
      const file = await this.#ask(utterance, AbortSignal.any([signal, limit]));
      const { pcm, sampleRate } = await readSound(file, this.#settings.format);
      if (pcm.length === 0) throw new Error('a file without samples');
      return { parts: [{ pcm, timing: [], words: [] }], sampleRate };
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof EngineError) throw error;
      if (limit.aborted)
        throw new EngineError('timeout', `${this.name} did not answer within ${this.#settings.timeout} ms`);
      throw new EngineError('failed', `${this.name}: ${messageOf(error)}`, { cause: error });
    }
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #ask({ sentence, voice, speed, instructions }: Utterance, signal: AbortSignal): Promise<Buffer> {
    const { baseUrl, apiKey, model, voices, format } = this.#settings;
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/audio/speech`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify({
        model,
        voice: voices[voice.id] ?? voices['*'] ?? voice.id,
        input: sentence.text,
        response_format: format,
        speed,
        ...(instructions !== undefined && { instructions }),
      }),
      // The key must not be sent to another server.
      redirect: 'error',
      signal,
    });
    if (!response.ok) throw await this.#refusal(response);
    return readBody(response);
  }

  /** The meaning of the status for the client. */
  async #refusal(response: Response): Promise<EngineError> {
    const { status, headers } = response;
    const retryAfter = headers.get('retry-after') ?? undefined;
    const message = `${this.name} answered ${status}${await reasonOf(response)}`;
    if (status === 429 || status === 503)
      return new EngineError('busy', message, retryAfter === undefined ? {} : { retryAfter });
    if (status === 400 || status === 422) return new EngineError('refused', message);
    return new EngineError(status === 401 || status === 403 ? 'unauthorized' : 'failed', message);
  }
}

/** The error's message, in one line of at most 200 characters. */
async function reasonOf(response: Response): Promise<string> {
  try {
    const message = sentenceOf(JSON.parse((await readBody(response)).toString('utf8')));
    return message === undefined ? '' : `: ${message.replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  } catch {
    return '';
  }
}

/** OpenAI's `error.message`; `error` or `detail` as a text, an object with a `message`, or FastAPI's list with `msg`. */
function sentenceOf(body: unknown): string | undefined {
  if (typeof body === 'string') return body;
  const [first] = Array.isArray(body) ? (body as unknown[]) : [body];
  if (typeof first !== 'object' || first === null) return undefined;
  const { message, msg, error, detail } = first as Record<string, unknown>;
  return sentenceOf(message ?? msg ?? detail ?? error);
}

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_ANSWER) throw new Error(`an answer of more than ${MAX_ANSWER} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function messageOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error ? `${message}: ${cause.message}` : message;
}
