/** The stage of answers: errors in their plugin's dialect, and rules for every body sent. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { ErrorRenderer } from '../../sdk/http/errors.js';
import type { Routes } from '../../sdk/http/routes.js';
import { identify } from '../identify.js';
import { clientErrorHandler } from '../listener/bare-answers.js';
import { dialectAt } from '../routes/dialect-at.js';
import { pathOf } from '../paths.js';
import type { RouteTable } from '../routes/route-table.js';
import { routeOf } from './failed-streams.js';
import { addForwardedPrefix } from './forwarded-prefix.js';
import { toServiceError } from './service-error.js';
import type { SlowReaders } from './slow-readers.js';

interface AnswersInput {
  readonly renderer: ErrorRenderer;
  readonly log: Logger;
  readonly readers: SlowReaders;
  /** In bytes, for routes without their own. */
  readonly bodyLimit: number;
}

export class Answers {
  readonly #input: AnswersInput;
  readonly #routes: RouteTable;

  constructor(input: AnswersInput, routes: RouteTable) {
    this.#input = input;
    this.#routes = routes;
  }

  /** Fastify's, for failures before a route is found. */
  get options() {
    return {
      clientErrorHandler: clientErrorHandler(this.#input.renderer),
      frameworkErrors: (error: Error, request: FastifyRequest, reply: FastifyReply): void => {
        identify(reply.raw, request.id);
        void this.#render(error, request, reply);
      },
    };
  }

  /** `believesProxies`: `Location` gets the prefix under which a proxy serves this server. */
  attach(app: Routes, believesProxies: boolean): void {
    // Answers are sent as they are: a compiled serializer would drop what the schema does not name and turn a
    // wrong type into a 500. The schemas serve the OpenAPI document, and a test holds the answers against them.
    app.setSerializerCompiler(() => (body) => JSON.stringify(body));
    app.setErrorHandler((error, request, reply) => this.#render(error, request, reply));
    app.setNotFoundHandler((request, reply) => this.#render(this.#routes.missing(request), request, reply));
    app.addHook('onSend', (_request, reply, payload, done) => {
      done(null, payload);
      this.#input.readers.sent(reply, payload);
    });
    addForwardedPrefix(app, believesProxies);
  }

  #render(thrown: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { renderer, log, bodyLimit } = this.#input;
    const instance = this.#routes.answering(request);
    const { error, unexpected } = toServiceError(thrown, {
      requestId: request.id,
      clientLeft: isClientGone(thrown, request),
      contentType: request.headers['content-type'],
      bodyLimit: request.routeOptions.bodyLimit ?? bodyLimit,
      invalid: instance?.definition.invalid,
    });
    if (unexpected) {
      const about = { requestId: request.id, plugin: instance?.id, route: routeOf(request) };
      log.error({ err: thrown, ...about }, error.message);
    }
    const answer = renderer.render(error, dialectAt(instance, pathOf(request.url)), request);
    // Fastify asks for the end of the connection while the client still sends, which then sees a broken pipe in place
    // of this answer. Node discards the rest of the body, for as long as `server.requestTimeout` allows.
    if (answer.status === 413) void reply.removeHeader('connection');
    return reply
      .code(answer.status)
      .type('application/json; charset=utf-8')
      .headers({ ...answer.headers, ...error.headers })
      .send(JSON.stringify(answer.body));
  }
}

/** Whether a request failed because its client left: by its body's error, or by an early end of a buffered body. */
function isClientGone(thrown: unknown, { raw }: FastifyRequest): boolean {
  if (thrown !== null && raw.errored === thrown) return true;
  const { code } = (thrown ?? {}) as NodeJS.ErrnoException;
  return code === 'ERR_STREAM_PREMATURE_CLOSE' && raw.socket.destroyed;
}
