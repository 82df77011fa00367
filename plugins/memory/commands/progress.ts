/** Reports the progress of a long command on the terminal. */
import type { Writable } from 'node:stream';

const EVERY = 1000;

export interface Progress {
  step(): void;
  done(): void;
}

export function progress(stderr: Writable, verb: string): Progress {
  let count = 0;
  return {
    step() {
      count += 1;
      if (count % EVERY === 0) stderr.write(`${verb} ${count}\n`);
    },
    done() {
      stderr.write(`${verb} ${count} ${count === 1 ? 'memory' : 'memories'}\n`);
    },
  };
}
