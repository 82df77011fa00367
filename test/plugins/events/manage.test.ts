/** Management: what publishing and changing the directory take and refuse. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { EventsServer } from './support/boot.js';

const event = (more: object = {}): object => ({
  type: 'PushEvent',
  actor: { login: 'ann' },
  repo: { name: 'ann/one' },
  ...more,
});

interface Refusal {
  readonly message: string;
  readonly errors?: readonly { readonly field: string; readonly code: string; readonly message: string }[];
}

eachStore('management', (store) => {
  let served: EventsServer;

  before(async () => {
    served = await EventsServer.boot({ maxFollowed: 3 }, { storage: await store.fresh() });
    await served.directory({
      put: {
        users: [1, 2, 3, 4, 5].map((id) => ({ id, login: ['ann', 'bo', 'cy', 'di', 'ed'][id - 1] })),
        organizations: [{ id: 10, login: 'acme' }],
        repositories: [
          { id: 20, name: 'ann/one' },
          { id: 21, name: 'acme/secret', private: true },
          { id: 22, name: 'bo/one', parent: 'ann/one' },
        ],
      },
    });
  });
  after(() => served[Symbol.asyncDispose]());

  for (const [what, body, status, field, code] of [
    [
      'an event without an actor',
      { events: [{ type: 'X', repo: { name: 'a/b' } }] },
      422,
      'events.0.actor',
      'missing_field',
    ],
    [
      'an actor whom nobody knows',
      { events: [event({ actor: { login: 'zed' } })] },
      422,
      'events.0.actor.login',
      'missing',
    ],
    [
      'a repository that nobody knows',
      { events: [event({ repo: { name: 'a/b' } })] },
      422,
      'events.0.repo.name',
      'missing',
    ],
    ['a type with a space', { events: [event({ type: 'Push Event' })] }, 422, 'events.0.type', 'invalid'],
    [
      'a time that is none',
      { events: [event({ created_at: 'yesterday' })] },
      422,
      'events.0.created_at',
      'invalid',
    ],
    [
      'a month that is none',
      { events: [event({ created_at: '2026-13-01T00:00:00Z' })] },
      422,
      'events.0.created_at',
      'invalid',
    ],
    [
      'a time to come',
      { events: [event({ created_at: '2999-01-01T00:00:00Z' })] },
      422,
      'events.0.created_at',
      'invalid',
    ],
    ['an id with a line break', { events: [event({ id: 'a\nb' })] }, 422, 'events.0.id', 'invalid'],
    ['no events', {}, 422, 'events', 'missing_field'],
    ['1,001 events', { events: Array.from({ length: 1_001 }, () => event()) }, 422, 'events', 'invalid'],
  ] as const) {
    test(`publishing ${what} is refused by name, and stores nothing`, async () => {
      const refused = await served.post('/api/events', body);
      assert.equal(refused.status, status, refused.body);
      const { message, errors } = refused.json<Refusal>();
      assert.equal(message, 'Validation Failed');
      assert.deepEqual([errors?.[0]?.field, errors?.[0]?.code], [field, code]);
      assert.deepEqual(await served.ids('/events'), []);
    });
  }

  for (const [what, payload, status, message] of [
    ['what is not JSON', '{', 400, 'Problems parsing JSON'],
    ['half of a surrogate pair', String.raw`{"events":["\ud83d"]}`, 400, 'Problems parsing JSON'],
    ['a list', '[]', 400, 'Body should be a JSON object'],
    ['nothing', '', 400, 'Body should be a JSON object'],
  ] as const) {
    test(`a body with ${what} is ${status}`, async () => {
      const refused = await served.post('/api/events', payload);
      assert.deepEqual([refused.status, refused.json<Refusal>().message], [status, message]);
    });
  }

  test('one wrong event of several stores none', async () => {
    const refused = await served.post('/api/events', {
      events: [event(), event({ actor: { login: 'zed' } })],
    });
    assert.equal(refused.status, 422);
    assert.deepEqual(await served.ids('/events'), []);
  });

  for (const [what, batch, field] of [
    [
      'a repository without an owner',
      { put: { repositories: [{ id: 30, name: 'zed/one' }] } },
      'put.repositories.0.name',
    ],
    [
      'a fork of nothing',
      { put: { repositories: [{ id: 30, name: 'ann/two', parent: 'zed/one' }] } },
      'put.repositories.0.parent',
    ],
    [
      'a fork of its own fork',
      { put: { repositories: [{ id: 20, name: 'ann/one', parent: 'bo/one' }] } },
      'put.repositories.0.parent',
    ],
    ['a login that another id has', { put: { users: [{ id: 99, login: 'Ann' }] } }, 'put.users.0'],
    ['a user who is an organization', { put: { users: [{ id: 10, login: 'acme' }] } }, 'put.users.0.id'],
    ['a member of a user', { put: { members: [{ user: 'ann', organization: 'bo' }] } }, 'put.members.0'],
    [
      'an organization that watches',
      { put: { watches: [{ user: 'acme', repository: 'ann/one' }] } },
      'put.watches.0.user',
    ],
    [
      'more follows than a page looks at',
      { put: { follows: ['bo', 'cy', 'di', 'ed'].map((follows) => ({ user: 'ann', follows })) } },
      'put.follows',
    ],
    ['the removal of an owner', { remove: { users: ['ann'] } }, 'remove.users.0'],
    [
      'the removal of a repository with forks',
      { remove: { repositories: ['ann/one'] } },
      'remove.repositories.0',
    ],
  ] as const) {
    test(`${what} is refused, and changes nothing`, async () => {
      const before = await directory(served);
      const refused = await served.post('/api/events/directory', batch);
      assert.equal(refused.status, 422, refused.body);
      assert.equal(refused.json<Refusal>().errors?.[0]?.field, field);
      assert.deepEqual(await directory(served), before);
    });
  }

  test('management is closed to keys that may only read', async () => {
    const authorization = `Bearer ${await served.server.key('events')}`;
    const response = await served.server.inject({
      method: 'POST',
      url: '/api/events',
      headers: { authorization },
      payload: { events: [] },
    });
    assert.equal(response.statusCode, 403);
  });

  test('a fork that leaves its network takes its own forks along', async () => {
    await served.directory({ put: { repositories: [{ id: 23, name: 'cy/one', parent: 'bo/one' }] } });
    await served.publish(
      event({ id: 'root' }),
      event({ id: 'leaf', actor: { login: 'cy' }, repo: { name: 'cy/one' } }),
    );
    assert.deepEqual((await served.ids('/networks/ann/one/events')).toSorted(), ['leaf', 'root']);
    await served.directory({ put: { repositories: [{ id: 22, name: 'bo/one' }] } });
    assert.deepEqual(await served.ids('/networks/ann/one/events'), ['root']);
    assert.deepEqual(await served.ids('/networks/bo/one/events'), ['leaf']);
  });

  test('an event whose repository has another id than its name says is refused with all that come with it', async () => {
    const fine = event({ id: 'fine' });
    const fresh = (id: number) => event({ id: `fresh-${id}`, repo: { id, name: 'ann/fresh' } });
    for (const [at, ...events] of [
      [1, fine, event({ repo: { id: 999, name: 'ann/one' }, public: true })],
      [1, fine, event({ repo: { id: 20, name: 'ann/nowhere' } })],
      [2, fine, fresh(901), fresh(902)],
    ] as const) {
      const refused = await served.post('/api/events', { events });
      assert.equal(refused.status, 422, refused.body);
      assert.equal(refused.json<Refusal>().errors?.[0]?.field, `events.${at}.repo`);
    }
    assert.ok(!(await served.ids('/users/ann/events')).includes('fine'));
    assert.equal((await served.get('/repos/ann/fresh/events')).status, 404);
    // Publishers at the same time share a transaction; the others are not refused with it.
    const [refused, stored] = await Promise.all([
      served.post('/api/events', { events: [fresh(901), fresh(902)] }),
      served.publish(event({ id: 'shares' })),
    ]);
    assert.deepEqual([refused.status, stored.stored], [422, 1]);
  });

  test('the answer counts what was known and what is too old', async () => {
    const old = event({ id: 'old', created_at: '2020-01-01T00:00:00Z' });
    const { ids, ...counts } = await served.publish(event({ id: 'counted' }), event({ id: 'counted' }), old);
    assert.deepEqual(ids, ['counted', 'counted', 'old']);
    assert.deepEqual(counts, { stored: 1, known: 1, expired: 1 });
  });

  test('an account that events name is found by its login from then on', async () => {
    await served.publish(
      event({
        id: 'new',
        actor: { id: 77, login: 'Newcomer' },
        repo: { id: 78, name: 'newcomer/x' },
        public: true,
      }),
    );
    assert.deepEqual(await served.ids('/users/newcomer/events'), ['new']);
    assert.deepEqual(await served.ids('/repos/newcomer/x/events'), ['new']);
  });

  test('a public event of a private repository is stored as a private one', async () => {
    await served.publish(event({ id: 'kept', repo: { name: 'acme/secret' }, public: true }));
    assert.ok(!(await served.ids('/users/ann/events')).includes('kept'));
    const ann = await served.user('ann');
    const own = (await served.get('/users/ann/events', ann)).json().find(({ id }) => id === 'kept');
    assert.equal(own?.public, false);
  });

  test('a page that gathers from who is followed and watched is in the order of time', async () => {
    await served.directory({
      put: {
        follows: [
          { user: 'di', follows: 'bo' },
          { user: 'di', follows: 'cy' },
        ],
        watches: [{ user: 'di', repository: 'ann/one' }],
      },
    });
    const at = (second: number) => new Date(Date.UTC(2026, 10, 2, 0, 0, second)).toISOString();
    const by = (login: string, second: number) =>
      event({
        id: `${login}-${second}`,
        actor: { login },
        repo: { name: 'ann/one' },
        created_at: at(second),
      });
    await served.publish(...Array.from({ length: 45 }, (_, n) => by(['bo', 'cy', 'ed'][n % 3] ?? '', n)));
    const walked = [
      ...(await served.ids('/users/di/received_events')),
      ...(await served.ids('/users/di/received_events?page=2')),
    ];
    const expected = Array.from({ length: 45 }, (_, n) => `${['bo', 'cy', 'ed'][n % 3]}-${n}`).toReversed();
    assert.deepEqual(
      walked.filter((id) => /^(bo|cy|ed)-/.test(id)),
      expected,
    );
  });
});

async function directory(served: EventsServer): Promise<unknown[]> {
  const authorization = `Bearer ${await served.server.key('events:write')}`;
  const parts = ['accounts', 'repositories', 'ties'].map(async (part) => {
    const { items } = (await served.get(`/api/events/directory/${part}`, { authorization })).json<{
      items: unknown[];
    }>();
    return items;
  });
  return Promise.all(parts);
}
