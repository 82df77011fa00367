/** A server that is killed between what a call reserved of a budget and what it took. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployment } from '../support/servers/deployment.js';
import { eventually } from '../support/eventually.js';
import { SpawnedServer } from '../support/servers/spawned-server.js';
import { eachStore } from '../support/stores.js';
import { TestUpstream } from '../support/peers/upstream.js';

/** US dollars. A token costs a millionth, read or written. */
const BUDGET = 0.01;
const TOKEN = 1e-6;
/** The tokens of a call of the stand-in, and those that the killed call asks for at most. */
const TAKEN = 9;
const ASKED = 2_000;
/** What an instance takes of a limit in advance at most, where its calls need less. */
const PART = BUDGET / 32;
const CALLS = 20;

eachStore('a server that is killed with a call under way', (store) => {
  test('what it had reserved is charged, once, and the rest of the budget is there for others', async () => {
    await using upstream = await TestUpstream.start('a');
    const installation = deployment(await store.fresh(), {
      router: {
        upstreams: [{ name: 'a', baseUrl: upstream.url }],
        prices: { 'a/*': { input: 1, output: 1 } },
        allowances: { all: { budget: { usd: BUDGET, per: 'month' } } },
      },
    });
    const headers = { authorization: `Bearer ${installation.key}`, 'content-type': 'application/json' };
    const ask = ({ url }: SpawnedServer, tokens: number): Promise<Response> =>
      fetch(`${url}/v1/chat/completions`, {
        method: 'POST',
        headers,
        body: JSON.stringify({
          model: 'a/m',
          max_tokens: tokens,
          messages: [{ role: 'user', content: 'hello' }],
        }),
      });
    const read = async <T>({ url }: SpawnedServer, path: string): Promise<T> =>
      (await (await fetch(url + path, { headers })).json()) as T;
    const used = async (server: SpawnedServer): Promise<number> => {
      const { data } = await read<{ data: { used: number }[] }>(server, '/api/usage/allowances');
      return data[0]?.used ?? assert.fail('no allowance');
    };
    const recorded = async (server: SpawnedServer): Promise<{ calls: number; cost: number }> =>
      (await read<{ total: { calls: number; cost: number } }>(server, '/api/usage')).total;

    await using first = await SpawnedServer.start(installation);
    assert.equal((await ask(first, 10)).status, 200);
    await eventually(async () => (await recorded(first)).calls === 1, 'its record is stored');
    upstream.always({ kind: 'hang', where: 'before headers' });
    const hanging = ask(first, ASKED).catch(() => undefined);
    await eventually(() => upstream.requests.length === 2, 'the upstream has the call');
    await first.end('SIGKILL');
    await hanging;
    upstream.always({ kind: 'ok' });

    await using second = await SpawnedServer.start(installation);
    const charged = await used(second);
    const least = (TAKEN + ASKED) * TOKEN;
    assert.ok(charged >= least, `${charged} of at least ${least}`);
    assert.ok(charged <= least + 100 * TOKEN + 2 * PART, `${charged} is more than was held`);

    for (let call = 0; call < CALLS; call += 1) assert.equal((await ask(second, 10)).status, 200);
    // What an instance holds and does not need it gives back.
    const settled = charged + CALLS * TAKEN * TOKEN;
    await eventually(async () => Math.abs((await used(second)) - settled) < TOKEN / 2, `${settled} are used`);
    const { calls, cost } = await recorded(second);
    assert.equal(calls, 1 + CALLS);
    assert.ok(Math.abs(cost - (1 + CALLS) * TAKEN * TOKEN) < 1e-9, `${cost}`);
    const refused = await ask(second, 4_096 * 4);
    assert.equal(refused.status, 200, 'the reserve is capped, and that much is left');
    await eventually(async () => (await recorded(second)).calls === 2 + CALLS, 'it is recorded');
    assert.ok((await used(second)) <= BUDGET);
  });
});
