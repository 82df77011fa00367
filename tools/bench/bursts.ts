/** Alternating bursts of load on several servers, so that a machine that changes its speed changes it for all. */
import type { Measured } from './measured.js';
import { load, type LoadOptions } from './sockets.js';
import { median } from './table.js';

export interface Side {
  readonly name: string;
  readonly server: Measured;
  /** Whole; the same each time, or the next one. */
  readonly request: Buffer | (() => Buffer);
  readonly status: number;
}

export interface Figures {
  readonly name: string;
  readonly perSecond: readonly number[];
  /** Processor time of the server, in microseconds. */
  readonly perRequest: readonly number[];
  readonly p99: readonly number[];
}

export interface BurstOptions {
  readonly turns: number;
  readonly seconds: number;
  readonly connections: number;
  /** Bursts of each side before those that count: a server compiles what is asked of it often. */
  readonly warm?: number;
}

export async function bursts(sides: readonly Side[], options: BurstOptions): Promise<Figures[]> {
  const figures = sides.map(({ name }) => ({ name, perSecond: [], perRequest: [], p99: [] }) as Collected);
  for (let turn = 0; turn < (options.warm ?? 1); turn += 1)
    for (const side of sides) await burst(side, options);
  for (let turn = 0; turn < options.turns; turn += 1) {
    const order = [...sides.entries()];
    for (const [at, side] of turn % 2 === 0 ? order : order.toReversed()) {
      const { perSecond, perRequest, p99 } = await burst(side, options);
      figures[at]?.perSecond.push(perSecond);
      figures[at]?.perRequest.push(perRequest);
      figures[at]?.p99.push(p99);
    }
  }
  return figures;
}

interface Collected extends Figures {
  readonly perSecond: number[];
  readonly perRequest: number[];
  readonly p99: number[];
}

async function burst({ server, request, status }: Side, { seconds, connections }: BurstOptions) {
  const next = typeof request === 'function' ? request : () => request;
  const options: LoadOptions = { port: server.port, connections, seconds, status, next };
  const before = await server.gauge();
  const done = await load(options);
  const after = await server.gauge();
  return { ...done, perRequest: (after.cpu - before.cpu) / done.requests };
}

/** Of the bursts that were measured next to each other: ours over theirs. */
export function ratio(ours: readonly number[], theirs: readonly number[]): string {
  return median(ours.map((value, at) => value / (theirs[at] ?? NaN))).toFixed(2);
}
