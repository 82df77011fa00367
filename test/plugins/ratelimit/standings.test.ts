import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { limitedServer, show, type LimitedServer } from './support.js';

interface Standings {
  readonly categories: readonly { readonly name: string; readonly key: number | null }[];
  readonly callers: readonly {
    readonly category: string;
    readonly kind: string;
    readonly label: string;
    readonly used: number;
    readonly limit: number;
    readonly reset: string;
  }[];
}

eachStore('who is near a limit', (store) => {
  let server: LimitedServer;
  let manager = {};
  before(async () => {
    const categories = { core: { key: 4, address: 10 }, data: { key: 100 } };
    server = await limitedServer({ categories }, await store.fresh());
    manager = { authorization: `Bearer ${await server.key('manage')}` };
  });
  after(() => server.stop());

  const standings = async (query = ''): Promise<Standings> => {
    const { status, body } = await show(server, `/api/limits${query}`, manager);
    assert.equal(status, 200);
    return body as Standings;
  };
  const lines = ({ callers }: Standings) =>
    callers.map(({ category, kind, used, limit }) => `${category} ${kind} ${used}/${limit}`);

  test('the callers are listed, who has used the most of a limit first, and asking counts nothing', async () => {
    const headers = { authorization: `Bearer ${server.apiKey}` };
    assert.deepEqual(lines(await standings()), []);
    for (let time = 0; time < 3; time += 1) await show(server, '/github', headers);
    for (let time = 0; time < 2; time += 1) await show(server, '/github', {}, '10.1.2.3');
    await show(server, '/svc', headers);
    const all = await standings();
    assert.deepEqual(lines(all), ['core key 3/4', 'core address 2/10', 'data key 1/100']);
    assert.equal(all.callers[1]?.label, '10.1.2.3');
    assert.equal(all.callers[0]?.reset, new Date(server.clock.time + 3_600_000).toISOString());
    assert.equal(all.categories.find(({ name }) => name === 'core')?.key, 4);
    assert.equal(all.categories.find(({ name }) => name === 'chat')?.key, null);
    assert.deepEqual(lines(await standings('?category=data')), ['data key 1/100']);
    assert.deepEqual(lines(await standings('?limit=1')), ['core key 3/4']);
  });

  test('who was refused has used all of it, and is gone when the window ends', async () => {
    const headers = { authorization: `Bearer ${server.apiKey}` };
    for (let time = 0; time < 3; time += 1) await show(server, '/github', headers);
    assert.equal(lines(await standings())[0], 'core key 4/4');
    server.clock.time += 3_600_001;
    assert.deepEqual(lines(await standings()), []);
  });

  test('a publishable key counts by address, so that one of its users locks out no other', async () => {
    const words = ['keys', 'create', 'page', '--publishable', '--json'];
    const { stdout } = await server.command(words);
    const { key } = JSON.parse(stdout) as { key: string };
    const headers = { authorization: `Bearer ${key}` };
    for (let time = 0; time < 5; time += 1) await show(server, '/github', headers, '10.9.9.1');
    assert.equal((await show(server, '/github', headers, '10.9.9.1')).status, 403);
    const other = await show(server, '/github', headers, '10.9.9.2');
    assert.deepEqual([other.status, other.used], [200, 1]);
    const status = await show(server, '/rate_limit', headers, '10.9.9.2');
    assert.equal(status.used, 1);
    const { callers } = await standings('?category=core');
    assert.deepEqual(
      callers.map(({ label, used }) => `${label} ${used}`),
      ['page@10.9.9.1 4', 'page@10.9.9.2 1'],
    );
  });

  test('only the management may look', async () => {
    assert.equal((await show(server, '/api/limits')).status, 401);
    assert.equal((await show(server, '/api/limits?category=none', manager)).status, 400);
  });
});
