/** Who did what: the log of the management, whole and in order. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  AUDIT,
  definePlugin,
  STORAGE,
  Type,
  type AuditOutcome,
  type AuditRecord,
  type Storage,
} from 'plugboard/sdk';
import { bootTest, type TestServer } from 'plugboard/testing';
import { eventually } from '../../support/eventually.js';
import { eachStore } from '../../support/stores.js';
import { Chain } from '../../../plugins/audit/chain.js';
import { openCopy } from '../../../plugins/audit/copy.js';
import { listOperations } from '../../../plugins/audit/list.js';
import { removeOld } from '../../../plugins/audit/retention.js';
import { verify } from '../../../plugins/audit/verify.js';

const PASSWORD = 'seven green tractors';
const auth = { adminPassword: PASSWORD };

/** A place in the store for chains of the test's own. */
function storePlugin() {
  let storage: Storage | undefined;
  const plugin = definePlugin({
    name: 'holder',
    api: 1,
    config: Type.Object({}, { additionalProperties: false }),
    needs: { storage: STORAGE },
    setup({ needs }) {
      storage = needs.storage;
      return {};
    },
  });
  return { plugin, storage: () => storage ?? assert.fail('not set up') };
}

const noCopy = openCopy(undefined, '', { error: () => {} });
const clock = { now: () => Date.now() };

async function listed(server: TestServer, query = ''): Promise<AuditRecord[]> {
  const headers = { authorization: `Bearer ${await server.key('manage')}` };
  const answer = await server.inject({ url: `/-/audit?limit=200${query}`, headers });
  assert.equal(answer.statusCode, 200, answer.body);
  return answer.json<{ records: AuditRecord[] }>().records;
}

/** The result of a request is written after its answer. */
async function untilListed(
  server: TestServer,
  holds: (record: AuditRecord) => boolean,
): Promise<AuditRecord> {
  let found: AuditRecord | undefined;
  await eventually(
    async () => (found = (await listed(server)).find(holds)) !== undefined,
    'the record is there',
  );
  return found ?? assert.fail();
}

