/** Load on a server: one call at a time on each connection, over undici's cheapest face. */
import { Pool, type Dispatcher } from 'undici';
import { KEY, type Server } from './server.js';
import { percentile, type Figures } from './table.js';
import { processorTime } from './usage.js';

export interface Call {
  readonly path: string;
  readonly method?: 'POST' | 'PATCH';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpSide {
  readonly name: string;
  readonly server: Server;
  /** Of a right answer: 200. */
  readonly status?: number;
  /** The n-th call of the run. */
  call(n: number): Call;
}

let calls = 0;

/** Throws if an answer has another status. */
export async function burst(
  side: HttpSide,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<Figures> {
  const pool = new Pool(side.server.origin, { connections });
  const times: number[] = [];
  const processor = processorTime(side.server.pids);
  const began = performance.now();
  const end = began + seconds * 1_000;
  const caller = async (): Promise<void> => {
    let now = performance.now();
    do {
      const sent = now;
      await exchange(pool, side.call((calls += 1)), side.status);
      now = performance.now();
      times.push(now - sent);
    } while (now < end);
  };
  await Promise.all(Array.from({ length: connections }, caller));
  const elapsed = performance.now() - began;
  const taken = processorTime(side.server.pids) - processor;
  await pool.destroy();
  return {
    'calls/s': (times.length * 1_000) / elapsed,
    'p50, ms': percentile(times, 0.5),
    'p99, ms': percentile(times, 0.99),
    'processor, us a call': taken / times.length,
  };
}

/** Resolves at the end of the answer, whose pieces `onPiece` gets. */
export function exchange(
  pool: Pool,
  { path, method, headers, body }: Call,
  status = 200,
  onPiece: (piece: Buffer) => void = () => {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(controller, answered) {
        if (answered !== status) controller.abort(new Error(`${path} answered ${answered}, not ${status}`));
      },
      onResponseData: (_, piece) => onPiece(piece),
      onResponseEnd: () => resolve(),
      onResponseError: (_, error) => reject(error),
    };
    pool.dispatch(
      { path, method: method ?? 'GET', headers: headers ?? {}, ...(body !== undefined && { body }) },
      handler,
    );
  });
}

/** A call that prepares a measurement; throws unless it succeeds. */
export async function send({ origin }: Server, path: string, body: object): Promise<Response> {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer;
}
