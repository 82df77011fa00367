/** What is logged of requests: each line says which request of which plugin it is about. */
import { LogController, type FastifyBaseLogger, type FastifyRequest } from 'fastify';
import { isServiceError } from '../sdk/errors.js';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal' | 'silent' | 'child';

/** A pino child for each request would cost those that log nothing, so it is made for the first line. */
export class RequestLog implements FastifyBaseLogger {
  readonly #log: FastifyBaseLogger;
  readonly #fields: { readonly plugin: string; readonly requestId: string };
  #child: FastifyBaseLogger | undefined;

  constructor(log: FastifyBaseLogger, fields: { readonly plugin: string; readonly requestId: string }) {
    this.#log = log;
    this.#fields = fields;
  }

  get level(): string {
    return this.#log.level;
  }
  get trace() {
    return this.#own('trace');
  }
  get debug() {
    return this.#own('debug');
  }
  get info() {
    return this.#own('info');
  }
  get warn() {
    return this.#own('warn');
  }
  get error() {
    return this.#own('error');
  }
  get fatal() {
    return this.#own('fatal');
  }
  get silent() {
    return this.#own('silent');
  }
  get child() {
    return this.#own('child');
  }

  #own<L extends Level>(level: L): FastifyBaseLogger[L] {
    this.#child ??= this.#log.child(this.#fields);
    return this.#child[level].bind(this.#child) as FastifyBaseLogger[L];
  }
}

/** Fastify's own lines are off, but for an answer that fails behind its headers: no client is told of that. */
export class FailedStreams extends LogController {
  constructor() {
    super({ disableRequestLogging: true });
  }

  override streamError(error: Error, request: FastifyRequest): void {
    const { code } = error as NodeJS.ErrnoException;
    const clientLeft =
      request.raw.socket.destroyed || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
    if (!clientLeft && !isServiceError(error))
      request.log.error({ err: error }, 'an answer failed after it had begun');
  }
}
