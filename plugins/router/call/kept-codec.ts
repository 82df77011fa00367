/** A stream's codec that also keeps everything sent to the client, up to a limit. */
import type { ServiceError } from 'plugboard/sdk';
import type { Said } from '../estimate/said.js';
import type { TokenUsage } from '../usage/tokens.js';
import type { SseEvent } from './sse.js';
import type { StreamCodec } from './stream-codec.js';

export class KeptCodec implements StreamCodec {
  readonly #codec: StreamCodec;
  readonly #most: number;
  #text = '';
  #isEnded = false;

  /** `most`: characters. */
  constructor(codec: StreamCodec, most: number) {
    this.#codec = codec;
    this.#most = most;
  }

  /** The stream as sent to the client; undefined if it did not end, or is too long. */
  get whole(): string | undefined {
    const isWhole = (this.#isEnded || this.#codec.done) && this.#text.length <= this.#most;
    return isWhole ? this.#text : undefined;
  }

  get begun(): boolean {
    return this.#codec.begun;
  }

  get complete(): boolean {
    return this.#codec.complete;
  }

  get done(): boolean {
    return this.#codec.done;
  }

  get tokens(): TokenUsage {
    return this.#codec.tokens;
  }

  get said(): Said {
    return this.#codec.said;
  }

  get sent(): Said {
    return this.#codec.sent;
  }

  get model(): string | null {
    return this.#codec.model;
  }

  take(event: SseEvent): string {
    return this.#keep(this.#codec.take(event));
  }

  end(rest: string): string {
    const text = this.#keep(this.#codec.end(rest));
    this.#isEnded = true;
    return text;
  }

  fail(error: ServiceError, json: string): string {
    return this.#codec.fail(error, json);
  }

  #keep(text: string): string {
    if (this.#text.length <= this.#most) this.#text += text;
    return text;
  }
}
