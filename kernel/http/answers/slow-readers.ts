/**
 * Bounds the answers that wait for slow clients, over all of them: beyond the bound the one that has waited longest is
 * cut off, and so is one whose client reads nothing for a minute.
 */
import { Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Logger } from 'pino';
import { whenAnswered } from '../../sdk/kit/answered.js';
import type { Reply } from '../../sdk/http/routes.js';
import type { Pieces, SlowReaders as Service } from '../../sdk/services/slow-readers.js';

/** Characters or bytes from which a whole answer counts: smaller ones fit into the system's buffers. */
const LARGE = 64 * 1024;
/** Milliseconds. */
const PATIENCE = 60_000;

const TOO_MUCH = 'too much waits for clients that read slowly (server.maxUnread)';
const TOO_LONG = `a client read nothing for ${PATIENCE / 1000} s`;

interface Waiting {
  /** Characters or bytes. */
  readonly size: () => number;
  readonly cut: (reason: string) => void;
}

export class SlowReaders implements Service {
  readonly #most: number;
  readonly #log: Logger;
  /** The one that has waited longest first. */
  readonly #waiting = new Set<Waiting>();

  /** `most` characters or bytes wait at a time; a single answer may be longer. */
  constructor(most: number, log: Logger) {
    this.#most = most;
    this.#log = log;
  }

  /** Called with each answer that is sent. */
  sent(reply: Reply, payload: unknown): void {
    const length = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    const { raw } = reply;
    // An injected request has no socket: nobody reads slowly there, and its timeout would never be cleared.
    if (length < LARGE || !(raw.socket instanceof Socket) || raw.closed) return;
    const cut = (reason: string): void => {
      this.#waiting.delete(entry);
      this.#log.warn({ bytes: length }, reason);
      raw.destroy();
    };
    const entry: Waiting = { size: () => length, cut };
    raw.setTimeout(PATIENCE, () => cut(TOO_LONG));
    whenAnswered(reply, () => this.#waiting.delete(entry));
    this.#add(entry);
  }

  stream(pieces: Pieces): Readable {
    let piece = 0;
    let timer: NodeJS.Timeout | undefined;
    const rest = (): void => {
      clearTimeout(timer);
      this.#waiting.delete(entry);
    };
    const send = async (): Promise<void> => {
      rest();
      try {
        const { value, done } = await pieces.next();
        if (readable.destroyed) return;
        if (done === true) {
          readable.push(null);
          return;
        }
        piece = value.length;
        timer = setTimeout(() => entry.cut(TOO_LONG), PATIENCE).unref();
        // Sent before anything is cut off: an answer whose head is not sent yet would become another one.
        readable.push(value);
        this.#add(entry);
      } catch (error) {
        readable.destroy(error as Error);
      }
    };
    const readable = new Readable({
      highWaterMark: 0,
      read: () => void send(),
      destroy: (error, done) => {
        rest();
        pieces.return().then(
          () => done(error),
          (failure: unknown) => done(failure as Error),
        );
      },
    });
    const entry: Waiting = {
      size: () => pieces.held + piece,
      cut: (reason) => {
        rest();
        readable.destroy(new Error(reason));
      },
    };
    return readable;
  }

  #add(newest: Waiting): void {
    this.#waiting.add(newest);
    let sum = 0;
    for (const { size } of this.#waiting) sum += size();
    for (const entry of this.#waiting) {
      if (sum <= this.#most || entry === newest) return;
      sum -= entry.size();
      entry.cut(TOO_MUCH);
    }
  }
}
