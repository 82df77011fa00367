/** Asks `/-/live` every 10 ms over one connection, in a thread of its own, that sending large requests does not hold it up. */
import { Agent, get } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { workerData } from 'node:worker_threads';
import { LONGEST, STOPPED, TURNS } from './probe.js';

const EVERY = 10;

const { url, shared } = workerData as { url: string; shared: SharedArrayBuffer };
const cells = new Int32Array(shared);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function ask(): Promise<void> {
  return new Promise((resolve) => {
    get(`${url}/-/live`, { agent }, (answer) => answer.resume().on('end', resolve)).on('error', () =>
      resolve(),
    );
  });
}

while (Atomics.load(cells, STOPPED) === 0) {
  const began = performance.now();
  await ask();
  const took = Math.round((performance.now() - began) * 1_000);
  if (took > Atomics.load(cells, LONGEST)) Atomics.store(cells, LONGEST, took);
  Atomics.add(cells, TURNS, 1);
  Atomics.notify(cells, TURNS);
  await sleep(EVERY);
}
agent.destroy();
