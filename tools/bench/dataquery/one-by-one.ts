/** How long a request takes that comes alone: over one connection, one after the other. */
import { Agent, get, type IncomingHttpHeaders } from 'node:http';
import { median } from '../table.js';

export interface Timed {
  /** Milliseconds, the median. */
  readonly time: number;
  readonly requests: number;
}

/** Until the time is up, and at least three of them. `headers` makes those of a request. */
export async function oneByOne(
  paths: readonly string[],
  headers: () => Readonly<Record<string, string>>,
  seconds: number,
): Promise<Timed> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  for (let n = 0; performance.now() < end || times.length < 3; n += 1) {
    const start = performance.now();
    await received(paths[n % paths.length]!, headers(), agent);
    times.push(performance.now() - start);
  }
  agent.destroy();
  return { time: median(times), requests: times.length };
}

function received(
  url: string,
  headers: Readonly<Record<string, string>>,
  agent: Agent,
): Promise<IncomingHttpHeaders> {
  return new Promise((resolve, reject) => {
    get(url, { headers, agent }, (response) => {
      response.once('error', reject).once('end', () => {
        if (response.statusCode === 200 || response.statusCode === 206) resolve(response.headers);
        else reject(new Error(`${url} answers ${response.statusCode}`));
      });
      response.resume();
    }).once('error', reject);
  });
}
