/**
 * The address that a process listens on. It outlives its servers: while one replaces another, connections stay open
 * and requests wait for the next.
 */
import { lookup } from 'node:dns/promises';
import { once, type EventEmitter } from 'node:events';
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { createServer as createSecureServer, type Server as SecureServer } from 'node:https';
import { Server as NetServer, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { Logger } from '../../sdk/plugin/logger.js';
import { Connections, mostConnections, openFilesLimit } from './connections.js';
import { kernelErrors } from '../errors.js';
import { refuse } from './bare-answers.js';
import { answerLive, answerStarting, isLiveness, type StartStep } from './starting.js';

/**
 * Bytes of a URL with its headers: a filter of the data API lists thousands of ids. Node's own limit is a fourth of it.
 */
const maxHeaderSize = 64 * 1024;

export interface PortOptions {
  readonly headersTimeout: number;
  readonly connectionsCheckingInterval: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly tls: SecureContextOptions | undefined;
  readonly log: Pick<Logger, 'warn'>;
}

/** A server of the port. */
export interface Slot extends EventEmitter {
  readonly handle: RequestListener;
  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void;
}

/** A request that came while no server was there. */
interface Waiting {
  /** None for an upgrade. */
  readonly response: ServerResponse | undefined;
  readonly connection: Duplex;
  goTo(slot: Slot): void;
}

/** Milliseconds between two log lines about too many connections. */
const SAY_FULL_EVERY = 60_000;

export class Port {
  /** `localhost` has several addresses. */
  #listeners: Server[] = [];
  readonly #connections: Connections;
  readonly #openFiles = openFilesLimit();
  /** When the last such line was logged. */
  #saidFull = -Infinity;
  #log: PortOptions['log'] | undefined;
  readonly #waiting = new Set<Waiting>();
  #slot: Slot | undefined;
  #served = false;
  #step: (() => StartStep | undefined) | undefined;
  /** Whether every answer is the last of its connection. */
  #lastAnswers = false;
  #closing = false;
  #grace: NodeJS.Timeout | undefined;

  constructor() {
    this.#connections = new Connections(mostConnections(this.#openFiles), () => this.#full());
  }

  get address(): ReturnType<Server['address']> {
    return this.#listeners[0]?.address() ?? null;
  }

  /** Whether a server answers its requests. */
  get serving(): boolean {
    return this.#slot !== undefined;
  }

  /** Whether connections are no longer accepted. */
  get closing(): boolean {
    return this.#closing;
  }

  /** Whether idle connections are no longer kept either. */
  get closed(): boolean {
    return this.#closing && this.#grace === undefined;
  }

  get connections(): readonly Duplex[] {
    return this.#connections.all.map(({ socket }) => socket);
  }

  /** Listens, unless it does already; `options` hold from now on. */
  async open(host: string, port: number, options: PortOptions): Promise<void> {
    this.#log = options.log;
    if (this.#listeners.length === 0) {
      const first = await this.#listen(host, port, options);
      const { address, port: bound } = first.address() as { address: string; port: number };
      const others = host === 'localhost' ? await lookup(host, { all: true }) : [];
      for (const other of others.filter((one) => one.address !== address))
        await this.#listen(other.address, bound, options).catch(() => {});
    }
    const { headersTimeout, requestTimeout, keepAliveTimeout, tls } = options;
    for (const listener of this.#listeners) {
      Object.assign(listener, { headersTimeout, requestTimeout, keepAliveTimeout });
      if (tls !== undefined) (listener as SecureServer).setSecureContext(tls);
    }
  }

  /**
   * Before the first server serves, requests are refused with what its start waits for; between two servers they wait.
   * `/-/live` is 200 all the time.
   */
  announce(step: () => StartStep | undefined): void {
    if (!this.#served) this.#step = step;
  }

  /** From now on requests go there, those that wait first. */
  serve(slot: Slot): void {
    this.#slot = slot;
    this.#served = true;
    this.#step = undefined;
    const upgrades = slot.listenerCount('upgrade') > 0;
    for (const listener of this.#listeners) {
      listener.removeAllListeners('upgrade');
      // With a listener Node leaves such requests to it.
      if (upgrades) listener.on('upgrade', (...parts) => this.#upgrade(...parts));
    }
    for (const waiting of this.#waiting) waiting.goTo(slot);
    this.#waiting.clear();
  }

  /** From now on requests wait. */
  leave(slot: Slot): void {
    if (this.#slot === slot) this.#slot = undefined;
  }

  /** The connections whose request is being answered. */
  busy(): Duplex[] {
    const waiting = new Set(Array.from(this.#waiting, ({ response }) => response));
    const isServed = (answer: ServerResponse): boolean => !waiting.has(answer);
    return this.#connections.all
      .filter(({ answers }) => [...answers].some(isServed))
      .map(({ socket }) => socket);
  }

  follow(tls: SecureContextOptions): void {
    for (const listener of this.#listeners) (listener as SecureServer).setSecureContext(tls);
  }

  closeIdleConnections(): void {
    this.#connections.closeIdle();
  }

  /** From now on every response has `connection: close`, those in flight too. */
  endConnections(): void {
    this.#lastAnswers = true;
    for (const { answers } of this.#connections.all)
      for (const answer of answers) if (!answer.headersSent) answer.setHeader('connection', 'close');
  }

  /**
   * Accepts no more connections. One request on each that is open is still answered if it comes within `grace`
   * milliseconds: it may have been on its way already. Then closes as `close` does.
   */
  retire(grace: number): void {
    if (this.#slot === undefined) {
      this.close();
      return;
    }
    this.#closing = true;
    this.endConnections();
    // `close` of Node's HTTP server would close idle connections.
    for (const listener of this.#listeners) NetServer.prototype.close.call(listener);
    // Timers run before sockets are read: what has arrived in time is read first.
    this.#grace = setTimeout(() => setImmediate(() => this.close()), grace);
  }

  /** Accepts no more connections; waiting requests go to the server of `next`, or their connections are closed. */
  close(next?: Port): void {
    this.#closing = true;
    clearTimeout(this.#grace);
    this.#grace = undefined;
    for (const listener of this.#listeners) listener.close();
    if (next !== undefined && next.#slot !== undefined) this.serve(next.#slot);
    for (const { connection } of this.#waiting) connection.destroy();
    this.#waiting.clear();
    this.closeIdleConnections();
  }

  async #listen(host: string, port: number, options: PortOptions): Promise<Server> {
    const { tls, headersTimeout, connectionsCheckingInterval } = options;
    const own = { headersTimeout, connectionsCheckingInterval, maxHeaderSize };
    const listener = tls === undefined ? createServer(own) : createSecureServer({ ...own, ...tls });
    listener.on('connection', (socket: Socket) => {
      this.#connections.add(socket, tls !== undefined);
      this.#slot?.emit('connection', socket);
    });
    listener.on('secureConnection', (socket: Socket) => {
      this.#connections.secured(socket);
      this.#slot?.emit('secureConnection', socket);
    });
    listener.on('request', (request, response) => this.#request(request, response));
    listener.on('clientError', (error, socket: Socket) => {
      const answers = this.#connections.of(socket)?.answers ?? [];
      // The client would read a second answer as part of the first.
      if (this.#slot === undefined || [...answers].some(({ headersSent }) => headersSent)) socket.destroy();
      else this.#slot.emit('clientError', error, socket);
    });
    listener.listen({ host, port });
    await once(listener, 'listening');
    this.#listeners.push(listener);
    return listener;
  }

  #request(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.of(request.socket);
    if (connection !== undefined) this.#connections.begin(connection, response);
    if (this.#lastAnswers) response.setHeader('connection', 'close');
    if (connection?.surplus === true) {
      refuse(
        response,
        kernelErrors.too_many_connections({ headers: { 'retry-after': '1', connection: 'close' } }),
      );
      return;
    }
    if (this.#slot !== undefined) {
      this.#slot.handle(request, response);
      return;
    }
    if (isLiveness(request)) {
      answerLive(response);
      return;
    }
    if (this.#step !== undefined) {
      answerStarting(request, response, this.#step());
      return;
    }
    const goTo = (slot: Slot): void => void (response.destroyed || slot.handle(request, response));
    this.#waiting.add({ response, connection: request.socket, goTo });
  }

  #full(): void {
    const now = performance.now();
    if (now - this.#saidFull < SAY_FULL_EVERY) return;
    this.#saidFull = now;
    this.#log?.warn(
      `${mostConnections(this.#openFiles)} connections are open, as many as this process takes: for each new one the oldest without a request is closed; raise the limit on open files (ulimit -n), which is ${this.#openFiles}`,
    );
  }

  #upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    const known = this.#connections.of(request.socket);
    if (known !== undefined) this.#connections.leaveHttp(known);
    const goTo = (slot: Slot): void => slot.upgrade(request, connection, head);
    if (this.#slot !== undefined) goTo(this.#slot);
    else this.#waiting.add({ response: undefined, connection, goTo });
  }
}
