/** One server of a port: the part of Node's server interface that Fastify and its plugins use. */
import { EventEmitter } from 'node:events';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { SecureContextOptions } from 'node:tls';
import type { Port, PortOptions, Slot } from './port.js';

/** Milliseconds between two checks for requests in flight. */
const LOOK_EVERY = 10;

export class ServerSlot extends EventEmitter implements Slot {
  readonly handle: RequestListener;
  readonly #port: Port;
  readonly #options: PortOptions;
  /** Connections that have left HTTP. */
  readonly #upgraded = new Set<Duplex>();
  listening = false;

  constructor(port: Port, handler: RequestListener, options: PortOptions) {
    super();
    this.handle = handler;
    this.#port = port;
    this.#options = options;
  }

  listen({ host, port }: { host: string; port: number }): this {
    const opened = (): void => {
      this.listening = true;
      this.#port.serve(this);
      this.emit('listening');
    };
    this.#port.open(host, port, this.#options).then(opened, (error: unknown) => this.emit('error', error));
    return this;
  }

  address(): ReturnType<Server['address']> {
    return this.#port.address;
  }

  /** Ends with the requests in flight; connections stay open for the next server, unless the port closes. */
  close(done: () => void): this {
    if (!this.#port.closing) this.#port.leave(this);
    const timer = setInterval(() => {
      // A connection whose request has ended is idle now.
      if (this.#port.closed) this.#port.closeIdleConnections();
      if (this.#open().length > 0) return;
      clearInterval(timer);
      this.#port.leave(this);
      this.listening = false;
      this.emit('close');
      done();
    }, LOOK_EVERY);
    return this;
  }

  /** `close` does it. */
  closeIdleConnections(): void {}

  closeAllConnections(): void {
    for (const connection of this.#open()) connection.destroy();
  }

  setSecureContext(tls: SecureContextOptions): void {
    this.#port.follow(tls);
  }

  upgrade(request: IncomingMessage, connection: Duplex, head: Buffer): void {
    this.#upgraded.add(connection);
    connection.once('close', () => this.#upgraded.delete(connection));
    if (!this.emit('upgrade', request, connection, head)) connection.destroy();
  }

  #open(): Duplex[] {
    return this.#port.closing ? [...this.#port.connections] : [...this.#port.busy(), ...this.#upgraded];
  }
}
