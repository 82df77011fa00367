/** One WebSocket of supabase-js, from its first message to its end. */
import type { WebSocket } from '@fastify/websocket';
import { Outgoing, type Logger, type SlowReaders } from 'plugboard/sdk';
import type { LiveRows } from '../../../engine/live/live-rows.js';
import { RECHECK } from '../watch.js';
import type { Version } from './frames.js';
import { RealtimeSession, type CallerOfToken } from './session.js';

/** Bytes of a client's message: it joins, leaves and sends tokens. */
export const MAX_PAYLOAD = 64 * 1024;
/** Messages that wait for earlier ones. */
const MOST_WAITING = 100;
/** Milliseconds: clients send a heartbeat every 25 s. */
const SILENT = 90_000;

/** RFC 6455, 7.4.1. */
const GOING_AWAY = 1001;
const POLICY = 1008;
const INTERNAL = 1011;

export interface SocketParts {
  readonly live: LiveRows;
  readonly readers: SlowReaders;
  readonly callerOf: CallerOfToken;
  readonly version: Version;
  readonly draining: AbortSignal;
  readonly log: Pick<Logger, 'error'>;
}

export async function serveSocket(
  socket: WebSocket,
  { live, readers, callerOf, version, draining, log }: SocketParts,
): Promise<void> {
  const out = new Outgoing();
  const session = new RealtimeSession(live, callerOf, version, out);
  const drain = (): void => socket.close(GOING_AWAY, 'the server stops');
  let heard = performance.now();
  const check = setInterval(() => {
    if (performance.now() - heard > SILENT) socket.terminate();
    void session.recheck();
  }, RECHECK);
  draining.addEventListener('abort', drain, { once: true });
  socket.on('error', () => socket.terminate());
  socket.on('close', () => out.end());
  let waiting = 0;
  let last = Promise.resolve();
  socket.on('message', (message: Buffer, isBinary: boolean) => {
    heard = performance.now();
    if (isBinary) return;
    waiting += 1;
    if (waiting > MOST_WAITING) {
      socket.close(POLICY, 'too many messages wait for an answer');
      return;
    }
    last = last
      .then(() => session.take(String(message)))
      .catch((error: unknown) => {
        log.error({ err: error }, 'a message of a subscriber could not be answered');
        socket.close(INTERNAL, 'the server failed');
      })
      .finally(() => (waiting -= 1));
  });
  if (draining.aborted) drain();
  try {
    // Frames are JSON without line breaks: they stay whole however the stream chunks them.
    for await (const frames of readers.stream(out).setEncoding('utf8'))
      for (const frame of String(frames).trimEnd().split('\n')) await send(socket, frame);
  } catch {
    // It read too slowly, or is gone.
  } finally {
    clearInterval(check);
    draining.removeEventListener('abort', drain);
    session.close();
    if (socket.readyState === socket.OPEN) socket.close(POLICY, 'read too slowly: subscribe again');
  }
}

/** Resolves when the socket has accepted it. */
function send(socket: WebSocket, text: string): Promise<void> {
  return new Promise((resolve, reject) => socket.send(text, (error) => (error ? reject(error) : resolve())));
}
