/** Many streams at once on one server: how long chunks are on their way, and what the server takes for them. */
import { Pool } from 'undici';
import { exchange, type Call, type HttpSide } from '../load.js';
import { percentile, type Figures } from '../table.js';
import { memory, processorTime } from '../usage.js';

export interface Peer extends HttpSide {
  chat(model: string, isStream: boolean): Call;
}

export interface Shape {
  readonly streams: number;
  /** Chunks of a stream, one each `interval` ms. */
  readonly pieces: number;
  readonly interval: number;
}

/** One clock for all processes of this machine, finer than a millisecond. */
export function epochMicroseconds(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1_000);
}

/** A stream that fails, or is not over in several times its time, is counted and takes nothing from the others. */
export async function stream(peer: Peer, { streams, pieces, interval }: Shape): Promise<Figures> {
  const { pids, origin } = peer.server;
  const pool = new Pool(origin, { connections: streams });
  const call = peer.chat(`${pieces}-by-${interval}`, true);
  const delays: number[] = [];
  let whole = 0;
  const failures = new Set<string>();
  const read = async (): Promise<void> => {
    let tail = '';
    await exchange(pool, call, 200, (piece) => {
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
  const before = processorTime(pids);
  let most = 0;
  const sampling = setInterval(() => (most = Math.max(most, memory(pids[0] ?? 0))), 200);
  const late = new Error('it did not end in time');
  const patience = setTimeout(() => void pool.destroy(late), pieces * interval * 4 + 10_000);
  await Promise.all(Array.from({ length: streams }, () => read().catch(fail)));
  clearTimeout(patience);
  clearInterval(sampling);
  const taken = processorTime(pids) - before;
  await pool.destroy();
  if (failures.size > 0) console.error(`${peer.name}: ${[...failures].join(', ')}`);
  return {
    'whole streams': whole,
    'chunk p50, us': percentile(delays, 0.5),
    'chunk p99, us': percentile(delays, 0.99),
    'processor, us a chunk': taken / delays.length,
    'most memory, MiB': most,
  };
}
