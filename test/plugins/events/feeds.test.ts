/** What each feed holds and how it is answered, on the demo directory. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eachStore } from '../../support/stores.js';
import { DEMO, EventsServer } from './support/boot.js';

eachStore('the ten feeds', (store) => {
  let served: EventsServer;
  let mara: { authorization: string };
  let lin: { authorization: string };
  let jonas: { authorization: string };

  before(async () => {
    served = await EventsServer.boot({ demo: DEMO }, { storage: await store.fresh() });
    [mara, lin, jonas] = [await served.user('mara'), await served.user('lin'), await served.user('jonas')];
  });
  after(() => served[Symbol.asyncDispose]());

  describe('for anybody', () => {
    for (const [path, ids] of [
      ['/events', [7, 6, 4, 3, 2, 1]],
      ['/repos/harbor-labs/tides/events', [7, 6, 3, 2, 1]],
      ['/networks/jonas/tides/events', [7, 6, 4, 3, 2, 1]],
      ['/orgs/harbor-labs/events', [7, 6, 3, 2, 1]],
      ['/users/mara/received_events', [6, 3]],
      ['/users/mara/received_events/public', [6, 3]],
      ['/users/jonas/received_events', [7, 6, 3, 2, 1]],
      ['/users/lin/events', [4]],
      ['/users/lin/events/public', [4]],
      ['/users/LIN/events', [4]],
    ] as const) {
      test(`${path} holds what is public`, async () => {
        assert.deepEqual(
          await served.ids(path),
          ids.map((id) => `demo-${id}`),
        );
      });
    }
  });

  test('a user sees their own private events, and nobody else does', async () => {
    assert.deepEqual(await served.ids('/users/lin/events', lin), ['demo-5', 'demo-4']);
    assert.deepEqual(await served.ids('/users/lin/events', mara), ['demo-4']);
    assert.deepEqual(await served.ids('/users/lin/events/public', lin), ['demo-4']);
  });

  test('a private repository is read by the members of its organization, and is not there for others', async () => {
    assert.deepEqual(await served.ids('/repos/harbor-labs/soundings/events', mara), ['demo-5']);
    assert.equal((await served.get('/repos/harbor-labs/soundings/events', jonas)).status, 404);
    assert.equal((await served.get('/repos/harbor-labs/soundings/events')).status, 404);
    assert.equal((await served.get('/networks/harbor-labs/soundings/events')).status, 404);
    assert.equal((await served.get('/repos/harbor-labs/soundings/issues/events')).status, 404);
  });

  test('what one receives includes the private events of a watched repository, for oneself alone', async () => {
    assert.deepEqual(await served.ids('/users/lin/received_events', lin), ['demo-5']);
    assert.deepEqual(await served.ids('/users/lin/received_events', mara), []);
  });

  test('the dashboard is for the user and a member of the organization', async () => {
    const path = '/users/mara/events/orgs/harbor-labs';
    assert.deepEqual(
      await served.ids(path, mara),
      [7, 6, 5, 3, 2, 1].map((id) => `demo-${id}`),
    );
    assert.equal((await served.get(path, lin)).status, 404);
    assert.equal((await served.get('/users/jonas/events/orgs/harbor-labs', jonas)).status, 404);
    const anonymous = await served.get(path);
    assert.deepEqual(
      [anonymous.status, anonymous.json<{ message: string }>().message],
      [401, 'Requires authentication'],
    );
  });

  test('a record has the documented members, and addresses of this server', async () => {
    const [first] = (await served.get('/users/mara/events', { host: 'localhost:1234' })).json();
    assert.deepEqual(Object.keys(first ?? {}), [
      'id',
      'type',
      'actor',
      'repo',
      'payload',
      'public',
      'created_at',
      'org',
    ]);
    assert.deepEqual(first?.actor, {
      id: 1001,
      login: 'mara',
      image_id: '',
      url: 'http://localhost:1234/users/mara',
      avatar_url: '',
    });
    assert.equal(first?.org?.login, 'harbor-labs');
    const [forked] = (await served.get('/repos/jonas/tides/events')).json();
    assert.equal('org' in (forked ?? {}), false);
  });

  test('issue events have a record of their own', async () => {
    const list = (await served.get('/repos/harbor-labs/tides/issues/events')).json<
      { id: number; event: string; url: string }[]
    >();
    assert.deepEqual(
      list.map(({ id, event }) => [id, event]),
      [
        [2, 'closed'],
        [1, 'labeled'],
      ],
    );
    assert.match(list[0]?.url ?? '', /^http:\/\/[^/]+\/repos\/harbor-labs\/tides\/issues\/events\/2$/);
  });

  test('HEAD answers the headers alone', async () => {
    const response = await served.server.inject({ method: 'HEAD', url: '/events' });
    assert.deepEqual([response.statusCode, response.body], [200, '']);
    assert.match(String(response.headers['etag']), /^"/);
  });

  for (const [what, url, status, message] of [
    ['an unknown user', '/users/nobody/events', 404, 'Not Found'],
    ['an organization where a user is asked for', '/users/harbor-labs/events', 404, 'Not Found'],
    ['a user where an organization is asked for', '/orgs/mara/events', 404, 'Not Found'],
    ['an unknown repository', '/repos/mara/nothing/events', 404, 'Not Found'],
    ['an unknown path below a feed', '/users/mara/events/nothing', 404, 'Not Found'],
    [
      'page 11',
      '/events?page=11',
      422,
      'In order to keep the API fast for everyone, pagination is limited for this resource. Check the rel=last link relation in the Link response header to see how far back you can traverse.',
    ],
    ['a page beyond all numbers', `/events?page=${'9'.repeat(400)}`, 422, /^In order to keep/],
  ] as const) {
    test(`${what} is ${status}, in the form of this API`, async () => {
      const got = await served.get(url);
      assert.equal(got.status, status);
      const body = got.json<{ message: string; documentation_url: string }>();
      if (typeof message === 'string') assert.equal(body.message, message);
      else assert.match(body.message, message);
      assert.equal(typeof body.documentation_url, 'string');
    });
  }

  test('a wrong method is a 404 with Allow, as the clients know it', async () => {
    const response = await served.server.inject({ method: 'DELETE', url: '/events' });
    assert.deepEqual([response.statusCode, response.json<{ message: string }>().message], [404, 'Not Found']);
    assert.match(String(response.headers['allow']), /GET/);
  });

  test('a wrong credential is refused, not taken for anonymous', async () => {
    assert.equal((await served.get('/events', { authorization: 'token 0123456789' })).status, 401);
    assert.equal((await served.get('/events', { authorization: 'Bearer pb_wrong' })).status, 401);
  });

  test('an API key needs the scope', async () => {
    const without = await served.server.key('events:write');
    const allowed = await served.server.key('events');
    assert.equal((await served.get('/events', { authorization: `Bearer ${without}` })).status, 403);
    assert.equal((await served.get('/events', { authorization: `Bearer ${allowed}` })).status, 200);
  });

  test('what is no page number is the first page', async () => {
    for (const page of ['0', '-1', 'abc', '1.5', '']) {
      assert.equal((await served.ids(`/events?page=${page}`)).length, 6, page);
    }
  });
});
