/** Whose memory: whatever two keys and their end users write, by no way does one find what is another's. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { eachStore } from '../../support/stores.js';
import { eventually } from '../../support/eventually.js';
import { startQdrant } from '../../support/peers/qdrant.js';
import { memoryServer, settled, testClock, type Answer } from './support/memory-server.js';
import { fakeModels } from './support/models.js';

const USERS = [null, 'ann', 'bo'] as const;
const TOPICS = ['asthma', 'violin', 'mortgage'];
const DAY = 86_400_000;

interface Written {
  readonly key: number;
  readonly user: (typeof USERS)[number];
  readonly topic: string;
  readonly sessionId: string | null;
  readonly type: string;
  /** Entries of equal words fold into one another, and must not across keys, end users or sessions. */
  readonly copies: number;
}

const written: fc.Arbitrary<Written> = fc.record({
  key: fc.constantFrom(0, 1),
  user: fc.constantFrom(...USERS),
  topic: fc.constantFrom(...TOPICS),
  sessionId: fc.constantFrom(null, 's'),
  type: fc.constantFrom('factual', 'episodic'),
  copies: fc.constantFrom(1, 2),
});

eachStore('whose memory', (store) => {
  test('lists, previews, chats, sums, reindexing, summaries, the external store and exports keep keys and end users apart', async () => {
    const qdrant = await startQdrant();
    const clock = testClock();
    const models = fakeModels();
    const config = { externalStore: { allowPrivateHosts: true } };
    await using memory = await memoryServer({ storage: await store.fresh(), clock, models, config });
    const { server, call } = memory;
    const keys: { id: string; secret: string }[] = [];
    for (const name of ['one', 'two']) {
      const { stdout } = await server.command(['keys', 'create', name, '--json', '--scope', 'memory']);
      const { id, key } = JSON.parse(stdout) as { id: string; key: string };
      keys.push({ id, secret: key });
    }
    const as = async (
      key: number,
      method: 'GET' | 'POST' | 'DELETE',
      url: string,
      payload?: object,
    ): Promise<{ status: number; body: Answer }> => {
      const headers = { authorization: `Bearer ${keys[key]!.secret}` };
      const answer = await server.inject({ method, url, headers, ...(payload && { payload }) });
      return { status: answer.statusCode, body: answer.json() };
    };
    await call('PUT', '/api/settings/external-store', {
      enabled: true,
      host: '127.0.0.1',
      port: qdrant.port,
    });

    /** What an entry says names its key and end user, so that it tells by itself whose it is. */
    const signOf = (key: number, user: string | null): string => `of${key}${user ?? 'nobody'}`;
    const assertSeen = (contents: readonly string[], key: number, user: string | null, by: string): void => {
      const allowed = [signOf(key, null), signOf(key, user)];
      for (const content of contents)
        assert.ok(
          allowed.some((sign) => content.includes(sign)),
          `${by}: ${signOf(key, user)} sees "${content}"`,
        );
    };
    const contentsOf = ({ body }: { body: Answer }): string[] =>
      (body.memories ?? body.data).map(({ content }: Answer) => content);

    const check = async (store: string): Promise<void> => {
      await call('PUT', '/api/settings/memory', { vectorStore: store });
      for (const key of [0, 1]) {
        for (const user of USERS) {
          for (const strategy of ['exact', 'semantic', 'hybrid']) {
            const asked = { query: `the ${TOPICS.join(' ')}`, strategy, limit: 100 };
            // Hybrid asks both halves with each filter.
            const narrow = [{ sessionId: 's' }, { type: 'episodic' }, { metadata: { n: 1 } }];
            const filters: object[] = strategy === 'hybrid' ? [{}, ...narrow] : [{}];
            for (const filter of filters) {
              const preview = await as(key, 'POST', '/api/memory/retrieve-preview', {
                ...asked,
                ...filter,
                ...(user && { userId: user }),
              });
              assert.equal(preview.status, 200);
              if (strategy === 'semantic' && preview.body.memories.length > 0 && store === 'external')
                answeredExternally ||= preview.body.resolution.vectorStore === 'external';
              found += preview.body.memories.length;
              assertSeen(contentsOf(preview), key, user, `${store} ${strategy} ${JSON.stringify(filter)}`);
            }
          }
          const caller = { kind: 'key', id: keys[key]!.id, name: 'app', scopes: ['memory'] } as const;
          const messages = [{ role: 'user', content: `What about the ${TOPICS.join(' and the ')}?` }];
          const sent = await models.intercept({ model: 'm', messages, ...(user && { user }) }, caller);
          const lines = JSON.stringify(sent.messages).match(/of[01](?:nobody|ann|bo)/g) ?? [];
          assertSeen(lines, key, user, `chat with ${store}`);
        }
      }
    };

    let run = 0;
    let found = 0;
    let answeredExternally = false;
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(written, { minLength: 6, maxLength: 10 }), async (all) => {
          run += 1;
          const counts = [0, 0];
          for (const [at, { key, user, topic, sessionId, type, copies }] of all.entries()) {
            for (let copy = 0; copy < copies; copy += 1) {
              const content = `The ${topic} came up, said ${signOf(key, user)}`;
              const name = { key: `${run}-${at}-${copy}`, content, sessionId, type, metadata: { n: at % 2 } };
              const { status } = await as(key, 'POST', '/api/memory', {
                ...name,
                ...(user && { userId: user }),
              });
              assert.equal(status, 201);
              counts[key]! += 1;
            }
          }
          await eventually(async () => {
            const stored = qdrant.collections.get('plugboard_memory')?.points.size ?? 0;
            return stored === (await call('GET', '/api/memory?limit=1')).body.total;
          }, 'the external store has every entry');
          for (const { payload } of qdrant.collections.get('plugboard_memory')?.points.values() ?? []) {
            const key = keys.findIndex(({ id }) => id === payload['apiKeyId']);
            assertSeen([String(payload['content'])], key, payload['userId'] as string | null, 'a point');
          }
          for (const key of [0, 1]) {
            const mine = await as(key, 'GET', '/api/memory?limit=200');
            const other = await as(1 - key, 'GET', '/api/memory?limit=200');
            assert.deepEqual(
              new Set(mine.body.data.map(({ apiKeyId }: Answer) => apiKeyId)),
              new Set(counts[key] === 0 ? [] : [keys[key]!.id]),
            );
            assert.equal(mine.body.total, counts[key]);
            assert.equal(mine.body.stats.total, counts[key]);
            const found = await as(key, 'GET', '/api/memory?q=came&limit=200');
            assert.equal(found.body.total, counts[key]);
            const foreign = await as(key, 'GET', `/api/memory?apiKeyId=${keys[1 - key]!.id}`);
            assert.equal(foreign.status, 403);
            const [theirs] = other.body.data;
            if (theirs !== undefined) {
              for (const [method, path] of [
                ['GET', ''],
                ['DELETE', ''],
                ['POST', '/restore'],
              ] as const)
                assert.equal((await as(key, method, `/api/memory/${theirs.id}${path}`)).status, 404);
            }
            const { stdout } = await server.command(['memory', 'export', '--api-key-id', keys[key]!.id]);
            const exported = stdout.split('\n').filter((line) => line.startsWith('{'));
            assert.equal(exported.length, counts[key]);
            for (const line of exported) assert.match(line, new RegExp(`of${key}`));
          }
          await check('local');
          await check('external');

          await call('POST', '/api/memory/reindex', { force: true });
          await settled(memory);
          clock.advance(40 * DAY);
          const dry = (await call('POST', '/api/memory/summarize', { dryRun: true })).body;
          for (const { apiKeyId, userId, content, standsFor } of dry.plans) {
            const key = keys.findIndex(({ id }) => id === apiKeyId);
            for (const text of [content, ...standsFor.map((one: Answer) => one.content)])
              assert.ok(text.includes(signOf(key, userId)), `a summary of ${signOf(key, userId)}: ${text}`);
          }
          await call('POST', '/api/memory/summarize', {});
          await check('local');
          for (const { _id } of await everyEntry()) await call('DELETE', `/api/memory/${_id}`);
        }),
        { numRuns: store.name === 'embedded' ? 3 : 1 },
      );
      assert.ok(found > 50 && answeredExternally);
    } finally {
      await qdrant.close();
    }

    async function everyEntry(): Promise<{ _id: string }[]> {
      return (await call('GET', '/api/memory?limit=200')).body.data.map(({ id }: Answer) => ({ _id: id }));
    }
  });
});
