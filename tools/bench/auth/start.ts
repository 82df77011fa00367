/** Starts the measured server for the length of a measurement. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Ready } from './server.js';

export interface Measured extends Ready {
  /** The time that the server's process has spent so far, in microseconds. */
  cpuTime(): Promise<number>;
}

export async function withServer(measure: (server: Measured) => Promise<void>): Promise<void> {
  const child = fork(join(import.meta.dirname, 'server.js'));
  const exited = once(child, 'exit');
  try {
    const [ready] = (await Promise.race([once(child, 'message'), exited])) as [Ready | number];
    if (typeof ready !== 'object') throw new Error('the server did not start');
    const cpuTime = async (): Promise<number> => {
      child.send('cpu time');
      const [time] = (await once(child, 'message')) as [number];
      return time;
    };
    await measure({ ...ready, cpuTime });
  } finally {
    if (child.connected) child.disconnect();
    await exited;
  }
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? NaN;
}