eachStore('audit', (store) => {
  test('a change is recorded before it is made and with its result, with who, from where and what, and no secret', async () => {
    await using server = await bootTest({ storage: await store.fresh(), auth });
    const key = await server.key('manage');
    const headers = { authorization: `Bearer ${key}` };
    const payload = { login: 'ann', password: 'eleven purple horses' };
    await server.inject({ method: 'POST', url: '/api/users', headers, payload, remoteAddress: '192.0.2.1' });
    const done = await untilListed(
      server,
      ({ action, outcome }) => action === 'POST /api/users' && outcome === 'done',
    );
    assert.deepEqual(
      [done.name, done.address, done.target, done.fields],
      ['test', '192.0.2.1', '/api/users', ['login', 'password']],
    );
    await server.inject({
      method: 'POST',
      url: '/api/users',
      headers,
      payload: { ...payload, login: 'ANN' },
    });
    const refused = await untilListed(server, ({ reason }) => reason === '409');
    assert.deepEqual([refused.outcome, refused.actor], ['refused', done.actor]);
    const all = JSON.stringify(await listed(server));
    assert.ok(!all.includes(payload.password) && !all.includes(key));
    const of = (await listed(server)).filter(({ request }) => request === done.request);
    assert.deepEqual(
      of.map(({ outcome }) => outcome),
      ['done', 'started'],
    );
  });

  test('an operation is listed once: with its result and its beginning, or as begun, over pages of any size', async (t) => {
    const holder = storePlugin();
    const server = await bootTest({
      storage: await store.fresh(),
      plugins: [{ plugin: holder.plugin }],
    });
    t.after(() => server.stop());
    const now = { at: Date.parse('2026-01-01T00:00:00Z') };
    const chain = new Chain(holder.storage(), { now: () => (now.at += 1000) }, noCopy);
    const record = (
      request: string | undefined,
      outcome: AuditOutcome,
      action = 'POST /api/x',
    ): Promise<void> =>
      chain.append({ action, outcome, actor: 'ann', ...(request !== undefined && { request }) });
    await record('long', 'started');
    await record('cut off', 'started');
    for (const at of [1, 2, 3]) {
      await record(`short ${at}`, 'started', 'POST /api/y');
      await record(undefined, 'done', 'login');
      await record(`short ${at}`, at === 2 ? 'refused' : 'done', 'POST /api/y');
    }
    await record('short 1', 'started', 'a request id that is used again');
    await record('long', 'failed');
    const told = [
      // The chain's own beginning takes a tick of the clock.
      'long failed 13',
      'short 1 started',
      ...['short 3 done 2', 'login', 'short 2 refused 2', 'login', 'short 1 done 2', 'login'],
      'cut off started',
      'chain begins',
    ];
    for (const limit of [1, 2, 3, 100]) {
      const seen: string[] = [];
      for (let after: string | undefined; ;) {
        const page = await listOperations(chain.records, { limit, ...(after !== undefined && { after }) });
        assert.ok(page.records.length <= limit);
        for (const { request, action, outcome, at, startedAt = '' } of page.records) {
          const took = startedAt === '' ? '' : ` ${(Date.parse(at) - Date.parse(startedAt)) / 1000}`;
          seen.push(request === undefined ? action : `${request} ${outcome}${took}`);
        }
        if (page.next === null) break;
        after = page.next;
      }
      assert.deepEqual(seen, told, `pages of ${limit}`);
    }
    const { records } = await listOperations(chain.records, { limit: 9, action: 'POST /api/y' });
    assert.deepEqual(
      records.map(({ outcome }) => outcome),
      ['done', 'refused', 'done'],
    );
  });

  test('a refused login, a login, and the use of a revoked key are recorded, equal ones of a minute once', async () => {
    await using server = await bootTest({ storage: await store.fresh(), auth });
    const logIn = (password: string) =>
      server.inject({ method: 'POST', url: '/api/auth/login', payload: { password } });
    for (let at = 0; at < 3; at += 1) await logIn('wrong');
    await logIn(PASSWORD);
    const key = await server.key('manage');
    const headers = { authorization: `Bearer ${await server.key('manage')}` };
    const keys = (await server.inject({ url: '/api/keys', headers })).json<{ keys: { id: string }[] }>().keys;
    const mine = keys.at(1)?.id ?? '';
    await server.inject({ method: 'DELETE', url: `/api/keys/${mine}`, headers });
    await server.inject({ url: '/api/keys', headers: { authorization: `Bearer ${key}` } });
    await untilListed(server, ({ reason }) => reason === 'api_key_revoked');
    const records = await listed(server, '&action=login');
    assert.deepEqual(
      records.map(({ outcome, reason }) => `${outcome} ${reason ?? ''}`.trim()),
      ['done', 'refused wrong_password'],
    );
    assert.ok(!JSON.stringify(records).includes('wrong"'));
  });

  test('what was changed or removed by hand is found and named', async () => {
    const holder = storePlugin();
    await using server = await bootTest({
      plugins: [{ plugin: holder.plugin }],
      storage: await store.fresh(),
    });
    void server;
    const chain = new Chain(holder.storage(), clock, noCopy);
    await Promise.all([chain.records.ready(), chain.heads.ready()]);
    const record = (target: string) =>
      chain.append({ action: 'test', actor: 'server', outcome: 'done', target });
    await Promise.all(Array.from({ length: 50 }, (_, at) => record(String(at))));
    const whole = await verify(chain);
    assert.deepEqual([whole.records, whole.chains, whole.faults], [51, 1, []]);

    const victim = await chain.records.findOne({ seq: 20 });
    assert.ok(victim !== null);
    const faults = async (): Promise<string[]> =>
      (await verify(chain)).faults.map(({ seq, fault }) => `${seq}: ${fault}`);
    const text = victim.text.replace('"18"', '"99"');
    assert.notEqual(text, victim.text);
    await chain.records.updateOne({ _id: victim._id }, { $set: { text } });
    assert.deepEqual(await faults(), ['20: it was changed']);
    await chain.records.replaceOne({ _id: victim._id }, victim);
    assert.deepEqual(await faults(), []);

    await chain.records.deleteOne({ seq: 30 });
    assert.deepEqual(await faults(), ['31: 1 records before it are missing']);
    await chain.records.deleteMany({ seq: { $gte: 30 } });
    assert.deepEqual(await faults(), ['30: missing: the chain goes on to 51']);
  });

  test('a whole chain that is removed with its head is missed by the next one', async () => {
    const holder = storePlugin();
    await using server = await bootTest({
      plugins: [{ plugin: holder.plugin }],
      storage: await store.fresh(),
    });
    void server;
    const one = new Chain(holder.storage(), clock, noCopy);
    await Promise.all([one.records.ready(), one.heads.ready()]);
    const event = { action: 'test', actor: 'server', outcome: 'done' } as const;
    await one.append(event);
    await new Chain(holder.storage(), clock, noCopy).append(event);
    const [first] = await one.records.find({}, { sort: { _id: 1 } }).toArray();
    assert.deepEqual((await verify(one)).faults, []);
    await one.records.deleteMany({ chain: first!.chain });
    await one.heads.deleteMany({ _id: first!.chain });
    assert.match((await verify(one)).faults[0]?.fault ?? '', /^the whole chain is missing/);
  });

  test('records that are removed after their time leave no fault', async () => {
    const holder = storePlugin();
    await using server = await bootTest({
      plugins: [{ plugin: holder.plugin }],
      storage: await store.fresh(),
    });
    void server;
    let now = Date.now() - 10 * 86_400_000;
    const moved = { now: () => now };
    const chain = new Chain(holder.storage(), moved, noCopy);
    await Promise.all([chain.records.ready(), chain.heads.ready()]);
    const event = { action: 'test', actor: 'server', outcome: 'done' } as const;
    for (let at = 0; at < 5; at += 1) await chain.append(event);
    now = Date.now();
    for (let at = 0; at < 5; at += 1) await chain.append(event);
    assert.equal(await removeOld(chain, 5, moved), 6);
    assert.deepEqual(await verify(chain), { records: 5, chains: 1, open: 0, faults: [] });
    now += 10 * 86_400_000;
    await removeOld(chain, 5, moved);
    assert.deepEqual((await verify(chain)).faults, []);
  });
});

