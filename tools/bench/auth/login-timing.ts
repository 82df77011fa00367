/**
 * Whether the time of a refusal tells that a login exists: Basic with a wrong password, for a login that
 * exists and for one that does not, in turns.
 */
import { LOGIN } from './server.js';
import { median, withServer } from './start.js';

const ATTEMPTS = 200;

await withServer(async ({ url }) => {
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  for (let attempt = -10; attempt < ATTEMPTS; attempt += 1) {
    const known = await refusal(LOGIN);
    const unknown = await refusal(`nobody${attempt}`);
    if (attempt < 0) continue;
    times.known.push(known);
    times.unknown.push(unknown);
  }
  const differences = times.known.map((time, at) => time - (times.unknown[at] ?? NaN));
  const spread = median(differences.map((each) => Math.abs(each - median(differences))));
  console.log(`known login, wrong password  ${median(times.known).toFixed(2)} ms`);
  console.log(`unknown login                ${median(times.unknown).toFixed(2)} ms`);
  console.log(
    `difference                   ${median(differences).toFixed(2)} ms (median of ${ATTEMPTS}; half lie within ${spread.toFixed(2)} ms of it)`,
  );

  async function refusal(login: string): Promise<number> {
    const authorization = `Basic ${Buffer.from(`${login}:a wrong password`).toString('base64')}`;
    const began = performance.now();
    const answer = await fetch(`${url}/user`, { headers: { authorization } });
    await answer.arrayBuffer();
    const time = performance.now() - began;
    if (answer.status !== 401) throw new Error(`answered ${answer.status}`);
    return time;
  }
});
