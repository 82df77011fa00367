/**
 * The open connections of a port, bounded by what the process may open. At its limit of open files a process can
 * neither accept a connection nor open a file, and Node reports nothing.
 */
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface Connection {
  /** The TLS socket, after its handshake. */
  socket: Socket;
  /** Its key until the end of the TLS handshake. */
  readonly handshake: string | undefined;
  /** Unfinished answers, including those to requests that wait for a server. */
  readonly answers: Set<ServerResponse>;
  /** All older connections have requests, so its own are refused. */
  readonly surplus: boolean;
}

export class Connections {
  readonly #most: number;
  readonly #full: () => void;
  readonly #all = new Map<Socket, Connection>();
  /** Connections of a secure listener before the end of their handshake, by their addresses. */
  readonly #handshakes = new Map<string, Connection>();
  /** Those that have not sent a request, the oldest first. */
  readonly #unused = new Set<Connection>();
  /** Those with all requests answered, the longest idle first. */
  readonly #idle = new Set<Connection>();

  /** `full` is called for each connection above `most`. */
  constructor(most: number, full: () => void) {
    this.#most = most;
    this.#full = full;
  }

  get all(): readonly Connection[] {
    return [...this.#all.values()];
  }

  of(socket: Socket): Connection | undefined {
    return this.#all.get(socket);
  }

  /** Takes a new connection; above the bound, the oldest without a request are closed for it. */
  add(socket: Socket, secure: boolean): void {
    if (this.#all.size >= this.#most) this.#full();
    while (this.#all.size >= this.#most) {
      const oldest = this.#oldest();
      if (oldest === undefined) break;
      this.#end(oldest);
    }
    const handshake = secure ? addressesOf(socket) : undefined;
    const surplus = this.#all.size >= this.#most;
    const connection: Connection = { socket, handshake, answers: new Set(), surplus };
    this.#all.set(socket, connection);
    this.#unused.add(connection);
    if (handshake !== undefined) this.#handshakes.set(handshake, connection);
    socket.once('close', () => this.#forget(connection));
  }

  /** The TLS handshake is over: `socket` replaces the one below it. */
  secured(socket: Socket): void {
    const addresses = addressesOf(socket);
    const connection = this.#handshakes.get(addresses);
    if (connection === undefined) return;
    this.#handshakes.delete(addresses);
    this.#all.delete(connection.socket);
    connection.socket = socket;
    this.#all.set(socket, connection);
    socket.once('close', () => this.#forget(connection));
  }

  /** A request has come. */
  begin(connection: Connection, answer: ServerResponse): void {
    this.leaveHttp(connection);
    connection.answers.add(answer);
    answer.once('close', () => {
      connection.answers.delete(answer);
      if (connection.answers.size === 0 && this.#all.has(connection.socket)) this.#idle.add(connection);
    });
  }

  /** The connection is never idle again, unless it has answers that end. */
  leaveHttp(connection: Connection): void {
    this.#unused.delete(connection);
    this.#idle.delete(connection);
  }

  closeIdle(): void {
    for (const connection of [...this.#unused, ...this.#idle]) this.#end(connection);
  }

  #oldest(): Connection | undefined {
    for (const connection of this.#unused) return connection;
    for (const connection of this.#idle) return connection;
    return undefined;
  }

  #end(connection: Connection): void {
    this.#forget(connection);
    connection.socket.destroy();
  }

  #forget(connection: Connection): void {
    this.#all.delete(connection.socket);
    this.leaveHttp(connection);
    if (connection.handshake !== undefined) this.#handshakes.delete(connection.handshake);
  }
}

/** The sockets below and above TLS share nothing else that is documented. */
function addressesOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

/** Reserved for the process itself: Node's own files, the store, the log. */
const OWN_FILES = 48;

/** Assumed on a system without /proc. */
const USUAL_LIMIT = 1_024;

/** How many files and connections this process may have open. */
export function openFilesLimit(): number {
  try {
    const limits = readFileSync('/proc/self/limits', 'latin1');
    return Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? USUAL_LIMIT);
  } catch {
    return USUAL_LIMIT;
  }
}

/** Half of the rest: each connection's request may need a second one, to storage or an upstream. */
export function mostConnections(limit: number): number {
  return Math.max(8, Math.floor((limit - OWN_FILES) / 2));
}