test('a copy is written line by line, and where one is required and cannot be, nothing is changed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'plugboard-audit-'));
  t.after(() => rm(folder, { recursive: true }));
  const file = join(folder, 'audit', 'log.ndjson');
  const start = (copy: object) => bootTest({ auth, audit: { copy } });
  {
    await using server = await start({ file, required: true });
    await untilListed(server, ({ action }) => action === 'start');
  }
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  assert.deepEqual(lines.map((line) => (JSON.parse(line) as AuditRecord).action).slice(0, 2), [
    'chain begins',
    'start',
  ]);
  await assert.rejects(start({ file: join(folder, 'no', 'such', 'folder.ndjson'), required: true }), /copy/);
});

test('a command that changes something is recorded, one that looks is not, and both read the log', async () => {
  await using server = await bootTest({ auth });
  const created = await server.command(['users', 'create', 'ann']);
  const password = /shown once\): (\S+)/.exec(created.stdout)?.[1] ?? assert.fail(created.stdout);
  await server.command(['users', 'list']);
  const { records } = await server.service(AUDIT).list({ limit: 50, action: 'command' });
  assert.deepEqual(
    records.map(({ action, outcome, target }) => `${action} ${target}: ${outcome}`),
    ['command users create ann: done', 'command users create ann: started'],
  );
  const shown = await server.command(['audit', '--limit', '5']);
  assert.match(shown.stdout, /done {2}command line {2}command users create {2}ann/);
  assert.ok(!shown.stdout.includes(password));
  const verified = await server.command(['audit', 'verify']);
  assert.match(verified.stdout, /^\d+ records in 1 chains, all as they were written; 0 without a result\n$/);
});
