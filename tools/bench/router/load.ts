/** The client's side: calls and streams over undici's cheapest face, and how long they took. */
import { Pool, type Dispatcher } from 'undici';
import { epochMicroseconds } from './clock.js';
import type { Peer } from './peers.js';

export interface CallLoad {
  /** Milliseconds of each call. */
  readonly times: number[];
  readonly perSecond: number;
}

const MESSAGES = [
  { role: 'system', content: 'You are a helpful assistant that answers in one sentence.' },
  { role: 'user', content: 'Why is the sky blue, and why is it red in the evening?' },
];

/** Calls without streaming, `concurrency` at a time, for so many milliseconds. */
export async function loadCalls(peer: Peer, concurrency: number, duration: number): Promise<CallLoad> {
  const pool = new Pool(peer.origin, { connections: concurrency });
  const body = JSON.stringify({ model: peer.model('bench'), messages: MESSAGES });
  const times: number[] = [];
  const began = performance.now();
  const worker = async (): Promise<void> => {
    while (performance.now() - began < duration) {
      const sent = performance.now();
      await exchange(pool, peer, body);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  const perSecond = (times.length / (performance.now() - began)) * 1_000;
  await pool.destroy();
  return { times, perSecond };
}

export interface StreamLoad {
  /** Microseconds from the upstream's write of a chunk to its arrival here, one for each chunk. */
  readonly delays: number[];
  /** Streams that came to their `[DONE]`. */
  readonly whole: number;
  /** Why the others did not, each reason once. */
  readonly failures: readonly string[];
}

/** How often the time that a stream takes by itself is waited for, and milliseconds on top. */
const PATIENCE = { times: 4, more: 10_000 };

/**
 * So many streams at once, each of `pieces` chunks, one each `interval` ms. One that fails, or is not over in
 * several times its time, is counted and takes nothing from the others.
 */
export async function loadStreams(
  peer: Peer,
  streams: number,
  pieces: number,
  interval: number,
): Promise<StreamLoad> {
  const pool = new Pool(peer.origin, { connections: streams });
  const model = peer.model(`${pieces}-by-${interval}`);
  const body = JSON.stringify({ model, messages: MESSAGES, stream: true });
  const delays: number[] = [];
  let whole = 0;
  const failures = new Set<string>();
  const read = async (): Promise<void> => {
    let tail = '';
    await exchange(pool, peer, body, (piece) => {
      const now = epochMicroseconds();
      tail += piece.toString('latin1');
      const end = tail.lastIndexOf('\n\n');
      for (const [, written] of tail.slice(0, end).matchAll(/"content":"(\d+)"/g))
        delays.push(now - Number(written));
      if (tail.includes('data: [DONE]')) whole += 1;
      tail = tail.slice(end);
    });
  };
  const fail = (error: Error): void => void failures.add(error.message);
  const all = Promise.all(Array.from({ length: streams }, () => read().catch(fail)));
  const late = new Error('it did not end in time');
  const patience = setTimeout(
    () => void pool.destroy(late),
    pieces * interval * PATIENCE.times + PATIENCE.more,
  );
  await all;
  clearTimeout(patience);
  await pool.destroy();
  return { delays, whole, failures: [...failures] };
}

/** One request; resolves at the end of its answer, whose pieces `onPiece` gets. */
function exchange(
  pool: Pool,
  peer: Peer,
  body: string,
  onPiece: (piece: Buffer) => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const refused = (status: number): Error => new Error(`${peer.name} answered ${status}`);
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(controller, status) {
        if (status !== 200) controller.abort(refused(status));
      },
      onResponseData: (_, piece) => onPiece(piece),
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => reject(error),
    };
    const headers = { ...peer.headers, 'content-type': 'application/json' };
    pool.dispatch({ method: 'POST', path: '/v1/chat/completions', headers, body }, handler);
  });
}
