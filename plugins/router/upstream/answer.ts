/**
 * An upstream's answer as it comes in. undici's `dispatch` hands over the pieces as they are parsed: its `request`
 * makes a stream and an abort signal of each answer, which cost more than all else that is done for a call.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { BodyReader } from './body-reader.js';
import { DecodedBody, isDecodable } from './decoded.js';

/** The body is longer than what is taken. */
export class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

export class UpstreamAnswer implements Dispatcher.DispatchHandler {
  status = 0;
  headers: IncomingHttpHeaders = {};
  /** Resolves when status and headers are there; rejects when they will not come. */
  readonly begun: Promise<void>;
  #begin: () => void = () => {};
  #refuse: (error: Error) => void = () => {};
  #controller: Dispatcher.DispatchController | undefined;
  #reader: BodyReader | undefined;
  #decoded: DecodedBody | undefined;
  /** Parsed before the body had a reader: the rest of the packet that the headers were in. */
  readonly #early: Buffer[] = [];
  #error: Error | undefined;
  #ended = false;
  /** The request went out on a connection that had been made for another one before. */
  isOnKept = false;
  readonly #connected: () => number;
  readonly #connectedBefore: number;

  /** `connected` counts the upstream's connections that were made so far. */
  constructor(connected: () => number = () => 0) {
    this.#connected = connected;
    this.#connectedBefore = connected();
    this.begun = new Promise((resolve, reject) => {
      this.#begin = resolve;
      this.#refuse = reject;
    });
  }

  /** Takes the body from its beginning. */
  read(taker: BodyReader): void {
    const ended = this.#ended;
    const encoding = this.headers['content-encoding'];
    if (encoding !== undefined && isDecodable(encoding)) this.#decoded = new DecodedBody(encoding, taker);
    const reader = this.#decoded ?? taker;
    this.#reader = reader;
    for (const bytes of this.#early) {
      reader.piece(bytes);
      // It has had enough.
      if (this.#ended !== ended) return;
    }
    if (this.#error !== undefined) reader.fail(this.#error);
    else if (ended) reader.end();
  }

  /** The whole body if it has arrived and is at most `maxBytes`; then nobody else gets it. */
  takeWhole(maxBytes: number): string | undefined {
    if (!this.#ended || this.#error !== undefined || this.headers['content-encoding'] !== undefined)
      return undefined;
    let bytes = 0;
    for (const piece of this.#early) bytes += piece.length;
    return bytes > maxBytes ? undefined : withoutMark(joined(this.#early.splice(0))).toString('utf8');
  }

  /** The whole body. `onPiece` is called for each piece. Throws `AnswerTooLarge`, or what the connection threw. */
  text(maxBytes: number, onPiece: () => void = () => {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const pieces: Buffer[] = [];
      let bytes = 0;
      this.read({
        piece: (piece) => {
          bytes += piece.length;
          if (bytes > maxBytes) {
            const error = new AnswerTooLarge();
            reject(error);
            this.abort(error);
            return;
          }
          pieces.push(piece);
          onPiece();
        },
        end: () => resolve(withoutMark(joined(pieces)).toString('utf8')),
        fail: reject,
      });
    });
  }

  /** Ends the exchange, and with it the connection, unless the answer is complete. */
  abort(reason: Error): void {
    this.#decoded?.stop();
    if (this.#ended) return;
    this.#fail(reason);
    this.#controller?.abort(reason);
  }

  /** No pieces come until `resume`, and the upstream cannot send more than the buffers of the connection hold. */
  pause(): void {
    this.#controller?.pause();
    this.#decoded?.pause();
  }

  resume(): void {
    this.#decoded?.resume();
    this.#controller?.resume();
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // With another connection made meanwhile, this may be its first request.
    this.isOnKept = this.#connected() === this.#connectedBefore;
    if (this.#error !== undefined) controller.abort(this.#error);
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    // 103 (early hints) comes before the answer.
    if (status < 200) return;
    this.status = status;
    this.headers = headers;
    this.#begin();
  }

  onResponseData(_: Dispatcher.DispatchController, bytes: Buffer): void {
    if (this.#ended) return;
    if (this.#reader === undefined) this.#early.push(bytes);
    else this.#reader.piece(bytes);
  }

  onResponseEnd(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#reader?.end();
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error);
  }

  #fail(error: Error): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    this.#refuse(error);
    this.#reader?.fail(error);
  }
}

/** Some servers begin with a byte order mark. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Most answers are one piece. */
export function joined([first, ...more]: readonly Buffer[]): Buffer {
  if (first === undefined) return Buffer.alloc(0);
  return more.length === 0 ? first : Buffer.concat([first, ...more]);
}
