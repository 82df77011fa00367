/** The stage of the listener: the config of a port, for the port itself and for Fastify. */
import type { Server } from 'node:http';
import type { Server as SecureServer } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import type { FastifyServerFactory } from 'fastify';
import type { Logger } from 'pino';
import type { ServerConfig } from '../../config/shape.js';
import { UserError } from '../../sdk/plugin/command.js';
import type { Routes } from '../../sdk/http/routes.js';
import type { Port, PortOptions } from './port.js';
import { ServerSlot } from './server-slot.js';
import { Certificate } from './tls.js';

/** Node's own, in milliseconds. */
const HEADERS_TIMEOUT = 60_000;
const TIMEOUTS_CHECKED_EVERY = 30_000;

/** Milliseconds: longer than load balancers keep an idle connection, which would otherwise send on one that closes. */
const KEEP_ALIVE = 72_000;

interface ListenerInput {
  readonly config: ServerConfig;
  /** Relative paths of the config start here. */
  readonly baseDir: string;
  readonly port: Port;
  readonly log: Logger;
}

export class Listener {
  readonly #input: ListenerInput;
  readonly #certificate: Certificate | undefined;
  readonly #options: PortOptions;

  private constructor(
    input: ListenerInput,
    certificate: Certificate | undefined,
    tls: SecureContextOptions | undefined,
  ) {
    const { requestTimeout } = input.config;
    this.#input = input;
    this.#certificate = certificate;
    this.#options = {
      requestTimeout,
      headersTimeout: Math.min(requestTimeout, HEADERS_TIMEOUT),
      connectionsCheckingInterval: Math.min(requestTimeout, TIMEOUTS_CHECKED_EVERY),
      keepAliveTimeout: KEEP_ALIVE,
      tls,
      log: input.log,
    };
  }

  /** Reads the certificate. Throws a `UserError` when it cannot be used. */
  static async of(input: ListenerInput): Promise<Listener> {
    const { config, baseDir, port, log } = input;
    const certificate = config.tls && new Certificate(config.tls, baseDir);
    const tls = await certificate?.read().catch((error: unknown) => {
      // A reload after the files were replaced by bad ones: the port still has the old certificate.
      if (port.address === null) throw error;
      log.error({ err: error }, 'the certificate was not replaced; the old one stays in force');
      return undefined;
    });
    return new Listener(input, certificate, tls);
  }

  /** Fastify's. The type of a plugin's routes does not depend on the listener. */
  get options(): { http?: object } {
    const { tls } = this.#options;
    const serverFactory: FastifyServerFactory = (handler) =>
      new ServerSlot(this.#input.port, handler, this.#options) as unknown as Server;
    return { ...(tls && { https: tls }), serverFactory } as { http?: object };
  }

  /** Listens, before there is a server: see `Port.announce`. Throws a `UserError` when the address is not available. */
  open(): Promise<void> {
    const { port, config } = this.#input;
    return this.#orUserError(port.open(config.host, config.port, this.#options));
  }

  /** Answers the URL under which `app` is reached from now on. Throws as `open` does. */
  async serve(app: Routes): Promise<string> {
    const { host, port, tls } = this.#input.config;
    const url = await this.#orUserError(app.listen({ host, port }));
    // Fastify does not see that a port which outlives it is secure.
    return tls === undefined ? url : url.replace('http:', 'https:');
  }

  /** Follows the files of the certificate until `app` closes. */
  attach(app: Routes): void {
    const unfollow = this.#certificate?.follow(app.server as unknown as SecureServer, this.#input.log);
    app.addHook('onClose', (_app, done) => {
      unfollow?.();
      done();
    });
  }

  #orUserError<T>(listening: Promise<T>): Promise<T> {
    const { host, port } = this.#input.config;
    return listening.catch((error: unknown) => {
      const said = reason(error as NodeJS.ErrnoException, host, port);
      throw new UserError(`cannot listen: ${said}`, { cause: error });
    });
  }
}

function reason({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} of ${host} is in use; set server.port, or stop the other server`;
    case 'EACCES':
      return `this user may not listen on port ${port}; set server.port to 1024 or above`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `"${host}" is not an address of this machine; set server.host to 127.0.0.1, or to 0.0.0.0 for every interface`;
    default:
      return message;
  }
}
