/** The client's side: calls and streams over undici, and how long they took. */
import { Pool } from 'undici';
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
      const response = await pool.request(chatRequest(peer, body));
      const text = await response.body.text();
      if (response.statusCode !== 200) throw new Error(`${peer.name}: ${response.statusCode} ${text}`);
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
}

/** So many streams at once, each of `pieces` chunks, one each `interval` ms. */
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
  const read = async (): Promise<void> => {
    const response = await pool.request(chatRequest(peer, body));
    if (response.statusCode !== 200) throw new Error(`${peer.name}: ${await response.body.text()}`);
    let tail = '';
    for await (const piece of response.body as AsyncIterable<Buffer>) {
      const now = epochMicroseconds();
      tail += piece.toString('latin1');
      const end = tail.lastIndexOf('\n\n');
      for (const [, written] of tail.slice(0, end).matchAll(/"content":"(\d+)"/g))
        delays.push(now - Number(written));
      if (tail.includes('data: [DONE]')) whole += 1;
      tail = tail.slice(end);
    }
  };
  await Promise.all(Array.from({ length: streams }, read));
  await pool.destroy();
  return { delays, whole };
}

function chatRequest({ headers }: Peer, body: string) {
  return {
    method: 'POST' as const,
    path: '/v1/chat/completions',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
  };
}
